"""What the routes do, without HTTP: requests in, chunks of JSON out. The searches run in the scheduler's threads."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from starccg.ccg.rules import Rule
from starccg.confidence import CONFIDENCE_NBEST
from starccg.errors import StarccgError
from starccg.formats.errors import WriteError
from starccg.formats.registry import Format
from starccg.outcome import Confidence, Failed, ParseOutcome
from starccg.outcome_json import named
from starccg.parser import Parser
from starccg.search.options import Decoder, Limits, Options
from starccg.search.searcher import Cancellation
from starccg.server import requests, schemas
from starccg.server.answers import compared, encode, outcome_answer
from starccg.server.describe import DECODERS, UNRECORDED, UNSEARCHED, extension, media_type, writable
from starccg.server.errors import ApiError, short
from starccg.server.intake import LONG_TEXT, Sentence, check_count, sentence_of, sentences_of
from starccg.server.jobs import Search, Work
from starccg.server.limits import BYTES_PER_STEP, ServerLimits, answer_size
from starccg.server.recorded import recorded_search, unrecorded_search
from starccg.server.scheduler import Scheduler

STEPS = 2000
"""Of a recorded search, if the request gives no number."""
AHEAD = 16
"""Sentences of a request that are searched before the answer for the first of them is sent."""
TIMED = 5
"""How often a short search is timed to compare decoders."""


class File(NamedTuple):
    """An exported parse."""

    name: str
    media_type: str
    text: str


@dataclass(frozen=True, slots=True)
class Service:
    """A parser with the limits of a server. ``count`` is called with each outcome."""

    parser: Parser
    limits: ServerLimits
    scheduler: Scheduler
    count: Callable[[ParseOutcome], None]

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
                    exact=decoder.is_exact,
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
            rules={rule.label: str(rule) for rule in Rule},
            limits=self.limits,
        )

    async def parse(self, request: requests.ParseRequest) -> AsyncIterator[bytes]:
        """A result for each sentence, sent as soon as those before it are."""
        at_most("nbest", request.nbest, self.limits.nbest)
        self.check_annotate(request.annotate)
        options = self.options(request.decoder, request.nbest)
        if len(request.text or "") > LONG_TEXT:
            sentences = await asyncio.to_thread(sentences_of, request, self.limits)
        else:
            sentences = sentences_of(request, self.limits)
        size = answer_size(sum(len(sentence.words) for sentence in sentences), request.nbest, drawn=request.svg)
        if size > self.limits.answer_bytes:
            have, most = f"{size / (1 << 20):.0f} MB", f"{self.limits.answer_bytes / (1 << 20):.0f} MB"
            raise ApiError(
                "too_large",
                f"the answer could have {have}; this server sends {most} at most: ask for fewer sentences, "
                "a smaller nbest, or no drawings (svg: false)",
            )

        async def answer(work: Work, sentence: Sentence) -> bytes:
            sure = await self.confidence(work, sentence, options) if request.confidence else None

            def finish(outcome: ParseOutcome, _: list[float]) -> bytes:
                self.count(outcome)
                if not isinstance(outcome, Failed):
                    outcome = replace(outcome, confidence=sure)
                return encode(outcome_answer(outcome, drawn=request.svg))

            return await self.scheduler.start(work, Search(sentence, options, finish, annotate=request.annotate))

        with self.scheduler.request(size) as work:
            started: deque[asyncio.Task[bytes]] = deque()
            try:
                separator = b'{"results":['
                for sentence in [*sentences, *[None] * AHEAD]:
                    if sentence is not None:
                        started.append(asyncio.ensure_future(answer(work, sentence)))
                    if started and (sentence is None or len(started) == AHEAD):
                        yield separator + await started.popleft()
                        separator = b","
                yield b"]}" if sentences else separator + b"]}"
            finally:
                for task in started:
                    task.cancel()

    async def confidence(self, work: Work, sentence: Sentence, options: Options) -> Confidence | None:
        """How sure the parser is, from a search of its own for more parses: the one that answers is not changed."""
        wide = replace(options, nbest=max(options.nbest, CONFIDENCE_NBEST))

        def finish(outcome: ParseOutcome, _: list[float]) -> Confidence | None:
            return self.parser.with_confidence(outcome, options.nbest).confidence

        return await self.scheduler.start(work, Search(sentence, wide, finish))

    async def export(self, request: requests.ExportRequest) -> File:
        """One parse as a file."""
        form = next((form for form in writable() if form.name == request.format), None)
        if form is None:
            known = ", ".join(form.name for form in writable())
            message = f"there is no format {short(request.format)} that can be written; choose one of {known}"
            raise ApiError("unknown_format", message, "format")
        at_most("rank", request.rank, self.limits.nbest)
        self.check_annotate(request.annotate)
        options = self.options(request.decoder, request.rank)
        sentence = sentence_of(request, self.limits)

        def finish(outcome: ParseOutcome, _: list[float]) -> File:
            self.count(outcome)
            return written(outcome, request.rank, form)

        with self.scheduler.request(answer_size(len(sentence.words), 1, drawn=True)) as work:
            return await self.scheduler.start(work, Search(sentence, options, finish, annotate=request.annotate))

    async def search(self, request: requests.SearchRequest) -> AsyncIterator[bytes]:
        """The search that answers and, for decoders with an agenda, a record of its steps."""
        steps = min(STEPS, self.limits.steps) if request.max_steps is None else request.max_steps
        at_most("max_steps", steps, self.limits.steps)
        options = self.options(request.decoder, 1)
        sentence = sentence_of(request, self.limits)
        with self.scheduler.request(steps * BYTES_PER_STEP) as work:
            outcome = await self.scheduler.start(work, Search(sentence, options, lambda outcome, _: outcome))
            self.count(outcome)
            if options.decoder in UNRECORDED or outcome.certificate is None:
                yield encode(unrecorded_search(outcome, options.decoder, UNRECORDED.get(options.decoder, UNSEARCHED)))
                return

            def record(cancellation: Cancellation) -> list[bytes]:
                return recorded_search(self.parser, outcome, options, steps, cancellation)

            for chunk in await self.scheduler.run(work, outcome.certificate.seconds, record):
                yield chunk

    async def compare(self, request: requests.CompareRequest) -> AsyncIterator[bytes]:
        """One sentence under several decoders."""
        names = request.decoders
        if names is None:
            names = [decoder for decoder in DECODERS if self.is_available(decoder)]
        if not names:
            raise ApiError("invalid_request", "decoders must name at least one decoder", "decoders")
        check_count(len(names), "decoders", self.limits.decoders, "decoders")
        asked = [self.options(name, 1, f"decoders[{place}]") for place, name in enumerate(names)]
        sentence = sentence_of(request, self.limits)

        def finish(outcome: ParseOutcome, seconds: list[float]) -> tuple[ParseOutcome, list[float]]:
            self.count(outcome)
            return outcome, seconds

        with self.scheduler.request(answer_size(len(sentence.words), len(asked), drawn=request.svg)) as work:
            tasks = [self.scheduler.start(work, Search(sentence, options, finish, TIMED)) for options in asked]
            try:
                found = [await task for task in tasks]
            finally:
                for task in tasks:
                    task.cancel()
            decoders = [options.decoder for options in asked]
            yield encode({"words": list(sentence.words), "results": compared(decoders, found, drawn=request.svg)})

    def check_annotate(self, asked: bool) -> None:
        """Refuse parts of speech and lemmas where the model has none."""
        if asked and not self.parser.tagger.annotates:
            message = f"the model {self.parser.name} was trained without parts of speech and lemmas"
            raise ApiError("invalid_request", message, "annotate")

    def options(self, name: str | None, nbest: int, where: str = "decoder") -> Options:
        """The options of a decoder given by name, within the time of a sentence."""
        try:
            decoder = self.parser.options.decoder if name is None else Decoder(name)
        except StarccgError as error:
            raise ApiError("unknown_decoder", str(error), where) from error
        if not self.is_available(decoder):
            usable = ", ".join(known for known in DECODERS if self.is_available(known))
            message = f"the decoder {decoder} needs a global model, and {self.parser.name} has none; choose {usable}"
            raise ApiError("needs_global_model", message, where)
        return Options(decoder=decoder, nbest=nbest, limits=Limits(seconds=self.limits.seconds))

    def is_available(self, decoder: Decoder) -> bool:
        """Whether the loaded model can serve this decoder."""
        return not decoder.needs_model or self.parser.global_model is not None

    def fits_model(self, decoder: Decoder) -> bool:
        """Whether the loaded model was trained for this decoder."""
        model = self.parser.global_model
        return not decoder.needs_model or (
            model is not None and decoder.is_span_factored == model.decoder.is_span_factored
        )


def written(outcome: ParseOutcome, rank: int, form: Format) -> File:
    """The parse of this rank in this format."""
    if isinstance(outcome, Failed):
        raise ApiError("no_parse", f"there is no parse to export: {outcome.reason}")
    if rank > len(outcome.parses):
        have = "1 parse" if len(outcome.parses) == 1 else f"{len(outcome.parses)} parses"
        raise ApiError("no_such_rank", f"the sentence has {have}, and none of rank {rank}", "rank")
    try:
        lines = list(form.write([replace(named(outcome, "1")[rank - 1], id="1")]))
    except WriteError as error:
        raise ApiError("cannot_write", f"the format {form.name} cannot contain this parse: {error.reason}") from error
    return File(f"parse{extension(form)}", media_type(form), "\n".join([*lines, ""]))


def at_most(field: str, value: int, limit: int) -> None:
    """Refuse a number that is over the limit."""
    if value > limit:
        raise ApiError("too_many", f"{field} is at most {limit} on this server", field)
