r"""Tokens: CCGbank's are those of the Penn Treebank.

PMB joins what it reads as one name or idiom (``United~States``) and takes prefixes off (``dis honest``,
``33- year -old``). A joined token is split by a pattern for its category: what the whole was, its parts make again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from starccg.ccg.category import Category, Functor
from starccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.treebanks.normalise.surgery import UnlicensedError, change, combinations, join, rebuild

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
COMPOUND_PREPOSITIONS = frozenset({"out of", "apart from", "instead of", "because of", "as for"})
RECIPROCALS = frozenset({"each other", "one another"})
COMPARATIVES = frozenset({"more than", "less than", "fewer than"})
NUMBER_WORDS = frozenset({"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half", "a"})


def split_tokens(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """Joined tokens fall apart into words."""

    def edit(node: Derivation) -> Derivation:
        if isinstance(node, Leaf) and (JOINER in node.word or " " in node.word):
            result = _split(node)
            tally["joined token split"] += 1
            return result
        if isinstance(node, Unary) and node.child.category is N and _text(node.child) in RECIPROCALS:
            first, second = node.child.leaves()
            return join(Leaf(DETERMINER, first.word, first.pos), Leaf(N, second.word, second.pos), NP)
        return node

    return rebuild(derivation, edit)


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
    words = [part for part in leaf.word.replace(" ", JOINER).split(JOINER) if part]
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
    """The categories the parts may have, the most telling pattern first."""
    text = " ".join(words).lower()
    lower = text.split(" ")
    patterns: list[list[Category]] = []
    count = len(words)
    over = Functor.of(whole, "/", whole)
    if text in RECIPROCALS and whole is NP:
        patterns.append([DETERMINER, N])
    if text in ("at least", "at most"):
        patterns.append([Functor.of(whole, "/", SUPERLATIVE), SUPERLATIVE])
    if text in COMPARATIVES:
        patterns.append([ADJECTIVE, Functor.of(whole, "\\", ADJECTIVE)])
    if isinstance(whole, Functor) and whole.argument is NP:
        if text == "such as":
            patterns.append([Functor.of(whole.result, "/", whole.result), whole])
        if text in COMPOUND_PREPOSITIONS:
            patterns.append([Functor.of(whole.result, "/", PP), _parse("PP/NP")])
    if lower[0] in PREPOSITIONS:
        patterns.append([Functor.of(whole, "/", NP), *_noun_phrase(lower[1:])])
    if any(word in CONJUNCTIONS for word in lower[1:-1]):
        patterns.append([CONJUNCTION if word in CONJUNCTIONS else whole for word in lower])
    if whole is N:
        if "of" in lower[1:-1]:
            place = lower.index("of", 1)
            of = _parse(r"(N\N)/NP")
            patterns.append([*_nouns(place), of, *_noun_phrase(lower[place + 1 :])])
        patterns.append(_nouns(count))
    if whole is NP:
        patterns.append(_nouns(count))
    if whole is NOUN_MODIFIER:
        number = lower[0] in NUMBER_WORDS or lower[0][0].isdigit()
        patterns.append([*([MODIFIES_MODIFIER if number else NOUN_MODIFIER] * (count - 1)), NOUN_MODIFIER])
    if lower[0] in DETERMINERS and count == 2:
        patterns.append([Functor.of(whole, "/", N), N])
    if text == "fed up":
        patterns.append([whole, ADVERB])
    if isinstance(whole, Functor) and (whole.is_modifier or whole is ADJECTIVE):
        patterns.append([*([over] * (count - 1)), whole])
    return patterns


def _nouns(count: int) -> list[Category]:
    return [NOUN_MODIFIER] * (count - 1) + [N]


def _noun_phrase(words: Sequence[str]) -> list[Category]:
    if list(words) == ["all"]:
        return [NP]
    if len(words) > 1 and words[0] in DETERMINERS:
        return [DETERMINER, *_nouns(len(words) - 1)]
    return _nouns(len(words))


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
