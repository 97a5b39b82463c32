"""The input and output types of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from starccg.search.options import Decoder

Ints1d = npt.NDArray[np.int32]
Floats1d = npt.NDArray[np.float32]
Floats2d = npt.NDArray[np.float32]
Floats3d = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """The search's input for a sentence: for each word its kept tags, best first, and its leaf states.

    Word ``i`` has the tags ``tags[offsets[i]:offsets[i + 1]]`` with log-probabilities of the same positions. ``states``
    holds, per word, the cell and hidden state of the forward LSTM and of the backward LSTM: shape (words, 4, cells).
    """

    tags: Ints1d
    log_probabilities: Floats1d
    offsets: Ints1d
    states: Floats3d | None = None
    tag_beam: float = 0.0
    """The tagger dropped tags with less than this share of the probability of the word's best tag; 0: none."""
    pruned: Floats1d | None = None
    """For each word the log-probability of the best dropped tag, minus infinity if none was dropped. With it a
    certificate says whether its proof holds over all tags. None if the tags did not come from a tagger."""
    widened: bool = False
    """Whether the tag beam is wider than the one asked for: see :attr:`Certificate.widened`."""

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


class Stop(StrEnum):
    """Why a search ended."""

    NONE = ""
    """It found what was asked for."""
    FOREST = "forest"
    AGENDA = "agenda"
    RECURSIVE_UNITS = "recursive_units"
    WORDS = "words"
    SECONDS = "seconds"
    EXHAUSTED = "exhausted"
    """Nothing is left on the agenda."""
    INTERRUPTED = "interrupted"
    GOLD = "gold"
    """Of a gold-guided search: the gold parse was popped."""
    LOST = "lost"
    """No gold item was left on the agenda."""
    MARGIN = "margin"
    """The head of the agenda fell ln(1000) below a complete parse."""


class EventKind(StrEnum):
    """What happened to an item in a recorded search."""

    PUSH = "push"
    RESCORED = "rescored"
    """A lazily scored item ran its recursive unit and went back on the agenda."""
    POP = "pop"
    GOAL = "goal"
    """A complete parse that went back with its root score was popped again and accepted; the event's ``inside`` and
    ``local_score`` hold it."""


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
    """What is proved about a parse, and what the search cost.

    The proof is exact for the scores that the search adds up: multiples of 2^-20, to which each tag's log-probability
    (float32), each cost and each global score (computed in float32, at least -2^20) is rounded.
    """

    optimal: bool
    """Whether no parse made of the kept tags scores higher (of an n-best list: than this one and those before it)."""
    score: float
    upper_bound: float
    """No parse made of the kept tags, except those before this one in the list, scores more than this."""
    gap: float
    """The upper bound less the score."""
    explored: int
    """Nodes in the forest or chart; for a backed-off sentence those of both searches."""
    agenda: int
    """Items pushed."""
    recursive_units: int
    decoder: Decoder
    """The decoder that gave the answer: the one asked for (also where a limit stopped it while a complete parse waited
    on its agenda), or after a back-off ``beam`` or ``supertag``."""
    seconds: float
    stopped: Stop = Stop.NONE
    """Why the search that was asked for ended without a proof; empty when it did not."""
    beam: float | None = None
    """The tag beam: the proof is over the tags that it kept. None if the tags did not come from a tagger.

    Of the model's own beam each word keeps at most ``MAX_TAGS``; a beam that is asked for, and a wider one, keep all.
    """
    widened: bool = False
    """Whether the tag beam is wider than the one asked for, which kept tags that allow no parse; with the beam
    ``"proved"`` also tags that allow no proof over all tags."""
    over_all_tags: bool = False
    """Whether the proof holds over all tags of the tagger: no parse with a tag outside the beam scores higher."""


@dataclass(frozen=True, slots=True)
class Parse:
    """One derivation of a sentence with its certificate."""

    nodes: tuple[Node, ...]
    """Children before parents, the root last."""
    certificate: Certificate


class SearchResult:
    """The result of a search. If there is no parse, ``certificate`` says why."""

    def __init__(self, parses: Sequence[Parse], certificate: Certificate, pruned_bound: float = inf) -> None:
        self.parses = tuple(parses)
        """Best first."""
        self.certificate = certificate
        """Of the best parse; without any, of the search."""
        self.pruned_bound = pruned_bound
        """No parse with a tag that the tagger dropped scores more than this.

        Minus infinity if it dropped none, infinity if that is not known.
        """

    @property
    def proved(self) -> int:
        """The number of proved parses: the first ``proved`` parses are the best there are, in order."""
        return next((rank for rank, parse in enumerate(self.parses) if not parse.certificate.optimal), len(self.parses))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SearchResult):
            return NotImplemented
        return self.parses == other.parses and self.certificate == other.certificate

    def __hash__(self) -> int:
        return hash((self.parses, self.certificate))

    def __repr__(self) -> str:
        return f"SearchResult(parses={self.parses!r}, certificate={self.certificate!r})"

    def __reduce__(self) -> tuple[type[SearchResult], tuple[tuple[Parse, ...], Certificate, float]]:
        return SearchResult, (self.parses, self.certificate, self.pruned_bound)


@dataclass(frozen=True, slots=True)
class Trace:
    """The result of a gold-guided search (Algorithm 1), for training.

    Each loss is ``sum of coefficient * s_global`` over ``nodes``, plus a constant from the local scores. The trace has
    the nodes whose coefficient is not zero in some loss and their descendants, children before parents.
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
    stopped: Stop
    explored: int
    agenda: int
    recursive_units: int
    seconds: float

    @property
    def gold_found(self) -> bool:
        """Whether the gold parse was popped."""
        return self.stopped is Stop.GOLD


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a recorded search. Items are numbered in the order of their first push."""

    kind: EventKind
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
    """A result with every push and pop that led to it (those of the search asked for, not of a back-off)."""

    result: SearchResult
    events: tuple[Event, ...]
