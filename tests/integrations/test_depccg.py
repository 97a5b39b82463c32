"""depccg, the real package: its trees, its printers, and the ccg2lambda that it contains."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

depccg = pytest.importorskip("depccg", exc_type=ImportError)

from depccg.printer import to_string  # noqa: E402
from depccg.tree import ScoredTree  # noqa: E402

import starccg  # noqa: E402
from starccg.formats.auto import read_auto  # noqa: E402
from starccg.formats.registry import format_named  # noqa: E402
from starccg.integrations.depccg import EnglishCCGParser, to_tree  # noqa: E402

SENTENCES = [
    "Fruit flies like bananas.",
    "The report that she wrote surprised everyone.",
    "Every dog saw some cats.",
    "John likes and Mary hates the old song.",
    "She quickly read the book in the garden.",
    "He gave up.",
]


@pytest.fixture(scope="module")
def parser() -> EnglishCCGParser:
    return EnglishCCGParser()


def test_parse_doc_returns_scored_trees_with_lemmas(parser: EnglishCCGParser) -> None:
    ((best,),) = parser.parse_doc([["Every", "dog", "saw", "cats", "."]])
    assert isinstance(best, ScoredTree)
    assert str(best.tree.cat) == "S[dcl]"
    assert best.score < 0
    assert [(token.word, token.lemma, token.pos) for token in best.tree.tokens] == [
        ("Every", "every", "DT"),
        ("dog", "dog", "NN"),
        ("saw", "see", "VBD"),
        ("cats", "cat", "NNS"),
        (".", ".", "."),
    ]


def test_a_sentence_without_a_parse_has_no_trees(parser: EnglishCCGParser) -> None:
    assert parser.parse_doc([[], "It works."])[0] == []


@pytest.mark.parametrize("form", ["auto", "auto_extended", "conll", "xml", "jigg_xml", "json", "prolog", "ptb"])
def test_depccgs_printers_print_the_trees(parser: EnglishCCGParser, form: str) -> None:
    assert to_string(parser.parse_doc(SENTENCES), format=form)


def test_what_depccg_writes_is_the_parse(parser: EnglishCCGParser) -> None:
    outcome = starccg.load().parse("He gave up.", annotate=True)
    assert outcome
    text = to_string([[ScoredTree(to_tree(outcome.parses[0]), 0.0)]], format="auto")
    (read,) = read_auto(text.splitlines())
    assert read.derivation.supertags == outcome.parses[0].supertags
    assert read.derivation.words == outcome.parses[0].words


def test_ccg2lambda_makes_a_formula_with_our_lemmas(parser: EnglishCCGParser) -> None:
    lines = to_string(parser.parse_doc(SENTENCES), format="ccg2lambda").splitlines()
    formulas = lines[1::2]
    assert len(formulas) == len(SENTENCES)
    assert all("exists" in formula or "all " in formula for formula in formulas), formulas
    assert all(predicate in formulas[2] for predicate in ("_dog(", "_see(", "_cat(")), formulas[2]


def test_ccg2lambda_reads_our_jigg_xml_with_lemmas(parser: EnglishCCGParser) -> None:
    from depccg.instance_models import SEMANTIC_TEMPLATES  # noqa: PLC0415
    from depccg.semantics.ccg2lambda import parse as ccg2lambda  # noqa: PLC0415
    from lxml import etree  # noqa: PLC0415

    outcomes = starccg.load().parse(SENTENCES, annotate=True)
    trees = [starccg.Sentence(str(number), outcome.parses[0]) for number, outcome in enumerate(outcomes, 1)]
    text = "\n".join(format_named("jigg_xml").write(trees))
    assert ElementTree.fromstring(text) is not None
    _, formulas = ccg2lambda.parse(etree.fromstring(text.encode()), str(SEMANTIC_TEMPLATES["en"]), ncores=1)
    assert len(formulas) == len(SENTENCES)
    assert "_see(" in formulas[2][0]
