"""lambeq, the real package: sentences become trees and diagrams."""

from __future__ import annotations

import pytest

lambeq = pytest.importorskip("lambeq", exc_type=ImportError)

from starccg.ccg.category import Category  # noqa: E402
from starccg.errors import StarccgError  # noqa: E402
from starccg.integrations.lambeq import StarCCGParser, to_type  # noqa: E402

SENTENCES = [
    "Fruit flies like bananas.",
    "The report that she wrote surprised everyone.",
    "John likes and Mary hates the old song.",
    "What did she give him?",
    "She quickly read the book in the garden, and he slept.",
    "He gave up.",
    "Alice and Bob ran, jumped and swam.",
    "It was raining when the train arrived.",
]


@pytest.fixture(scope="module")
def parser() -> StarCCGParser:
    return StarCCGParser()


@pytest.mark.parametrize("text", SENTENCES)
def test_a_sentence_becomes_a_diagram(parser: StarCCGParser, text: str) -> None:
    tree = parser.sentence2tree(text)
    assert isinstance(tree, lambeq.CCGTree)
    assert "".join(tree.text.split()) == "".join(text.split())
    diagram = parser.sentence2diagram(text)
    assert isinstance(diagram, lambeq.backend.grammar.Diagram)
    assert diagram.cod == lambeq.AtomicType.SENTENCE


def test_words_and_failures_are_as_lambeq_wants_them(parser: StarCCGParser) -> None:
    words = ["Fruit", "flies", "like", "bananas"]
    assert parser.sentence2tree(words, tokenised=True).text == "Fruit flies like bananas"
    assert parser.sentences2trees(["It works.", ""], suppress_exceptions=True)[1] is None
    with pytest.raises(StarccgError, match="no parse of '': there are no words"):
        parser.sentence2tree("")
    with pytest.raises(ValueError, match="sentences must be a list of texts"):
        parser.sentences2trees([words])


def test_only_allowed_roots_are_taken() -> None:
    noun_phrases = StarCCGParser(root_cats=["NP"])
    assert str(noun_phrases.sentence2tree("Fruit flies like bananas.").biclosed_type) == str(
        to_type(Category.parse("NP"))
    )
    sentences = StarCCGParser(root_cats=["S"])
    assert sentences.sentence2tree("Does it work?").biclosed_type == lambeq.CCGType.SENTENCE


def test_trees_cross_lambeqs_json() -> None:
    tree = StarCCGParser().sentence2tree("The old dog slept.")
    assert lambeq.CCGTree.from_json(tree.to_json()) == tree
