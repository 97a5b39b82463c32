"""CoNLL-U: Universal Dependencies, read as the derivations that they are converted to."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator

from starccg.ccg.derivation import Sentence
from starccg.formats.errors import FormatError, FormatWarning, Source, numbered_lines, report
from starccg.treebanks.ud import ConlluError, convert
from starccg.treebanks.ud.conllu import read_sentence


def read_conllu(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file in order, converted to CCG.

    A malformed sentence raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped. A
    sound tree that the conversion has no derivation for is left out; a :class:`FormatWarning` at the end says how many.
    """
    count, reasons, name = 0, Counter[str](), "<lines>"
    for name, start, block in _blocks(source, bad):
        try:
            tree = read_sentence(block, start, name)
        except ConlluError as error:
            report(FormatError(name, error.line, 1, error.reason), bad)
            continue
        count += 1
        result = convert(tree)
        if result.derivation is None:
            reasons[result.reason] += 1
        else:
            name_of_tree = "_".join(tree.id.split()) or str(count)  # most formats do not allow spaces in a name
            yield Sentence(name_of_tree, result.derivation, (("PARSER", "UD"), ("NUMPARSE", "1")), True)
    if reasons:
        why = ", ".join(f"{reason} ({number})" for reason, number in reasons.most_common(3))
        warnings.warn(
            f"{name}: {reasons.total()} of {count} sentences have no derivation and are left out; most often: {why}",
            FormatWarning,
            stacklevel=2,
        )


def _blocks(source: Source, bad: list[FormatError] | None) -> Iterator[tuple[str, int, list[str]]]:
    """Sentences as lines between empty lines, with the number of the first."""
    name, start, block = "<lines>", 1, list[str]()
    for name, number, line in numbered_lines(source, bad):
        if line.strip():
            if not block:
                start = number
            block.append(line)
        elif block:
            yield name, start, block
            block = []
    if block:
        yield name, start, block
