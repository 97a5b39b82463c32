"""Sentences that are used once: no copy of another treebank's, and none that a dev set has, or nearly has.

A tagger that saw the sentences of a dev set would look better than it is. Two sentences are near-duplicates if their
pairs of neighbouring words, the edges of the sentence among them, agree to a share of at least :data:`SHARE` (the size
of the intersection over that of the union). Case, digits and marks do not count. So short sentences must be equal,
longer ones may differ in a word. A sentence of another treebank is left out only if it has the very same words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil

from starccg.ccg.derivation import Sentence

SHORTEST = 4
"""Shorter sentences are no copies: everybody says *Thank you .*"""
SHARE = 0.75

_DIGIT = re.compile(r"\d")
Pair = tuple[str, str]


class NearDuplicates:
    """Finds sentences that are nearly one of a fixed set."""

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        self._pairs = [pairs for words in sentences if (pairs := word_pairs(words))]
        counts = Counter(pair for pairs in self._pairs for pair in pairs)
        self._index: dict[Pair, list[int]] = {}
        for number, own in enumerate(self._pairs):
            # A sentence that shares enough pairs shares one of the rarest: only those are looked up.
            rarest = sorted(own, key=lambda pair: (counts[pair], pair))
            for pair in rarest[: len(own) - ceil(SHARE * len(own)) + 1]:
                self._index.setdefault(pair, []).append(number)

    def __contains__(self, words: Sequence[str]) -> bool:
        pairs = word_pairs(words)
        candidates = (self._pairs[number] for number in {n for pair in pairs for n in self._index.get(pair, ())})
        return any(len(pairs & other) >= SHARE * len(pairs | other) for other in candidates)


def word_pairs(words: Sequence[str]) -> set[Pair]:
    """The pairs of neighbouring words, in lower case, digits as 0, without marks; none for a sentence of marks."""
    plain = [_DIGIT.sub("0", word.lower()) for word in words if any(map(str.isalnum, word))]
    return set(zip(["", *plain], [*plain, ""], strict=True)) if plain else set()


def without_copies(sentences: Iterable[Sentence], earlier: Iterable[Sentence]) -> list[Sentence]:
    """The sentences that none of ``earlier`` repeats. Repetitions among the sentences themselves are kept."""
    seen = {key for sentence in earlier if len(key := words_of(sentence)) >= SHORTEST}
    return [sentence for sentence in sentences if words_of(sentence) not in seen]


def words_of(sentence: Sentence) -> tuple[str, ...]:
    """The words by which two sentences are the same: in lower case, joined expressions split."""
    return tuple(" ".join(sentence.derivation.words).replace("~", " ").lower().split())
