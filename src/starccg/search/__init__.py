"""Exact A* search: the Python interface of the native core."""
