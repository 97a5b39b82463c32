"""The parser: ``starccg.load()`` returns one, and ``parser.parse`` returns an outcome for every sentence.

A parser never changes, so threads may share one.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack, overload

from starccg.ccg.compiler import compile_grammar
from starccg.ccg.grammar import Grammar
from starccg.ccg.table import RuleTable
from starccg.confidence import CONFIDENCE_NBEST, Calibration, with_confidence
from starccg.globalmodel.model import GlobalModel
from starccg.hooks import call
from starccg.outcome import BackedOff, Failed, Parsed, ParseOutcome
from starccg.parse_settings import ParseSettings, Request, checked
from starccg.parsed_derivation import ParsedDerivation
from starccg.processes import short_turns
from starccg.search.options import Decoder, Options
from starccg.search.searcher import Cancellation, Searcher
from starccg.search.tag_widening import search_widening
from starccg.search.types import SearchResult, TaggedSentence
from starccg.sentence_input import Text, Texts, Words, kind_of, read_sentence
from starccg.stop_reasons import stop_reason
from starccg.tagger import Tagger
from starccg.tagger.model import MAX_TAGS, TaggerOutput
from starccg.text import TextSentence
from starccg.text import sentences as sentences_of

BATCH = 256
"""Sentences that are tagged together, sorted by length, and that one thread works on."""


class Parser:
    """A tagger, a grammar and, where there is one, a global model."""

    def __init__(
        self,
        tagger: Tagger,
        grammar: Grammar,
        global_model: GlobalModel | None = None,
        *,
        options: Options | None = None,
        threads: int = 1,
        name: str = "",
        folder: Path | None = None,
        device: str = "cpu",
        calibration: Calibration | None = None,
        language: str = "en",
    ) -> None:
        self.tagger = tagger
        self.grammar = grammar
        self.global_model = global_model
        self.threads = threads
        self.name = name
        self.folder = folder
        """The model folder, from which a copy in another process is loaded."""
        self.device = device
        """Where the tagger and the word LSTM run."""
        self.language = language
        """The language of the texts that it parses, as its code in ISO 639-1."""
        self.calibration = calibration
        """The calibration of the confidence, fitted on development data; None if the model has none."""
        self.table: RuleTable = compile_grammar(grammar, tagger.categories)
        self.searcher = Searcher(self.table, global_model.weights(self.table.categories) if global_model else None)
        self.options = options or Options(decoder=global_model.decoder if global_model else Decoder.SUPERTAG)

    def __repr__(self) -> str:
        return f"Parser({self.name!r}, decoder={self.options.decoder.value!r}, threads={self.threads})"

    def __reduce__(self) -> tuple[Callable[..., Parser], tuple[Any, ...]]:
        """Pickle the name of the model folder, options, threads and device; unpickling loads the model again."""
        if self.folder is None:
            raise TypeError("this parser was not loaded from a model folder, so it cannot be pickled")
        return _load_again, (str(self.folder), self.name, self.options, self.threads, self.device)

    @overload
    def parse(self, text: str | TextSentence, **settings: Unpack[ParseSettings]) -> ParseOutcome: ...
    @overload
    def parse(self, text: Texts, **settings: Unpack[ParseSettings]) -> list[ParseOutcome]: ...

    def parse(
        self, text: str | TextSentence | Texts, **settings: Unpack[ParseSettings]
    ) -> ParseOutcome | list[ParseOutcome]:
        """The outcome of one sentence, or of each of a list of sentences, in order.

        A text is one sentence, whatever punctuation it holds; :meth:`parse_text` splits a text into its sentences. In
        a list of sentences, a list of words is a sentence that is already tokenised. :class:`ParseSettings` lists the
        keyword arguments.
        """
        request = self._request(settings)
        if isinstance(text, str | TextSentence):
            return self._parse([text], request)[0]
        if isinstance(text, bytes | bytearray | Mapping) or not isinstance(text, Iterable):
            raise TypeError(
                f"parse takes a text, or a list whose elements are texts or lists of words; not {kind_of(text)}"
            )
        texts = list(text)
        if len(texts) <= BATCH:
            return self._parse(texts, request)
        return list(self._pipe(iter(texts), BATCH, None, request))

    def parse_words(self, words: Sequence[str], **settings: Unpack[ParseSettings]) -> ParseOutcome:
        """The outcome of one sentence that is already tokenised."""
        if isinstance(words, str):
            raise TypeError("parse_words takes a list of words; use parse for a text that is not tokenised")
        return self.parse([words], **settings)[0]

    def parse_text(self, text: str, **settings: Unpack[ParseSettings]) -> list[ParseOutcome]:
        """The outcomes of all sentences of a text; their ``offsets`` are places in the whole text."""
        if not isinstance(text, str):
            raise TypeError(f"parse_text takes a string, not {kind_of(text)}")
        return self.parse([*sentences_of(text)], **settings)

    def pipe(
        self,
        texts: Iterable[Text],
        *,
        batch_size: int = BATCH,
        progress: Callable[[int], object] | None = None,
        **settings: Unpack[ParseSettings],
    ) -> Iterator[ParseOutcome]:
        """The outcomes of a stream of sentences, in order.

        Each thread of the parser works on a batch of its own; at most two batches a thread are in memory.

        ``progress`` is called after each batch with the number of sentences in it, for example
        ``tqdm(total=...).update``.
        """
        if isinstance(texts, str | bytes):
            raise TypeError("pipe takes a stream of sentences; use parse or parse_text for a single text")
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, not {batch_size}")
        return self._pipe(iter(texts), batch_size, progress, self._request(settings))

    def pipe_batches(
        self, batches: Iterable[list[Text]], *, ahead_from: int = 1, **settings: Unpack[ParseSettings]
    ) -> Iterator[list[ParseOutcome]]:
        """The outcomes of a stream of batches, batch by batch, in order.

        With several threads some batches are read ahead. A batch of fewer than ``ahead_from`` sentences is not one of
        them: its outcomes come before the next batch is read, for a caller who waits for them.
        """
        return self._in_order(iter(batches), self._request(settings), ahead_from)

    def _pipe(
        self, stream: Iterator[Text], batch_size: int, progress: Callable[[int], object] | None, request: Request
    ) -> Iterator[ParseOutcome]:
        batches = iter(lambda: list(itertools.islice(stream, batch_size)), [])
        for outcomes in self._in_order(batches, request):
            if progress is not None:
                progress(len(outcomes))
            yield from outcomes

    def _in_order(
        self, batches: Iterator[list[Text]], request: Request, ahead_from: int = 1
    ) -> Iterator[list[ParseOutcome]]:
        """The outcomes of each batch. With several threads, each works on one batch from words to outcomes."""
        if self.threads == 1:
            yield from (self._parse(batch, request) for batch in batches)
            return
        worker = object.__new__(Parser)  # the same parser with one thread
        worker.__dict__.update(self.__dict__, threads=1)
        request = replace(request, cancellation=Cancellation())
        waiting: deque[Future[list[ParseOutcome]]] = deque()
        with short_turns(), ThreadPoolExecutor(self.threads) as pool:
            try:
                for batch in batches:
                    ahead = len(batch) >= ahead_from
                    if ahead:
                        waiting.append(pool.submit(worker._parse, batch, request))
                    while len(waiting) == 2 * self.threads or (waiting and not ahead):
                        yield waiting.popleft().result()
                    if not ahead:
                        yield self._parse(batch, request)
                while waiting:
                    yield waiting.popleft().result()
            finally:  # also where the caller stops early, and on Ctrl-C
                if request.cancellation is not None:
                    request.cancellation.cancel()
                pool.shutdown(wait=False, cancel_futures=True)

    def _request(self, settings: ParseSettings) -> Request:
        has_model, annotates = self.searcher.has_model, self.tagger.annotates
        return checked(settings, self.options, self.name, has_model=has_model, annotates=annotates)

    def tag(
        self,
        sentences: Sequence[Sequence[str]],
        decoder: Decoder,
        *,
        beam: float | None = None,
        max_tags: int = MAX_TAGS,
    ) -> list[TaggedSentence]:
        """The sentences as the search takes them: tags and, for a decoder that needs them, the leaf states.

        ``beam``: keep tags with at least this share of the best tag's probability; by default the tagger's own beam.
        """
        return [output.tagged for output in self.analyse(sentences, decoder, beam=beam, max_tags=max_tags)]

    def analyse(
        self,
        sentences: Sequence[Sequence[str]],
        decoder: Decoder,
        *,
        beam: float | None = None,
        max_tags: int = MAX_TAGS,
        annotate: bool = False,
    ) -> list[TaggerOutput]:
        """As :meth:`tag`, with parts of speech and lemmas if asked for (``annotate``)."""
        model = self.global_model if decoder.needs_model else None
        encoded = model is not None and model.dimensions.inputs == "encoder"
        outputs = self.tagger.analyse(
            sentences, beam, max_tags, annotate=annotate, states=encoded, threads=self.threads
        )
        if model is None:
            return outputs
        read = [output.states for output in outputs if output.states is not None] if encoded else None
        states = model.leaf_states(sentences, read)
        return [
            replace(output, tagged=replace(output.tagged, states=found))
            for output, found in zip(outputs, states, strict=True)
        ]

    def _parse(self, texts: list[Text], request: Request) -> list[ParseOutcome]:
        """An outcome for each sentence; one that the tagger cannot read fails, and the others are searched together."""
        options = asked = request.options
        if request.confidence:
            options = replace(asked, nbest=max(asked.nbest, CONFIDENCE_NBEST))
        read = [read_sentence(text) for text in texts]
        sentences = [it for it in read if isinstance(it, Words)]
        results = deque(self._search(sentences, replace(request, options=options)))
        outcomes: list[ParseOutcome] = []
        for sentence in read:
            result = sentence if isinstance(sentence, Failed) else results.popleft()
            if isinstance(result, Failed):
                outcomes.append(replace(result, nbest=asked.nbest, offsets=sentence.offsets))
                continue
            outcome = self.outcome(*result, options)
            outcomes.append(self.with_confidence(outcome, asked.nbest) if request.confidence else outcome)
        return outcomes

    def _search(self, sentences: list[Words], request: Request) -> list[tuple[Words, SearchResult] | Failed]:
        """The results, each with its sentence, whose parts of speech and lemmas are known now if asked for.

        A sentence on which the tagger or the search raises an exception fails alone.
        """
        if not sentences:
            return []
        options, all_tags = request.options, request.beam == "proved"
        beam = None if isinstance(request.beam, str) else request.beam
        max_tags = MAX_TAGS if beam is None else len(self.tagger.categories)
        try:
            words = [sentence.words for sentence in sentences]
            read = self.analyse(words, options.decoder, beam=beam, max_tags=max_tags, annotate=request.annotate)
            tagged = [output.tagged for output in read]
            found = self.search(words, tagged, options, cancellation=request.cancellation, over_all_tags=all_tags)
            annotated = (it._replace(pos=own.pos, lemmas=own.lemmas) for it, own in zip(sentences, read, strict=True))
            return [*zip(annotated, found, strict=True)]
        except (ValueError, TypeError):
            raise  # wrong options or a wrong model: not the sentence's fault
        except Exception as error:  # the tagger's runtime has exceptions of its own
            if len(sentences) == 1:
                return [Failed(sentences[0].words, f"parsing failed: {type(error).__name__}: {error}")]
            return [self._search([sentence], request)[0] for sentence in sentences]

    def search(
        self,
        sentences: Sequence[Sequence[str]],
        tagged: Sequence[TaggedSentence],
        options: Options,
        *,
        cancellation: Cancellation | None = None,
        over_all_tags: bool = False,
    ) -> list[SearchResult]:
        """Search sentences that :meth:`tag` has tagged. Where the kept tags allow no derivation, more of them are kept.

        ``over_all_tags``: see :func:`search_widening`. ``cancellation`` ends all of these searches early.
        """

        def search(some: Sequence[TaggedSentence]) -> list[SearchResult]:
            return self.searcher.search_batch(some, options, threads=self.threads, cancellation=cancellation)

        def tag_again(numbers: Sequence[int], tag_beam: float) -> list[TaggedSentence]:
            words = [sentences[number] for number in numbers]
            return self.tag(words, options.decoder, beam=tag_beam, max_tags=len(self.tagger.categories))

        return search_widening(tagged, search, tag_again, over_all_tags=over_all_tags)

    def outcome(self, sentence: Words, result: SearchResult, options: Options | None = None) -> ParseOutcome:
        """The outcome of a search with these options: its nodes as derivations, its limits in words.

        Where the search proved at least the best parse, it is ``Parsed`` even if a limit cut the list short.
        """
        options = options or self.options
        words, offsets, pos, lemmas = sentence
        trees = (self.searcher.derivation(parse.nodes, words, pos, lemmas) for parse in result.parses)
        proofs = (parse.certificate for parse in result.parses)
        parses = tuple(map(ParsedDerivation.of, trees, proofs, itertools.count(1)))
        certificate = result.certificate
        reason = stop_reason(certificate, len(words), options, parsed=bool(parses))
        if not parses:
            return Failed(words, reason, certificate, options.nbest, offsets)
        backed_off = bool(certificate.stopped) and not parses[0].certificate.optimal
        kind = BackedOff if backed_off else Parsed
        return kind(words, parses, certificate, reason, options.nbest, offsets)

    def with_confidence(self, outcome: ParseOutcome, nbest: int) -> ParseOutcome:
        """The outcome of a search for ``CONFIDENCE_NBEST`` parses, with its confidence and ``nbest`` of its parses."""
        return with_confidence(outcome, self.grammar, self.calibration, nbest)


def _load_again(folder: str, name: str, options: Options, threads: int, device: str) -> Parser:
    parser: Parser = call("load", folder, threads=threads, device=device)
    parser.name, parser.options = name, options
    return parser
