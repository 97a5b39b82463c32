r"""The grammar that licenses converted derivations: English, and the few rules that web text needs beside CCGbank's.

Each addition is a rule of CCGbank's own (Hockenmaier and Steedman 2007, on punctuation and type-changing) that the default
grammar leaves out because it is rare in newspapers.
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
    S[dcl] -> S\S
    S[dcl]\NP -> S\S
    S[b]\NP -> S\S
    S[wq] -> S\S
    S[q] -> S\S
    NP -> S\S
    NP -> S/S
    NP -> NP\NP
    S[dcl] -> S/S
    S[b]\NP -> S/S
    S[to]\NP -> NP
    S[pss]\NP -> S\S
    S[to]\NP -> S\S
    S[adj]\NP -> S\S
    S[ng]\NP -> (S\NP)/(S\NP)
    S[pss]\NP -> (S\NP)/(S\NP)
    (S[to]\NP)/NP -> (S\NP)\(S\NP)
    S[qem] -> NP
    S[em] -> NP
    S[dcl] -> NP
    PP -> S/S
    PP -> S\S
    S[adj]\NP -> NP
    PP -> NP
    """)
)
EXTRA_COMMA = tuple(
    CommaRule(_parse(mark), _parse(phrase), _parse(result))
    for mark in (":", "LRB")
    for phrase, result in (("NP", r"NP\NP"), ("S[dcl]", r"S\S"))
)

UD_ENGLISH: Grammar = replace(
    ENGLISH,
    unary=tuple(dict.fromkeys((*ENGLISH.unary, *EXTRA_UNARY))),
    comma_rules=(*ENGLISH.comma_rules, *EXTRA_COMMA),
    conjunctions=ENGLISH.conjunctions | {_parse(":")},
)
