"""Learning: the only place that imports torch."""
