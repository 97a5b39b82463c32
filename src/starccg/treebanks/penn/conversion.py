"""Penn trees to CCG: one tree to one derivation, or the reason why not."""

from __future__ import annotations

from dataclasses import replace

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation
from starccg.ccg.grammar import Grammar, UnaryChange
from starccg.treebanks.conversion import Conversion, with_first
from starccg.treebanks.joining import Unconvertible
from starccg.treebanks.penn.builder import Builder
from starccg.treebanks.penn.categories import natural
from starccg.treebanks.penn.planner import assemble
from starccg.treebanks.penn.prepare import prepare
from starccg.treebanks.penn.trees import PennTree, is_mark
from starccg.treebanks.ud.english.grammar import CCGBANK_ENGLISH, UD_ENGLISH

_TOPIC = UnaryChange(Category.parse("NP"), Category.parse("S[dcl]/(S[dcl]/NP)"))
"""CCGbank's rule for fronted objects: *this song I like*."""

GRAMMARS = tuple(replace(grammar, unary=(*grammar.unary, _TOPIC)) for grammar in (CCGBANK_ENGLISH, UD_ENGLISH))
"""From the narrowest to the widest: a sentence is converted with the first that derives it."""


def convert(tree: PennTree) -> Conversion:
    """The derivation of a tree; the tree itself is left as it was."""
    prepared = prepare(tree.root.clone())
    words = [leaf.word for leaf in prepared.leaves()]
    given = "".join(leaf.word for leaf in tree.root.leaves())
    if all(is_mark(leaf) for leaf in prepared.leaves()):
        return Conversion(tree.id, None, "the sentence has only punctuation")

    def derive(grammar: Grammar) -> Derivation:
        root = prepared.clone()
        built = Builder(grammar, assemble).build(root, natural(root))
        if built.gaps:
            raise Unconvertible("a gap that nothing fills")
        if built.tree.words != words or "".join(words) != given:
            raise Unconvertible("words out of place")
        return built.tree

    return with_first(tree.id, GRAMMARS, derive)
