"""Exact A* search: the native core, its Python face, and a plain reference of the same loop."""
