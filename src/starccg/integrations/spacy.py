"""starccg in a spaCy pipeline: ``nlp.add_pipe("starccg")``.

A sentence is one of ``Doc.sents`` or, where no component has set them, the whole document. Outcomes are stored in the
document as JSON, so they survive ``Doc.to_bytes``, ``DocBin`` and transfer between processes; they are rebuilt when
accessed. The model is loaded once in every process, when it is first needed.

==========================  =======================================================================================
``Span._.ccg``              the outcome of a sentence (``Parsed``, ``BackedOff`` or ``Failed``); None for other spans
``Span._.derivation``       the best derivation of a sentence, or the part of it that covers exactly the span
``Token._.supertag``        the token's lexical category as text; None where there is none
``Doc._.ccg``               the outcomes of all sentences, in order
==========================  =======================================================================================
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from spacy.tokens import Doc, Span, Token

from starccg.formats.json import dumps
from starccg.integrations.processes import ProcessParser
from starccg.model_folder.find import DEFAULT
from starccg.outcome import Failed, ParseOutcome
from starccg.outcome_json import outcome_from_json, outcome_to_json

if TYPE_CHECKING:
    from starccg.ccg.derivation import Derivation

DATA = "ccg_json"
"""The extension that stores a sentence's outcome; all others are computed from it."""
REMEMBERED = 4096
"""The number of rebuilt outcomes that are cached."""

DEFAULTS: dict[str, Any] = {
    "model": DEFAULT,
    "decoder": None,
    "nbest": 1,
    "threads": 1,
    "seconds": 60.0,
    "batch_size": 256,
}


class CcgParser:
    """The component. Only its settings are pickled, and saved as a part of the pipeline's configuration."""

    def __init__(self, name: str = "starccg", **settings: Any) -> None:
        self.name = name
        self.parser = ProcessParser(**settings)

    def __call__(self, doc: Doc) -> Doc:
        """Parse the sentences of a document."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse a stream of documents; the sentences of ``batch_size`` documents are parsed together."""
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            self._annotate(batch)
            yield from batch

    def _annotate(self, docs: list[Doc]) -> None:
        spans = [span for doc in docs for span in sentences(doc)]
        if not spans:  # no model needs to be loaded
            return
        outcomes = self.parser.pipe([token.text for token in words(span)] for span in spans)
        for span, outcome in zip(spans, outcomes, strict=True):
            annotate(span, outcome)


@Language.factory(
    "starccg",
    default_config=DEFAULTS,
    assigns=["doc._.ccg", "span._.ccg", "span._.derivation", "token._.supertag"],
)
def make_component(
    nlp: Language, name: str, model: str, decoder: str | None, nbest: int, threads: int, seconds: float, batch_size: int
) -> CcgParser:
    """The factory that ``nlp.add_pipe("starccg", config={...})`` calls."""
    settings = {"model": model, "decoder": decoder, "nbest": nbest, "threads": threads, "seconds": seconds}
    return CcgParser(name, **settings, batch_size=batch_size)


def sentences(doc: Doc) -> list[Span]:
    """The spans to parse: ``Doc.sents``, or the whole document if no component has set them."""
    if not len(doc):
        return []
    return list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]


def words(span: Span) -> list[Token]:
    """The tokens that are words, without spaCy's tokens for white space."""
    return [token for token in span if not token.is_space]


def annotate(span: Span, outcome: ParseOutcome) -> None:
    """Store the outcome of a sentence, with the offsets of its words, in its document."""
    outcome = replace(outcome, offsets=tuple((token.idx, token.idx + len(token)) for token in words(span)))
    span._.set(DATA, dumps(outcome_to_json(outcome, dependencies=False)))
    tokens = words(span)
    supertags = [None] * len(tokens) if isinstance(outcome, Failed) else map(str, outcome.best.supertags)
    for token, supertag in zip(tokens, supertags, strict=True):
        token._.set("supertag", supertag)


@lru_cache(maxsize=REMEMBERED)
def _outcome(data: str) -> ParseOutcome:
    return outcome_from_json(json.loads(data))


def outcome_of(span: Span) -> ParseOutcome | None:
    """The outcome of a span that was parsed as a sentence."""
    data = span._.get(DATA)
    return None if data is None else _outcome(data)


def derivation_of(span: Span) -> Derivation | None:
    """The best derivation of a sentence, or the highest node of it that covers exactly the words of the span."""
    if not len(span):
        return None
    around = span.sent if span.doc.has_annotation("SENT_START") else span.doc[:]
    outcome = outcome_of(around)
    if outcome is None or isinstance(outcome, Failed):
        return None
    places = [token.i for token in words(around)]
    covered = [place for place, token in enumerate(places) if span.start <= token < span.end]
    if not covered or span.end > around.end:
        return None
    found = None
    for start, end, node in outcome.best.spans():
        if (start, end) == (covered[0], covered[-1] + 1):
            found = node  # parents come after their children
    return found


def outcomes_of(doc: Doc) -> list[ParseOutcome | None]:
    """The outcomes of all sentences."""
    return [outcome_of(span) for span in sentences(doc)]


Span.set_extension(DATA, default=None, force=True)
Span.set_extension("ccg", getter=outcome_of, force=True)
Span.set_extension("derivation", getter=derivation_of, force=True)
Token.set_extension("supertag", default=None, force=True)
Doc.set_extension("ccg", getter=outcomes_of, force=True)
