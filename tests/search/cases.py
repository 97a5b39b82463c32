"""Whole random searches: a grammar, a sentence, a model, costs, and all derivations there are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from starccg.ccg.table import RuleTable
from starccg.search.options import Bound, Decoder, Options
from starccg.search.searcher import Searcher
from starccg.search.types import Parse, SearchResult, TaggedSentence, TreeLstmWeights
from tests import strategies
from tests.search import oracle
from tests.search.reference.agenda_loop import AgendaLoop

EXACT = (Decoder.SUPERTAG, Decoder.SUPERTAG_FOREST, Decoder.SPAN, Decoder.SPAN_FOREST, Decoder.GLOBAL)
FOREST = (Decoder.SUPERTAG_FOREST, Decoder.SPAN_FOREST, Decoder.GLOBAL)
SCORED = (Decoder.SPAN, Decoder.SPAN_FOREST, Decoder.GLOBAL)


@dataclass(frozen=True, repr=False)
class Case:
    """One random search. The recursive unit is the native one, so that scores can be compared for equality."""

    table: RuleTable
    sentence: TaggedSentence
    weights: TreeLstmWeights
    options: Options
    trees: list[oracle.Tree]
    """All derivations."""

    def __repr__(self) -> str:
        return f"Case({self.table}, {self.sentence}, {self.options})"  # the weights would fill a screen

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    @cached_property
    def searcher(self) -> Searcher:
        return Searcher(self.table, self.weights)

    def with_options(self, **changes: Any) -> Case:
        return replace(self, options=replace(self.options, **changes))

    def scorer(self, decoder: Decoder | None = None) -> oracle.Scorer:
        return oracle.Scorer(decoder or self.options.decoder, self.sentence, self.searcher.unit)

    def best_scores(self) -> list[int]:
        """The scores of all derivations, best first."""
        score = self.scorer()
        return sorted((score(tree) for tree in self.trees), reverse=True)

    def root_score(self, parse: Parse) -> float:
        """What having such a root adds to the score."""
        scores = dict(zip(self.table.roots, self.table.root_scores or [0.0] * len(self.table.roots), strict=True))
        return scores[parse.nodes[-1].category]

    def search(self, **changes: Any) -> SearchResult:
        return self.searcher.search(self.sentence, replace(self.options, **changes))

    def reference(self, *, whole_bound: bool = False) -> AgendaLoop:
        return AgendaLoop(self.table, self.sentence, self.options, self.searcher, whole_bound=whole_bound)

    def check(self, parse: Parse, decoder: Decoder | None = None) -> None:
        """A parse is one of the derivations there are, and every score on it is right."""
        tree = oracle.by_key(self.trees)[oracle.key_of(parse.nodes)]
        score = self.scorer(decoder)
        assert oracle.grid(parse.certificate.score) == score(tree)
        for node, subtree in zip(parse.nodes, _in_order(parse, tree), strict=True):
            assert oracle.grid(node.local_score) == subtree.local
            assert oracle.grid(node.global_score) == score.global_score(subtree)


def without_clock(result: SearchResult) -> SearchResult:
    """The same result, less the only thing that may differ from run to run."""
    parses = tuple(Parse(parse.nodes, replace(parse.certificate, seconds=0.0)) for parse in result.parses)
    return SearchResult(parses, replace(result.certificate, seconds=0.0))


def _in_order(parse: Parse, tree: oracle.Tree) -> list[oracle.Tree]:
    """The subtree that belongs to each node of a parse, whatever order its list has."""
    found: dict[int, oracle.Tree] = {len(parse.nodes) - 1: tree}
    for position in reversed(range(len(parse.nodes))):
        node = parse.nodes[position]
        children = [child for child in (node.left, node.right) if child >= 0]
        found.update(zip(children, found[position].children, strict=True))
    return [found[position] for position in range(len(parse.nodes))]


@st.composite
def cases(
    draw: st.DrawFn,
    /,
    decoders: tuple[Decoder, ...] = EXACT,
    *,
    most_words: int = 4,
    most: int = 400,
    parsed: bool = False,
    **options: Any,
) -> Case:
    """A random search with at most ``most`` subtrees; ``parsed``: with at least one parse."""
    table = draw(strategies.rule_tables())
    weights = draw(strategies.tree_lstm_weights(len(table.categories)))
    sentence = draw(strategies.tagged_sentences(table, most_words, cells=len(weights.output)))
    chosen: dict[str, Any] = {
        "decoder": draw(st.sampled_from(decoders)),
        "heuristic": draw(st.booleans()),
        "bound": draw(st.sampled_from(list(Bound))),
        "refine_after": draw(st.sampled_from([None, 0, 1, 3, 1000])),
        "lazy": draw(st.booleans()),
        "unary_cost": draw(st.sampled_from([0.0, 0.1, 0.5])),
        "distance_cost": draw(st.sampled_from([0.0, 1e-5, 0.3])),
        "backoff_beam": draw(st.booleans()),
        "backoff_unary_cost": draw(st.sampled_from([0.0, 0.1, 0.5])),
        "backoff_distance_cost": draw(st.sampled_from([0.0, 1e-5, 0.3])),
    }
    asked = Options(**(chosen | options))
    try:
        trees = oracle.derivations(table, sentence, asked, most)
    except oracle.TooMany:
        assume(False)
    assume(trees or not parsed)
    return Case(table, sentence, weights, asked, trees)
