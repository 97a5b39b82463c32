"""What goes into a search and what comes out: the words shared by the native core and the plain reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple, overload

import numpy as np
import numpy.typing as npt

Ints1d = npt.NDArray[np.int32]
Floats1d = npt.NDArray[np.float32]
Floats2d = npt.NDArray[np.float32]
Floats3d = npt.NDArray[np.float32]


class Decoder(StrEnum):
    """The policies of the one agenda loop, and the beam search of the paper's Table 5."""

    SUPERTAG = "supertag"
    """Supertag-factored, with dynamic programming."""
    SUPERTAG_FOREST = "supertag-forest"
    """Supertag-factored, over the forest of all subtrees (no dynamic programming)."""
    SPAN = "span"
    """Span-factored, with dynamic programming."""
    SPAN_FOREST = "span-forest"
    """Span-factored, without."""
    GLOBAL = "global"
    """The paper's parser: the global model over the forest."""
    BEAM = "beam"
    """Bottom-up, the ``beam`` best subtrees of each span, scored by the global model. Not exact."""
    RERANK = "rerank"
    """The ``nbest`` of the supertag-factored parser, reordered by the global model. Not exact."""


class Bound(StrEnum):
    """What the heuristic lets the words outside a span add to a parse."""

    TAGS = "tags"
    """Their best tags, as in the paper."""
    GRAMMAR = "grammar"
    """The best that any parse by the grammar can make of them around this category, by local scores alone. Costs a
    chart of categories, as deep as the search goes; what fits into no parse is never explored. For sentences of at most
    100 words."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search stops and the back-off begins. The defaults are the paper's."""

    forest: int = 500_000
    agenda: int = 2_000_000
    recursive_units: int = 200_000
    words: int = 250
    seconds: float = float("inf")


UNARY_COST, DISTANCE_COST = 0.1, 1e-5
"""What the supertag-factored parser of Lewis et al. 2016 pays for a unary rule, and per word between two heads: without
them whole families of its parses tie."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to search."""

    decoder: Decoder = Decoder.GLOBAL
    heuristic: bool = True
    """The admissible bound of section 4; without it the search is best-first (h = 0)."""
    bound: Bound = Bound.TAGS
    lazy: bool = True
    """Run the recursive unit only for items that reach the head of the agenda."""
    nbest: int = 1
    beam: int = 8
    unary_cost: float = 0.0
    """Subtracted for each unary rule."""
    distance_cost: float = 0.0
    """Subtracted per word between the heads of a binary node's children: decides among attachments that tie."""
    limits: Limits = field(default_factory=Limits)
    backoff: bool = True
    backoff_unary_cost: float = UNARY_COST
    """The two costs of the supertag-factored parser where it is the back-off. They choose its parse; the score that is
    reported, and the gap, are those of the model and the costs that were asked for."""
    backoff_distance_cost: float = DISTANCE_COST
    record: bool = False


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """A sentence as the search sees it: for each word its kept tags, best first, and its leaf states.

    Word ``i`` has the tags ``tags[offsets[i]:offsets[i + 1]]`` with log-probabilities of the same positions. ``states``
    holds, per word, the cell and hidden state of the forward LSTM and of the backward LSTM: shape (words, 4, cells).
    """

    tags: Ints1d
    log_probabilities: Floats1d
    offsets: Ints1d
    states: Floats3d | None = None

    @property
    def words(self) -> int:
        """How many words the sentence has."""
        return len(self.offsets) - 1


@dataclass(frozen=True, slots=True)
class TreeLstmWeights:
    """The recursive unit of section 3 for ``T`` rule types, ``C`` categories, ``d`` cells, ``e`` embedding dimensions.

    The columns of each gate follow the paper: ``[c_l, h_l, c_r, h_r, x]`` for the input and forget gates,
    ``[c~, h_l, h_r, x]`` for the output gate, ``[h_l, h_r, x]`` for the candidate cell.
    """

    input_gate: Floats3d  # (T, d, 4d + e)
    forget_gate: Floats3d  # (T, d, 4d + e)
    output_gate: Floats3d  # (T, d, 3d + e)
    candidate: Floats3d  # (T, d, 2d + e)
    biases: Floats3d  # (T, 4, d): input, forget, output, candidate
    categories: Floats2d  # (C, e)
    unary_left: Floats2d  # (2, d): learned cell and hidden state to the left of a unary node's child
    output: Floats1d  # (d,): W of s_global = log sigmoid(W . h)
    output_reads_new_cell: bool = False
    """The authors' code lets the output gate read the new cell where the paper's equations say the candidate."""


