"""Bridges to other libraries, one file each, loaded only when used."""
