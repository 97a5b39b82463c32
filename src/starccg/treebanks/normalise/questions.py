r"""Questions, as the annotated question sets for CCGbank have them.

*What is X*: ``S[wq]/(S[q]/NP)`` and ``(S[q]/NP)/NP``, where PMB reads a declarative; *where is X* the same, where PMB
has a PP. *Where was X born*: ``S[wq]/S[q]``; *in which town*: ``(S[wq]/S[q])/NP``. *How many N*:
``((S[wq]/(S[q]/NP))/N)/(NP/N)`` and ``NP/N``.
"""

from __future__ import annotations

from collections import Counter

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf
from starccg.ccg.rules import Rule
from starccg.treebanks.normalise.editing import UnlicensedError, join, relabel, retype, rewrite
from starccg.treebanks.ud.lists import words

_parse = Category.parse
ASKS_SUBJECT, ASKS_OBJECT = _parse(r"S[wq]/(S[dcl]\NP)"), _parse("S[wq]/(S[q]/NP)")
ASKS_PLACE, ASKS_ADJUNCT = _parse("S[wq]/(S[q]/PP)"), _parse("S[wq]/S[q]")
ASKS_PLACE_OF_NOUN = _parse("(S[wq]/(S[q]/PP))/N")
COPULA, INVERTED = _parse(r"(S[dcl]\NP)/NP"), _parse("(S[q]/NP)/NP")
INVERTED_PLACE = _parse("(S[q]/PP)/NP")
QUESTION, NOUN_MODIFIER, N = _parse("S[q]"), _parse("N/N"), _parse("N")
DETERMINER, NP = _parse("NP/N"), _parse("NP")
TAKES_QUESTION = _parse("(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP))")
ASKS_WITH_PHRASE = _parse("(S[wq]/S[q])/NP")
COPULAS = frozenset(["is", "are", "was", "were", "'s", "'re", "am", "'m", "’s"])
AMOUNTS = frozenset({"many", "much"})
WH_WORDS = words("what who where when why how which whose whom")
AUXILIARIES = words("do does did is are was were have has had can could will would should")
WH_QUESTION = _parse("S[wq]")


def normalise_questions(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """Copular questions are inverted, questions of place and amount written as CCGbank's."""
    return _asked(rewrite(derivation, tally, _amount, _copular, _place, _with_preposition), tally)


def is_unasked(derivation: Derivation) -> bool:
    """Whether a sentence is written as a question (*have you ...?*, *who ...?*) and derived as none."""
    spelt = [word.lower() for word in derivation.words]
    asks = spelt[-1] == "?" and spelt[0] in WH_WORDS | AUXILIARIES
    return asks and derivation.category not in (QUESTION, WH_QUESTION)


def _asked(derivation: Derivation, tally: Counter[str]) -> Derivation:
    """*Have you seen it?* asks, whatever its mood is said to be."""
    first = next(iter(derivation.leaves()))
    if first.word.lower() not in AUXILIARIES or not is_unasked(derivation):
        return derivation
    try:
        asked = retype(derivation, QUESTION)
    except UnlicensedError:
        return derivation
    tally["inverted sentence made a question"] += 1
    return asked


def _copular(node: Binary, tally: Counter[str]) -> Derivation | None:
    """*What is X* is a question about X, not about the subject."""
    asks, rest = node.left, node.right
    if not (isinstance(asks, Leaf) and asks.category is ASKS_SUBJECT and isinstance(rest, Binary)):
        return None
    verb, complement = rest.left, rest.right
    if not (isinstance(verb, Leaf) and verb.category is COPULA and verb.word.lower() in COPULAS):
        return None
    tally["copular question inverted"] += 1
    return join(relabel(asks, ASKS_OBJECT), join(relabel(verb, INVERTED), complement), node.category)


def _place(node: Binary, tally: Counter[str]) -> Derivation | None:
    asks, rest = node.left, node.right
    if asks.category is not ASKS_PLACE or not isinstance(rest, Binary):
        return None
    if not isinstance(asks, Leaf):
        return _with_noun(node, asks, rest, tally)
    if isinstance(rest.left, Leaf) and rest.left.category is INVERTED_PLACE:
        tally["question of place"] += 1
        return join(relabel(asks, ASKS_OBJECT), join(relabel(rest.left, INVERTED), rest.right), node.category)
    question = join(relabel(asks, ASKS_ADJUNCT), retype(rest, QUESTION), node.category)
    tally["question of place"] += 1
    return question


def _with_noun(node: Binary, asks: Derivation, rest: Derivation, tally: Counter[str]) -> Derivation | None:
    """*What year was X born*: the year is no argument of the verb."""
    first = next(iter(asks.leaves()))
    if first.category is not ASKS_PLACE_OF_NOUN:
        return None
    question = join(retype(asks, ASKS_ADJUNCT), retype(rest, QUESTION), node.category)
    tally["question of time"] += 1
    return question


def _with_preposition(node: Binary, tally: Counter[str]) -> Derivation | None:
    """*In which town*: the preposition takes a noun phrase and asks the question."""
    front, rest = node.left, node.right
    if not (isinstance(front, Binary) and isinstance(front.left, Leaf)):
        return None
    if front.left.category is not TAKES_QUESTION or front.category is not ASKS_PLACE:
        return None
    asks = join(relabel(front.left, ASKS_WITH_PHRASE), retype(front.right, NP), ASKS_ADJUNCT)
    question = join(asks, retype(rest, QUESTION), node.category)
    tally["question with a preposition"] += 1
    return question


def _amount(node: Binary, tally: Counter[str]) -> Derivation | None:
    """*How many* asks together, for the noun."""
    asks, noun = node.left, node.right
    if not (isinstance(asks, Leaf) and asks.word.lower() == "how" and noun.category is N and isinstance(noun, Binary)):
        return None
    many = noun.left
    if not (isinstance(many, Leaf) and many.category is NOUN_MODIFIER and many.word.lower() in AMOUNTS):
        return None
    if noun.rule is not Rule.FORWARD_APPLICATION or not str(asks.category).startswith("(S[wq]/"):
        return None
    tally["question of amount"] += 1
    how = relabel(asks, Functor.of(asks.category, "/", DETERMINER))
    return join(join(how, relabel(many, DETERMINER)), noun.right, node.category)
