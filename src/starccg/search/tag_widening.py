"""Search with a tag beam that is widened where the kept tags allow no parse, or no proof over all tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

    def wider(numbers: Sequence[int], factor: float) -> Iterator[tuple[int, SearchResult]]:
        """Search the sentences of these numbers again."""
        by_tag_beam: dict[float, list[int]] = {}
        for number in numbers:
            by_tag_beam.setdefault(tagged[number].tag_beam * factor, []).append(number)
        for tag_beam, chosen in by_tag_beam.items():
            again = [replace(sentence, widened=True) for sentence in tag_again(chosen, tag_beam)]
            yield from zip(chosen, search(again), strict=True)

    found = search(tagged)
    for factor, shortest in ((LONG_WIDER, LONG + 1), (WIDER, 0)):
        lost = [n for n, result in enumerate(found) if _is_lost(result) and tagged[n].words >= shortest]
        for number, result in wider(lost, factor):
            if result.parses or _is_lost(result):
                found[number] = result
    if over_all_tags:
        unsure = [n for n, result in enumerate(found) if _is_lost(result) or _needs_more_tags(result)]
        for number, result in wider(unsure, ALL_TAGS):
            if result.certificate.optimal or _is_lost(result):
                found[number] = result
    return found


def _is_lost(result: SearchResult) -> bool:
    """Whether it is proved that the kept tags allow no derivation."""
    return result.certificate.upper_bound == -inf


def _needs_more_tags(result: SearchResult) -> bool:
    return result.certificate.optimal and not result.certificate.over_all_tags
