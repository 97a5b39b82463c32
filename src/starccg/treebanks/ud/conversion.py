"""UD to CCG: one tree to one derivation, or the reason why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from starccg.ccg.category import Category
from starccg.ccg.grammar import Grammar
from starccg.derivation import Derivation, Sentence
from starccg.treebanks.ud import english as E
from starccg.treebanks.ud.builder import Builder, Planner
from starccg.treebanks.ud.conllu import Tree, read_conllu
from starccg.treebanks.ud.grammar import UD_ENGLISH
from starccg.treebanks.ud.marks import restore_marks
from starccg.treebanks.ud.planner import EnglishPlanner, is_clause, natural
from starccg.treebanks.ud.repair import drop_marks, head_names_last, merge_words, projectivise
from starccg.treebanks.ud.steps import Unconvertible
from starccg.treebanks.ud.verbs import form_feature
from starccg.treebanks.ud.wh import find_fronts


@dataclass(frozen=True, slots=True)
class Profile:
    """A language: its grammar, its planner, and what it prepares before planning."""

    name: str
    grammar: Grammar
    planner: Planner
    root: Callable[[Builder, int], Category]
    prepare: Callable[[Tree], None]
    find_fronts: Callable[[Builder], None]


@dataclass(frozen=True, slots=True)
class Conversion:
    """A derivation, or the reason why there is none."""

    id: str
    derivation: Derivation | None
    reason: str = ""


def _english_root(builder: Builder, root: int) -> Category:
    return natural(builder, root)


def _prepare_english(tree: Tree) -> None:
    settle_infinitives(tree)
    head_names_last(tree, frozenset({"flat"}))
    settle_cases(tree)
    flatten_compounds(tree)


def flatten_compounds(tree: Tree) -> None:
    """CCGbank knows no structure within noun compounds: every modifier modifies the noun."""
    flat = {"compound", "amod", "nummod"}
    changed = True
    while changed:
        changed = False
        for word in tree.words:
            if word.head < 0 or word.universal not in flat or word.index > word.head:
                continue
            above = tree.words[word.head]
            if above.universal == "compound" and above.index < above.head and above.upos in {"NOUN", "PROPN"}:
                if tree.words[above.head].index > above.index:
                    word.head = above.head
                    changed = True
    tree.index_children()


def settle_infinitives(tree: Tree) -> None:
    """*to* before a gerund is a preposition, before any other verb a particle, and what has an auxiliary and an object is a verb."""
    for word in tree.words:
        children = {tree.words[child].universal for child in tree.children[word.index]}
        if "aux" in children and "cop" not in children and children & {"obj", "xcomp", "ccomp"} and word.upos != "AUX":
            word.upos, word.xpos = "VERB", word.xpos if word.xpos.startswith("V") else ""
        if word.relation == "case" and word.lower == "to" and word.head >= 0 and not word.xpos:
            above = tree.words[word.head]
            if above.upos == "VERB" and above.universal in {"xcomp", "advcl", "acl", "ccomp"}:
                word.relation = "mark"
        if word.relation == "mark" and word.lower in {"to", "na", "ta"} and word.head >= 0:
            above = tree.words[word.head]
            gerund = above.lower.endswith("ing") and form_feature(above) == "ng"
            between = [other for other in tree.words[word.index + 1 : above.index] if other.upos == "AUX"]
            word.upos = "SCONJ" if gerund and not between else "PART"


def settle_cases(tree: Tree) -> None:
    """*on the tenth of november*: what stands between two prepositions is a noun phrase of its own."""
    for word in tree.words:
        left = [child for child in tree.children[word.index] if child < word.index]
        cases = [child for child in left if tree.words[child].relation == "case"]
        before = [c for c in left if cases and c < cases[-1] and tree.words[c].universal in {"amod", "nummod", "compound", "obl"}]
        if word.head >= 0 and cases and before and tree.words[before[-1]].upos in {"ADJ", "NUM", "NOUN", "PROPN"}:
            new = tree.words[before[-1]]
            if any(cases[-1] > c > new.index for c in left):
                continue
            new.head, new.relation, new.upos = word.head, word.relation, "NOUN"
            new.enhanced = word.enhanced
            word.head, word.relation = new.index, "nmod"
            for child in left:
                if child < new.index:
                    tree.words[child].head = new.index
            tree.index_children()


ENGLISH = Profile("english", UD_ENGLISH, EnglishPlanner(), _english_root, _prepare_english, find_fronts)


def convert(tree: Tree, profile: Profile = ENGLISH) -> Conversion:
    """The derivation of a tree; the tree itself is left as it was."""
    copy = Tree(tree.id, [replace(word) for word in tree.words], tree.line)
    copy.index_children()
    copy = merge_words(copy)
    profile.prepare(copy)
    marks = drop_marks(copy)
    if len(marks) == len(copy.words):
        return Conversion(tree.id, None, "no words but marks")
    builder = Builder(copy, marks, profile.grammar, profile.planner)
    try:
        profile.find_fronts(builder)
        projectivise(copy)
        root = next(word.index for word in copy.words if word.head < 0 and word.index not in marks)
        derivation = builder.build(root, profile.root(builder, root))
        expected = [word.index for word in copy.words if word.index not in marks or word.index in builder.used_marks]
        found = [builder.position[id(leaf)] for leaf in derivation.leaves()]
        if found != expected:
            missing = sorted(set(expected) - set(found))
            if missing:
                return Conversion(tree.id, None, f"words left over: {copy.words[missing[0]].relation}")
            return Conversion(tree.id, None, "crossing phrases")
        return Conversion(tree.id, restore_marks(builder, derivation))
    except Unconvertible as error:
        return Conversion(tree.id, None, error.reason)


def convert_conllu(
    path: str | Path,
    *,
    profile: Profile = ENGLISH,
    skip_bad: bool = False,
    failures: list[Conversion] | None = None,
) -> Iterator[Sentence]:
    """The converted sentences of a file, in order; what could not be converted goes to ``failures``."""
    for tree in read_conllu(path, skip_bad=skip_bad):
        result = convert(tree, profile)
        if result.derivation is None:
            if failures is not None:
                failures.append(result)
            continue
        yield Sentence(tree.id, result.derivation, (("PARSER", "UD"), ("NUMPARSE", "1")), conj_suffix=True)


__all__ = ["ENGLISH", "Conversion", "Profile", "convert", "convert_conllu", "is_clause"]
