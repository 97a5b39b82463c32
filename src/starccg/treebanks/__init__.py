"""Treebanks: their layouts on disk, and what is made of them."""
