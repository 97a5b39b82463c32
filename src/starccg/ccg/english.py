r"""The English grammar: CCGbank's unary rules, comma rules and roots, and the preset of EasySRL."""

from __future__ import annotations

from dataclasses import replace

from starccg.ccg.category import Category
from starccg.ccg.grammar import CommaRule, Grammar, UnaryChange

_parse = Category.parse


def changes(text: str) -> tuple[UnaryChange, ...]:
    """Type changes, one in a line: ``N -> NP``."""
    pairs = (line.split("->") for line in text.strip().splitlines())
    return tuple(UnaryChange(_parse(child.strip()), _parse(result.strip())) for child, result in pairs)


NOUN_PHRASES = changes("N -> NP")

REDUCED_RELATIVES = changes(r"""
    S[pss]\NP -> NP\NP
    S[ng]\NP -> NP\NP
    S[adj]\NP -> NP\NP
    S[to]\NP -> NP\NP
    S[dcl]/NP -> NP\NP
    S[to]\NP -> N\N
    S[pss]\NP -> N\N
    S[ng]\NP -> N\N
    S[adj]\NP -> N\N
    S[dcl]/NP -> N\N
    (S[to]\NP)/NP -> NP\NP
    (S[to]\NP)/NP -> N\N
""")

ADJUNCTS = changes(r"""
    S[pss]\NP -> S/S
    S[ng]\NP -> S/S
    S[to]\NP -> S/S
    S[adj]\NP -> S/S
    S[ng]\NP -> S\S
    S[pss]\NP -> (S\NP)\(S\NP)
    S[ng]\NP -> (S\NP)\(S\NP)
    S[to]\NP -> (S\NP)\(S\NP)
    S[adj]\NP -> (S\NP)\(S\NP)
""")

GERUNDS = changes(r"S[ng]\NP -> NP")

COMPLETE = frozenset(
    map(
        _parse,
        (
            *("NP", "PP", "S[dcl]", "S[q]", "S[wq]", "S[qem]", "S[em]", "S[b]", "S[adj]", "S[intj]"),
            *(r"S[dcl]\NP", r"S[b]\NP"),
        ),
    )
)
"""Phrases that CCGbank never changes to modifiers: noun phrases, whole clauses, finite and bare verb phrases."""


def is_refused(change: UnaryChange) -> bool:
    r"""Whether this type change occurs in treebanks but is not for a parser: ``S[dcl] -> NP\NP``, ``NP -> S/S``.

    With such a rule, the subject of *fell* in *The horse raced past the barn fell* could be the barn.
    """
    return change.child in COMPLETE and change.result.is_modifier


TYPE_RAISING = changes(r"""
    NP -> S[X]/(S[X]\NP)
    NP -> (S[X]\NP)\((S[X]\NP)/NP)
    PP -> (S[X]\NP)\((S[X]\NP)/PP)
    NP -> ((S[X]\NP)/NP)\(((S[X]\NP)/NP)/NP)
    NP -> ((S[X]\NP)/PP)\(((S[X]\NP)/PP)/NP)
    NP[expl] -> S[X]/(S[X]\NP[expl])
    NP[thr] -> S[X]/(S[X]\NP[thr])
    S[adj]\NP -> (S[X]\NP)\((S[X]\NP)/(S[adj]\NP))
""")

COMMA_RULES = tuple(
    CommaRule(_parse(left), _parse(right), _parse(result))
    for left, right, result in (
        (",", r"S[ng]\NP", r"(S\NP)\(S\NP)"),
        (",", r"S[pss]\NP", r"(S\NP)\(S\NP)"),
        (",", "S[dcl]/S[dcl]", r"(S\NP)/(S\NP)"),
    )
)

ROOTS = frozenset(map(_parse, ("S[dcl]", "S[q]", "S[wq]", "S[qem]", "S[b]\\NP", "NP", "S[intj]")))

ENGLISH = Grammar(
    unary=(*NOUN_PHRASES, *REDUCED_RELATIVES, *ADJUNCTS, *GERUNDS, *TYPE_RAISING),
    comma_rules=COMMA_RULES,
    roots=ROOTS,
)
"""The default: CCGbank's dialect with every pair allowed; a treebank adds its seen rules."""

EASYSRL = replace(
    ENGLISH,
    unary=changes(r"""
    N -> NP
    S[pss]\NP -> NP\NP
    S[ng]\NP -> NP\NP
    S[adj]\NP -> NP\NP
    S[to]\NP -> NP\NP
    S[to]\NP -> N\N
    S[dcl]/NP -> NP\NP
    S[pss]\NP -> S/S
    S[ng]\NP -> S/S
    S[to]\NP -> S/S
    S[ng]\NP -> S\S
    S[ng]\NP -> NP
    NP -> S[X]/(S[X]\NP)
    NP -> (S[X]\NP)\((S[X]\NP)/NP)
    PP -> (S[X]\NP)\((S[X]\NP)/PP)
"""),
    not_conjoined=frozenset({_parse("N")}),
    roots=frozenset(map(_parse, ("S[dcl]", "S[q]", "S[wq]", "NP", "S[b]\\NP"))),
)
"""The grammar of the paper's base parser, for comparison."""
