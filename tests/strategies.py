"""Random grammars, sentences and weights, in one place for all tests.

Every test says with ``@examples(n)`` how many random cases it tries. ``STARCCG_HYPOTHESIS=quick``, which ``make check``
sets, makes it a tenth as many, and ``STARCCG_HYPOTHESIS=thorough`` twenty times as many.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from starccg.ccg.category import Atom, Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.licensing import annotate
from starccg.ccg.rules import Rule
from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule
from starccg.search.types import TaggedSentence, TreeLstmWeights

EFFORT = {"quick": 0.1, "thorough": 20.0}.get(os.environ.get("STARCCG_HYPOTHESIS", ""), 1.0)


def examples(number: int) -> Callable[[Any], Any]:
    """The number of random cases, of which a quick or a thorough run tries fewer or more."""
    return cast(
        "Callable[[Any], Any]",
        settings(
            max_examples=max(1, round(number * EFFORT)),
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


# --- searches: rule tables, tagged sentences, Tree-LSTM weights ---

RULE_TYPES = len(Rule)
_BINARY = tuple(map(int, (Rule.FORWARD_APPLICATION, Rule.BACKWARD_APPLICATION, Rule.FORWARD_COMPOSITION)))
_UNARY = tuple(map(int, (Rule.FORWARD_TYPE_RAISING, Rule.BACKWARD_TYPE_RAISING, Rule.TYPE_CHANGE)))
_ALL = (1 << RULE_TYPES) - 1
_BUILT = st.sampled_from((int(Rule.LEXICON), *_BINARY, *_UNARY))
_FORBIDDEN = st.lists(st.tuples(_BUILT, _BUILT, st.sampled_from(_BINARY)), max_size=6)
_UNARY_FORBIDDEN = st.lists(st.tuples(_BUILT, st.sampled_from(_UNARY)), max_size=4)
_ROOT_SCORES = st.sampled_from([0.0, 0.0, -1e-9, -0.25, -0.5, -3.0]) | st.floats(-8.0, 0.0)
_START_ONLY = st.lists(st.sampled_from(_BINARY + _UNARY), max_size=1)


@functools.cache
def _binary_rules(number: int) -> st.SearchStrategy[list[BinaryRule]]:
    """One draw a rule: made once for each number of categories, since hypothesis takes its time to make them."""
    triples = itertools.product(range(number), range(number), range(number), _BINARY, (0, 1))
    rules = st.sampled_from([BinaryRule(*each) for each in triples])
    return st.lists(rules, min_size=2, max_size=10, unique_by=lambda rule: rule[:4])


@functools.cache
def _unary_rules(number: int) -> st.SearchStrategy[list[UnaryRule]]:
    pairs = itertools.product(range(number), range(number), _UNARY)
    return st.lists(st.sampled_from([UnaryRule(*each) for each in pairs]), max_size=4, unique=True)


@functools.cache
def _some(number: int, most: int) -> st.SearchStrategy[list[int]]:
    """A subset of the numbers below ``count``."""
    return st.lists(st.integers(0, number - 1), min_size=1, max_size=most, unique=True)


@st.composite
def rule_tables(draw: st.DrawFn, most_categories: int = 4) -> RuleTable:
    """Small grammars without sense: several results for a pair, holes in the normal form, chains.

    Every one licenses finitely many derivations: where chains have no bound, no unary rule leads back.
    """
    number = draw(st.integers(2, most_categories))
    binary = draw(_binary_rules(number))
    if draw(st.integers(0, 3)) and not any(rule[:3] == (0, 0, 0) for rule in binary):
        binary.append(BinaryRule(0, 0, 0, _BINARY[0], 0))  # most grammars should have something to say
    unary = draw(_unary_rules(number))
    chain = draw(st.integers(0, 3))
    if chain == 0:
        unary = [rule for rule in unary if rule.child < rule.result]
    allowed = [[_ALL] * RULE_TYPES for _ in range(RULE_TYPES)]
    for left, right, rule in draw(_FORBIDDEN):
        allowed[left][right] &= ~(1 << rule)
    unary_allowed = [_ALL] * RULE_TYPES
    for child, rule in draw(_UNARY_FORBIDDEN):
        unary_allowed[child] &= ~(1 << rule)
    roots = tuple(draw(_some(number, number)))
    start_only = 0
    for rule in draw(_START_ONLY):
        start_only |= 1 << rule
    return RuleTable(
        categories=cast("tuple[Category, ...]", tuple(f"C{index}" for index in range(number))),
        lexical=draw(st.integers(1, number)),
        binary=tuple(binary),
        unary=tuple(unary),
        roots=roots,
        allowed=tuple(map(tuple, allowed)),
        unary_allowed=tuple(unary_allowed),
        start_only=start_only,
        max_unary_chain=chain,
        unary_at_root=draw(st.booleans()),
        root_scores=tuple(draw(_ROOT_SCORES) for _ in roots) if draw(st.booleans()) else (),
    )


_LOG_PROBABILITIES = st.one_of(
    st.sampled_from([0.0, -0.25, -0.5, -1.0]),  # ties, on which the order among equals depends
    st.floats(-6.0, 0.0, width=32),
    st.sampled_from([-1.5, -3.0, -4.5, -15.1875, -40.0]),  # floors of the grammar's bound, and below the last
)


@st.composite
def tagged_sentences(
    draw: st.DrawFn, table: RuleTable, most_words: int = 4, least_words: int = 1, cells: int | None = None
) -> TaggedSentence:
    """Sentences tagged with lexical categories of a table, in any order; with leaf states if ``cells`` is given."""
    tags: list[int] = []
    scores: list[float] = []
    offsets = [0]
    words = draw(st.integers(least_words, most_words))
    for _ in range(words):
        own = draw(_some(table.lexical, 3))
        tags += own
        scores += [draw(_LOG_PROBABILITIES) for _ in own]
        if len(own) > 1 and draw(st.integers(0, 9)) == 9:
            scores[-1] = -np.inf  # a tag that cannot be
        offsets.append(len(tags))
    states = None
    if cells is not None:
        random = np.random.default_rng(draw(st.integers(0, 2**31)))
        states = random.uniform(-1, 1, (words, 4, cells)).astype(np.float32)
    return TaggedSentence(np.array(tags, np.int32), np.array(scores, np.float32), np.array(offsets, np.int32), states)


@st.composite
def tree_lstm_weights(draw: st.DrawFn, categories: int, most_cells: int = 5) -> TreeLstmWeights:
    """Weights from none at all (every score the same: ties) to wild (saturated gates)."""
    cells, embedding = draw(st.integers(1, most_cells)), draw(st.integers(1, 4))
    scale = draw(st.sampled_from([0.0, 0.1, 1.0, 5.0]))
    random = np.random.default_rng(draw(st.integers(0, 2**31)))

    def uniform(*shape: int) -> Any:
        return random.uniform(-scale, scale, shape).astype(np.float32)

    return TreeLstmWeights(
        input_gate=uniform(RULE_TYPES, cells, 4 * cells + embedding),
        forget_gate=uniform(RULE_TYPES, cells, 4 * cells + embedding),
        output_gate=uniform(RULE_TYPES, cells, 3 * cells + embedding),
        candidate=uniform(RULE_TYPES, cells, 2 * cells + embedding),
        biases=uniform(RULE_TYPES, 4, cells),
        categories=uniform(categories, embedding),
        unary_left=uniform(2, cells),
        output=uniform(cells),
        output_reads_new_cell=draw(st.booleans()),
    )


# --- language: categories and derivations ---

_NAMES = st.sampled_from(["S", "N", "NP", "PP", "conj", ",", ".", "LRB"])
_FEATURES = st.sampled_from([None, None, "dcl", "b", "X", "nb", "num"])


def atoms() -> st.SearchStrategy[Category]:
    """Atoms with and without features, punctuation among them."""
    return st.builds(Atom.of, _NAMES, _FEATURES)


def categories(leaves: int = 8) -> st.SearchStrategy[Category]:
    """Categories of any shape."""
    return st.recursive(
        atoms(), lambda inner: st.builds(Functor.of, inner, st.sampled_from(["/", "\\"]), inner), max_leaves=leaves
    )


def words() -> st.SearchStrategy[str]:
    """Words of treebanks: any text without spaces; brackets and angle brackets are allowed."""
    return st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=8)


def derivations(leaves: int = 8) -> st.SearchStrategy[Derivation]:
    """Trees that no grammar need license."""
    leaf = st.builds(Leaf, categories(4), words(), st.sampled_from(["X", "NN"]), st.sampled_from(["X", "NNS"]))
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds(Unary, categories(4), inner),
            st.builds(Binary, categories(4), inner, inner, st.none(), st.sampled_from([0, 1])),
        ),
        max_leaves=leaves,
    )


@st.composite
def sentences(draw: st.DrawFn, *, annotated: bool | None = None) -> Sentence:
    """Sentences as treebanks hold them; their nodes have rules if ``annotated``, or by chance if it is not said."""
    derivation = draw(derivations(5))
    keys = words().filter(lambda key: "=" not in key and key != "ID")
    fields = draw(st.lists(st.tuples(keys, words()), max_size=3))
    named = annotate(derivation) if (draw(st.booleans()) if annotated is None else annotated) else derivation
    return Sentence(draw(words()), named, tuple(fields), draw(st.booleans()))


def any_text(most: int = 8) -> st.SearchStrategy[str]:
    """Text that could break files: spaces, controls, brackets, quotes, characters beyond U+FFFF."""
    characters = st.characters(exclude_categories=["Cs"])
    return st.text(characters, max_size=most) | st.text(
        st.sampled_from("()<>[]{}&;'\"\\/#~ \t\n\r\0\x1f\x85\u2028é𝄞L"), max_size=most
    )
