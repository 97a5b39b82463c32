"""Lemmas by rule: what to cut from the end of a word and what to add, so that a tagger chooses among a few hundred.

| rule | word | lemma |
|---|---|---|
| ``l`` | ``The`` | ``the`` |
| ``l-3+y`` | ``studies`` | ``study`` |
| ``k-1`` | ``Simpsons`` | ``Simpson`` |
| ``=be`` | ``was`` | ``be`` |

``l`` makes lower case first, ``k`` keeps the case, ``=`` gives the lemma whatever the word.
"""

from __future__ import annotations

import re
from itertools import takewhile

_RULE = re.compile(r"(?P<case>[lk])(?:-(?P<cut>[0-9]{1,4}))?(?:\+(?P<added>.+))?", re.DOTALL)


def lemma_rule(word: str, lemma: str) -> str:
    """The rule that makes the lemma of the word."""
    case = "l" if lemma == lemma.lower() else "k"
    base = word.lower() if case == "l" else word
    kept = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(base, lemma, strict=False)))
    if not kept:
        return f"={lemma}"
    cut, added = len(base) - kept, lemma[kept:]
    return case + (f"-{cut}" if cut else "") + (f"+{added}" if added else "")


def apply_rule(rule: str, word: str) -> str:
    """The lemma; a word too short for the rule is its own lemma, in the rule's case."""
    if rule.startswith("="):
        return rule[1:]
    match = _RULE.fullmatch(rule)
    if match is None:
        return word
    base = word.lower() if match["case"] == "l" else word
    cut = int(match["cut"] or 0)
    if cut >= len(base):
        return base
    return base[: len(base) - cut] + (match["added"] or "")
