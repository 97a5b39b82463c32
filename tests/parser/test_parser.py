"""The default model, end to end: what a user can give it, and what comes back."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import starccg
from starccg.ccg.licensing import licensed
from starccg.cli import app
from starccg.errors import StarccgError
from starccg.model_folder.find import available, find
from starccg.outcome import BackedOff, Failed, Parsed
from starccg.parser import Parser
from starccg.search.options import Decoder, Limits, Options
from starccg.text import tokenise
from tests.strategies import examples

SENTENCES = [
    "Time flies like an arrow.",
    "What did the committee decide to recommend?",
    "She gave the dog that barked a bone, but it didn't eat it.",
    "Where is the station?",
    "Close the door, please!",
]


@cache
def parser() -> Parser:
    return starccg.load()


@pytest.mark.parametrize("text", SENTENCES)
def test_a_plain_sentence_is_parsed_and_proved_best(text: str) -> None:
    outcome = parser().parse(text)
    assert type(outcome) is Parsed
    assert outcome.certificate.optimal
    assert outcome.certificate.gap == 0
    assert outcome.best.words == list(outcome.words)
    assert outcome.best.category in parser().grammar.roots
    assert all(licensed(node, parser().grammar) for node in outcome.best)


def test_the_textbook_sentence_has_the_textbook_parse() -> None:
    outcome = parser().parse("Time flies like an arrow.")
    assert isinstance(outcome, Parsed)
    assert [str(tag) for tag in outcome.best.supertags] == ["N", r"S[dcl]\NP", r"((S\NP)\(S\NP))/NP", "NP/N", "N", "."]
    assert {(d.head, d.slot, d.argument) for d in outcome.best.dependencies} == {
        (1, 1, 0),
        (2, 2, 1),
        (2, 3, 4),
        (3, 1, 4),
    }


def test_an_extracted_object_is_found_across_the_clause() -> None:
    outcome = parser().parse("The report that she wrote surprised everyone.")
    assert isinstance(outcome, Parsed)
    assert (4, 2, 1) in {(d.head, d.slot, d.argument) for d in outcome.best.dependencies}


def test_words_and_text_give_the_same_parse() -> None:
    text, words = parser().parse(["Time flies like an arrow.", ["Time", "flies", "like", "an", "arrow", "."]])
    assert isinstance(text, Parsed) and isinstance(words, Parsed)
    assert text.best == words.best


def test_a_batch_gives_what_single_sentences_give_whatever_the_threads() -> None:
    alone = [parser().parse(text) for text in SENTENCES]
    threaded = starccg.load(threads=2)
    for batch in (parser().parse(SENTENCES), threaded.parse(SENTENCES), list(threaded.pipe(SENTENCES, batch_size=2))):
        for one, other in zip(alone, batch, strict=True):
            assert isinstance(one, Parsed) and isinstance(other, Parsed)
            assert one.best == other.best
            assert abs(one.best.score - other.best.score) < 1e-3


def test_nbest_parses_are_distinct_and_in_order() -> None:
    outcome = parser().parse("Fruit flies like bananas.", options=Options(decoder=Decoder.GLOBAL, nbest=5))
    assert isinstance(outcome, Parsed)
    scores = [parse.score for parse in outcome]
    assert len(scores) == 5 and scores == sorted(scores, reverse=True)
    assert len({parse.to("auto") for parse in outcome}) == 5
    assert {"NP", "S[dcl]"} <= {str(parse.category) for parse in outcome}


@pytest.mark.parametrize("decoder", [decoder for decoder in Decoder if "span" not in decoder])
def test_every_decoder_that_fits_the_model_answers(decoder: Decoder) -> None:
    outcome = parser().parse(SENTENCES[1], options=Options(decoder=decoder))
    assert isinstance(outcome, Parsed)


def test_a_search_stopped_early_backs_off_with_a_gap() -> None:
    options = replace(Options(decoder=Decoder.GLOBAL), limits=Limits(forest=3))
    outcome = parser().parse(SENTENCES[2], options=options)
    assert isinstance(outcome, BackedOff)
    assert outcome.reason
    assert outcome.certificate.upper_bound >= outcome.certificate.score
    best = parser().parse(SENTENCES[2])
    assert isinstance(best, Parsed)
    assert best.best.score <= outcome.certificate.upper_bound + 1e-6


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_nothing_to_parse_is_a_failure_with_a_reason(text: str) -> None:
    outcome = parser().parse(text)
    assert isinstance(outcome, Failed)
    assert outcome.reason == "there are no words"


def test_one_bad_sentence_does_not_spoil_its_neighbours() -> None:
    outcomes = parser().parse(["It works.", "", ["a", " "], "It works."])
    assert [type(outcome) for outcome in outcomes] == [Parsed, Failed, Failed, Parsed]


@given(st.text(max_size=40))
@examples(40)
def test_any_text_has_an_outcome(text: str) -> None:
    assert isinstance(parser().parse(text), Parsed | Failed)


@pytest.mark.parametrize("text", ["a\0b c", "\ud800 lone", "😀 is 👩‍👩‍👧", "שלום עולם", "x" * 10_000, "the " * 300])
def test_hostile_text_has_an_outcome(text: str) -> None:
    options = replace(Options(decoder=Decoder.GLOBAL), limits=Limits(seconds=0.5))
    assert isinstance(parser().parse(text, options=options), Parsed | Failed)


def test_a_model_is_found_by_name_or_refused_with_those_there_are() -> None:
    assert "en" in available()
    assert find("en") == available()["en"]
    with pytest.raises(StarccgError, match=r"no model is called 'xx'.*models here: en"):
        starccg.load("xx")


def test_a_model_without_a_global_model_refuses_the_global_decoder() -> None:
    plain = Parser(parser().tagger, parser().grammar, name="plain")
    assert isinstance(plain.parse("It works."), Parsed)
    with pytest.raises(ValueError, match="has no global model"):
        plain.parse("It works.", options=Options(decoder=Decoder.GLOBAL))


RUN = CliRunner()


def test_the_command_line_gives_one_result_for_every_sentence_in_order() -> None:
    done = RUN.invoke(app, ["parse", "--tokenized", "--format", "json"], input="It works .\n\nTime flies .\n")
    assert done.exit_code == 0
    values = [json.loads(line) for line in done.stdout.splitlines()]
    assert [value["outcome"] for value in values] == ["Parsed", "Failed", "Parsed"]
    assert [value["id"] for value in values] == ["1", "2", "3"]
    assert values[0]["parses"][0]["certificate"]["optimal"] is True


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--format", "xml", "It works."], 2, "use --format with one of auto, "),
        (["--model", "nowhere", "It works."], 1, "no model is called 'nowhere'"),
        (["-i", "nowhere.txt"], 1, "nowhere.txt: cannot be read"),
        (["-i", "README.md", "It works."], 2, "give text or a file"),
        (["--nbest", "0", "It works."], 2, "--nbest"),
        (["--decoder", "magic", "It works."], 2, "--decoder"),
    ],
)
def test_what_a_person_can_get_wrong_is_told(arguments: list[str], code: int, message: str) -> None:
    done = RUN.invoke(app, ["parse", *arguments])
    assert done.exit_code == code
    assert message in done.output


def test_where_the_kept_tags_allow_no_derivation_more_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    own = parser()
    monkeypatch.setattr(own.tagger, "beam", 1.0)  # the best tag of each word alone
    texts = ["Him I never liked.", "That that is is.", "Give whoever asks what they need, won't you?"]
    words = [[token.text for token in tokenise(text)] for text in texts]
    found = own.searcher.search_batch(own.tag(words, Decoder.GLOBAL), own.options)
    lost = [text for text, outcome in zip(texts, found, strict=True) if not outcome.parses]
    assert lost
    assert all(isinstance(own.parse(text), Parsed) for text in lost)
