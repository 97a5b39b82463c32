"""The public face: ``starccg.load()`` gives a parser, ``parser.parse`` an outcome for every sentence.

A parser holds nothing that changes, so threads may share one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import overload

from starccg.ccg.compiler import compile_grammar
from starccg.ccg.grammar import Grammar
from starccg.ccg.table import RuleTable
from starccg.globalmodel.model import GlobalModel
from starccg.outcome import BackedOff, Failed, Parsed, ParsedDerivation, ParseOutcome
from starccg.search.core import SearchTable, TreeLstm, search_batch
from starccg.search.derivations import build_derivation
from starccg.search.types import DISTANCE_COST, UNARY_COST, Decoder, Options, Outcome, TaggedSentence
from starccg.tagger import Tagger
from starccg.text import tokenise

Text = str | Sequence[str]
"""A sentence: as written, or as its words."""

NEED_NO_MODEL = frozenset({Decoder.SUPERTAG, Decoder.SUPERTAG_FOREST})

REASONS = {
    "exhausted": "no derivation covers all words with the tags that were kept",
    "forest": "the forest reached its limit",
    "agenda": "the agenda reached its limit",
    "recursive_units": "the recursive units reached their limit",
    "words": "the sentence has more words than the limit",
    "seconds": "the time was up",
    "interrupted": "it was interrupted",
}
"""What a search that ended without a proof says in words."""


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
        self.options = options or default_options(global_model.decoder if global_model else Decoder.SUPERTAG)

    @overload
    def parse(self, text: str, *, options: Options | None = None) -> ParseOutcome: ...
    @overload
    def parse(
        self, text: list[str] | list[Text] | tuple[Text, ...], *, options: Options | None = None
    ) -> list[ParseOutcome]: ...

    def parse(
        self, text: str | list[str] | list[Text] | tuple[Text, ...], *, options: Options | None = None
    ) -> ParseOutcome | list[ParseOutcome]:
        """The outcome of a sentence, or of each of several; a list of words stands for a sentence already tokenised."""
        if isinstance(text, str):
            return self._parse([words_of(text)], options)[0]
        return self._parse([words_of(each) for each in text], options)

    def pipe(
        self, texts: Iterable[Text], *, batch_size: int = 256, options: Options | None = None
    ) -> Iterator[ParseOutcome]:
        """The outcomes of a stream of sentences, in order; only ``batch_size`` of them are in memory at a time."""
        if batch_size < 1:
            raise ValueError(f"a batch holds at least one sentence, not {batch_size}")
        stream = iter(texts)
        while batch := list(itertools.islice(stream, batch_size)):
            yield from self._parse([words_of(text) for text in batch], options)

    def tag(self, sentences: Sequence[Sequence[str]], decoder: Decoder) -> list[TaggedSentence]:
        """The sentences as the search takes them: tags and, for a decoder that needs them, the leaf states."""
        tagged = self.tagger.tag(sentences)
        if self.global_model is None or decoder in NEED_NO_MODEL:
            return tagged
        states = self.global_model.leaf_states(sentences)
        return [replace(sentence, states=found) for sentence, found in zip(tagged, states, strict=True)]

    def _parse(self, sentences: list[tuple[str, ...]], options: Options | None) -> list[ParseOutcome]:
        options = self.options if options is None else options
        model = None if options.decoder in NEED_NO_MODEL else self.tree_lstm
        if model is None and options.decoder not in NEED_NO_MODEL:
            raise ValueError(f"the model {self.name!r} has no global model, which the decoder {options.decoder} needs")
        outcomes: list[ParseOutcome | None] = [refuse(words) for words in sentences]
        todo = [number for number, outcome in enumerate(outcomes) if outcome is None]
        tagged = self.tag([sentences[number] for number in todo], options.decoder)
        found = search_batch(self.search_table, tagged, options, model, threads=self.threads)
        for number, outcome in zip(todo, found, strict=True):
            outcomes[number] = self.outcome(sentences[number], outcome)
        return [outcome for outcome in outcomes if outcome is not None]

    def outcome(self, words: tuple[str, ...], outcome: Outcome) -> ParseOutcome:
        """What a search found, in categories and words."""
        parses = tuple(
            ParsedDerivation(build_derivation(parse.nodes, self.table, words), parse.certificate)
            for parse in outcome.parses
        )
        certificate = outcome.certificate
        reason = REASONS.get(certificate.stopped, certificate.stopped)
        if not parses:
            return Failed(words, reason, certificate)
        if certificate.stopped:
            return BackedOff(words, parses, certificate, reason)
        return Parsed(words, parses, certificate)


def default_options(decoder: Decoder, nbest: int = 1) -> Options:
    """The options a decoder works best with: a model tells parses apart by itself, tags alone need the tie-breaks."""
    if decoder in NEED_NO_MODEL:
        return Options(decoder=decoder, nbest=nbest, unary_cost=UNARY_COST, distance_cost=DISTANCE_COST)
    return Options(decoder=decoder, nbest=nbest)


def words_of(text: Text) -> tuple[str, ...]:
    """The words of a sentence: tokenised if it is a text, taken as they are if it is a list."""
    return tuple(token.text for token in tokenise(text)) if isinstance(text, str) else tuple(text)


def refuse(words: tuple[str, ...]) -> Failed | None:
    """A failure for what no tagger can read; None for a sentence."""
    if not words:
        return Failed(words, "there are no words")
    for position, word in enumerate(words, 1):
        if not isinstance(word, str) or not word or word.isspace():
            return Failed(words, f"word {position} is empty")
    return None
