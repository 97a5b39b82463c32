"""The public face: ``starccg.load()`` gives a parser, ``parser.parse`` an outcome for every sentence.

A parser holds nothing that changes, so threads may share one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import overload

from starccg.ccg.compiler import compile_grammar
from starccg.ccg.grammar import Grammar
from starccg.ccg.table import RuleTable
from starccg.derivation import shorten
from starccg.globalmodel.model import GlobalModel
from starccg.outcome import BackedOff, Failed, Parsed, ParsedDerivation, ParseOutcome
from starccg.reasons import reason_of
from starccg.search.core import SearchTable, TreeLstm, search_batch
from starccg.search.derivations import build_derivation
from starccg.search.types import DISTANCE_COST, UNARY_COST, Bound, Decoder, Limits, Options, Outcome, TaggedSentence
from starccg.tagger import Tagger
from starccg.text import sentences as sentences_of
from starccg.text import tokenise

Text = str | Sequence[str]
"""A sentence: as written, or as its words."""
Texts = list[str] | list[list[str]] | list[Text] | tuple[Text, ...]
"""Several sentences. A list of strings is this, and never the words of one sentence."""

NEED_NO_MODEL = frozenset({Decoder.SUPERTAG, Decoder.SUPERTAG_FOREST})

SECONDS = 60.0
"""The time that each sentence has unless other limits are given: no sentence of everyday length comes near, and a page
of noise does not hang."""

WIDER = 0.01
"""What the tagger's beam is multiplied by where the tags it keeps allow no derivation."""


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
    ) -> None:
        self.tagger = tagger
        self.grammar = grammar
        self.global_model = global_model
        self.threads = threads
        self.name = name
        self.table: RuleTable = compile_grammar(grammar, tagger.categories)
        self.search_table = SearchTable(self.table)
        self.tree_lstm = TreeLstm(global_model.weights(self.table.categories)) if global_model else None
        self.options = options or replace(
            default_options(global_model.decoder if global_model else Decoder.SUPERTAG), limits=Limits(seconds=SECONDS)
        )

    def __repr__(self) -> str:
        return f"Parser({self.name!r}, decoder={self.options.decoder.value!r}, threads={self.threads})"

    @overload
    def parse(
        self,
        text: str,
        *,
        nbest: int | None = None,
        decoder: Decoder | str | None = None,
        options: Options | None = None,
    ) -> ParseOutcome: ...
    @overload
    def parse(
        self,
        text: Texts,
        *,
        nbest: int | None = None,
        decoder: Decoder | str | None = None,
        options: Options | None = None,
    ) -> list[ParseOutcome]: ...

    def parse(
        self,
        text: str | Texts,
        *,
        nbest: int | None = None,
        decoder: Decoder | str | None = None,
        options: Options | None = None,
    ) -> ParseOutcome | list[ParseOutcome]:
        """The outcome of one sentence, or of each of a list of sentences, in order.

        A text is one sentence, whatever stops it holds; :meth:`parse_text` parts a text into its sentences. Among
        several sentences a list of words stands for one that is already tokenised. ``nbest`` and ``decoder`` change
        two of the options; ``options`` gives all of them.
        """
        chosen = self._options(nbest, decoder, options)
        if isinstance(text, str):
            return self._parse([text], chosen)[0]
        if isinstance(text, bytes | bytearray | Mapping) or not isinstance(text, Iterable):
            raise TypeError(
                f"a sentence is a text, several are a list of texts or of lists of words; not {_kind(text)}"
            )
        return self._parse(list(text), chosen)

    def parse_words(
        self,
        words: Sequence[str],
        *,
        nbest: int | None = None,
        decoder: Decoder | str | None = None,
        options: Options | None = None,
    ) -> ParseOutcome:
        """The outcome of one sentence that is already tokenised."""
        if isinstance(words, str):
            raise TypeError("words are a list; a text that is not tokenised goes to parse")
        return self.parse([words], nbest=nbest, decoder=decoder, options=options)[0]

    def parse_text(
        self,
        text: str,
        *,
        nbest: int | None = None,
        decoder: Decoder | str | None = None,
        options: Options | None = None,
    ) -> list[ParseOutcome]:
        """The outcomes of all sentences of a text, which is parted first."""
        if not isinstance(text, str):
            raise TypeError(f"a text is a string, not {_kind(text)}")
        return self.parse(
            [sentence.words for sentence in sentences_of(text)], nbest=nbest, decoder=decoder, options=options
        )

    def pipe(
        self,
        texts: Iterable[Text],
        *,
        batch_size: int = 256,
        nbest: int | None = None,
        decoder: Decoder | str | None = None,
        options: Options | None = None,
    ) -> Iterator[ParseOutcome]:
        """The outcomes of a stream of sentences, in order; only ``batch_size`` of them are in memory at a time."""
        if isinstance(texts, str | bytes):
            raise TypeError("a stream holds sentences; a single text goes to parse or parse_text")
        if batch_size < 1:
            raise ValueError(f"a batch holds at least one sentence, not {batch_size}")
        chosen = self._options(nbest, decoder, options)
        return self._pipe(iter(texts), batch_size, chosen)

    def _pipe(self, stream: Iterator[Text], batch_size: int, options: Options) -> Iterator[ParseOutcome]:
        while batch := list(itertools.islice(stream, batch_size)):
            yield from self._parse(batch, options)

    def _options(self, nbest: int | None, decoder: Decoder | str | None, options: Options | None) -> Options:
        """What was asked for, as options that the model can follow."""
        chosen = self.options if options is None else options
        if decoder is not None:
            wanted = decoder_named(decoder)
            chosen = (
                replace(default_options(wanted, chosen.nbest), limits=chosen.limits)
                if options is None
                else replace(chosen, decoder=wanted)
            )
        if nbest is not None:
            if nbest < 1:
                raise ValueError(f"nbest is at least 1, not {nbest}")
            chosen = replace(chosen, nbest=nbest)
        if self.tree_lstm is None and chosen.decoder not in NEED_NO_MODEL:
            raise ValueError(f"the model {self.name!r} has no global model, which the decoder {chosen.decoder} needs")
        return chosen

    def tag(
        self, sentences: Sequence[Sequence[str]], decoder: Decoder, *, beam: float | None = None
    ) -> list[TaggedSentence]:
        """The sentences as the search takes them: tags and, for a decoder that needs them, the leaf states.

        ``beam``: keep tags of at least this share of the best one's probability, rather than the tagger's own.
        """
        tagged = self.tagger.tag(sentences, beam=beam)
        if self.global_model is None or decoder in NEED_NO_MODEL:
            return tagged
        states = self.global_model.leaf_states(sentences)
        return [replace(sentence, states=found) for sentence, found in zip(tagged, states, strict=True)]

    def _parse(self, texts: list[Text], options: Options) -> list[ParseOutcome]:
        outcomes = [_read(text) for text in texts]
        todo = [(number, words) for number, words in enumerate(outcomes) if not isinstance(words, Failed)]
        found = self._search([words for _, words in todo], options)
        answers: dict[int, ParseOutcome] = {}
        for (number, words), outcome in zip(todo, found, strict=True):
            answers[number] = outcome if isinstance(outcome, Failed) else self.outcome(words, outcome, options)
        return [words if isinstance(words, Failed) else answers[number] for number, words in enumerate(outcomes)]

    def _search(self, sentences: list[tuple[str, ...]], options: Options) -> list[Outcome | Failed]:
        """Should one sentence be too much for the tagger or the search, the others have their outcomes all the same."""
        try:
            found = self._searched(sentences, options, None)
            # Where the tags that were kept allow no derivation at all, more of them are kept.
            lost = [number for number, outcome in enumerate(found) if outcome.certificate.upper_bound == -inf]
            wider = self._searched([sentences[number] for number in lost], options, self.tagger.beam * WIDER)
            for number, outcome in zip(lost, wider, strict=True):
                if outcome.parses:
                    found[number] = outcome
            return list(found)
        except (ValueError, TypeError):
            raise  # options that no search can follow, or a model that is none: not the sentence's fault
        except Exception as error:  # the tagger's runtime has exceptions of its own
            if len(sentences) == 1:
                return [Failed(sentences[0], f"the parser could not hold it: {type(error).__name__}: {error}")]
            return [self._search([words], options)[0] for words in sentences]

    def _searched(self, sentences: list[tuple[str, ...]], options: Options, beam: float | None) -> list[Outcome]:
        if not sentences:
            return []
        model = None if options.decoder in NEED_NO_MODEL else self.tree_lstm
        tagged = self.tag(sentences, options.decoder, beam=beam)
        return list(search_batch(self.search_table, tagged, options, model, threads=self.threads))

    def outcome(self, words: tuple[str, ...], outcome: Outcome, options: Options | None = None) -> ParseOutcome:
        """What a search with these options found, in categories and words."""
        parses = tuple(
            ParsedDerivation(build_derivation(parse.nodes, self.table, words), parse.certificate)
            for parse in outcome.parses
        )
        certificate = outcome.certificate
        reason = reason_of(certificate, len(words), options or self.options, parsed=bool(parses))
        if not parses:
            return Failed(words, reason, certificate)
        if certificate.stopped:
            return BackedOff(words, parses, certificate, reason)
        return Parsed(words, parses, certificate)


