"""Complement or adjunct: which prepositional phrases a verb or an adjective takes as arguments."""

from __future__ import annotations

from starccg.treebanks.ud.builder import Builder

PREFERRED = frozenset("to of from into about with".split())


def takes(builder: Builder, head: int, child: int) -> bool:
    """Whether ``head`` takes the prepositional phrase of ``child`` as its argument."""
    case = builder.related(child, "case")
    if not case:
        return False
    return builder.word(case[0]).lower in PREFERRED
