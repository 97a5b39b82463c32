"""A toy model and a toy evaluation set: a treebank of our own, tags with errors, an untrained global model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from starccg.experiments.evaluation_set import EvaluationSet, LoadedModel, evaluation_set_of
from starccg.globalmodel import Dimensions, GlobalModel, Vocabulary
from starccg.globalmodel.parameters import initial
from starccg.search.types import TaggedSentence
from tests.training import toy


@cache
def global_model(**dimensions: Any) -> GlobalModel:
    table = toy.table()
    names = tuple(str(category) for category in table.categories)
    size = Dimensions(words=4, categories=3, cells=5, **dimensions)
    vocabulary = Vocabulary(["the", "baker", "hill", "rope", "."])
    return GlobalModel(size, vocabulary, names, initial(size, len(vocabulary), len(names) + 1, 3))


@cache
def sentences(count: int = 30) -> EvaluationSet:
    return evaluation_set_of(toy.table(), toy.examples(count, seed=5, wrong=0.2), f"toy {count}")


class ToyTagger:
    """Knows the sentences of the toy set, and tags any other word by word as it saw it there."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[list[int], list[float]]] = {}
        for words, tagged in zip(sentences().words, sentences().tagged, strict=True):
            for place, word in enumerate(words):
                own = slice(tagged.offsets[place], tagged.offsets[place + 1])
                self.seen[word] = tagged.tags[own].tolist(), tagged.log_probabilities[own].tolist()
        self.seen["and"] = self.seen["."]
        self.calls = 0
        self.categories = sentences().table.categories

    def tag(
        self, texts: Sequence[Sequence[str]], beam: float | None = None, max_tags: int = 64
    ) -> list[TaggedSentence]:
        import numpy as np  # noqa: PLC0415

        self.calls += 1
        found = []
        for words in texts:
            parts = [self.seen[word] for word in words]
            offsets = np.cumsum([0, *(len(tags) for tags, _ in parts)]).astype(np.int32)
            tags = np.array([tag for tags, _ in parts for tag in tags], np.int32)
            scores = np.array([score for _, scores in parts for score in scores], np.float32)
            found.append(TaggedSentence(tags, scores, offsets))
        return found


def model() -> LoadedModel:
    return LoadedModel(Path("toy"), toy.table(), cast(Any, ToyTagger()), global_model(), "toy model")
