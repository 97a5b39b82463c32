"""UD to CCG: one tree to one derivation, or the reason why not."""

from __future__ import annotations

from dataclasses import replace

from starccg.ccg.derivation import Derivation
from starccg.ccg.grammar import Grammar
from starccg.treebanks.conversion import Conversion, with_first
from starccg.treebanks.joining import Unconvertible
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.conllu import Tree
from starccg.treebanks.ud.english import ENGLISH
from starccg.treebanks.ud.marks import restore_marks
from starccg.treebanks.ud.profile import Profile
from starccg.treebanks.ud.repair import drop_marks, is_tree, merge_words, projectivise


def convert(tree: Tree, profile: Profile = ENGLISH) -> Conversion:
    """The derivation of a tree; the tree itself is left as it was."""
    prepared = merge_words(_copy(tree))
    profile.prepare(prepared)
    if not is_tree(prepared):
        return Conversion(tree.id, None, "the words of a name or a number do not stand together")
    marks = drop_marks(prepared)
    if len(marks) == len(prepared.words):
        return Conversion(tree.id, None, "the sentence has only punctuation")

    def derive(grammar: Grammar) -> Derivation:
        wide = grammar is profile.grammar
        attempt = prepared if wide else _copy(prepared, marks)
        return _derive(Builder(attempt, marks, grammar, profile.planner, wide=wide), profile)

    return with_first(tree.id, profile.grammars, derive)


def _copy(tree: Tree, left_out: frozenset[int] = frozenset()) -> Tree:
    copy = Tree(tree.id, [replace(word) for word in tree.words], tree.line)
    copy.index_children()
    if left_out:
        copy.children = [[child for child in children if child not in left_out] for children in copy.children]
    return copy


def _derive(builder: Builder, profile: Profile) -> Derivation:
    """The derivation that the plans of the profile lead to, checked to have every word in its place."""
    words = builder.tree.words
    profile.find_fronts(builder)
    projectivise(builder.tree)
    root = next(word.index for word in words if word.head < 0 and word.index not in builder.marks)
    derivation = builder.build(root, profile.planner.natural(builder, root))
    found = [builder.position[id(leaf)] for leaf in derivation.leaves()]
    expected = [word.index for word in words if word.index not in builder.marks or word.index in builder.used_marks]
    if found != expected:
        missing = sorted(set(expected) - set(found))
        raise Unconvertible(f"no place for a {words[missing[0]].relation}" if missing else "crossing phrases")
    return restore_marks(builder, derivation)
