"""Several parses of one sentence, for the formats that keep them together.

In other formats each parse is a separate sentence, named ``3.1``, ``3.2``, ... by its rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from starccg.ccg.derivation import Sentence
from starccg.formats.errors import WriteError


def parses_by_sentence(sentences: Iterable[Sentence]) -> Iterator[tuple[str, list[Sentence]]]:
    """The name of each sentence with its parses.

    Neighbours are parses of one sentence if they have the same words and are named ``NAME.1``, ``NAME.2`` and so on.
    Treebanks also number sentences that way, but do not repeat the same words.
    """
    group: list[Sentence] = []
    for sentence in sentences:
        if group and not _goes_on(group, sentence):
            yield _name(group), group
            group = []
        group.append(sentence)
    if group:
        yield _name(group), group


def names_of_parses(name: str, ranks: Sequence[str | int]) -> list[str]:
    """The names of the parses of a sentence when each is a separate sentence."""
    return [name] if list(map(str, ranks)) == ["1"] else [f"{name}.{rank}" for rank in ranks]


def outcome_of(parse: Sentence) -> dict[str, str]:
    """The header field ``OUTCOME`` as an attribute: the parser marks a back-off with it."""
    value = dict(parse.fields).get("OUTCOME")
    return {} if value is None else {"outcome": value}


def outcome_comments(parse: Sentence, sign: str) -> list[str]:
    """The outcome as a comment. A value with a line break would go on after the comment, for example as Prolog code."""
    values = list(outcome_of(parse).values())
    if any(value.split() != [value] for value in values):
        raise WriteError(parse.id, f"a comment cannot contain the spaces of the outcome {values[0]!r}")
    return [f"{sign} OUTCOME={value}" for value in values]


def _goes_on(group: list[Sentence], sentence: Sentence) -> bool:
    name, _, rank = sentence.id.rpartition(".")
    first = group[0]
    return (
        bool(name)
        and rank == str(len(group) + 1)
        and first.id == f"{name}.1"
        and first.derivation.words == sentence.derivation.words
    )


def _name(group: list[Sentence]) -> str:
    return group[0].id if len(group) == 1 else group[0].id.rpartition(".")[0]
