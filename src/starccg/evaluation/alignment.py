"""The prediction of each gold sentence: by ID, else by number, else by order; words must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from starccg.errors import StarccgError
from starccg.evaluation.analyses import Analysis


class AlignmentError(StarccgError):
    """Gold and predicted sentences that do not match."""


def align(
    gold: Sequence[Analysis], predicted: Sequence[Analysis], source: str = "the prediction"
) -> list[Analysis | None]:
    """A prediction for each gold sentence, None where there is none (a failed parse).

    By ID if every prediction has the ID of a gold sentence; else by number (1 is the first sentence) if every ID is a
    number; else by order if both have the same number of sentences.
    """
    if not predicted:
        return [None] * len(gold)
    _check_names(gold, "the gold file")
    _check_names(predicted, source)
    places = {analysis.id: place for place, analysis in enumerate(gold)}
    if all(analysis.id in places for analysis in predicted):
        found = {places[analysis.id]: analysis for analysis in predicted}
    elif all(_is_number(analysis.id, len(gold)) for analysis in predicted):
        found = {int(analysis.id) - 1: analysis for analysis in predicted}
    elif len(gold) == len(predicted):
        found = dict(enumerate(predicted))
    else:
        stray = next(analysis.id for analysis in predicted if analysis.id not in places)
        raise AlignmentError(
            f"{source} has {len(predicted)} sentences and the gold file {len(gold)}, and their IDs differ: sentence "
            f"{stray!r} is not in the gold file; give both the same IDs, or the same sentences in the same order"
        )
    for place, analysis in found.items():
        if not _failed(gold[place], analysis):
            _check_words(gold[place], analysis, source)
    return [None if _failed(truth, found.get(place)) else found[place] for place, truth in enumerate(gold)]


def _failed(gold: Analysis, predicted: Analysis | None) -> bool:
    """Whether it is a failed parse: a PARG block without dependencies is one, unless gold has none."""
    if predicted is None:
        return True
    empty = predicted.from_parg and not predicted.dependencies
    return empty and (bool(gold.dependencies) or len(gold.words) != len(predicted.words))


def _check_names(analyses: Sequence[Analysis], source: str) -> None:
    name, times = Counter(analysis.id for analysis in analyses).most_common(1)[0]
    if times > 1:
        raise AlignmentError(f"{source} has {times} sentences with the ID {name!r}; IDs must differ")


def _is_number(name: str, last: int) -> bool:
    return name.isascii() and name.isdecimal() and len(name) < 10 and 1 <= int(name) <= last


def _check_words(gold: Analysis, predicted: Analysis, source: str) -> None:
    if len(gold.words) != len(predicted.words):
        raise AlignmentError(
            f"sentence {gold.id!r} has {len(gold.words)} words in the gold file and {len(predicted.words)} in "
            f"{source}: dependencies can only be compared over the same words"
        )
    for index, (one, other) in enumerate(zip(gold.words, predicted.words, strict=True)):
        if one is not None and other is not None and _plain(one) != _plain(other):
            raise AlignmentError(
                f"sentence {gold.id!r}: word {index} (counting from 0) is {one!r} in the gold file "
                f"and {other!r} in {source}"
            )


def _plain(word: str) -> str:
    """PARG writes a space inside a word as ``~``."""
    return "~".join(word.split())
