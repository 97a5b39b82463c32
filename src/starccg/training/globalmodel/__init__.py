"""Learning the global model from violations of the agenda (paper, section 5)."""
