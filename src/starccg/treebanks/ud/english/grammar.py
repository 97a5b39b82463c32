r"""The grammar that licenses converted derivations: English, and the few rules that web text needs beside CCGbank's.

Type changes like these are CCGbank's own device (Hockenmaier and Steedman 2007); the default grammar leaves them out
because they are rare in newspapers.
"""

from __future__ import annotations

from dataclasses import replace

from starccg.ccg.category import Category
from starccg.ccg.english import ENGLISH
from starccg.ccg.grammar import CommaRule, Grammar, UnaryChange

_parse = Category.parse


def _pairs(text: str) -> list[list[Category]]:
    return [[_parse(part.strip()) for part in line.split("->")] for line in text.strip().splitlines()]


EXTRA_UNARY = tuple(
    UnaryChange(child, result)
    for child, result in _pairs(r"""
    S[dcl] -> NP\NP
    NP -> NP\NP
    S[to]\NP -> NP
    S[qem] -> NP
    S[em] -> NP
    S[to]\NP -> S\S
    S[adj]\NP -> S\S
    S[pss]\NP -> S\S
    S[ng]\NP -> (S\NP)/(S\NP)
    S[pss]\NP -> (S\NP)/(S\NP)
    S[to]\NP -> (S\NP)/(S\NP)
    S[adj]\NP -> (S\NP)/(S\NP)
    """)
)
"""Verb phrases and clauses as modifiers and noun phrases, beyond what newspapers need."""

RUN_ON = tuple(
    UnaryChange(_parse(child), _parse(result))
    for child in (
        "S[dcl]",
        r"S[dcl]\NP",
        r"S[b]\NP",
        "S[wq]",
        "S[qem]",
        "S[q]",
        "NP",
        "PP",
        "S[intj]",
        "S[adj]",
        r"S[ng]\NP",
        r"S[to]\NP",
        r"S[adj]\NP",
    )
    for result in (
        r"S\S",
        "S/S",
        r"(S\NP)\(S\NP)",
        r"(S\NP)/(S\NP)",
        r"NP\NP",
        "NP/NP",
        r"(S[adj]\NP)\(S[adj]\NP)",
        "N\\N",
        r"PP\PP",
    )
)
"""Whole sentences beside sentences with neither mark nor conjunction between them: web text
writes them, and the words keep the categories they would have alone."""

EXTRA_COMMA = tuple(
    CommaRule(_parse(mark), _parse(phrase), _parse(result))
    for mark in (":", "LRB")
    for phrase, result in (("NP", r"NP\NP"), ("S[dcl]", r"S\S"))
)

UD_ENGLISH: Grammar = replace(
    ENGLISH,
    unary=tuple(dict.fromkeys((*ENGLISH.unary, *EXTRA_UNARY, *RUN_ON))),
    comma_rules=(*ENGLISH.comma_rules, *EXTRA_COMMA),
    conjunctions=ENGLISH.conjunctions | {_parse(":")},
)
