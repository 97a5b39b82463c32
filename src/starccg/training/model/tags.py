"""The tags of a treebank from a packed tagger."""

from __future__ import annotations

from pathlib import Path

from starccg.tagger.model import Tagger
from starccg.tagger.saved import write_tags
from starccg.training.data import read_treebank


def tag_treebank(tagger: Path | Tagger, treebank: Path, target: Path, beam: float | None = None) -> None:
    """Write the tags of an AUTO file, as jackknifing does for those a tagger was trained on."""
    tagger = tagger if isinstance(tagger, Tagger) else Tagger.load(tagger)
    found = list(read_treebank(treebank))
    tagged = tagger.tag([sentence.derivation.words for sentence in found], beam=beam)
    pairs = [(sentence.id, tags) for sentence, tags in zip(found, tagged, strict=True)]
    write_tags(target, [str(category) for category in tagger.categories], pairs)
