"""Training supertaggers."""
