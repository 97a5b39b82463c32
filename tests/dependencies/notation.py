r"""Derivations and dependencies in a hand a linguist can write.

``[Mary:NP [saw:(S[dcl]\NP)/NP John:NP]]`` is a derivation: a leaf is ``word:category``, brackets join two neighbours by
whatever combinator does it, ``[=CATEGORY ...]`` says which category comes out, and with one child is a unary rule.
``saw 2 John`` is a dependency: slot 2 of *saw* is *John*; ``<XB>`` or ``<XU>`` may follow.
"""

from __future__ import annotations

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.licensing import PERMISSIVE, annotate
from starccg.dependencies import extract


def derive(text: str) -> Derivation:
    stack: list[list[Derivation | Category]] = [[]]
    for token in _tokens(text):
        if token == "[":
            stack.append([])
        elif token == "]":
            stack.append([*stack.pop(-2), _node(stack.pop())])
        elif token.startswith("="):
            stack[-1].append(Category.parse(token[1:]))
        else:
            word, _, category = token.partition(":")
            stack[-1].append(Leaf(Category.parse(category), word))
    (whole,) = stack.pop()
    assert isinstance(whole, Derivation)
    return annotate(whole)


def _tokens(text: str) -> list[str]:
    """Brackets stand at the edge of a word, so those of features (``S[dcl]``) are told by what they are next to."""
    found: list[str] = []
    for chunk in text.split():
        opening = len(chunk) - len(chunk.lstrip("["))
        rest = chunk[opening:]
        closing = max(0, rest.count("]") - rest.count("["))
        found += ["["] * opening
        if word := rest[: len(rest) - closing]:
            found.append(word)
        found += ["]"] * closing
    return found


def _node(parts: list[Derivation | Category]) -> Derivation:
    category = parts[0] if isinstance(parts[0], Category) else None
    children = [part for part in parts if isinstance(part, Derivation)]
    if len(children) == 1:
        assert category is not None, "a unary rule needs =CATEGORY"
        return Unary(category, children[0])
    left, right = children
    made = PERMISSIVE.combine(left.category, right.category)
    if category is None:
        assert made, f"{left.category} and {right.category} do not combine"
        return Binary(made[0].category, left, right, made[0].rule, made[0].head)
    return Binary(category, left, right)


def dependencies(text: str) -> set[str]:
    """The dependencies of a derivation, with words in place of numbers."""
    derivation = derive(text)
    words = derivation.words
    return {
        f"{words[head]} {slot} {words[argument]} {reach}".strip()
        for head, _, slot, argument, reach in extract(derivation)
    }


def lines(text: str) -> set[str]:
    """One dependency a line."""
    return {" ".join(line.split()) for line in text.strip().splitlines()}
