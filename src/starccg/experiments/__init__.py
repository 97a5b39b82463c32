"""Experiments: the paper's tables, from data to numbers."""
