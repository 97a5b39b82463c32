"""Search with a tag beam that is widened where the kept tags allow no parse, or no proof over all tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

from starccg.search.types import SearchResult, TaggedSentence

LONG, LONG_WIDER = 100, 0.1
"""The factor that is tried first for sentences of more words than this: ``WIDER`` takes them several times as long."""
WIDER = 0.01
"""The factor for the tag beam if the kept tags allow no derivation."""
ALL_TAGS = 0.0

Search = Callable[[Sequence[TaggedSentence]], list[SearchResult]]
TagAgain = Callable[[Sequence[int], float], list[TaggedSentence]]
"""The tags of the sentences with these numbers that another tag beam keeps."""


def search_widening(
    tagged: Sequence[TaggedSentence], search: Search, tag_again: TagAgain, *, over_all_tags: bool
) -> list[SearchResult]:
    """Search, and search again with more tags the sentences that have no derivation.

    ``over_all_tags``: also search with all tags the sentences that still have none, and those whose parse is not proved
    best over all tags. Such a search takes little longer: it never explores a tag that the proof does not need.
    """

    found = search(tagged)

    def search_again(numbers: Sequence[int], factor: float) -> None:
        """Search the sentences of these numbers with a wider tag beam, and keep what is better than before."""
        by_tag_beam: dict[float, list[int]] = {}
        for number in numbers:
            by_tag_beam.setdefault(tagged[number].tag_beam * factor, []).append(number)
        for tag_beam, chosen in by_tag_beam.items():
            again = [replace(sentence, widened=True) for sentence in tag_again(chosen, tag_beam)]
            for number, result in zip(chosen, search(again), strict=True):
                is_first_parse = bool(result.parses) and _is_lost(found[number])
                if result.certificate.optimal or _is_lost(result) or is_first_parse:
                    found[number] = result

    for factor, shortest in ((LONG_WIDER, LONG + 1), (WIDER, 0)):
        lost = [n for n, result in enumerate(found) if _is_lost(result) and tagged[n].words >= shortest]
        search_again(lost, factor)
    if over_all_tags:
        unsure = [n for n, result in enumerate(found) if _is_lost(result) or _needs_more_tags(result)]
        search_again(unsure, ALL_TAGS)
    return found


def _is_lost(result: SearchResult) -> bool:
    """Whether it is proved that the kept tags allow no derivation."""
    return result.certificate.upper_bound == -inf


def _needs_more_tags(result: SearchResult) -> bool:
    return result.certificate.optimal and not result.certificate.over_all_tags
