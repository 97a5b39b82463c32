"""UD to CCG: one tree to one derivation, or the reason why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from starccg.ccg.derivation import Derivation, Sentence
from starccg.treebanks.joining import Unconvertible
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.conllu import Tree, read_conllu
from starccg.treebanks.ud.english import ENGLISH
from starccg.treebanks.ud.marks import restore_marks
from starccg.treebanks.ud.profile import Profile
from starccg.treebanks.ud.repair import drop_marks, is_tree, merge_words, projectivise


@dataclass(frozen=True, slots=True)
class Conversion:
    """A derivation, or the reason why there is none."""

    id: str
    derivation: Derivation | None
    reason: str = ""


def convert(tree: Tree, profile: Profile = ENGLISH) -> Conversion:
    """The derivation of a tree; the tree itself is left as it was."""
    prepared = _copy(tree)
    prepared = merge_words(prepared)
    profile.prepare(prepared)
    if not is_tree(prepared):
        return Conversion(tree.id, None, "the words of a name or a number do not stand together")
    marks = drop_marks(prepared)
    if len(marks) == len(prepared.words):
        return Conversion(tree.id, None, "the sentence has only punctuation")
    reason = ""
    for grammar in profile.grammars:
        wide = grammar is profile.grammar
        attempt = prepared if wide else _copy(prepared, marks)
        try:
            return Conversion(tree.id, _derive(Builder(attempt, marks, grammar, profile.planner, wide=wide), profile))
        except Unconvertible as error:
            reason = error.reason
        except RecursionError:
            reason = "the phrases are nested too deeply"
    return Conversion(tree.id, None, reason)


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
