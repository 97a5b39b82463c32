"""Parts of speech and lemmas of training sentences, from the CoNLL-U files that they were converted from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from starccg.tagger.lemmas import lemma_rule
from starccg.training.data import Example, text_lines

Notes = Mapping[str, tuple[str, ...]]
"""By the name of the annotation, one value a word; an empty one is not known."""

_FORM, _LEMMA, _XPOS = 1, 2, 4
_SAME = {"?": ".", "!": "."}
"""Tags of the end of a sentence, which not all treebanks write as the Penn Treebank does."""


def read_notes(path: Path) -> dict[str, tuple[tuple[str, ...], Notes]]:
    """By the name of the sentence, its words and their notes."""
    found: dict[str, tuple[tuple[str, ...], Notes]] = {}
    for name, rows in _sentences(path):
        words = tuple(row[_FORM] for row in rows)
        pos = tuple("" if row[_XPOS] == "_" else _SAME.get(row[_XPOS], row[_XPOS]) for row in rows)
        lemmas = tuple(
            "" if row[_LEMMA] == "_" and row[_FORM] != "_" else lemma_rule(row[_FORM], row[_LEMMA]) for row in rows
        )
        found[name] = (words, {"pos": pos, "lemma": lemmas})
    return found


def notes_of(examples: Sequence[Example], found: Mapping[str, tuple[tuple[str, ...], Notes]]) -> dict[str, Notes]:
    """The notes of the examples, by name, where their words are those of the file."""
    chosen = {}
    for example in examples:
        words, notes = found.get(example.id, ((), {}))
        if len(words) == len(example.words):
            chosen[example.id] = notes
    return chosen


def _sentences(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """Names as the conversion writes them, and the rows of whole words (no ranges, no empty nodes)."""
    name, count, rows = "", 0, list[list[str]]()
    for line in (*text_lines(path), ""):
        if line.startswith("# sent_id"):
            name = "_".join(line.partition("=")[2].split())
        elif not line.strip():
            if rows:
                count += 1
                yield name or str(count), rows
            name, rows = "", []
        elif not line.startswith("#"):
            columns = line.split("\t")
            if len(columns) > _XPOS and columns[0].isdigit():
                rows.append(columns)
