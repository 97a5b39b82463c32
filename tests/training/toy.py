"""A treebank of our own, small enough to learn by heart: attachments that no supertag decides, only the words do."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from starccg.ccg.category import Category
from starccg.ccg.compiler import compile_grammar
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.grammar import Grammar, UnaryChange
from starccg.ccg.licensing import annotate
from starccg.ccg.table import RuleTable
from starccg.search.types import TaggedSentence
from starccg.tagger.saved import SavedTags
from starccg.training.data import Example, pair

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


def synthetic_tags(
    sentences: Sequence[Sentence], seed: int = 0, *, wrong: float = 0.06, strangers: int = 2, most: int = 6
) -> SavedTags:
    """Tags as a tagger with an error rate of ``wrong`` might give them; gold with plausible rivals.

    A rival is a category that the same word has elsewhere in these sentences, or one of ``strangers`` random
    categories.
    """
    by_word: dict[str, Counter[Category]] = {}
    overall: Counter[Category] = Counter()
    for sentence in sentences:
        for leaf in sentence.derivation.leaves():
            by_word.setdefault(leaf.word.lower(), Counter())[leaf.category.bare_nb] += 1
            overall[leaf.category.bare_nb] += 1
    categories = tuple(category for category, _ in overall.most_common())
    numbers = {category: number for number, category in enumerate(categories)}
    common = range(min(40, len(categories)))
    choose = np.random.default_rng([seed, 11])
    tagged: dict[str, TaggedSentence] = {}
    for sentence in sentences:
        tags: list[int] = []
        scores: list[float] = []
        offsets = [0]
        for leaf in sentence.derivation.leaves():
            gold = numbers[leaf.category.bare_nb]
            own = [numbers[category] for category, _ in by_word[leaf.word.lower()].most_common(most)]
            rivals = dict.fromkeys([*own, *choose.choice(common, strangers).tolist()])
            rivals.pop(gold, None)
            names = [gold, *rivals][:most]
            logits = np.append(0.0, -choose.gamma(2.0, 2.0, len(names) - 1) - 0.5)
            if len(names) > 1 and choose.random() < wrong:
                logits[0], logits[1] = logits[1], logits[0]
            log_probabilities = logits - np.logaddexp.reduce(logits)
            order = np.argsort(-log_probabilities, kind="stable")
            tags += [names[k] for k in order]
            scores += log_probabilities[order].tolist()
            offsets.append(len(tags))
        tagged[sentence.id] = TaggedSentence(
            np.array(tags, np.int32), np.array(scores, np.float32), np.array(offsets, np.int32)
        )
    return SavedTags(tuple(map(str, categories)), tagged)
