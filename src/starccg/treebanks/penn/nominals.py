r"""Noun phrases: ``NP/N`` determiners, flat ``N/N`` modifiers, the change from ``N`` to ``NP``, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from starccg.ccg.category import Category, Functor
from starccg.treebanks.penn.builder import Builder, Built, Plan, Role, Step, Unconvertible
from starccg.treebanks.penn.categories import (
    ADJECTIVE,
    NOUN_MODIFIER,
    NP,
    NP_MODIFIER,
    NUMBER,
    S_DCL,
    S_EM,
    SUPERLATIVE,
    N,
    natural,
)
from starccg.treebanks.penn.labels import content
from starccg.treebanks.penn.steps import after_head, around, left_steps, modifies, outside, right_steps
from starccg.treebanks.penn.trees import Node, is_mark, is_possessive, phrase_of
from starccg.treebanks.ud.lists import words

DETERMINERS = frozenset({"DT", "PRP$", "WP$", "WDT"})
PRONOUNS = frozenset({"PRP", "PRP$", "EX", "WP", "WDT", "DT", "PDT"})
INDEFINITES = frozenset(first + last for first in ("some", "any", "every", "no") for last in ("one", "body", "thing"))
FOCUSES = words("especially particularly mainly mostly notably even possibly probably e.g. i.e. e.g i.e")
"""Adverbs of a whole noun phrase, ``NP/NP``."""
AFTER = frozenset({"PP", "SBAR", "S", "VP", "PRN", "RRC", "SINV", "ADVP", "FRAG", "SQ", "S-FRM"})
"""Phrases that follow the head noun."""
_NUMERIC = frozenset({"CD", "LS"})
CURRENCIES = frozenset({"$", "#"})
"""Signs that take the number after them."""
_AFTER_NOUN = frozenset({"JJ", "JJR", "JJS", "VBN"})
_WITHOUT_A_NOUN = (
    words("PRP EX WP"),
    words("QP CD NP"),
    words("JJ JJR JJS ADJP VBG VBN SYM LS AFX $"),
    words("DT WDT PDT PRP$ RB RBR RBS ADVP X UCP VB VP UH IN VBD VBP VBZ"),
)
"""What heads a noun phrase without a noun: the first of these kinds that it has."""


def is_pronoun(node: Node) -> bool:
    """Whether a word is a noun phrase by itself: pronouns, *nobody*, *something*."""
    return node.is_leaf and (node.label in PRONOUNS or node.word.lower() in INDEFINITES)


def plan_noun_phrase(builder: Builder, node: Node, target: Category) -> Plan | Built:
    """A noun phrase or noun group; as a modifier (*this week*), its determiner or its head has the category."""
    children = node.children
    if children and children[-1].label == "POS" and len(children) > 1:
        return _possessor(builder, node, target)
    inner = next(
        (child for child in children if child.label == "NP" and not is_possessive(child) and not child.empty), None
    )
    base = [child for child in children if child.is_leaf and (child.label.startswith("NN") or child.label in PRONOUNS)]
    if inner is not None and (not base or children.index(inner) < children.index(base[0]) or target is not NP):
        return _plan_outer(builder, node, inner)
    return _plan_base(builder, node, target)


def _possessor(builder: Builder, node: Node, target: Category) -> Plan:
    r"""*the dog 's*: the clitic is ``(NP/N)\NP``."""
    clitic, rest = node.children[-1], node.children[:-1]
    owner = rest[0] if len(rest) == 1 and not rest[0].is_leaf else Node("NP", children=rest)
    return Plan(clitic, [Step(Role.ARGUMENT, "\\", owner, NP)])


def _plan_outer(builder: Builder, node: Node, inner: Node) -> Plan:
    """A noun phrase with modifiers around it: prepositional phrases, relative clauses, appositions, brackets."""

    def after_noun(child: Node) -> Step:
        return Step(Role.GAP, "/", child, NP) if child.empty else after_head(child, inner)

    return around(builder, node, inner, after_noun)


