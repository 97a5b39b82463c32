"""What dynamic programming must distinguish: the classes of rule types, and whether the length of unary chains counts.

Two subtrees over one span with one category may be exchanged for each other only if the normal form treats the
rules that built them alike. The native search and the reference in the tests call this module once per table.
"""

from __future__ import annotations

from collections.abc import Sequence

from starccg.ccg.rules import Rule
from starccg.ccg.table import BinaryRule, UnaryRule


def normal_form_classes(
    binary: Sequence[BinaryRule],
    unary: Sequence[UnaryRule],
    allowed: Sequence[Sequence[int]],
    unary_allowed: Sequence[int],
) -> list[int]:
    """The class of each rule type: equal numbers for types that the normal form does not distinguish.

    Only what this table can build counts: masks of rule types that never occur in it are not compared.
    """
    types = len(unary_allowed)
    built = sorted({int(Rule.LEXICON)} | {int(r[3]) for r in binary} | {int(r[2]) for r in unary})
    binary_bits = sum(1 << r for r in {int(rule[3]) for rule in binary})
    unary_bits = sum(1 << r for r in {int(rule[2]) for rule in unary})
    numbers: dict[tuple[object, ...], int] = {}
    classes = [0] * types
    for a in built:
        profile = (
            tuple(int(allowed[a][b]) & binary_bits for b in built),
            tuple(int(allowed[b][a]) & binary_bits for b in built),
            int(unary_allowed[a]) & unary_bits,
        )
        classes[a] = numbers.setdefault(profile, len(numbers))
    return classes


def chain_length_matters(unary: Sequence[UnaryRule], unary_allowed: Sequence[int], bound: int) -> bool:
    """Whether some chain of unary rules that the normal form allows could be longer than ``bound`` (0: no bound)."""
    if bound <= 0:
        return False
    by_child: dict[int, list[tuple[int, int]]] = {}
    for child, result, rule in unary:
        by_child.setdefault(int(child), []).append((int(result), int(rule)))
    # Nodes of the chains of length one; each round makes them one link longer, in at most bound + 1 rounds.
    ends = {(result, rule) for links in by_child.values() for result, rule in links}
    for _ in range(bound):
        ends = {
            (result, rule)
            for category, last in ends
            for result, rule in by_child.get(category, ())
            if int(unary_allowed[last]) >> rule & 1
        }
        if not ends:
            return False
    return True
