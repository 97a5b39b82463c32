"""The compiled search. Private: use ``starccg.search.core``, which documents and checks."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from starccg.search.types import Certificate, Node, Outcome, Parse, TaggedSentence, Trace

_Ints = npt.NDArray[np.int32]
_Masks = npt.NDArray[np.uint32]
_Floats = npt.NDArray[np.float32]
_Event = tuple[Any, int, int, int, int, int, int, int, float, float, float, float]

instruction_set: str
"""Which clone of the recursive unit this machine runs: ``avx512``, ``avx2`` or ``baseline``."""

class Table:
    def __init__(
        self,
        categories: int,
        lexical: int,
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
    def time_units(self, repeats: int) -> tuple[list[float], list[float]]:
        """Seconds of single recursive units, and of streaming the same weights, taken in turn."""

class Derivations:
    """Found derivations as the core holds them, best first."""

    def __call__(self) -> tuple[Sequence[Parse], Certificate]:
        """What :class:`starccg.search.types.Outcome` holds, read when it is looked at."""
    def __len__(self) -> int: ...
    def nodes(self, index: int) -> tuple[Node, ...]: ...
    def proof(self, index: int) -> tuple[float, float, bool]:
        """Score, upper bound, and whether the derivation is proved to be in its place."""
    def best_proof(self) -> tuple[float, float, bool]:
        """The same of the sentence's answer, which there may be none of."""
    def statistics(self) -> tuple[int, int, int, int, float, Any]:
        """Explored, pushed, recursive units, number of the decoder that answered, seconds, and why it stopped."""

def set_python_types(node: type[Node], read: Callable[[Derivations], tuple[Sequence[Parse], Certificate]]) -> None:
    """The named tuple that ``Derivations.nodes`` builds, and what calling ``Derivations`` calls."""

def search_batch(
    table: Table,
    sentences: Sequence[TaggedSentence],
    options: tuple[Any, ...],
    model: Model | None,
    threads: int,
    outcome: Callable[[Derivations], Outcome],
) -> list[Outcome]: ...
def search_gold_batch(
    table: Table,
    sentences: Sequence[TaggedSentence],
    golds: Sequence[Sequence[Node]],
    options: tuple[Any, ...],
    model: Model,
    threads: int,
    trace: Callable[..., Trace],
) -> list[Trace]: ...
def score_derivation(
    table: Table,
    sentence: TaggedSentence,
    nodes: Sequence[Node],
    options: tuple[Any, ...],
    model: Model | None,
) -> tuple[float, Derivations]: ...
def record(
    table: Table,
    sentence: TaggedSentence,
    options: tuple[Any, ...],
    model: Model | None,
    outcome: Callable[[Derivations], Outcome],
) -> tuple[Outcome, list[_Event]]: ...
