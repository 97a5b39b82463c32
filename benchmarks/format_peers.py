"""Whether the tools that our formats are for read what we write, and we what they write: depccg and ccg2lambda.

    python benchmarks/format_peers.py [FILE.auto]

Needs an environment with depccg (and its lxml, nltk, torch); ccg2lambda comes with it. Without a file, sentences are
made up. Prints one JSON line a check: how many trees went through and came out the same.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from depccg.instance_models import SEMANTIC_TEMPLATES
from depccg.printer import to_string
from depccg.semantics.ccg2lambda import parse as ccg2lambda
from depccg.tools.reader import read_auto as peer_auto
from depccg.tools.reader import read_jigg_xml as peer_jigg
from depccg.tools.reader import read_xml as peer_xml
from depccg.tree import ScoredTree
from formats import sentence
from lxml import etree

from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.formats.auto import read_auto
from starccg.formats.files import write
from starccg.formats.registry import format_named

Shape = list[str]


def plain(word: str) -> str:
    """A word with its brackets: depccg writes the Penn Treebank's names for them, and two of its own."""
    for name, bracket in zip(("LRB", "RRB", "LCB", "RCB", "LSB", "RSB", "LAB", "RAB"), "(){}[]<>", strict=True):
        word = word.replace(f"-{name}-", bracket)
    return word


def ours(derivation: Derivation) -> Shape:
    """The tree as what both sides agree on: categories, words and how they hang together, from left to right."""
    found: Shape = []
    for node in derivation.postorder():
        found += [str(node.category), plain(node.word) if isinstance(node, Leaf) else str(len(node.children))]
    return found


def theirs(tree: Any) -> Shape:
    category = str(tree.cat).replace("=true", "")  # as Jigg writes features; depccg leaves it so
    if tree.is_leaf:
        return [category, plain(tree.word)]
    inner = [part for child in tree.children for part in theirs(child)]
    return [*inner, category, str(len(tree.children))]


def report(what: str, expected: list[Shape], found: Iterable[Shape]) -> None:
    got = list(found)
    same = sum((Counter(map(tuple, expected)) & Counter(map(tuple, got))).values())
    print(json.dumps({"check": what, "sentences": len(expected), "read": len(got), "same": same}))


def read_by_depccg(reader: Callable[[str], Iterator[Any]], path: Path) -> Iterator[Shape]:
    return (theirs(result.tree) for result in reader(str(path)))


def formulas(path: Path) -> list[str]:
    """What ccg2lambda makes of a Jigg file."""
    with contextlib.redirect_stdout(io.StringIO()):
        _, found = ccg2lambda.parse(etree.parse(str(path)).getroot(), str(SEMANTIC_TEMPLATES["en"]), ncores=1)
    return [formula for several in found for formula in several]


def main() -> None:
    logging.disable(logging.CRITICAL)
    rng = random.Random(1)
    made_up = (sentence(rng, number) for number in range(200))
    given: Iterable[Sentence] = read_auto(sys.argv[1]) if len(sys.argv) > 1 else made_up
    sentences = [replace(each, conj_suffix=False) for each in given]  # depccg takes X[conj] for a feature
    expected = [ours(each.derivation) for each in sentences]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for ending, reader in ((".auto", peer_auto), (".candc.xml", peer_xml), (".jigg.xml", peer_jigg)):
            write(folder / f"x{ending}", sentences)
            report(f"depccg reads {ending}", expected, read_by_depccg(reader, folder / f"x{ending}"))
        trees = [[ScoredTree(result.tree, 0.0)] for result in peer_auto(str(folder / "x.auto"))]
        pairs = [("auto", "auto"), ("auto_extended", "auto_extended"), ("conll", "conll"), ("ptb", "ptb")]
        for peer, own in [*pairs, ("xml", "candc_xml"), ("jigg_xml", "jigg_xml")]:
            (folder / own).write_text(to_string(trees, format=peer), encoding="utf-8")
            report(
                f"we read depccg's {peer}",
                expected,
                (ours(s.derivation) for s in format_named(own).read(folder / own, [])),
            )
        found = formulas(folder / "x.jigg.xml")
        good = [formula for formula in found if formula != "FAILED!"]
        print(
            json.dumps({"check": "ccg2lambda makes formulas of .jigg.xml", "sentences": len(found), "made": len(good)})
        )
        print(json.dumps({"formula": min(good, key=len, default="")}))


if __name__ == "__main__":
    main()
