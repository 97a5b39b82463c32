r"""Extended AUTO: CCGbank's trees with the rule on every node and lemma, entity and chunk on every word.

Written by EasyCCG and depccg; the header is that of AUTO::

    ID=1
    (<T S[dcl] ba 1 2> (<L NP It it PRP O XX NP>) (<L S[dcl]\NP works work VBZ O XX S[dcl]\NP>) )

``<T category rule head children>`` opens a node, ``<L category word lemma pos entity chunk indexed-category>`` is a
word; ``XX`` is a lemma that is not known. The parser finds no entities and no chunks: placeholders are written, and
what stands there is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.formats.auto import (
    Tokens,
    check,
    format_header,
    read_trees,
    tree_parts,
    written_category,
)
from starccg.formats.candc import NO_CHUNK, NO_ENTITY, NO_LEMMA, known_lemma, rule_name, without_spaces
from starccg.formats.errors import FormatError, Misread, Source, WriteError


def read_extended_auto(source: Source, bad: list[FormatError] | None = None) -> Iterator[Sentence]:
    """The sentences of an extended AUTO file in order.

    Rules are inferred from the categories, as for AUTO, because parsers name them differently. A malformed line
    raises :class:`FormatError`; with ``bad`` given, it is added to that list and skipped.
    """
    return read_trees(source, bad, ExtendedTokens)


def write_extended_auto(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of an extended AUTO file, two per sentence; :class:`WriteError` if it could not be read back."""
    for sentence in sentences:
        check(sentence)
        for leaf in sentence.derivation.leaves():
            if leaf.pos.startswith("(<") or leaf.pos.endswith(">)"):
                raise WriteError(
                    sentence.id, f"extended AUTO cannot contain {leaf.pos!r}: it would be read as the end of a leaf"
                )
        yield format_header(sentence)
        yield " ".join(tree_parts(sentence.derivation, _format_leaf, partial(_label, sentence.conj_suffix)))


def _label(conj_suffix: bool, node: Derivation) -> str:
    return f"{written_category(node, conj_suffix)} {rule_name(node)}"


def _format_leaf(leaf: Leaf) -> str:
    indexed = leaf.indexed if leaf.indexed is not None else leaf.category
    lemma = without_spaces(leaf.lemma or NO_LEMMA)
    if lemma.startswith("(<") or lemma.endswith(">)"):  # would be read as the end of the leaf
        lemma = NO_LEMMA
    return f"(<L {leaf.category} {leaf.word} {lemma} {leaf.pos} {NO_ENTITY} {NO_CHUNK} {indexed}>)"


class ExtendedTokens(Tokens):
    """The tokens of a tree with more columns."""

    with_rules = True

    def leaf(self) -> Leaf:
        """Read a leaf after ``(<L``: the word may contain spaces, the columns after it may not."""
        category, _ = self.category()
        parts = self.columns("a word")
        if len(parts) < 6:
            columns = "word, lemma, part of speech, entity, chunk and indexed category"
            raise Misread(self.column, f"expected {columns} in a leaf, found {len(parts)} of these 6")
        *word, lemma, pos, _entity, _chunk, indexed = parts
        return Leaf(
            category, " ".join(word), pos, pos, None if indexed == str(category) else indexed, known_lemma(lemma)
        )
