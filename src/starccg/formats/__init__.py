"""Readers and writers of derivations: one module per format, and a registry."""
