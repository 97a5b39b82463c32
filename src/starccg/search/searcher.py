"""All that is needed to search with a model, in one class. ``docs/search.md`` says precisely what a search does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from starccg.ccg.derivation import Derivation
from starccg.ccg.table import RuleTable
from starccg.search.derivations import build_derivation
from starccg.search.native import core as _core
from starccg.search.native import native_model, native_table
from starccg.search.options import Bound, Limits, Options
from starccg.search.results import NativeResult, event_of, nodes_of, trace_of
from starccg.search.types import Floats2d, Node, Recording, SearchResult, TaggedSentence, Trace, TreeLstmWeights

_DEFAULT_OPTIONS = Options()

Cancellation = _core.Cancellation
"""Ends searches from another thread, at once or at a deadline."""


class Searcher:
    """A rule table and, where there is one, the recursive unit of a global model, as the native core holds them.

    A searcher never changes, so threads may share it. Decoders that need a global model raise ``ValueError`` without
    one; the others ignore it.
    """

    __slots__ = ("_model", "_table", "table")

    def __init__(self, table: RuleTable, weights: TreeLstmWeights | None = None) -> None:
        self.table = table
        self._table = native_table(table)
        self._model = None if weights is None else native_model(weights)

    def with_weights(self, weights: TreeLstmWeights) -> Searcher:
        """A searcher with the same rule table, which is not converted again, and other weights."""
        other = Searcher.__new__(Searcher)
        other.table, other._table, other._model = self.table, self._table, native_model(weights)
        return other

    @property
    def has_model(self) -> bool:
        """Whether there is a global model."""
        return self._model is not None

    def search(self, sentence: TaggedSentence, options: Options = _DEFAULT_OPTIONS) -> SearchResult:
        """Search one sentence."""
        return self.search_batch((sentence,), options)[0]

    def search_batch(
        self,
        sentences: Sequence[TaggedSentence],
        options: Options = _DEFAULT_OPTIONS,
        *,
        threads: int = 1,
        cancellation: Cancellation | None = None,
    ) -> list[SearchResult]:
        """Search many sentences on ``threads`` threads. The results are in order and do not depend on ``threads``.

        ``cancellation`` ends all of these searches early. A search that it cancels has the stop reason ``interrupted``,
        and of an n-best list the parses found by then, else none; one that meets its deadline stops for lack of time
        (``seconds``), and so does its back-off.
        """
        return self._search(sentences, _native_options(options), threads, cancellation)

    def search_counting_checks(self, sentence: TaggedSentence, options: Options = _DEFAULT_OPTIONS) -> SearchResult:
        """Search one sentence with a clock for tests: ``limits.seconds`` is the number of check points to pass.

        A search compares the time with its limit at its check points: before each pop, and before each span of the
        bound's chart. Here every one of them counts as a second, so that a test can stop a search at each in turn.
        """
        native = _native_options(options)
        native.counts_checks = True
        return self._search((sentence,), native, 1, None)[0]

    def _search(
        self,
        sentences: Sequence[TaggedSentence],
        options: _core.Options,
        threads: int,
        cancellation: Cancellation | None,
    ) -> list[SearchResult]:
        found = _core.search_batch(self._table, self._model, options, sentences, threads, cancellation)
        return list(map(NativeResult, found, sentences))

    def search_gold_batch(
        self,
        sentences: Sequence[TaggedSentence],
        golds: Sequence[Sequence[Node]],
        options: Options = _DEFAULT_OPTIONS,
        *,
        ties: bool = False,
        threads: int = 1,
    ) -> list[Trace]:
        """Algorithm 1: search, and record where the gold derivation falls behind, on ``threads`` threads.

        A violation is a head of the agenda that is better than the best gold item on it, as in the paper. With ``ties``
        every head that is not gold is a violation even if it is no better (its value is then 0, its coefficients are
        not), so that no violation means that only gold items were explored. The order of the search is the same.
        """
        native = _native_options(options)
        native.ties = ties
        traces = _core.search_gold_batch(self._table, self._require_model(), native, sentences, golds, threads)
        return list(map(trace_of, traces))

    def score_derivation(
        self, sentence: TaggedSentence, nodes: Sequence[Node], options: Options = _DEFAULT_OPTIONS
    ) -> tuple[float, tuple[Node, ...]]:
        """The score of a given derivation under ``options``, and its nodes with their own scores filled in."""
        native = _native_options(options)
        score, scored = _core.score_derivation(self._table, self._model, native, sentence, nodes)
        return score, nodes_of(scored)

    def record(
        self,
        sentence: TaggedSentence,
        options: Options = _DEFAULT_OPTIONS,
        *,
        cancellation: Cancellation | None = None,
    ) -> Recording:
        """Search one sentence and keep every push and pop. This needs memory: use it to study a search."""
        native = _native_options(options)
        found, events = _core.record(self._table, self._model, native, sentence, cancellation)
        return Recording(NativeResult(found, sentence), tuple(map(event_of, events)))

    def derivation(
        self,
        nodes: Sequence[Node],
        words: Sequence[str],
        pos: Sequence[str] | None = None,
        lemmas: Sequence[str] | None = None,
    ) -> Derivation:
        """The derivation, in categories and words, of nodes that a search found."""
        return build_derivation(nodes, self.table, words, pos, lemmas)

    def unit(self, rule: int, category: int, left: Floats2d | None, right: Floats2d) -> tuple[Floats2d, float]:
        """One recursive unit: cell and hidden state (2, d) of each child in, those of the node and its score out.

        Without a left state the node is unary and the learned state takes its place. The score is a multiple of 2^-20.
        """
        return self._require_model().unit(rule, category, left, right)

    def _require_model(self) -> _core.Model:
        if self._model is None:
            raise ValueError("this needs a global model, and the searcher has none")
        return self._model


_OTHER_TYPE = ("decoder", "bound", "limits")
_SAME_TYPE = tuple(field.name for field in fields(Options) if field.name not in _OTHER_TYPE)


def _native_options(given: Options) -> _core.Options:
    options, native = given.resolved(), _core.Options()
    for name in _SAME_TYPE:
        setattr(native, name, getattr(options, name))
    native.decoder = _core.Decoder[options.decoder.name]
    native.grammar_bound = options.bound is Bound.GRAMMAR
    for field in fields(Limits):
        setattr(native.limits, field.name, getattr(options.limits, field.name))
    return native