def decoder_named(decoder: Decoder | str) -> Decoder:
    """The decoder of this name; an unknown one is refused with those there are."""
    try:
        return Decoder(decoder)
    except ValueError:
        raise ValueError(f"no decoder is called {decoder!r}; there are {', '.join(Decoder)}") from None


def default_options(decoder: Decoder, nbest: int = 1) -> Options:
    """The options a decoder works best with.

    Tags alone need the tie-breaks, a model tells parses apart by itself. Under it the closer bound pays: it answers the
    same with a fraction of the recursive units.
    """
    if decoder in NEED_NO_MODEL:
        return Options(decoder=decoder, nbest=nbest, unary_cost=UNARY_COST, distance_cost=DISTANCE_COST)
    return Options(decoder=decoder, nbest=nbest, bound=Bound.GRAMMAR if decoder is Decoder.GLOBAL else Bound.TAGS)


def words_of(text: Text) -> tuple[str, ...]:
    """The words of a sentence: tokenised if it is a text, taken as they are if it is a list."""
    return tuple(token.text for token in tokenise(text)) if isinstance(text, str) else tuple(text)


def refuse(words: tuple[str, ...]) -> Failed | None:
    """A failure for what no tagger can read; None for a sentence."""
    if not words:
        return Failed(words, "there are no words")
    for position, word in enumerate(words, 1):
        if not isinstance(word, str):
            return Failed(tuple(map(str, words)), f"word {position} is no text but {_kind(word)}")
        if not word or word.isspace():
            return Failed(words, f"word {position} is empty")
    return None


def _read(text: Text) -> tuple[str, ...] | Failed:
    """The words of a sentence, or why it is none: a stream may hold anything."""
    if isinstance(text, bytes | bytearray | Mapping) or not isinstance(text, Iterable):
        return Failed((), f"a sentence is a text or a list of words, not {_kind(text)}")
    words = words_of(text)
    failure = refuse(words)
    return words if failure is None else failure


def _kind(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__}: {shorten([repr(value)])}"
