r"""Marks: punctuation is punctuation, and what ends the sentence hangs from its root.

PMB often writes a mark as a modifier (``S[dcl]\S[dcl]`` for a full stop, ``NP/NP`` for a quote) and attaches the last
one to the last word; a comma that coordinates is ``conj``. CCGbank gives each its own category.
"""

from __future__ import annotations

from collections import Counter

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.rules import Rule
from starccg.treebanks.normalise.editing import UnlicensedError, combinations, join, rebuild, relabel

_MARKS = {
    **dict.fromkeys((".", "?", "!", "...", "!!", "?!", "…"), "."),
    ",": ",",
    ";": ";",
    **dict.fromkeys((":", "-", "--", "–", "—"), ":"),
    **dict.fromkeys(("-LRB-", "(", "[", "-LSB-"), "LRB"),
    **dict.fromkeys(("-RRB-", ")", "]", "-RSB-"), "RRB"),
    **dict.fromkeys(("“", "``", "‘"), "LQU"),
    **dict.fromkeys(("”", "''"), "RQU"),
}
_QUOTES = frozenset({'"', "'"})
LEFT_BRACKET, RIGHT_BRACKET = Category.parse("LRB"), Category.parse("RRB")
CONJUNCTION, POSSESSIVE = Category.parse("conj"), Category.parse(r"(NP/N)\NP")


def is_mark(word: str) -> bool:
    """Whether the word is a punctuation mark, whatever its category."""
    return word in _MARKS or word in _QUOTES


def mark_category(word: str, *, opens: bool) -> Category:
    """The category of a mark; a straight quote opens or closes."""
    if word in _QUOTES:
        return Category.parse("LQU" if opens else "RQU")
    return Category.parse(_MARKS[word])


def normalise_marks(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """Marks written as modifiers or conjunctions become marks; pairs of marks attach one by one."""

    def edit(node: Derivation) -> Derivation:
        if not isinstance(node, Binary):
            return node
        left, right = node.left, node.right
        if (
            _only_marks(right)
            and not _only_marks(left)
            and not (isinstance(right, Leaf) and right.category.is_punctuation)
        ):
            return _after(left, right, tally, node.category)
        if _only_marks(left) and not _only_marks(right) and not left.category.is_punctuation:
            return _before(left, right, tally, node)
        return node

    def name_quotes(node: Derivation) -> Derivation:
        return _quote(node, tally) if isinstance(node, Leaf) else node

    return rebuild(rebuild(derivation, edit), name_quotes)


def _quote(leaf: Leaf, tally: Counter[str]) -> Leaf:
    """PMB writes quotes as brackets."""
    if leaf.category not in (LEFT_BRACKET, RIGHT_BRACKET) or not is_mark(leaf.word):
        return leaf
    category = mark_category(leaf.word, opens=leaf.category is LEFT_BRACKET)
    if category is leaf.category:
        return leaf
    tally["quotation mark distinguished from bracket"] += 1
    return relabel(leaf, category)


def _only_marks(node: Derivation) -> bool:
    return all(is_mark(leaf.word) and leaf.category is not POSSESSIVE for leaf in node.leaves())


def _after(phrase: Derivation, marks: Derivation, tally: Counter[str], want: Category) -> Derivation:
    result = phrase
    for leaf in marks.leaves():
        tally["mark written as a modifier"] += not leaf.category.is_punctuation
        tally["marks attached one by one"] += isinstance(marks, Binary)
        category = leaf.category if leaf.category.is_punctuation else mark_category(leaf.word, opens=False)
        result = join(result, relabel(leaf, category), result.category)
    if result.category.skeleton is not want.skeleton:
        raise UnlicensedError(f"marks {marks.category} change the type of a phrase to {want}")
    return result


def _before(marks: Derivation, phrase: Derivation, tally: Counter[str], node: Binary) -> Derivation:
    category = marks.category
    if isinstance(marks, Leaf) and marks.word == "," and _conjoins(category, phrase.category):
        tally["comma that coordinates"] += 1
        return join(relabel(marks, Category.parse(",")), phrase, node.category)
    if isinstance(category, Functor) and category.is_modifier:
        result = phrase
        for leaf in reversed(list(marks.leaves())):
            tally["mark written as a modifier"] += 1
            result = join(relabel(leaf, mark_category(leaf.word, opens=True)), result, result.category)
        return result
    return node


def _conjoins(comma: Category, conjunct: Category) -> bool:
    if comma is CONJUNCTION:
        return True
    coordinated = Functor.of(conjunct, "\\", conjunct)
    return comma is Functor.of(coordinated, "/", conjunct)


def raise_final_marks(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """The marks at the end of the sentence attach to the root, whatever they were attached to."""
    marks: list[Leaf] = []
    depth = 0
    while True:
        spine: list[Binary | Unary] = []
        node = derivation
        while isinstance(node, (Binary, Unary)):
            spine.append(node)
            node = node.children[-1]
        assert isinstance(node, Leaf)
        parent = spine[-1] if spine else None
        if not (isinstance(parent, Binary) and parent.rule is Rule.RIGHT_PUNCTUATION and node.category.is_punctuation):
            break
        marks.append(node)
        depth = max(depth, len(spine) - len(marks))
        derivation = parent.left
        for above in reversed(spine[:-1]):
            derivation = _with_last_child(above, derivation)
    for mark in reversed(marks):
        derivation = join(derivation, mark, derivation.category)
    tally["final mark raised to the root"] += depth > 0
    return derivation


def _with_last_child(node: Binary | Unary, child: Derivation) -> Derivation:
    """A mark changes no category, so nothing above it changes either."""
    if isinstance(node, Unary):
        return Unary(node.category, child, node.rule)
    rule = node.rule
    if not any(made.rule is rule for made in combinations(node.left.category, child.category)) and rule is not None:
        raise UnlicensedError(f"{node.left.category} {child.category} without its mark")
    return Binary(node.category, node.left, child, rule, node.head)
