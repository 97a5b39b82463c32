r"""The grammars that license converted derivations: CCGbank's, and a wider one for what web text and speech need.

Type changes are CCGbank's own device (Hockenmaier and Steedman 2007). Those of ``BEYOND_CCGBANK`` are not in CCGbank: a
sentence is converted with them only if the narrower grammar has no derivation for it.
"""

from __future__ import annotations

from dataclasses import replace

from starccg.ccg.category import Category
from starccg.ccg.english import ENGLISH, changes
from starccg.ccg.grammar import CommaRule, Grammar, UnaryChange
from starccg.ccg.rules import Rule

_parse = Category.parse


RARE_UNARY = changes(r"""
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
    NP -> ((S[X]\NP)/(S[adj]\NP))\(((S[X]\NP)/(S[adj]\NP))/NP)
    NP -> NP/(NP\NP)
""")
"""Type changes of the kinds that CCGbank has, rare in newspapers."""

_LOOSE = r"""
    S[dcl] S[dcl]\NP S[b]\NP S[wq] S[qem] S[q] NP PP S[intj] S[adj] S[ng] S[pss] S[to] S[ng]\NP S[to]\NP S[adj]\NP
"""
_MODIFIERS = r"S\S S/S (S\NP)\(S\NP) (S\NP)/(S\NP) NP\NP NP/NP (S[adj]\NP)\(S[adj]\NP) N\N PP\PP"
BEYOND_CCGBANK = tuple(
    UnaryChange(child, result)
    for child in map(_parse, _LOOSE.split())
    for result in map(_parse, _MODIFIERS.split())
    if UnaryChange(child, result) not in (*ENGLISH.unary, *RARE_UNARY)
)
"""Whole sentences and noun phrases beside others with neither mark nor conjunction between them: the words keep the
categories that they would have alone."""

COMMAS = tuple(
    CommaRule(_parse(left), _parse(right), _parse(result))
    for left, right, result in (
        ("NP", ",", "S/S"),
        (",", "NP", r"(S\NP)\(S\NP)"),
        (",", "NP", r"S\S"),
        (",", "S[q]", r"S\S"),
    )
)
"""Noun phrases set off by a comma (vocatives, names of topics, remarks after the clause), and *did n't you?*."""

CCGBANK_ENGLISH: Grammar = replace(
    ENGLISH,
    combinators=ENGLISH.combinators | {Rule.BACKWARD_COMPOSITION},  # for clusters of arguments
    unary=(*ENGLISH.unary, *RARE_UNARY),
    comma_rules=tuple(dict.fromkeys((*ENGLISH.comma_rules, *COMMAS))),
)
UD_ENGLISH: Grammar = replace(CCGBANK_ENGLISH, unary=(*CCGBANK_ENGLISH.unary, *BEYOND_CCGBANK))