def _plan_base(builder: Builder, node: Node, target: Category) -> Plan:
    children = [child for child in node.children if not child.empty]
    head = _head(children)
    if head is None:
        raise Unconvertible(f"a noun phrase ({' '.join(child.label for child in children[:4])}) without a noun")
    position = children.index(head)
    before, after = children[:position], children[position + 1 :]
    determiner = _determiner(before, target)
    pronoun = is_pronoun(head)
    outer = [child for child in before if determiner is not None and children.index(child) < children.index(determiner)]
    inside = [child for child in before if child is not determiner and child not in outer]
    if determiner is None:
        split = 0
        while split < len(inside) and not pronoun and _is_outer(inside[split], [*inside[split + 1 :], head]):
            split += 1
        outer, inside = inside[:split], inside[split:]
    arguments, modifiers = _split_after(head, after)
    steps = outside(left_steps(builder, outer), right_steps(builder, modifiers))
    if determiner is not None:
        steps.append(Step(Role.FUNCTOR, "\\", determiner, N))
    elif target is NP and not pronoun:
        steps.append(Step(Role.CHANGE, "/", category=N))
    steps.extend(left_steps(builder, _with_currency(inside, head)))
    steps.extend(right_steps(builder, arguments, _argument))
    return Plan(head, steps)


def _is_outer(child: Node, after: list[Node]) -> bool:
    """What stands outside a bare noun phrase: marks, *both*, *especially* right before a noun, *most notably ,*."""
    word = child.children[0] if child.children else child  # *(ADVP especially)*
    following = next(node for node in after if not is_mark(node))
    focuses = word.word.lower() in FOCUSES and following.label.startswith("NN") and following.is_leaf
    focuses = focuses and (child.is_leaf or len(child.children) == 1)
    set_off = child.label == "ADVP" and is_mark(after[0])
    return child.label in {"PDT", "CC", "LST"} or is_mark(child) or focuses or set_off


def _head(children: list[Node]) -> Node | None:
    """The last noun before what follows nouns; else the last number, adjective or pronoun."""
    end = len(children)
    for position, child in enumerate(children):
        if position and child.label in AFTER and any(_is_nominal(c) for c in children[:position]):
            end = position
            break
    core = children[:end]
    if len(core) > 1 and core[-1].label == "JJ" and core[-2].label.startswith("NN") and not is_pronoun(core[-2]):
        return core[-1]  # *methylene blue*
    if len(core) > 1 and core[-1].label == "VBG" and core[-2].label in {"NN", "NNP", "NNS", "JJ", "NML"}:
        return core[-1]  # *gene targeting*
    nouns = [c for c in core if c.label.startswith("NN") or c.label in {"NML", "NX", "NAC", "FW"}]
    if nouns:
        return nouns[-1]
    if len(core) > 1 and core[-1].label == "JJ" and core[-2].label in {"CD", "QP"}:
        return core[-1]  # *one female*
    for labels in _WITHOUT_A_NOUN:
        found = [c for c in core if c.label in labels and not is_possessive(c)]
        if found:
            return found[-1]
    left = [c for c in core if not is_mark(c) and not is_possessive(c)]
    return left[-1] if left else None


def _is_nominal(child: Node) -> bool:
    word = child.is_leaf and not is_mark(child) and child.label not in DETERMINERS
    return word or child.label in {"NML", "QP", "NX", "NAC", "ADJP", "NP"}


def _determiner(before: list[Node], target: Category) -> Node | None:
    if target is N or target is NOUN_MODIFIER:
        return None
    found = [child for child in before if child.label in DETERMINERS or is_possessive(child)]
    return found[-1] if found else None


