r"""Extended AUTO: CCGbank's trees with the rule on every node and lemma, entity and chunk on every word.

EasyCCG's and depccg's; the header is that of AUTO::

    ID=1
    (<T S[dcl] ba 1 2> (<L NP It XX PRP O XX NP>) (<L S[dcl]\NP works XX VBZ O XX S[dcl]\NP>) )

``<T category rule head children>`` opens a node, ``<L category word lemma pos entity chunk indexed-category>`` is a
word. We make no lemmas, entities or chunks: placeholders are written, and what stands there is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from starccg.derivation import Derivation, Leaf, Sentence
from starccg.formats.auto import (
    OpenNode,
    Tokens,
    TreeError,
    check,
    format_header,
    read_trees,
    tree_parts,
    written_category,
)
from starccg.formats.candc import NO_CHUNK, NO_ENTITY, NO_LEMMA, rule_name
from starccg.formats.errors import FormatError, Source, WriteError


def read_extended_auto(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences of an extended AUTO file in order.

    Rules are worked out from the categories, as for AUTO: parsers do not agree on their names. A malformed line
    raises :class:`FormatError`; with ``bad`` given, it is added to that list and passed over.
    """
    return read_trees(source, bad, ExtendedTokens)


def write_extended_auto(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of an extended AUTO file, two a sentence; :class:`WriteError` for what would not come back."""
    for sentence in sentences:
        check(sentence)
        for leaf in sentence.derivation.leaves():
            if leaf.pos.startswith("(<") or leaf.pos.endswith(">)"):
                raise WriteError(sentence.id, f"extended AUTO would read an end of leaf in {leaf.pos!r}")
        yield format_header(sentence)
        yield " ".join(tree_parts(sentence.derivation, _format_leaf, partial(_label, sentence.conj_suffix)))


def _label(conj_suffix: bool, node: Derivation) -> str:
    return f"{written_category(node, conj_suffix)} {rule_name(node)}"


def _format_leaf(leaf: Leaf) -> str:
    indexed = leaf.indexed if leaf.indexed is not None else leaf.category
    return f"(<L {leaf.category} {leaf.word} {NO_LEMMA} {leaf.pos} {NO_ENTITY} {NO_CHUNK} {indexed}>)"


class ExtendedTokens(Tokens):
    """The tokens of a tree with more columns."""

    def node(self) -> tuple[OpenNode, bool]:
        """What follows ``(<T``: between category and head stands the rule."""
        category, suffix = self.category()
        self.next("a rule")
        return OpenNode(category, self.number(), self.number(end=">")), suffix

    def leaf(self) -> Leaf:
        """What follows ``(<L``: the word may hold blanks, the columns after it may not."""
        category, _ = self.category()
        parts = [self.next("a word"), self.next("a lemma")]
        while not parts[-1].endswith(">)"):
            if parts[-1].startswith("(<"):
                raise TreeError(self.column, f"expected the end of a leaf, '>)', before {parts[-1]!r}")
            parts.append(self.next("the end of a leaf, '>)',"))
        if len(parts) < 6:
            columns = "word, lemma, part of speech, entity, chunk and indexed category"
            raise TreeError(self.column, f"expected {columns} in a leaf, found {len(parts)} of these 6")
        *word, _lemma, pos, _entity, _chunk, indexed = parts
        indexed = indexed.removesuffix(">)")
        return Leaf(category, " ".join(word), pos, pos, None if indexed == str(category) else indexed)
