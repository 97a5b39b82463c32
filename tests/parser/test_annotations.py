"""Parts of speech and lemmas: in the leaves when asked for, and through every format that has a place for them."""

from __future__ import annotations

import pytest

import starccg
from starccg import Leaf, Parser, Sentence
from starccg.formats.registry import format_named

WITH_LEMMAS = ("auto_extended", "conll", "candc_xml", "jigg_xml", "prolog", "json", "jsonl")


@pytest.fixture(scope="module")
def parser() -> Parser:
    return starccg.load()


def leaves(parser: Parser, text: str, **settings: bool) -> list[tuple[str, str, str | None]]:
    outcome = parser.parse(text, **settings)  # type: ignore[arg-type]
    assert outcome
    return [(leaf.word, leaf.pos, leaf.lemma) for leaf in outcome.parses[0].leaves()]


def test_words_have_no_part_of_speech_and_no_lemma_unless_asked_for(parser: Parser) -> None:
    assert leaves(parser, "It works.") == [("It", "X", None), ("works", "X", None), (".", "X", None)]


def test_words_have_part_of_speech_and_lemma_where_asked_for(parser: Parser) -> None:
    found = leaves(parser, "The children were running.", annotate=True)
    assert found == [
        ("The", "DT", "the"),
        ("children", "NNS", "child"),
        ("were", "VBD", "be"),
        ("running", "VBG", "run"),
        (".", ".", "."),
    ]


def test_annotating_changes_neither_the_parse_nor_its_score(parser: Parser) -> None:
    plain, annotated = (parser.parse("Mice ate the cheese.", annotate=asked) for asked in (False, True))
    assert plain and annotated
    assert plain.best.supertags == annotated.best.supertags
    assert plain.best.score == annotated.best.score


def test_every_parse_of_a_list_is_annotated(parser: Parser) -> None:
    outcome = parser.parse("She saw the man with the telescope.", nbest=3, annotate=True)
    assert [[leaf.lemma for leaf in parse.leaves()][1] for parse in outcome.parses] == ["see"] * 3


def test_a_sentence_whose_tags_had_to_be_widened_keeps_its_annotations(parser: Parser) -> None:
    outcome = parser.parse("Dogs bark.", beam="proved", annotate=True)
    assert [leaf.lemma for leaf in outcome.parses[0].leaves()] == ["dog", "bark", "."]


@pytest.mark.parametrize("name", WITH_LEMMAS)
def test_lemmas_and_parts_of_speech_come_back_from_a_file(parser: Parser, name: str) -> None:
    outcome = parser.parse_words(["Children", "love", "New York", ":>)"], annotate=True)
    assert outcome
    form = format_named(name)
    (read,) = form.read("\n".join(form.write([Sentence("1", outcome.parses[0])])).splitlines())
    kept = [(leaf.word, leaf.pos, leaf.lemma) for leaf in read.derivation.leaves()]
    known = [(leaf.word, leaf.pos, leaf.lemma) for leaf in outcome.parses[0].leaves()]
    if name == "prolog":  # which writes the word in lower case for a lemma that is not known
        known = [(word, pos, None if lemma == word.lower() else lemma) for word, pos, lemma in known]
    assert kept[:2] == known[:2]
    assert kept[0] == ("Children", "NNS", "child")
    assert [pos for _, pos, _ in kept] == [pos for _, pos, _ in known]


def test_a_lemma_that_would_end_a_leaf_of_extended_auto_is_left_out() -> None:
    form = format_named("auto_extended")
    leaf = Leaf(starccg.Category.parse("N"), "smile", "NN", "NN", lemma=":>)")
    (read,) = form.read(list(form.write([Sentence("1", leaf)])))
    assert read.derivation == Leaf(leaf.category, "smile", "NN", "NN")


def test_a_model_without_these_outputs_says_so(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(parser.tagger.manifest, "lemma")
    with pytest.raises(ValueError, match="trained without parts of speech and lemmas"):
        parser.parse("It works.", annotate=True)


def test_annotations_survive_pickling_and_json(parser: Parser) -> None:
    import pickle  # noqa: PLC0415

    from starccg.outcome_json import outcome_from_json  # noqa: PLC0415

    outcome = parser.parse("Mice sleep.", annotate=True)
    assert pickle.loads(pickle.dumps(outcome)).best == outcome.parses[0]
    assert outcome_from_json(outcome.to_dict()).parses[0] == outcome.parses[0]
