"""The compiled search. Private: use ``starccg.search.searcher``, which documents it."""

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from starccg.search.types import Node, TaggedSentence

_Ints = npt.NDArray[np.int32]
_Masks = npt.NDArray[np.uint32]
_Floats = npt.NDArray[np.float32]

instruction_set: str
"""Which clone of the recursive unit this machine runs: ``avx512``, ``avx2`` or ``baseline``."""
max_words: int
"""The most words of a sentence that can be searched."""

class Table:
    def __init__(
        self,
        *,
        categories: int,
        lexical: int,
        types: int,
        binary: _Ints,
        unary: _Ints,
        roots: _Ints,
        root_scores: npt.NDArray[np.float64],
        allowed: _Masks,
        unary_allowed: _Masks,
        start_only: int,
        max_unary_chain: int,
        unary_at_root: bool,
        classes: _Ints,
        chain_length_matters: bool,
    ) -> None: ...

class Model:
    def __init__(
        self,
        *,
        input_gate: _Floats,
        forget_gate: _Floats,
        output_gate: _Floats,
        candidate: _Floats,
        biases: _Floats,
        categories: _Floats,
        unary_left: _Floats,
        output: _Floats,
        output_reads_new_cell: bool,
    ) -> None: ...
    def unit(self, rule: int, category: int, left: _Floats | None, right: _Floats) -> tuple[_Floats, float]: ...

class LeafLstm:
    """The LSTM over the words in both directions: gates (2, d, ...) as the arrays of a global model hold them."""

    def __init__(
        self,
        *,
        input_gate: _Floats,
        output_gate: _Floats,
        candidate: _Floats,
        biases: _Floats,
        boundary: _Floats,
        output_reads_new_cell: bool,
    ) -> None: ...
    def states(self, inputs: _Floats, lengths: Sequence[int]) -> _Floats: ...

class Decoder(Enum):
    SUPERTAG = ...
    SUPERTAG_FOREST = ...
    SPAN = ...
    SPAN_FOREST = ...
    GLOBAL = ...
    BEAM = ...
    RERANK = ...

class Stop(Enum):
    NONE = ...
    FOREST = ...
    AGENDA = ...
    RECURSIVE_UNITS = ...
    WORDS = ...
    SECONDS = ...
    EXHAUSTED = ...
    INTERRUPTED = ...
    GOLD = ...
    LOST = ...
    MARGIN = ...

class EventKind(Enum):
    PUSH = ...
    RESCORED = ...
    POP = ...
    GOAL = ...

class Limits:
    forest: int
    agenda: int
    recursive_units: int
    words: int
    seconds: float

class Options:
    decoder: Decoder
    heuristic: bool
    lazy: bool
    backoff: bool
    backoff_beam: bool
    grammar_bound: bool
    counts_checks: bool
    ties: bool
    nbest: int
    beam_size: int
    rerank_size: int
    refine_after: int | None
    unary_cost: float
    distance_cost: float
    backoff_unary_cost: float
    backoff_distance_cost: float
    limits: Limits

class Cancellation:
    """Ends the searches it is given to: :meth:`cancel` from any thread, or the deadline. It can be used once."""

    def __init__(self, seconds: float = ...) -> None: ...
    def cancel(self) -> None:
        """End the searches now; those that have not started yet end at once."""
    def expire_in(self, seconds: float) -> None:
        """Set the deadline to this many seconds from now."""
    @property
    def cancelled(self) -> bool: ...
    @property
    def seconds_left(self) -> float:
        """Until the deadline; infinite without one."""

class Found:
    """The proof of one parse."""

    score: Final[float]
    upper_bound: Final[float]
    optimal: Final[bool]

class Result:
    """What a search found. ``score``, ``upper_bound`` and ``optimal`` are those of the best parse, if there is one."""

    found: Final[list[Found]]
    """Best first."""
    def nodes(self, index: int) -> list[tuple[Any, ...]]:
        """The nodes of the parse of this rank, as tuples in the order of :class:`Node`."""
    score: Final[float]
    upper_bound: Final[float]
    pruned_bound: Final[float]
    optimal: Final[bool]
    explored: Final[int]
    agenda: Final[int]
    recursive_units: Final[int]
    decoder: Final[Decoder]
    seconds: Final[float]
    stopped: Final[Stop]

class Trace:
    rules: Final[_Ints]
    categories: Final[_Ints]
    lefts: Final[_Ints]
    rights: Final[_Ints]
    starts: Final[_Ints]
    ends: Final[_Ints]
    greedy: Final[_Ints]
    max: Final[_Ints]
    all: Final[_Ints]
    violations: Final[list[float]]
    stopped: Final[Stop]
    explored: Final[int]
    agenda: Final[int]
    recursive_units: Final[int]
    seconds: Final[float]

class Event:
    """The fields of :class:`starccg.search.types.Event`."""

    kind: Final[EventKind]

def kept_tags(rows: _Floats, cut: float, most: int) -> tuple[_Ints, _Floats, _Ints, _Floats]: ...
def search_batch(
    table: Table,
    model: Model | None,
    options: Options,
    sentences: Sequence[TaggedSentence],
    threads: int,
    cancellation: Cancellation | None,
) -> list[Result]: ...
def search_gold_batch(
    table: Table,
    model: Model,
    options: Options,
    sentences: Sequence[TaggedSentence],
    golds: Sequence[Sequence[Node]],
    threads: int,
) -> list[Trace]: ...
def score_derivation(
    table: Table, model: Model | None, options: Options, sentence: TaggedSentence, nodes: Sequence[Node]
) -> tuple[float, list[tuple[Any, ...]]]: ...
def record(
    table: Table,
    model: Model | None,
    options: Options,
    sentence: TaggedSentence,
    cancellation: Cancellation | None,
) -> tuple[Result, list[Event]]: ...
