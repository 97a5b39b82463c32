"""A derivation that the parser found: a :class:`~starccg.ccg.derivation.Derivation` with its certificate.

A parse is an ordinary node (a ``Leaf``, ``Unary`` or ``Binary``), so pattern matching and every function that takes a
derivation accept it. It equals the same tree without a certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary, shorten
from starccg.dependencies import extract
from starccg.dependencies.types import Dependency
from starccg.hooks import call
from starccg.search.types import Certificate


class ParsedDerivation(Derivation):
    """A derivation with what is proved about it. Make one with :meth:`of`."""

    __slots__ = ()
    certificate: Certificate
    rank: int
    """1 for the best parse of the sentence, 2 for the second best, and so on."""
    _dependencies: tuple[Dependency, ...] | None

    @staticmethod
    def of(derivation: Derivation, certificate: Certificate, rank: int = 1) -> ParsedDerivation:
        """The derivation with a certificate; its nodes are shared, not copied."""
        match derivation:
            case Leaf(category, word, pos, original_pos, indexed, lemma):
                return ParsedLeaf(category, word, pos, original_pos, indexed, lemma, certificate=certificate, rank=rank)
            case Unary(category, child):
                return ParsedUnary(category, child, derivation.rule, certificate=certificate, rank=rank)
            case Binary(category, (left, right)):
                rule, head = derivation.rule, derivation.head
                return ParsedBinary(category, left, right, rule, head, certificate=certificate, rank=rank)
        raise TypeError(f"a derivation is a Leaf, a Unary or a Binary, not {type(derivation).__name__}")

    @property
    def dependencies(self) -> tuple[Dependency, ...]:
        """Which word fills which argument slot of which word; computed at the first access."""
        if self._dependencies is None:
            object.__setattr__(self, "_dependencies", extract(self))
        assert self._dependencies is not None
        return self._dependencies

    @property
    def score(self) -> float:
        """The log-score under the model that was asked for."""
        return self.certificate.score

    @property
    def proof(self) -> str:
        """The certificate in words."""
        place, certificate = "best" if self.rank == 1 else f"number {self.rank}", self.certificate
        if not certificate.optimal:
            return f"score {self.score:.3f}, not proved {place}: {_gap(certificate.gap)}{self._tags}"
        if certificate.over_all_tags:
            return f"score {self.score:.3f}, proved {place} over all tags"
        return f"score {self.score:.3f}, proved {place}{self._tags}"

    @property
    def _tags(self) -> str:
        """Over which tags the proof holds."""
        if self.certificate.beam is None:
            return ""
        return f" (tags: beam {self.certificate.beam:.2g}{', widened' if self.certificate.widened else ''})"

    def to_dict(self) -> dict[str, Any]:
        """The parse as JSON holds it: tokens, nodes, dependencies and certificate."""
        return call("parse_to_json", self, str(self.rank))

    def __repr__(self) -> str:
        return f"ParsedDerivation({self.category}, {shorten(self.words)!r}, {self.proof})"

    def __reduce__(self) -> tuple[Callable[..., ParsedDerivation], tuple[Any, ...]]:
        rebuild, arguments = Derivation.__reduce__(self)
        return _restore, (rebuild, arguments, self.certificate, self.rank)

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture, and under it what is proved."""
        return call("captioned", self, self.proof)


def _restore(rebuild: Any, arguments: Any, certificate: Certificate, rank: int) -> ParsedDerivation:
    return ParsedDerivation.of(rebuild(*arguments), certificate, rank)


def _gap(gap: float) -> str:
    return "less than 0.001 below the best" if 0 < gap < 0.001 else f"at most {gap:.3f} below the best"


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class ParsedLeaf(ParsedDerivation, Leaf):
    """The parse of a single word."""

    certificate: Certificate
    rank: int = 1
    _dependencies: tuple[Dependency, ...] | None = field(default=None, init=False)


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class ParsedUnary(ParsedDerivation, Unary):
    """A parse whose last step is unary."""

    certificate: Certificate
    rank: int = 1
    _dependencies: tuple[Dependency, ...] | None = field(default=None, init=False)


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class ParsedBinary(ParsedDerivation, Binary):
    """A parse whose last step is binary."""

    certificate: Certificate
    rank: int = 1
    _dependencies: tuple[Dependency, ...] | None = field(default=None, init=False)
