r"""Known mistakes of CCGbank, repaired as the file is read.

What is meant is known from the other readers of CCGbank; anything else that cannot be read is skipped and counted by
the caller. Every repair that is used is recorded.

| in the file | repaired |
|---|---|
| ``((S[b]\NP)/NP)/``, a category that ends in a slash (wsj_0595.15) | ``(S[b]\NP)/NP`` |
| ``NP_12``, ``NP_12:B``, an index in a category column | ``NP`` |
| ``conj[conj]``, a mark and a conjunction | ``conj`` |
| a unary node with the category of its child | the child |
| a line that is not UTF-8 | Latin-1 |
| PARG: ``-colon-`` for the word ``:`` | ``:`` |
| PARG: a dependency of the word ``null``, which the sentence does not have | left out |
| PARG: a slot that the category does not have | left out |
| PARG: a last column other than ``<XB>`` and ``<XU>`` | left out |
| PARG: fewer than half of the words differ from those of the derivation | their positions count |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from starccg.ccg.category import Category, CategoryError
from starccg.ccg.derivation import Derivation, Sentence, Unary
from starccg.ccg.licensing import annotate
from starccg.dependencies.types import Reach

_COLUMN = re.compile(r"(?<=\(<[LT] )\S+")
"""The category of a node or leaf."""
_OPEN_ENDED = re.compile(r"\((\S+)\)[/\\]\Z")
_INDEX = re.compile(r"_\d+(?::[A-Z])?")
_PARG_LINE = re.compile(r"\s*(\d{1,6})\s+(\d{1,6})\s+(\S+)\s+(\d{1,6})\s+(\S+)\s+(\S+)(.*)\Z", re.ASCII)
_REACHES = frozenset(Reach)
_PARG_HEADER = re.compile(r'\s*<s id="([^"]*)">')


@dataclass
class Repairs:
    """The repairs that were used: the sentence and what was repaired."""

    used: list[tuple[str, str]] = field(default_factory=list)

    def note(self, sentence: str, text: str) -> None:
        """Record a repair."""
        self.used.append((sentence, text))

    def lines(self, path: Path) -> Iterator[str]:
        """The lines of a file."""
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    self.note(path.name, "line that is not UTF-8 read as Latin-1")
                    text = line.decode("latin-1")
                yield text.rstrip("\r\n")

    def auto(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines of an AUTO file, repaired."""
        name = ""
        for line in lines:
            if line.startswith("ID="):
                name = line.split()[0].removeprefix("ID=")
            parts, end = [], 0
            for found in _COLUMN.finditer(line):
                parts += [line[end : found.start()], self._category(found[0], name)]
                end = found.end()
            yield "".join((*parts, line[end:]))

    def parg(self, lines: Iterable[str], words: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """The lines of a PARG file, repaired; ``words`` are those of the derivations. A line left out becomes empty."""
        name = ""
        for line in lines:
            if header := _PARG_HEADER.match(line):
                name = header[1]
            found = _PARG_LINE.match(line)
            yield line if found is None else self._dependency(found, name, words.get(name, ()))

    def _dependency(self, found: re.Match[str], name: str, words: Sequence[str]) -> str:
        argument, head, category, slot, first, second, rest = found.groups()
        pair = []
        for place, word in ((int(argument), first), (int(head), second)):
            own = words[place] if place < len(words) else word
            if word == "null" and own != "null":
                self.note(name, "dependency of the word null left out")
                return ""
            colon = word == "-colon-" and own == ":"
            if colon:
                self.note(name, "word -colon- read as :")
            pair.append(own if colon else word)
        category = self._category(category, name)
        try:
            arity = Category.parse(category).arity
        except CategoryError:
            arity = int(slot)
        if not 1 <= int(slot) <= arity:
            self.note(name, f"dependency of slot {slot} of {category} left out")
            return ""
        reach = rest.split()
        if len(reach) == 1 and reach[0] not in _REACHES:
            self.note(name, f"column {reach[0]} of a dependency left out")
            rest = ""
        return f"{argument} \t {head} \t {category} \t {slot} \t {pair[0]} {pair[1]}{rest}"

    def words(self, name: str, words: Sequence[str], mentioned: Sequence[str | None]) -> str | None:
        """Why dependencies that mention these words are not a sentence's own; None if they are.

        Where few words differ, the positions of the dependencies count, as in other readers.
        """
        there = [(number, word) for number, word in enumerate(mentioned) if word is not None]
        other = [(number, word) for number, word in there if words[number] != word]
        if other and 2 * len(other) >= len(there):
            number, word = other[0]
            own = words[number]
            return f"word {number} (counting from 0) is {own!r} in the derivation and {word!r} in the dependencies"
        for number, word in other:
            self.note(name, f"word {word} of the dependencies read as {words[number]}")
        return None

    def _category(self, text: str, name: str) -> str:
        fixed = _INDEX.sub("", text) if "_" in text else text
        if found := _OPEN_ENDED.fullmatch(fixed):
            fixed = found[1]
        if fixed == "conj[conj]":
            fixed = "conj"
        if fixed != text:
            self.note(name, f"category {text} read as {fixed}")
        return fixed

    def sentence(self, sentence: Sentence) -> Sentence:
        """A sentence without unary nodes that repeat the category of their child."""
        before = len(self.used)

        def without_repeats(node: Derivation, children: list[Derivation]) -> Derivation:
            if isinstance(node, Unary) and node.category is node.child.category:
                self.note(sentence.id, f"unary node {node.category} -> {node.category} left out")
                return children[0]
            return node.rebuilt(children)

        derivation = sentence.derivation.fold(without_repeats)
        return replace(sentence, derivation=annotate(derivation)) if len(self.used) > before else sentence
