"""From what the native core gives back to Python's own types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property, partial
from typing import Any

from starccg.search.native import core as _core
from starccg.search.options import Decoder
from starccg.search.types import Certificate, Event, EventKind, Node, Parse, SearchResult, Stop, TaggedSentence, Trace

_NODE = partial(tuple.__new__, Node)  # Node._make without a call of Python for each
_DECODERS = {_core.Decoder[decoder.name]: decoder for decoder in Decoder}
_STOPS = {_core.Stop[stop.name]: stop for stop in Stop}
_KINDS = {_core.EventKind[kind.name]: kind for kind in EventKind}
_TRACE_FIELDS = tuple(field.name for field in fields(Trace))
_EVENT_FIELDS = tuple(field.name for field in fields(Event))


class NativeResult(SearchResult):
    """A result of the native core, converted when it is read: often only the score of the best parse is."""

    def __init__(self, found: _core.Result, sentence: TaggedSentence) -> None:
        self._found, self._sentence, self.pruned_bound = found, sentence, found.pruned_bound

    @cached_property
    def parses(self) -> tuple[Parse, ...]:  # type: ignore[override]
        """Best first."""
        found = enumerate(self._found.found)
        return tuple(Parse(nodes_of(self._found.nodes(rank)), self._certify(parse)) for rank, parse in found)

    @cached_property
    def certificate(self) -> Certificate:  # type: ignore[override]
        """Of the best parse; without any, of the search."""
        return self._certify(self._found)

    def _certify(self, proof: _core.Found | _core.Result) -> Certificate:
        found, sentence = self._found, self._sentence
        score, upper_bound = proof.score, proof.upper_bound
        return Certificate(
            optimal=proof.optimal,
            score=score,
            upper_bound=upper_bound,
            gap=0.0 if score == upper_bound else upper_bound - score,
            explored=found.explored,
            agenda=found.agenda,
            recursive_units=found.recursive_units,
            decoder=_DECODERS[found.decoder],
            seconds=found.seconds,
            stopped=_STOPS[found.stopped],
            beam=None if sentence.pruned is None else sentence.tag_beam,
            widened=sentence.widened,
            over_all_tags=proof.optimal and score >= self.pruned_bound,
        )


def nodes_of(rows: Sequence[tuple[Any, ...]]) -> tuple[Node, ...]:
    """Nodes with names from the core's tuples."""
    return tuple(map(_NODE, rows))


def event_of(event: _core.Event) -> Event:
    """An event of a recorded search."""
    return Event(**{name: getattr(event, name) for name in _EVENT_FIELDS} | {"kind": _KINDS[event.kind]})


def trace_of(trace: _core.Trace) -> Trace:
    """The trace of a gold-guided search."""
    values = {name: getattr(trace, name) for name in _TRACE_FIELDS}
    return Trace(**values | {"violations": tuple(trace.violations), "stopped": _STOPS[trace.stopped]})
