"""A treebank of our own, small enough to learn by heart: attachments that no supertag decides, only the words do."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from starccg.ccg.category import Category
from starccg.ccg.compiler import compile_grammar
from starccg.ccg.grammar import Grammar, UnaryChange
from starccg.ccg.licensing import annotate
from starccg.ccg.table import RuleTable
from starccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.tagger.saved import SavedTags
from starccg.training.data import Example, pair, synthetic_tags

parse = Category.parse
N, NP, S, VP = parse("N"), parse("NP"), parse("S[dcl]"), parse("S[dcl]\\NP")
NOUN_MODIFIER, VERB_MODIFIER = parse("NP\\NP"), parse("(S\\NP)\\(S\\NP)")
GRAMMAR = Grammar(unary=(UnaryChange(N, NP),), roots=frozenset({S}))

PEOPLE = ("miller", "baker", "sailor", "painter", "weaver")
PLACES = ("hill", "bridge", "tower", "island")
TOOLS = ("lamp", "rope", "spyglass")  # belong to the verb
MARKS = ("flag", "bell")  # belong to the place just named
VERBS = ("greets", "sketches", "follows", "finds")


def noun_phrase(word: str, adjective: str | None = None) -> Derivation:
    noun: Derivation = Leaf(N, word)
    if adjective:
        noun = Binary(N, Leaf(parse("N/N"), adjective), noun)
    return Binary(NP, Leaf(parse("NP[nb]/N"), "the"), noun)


def modify(phrase: Derivation, preposition: str, place: Derivation) -> Derivation:
    """``the baker`` + ``on the hill``."""
    modifier = Binary(NOUN_MODIFIER, Leaf(parse("(NP\\NP)/NP"), preposition), place)
    return Binary(NP, phrase, modifier)


def sentence(choose: random.Random) -> Derivation:
    subject = noun_phrase(choose.choice(PEOPLE), choose.choice((None, "old", "busy")))
    obj = noun_phrase(choose.choice(PEOPLE))
    place, kind = choose.choice(PLACES), choose.randrange(5)
    if kind == 1:
        obj = modify(obj, "on", noun_phrase(place))
    elif kind == 2:  # the flag is on the hill
        obj = modify(obj, "on", modify(noun_phrase(place), "with", noun_phrase(choose.choice(MARKS))))
    elif kind == 3:  # the rope is the baker's
        obj = modify(modify(obj, "on", noun_phrase(place)), "with", noun_phrase(choose.choice(TOOLS)))
    verb: Derivation = Binary(VP, Leaf(parse("(S[dcl]\\NP)/NP"), choose.choice(VERBS)), obj)
    if kind == 4:
        tool = noun_phrase(choose.choice(TOOLS))
        verb = Binary(VP, verb, Binary(VERB_MODIFIER, Leaf(parse("((S\\NP)\\(S\\NP))/NP"), "with"), tool))
    if choose.random() < 0.2:
        subject = Unary(NP, Leaf(N, choose.choice(("children", "students"))))
    root: Derivation = Binary(S, subject, verb)
    return Binary(S, root, Leaf(parse("."), "."))


def treebank(count: int, seed: int = 0) -> list[Sentence]:
    choose = random.Random(seed)
    return [Sentence(f"toy.{number}", annotate(sentence(choose))) for number in range(1, count + 1)]


@cache
def table() -> RuleTable:
    categories = {leaf.category.bare_nb for tree in treebank(200) for leaf in tree.derivation.leaves()}
    return compile_grammar(GRAMMAR, sorted(categories))


def tags(sentences: list[Sentence], seed: int = 0, **how: Any) -> SavedTags:
    return synthetic_tags(sentences, seed, **how)


def examples(count: int, seed: int = 0, **how: Any) -> list[Example]:
    sentences = treebank(count, seed)
    found, report = pair(sentences, tags(sentences, seed, **how), table())
    assert report.usable == count, str(report)
    return found
