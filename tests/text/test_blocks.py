"""Text that is not prose: headings, lists, tables and code are separated, not glued to the next sentence."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.text import language_of, sentences
from starccg.text.blocks import mark_blocks, mask_markdown
from tests.strategies import examples


def split(text: str, *, markdown: bool = False) -> list[str]:
    return [" ".join(sentence.words) for sentence in sentences(text, markdown=markdown)]


PLAIN = {
    "heading": (
        "Getting started\nInstall the package first, and then open a terminal in its folder.",
        ["Getting started", "Install the package first , and then open a terminal in its folder ."],
    ),
    "bullets": (
        "We need:\n- milk\n- fresh bread\nand nothing else",
        ["We need :", "- milk", "- fresh bread and nothing else"],
    ),
    "bullets after a line that goes on": (
        "We buy\n* milk\n* bread\nToday we bake.",
        ["We buy", "* milk", "* bread Today we bake ."],
    ),
    "numbers in lower case": (
        "Before\n1. number one\n2. number two",
        ["Before", "1 . number one", "2 . number two"],
    ),
    "fenced code": (
        "Run this\n```\nx = 1\n\ny = 2\n```\nMore text follows.",
        ["Run this", "`` `", "x = 1", "y = 2", "`` `", "More text follows ."],
    ),
    "a fence that is not closed": ("He wrote\n``` and stopped.", ["He wrote `` ` and stopped ."]),
    "a heading with its mark": (
        "# Heading of some words\nText begins here.\n## next\nAnd here",
        ["# Heading of some words", "Text begins here .", "## next", "And here"],
    ),
    "two columns": ("name\tage\nAnn\t30\nand the end of it", ["name age", "Ann 30", "and the end of it"]),
    "a tab in a wrapped sentence": ("The old\tman\nwalked home.", ["The old man walked home ."]),
    "numbers": ("Steps\n1. Open the door\n2) Go in", ["Steps", "1 . Open the door", "2 ) Go in"]),
    "underlined": ("News\n====\nIt rained.", ["News", "====", "It rained ."]),
    "table": ("name\tage\tcity\nAnn\t30\tRome", ["name age city", "Ann 30 Rome"]),
    "wrapped": (
        "The committee that the new director of the\nMuseum of Modern Art had chosen met on\nMonday.",
        ["The committee that the new director of the Museum of Modern Art had chosen met on Monday ."],
    ),
    "a list within a list": (
        "- one\n  1. two\n     goes on\n   * three",
        ["- one", "1 . two goes on", "* three"],
    ),
    "the head of a letter": (
        "From: Ann\nSubject: lunch\nDate: 3 May\nNote: this text\nis wrapped",
        ["From : Ann", "Subject : lunch", "Date : 3 May", "Note : this text", "is wrapped"],
    ),
    "a colon in a wrapped sentence": ("He wrote this\nNote: stay here", ["He wrote this Note : stay here"]),
    "a dash in a wrapped sentence": (
        "He opened the door of the old house\n- and closed it again",
        ["He opened the door of the old house - and closed it again"],
    ),
}


@pytest.mark.parametrize("name", PLAIN)
def test_blocks_of_plain_text_are_sentences_of_their_own(name: str) -> None:
    text, expected = PLAIN[name]
    assert split(text) == expected


MARKDOWN = """---
title: ignored
---
# The *first* heading #
Some **bold** text with a [link](https://example.org/a_b "title") and `code`.
It goes on
over two lines.

Another heading
---------------
> A quotation. It has two sentences.

* first item
  goes on
* [x] second item
1. third item

| name | age |
|------|----:|
| Ann  | 30  |

```python
def ignored(): ...

```
![A picture](a.png) <b>of</b> snake_case and 2 * 3 \\* 4.
[ref]: https://example.org
"""


def test_markdown_is_read_as_its_reader_sees_it() -> None:
    assert split(MARKDOWN, markdown=True) == [
        "The first heading",
        "Some bold text with a link and code .",
        "It goes on over two lines .",
        "Another heading",
        "A quotation .",
        "It has two sentences .",
        "first item goes on",
        "second item",
        "third item",
        "name",
        "age",
        "Ann",
        "30",
        "A picture of snake_case and 2 * 3 * 4 .",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Before.\n```python\nnever = 1\n\nclosed", ["Before ."]),
        ("~~~\nx\n```\ny\n~~~\nAfter.", ["After ."]),
        ("> # Title\n> text\n\n| a |\n|:-:|\n|", ["Title", "text", "a"]),
        ("a \0block\0b\n\0block\0 c", ["a block b block c"]),
        ("One <!-- a\n<!-- not <b>this</b> --> two", ["One < ! -- a two"]),
        ("", []),
    ],
)
def test_unusual_markdown_is_read_too(text: str, expected: list[str]) -> None:
    assert split(text, markdown=True) == expected


SIGNS = st.text(st.sampled_from("aA1 \n\t.-*#>|`~_[]()=:<!\\\f\0block") | st.characters(), max_size=80)


@given(SIGNS)
@examples(300)
def test_masking_keeps_every_place_and_adds_no_signs(text: str) -> None:
    for masked in (mark_blocks(text), mask_markdown(text)):
        assert len(masked) == len(text)
        assert all(now == was or now in " \f" for now, was in zip(masked, text, strict=True))
    for markdown in (False, True):
        for sentence in sentences(text, markdown=markdown):
            assert all(text[token.start : token.end] == token.text for token in sentence.tokens)


@given(SIGNS)
@examples(100)
def test_plain_text_loses_no_sign(text: str) -> None:
    assert "".join(mark_blocks(text).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "piece", ["[", "*a", "`", "|", "# ", "> ", "- ", "[a](", "<a", "a\n", "\n\n", "_", "===\n", "1. "]
)
def test_time_is_linear_in_the_length(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    began = time.perf_counter()
    mark_blocks(text)
    mask_markdown(text)
    assert time.perf_counter() - began < 2.0


BLANKS = " " * 80_000


@pytest.mark.parametrize(
    "text",
    [
        f"---{BLANKS}x",
        f"{BLANKS}|x",
        f"{BLANKS}|\ny",
        f"={BLANKS}x\ny",
        f"|-|-{BLANKS}x",
        "<!--" * 40_000,
    ],
    ids=range(6),
)
def test_time_is_linear_in_the_length_of_a_line(text: str) -> None:
    began = time.process_time()
    mark_blocks(text)
    mask_markdown(text)
    assert time.process_time() - began < 2.0


TEXTS = {
    "The old man sat on the bench and looked at the birds that were in the tree for a long time.": "English",
    "Der alte Mann saß auf der Bank und sah die Vögel, die in dem Baum waren, und er war nicht allein.": "German",
    "Le vieil homme est sur le banc et il regarde les oiseaux qui sont dans un arbre avec une fille.": "French",
    "И он и она и мы и вы и они и я и ты и кто и что и где и как и там": "Cyrillic script",
    "Das ist ein Satz, den niemand auf Englisch lesen kann, und er ist ziemlich lang.": "German",
    "Je ne sais pas ce que vous avez dans la tête.": "French",
    "The die was cast in the den of the man.": "English",
    "Die Hard plays at noon in Den Haag today": None,
    "Rain. Snow.": None,
    "kumquat " * 30: None,
    "": None,
}


@pytest.mark.parametrize("text", TEXTS)
def test_the_language_is_named_where_it_is_clear(text: str) -> None:
    assert language_of(text.split()) == TEXTS[text]
