"""Trees without function tags or empty elements, as parsers and some treebanks have them: both are inferred.

What is inferred is what the conversion needs: the gaps of relative clauses and questions, expletives, and which phrases
of a verb phrase are adjuncts. A tree that has any tag, or any empty element, is taken to have all of that kind.
"""

from __future__ import annotations

from starccg.treebanks.penn.complements import is_temporal, lemmas
from starccg.treebanks.penn.empties import ANNOUNCED, EXPLETIVE
from starccg.treebanks.penn.labels import BE, VERBS, clause_feature, head_verb, predicate_of, subject_of, verb_feature
from starccg.treebanks.penn.trees import Node, is_mark
from starccg.treebanks.ud.english.tables import SPEECH
from starccg.treebanks.ud.lists import words

_CLAUSES = frozenset({"S", "SQ", "SINV"})
_INFINITIVE = words(
    """able advise agree aim allow appear ask assume attempt begin believe cause claim consider continue decide
    demonstrate enable encourage estimate expect fail find force get have help hope hypothesize induce instruct
    intend invite know learn like look love manage mean need observe order permit persuade plan postulate predict
    prefer presume promise prompt propose prove refuse remain report require say see seem show start suggest
    suppose teach tell tend think threaten try urge want warn wish"""
)
"""Verbs that take an infinitive as a complement; after others it says the purpose."""
_GERUND = words(
    "avoid begin consider continue deny enjoy finish imagine involve keep mean mind quit start stop suggest try"
)


def restore_empties(root: Node) -> None:
    """Give a tree without empty elements the gaps and expletives that its words imply, in place."""
    if any(node.empty for node in root.nodes()):
        return
    count = 1000
    for node in list(root.nodes()):
        if node.label in {"SBAR", "SBARQ"}:
            count += 1
            _restore_gap(node, count)
        elif node.label == "S":
            count += 1
            _restore_expletive(node)
            _restore_quotation(node, count)


def _restore_gap(node: Node, index: int) -> None:
    """The gap that the relative or interrogative phrase of a clause fills."""
    clause = next((child for child in node.children if child.label in _CLAUSES), None)
    if clause is None:
        return
    front = next((child for child in node.children if child.label == "WHNP"), None)
    if front is None:
        leaves = [child for child in node.children if child is not clause]
        above = node.parent
        if leaves or above is None or above.label != "NP" or subject_of(clause) is None:
            return
        front = Node("WHNP", empty="0")
        node.children.insert(0, front)
    subject = subject_of(clause)
    if subject is None and clause.label != "SQ":
        front.index = index
        clause.children.insert(0, Node("NP", frozenset({"SBJ"}), index, empty="*T*"))
        return
    if clause.label == "SQ" and not any(child.is_leaf and child.label in VERBS for child in clause.children):
        clause.children.insert(0, Node("NP", frozenset({"SBJ"}), index, empty="*T*"))
    else:
        site, position = _gap_site(clause)
        if site is None:
            if front.empty:
                node.children.remove(front)
            return
        site.children.insert(position, Node("NP", frozenset(), index, empty="*T*"))
    front.index = index


def _gap_site(clause: Node) -> tuple[Node | None, int]:
    """Which phrase lacks a noun phrase, and where: a bare preposition, or the last verb without an object."""
    for node in clause.nodes():
        if node.label == "PP" and len(node.children) == 1 and node.children[0].is_leaf:
            return node, 1
    phrase: Node | None = clause
    found: tuple[Node | None, int] = (None, 0)
    while phrase is not None:
        verb = next((child for child in phrase.children if child.is_leaf and child.label in VERBS), None)
        if verb is not None:
            place = phrase.children.index(verb) + 1
            objects = [child for child in phrase.children[place:] if child.label in {"NP", "ADJP", "VP", "S", "SBAR"}]
            if phrase.label == "SQ":
                rest = [child for child in objects if child.label != "NP"]
                nouns = [child for child in objects if child.label == "NP"]
                if not rest and len(nouns) == 1:
                    return phrase, phrase.children.index(nouns[0]) + 1
            elif not objects:
                found = (phrase, place)
        deeper = [child for child in phrase.children if child.label in {"VP", "S", "SBAR"} and not child.is_leaf]
        phrase = deeper[-1] if deeper else None
    return found


def _restore_expletive(clause: Node) -> None:
    """*it is clear that ...*: the subject announces the clause at the end of the verb phrase."""
    subject, phrase = subject_of(clause), predicate_of(clause)
    if subject is None or [leaf.word.lower() for leaf in subject.leaves()] != ["it"]:
        return
    while phrase is not None and phrase.label == "VP" and phrase.children:
        verb = head_verb(phrase)
        last = phrase.children[-1]
        if verb is not None and verb.word.lower() in BE and last.label in {"SBAR", "S"}:
            if any(child.label in {"ADJP", "NP", "VP"} for child in phrase.children):
                subject.tags |= {EXPLETIVE}
                last.tags |= {ANNOUNCED}
            return
        phrase = next((child for child in phrase.children if child.label == "VP"), None)


def _restore_quotation(clause: Node, index: int) -> None:
    """*It is late , he said*: the clause before the subject is what the verb lacks."""
    parts = [child for child in clause.children if not is_mark(child)]
    if [part.label for part in parts] != ["S", "NP", "VP"] or not parts[-1].children:
        return
    quoted, _, phrase = parts
    verb = phrase.children[0]
    complete = any(child.label in {"S", "SBAR", "VP"} for child in phrase.children)
    if verb.is_leaf and not complete and set(lemmas(verb.word)) & SPEECH:
        quoted.index = index
        phrase.children.insert(1, Node("S", frozenset(), index, empty="*T*"))


def restore_tags(root: Node) -> None:
    """Give a tree without function tags those of predicates and adjuncts that the conversion looks at, in place."""
    if any(not tag.startswith("+") for node in root.nodes() for tag in node.tags):
        return
    for node in root.nodes():
        if node.label not in {"VP", "SQ", "SINV"}:
            continue
        verb = next((child for child in node.children if child.is_leaf and child.label in VERBS), None)
        if verb is not None:
            _tag_complements(node, verb)


def _tag_complements(phrase: Node, verb: Node) -> None:
    after = phrase.children[phrase.children.index(verb) + 1 :]
    found = set(lemmas(verb.word))
    has_complement = any(child.label in {"NP", "ADJP", "VP", "S", "SBAR", "UCP"} for child in after)
    passive = verb.label == "VBN" and verb_feature(phrase) == "pss"
    nouns = 0
    for child in after:
        if child.tags:
            continue
        if child.label == "NP":
            if not child.empty and is_temporal(child):
                child.tags |= {"TMP"}
            nouns += 1
        elif child.label == "PP" and verb.word.lower() in BE and not has_complement:
            child.tags |= {"PRD"}
            has_complement = True
        elif child.label == "S" and subject_of(child) is None:
            feature = clause_feature(child)
            if feature == "to" and not found & _INFINITIVE and (passive or nouns or verb.word.lower() not in BE):
                child.tags |= {"PRP"}
            elif feature == "ng" and not found & _GERUND:
                child.tags |= {"ADV"}
