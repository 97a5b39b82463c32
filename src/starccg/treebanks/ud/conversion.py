"""UD to CCG: one tree to one derivation, or the reason why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from starccg.derivation import Derivation, Sentence
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.conllu import Tree, read_conllu
from starccg.treebanks.ud.english import ENGLISH
from starccg.treebanks.ud.marks import restore_marks
from starccg.treebanks.ud.profile import Profile
from starccg.treebanks.ud.repair import drop_marks, is_tree, merge_words, projectivise
from starccg.treebanks.ud.steps import Unconvertible


@dataclass(frozen=True, slots=True)
class Conversion:
    """A derivation, or the reason why there is none."""

    id: str
    derivation: Derivation | None
    reason: str = ""


def convert(tree: Tree, profile: Profile = ENGLISH) -> Conversion:
    """The derivation of a tree; the tree itself is left as it was."""
    copy = Tree(tree.id, [replace(word) for word in tree.words], tree.line)
    copy.index_children()
    copy = merge_words(copy)
    profile.prepare(copy)
    if not is_tree(copy):
        return Conversion(tree.id, None, "the words of a name or a number phrase do not stand together")
    marks = drop_marks(copy)
    if len(marks) == len(copy.words):
        return Conversion(tree.id, None, "no words but marks")
    builder = Builder(copy, marks, profile.grammar, profile.planner)
    try:
        profile.find_fronts(builder)
        projectivise(copy)
        root = next(word.index for word in copy.words if word.head < 0 and word.index not in marks)
        derivation = builder.build(root, profile.planner.natural(builder, root))
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
    except RecursionError:
        return Conversion(tree.id, None, "phrases nest too deep")


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
