"""What a phrase is: its kind, its head, its subject, and the feature of its verb."""

from __future__ import annotations

from starccg.treebanks.penn.empties import PASSIVE
from starccg.treebanks.penn.trees import Node, is_mark
from starccg.treebanks.ud.english.tables import FEATURE_OF_TAG
from starccg.treebanks.ud.lists import words

ADVERBIAL_TAGS = words("ADV TMP LOC MNR PRP DIR EXT VOC BNF")
"""Function tags of adjuncts."""

NONFINITE = words("to ng pss b adj np pp")
"""Features of clauses that have no finite verb; the last two are those of predicates without a verb."""

CONJUNCTIONS = words("CC CONJP")
BE = words("be is are was were been being am 's 're 'm s")
HAVE = words("have has had having 've 'd")
GET = words("get gets got getting gotten")
_BARE_TAKERS = words("do does did let lets make makes made help helps helped")
VERBS = words("VB VBD VBG VBN VBP VBZ MD TO AUX")
_AS_FINITE = frozenset({("VBN", "VBD"), ("VB", "VBP"), ("VB", "VBZ"), ("VB", "VBD")})
"""Tags of conjuncts that are finite, given that of the first conjunct."""
_PREDICATE_LABELS = words("ADJP NP PP S SINV SQ SBAR SBARQ FRAG UCP")
_CLAUSES = words("S SQ SINV SBARQ")
_KINDS = {
    "NP": words("CD FW PRP EX NML NP NX NAC QP WHNP WP SYM LS DT X CIT $ #"),
    "S": _CLAUSES,
    "ADJP": words("JJ JJR JJS ADJP WHADJP AFX"),
    "ADVP": words("RB RBR RBS ADVP WHADVP WRB RP PRT"),
    "P": words("IN P"),
}


def kind(node: Node) -> str:
    """The coarse kind by which conjuncts are held to be alike."""
    label = node.label
    if label in VERBS and node.is_leaf:
        return "V"
    if label.startswith("NN"):
        return "NP"
    return next((name for name, labels in _KINDS.items() if label in labels), label)


def content(node: Node) -> list[Node]:
    """The children that are neither marks nor conjunctions."""
    return [child for child in node.children if not is_mark(child) and child.label not in CONJUNCTIONS]


def main_part(parts: list[Node]) -> Node:
    """The head of phrases that stand in a row: the first that is neither an adverb, a bracket nor a list label."""
    inner = [p for p in parts if p.label not in {"ADVP", "PRN", "LST", "RB"} and not p.tags & ADVERBIAL_TAGS]
    return (inner or parts)[0]


def first_conjunct(node: Node) -> Node:
    """The phrase itself, or the first conjunct of a coordination."""
    while "+COORD" in node.tags and content(node):
        node = content(node)[0]
    return node


def subject_of(clause: Node) -> Node | None:
    """The subject of a clause: tagged, or else the last noun phrase before the verb phrase; traces count."""
    for child in clause.children:
        if "SBJ" in child.tags:
            return child
    predicate = predicate_of(clause)
    found = None
    for child in clause.children:
        if child is predicate:
            break
        if child.label in {"NP", "NML"} and not child.tags & (ADVERBIAL_TAGS | {"TPC", "PRD", "VOC"}):
            found = child
    if found is None and clause.label in {"SQ", "SINV"}:  # after the verb
        return next((child for child in clause.children if child.label == "NP" and not child.tags), None)
    return found


def predicate_of(clause: Node) -> Node | None:
    """The verb phrase of a clause, or what stands for it."""
    for label in ("VP", "V"):
        for child in clause.children:
            if child.label == label and not child.empty and "TPC" not in child.tags:
                return child
    for child in clause.children:
        if "PRD" in child.tags:
            return child
    for child in clause.children:
        if child.is_leaf and child.label in VERBS:
            return child
    others = [c for c in clause.children if not is_mark(c) and "SBJ" not in c.tags and not c.tags & ADVERBIAL_TAGS]
    clauses = [child for child in others if child.label in _CLAUSES]
    if len(clauses) > 1 and ":" in {c.word for c in clause.children[clause.children.index(clauses[0]) :]}:
        return clauses[0]  # what follows a colon explains the clause before it
    found = clauses or [child for child in others if child.label in _PREDICATE_LABELS]
    return found[-1] if found else None


