"""A whole model from its sources: treebanks, gold derivations, grammar, tagger, jackknifed tags, global model."""
