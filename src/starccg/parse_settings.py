"""The keyword arguments of ``parser.parse`` and its relatives, and how they are checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Literal, TypedDict

from starccg.search.options import Decoder, Options
from starccg.search.searcher import Cancellation

TagBeam = float | Literal["proved"] | None
"""Which tags the search gets: those with at least this share of the probability of a word's best tag. None: the
tagger's default. ``"proved"``: keep all tags where the parse is not proved best over all of them without that."""


class ParseSettings(TypedDict, total=False):
    """The keyword arguments of :meth:`Parser.parse` and its relatives."""

    nbest: int | None
    """How many parses; by default ``options.nbest``."""
    decoder: Decoder | str | None
    """The search; by default ``options.decoder``."""
    options: Options | None
    """All options of the search; by default those of the parser."""
    beam: TagBeam
    """See :data:`TagBeam`."""
    confidence: bool
    """Compute ``outcome.confidence``. It needs a list of parses, so the search takes longer."""
    annotate: bool
    """Give each leaf the part of speech (``leaf.pos``) and the lemma (``leaf.lemma``) of its word."""


@dataclass(frozen=True, slots=True)
class Request:
    """Settings that were checked."""

    options: Options
    beam: TagBeam = None
    confidence: bool = False
    annotate: bool = False
    cancellation: Cancellation | None = None


def checked(settings: ParseSettings, default: Options, model: str, *, has_model: bool, annotates: bool) -> Request:
    """The settings, checked against the model of this name, which has a global model and annotates, or not."""
    if unknown := settings.keys() - ParseSettings.__annotations__.keys():
        known = ", ".join(ParseSettings.__annotations__)
        raise TypeError(f"unknown keyword argument {min(unknown)!r}; the keyword arguments are {known}")
    chosen, decoder, nbest = settings.get("options") or default, settings.get("decoder"), settings.get("nbest")
    if decoder is not None:
        chosen = replace(chosen, decoder=Decoder(decoder))
    if nbest is not None:
        if not isinstance(nbest, Integral):
            raise TypeError(f"nbest must be a whole number, not {nbest!r}")
        if nbest < 1:
            raise ValueError(f"nbest must be at least 1, not {nbest}")
        chosen = replace(chosen, nbest=nbest)
    if chosen.decoder.needs_model and not has_model:
        raise ValueError(f"the model {model!r} has no global model, which the decoder {chosen.decoder} needs")
    beam = settings.get("beam")
    if isinstance(beam, str) and beam != "proved":
        raise ValueError(f"beam must be a number from 0 to 1 or 'proved', not {beam!r}")
    annotate = settings.get("annotate", False)
    if annotate and not annotates:
        raise ValueError(f"the model {model!r} was trained without parts of speech and lemmas")
    return Request(chosen, beam, settings.get("confidence", False), annotate)
