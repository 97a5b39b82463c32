"""The work behind the routes, free of HTTP: requests in, answers out. Runs in threads; holds nothing that changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

import starccg
from starccg.ccg.rules import Rule
from starccg.derivation import Derivation, Sentence
from starccg.formats.errors import WriteError
from starccg.formats.svg import derivation_svg
from starccg.outcome import Failed, ParseOutcome
from starccg.parser import NEED_NO_MODEL, Parser, Text, default_options
from starccg.search.types import Decoder, Limits, Options
from starccg.server import requests, schemas
from starccg.server.answers import found, sentence_answer
from starccg.server.describe import DECODERS, UNRECORDED, extension, media_type, writable
from starccg.server.errors import ApiError, short
from starccg.server.intake import Words, sentences_of, words_of
from starccg.server.limits import RERANKED, ServerLimits
from starccg.server.recorded import recorded_search, search_answer

STEPS = 2000
"""Of a recorded search, where the request does not say."""
CHUNK = 64
"""Sentences that go to the parser together; between chunks the clock of the request is looked at."""
OUT_OF_TIME = "the time for this request was up before its turn came; send fewer sentences at once"


class File(NamedTuple):
    """An exported parse."""

    name: str
    media_type: str
    text: str


@dataclass(frozen=True, slots=True)
class Service:
    """A parser with the limits of a server."""

    parser: Parser
    limits: ServerLimits
    count: Callable[[Iterable[str]], None]
    """Told the kind of each outcome."""

    def health(self) -> schemas.Health:
        """Who answers."""
        return schemas.Health(status="ok", version=starccg.__version__, model=self.parser.name)

    def models(self) -> schemas.Models:
        """What can be asked of this server."""
        return schemas.Models(
            model=self.parser.name,
            models=[self.parser.name],
            default_decoder=self.parser.options.decoder,
            decoders=[
                schemas.DecoderAnswer(
                    name=decoder,
                    description=text,
                    exact=decoder not in UNRECORDED,
                    recorded=decoder not in UNRECORDED,
                    available=self.is_available(decoder),
                    fits_model=self.fits_model(decoder),
                )
                for decoder, text in DECODERS.items()
            ],
            formats=[
                schemas.FormatAnswer(
                    name=form.name, description=form.summary, extension=extension(form), media_type=media_type(form)
                )
                for form in writable()
            ],
            limits=schemas.LimitsAnswer(**asdict(self.limits)),
        )

    def parse(self, request: requests.ParseRequest) -> schemas.ParseResults:
        """A result for each sentence."""
        at_most("nbest", request.nbest, self.limits.nbest)
        options = self.options(request.decoder, request.nbest)
        outcomes = self.outcomes(sentences_of(request, self.limits), options)
        results = [sentence_answer(outcome, request.nbest, drawn=request.svg) for outcome in outcomes]
        return schemas.ParseResults(results=results)

    def export(self, request: requests.ExportRequest) -> File:
        """One parse as a file."""
        form = next((form for form in writable() if form.name == request.format), None)
        if form is None:
            known = ", ".join(form.name for form in writable())
            message = f"no format is called {short(request.format)} and can be written; there are {known}"
            raise ApiError("unknown_format", message, "format")
        at_most("rank", request.rank, self.limits.nbest)
        options = self.options(request.decoder, request.rank)
        (outcome,) = self.outcomes([words_of(request, self.limits)], options)
        if isinstance(outcome, Failed):
            raise ApiError("no_parse", f"there is no parse to export: {outcome.reason}")
        parses = outcome.parses
        if request.rank > len(parses):
            have = "1 parse" if len(parses) == 1 else f"{len(parses)} parses"
            raise ApiError("no_such_rank", f"the sentence has {have}, so none of rank {request.rank}", "rank")
        try:
            lines = list(form.write([Sentence("1", parses[request.rank - 1].derivation)]))
        except WriteError as error:
            raise ApiError("cannot_write", f"{form.name} cannot hold this parse: {error.reason}") from error
        return File(f"parse{extension(form)}", media_type(form), "\n".join([*lines, ""]))

    def search(self, request: requests.SearchRequest) -> schemas.SearchAnswer:
        """A search with its every step; of decoders that leave no record, the outcome alone."""
        steps = min(STEPS, self.limits.steps) if request.max_steps is None else request.max_steps
        at_most("max_steps", steps, self.limits.steps)
        options = self.options(request.decoder, 1)
        words = words_of(request, self.limits)
        if (note := UNRECORDED.get(options.decoder)) is None:
            answer = recorded_search(self.parser, words, options, steps)
            self.count([answer.outcome])
            return answer
        (outcome,) = self.outcomes([words], options)
        return search_answer(self.parser, outcome, options.decoder, None, steps, note)

    def compare(self, request: requests.CompareRequest) -> schemas.CompareResults:
        """One sentence under several decoders."""
        names: Sequence[str] | None = request.decoders
        if names is None:
            names = [decoder for decoder in DECODERS if self.is_available(decoder)]
        if not names:
            raise ApiError("invalid_request", "decoders should name at least one decoder", "decoders")
        at_most("decoders", len(names), self.limits.decoders)
        asked = [self.options(name, 1, f"decoders[{place}]") for place, name in enumerate(names)]
        words = words_of(request, self.limits)
        outcomes = [self.outcomes([words], options)[0] for options in asked]
        first = found(outcomes[0]).derivation
        return schemas.CompareResults(
            words=list(words),
            results=[
                compared(options.decoder, outcome, first, drawn=request.svg)
                for options, outcome in zip(asked, outcomes, strict=True)
            ],
        )

    def outcomes(self, sentences: Sequence[Words], options: Options) -> list[ParseOutcome]:
        """The outcomes of sentences within the time of a request."""
        end = time.monotonic() + self.limits.request_seconds
        outcomes: list[ParseOutcome] = []
        for start in range(0, len(sentences), CHUNK):
            chunk: list[Text] = [*sentences[start : start + CHUNK]]
            left = end - time.monotonic()
            if left <= 0:
                outcomes += [Failed(words, OUT_OF_TIME) for words in sentences[start:]]
                break
            limits = replace(options.limits, seconds=min(options.limits.seconds, left))
            outcomes += self.parser.parse(chunk, options=replace(options, limits=limits))
        self.count(type(outcome).__name__ for outcome in outcomes)
        return outcomes

    def options(self, name: str | None, nbest: int, where: str = "decoder") -> Options:
        """The options of a decoder given by name, within the time of a sentence."""
        if name is not None and name not in DECODERS:
            message = f"no decoder is called {short(name)}; there are {', '.join(DECODERS)}"
            raise ApiError("unknown_decoder", message, where)
        decoder = self.parser.options.decoder if name is None else Decoder(name)
        if not self.is_available(decoder):
            usable = ", ".join(known for known in DECODERS if self.is_available(known))
            message = (
                f"the decoder {decoder} needs a global model, which {self.parser.name} has not; there are {usable}"
            )
            raise ApiError("needs_global_model", message, where)
        if decoder is Decoder.RERANK:
            nbest = max(nbest, RERANKED)
        return replace(default_options(decoder, nbest), limits=Limits(seconds=self.limits.seconds))

    def is_available(self, decoder: Decoder) -> bool:
        """Whether the loaded model can serve this decoder at all."""
        return decoder in NEED_NO_MODEL or self.parser.global_model is not None

    def fits_model(self, decoder: Decoder) -> bool:
        """Whether the loaded model was trained for it."""
        model = self.parser.global_model
        spans = "span" in decoder
        return decoder in NEED_NO_MODEL or (model is not None and spans == (model.decoder is Decoder.SPAN))


def compared(
    decoder: Decoder, outcome: ParseOutcome, first: Derivation | None, *, drawn: bool
) -> schemas.ComparedAnswer:
    """What a decoder says, beside the derivation of the first."""
    whole = found(outcome)
    derivation = whole.derivation
    return schemas.ComparedAnswer(
        decoder=decoder,
        outcome=whole.outcome,
        reason=whole.reason,
        category=whole.category,
        score=whole.score,
        certificate=whole.certificate,
        svg=derivation_svg(derivation) if drawn and derivation is not None else None,
        same_as_first=None if derivation is None or first is None else shape(derivation) == shape(first),
    )


def shape(derivation: Derivation) -> list[tuple[str, Rule | None, int]]:
    """What tells derivations of the same words apart, flat: trees may be too deep for ``==``."""
    return [(str(node.category), node.rule, len(node.children)) for node in derivation.postorder()]


def at_most(field: str, value: int, limit: int) -> None:
    """Refuse more than this server takes."""
    if value > limit:
        raise ApiError("too_many", f"{field} is at most {limit} on this server", field)
