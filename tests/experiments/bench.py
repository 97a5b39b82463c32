"""A model and a bench of toys: a treebank of our own, tags with errors, a global model that has learned nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from starccg.experiments.bench import Bench, Model, bench_of_examples
from starccg.globalmodel import Dimensions, GlobalModel, Vocabulary
from starccg.globalmodel.parameters import initial
from starccg.search.types import TaggedSentence
from tests.training_global import toy


@cache
def global_model(**dimensions: Any) -> GlobalModel:
    table = toy.table()
    names = tuple(str(category) for category in table.categories)
    size = Dimensions(words=4, categories=3, cells=5, **dimensions)
    vocabulary = Vocabulary(["the", "baker", "hill", "rope", "."])
    return GlobalModel(size, vocabulary, names, initial(size, len(vocabulary), len(names) + 1, 3))


@cache
def bench(count: int = 30) -> Bench:
    return bench_of_examples(toy.table(), toy.examples(count, seed=5, wrong=0.2), f"toy {count}")


class ToyTagger:
    """Knows sentences of the bench, and tags any other word by word as it saw it there."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[list[int], list[float]]] = {}
        for words, tagged in zip(bench().words, bench().tagged, strict=True):
            for place, word in enumerate(words):
                own = slice(tagged.offsets[place], tagged.offsets[place + 1])
                self.seen[word] = tagged.tags[own].tolist(), tagged.log_probabilities[own].tolist()
        self.seen["and"] = self.seen["."]
        self.calls = 0

    def tag(self, sentences: Sequence[Sequence[str]], beam: float | None = None) -> list[TaggedSentence]:
        import numpy as np  # noqa: PLC0415

        self.calls += 1
        found = []
        for words in sentences:
            parts = [self.seen[word] for word in words]
            offsets = np.cumsum([0, *(len(tags) for tags, _ in parts)]).astype(np.int32)
            tags = np.array([tag for tags, _ in parts for tag in tags], np.int32)
            scores = np.array([score for _, scores in parts for score in scores], np.float32)
            found.append(TaggedSentence(tags, scores, offsets))
        return found


def model() -> Model:
    return Model(Path("toy"), toy.table(), cast(Any, ToyTagger()), global_model(), "toy model")
