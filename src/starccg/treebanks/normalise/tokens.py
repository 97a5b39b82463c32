r"""Tokens: CCGbank's are those of the Penn Treebank.

PMB joins what it reads as one name or idiom (``United~States``) and takes prefixes off (``dis honest``,
``33- year -old``). A joined token is split by a pattern for its category: what the whole was, its parts make again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.treebanks.normalise.editing import UnlicensedError, change, combinations, join, rebuild

_parse = Category.parse
N, NP, PP = _parse("N"), _parse("NP"), _parse("PP")
NOUN_MODIFIER = _parse("N/N")
MODIFIES_MODIFIER = _parse("(N/N)/(N/N)")
ADJECTIVE, SUPERLATIVE = _parse(r"S[adj]\NP"), _parse(r"S[asup]\NP")
ADVERB = _parse(r"(S\NP)\(S\NP)")
DETERMINER = _parse("NP/N")
CONJUNCTION = _parse("conj")

JOINER = "~"
CONJUNCTIONS = frozenset({"and", "or", "&"})
DETERMINERS = frozenset({"a", "an", "the"})
PREPOSITIONS = frozenset({"at", "in", "by", "for", "on", "from", "under", "to", "with"})
FUNCTION_WORDS = PREPOSITIONS | DETERMINERS | CONJUNCTIONS | {"of", "as", "past", "till", "but", "that", "what's"}
"""What a chain of modifiers never has inside: with one of these, an expression has structure or is not split."""
COMPOUND_PREPOSITIONS = frozenset({"out of", "up to", "apart from", "instead of", "because of", "as for"})
RECIPROCALS = frozenset({"each other", "one another"})
COMPARATIVES = frozenset({"more than", "less than", "fewer than"})
NUMBER_WORDS = frozenset({"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half", "a"})


def split_tokens(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """Joined tokens fall apart into words."""

    inside = {id(node.child) for node in derivation.postorder() if isinstance(node, Unary) and node.category is NP}
    inside |= {id(node.children[1]) for node in derivation.postorder() if _is_titled(node)}

    def edit(node: Derivation) -> Derivation:
        if isinstance(node, Leaf) and _is_joined(node) and id(node) not in inside:
            tally["joined token split"] += 1
            return _split(node)
        if isinstance(node, Unary) and node.child.category is N and _text(node.child) in RECIPROCALS:
            first, second = node.child.leaves()
            return join(Leaf(DETERMINER, first.word, first.pos), Leaf(N, second.word, second.pos), NP)
        if isinstance(node, Unary) and isinstance(node.child, Leaf) and node.category is NP and _is_joined(node.child):
            tally["joined token split"] += 1
            return _split(replace(node.child, category=NP))  # *The Old Man and the Sea*
        if _is_titled(node):
            tally["joined token split"] += 1
            return _with_title(node)
        return node

    return rebuild(derivation, edit)


def _is_joined(node: Derivation) -> bool:
    return isinstance(node, Leaf) and (JOINER in node.word or " " in node.word)


def _parts(word: str) -> list[str]:
    return word.replace(" ", JOINER).split(JOINER)


def _is_titled(node: Derivation) -> bool:
    r"""*the film Happy~Days*: a title that PMB has as ``N\N`` and CCGbank as the head of a compound."""
    if not isinstance(node, Binary) or node.category is not N or not _is_joined(node.right):
        return False
    *before, last = [leaf.category for leaf in node.left.leaves()]
    plain = FUNCTION_WORDS.isdisjoint(_parts(node.right.words[0].lower()))
    return plain and not node.right.words[0][0].isdigit() and last is N and all(c is NOUN_MODIFIER for c in before)


def _with_title(node: Derivation) -> Derivation:
    assert isinstance(node, Binary)
    title = next(node.right.leaves())
    words = _parts(title.word)
    leaves = [replace(leaf, category=NOUN_MODIFIER) for leaf in node.left.leaves()]
    categories = _nouns(len(words))
    leaves += [replace(title, word=word, category=each) for word, each in zip(words, categories, strict=True)]
    found = derive(leaves, N)
    if found is None:
        raise UnlicensedError(f"title {title.word}")
    return found


def merge_tokens(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """Prefixes and the parts of hyphenated words become one word again."""

    def edit(node: Derivation) -> Derivation:
        if not isinstance(node, Binary):
            return node
        left, right = node.left, node.right
        if isinstance(left, Leaf) and isinstance(right, Leaf) and left.word.lower() in ("dis", "ex"):
            hyphen = "" if left.word.lower() == "dis" else "-"
            tally["split word merged"] += 1
            return Leaf(node.category, left.word + hyphen + right.word, right.pos, right.original_pos)
        words = node.words if len(node) <= 4 else []
        if len(words) > 2 and _is_open_hyphen(words[0]) and (words[-1].startswith("-") or words[-1] == "old"):
            tally["split word merged"] += 1
            return Leaf(node.category, "-".join(word.strip("-") for word in words))
        return node

    return rebuild(derivation, edit)


def _is_open_hyphen(word: str) -> bool:
    return len(word) > 1 and word.endswith("-") and word[0] != "-"


def _text(node: Derivation) -> str:
    return " ".join(node.words).lower()


def _split(leaf: Leaf) -> Derivation:
    words = [part for part in _parts(leaf.word) if part]
    if len(words) < 2:
        raise UnlicensedError(f"token {leaf.word}")
    for categories in _patterns(words, leaf.category):
        found = derive(
            [Leaf(c, w, leaf.pos, leaf.original_pos) for c, w in zip(categories, words, strict=True)], leaf.category
        )
        if found is not None:
            return found
    raise UnlicensedError(f"token {leaf.word} of category {leaf.category}")


def _patterns(words: Sequence[str], whole: Category) -> list[list[Category]]:
    """The categories the parts may have, the most telling pattern first; none where no true structure is known."""
    text = " ".join(words).lower()
    lower = text.split(" ")
    over = Functor.of(whole, "/", whole)
    patterns: list[list[Category]] = []
    if text in ("at least", "at most"):
        patterns.append([Functor.of(whole, "/", SUPERLATIVE), SUPERLATIVE])
    if text in COMPARATIVES:
        patterns.append([ADJECTIVE, Functor.of(whole, "\\", ADJECTIVE)])
    if text == "fed up":
        patterns.append([whole, ADVERB])
    if isinstance(whole, Functor) and whole.argument is NP:
        if text == "such as":
            patterns.append([Functor.of(whole.result, "/", whole.result), whole])
        if text in COMPOUND_PREPOSITIONS:
            patterns.append([Functor.of(whole.result, "/", PP), _parse("PP/NP")])
    if whole in (N, NP):
        return [*patterns, *_nominal(lower, whole)]
    number = lower[0] in NUMBER_WORDS or lower[0][0].isdigit()
    if whole is NOUN_MODIFIER and number:
        return [*patterns, *_number(lower)]
    conjunctions = [place for place, word in enumerate(lower) if word in CONJUNCTIONS]
    if conjunctions and all(word not in FUNCTION_WORDS for word in lower if word not in CONJUNCTIONS):
        patterns.append([CONJUNCTION if word in CONJUNCTIONS else whole for word in lower])
    if not conjunctions:
        patterns += _prepositional(lower, whole)
    if lower[0] in DETERMINERS and isinstance(whole, Functor):
        patterns += [[Functor.of(whole, "/", N), *rest] for rest in _nominal(lower[1:], N)]
    if FUNCTION_WORDS.isdisjoint(lower) and isinstance(whole, Functor):
        if whole is NOUN_MODIFIER:
            patterns.append([NOUN_MODIFIER] * len(words))
        elif (whole.is_modifier and (whole.target is not N or number)) or whole is ADJECTIVE:
            patterns.append([*([over] * (len(words) - 1)), whole])
    return patterns


def _number(lower: Sequence[str]) -> list[list[Category]]:
    """*two hundred*, *half a million*, *two and a half*: numbers before a noun."""
    for place, word in enumerate(lower):
        if word in CONJUNCTIONS:
            return _around(_number(lower[:place]), CONJUNCTION, _number(lower[place + 1 :]))
    if not lower:
        return []
    article = next((place for place, word in enumerate(lower) if word in DETERMINERS), None)
    last = (
        [NOUN_MODIFIER] if article is None else [Functor.of(NOUN_MODIFIER, "/", N), *_nouns(len(lower) - article - 1)]
    )
    before = lower[: len(lower) - len(last)]
    return [[*([MODIFIES_MODIFIER] * len(before)), *last]] if FUNCTION_WORDS.isdisjoint(before) else []


def _prepositional(lower: Sequence[str], whole: Category) -> list[list[Category]]:
    """*in public*, *out of the blue*, *from time to time*."""
    if len(lower) > 2 and lower[1] == "of":
        return [[Functor.of(whole, "/", PP), _parse("PP/NP"), *rest] for rest in _noun_phrases(lower[2:])]
    if lower[0] not in PREPOSITIONS:
        return []
    if lower[0] == "from" and "to" in lower:
        place = lower.index("to")
        first = Functor.of(Functor.of(whole, "/", PP), "/", NP)
        phrases = _around(_noun_phrases(lower[1:place]), _parse("PP/NP"), _noun_phrases(lower[place + 1 :]))
        return [[first, *rest] for rest in phrases]
    return [[Functor.of(whole, "/", NP), *rest] for rest in _noun_phrases(lower[1:])]


def _nominal(lower: Sequence[str], whole: Category) -> list[list[Category]]:
    """A noun, or a noun phrase (*The Old Man and the Sea*), by its function words."""
    if not lower:
        return []
    for place, word in enumerate(lower):
        if word in CONJUNCTIONS:
            return _around(_nominal(lower[:place], whole), CONJUNCTION, _nominal(lower[place + 1 :], whole))
    for place, word in enumerate(lower):
        if word in FUNCTION_WORDS - DETERMINERS and place:
            modifier = Functor.of(Functor.of(whole, "\\", whole), "/", NP)
            return _around(_nominal(lower[:place], whole), modifier, _noun_phrases(lower[place + 1 :]))
    if whole is NP and " ".join(lower) in RECIPROCALS:
        return [[DETERMINER, N]]
    if whole is NP and lower[0] in DETERMINERS:
        return [[DETERMINER, *rest] for rest in _nominal(lower[1:], N)]
    return [_nouns(len(lower))] if FUNCTION_WORDS.isdisjoint(lower) else []


def _around(lefts: list[list[Category]], middle: Category, rights: list[list[Category]]) -> list[list[Category]]:
    """Every pattern of the left with every pattern of the right."""
    return [[*left, middle, *right] for left, right in product(lefts, rights)]


def _noun_phrases(lower: Sequence[str]) -> list[list[Category]]:
    return [[NP]] if list(lower) == ["all"] else _nominal(lower, NP)


def _nouns(count: int) -> list[Category]:
    return [NOUN_MODIFIER] * (count - 1) + [N]


MAX_PARTS = 8


def derive(leaves: Sequence[Leaf], want: Category) -> Derivation | None:
    """The right-most branching way to make ``want`` of a few leaves, with no unary rule but N to NP."""
    if len(leaves) > MAX_PARTS:
        return None
    chart: dict[tuple[int, int], dict[Category, Derivation]] = {}
    for width in range(1, len(leaves) + 1):
        for start in range(len(leaves) - width + 1):
            cell: dict[Category, Derivation] = {}
            if width == 1:
                cell[leaves[start].category] = leaves[start]
            for middle in range(start + 1, start + width):
                for left in chart[start, middle].values():
                    for right in chart[middle, start + width].values():
                        for category, rule, head in combinations(left.category, right.category):
                            cell.setdefault(category, Binary(category, left, right, rule, head))
            if N in cell and NP not in cell:
                cell[NP] = change(cell[N], NP)
            chart[start, start + width] = cell
    return chart[0, len(leaves)].get(want)
