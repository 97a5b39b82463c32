"""From treebanks to models in steps: gold derivations, grammar, tagger, tags, global model."""
