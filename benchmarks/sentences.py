"""Made-up English sentences of any number, the same for the same seed, for benchmarks that need no treebank."""

from __future__ import annotations

import random
from collections.abc import Iterator

NOUNS = "dog cat woman teacher house river student letter car friend city book garden doctor train window"
ADJECTIVES = "old small red happy quiet new famous heavy"
VERBS = "saw found liked bought followed painted described remembered"
PREPOSITIONS = "in near with behind from"


def sentences(number: int, seed: int = 1, clauses: int = 1) -> Iterator[str]:
    """Sentences whose words are separated by spaces: about 8 words with one clause, 19 with two."""
    choose = random.Random(seed)

    def one_of(words: str) -> str:
        return choose.choice(words.split())

    def noun_phrase(depth: int = 0) -> str:
        words = [one_of("the a every this")]
        if choose.random() < 0.4:
            words.append(one_of(ADJECTIVES))
        words.append(one_of(NOUNS))
        if depth < 1 and choose.random() < 0.3:
            words += [one_of(PREPOSITIONS), noun_phrase(depth + 1)]
        return " ".join(words)

    for _ in range(number):
        parts = [f"{noun_phrase()} {one_of(VERBS)} {noun_phrase()}" for _ in range(clauses)]
        text = " , and ".join(parts)
        yield f"{text[0].upper()}{text[1:]} ."
