"""A small treebank of constructions that are rare in the large ones, written by ourselves, with random words.

Web text has almost no questions like *who do you think will win* and no *had he looked behind him*; a tagger cannot
know what it never saw. Each construction is a derivation with places for phrases (:mod:`.english`).
"""

from __future__ import annotations

from starccg.treebanks.constructions.drawing import draw_sentences
from starccg.treebanks.constructions.english import CONSTRUCTIONS, PHRASES

__all__ = ["CONSTRUCTIONS", "PHRASES", "draw_sentences"]
