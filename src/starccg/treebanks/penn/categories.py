"""The category that a phrase has by itself: as an argument, a conjunct or a whole sentence."""

from __future__ import annotations

from starccg.ccg.category import Atom, Category
from starccg.treebanks.penn.empties import PASSIVE
from starccg.treebanks.penn.labels import (
    VERBS,
    clause_feature,
    content,
    first_conjunct,
    head_verb,
    main_part,
    predicate_of,
    subject_of,
    verb_feature,
)
from starccg.treebanks.penn.trees import Node
from starccg.treebanks.ud.english.tables import PASSIVES

_parse = Category.parse
N, NP, PP, CONJ = map(_parse, ("N", "NP", "PP", "conj"))
NUMBER, THERE, IT = map(_parse, ("N[num]", "NP[thr]", "NP[expl]"))
ADJECTIVE, SUPERLATIVE = _parse(r"S[adj]\NP"), _parse(r"S[asup]\NP")
PASSIVE_PHRASE = _parse(r"S[pss]\NP")
DETERMINER, NOUN_MODIFIER, NP_MODIFIER = _parse("NP/N"), _parse("N/N"), _parse(r"NP\NP")
S_DCL, S_Q, S_WQ, S_QEM, S_EM, S_FOR, S_INTJ = map(
    _parse, ("S[dcl]", "S[q]", "S[wq]", "S[qem]", "S[em]", "S[for]", "S[intj]")
)
COMPLEMENTISERS = {"that": S_EM, "if": S_QEM, "whether": S_QEM, "for": S_FOR}
NOMINALS = frozenset({"NP", "NML", "NAC", "NX", "QP", "X", "LST", "CIT", "WHNP", "FW"})
CLAUSES = frozenset({"S", "SINV", "SQ", "SBARQ", "SBAR"})


def natural(node: Node) -> Category:
    """What a phrase is by itself."""
    if node.is_leaf:
        return _of_word(node)
    if node.label in NOMINALS or ("NOM" in node.tags and node.label == "SBAR" and not _has_complementiser(node)):
        return NP
    inner = first_conjunct(node)
    if inner is not node:
        return natural(inner)
    match node.label:
        case "VP" | "V":
            return _parse(rf"S[{verb_feature(node)}]\NP")
        case "S":
            return _of_clause(node)
        case "SBAR":
            return _of_subordinate(node)
        case "SBARQ":
            return S_WQ
        case "SQ":
            subject = subject_of(node)
            return _of_clause(node) if subject is not None and subject.empty else S_Q
        case "SINV":
            return S_DCL
        case "PP" | "WHPP":
            stranded = PASSIVE in node.tags and len(content(node)) == 1
            return PP / NP if stranded else PP
        case "ADJP":
            return _of_adjective(node)
        case "ADVP" | "WHADJP" | "WHADVP" | "PRT":
            return ADJECTIVE
        case "INTJ":
            return S_INTJ
    inside = content(node)
    return natural(main_part(inside)) if inside else NP


def _has_complementiser(node: Node) -> bool:
    first = next(node.leaves(), None)
    return first is not None and first.label in {"IN", "DT"} and first.word.lower() in COMPLEMENTISERS


def _of_adjective(node: Node) -> Category:
    """*related to X*: participles that CCGbank has as passives even where the treebank calls them adjectives."""
    words = [child for child in node.children if child.is_leaf and child.label in {"JJ", "VBN"}]
    return PASSIVE_PHRASE if words and words[-1].word.lower() in PASSIVES else ADJECTIVE


def _of_word(word: Node) -> Category:
    tag = word.label
    if tag in VERBS:
        return _parse(rf"S[{verb_feature(word)}]\NP")
    if tag in {"JJ", "JJR", "JJS", "RB", "RBR", "RBS", "AFX", "WRB", "RP"}:
        return ADJECTIVE
    if tag == "IN":
        return PP
    return S_INTJ if tag == "UH" else NP


def _of_clause(clause: Node) -> Category:
    subject, feature = subject_of(clause), clause_feature(clause)
    predicate = predicate_of(clause)
    if predicate is None:
        inside = content(clause)
        return natural(inside[0]) if inside else NP
    if predicate.label in CLAUSES:
        return natural(predicate)
    verb = head_verb(predicate)
    if subject is None and feature == "dcl" and verb is not None and verb.label == "VBP":
        feature = "b"  # an imperative, tagged as a present tense
    if subject is None or subject.empty:
        if feature in {"np", "pp"}:
            return NP if feature == "np" else PP
        return _parse(rf"S[{feature}]\NP")
    finite = feature in {"pss", "pt"} and PASSIVE not in predicate.tags and verb is not None and verb.label == "VBN"
    if ("IMP" in clause.tags and feature == "b") or finite:  # a past tense, tagged as a participle
        return S_DCL
    return Atom.of("S", "dcl" if feature in {"np", "pp"} else feature)


def clause_after(node: Node) -> Node | None:
    """The infinitive of *for him to go*, which stands beside its subject."""
    return next((child for child in node.children if child.label == "VP" and verb_feature(child) == "to"), None)


def _of_subordinate(node: Node) -> Category:
    clause = next((child for child in node.children if child.label in CLAUSES), None)
    first = next((child for child in node.children if not child.empty), None)
    if first is not None and first.word.lower() == "for" and clause_after(node) is not None:
        return S_FOR
    if clause is None or first is None:
        inside = content(node)
        return natural(inside[-1]) if inside and inside[-1] is not node else S_DCL
    if first is clause:
        return natural(clause)
    if first.label.startswith("WH"):
        return S_QEM
    words = [child for child in node.children if child.is_leaf and child.label in {"IN", "DT", "RB", "WDT", "TO"}]
    return COMPLEMENTISERS.get(words[-1].word.lower(), S_EM) if words else S_EM
