"""Finding the texts that people see in the sources, for ``tests/test_messages.py``."""
