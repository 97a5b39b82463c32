"""The tags of a treebank from an exported tagger, and its states of the words."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from starccg.files import write_atomically
from starccg.formats.auto import read_auto
from starccg.model_folder.tagger import load_tagger
from starccg.tagger.model import MAX_TAGS
from starccg.tagger.saved import write_tags


def tag_treebank(tagger: Path, treebank: Path, target: Path, tag_beam: float | None, max_tags: int = MAX_TAGS) -> None:
    """Write the tags of an AUTO file, in the format that jackknifing writes."""
    model = load_tagger(tagger)
    found = list(read_auto(treebank))
    tagged = model.tag([sentence.derivation.words for sentence in found], beam=tag_beam, max_tags=max_tags)
    pairs = [(sentence.id, tags) for sentence, tags in zip(found, tagged, strict=True)]
    write_tags(target, [str(category) for category in model.categories], pairs)


def encode_treebank(tagger: Path, treebank: Path, target: Path) -> None:
    """Write the tagger's states of the words of an AUTO file, in half precision, for a global model that reads them."""
    found = list(read_auto(treebank))
    outputs = load_tagger(tagger).analyse([sentence.derivation.words for sentence in found], beam=1.0, states=True)
    states = [output.states for output in outputs if output.states is not None]
    buffer = io.BytesIO()
    np.savez(
        buffer,
        ids=np.array([sentence.id for sentence in found], np.str_),
        sentence_offsets=np.cumsum([0, *map(len, states)]),
        states=np.concatenate(states).astype(np.float16),
    )
    write_atomically(target, buffer.getvalue())
