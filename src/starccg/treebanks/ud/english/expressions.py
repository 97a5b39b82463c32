"""Fixed expressions: *because of*, *as well as*, *at least*, each word with the category CCGbank gives it."""

from __future__ import annotations

from collections.abc import Callable

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation
from starccg.treebanks.phrase_categories import modifier_of
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.english import tables
from starccg.treebanks.ud.lists import words
from starccg.treebanks.ud.steps import Role, Step

_PREPOSITIONS = words("of to for with from as than on in at by")


def expression(builder: Builder, words: list[int], category: Category) -> Derivation:
    """The words of one expression as a ``category``."""
    forms = [builder.word(index).lower for index in words]
    categories = _categories(builder, words, forms, category)
    nodes: list[Derivation] = [builder.leaf(index, each) for index, each in zip(words, categories, strict=True)]
    for adverb in reversed(degrees(builder, words[0])):
        builder.taken.add(adverb)
        nodes[0] = builder.join(builder.build(adverb, modifier_of(categories[0], "\\")), nodes[0], categories[0])
    if len(nodes) == 2 and isinstance(categories[1], Functor) and categories[1].slash == "\\":
        return builder.join(nodes[0], nodes[1], category)
    node = nodes.pop()
    while nodes:
        left = nodes.pop()
        if not isinstance(left.category, Functor):
            raise AssertionError("every word but the last takes what follows it")
        if left.category.argument is tables.NP and node.category is tables.N:
            node = builder.change(node, tables.NP)
        node = builder.join(left, node, left.category.result)
    return node


def with_adverbs(builder: Builder, word: int, adverbs: list[int]) -> Callable[[Category], Derivation]:
    """Builds a word with the adverbs after it."""

    def make(asked: Category) -> Derivation:
        node = builder.planner.lexical(builder, word, asked)
        for adverb in adverbs:
            node = builder.join(node, builder.build(adverb, modifier_of(asked, "/")), asked)
        return node

    return make


def degrees(builder: Builder, head: int) -> list[int]:
    """What modifies the first word of *more than* and not the whole: *no more than*, *much less than*."""
    parts = [builder.word(child).lower for child in builder.tree.children[head] if child > head]
    if builder.word(head).lower not in {"more", "less", "fewer"} or parts != ["than"]:
        return []
    return [child for child in builder.tree.children[head] if child < head]


def _categories(builder: Builder, words: list[int], forms: list[str], category: Category) -> list[Category]:
    last = builder.word(words[-1])
    modifies = Functor.of(category, "/", category)
    if category is tables.CONJ:
        return [modifies] * (len(words) - 1) + [category]
    if category in (tables.NP, tables.N):
        return [
            tables.DETERMINER if category is tables.NP else tables.N / tables.N,
            *([tables.N / tables.N] * (len(words) - 2)),
            tables.N,
        ]
    if forms in (["more", "than"], ["less", "than"], ["fewer", "than"]):
        return [tables.ADJECTIVE, category | tables.ADJECTIVE]
    if last.lower in {"least", "most"} and forms[0] == "at":
        return [category / tables.SUPERLATIVE, tables.SUPERLATIVE]
    if (
        builder.word(words[0]).upos == "ADP"
        and len(words) == 2
        and last.lower not in _PREPOSITIONS
        and forms != ["as", "well"]
    ):
        return [category / tables.NP, tables.N]
    if builder.word(words[0]).upos == "ADP" and len(words) == 3 and forms[1] in {"the", "a"}:
        return [category / tables.NP, tables.DETERMINER, tables.N]
    return [modifies] * (len(words) - 1) + [category]


def functor_steps(builder: Builder, word: int, level: float, inner: Category) -> list[Step]:
    """A preposition or complementiser with its fixed parts, outermost first: *because of* is ``X/PP`` and ``PP/NP``."""
    parts = [child for child in builder.tree.children[word] if builder.word(child).universal == "fixed"]
    if not parts:
        return [Step(Role.FUNCTOR, "\\", level, word, inner)]
    words = [word, *parts]
    forms = [builder.word(index).lower for index in words]
    if forms in (["in", "order"], ["in", "case"]):

        def in_order_to(asked: Category) -> Derivation:
            return builder.join(builder.leaf(word, asked / tables.N), builder.leaf(parts[0], tables.N), asked)

        return [Step(Role.FUNCTOR, "\\", level, word, inner, in_order_to)]
    between: Category | None = None
    if forms[-1] == "that" and inner is tables.S_DCL:
        between = tables.S_EM
    elif forms[-1] in _PREPOSITIONS and forms not in (["such", "as"], ["so", "as"]):
        between = tables.PP
    *leading, last = words
    steps = []
    for number, index in enumerate(leading):
        role = Role.MODIFIER if between is None or number else Role.FUNCTOR
        steps.append(Step(role, "\\", level, index, between, _leaf_of(builder, index)))
    steps.append(Step(Role.FUNCTOR, "\\", level, last, inner, _leaf_of(builder, last)))
    return steps


def _leaf_of(builder: Builder, index: int) -> Callable[[Category], Derivation]:
    return lambda asked: builder.leaf(index, asked)