class Node(NamedTuple):
    """One node of a found derivation; children come before parents, ``left``/``right`` are positions in the list."""

    rule: int
    category: int
    start: int
    end: int
    left: int = -1
    """The left child, or the only one; -1 for a leaf."""
    right: int = -1
    local_score: float = 0.0
    global_score: float = 0.0


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is proved about an answer, and what it cost."""

    optimal: bool
    score: float
    upper_bound: float
    gap: float
    explored: int
    """Nodes in the forest or chart; for a backed-off sentence those of both searches."""
    agenda: int
    """Items pushed."""
    recursive_units: int
    decoder: Decoder
    """The decoder that gave the answer: the one asked for, or after a back-off ``supertag`` (``beam`` where a very long
    sentence was too much for that one too)."""
    seconds: float
    stopped: Literal["", "forest", "agenda", "recursive_units", "words", "seconds", "exhausted", "interrupted"] = ""
    """Why the search that was asked for ended without a proof; empty when it did not."""


class Parse:
    """One derivation of a sentence, root last, with its certificate.

    The nodes may be given as a function, called when they are first asked for: of many parses only the score is
    ever looked at.
    """

    __slots__ = ("_nodes", "_read", "certificate")

    def __init__(self, nodes: tuple[Node, ...] | Callable[[], tuple[Node, ...]], certificate: Certificate) -> None:
        self._nodes = None if callable(nodes) else nodes
        self._read = nodes if callable(nodes) else None
        self.certificate = certificate

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Children before parents, the root last."""
        if self._nodes is None:
            assert self._read is not None
            self._nodes = self._read()
        return self._nodes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parse) and self.nodes == other.nodes and self.certificate == other.certificate

    def __hash__(self) -> int:
        return hash((self.nodes, self.certificate))

    def __repr__(self) -> str:
        return f"Parse(nodes={self.nodes!r}, certificate={self.certificate!r})"

    def __reduce__(self) -> tuple[type[Parse], tuple[tuple[Node, ...], Certificate]]:
        return Parse, (self.nodes, self.certificate)


class Parses(Sequence[Parse]):
    """A list of parses, each made when first looked at: what ``Outcome.parses`` is after a native search."""

    __slots__ = ("_count", "_made", "_make")

    def __init__(self, count: int, make: Callable[[int], Parse]) -> None:
        self._count, self._make = count, make
        self._made: dict[int, Parse] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Parse: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Parse, ...]: ...
    def __getitem__(self, index: int | slice) -> Parse | tuple[Parse, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(self._count)[index])
        at = range(self._count)[index]
        if at not in self._made:
            self._made[at] = self._make(at)
        return self._made[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parses | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Parse, ...]], tuple[tuple[Parse, ...]]]:
        return tuple, (tuple(self),)


class Outcome:
    """All that a search says of a sentence: its parses, best first. None of them: ``certificate`` says why.

    The native search gives a function instead, called when either is first asked for.
    """

    __slots__ = ("_certificate", "_parses")

    def __init__(
        self,
        parses: Sequence[Parse] | Callable[[], tuple[Sequence[Parse], Certificate]],
        certificate: Certificate | None = None,
    ) -> None:
        self._parses, self._certificate = parses, certificate

    def _read(self) -> tuple[Sequence[Parse], Certificate]:
        if self._certificate is None:
            assert callable(self._parses), "an Outcome needs a certificate"
            self._parses, self._certificate = self._parses()
        assert not callable(self._parses)
        return self._parses, self._certificate

    @property
    def parses(self) -> Sequence[Parse]:
        """Best first."""
        return self._read()[0]

    @property
    def certificate(self) -> Certificate:
        """Of the best parse; without any, of the search."""
        return self._read()[1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcome):
            return NotImplemented
        return tuple(self.parses) == tuple(other.parses) and self.certificate == other.certificate

    def __hash__(self) -> int:
        return hash((tuple(self.parses), self.certificate))

    def __repr__(self) -> str:
        return f"Outcome(parses={self.parses!r}, certificate={self.certificate!r})"

    def __reduce__(self) -> tuple[type[Outcome], tuple[Sequence[Parse], Certificate]]:
        return Outcome, (self.parses, self.certificate)


@dataclass(frozen=True, slots=True)
class Trace:
    """What a gold-guided search (Algorithm 1) leaves to learn from.

    Each loss is ``sum of coefficient * s_global`` over ``nodes``, plus a constant of the local scores. Held are the
    nodes whose coefficient is not zero in some loss, and all that they are built from, children before parents.
    """

    rules: Ints1d
    categories: Ints1d
    lefts: Ints1d
    """Position of the left child, or of the only one; -1 for a leaf."""
    rights: Ints1d
    starts: Ints1d
    ends: Ints1d
    """A leaf is the word ``starts[i]``."""
    greedy: Ints1d
    """Coefficients of the first violation."""
    max: Ints1d
    """Coefficients of the largest violation, the first among equals."""
    all: Ints1d
    """Coefficients of the sum of all violations."""
    violations: tuple[float, ...]
    """Values in the order they were seen: above zero, or with ``ties`` zero too."""
    gold_found: bool
    stopped: Literal["gold", "lost", "margin", "forest", "agenda", "recursive_units", "words", "seconds", "exhausted"]
    """Why the search ended: the gold parse was popped; no gold item was left on the agenda; the head fell ln(1000)
    below a complete parse; or a limit."""
    explored: int
    agenda: int
    recursive_units: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a recorded search. Items are numbered in the order of their first push."""

    kind: Literal["push", "rescored", "pop", "goal"]
    """``rescored``: a lazily scored item ran its recursive unit and went back on the agenda. ``goal``: a complete parse
    that had gone back with its root score was popped again and accepted; ``inside`` and ``local_score`` hold it."""
    item: int
    rule: int
    category: int
    start: int
    end: int
    left: int
    """The item that is the left or only child; -1 for a leaf."""
    right: int
    inside: float
    outside: float
    local_score: float
    """Of the item's own hyperedge."""
    global_score: float
    """Of the item's own hyperedge; zero while it is unscored."""


@dataclass(frozen=True, slots=True)
class Recording:
    """An outcome with every push and pop that led to it (those of the search asked for, not of a back-off)."""

    outcome: Outcome
    events: tuple[Event, ...]
