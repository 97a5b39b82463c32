"""Penn trees to CCG: one tree to one derivation, or the reason why not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation
from starccg.ccg.grammar import UnaryChange
from starccg.treebanks.joining import Unconvertible
from starccg.treebanks.penn.builder import Builder
from starccg.treebanks.penn.categories import natural
from starccg.treebanks.penn.labels import is_mark
from starccg.treebanks.penn.planner import assemble
from starccg.treebanks.penn.prepare import prepare
from starccg.treebanks.penn.trees import PennTree
from starccg.treebanks.ud.english.grammar import CCGBANK_ENGLISH, UD_ENGLISH

_TOPIC = UnaryChange(Category.parse("NP"), Category.parse("S[dcl]/(S[dcl]/NP)"))
"""CCGbank's rule for fronted objects: *this song I like*."""

GRAMMARS = tuple(replace(grammar, unary=(*grammar.unary, _TOPIC)) for grammar in (CCGBANK_ENGLISH, UD_ENGLISH))
"""From the narrowest to the widest: a sentence is converted with the first that derives it."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """A derivation, or the reason why there is none."""

    id: str
    derivation: Derivation | None
    reason: str = ""


def convert(tree: PennTree) -> Conversion:
    """The derivation of a tree; the tree itself is left as it was."""
    prepared = prepare(tree.root.clone())
    words = [leaf.word for leaf in prepared.leaves()]
    given = "".join(leaf.word for leaf in tree.root.leaves())
    if all(is_mark(leaf) for leaf in prepared.leaves()):
        return Conversion(tree.id, None, "the sentence has only punctuation")
    reason = ""
    for grammar in GRAMMARS:
        try:
            root = prepared.clone()
            built = Builder(grammar, assemble).build(root, natural(root))
        except Unconvertible as error:
            reason = error.reason
        except RecursionError:
            reason = "the phrases are nested too deeply"
        else:
            if built.gaps:
                reason = "a gap that nothing fills"
            elif built.tree.words != words or "".join(words) != given:
                reason = "words out of place"
            else:
                return Conversion(tree.id, built.tree)
    return Conversion(tree.id, None, reason)
