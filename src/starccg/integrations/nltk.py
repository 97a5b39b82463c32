r"""NLTK: derivations as trees of categories, and as the derivations and categories of ``nltk.ccg``, both ways.

>>> from starccg.derivation import Leaf
>>> from starccg.ccg.category import Category
>>> print(to_tree(Leaf(Category.parse("N"), "rain")))
(N rain)

What NLTK has no room for is lost: parts of speech and heads. Coming from NLTK, heads are those that CCGbank would mark,
and rules those that the categories say. Slashes lose the modalities that NLTK puts on them (``/.``, ``\,``). Nothing
here recurses, but most of what NLTK does with a tree does: sentences of a thousand words may be too deep for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn

from nltk import Tree
from nltk.ccg.api import Direction, FunctionalCategory, PrimitiveCategory
from nltk.ccg.lexicon import Token

from starccg.ccg.category import Atom, Category, CategoryError, Functor, Slash
from starccg.derivation import Derivation, Leaf
from starccg.errors import StarccgError
from starccg.formats.auto import read_category
from starccg.formats.building import ArityError, build_node
from starccg.formats.ptb import TOPS, label_of


class NltkTreeError(StarccgError):
    """A tree or category of NLTK's that is no derivation or category of ours."""


def to_tree(derivation: Derivation) -> Any:
    """An ``nltk.Tree`` with categories for labels; of a word, ``Tree("N", ["rain"])``."""
    built: list[Any] = []
    for node in derivation.postorder():
        children = [node.word] if isinstance(node, Leaf) else _taken(built, len(node.children))
        built.append(Tree(str(node.category), children))
    return built.pop()


def from_tree(tree: Any) -> Derivation:
    """The derivation of an ``nltk.Tree`` whose labels are categories, also as PTB writes them: ``<S[dcl]\\NP>/NP``."""
    top = tree
    while _is_tree(top) and isinstance(top.label(), str) and top.label() in TOPS and len(top) == 1:
        top = top[0]
    built: list[Derivation] = []
    for node, word in _postorder(top):
        category = _category(node.label())
        built.append(Leaf(category, word) if word is not None else _node(category, _taken(built, len(node))))
    return built.pop()


def to_ccg(derivation: Derivation) -> Any:
    """A derivation as ``nltk.ccg`` makes them: ``nltk.ccg.chart.printCCGDerivation`` draws it.

    Labels are pairs of a ``Token`` and the sign of a rule; ``?`` where no rule makes the step.
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

    Words with a category of variables, as NLTK's conjunctions have, get what they conjoin for it.
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
                built.append(_node(category, children))
            case sign, _:
                _fail(f"expected derivations under {sign!r}, and a word under 'Leaf'")
    done = built.pop()
    return done if isinstance(done, Derivation) else _fail(f"expected a derivation, found the word {done!r}")


@cache
def to_category(category: Category) -> Any:
    """A category as ``nltk.ccg.api`` has them; its feature is the one restriction of a primitive category."""
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
        _fail(f"{category} is a variable, which no category of ours is")
    feature = ",".join(category.restrs())
    return _category(f"{category.categ()}[{feature}]" if feature else category.categ())


def _fail(reason: str) -> NoReturn:
    raise NltkTreeError(reason)


def _taken(built: list[Any], number: int) -> list[Any]:
    """The last so many, which leave the list."""
    split = len(built) - number
    children = built[split:]
    del built[split:]
    return children


def _category(text: Any) -> Category:
    try:
        return read_category(label_of(text))[0] if isinstance(text, str) else _fail(f"no category: {text!r}")
    except CategoryError as error:
        raise NltkTreeError(str(error)) from error


def _node(category: Category, children: list[Derivation]) -> Derivation:
    try:
        return build_node(category, children)
    except ArityError as error:
        raise NltkTreeError(str(error)) from error


def _is_tree(node: Any) -> bool:
    return isinstance(node, Tree)


def _postorder(tree: Any) -> Iterator[tuple[Any, str | None]]:
    """Children before parents; with the word, if that is what the node holds."""
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
            _fail(f"expected a token and the sign of a rule for a label, found {other!r}")


def _known_variables(tree: Any) -> dict[int, Any]:
    """Categories without variables for the words that have some: what stands beside them tells."""
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