def _split_after(head: Node, after: list[Node]) -> tuple[list[Node], list[Node]]:
    """What follows the noun: its arguments (*that* clauses, a number), and modifiers of the whole noun phrase."""
    split = 0
    while split < len(after):
        child = after[split]
        number = child.label in _NUMERIC and child.is_leaf
        clause = child.label == "SBAR" and not child.tags and natural(child) in (S_EM, S_DCL)
        noun_tail = (
            child.is_leaf and child.label in {"JJ", "SYM", "RB", "VBN", "NN"} and head.label.startswith(("NN", "NML"))
        )
        if not (number or clause or noun_tail or (child.label == "QP")):
            break
        split += 1
    return after[:split], after[split:]


def _argument(child: Node) -> Step:
    if child.label in _NUMERIC and child.is_leaf:
        return Step(Role.ARGUMENT, "/", child, NUMBER)
    return Step(Role.ARGUMENT, "/", child, natural(child)) if child.label == "SBAR" else modifies(child)


def plan_quantity(builder: Builder, node: Node, target: Category) -> Plan:
    """*approximately 90*, *more than 90*, *at least 90*, *5 to 10*, *$ 5 million*."""
    children = content(node)
    if not children:
        raise Unconvertible("a quantity without words")
    forms = [child.word.lower() for child in children]
    head = next(
        (child for child in reversed(children) if child.label in {"CD", "NN", "NNS", "DT", "QP", "NML"}), children[-1]
    )
    position = node.children.index(head)
    at = forms[0] == "at" and forms[1:2] in (["least"], ["most"])
    if len(forms) > 2 and (at or (forms[1] == "than" and children[0].is_leaf)):
        compared = partial(at_least if at else _more_than, builder, node.children)
        return Plan(_rest(node, 2), [Step(Role.MODIFIER, "\\", node, None, compared)])
    for place, child in enumerate(node.children[:position]):
        joins = child.word.lower() in {"to", "by", "x"} or (
            child.label in {"SYM", "IN", ":"} and child.word in {"±", "×", "x"}
        )
        before = node.children[place - 1]
        if joins and place and not is_mark(before) and before.word.lower() != "up":  # *up to 20*
            return _range(builder, node, place, target)
    left = left_steps(builder, _with_currency(node.children[:position], head))
    return Plan(head, [*left, *right_steps(builder, node.children[position + 1 :])])


def _with_currency(before: list[Node], head: Node) -> list[Node | Step]:
    """What stands before a number: *$* takes it, ``N/N[num]``."""
    signs = CURRENCIES if head.label == "CD" else frozenset[str]()
    return [Step(Role.FUNCTOR, "\\", child, NUMBER) if child.label in signs else child for child in before]


def _rest(node: Node, position: int) -> Node:
    return phrase_of("QP", node.children[position:])


def at_least(builder: Builder, words: Sequence[Node], asked: Category) -> Built:
    """*at least*, as a modifier."""
    return builder.apply(words[0], asked, Built(builder.leaf(words[1], SUPERLATIVE)))


def _more_than(builder: Builder, words: Sequence[Node], asked: Category) -> Built:
    more, than = builder.leaf(words[0], ADJECTIVE), builder.leaf(words[1], asked | ADJECTIVE)
    return Built(builder.join(more, than, asked))


def _range(builder: Builder, node: Node, place: int, target: Category) -> Plan:
    r"""*5 to 10*: ``X (X\X)/X X``."""
    first, sign = node.children[:place], node.children[place]
    last = _rest(node, place + 1)

    def make(asked: Category) -> Built:
        assert isinstance(asked, Functor)
        return builder.apply(sign, asked, builder.build(last, target))

    return Plan(phrase_of("QP", first), [Step(Role.MODIFIER, "/", last, None, make)])


def build_noun_leaf(builder: Builder, node: Node, target: Category) -> Built:
    """A word as what is asked; a noun becomes a noun phrase, an adjective after a noun phrase its modifier."""
    if target is NP and not is_pronoun(node):
        return Built(builder.change(builder.leaf(node, N), NP))
    own = natural(node)
    if target is NP_MODIFIER and node.label in _AFTER_NOUN and builder.can_change(own, target):
        return Built(builder.change(builder.leaf(node, own), target))
    return Built(builder.leaf(node, target))