def head_verb(phrase: Node) -> Node | None:
    """The word that heads a verb phrase: its verb, auxiliary or *to*."""
    phrase = first_conjunct(phrase)
    for _ in range(50):
        verbs = [child for child in phrase.children if child.is_leaf and child.label in VERBS]
        if verbs:
            return verbs[0]
        inner = next((child for child in phrase.children if child.label in {"VP", "V"} and not child.empty), None)
        if inner is None:
            break
        phrase = first_conjunct(inner)
        if phrase.is_leaf:
            return phrase
    if phrase.is_leaf:
        return phrase
    return next((child for child in phrase.children if child.is_leaf and not is_mark(child)), None)


def governing_verb(phrase: Node) -> Node | None:
    """The auxiliary whose complement a verb phrase is."""
    above = phrase.parent
    while above is not None and ("+COORD" in above.tags or _is_list(above)):
        above = above.parent
    if above is None or above.label not in {"VP", "SQ", "SINV", "SBARQ"}:
        return None
    return next((child for child in above.children if child.is_leaf and child.label in VERBS), None)


def _is_list(phrase: Node) -> bool:
    """Verb phrases beside one another."""
    return phrase.label == "VP" and sum(child.label == "VP" for child in phrase.children) > 1


def verb_feature(phrase: Node) -> str:
    """The feature of a verb phrase: from its first word, and for participles from the auxiliary above it."""
    verb = head_verb(phrase)
    if verb is None:
        return "dcl"
    phrase = first_conjunct(phrase)
    above = governing_verb(phrase)
    tag = verb.label
    if above is not None and above is not verb and tag not in {"TO"}:
        form = above.word.lower()
        if above.label in {"TO", "MD"} or (form in _BARE_TAKERS and tag in {"VB", "VBP"}):
            return "b"
        if form in HAVE and tag in {"VBN", "VBD"}:
            return "pt"
        if (form in BE or form in GET) and (tag in {"VBN", "VBD", "JJ"} or PASSIVE in phrase.tags):
            return "pss"
    if tag == "VBD" and PASSIVE in phrase.tags and _reduced(phrase):
        return "pss"
    if above is None and PASSIVE not in phrase.tags and _beside_finite(phrase, tag):
        return "dcl"
    if tag == "MD" and verb.word.lower() == "to":
        return "to"
    return FEATURE_OF_TAG.get(tag, "dcl")


def _beside_finite(phrase: Node, tag: str) -> bool:
    """*read it and put it back*, *you ask and get it*: the first of the conjuncts is in the past or present tense."""
    above = phrase.parent
    if above is None or "+COORD" not in above.tags or phrase.label != "VP":
        return False
    verb = head_verb(above)
    return verb is not None and (tag, verb.label) in _AS_FINITE


def _reduced(phrase: Node) -> bool:
    above = phrase.parent
    return above is not None and above.label in {"NP", "NML", "RRC"}


def clause_feature(clause: Node) -> str:
    """The feature of a clause: that of its verb phrase, or the kind of its predicate."""
    clause = first_conjunct(clause)
    predicate = predicate_of(clause)
    if predicate is None:
        return "dcl"
    predicate = first_conjunct(predicate)
    if predicate.label in {"VP", "V"} or predicate.label in VERBS:
        return verb_feature(predicate)
    if predicate.label in {"S", "SINV", "SQ"}:
        return clause_feature(predicate)
    return {"ADJP": "adj", "ADVP": "adj", "PP": "pp", "NP": "np"}.get(predicate.label, "np")
