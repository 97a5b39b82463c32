"""What is in a treebank: sizes, categories, rules, what of it the grammar covers, and what was set aside and why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.ccg.english import ENGLISH
from starccg.ccg.grammar import Grammar
from starccg.ccg.induction import Counts
from starccg.ccg.licensing import licensed
from starccg.errors import StarccgError
from starccg.treebanks.gold import GoldSearch, in_normal_form

FIELDS = ("DIALECT", "KEPT", "GOLD", "ASIDE")
"""The fields of a header in which normalisation and gold derivations say what became of a sentence."""


class KnownError(StarccgError):
    """A list of categories that cannot be read."""


@dataclass(slots=True)
class Stats:
    """A treebank in numbers."""

    counts: Counts = field(default_factory=Counts)
    words: int = 0
    longest: int = 0
    nodes: int = 0
    licensed_nodes: int = 0
    licensed_sentences: int = 0
    normal_form_sentences: int = 0
    fields: dict[str, Counter[str]] = field(default_factory=dict)
    """What the headers say of the sentences: ``DIALECT``, ``KEPT``, ``GOLD``, ``ASIDE``."""
    known_words: int | None = None
    """Words whose category is in the list that was given."""
    unknown: Counter[Category] = field(default_factory=Counter)

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return self.counts.sentences

    def to_json(self, most: int | None = None) -> dict[str, Any]:
        """A plain value; ``most`` bounds the long lists."""
        counts = self.counts
        value: dict[str, Any] = {
            "sentences": self.sentences,
            "words": self.words,
            "mean_length": self.words / max(1, self.sentences),
            "longest": self.longest,
            "categories": len(counts.lexical),
            "category_counts": _plain(counts.lexical, most),
            "rules": {rule.name.lower(): times for rule, times in counts.rules.most_common()},
            "unary": {f"{c.child} -> {c.result}": times for c, times in counts.unary.most_common(most)},
            "comma_rules": {
                f"{rule.left} {rule.right} -> {rule.result}": times
                for rule, times in counts.comma_rules.most_common(most)
            },
            "pairs": len(counts.pairs),
            "roots": _plain(counts.roots, most),
            "coverage": {
                "nodes": self.nodes,
                "licensed_nodes": self.licensed_nodes,
                "licensed_sentences": self.licensed_sentences,
                "normal_form_sentences": self.normal_form_sentences,
            },
            "unlicensed": {
                f"{left} {right} -> {result}": times
                for (left, right, result), times in counts.unlicensed.most_common(most)
            },
            "fields": {name: dict(found.most_common()) for name, found in self.fields.items()},
        }
        if self.known_words is not None:
            value["known"] = {
                "words": self.known_words,
                "share": self.known_words / max(1, self.words),
                "unknown": _plain(self.unknown, most),
            }
        return value


def _plain(counted: Counter[Category], most: int | None) -> dict[str, int]:
    return {str(category): times for category, times in counted.most_common(most)}


def stats(sentences: Iterable[Sentence], grammar: Grammar = ENGLISH, known: frozenset[Category] | None = None) -> Stats:
    """Count a treebank; coverage is that of ``grammar``, ``known`` a list of categories to hold the words against."""
    found = Stats(known_words=None if known is None else 0)
    named = GoldSearch(grammar).named
    seen: dict[tuple[Category, ...], bool] = {}  # a treebank has few kinds of nodes

    def is_licensed(node: Derivation) -> bool:
        kind = (node.category, *(child.category for child in node.children))
        if kind not in seen:
            seen[kind] = licensed(node, grammar)
        return seen[kind]

    for sentence in sentences:
        derivation = named(sentence.derivation)
        found.counts.add(derivation)
        nodes = list(derivation.postorder())
        words = [node.category.bare_nb for node in nodes if isinstance(node, Leaf)]
        if known is not None and found.known_words is not None:
            unknown = [category for category in words if category not in known]
            found.unknown.update(unknown)
            found.known_words += len(words) - len(unknown)
        all_licensed = sum(map(is_licensed, nodes))
        found.nodes += len(nodes)
        found.licensed_nodes += all_licensed
        found.words += len(words)
        found.longest = max(found.longest, len(words))
        whole = all_licensed == len(nodes)
        found.licensed_sentences += whole
        found.normal_form_sentences += whole and in_normal_form(derivation, grammar, checked=True)
        for key, value in sentence.fields:
            if key in FIELDS:
                found.fields.setdefault(key, Counter())[value] += 1
    return found


def read_known(path: str | Path) -> frozenset[Category]:
    """A list of categories: one on each line, or JSON, a list or an object that has one as ``targets``."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise KnownError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise KnownError(f"{path}: cannot be read: not UTF-8") from error
    names: object = text.splitlines()
    if text.lstrip().startswith(("{", "[")):
        try:
            names = json.loads(text)
        except json.JSONDecodeError as error:
            raise KnownError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
        if isinstance(names, dict):
            names = names.get("targets")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise KnownError(f"{path}: expected a list of categories, or an object with one as 'targets'")
    try:
        return frozenset(Category.parse(name.strip()).bare_nb for name in names if name.strip())
    except CategoryError as error:
        raise KnownError(f"{path}: {error}") from error
