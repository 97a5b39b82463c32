"""How to search: the decoder, its bound, its limits and its costs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NoReturn

from starccg.errors import StarccgError


class _Choice(StrEnum):
    """A choice by name; an unknown name raises :class:`StarccgError`, which lists the known ones."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise StarccgError(f"unknown {cls.__name__.lower()} {str(value)[:40]!r}; choose one of {', '.join(cls)}")


class Decoder(_Choice):
    """The policies of the agenda loop, and the beam search and reranking of the paper's Table 5."""

    SUPERTAG = "supertag"
    """Supertag-factored, with dynamic programming."""
    SUPERTAG_FOREST = "supertag-forest"
    """Supertag-factored, over the forest of all subtrees (no dynamic programming)."""
    SPAN = "span"
    """Span-factored, with dynamic programming."""
    SPAN_FOREST = "span-forest"
    """Span-factored, without dynamic programming."""
    GLOBAL = "global"
    """The paper's parser: the global model over the forest."""
    BEAM = "beam"
    """Bottom-up: the ``beam_size`` best subtrees of each span, scored by the global model. Not exact."""
    RERANK = "rerank"
    """The ``rerank_size`` best parses of the supertag-factored parser, reordered by the global model. Not exact."""

    @property
    def needs_model(self) -> bool:
        """Whether the decoder needs a global model; the others score parses by their tags alone."""
        return self not in (Decoder.SUPERTAG, Decoder.SUPERTAG_FOREST)

    @property
    def is_exact(self) -> bool:
        """Whether a search that meets no limit finds the best parse."""
        return self not in (Decoder.BEAM, Decoder.RERANK)

    @property
    def is_span_factored(self) -> bool:
        """Whether the global model scores a node by its rule, category and span, and not by its whole subtree."""
        return self in (Decoder.SPAN, Decoder.SPAN_FOREST)


class Bound(_Choice):
    """How the heuristic bounds what the words outside a span can add to the score of a parse."""

    TAGS = "tags"
    """By the best tag of each word, as in the paper."""
    GRAMMAR = "grammar"
    """By the best local score that any derivation of the grammar gives them around this category. This needs a chart of
    categories, which is computed as deep as the search goes. Items that fit into no parse are never explored. A
    sentence whose chart would need more than 512 MB (about 2,000 words) is searched with ``TAGS``."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops and the back-off begins. All but ``seconds`` are the paper's limits."""

    forest: int = 500_000
    agenda: int = 2_000_000
    recursive_units: int = 200_000
    words: int = 250
    seconds: float = 60.0
    """Time limit per sentence. Sentences of ordinary length need far less than the default."""


UNARY_COST, DISTANCE_COST = 0.1, 1e-5
"""The costs of a unary rule, and of each word between two heads, in the supertag-factored parser of Lewis et al. 2016.
Without them many of its parses have the same score."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to search. Where a field is None, :meth:`resolved` gives it the default of the decoder.

    A decoder and a bound may be given by name.
    """

    decoder: Decoder = Decoder.GLOBAL
    heuristic: bool = True
    """Use the admissible heuristic of section 4. Without it the search is best-first (h = 0)."""
    bound: Bound | None = None
    """By default ``Bound.GRAMMAR`` for the global decoder, and ``Bound.TAGS`` for the others."""
    refine_after: int | None = 1000
    """The number of explored nodes after which the global decoder first recomputes ``Bound.GRAMMAR`` with the global
    scores found so far; it does so again whenever the forest has grown by half. None: never."""
    lazy: bool = True
    """Run the recursive unit only for items that reach the head of the agenda."""
    nbest: int = 1
    beam_size: int = 8
    """The number of subtrees of each span that the beam decoder keeps."""
    rerank_size: int = 100
    """The number of parses that the reranking decoder reorders; ``nbest`` if that is more."""
    unary_cost: float | None = None
    """Subtracted for each unary rule. By default 0.1 for decoders that score by tags alone, and 0 for the others."""
    distance_cost: float | None = None
    """Subtracted for each word between the heads of a binary node's children; it decides among attachments that tie. By
    default 0.00001 for decoders that score by tags alone, and 0 for the others."""
    limits: Limits = field(default_factory=Limits)
    backoff: bool = True
    """Where a limit stops the search before it has proved a parse, other searches look for a good one."""
    backoff_beam: bool = True
    """The back-off begins with beam searches under the global model (``beam_size``). Without it, and where they find no
    parse, the supertag-factored parser answers, as in the paper."""
    backoff_unary_cost: float = UNARY_COST
    """The unary cost of the supertag-factored parser where it is the back-off. It helps to choose the parse; the
    reported score and gap are those of the model and the costs that were asked for."""
    backoff_distance_cost: float = DISTANCE_COST
    """The same for the distance cost."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "decoder", Decoder(self.decoder))
        object.__setattr__(self, "bound", None if self.bound is None else Bound(self.bound))

    def resolved(self) -> Options:
        """The same options with the defaults of the decoder in place of None. The search itself calls this."""
        by_tags = not self.decoder.needs_model
        return replace(
            self,
            bound=self.bound or (Bound.GRAMMAR if self.decoder is Decoder.GLOBAL else Bound.TAGS),
            unary_cost=self.unary_cost if self.unary_cost is not None else UNARY_COST * by_tags,
            distance_cost=self.distance_cost if self.distance_cost is not None else DISTANCE_COST * by_tags,
        )


PAPER_OPTIONS = Options(
    bound=Bound.TAGS, unary_cost=0.0, distance_cost=0.0, limits=Limits(seconds=float("inf")), backoff_beam=False
)
"""The search as the paper describes it: its bound, its back-off, no costs, and no limit on time."""
