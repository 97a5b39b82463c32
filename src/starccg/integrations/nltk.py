r"""NLTK: derivations as trees of categories, and as the derivations and categories of ``nltk.ccg``, both ways.

>>> from starccg.ccg.derivation import Leaf
>>> from starccg.ccg.category import Category
>>> print(to_tree(Leaf(Category.parse("N"), "rain")))
(N rain)

NLTK's trees have no parts of speech and no heads, so these are lost. In trees from NLTK, heads are those that CCGbank
would mark, and rules are inferred from the categories. The modalities of NLTK's slashes (``/.``, ``\,``) are lost.
Nothing here recurses, but most of NLTK does: sentences of a thousand words may exceed its recursion limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn

from nltk import Tree
from nltk.ccg.api import Direction, FunctionalCategory, PrimitiveCategory
from nltk.ccg.lexicon import Token

from starccg.ccg.category import Atom, Category, CategoryError, Functor, Slash
from starccg.ccg.derivation import Derivation, Leaf
from starccg.errors import StarccgError
from starccg.formats.auto import read_category
from starccg.formats.building import build_node
from starccg.formats.ptb import TOPS, label_of


class NltkTreeError(StarccgError):
    """An NLTK tree or category that cannot be converted."""


def to_tree(derivation: Derivation) -> Any:
    """An ``nltk.Tree`` with categories as labels; a word is ``Tree("N", ["rain"])``."""

    def tree(node: Derivation, children: list[Any]) -> Any:
        return Tree(str(node.category), [node.word] if isinstance(node, Leaf) else children)

    return derivation.fold(tree)


def from_tree(tree: Any) -> Derivation:
    """The derivation of an ``nltk.Tree`` whose labels are categories, also as PTB writes them: ``<S[dcl]\\NP>/NP``."""
    top = tree
    while _is_tree(top) and isinstance(top.label(), str) and top.label() in TOPS and len(top) == 1:
        top = top[0]
    built: list[Derivation] = []
    for node, word in _postorder(top):
        category = _category(node.label())
        built.append(
            Leaf(category, word) if word is not None else build_node(category, _taken(built, len(node)), _fail)
        )
    return built.pop()


def to_ccg(derivation: Derivation) -> Any:
    """A derivation in the form of ``nltk.ccg``: ``nltk.ccg.chart.printCCGDerivation`` draws it.

    Labels are pairs of a ``Token`` and the symbol of a rule; ``?`` for a step that no rule allows.
    """
    words = derivation.words
    built: list[Any] = []
    for start, end, node in derivation.spans():
        category = to_category(node.category)
        if isinstance(node, Leaf):
            token = Token(node.word, category)
            built.append(Tree((token, "Leaf"), [Tree(token, [node.word])]))
            continue
        sign = "?" if node.rule is None else node.rule.label
        built.append(Tree((Token(words[start:end], category), sign), _taken(built, len(node.children))))
    return built.pop()


def from_ccg(tree: Any) -> Derivation:
    """The derivation of a tree that ``nltk.ccg`` made.

    In a category with variables, such as that of NLTK's conjunctions, the variable becomes the conjoined category.
    """
    found = _known_variables(tree)
    built: list[Derivation | str] = []
    for node, word in _postorder(tree):
        if word is not None and not isinstance(node.label(), tuple):
            built.append(word)
            continue
        category = from_category(found.get(id(node)) or _token(node).categ())
        match node.label()[1], _taken(built, len(node)):
            case "Leaf", [str(only)]:
                built.append(Leaf(category, only))
            case _, children if all(isinstance(child, Derivation) for child in children):
                built.append(build_node(category, children, _fail))
            case sign, _:
                _fail(f"expected derivations under {sign!r}, and a word under 'Leaf'")
    done = built.pop()
    return done if isinstance(done, Derivation) else _fail(f"expected a derivation, found the word {done!r}")


@cache
def to_category(category: Category) -> Any:
    """A category in the form of ``nltk.ccg.api``; its feature is the only restriction of a primitive category."""
    if isinstance(category, Functor):
        result, argument = to_category(category.result), to_category(category.argument)
        return FunctionalCategory(result, argument, Direction(category.slash, ""))
    assert isinstance(category, Atom)
    return PrimitiveCategory(category.name, [] if category.feature is None else [category.feature])


def from_category(category: Any) -> Category:
    """A category of ``nltk.ccg.api``; several restrictions become one feature, with commas between them."""
    if category.is_function():
        slash: Slash = "/" if category.dir().is_forward() else "\\"
        return Functor.of(from_category(category.res()), slash, from_category(category.arg()))
    if category.is_var():
        _fail(f"{category} is a variable, which starccg does not support")
    feature = ",".join(category.restrs())
    return _category(f"{category.categ()}[{feature}]" if feature else category.categ())


def _fail(reason: str) -> NoReturn:
    raise NltkTreeError(reason)


def _taken(built: list[Any], number: int) -> list[Any]:
    """Remove the last ``number`` elements from the list and return them."""
    split = len(built) - number
    children = built[split:]
    del built[split:]
    return children


def _category(text: Any) -> Category:
    try:
        return read_category(label_of(text))[0] if isinstance(text, str) else _fail(f"not a category: {text!r}")
    except CategoryError as error:
        _fail(str(error))


def _is_tree(node: Any) -> bool:
    return isinstance(node, Tree)


def _postorder(tree: Any) -> Iterator[tuple[Any, str | None]]:
    """All nodes, children before parents; a leaf with its word, other nodes with None."""
    stack: list[tuple[Any, bool]] = [(tree, False)]
    while stack:
        node, visited = stack.pop()
        if not _is_tree(node):
            _fail(f"expected a tree, found {node!r}")
        if len(node) == 1 and not _is_tree(node[0]):
            yield node, str(node[0])
        elif visited:
            yield node, None
        else:
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(node))


def _token(node: Any) -> Any:
    match node.label() if _is_tree(node) else node:
        case (token, str()) if hasattr(token, "categ"):
            return token
        case other:
            _fail(f"expected a token and the symbol of a rule as label, found {other!r}")


def _known_variables(tree: Any) -> dict[int, Any]:
    """For words whose category has variables: the category with the variables bound by its neighbour."""
    found: dict[int, Any] = {}
    stack = [tree]
    while stack:
        node = stack.pop()
        if not _is_tree(node) or not isinstance(node.label(), tuple):
            continue
        stack.extend(node)
        if len(node) != 2:
            continue
        left, right = node
        for functor, argument in ((left, right), (right, left)):
            category = _token(functor).categ()
            if functor.label()[1] == "Leaf" and category.is_function():
                known = category.arg().can_unify(_token(argument).categ())
                if known:
                    found[id(functor)] = category.substitute(known)
    return found
