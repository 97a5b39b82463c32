r"""From patterns to sentences: places are filled at random, brackets become nodes.

A pattern is a bracketed derivation: ``[ {someone} [ saw:(S[dcl]\NP)/NP {someone} ] ]``, separated by spaces. A leaf is
``word:category``; brackets join two neighbours by the grammar, ``[ =CATEGORY child ]`` is a unary rule, and with two
children says which result is meant. ``{place}`` is filled from the phrases of that name, which may have places too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.grammar import unary_rule
from starccg.ccg.rules import Rule
from starccg.treebanks.ud.english.grammar import UD_ENGLISH

_PLACE = re.compile(r"\{(\w+)\}")


class PatternError(ValueError):
    """A pattern that is no derivation."""


def draw_sentences(
    patterns: Mapping[str, Sequence[str]], phrases: Mapping[str, Sequence[str]], *, each: int, seed: int = 1
) -> Iterator[Sentence]:
    """``each`` different sentences of every construction, fewer where the words do not give more."""
    for name, alternatives in patterns.items():
        choose = random.Random(f"{seed} {name}")
        seen: set[tuple[str, ...]] = set()
        for _ in range(each * 20):
            if len(seen) == each:
                break
            derivation = read_pattern(fill(choose.choice(alternatives), phrases, choose))
            if tuple(derivation.words) not in seen:
                seen.add(tuple(derivation.words))
                yield Sentence(f"{name}.{len(seen)}", derivation)


def fill(pattern: str, phrases: Mapping[str, Sequence[str]], choose: random.Random) -> str:
    """The pattern with every place filled."""
    while found := _PLACE.search(pattern):
        pattern = pattern[: found.start()] + choose.choice(phrases[found[1]]) + pattern[found.end() :]
    return pattern


def read_pattern(pattern: str) -> Derivation:
    """The derivation that a filled pattern describes, its first word capitalised."""
    stack: list[list[Derivation | Category]] = [[]]
    first = True
    for token in pattern.split():
        if token == "[":
            stack.append([])
        elif token == "]":
            parts = stack.pop()
            stack[-1].append(_node(parts, pattern))
        elif token.startswith("="):
            stack[-1].append(Category.parse(token[1:]))
        else:
            word, _, category = token.rpartition(":") if token.endswith(":.") else token.partition(":")
            leaf = Leaf(Category.parse(category), word)
            if first and word.isalpha():
                leaf = replace(leaf, word=word[0].upper() + word[1:])
                first = False
            stack[-1].append(leaf)
    if len(stack) != 1 or len(stack[0]) != 1 or isinstance(stack[0][0], Category):
        raise PatternError(f"brackets do not match: {pattern}")
    return stack[0][0]


def _node(parts: list[Derivation | Category], pattern: str) -> Derivation:
    wanted = parts[0] if isinstance(parts[0], Category) else None
    children = [part for part in parts if not isinstance(part, Category)]
    if len(children) == 1 and wanted is not None:
        child = children[0]
        if not any(change.result is wanted for change in UD_ENGLISH.change(child.category)):
            raise PatternError(f"no rule {child.category} -> {wanted}: {pattern}")
        return Unary(wanted, child, unary_rule(child.category, wanted))
    if len(children) != 2:
        raise PatternError(f"a node has one child or two: {pattern}")
    left, right = children
    for category, rule, head in UD_ENGLISH.combine(left.category, right.category):
        if category is wanted or (wanted is None and rule is not Rule.COMMA):  # commas change types only where asked to
            return Binary(category, left, right, rule, head)
    raise PatternError(f"no rule {left.category} {right.category} -> {wanted or 'anything'}: {pattern}")
