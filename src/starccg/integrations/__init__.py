"""Bridges to other libraries, one file each. None is loaded unless it is asked for."""
