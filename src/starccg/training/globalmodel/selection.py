"""Which sentences are learned from, and what happens where the tagger's beam has lost a gold tag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from starccg.search.types import TaggedSentence
from starccg.training.data import Example, has_gold_tags
from starccg.training.globalmodel.config import Config


def select(examples: Sequence[Example], config: Config) -> list[Example]:
    """The sentences that can be learned from."""
    learning = config.learning
    kept: list[Example] = []
    for example in examples:
        if example.gold is None or len(example.words) > learning.longest:
            continue
        if learning.missing_gold_tags == "keep" or has_gold_tags(example.tagged, example.gold):
            kept.append(example)
        elif learning.missing_gold_tags == "add":
            kept.append(with_gold_tags(example))
    return kept


def with_gold_tags(example: Example) -> Example:
    """The same sentence where a word that lost its gold tag has it back, as the least likely of its tags."""
    assert example.gold is not None
    tagged = example.tagged
    gold = {node.start: node.category for node in example.gold if node.left < 0}
    tags: list[int] = []
    scores: list[float] = []
    offsets = [0]
    for word in range(tagged.words):
        own = slice(tagged.offsets[word], tagged.offsets[word + 1])
        tags += tagged.tags[own].tolist()
        scores += tagged.log_probabilities[own].tolist()
        if gold[word] not in tags[offsets[-1] :]:
            tags.append(gold[word])
            scores.append(scores[-1] if len(scores) > offsets[-1] else 0.0)
        offsets.append(len(tags))
    arrays = np.array(tags, np.int32), np.array(scores, np.float32), np.array(offsets, np.int32)
    return replace(example, tagged=TaggedSentence(*arrays))
