r"""From PMB's dialect of CCG, that of the rebanked CCGbank, to CCGbank's own.

:func:`normalise` rewrites one sentence, step by step; each step either succeeds as a whole or leaves the sentence as it
was. What is still not CCGbank's dialect afterwards is marked ``DIALECT=pmb`` in the header, with the reason, so that
training can leave it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from starccg.ccg.category import VARIABLE, Atom, Category, Functor
from starccg.ccg.derivation import Derivation, Sentence
from starccg.ccg.english import ENGLISH
from starccg.ccg.licensing import licensed
from starccg.treebanks.normalise.editing import UnlicensedError
from starccg.treebanks.normalise.features import normalise_features
from starccg.treebanks.normalise.marks import CONJUNCTION, POSSESSIVE, is_mark, normalise_marks, raise_final_marks
from starccg.treebanks.normalise.nouns import drop_complements, lift_modifiers, without_complements
from starccg.treebanks.normalise.phrases import normalise_phrases
from starccg.treebanks.normalise.questions import is_unasked, normalise_questions
from starccg.treebanks.normalise.raising import undo_raising
from starccg.treebanks.normalise.tokens import JOINER, merge_tokens, split_tokens
from starccg.treebanks.normalise.verbs import normalise_verbs

Step = Callable[[Derivation, Counter[str]], Derivation]

STEPS: tuple[tuple[str, Step], ...] = (
    ("marks", normalise_marks),
    ("final marks", raise_final_marks),
    ("raising", undo_raising),
    ("merged tokens", merge_tokens),
    ("phrases", normalise_phrases),
    ("complements", drop_complements),
    ("joined tokens", split_tokens),
    ("questions", normalise_questions),
    ("modifiers", lift_modifiers),
    ("features", normalise_features),
    ("verbs", normalise_verbs),
)
"""In this order: each relies on what those before it settled."""

DIALECT, CCGBANK, PMB = "DIALECT", "ccgbank", "pmb"


@dataclass(slots=True)
class Report:
    """How often each rule applied, and why sentences kept their dialect."""

    sentences: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    sentences_by_rule: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    """Sentences left in PMB's dialect, by the first reason."""


def normalise(sentence: Sentence, report: Report | None = None) -> Sentence:
    """The sentence in CCGbank's dialect as far as the rules reach, and ``DIALECT`` in its header."""
    derivation, tally, failed = rewrite(sentence.derivation)
    reason = remaining(derivation) or (f"step:{failed[0].replace(' ', '-')}" if failed else None)
    if report is not None:
        report.sentences += 1
        report.rules += tally
        report.sentences_by_rule.update(rule for rule, count in tally.items() if count)
        if reason:
            report.kept[reason] += 1
    fields = tuple(pair for pair in sentence.fields if pair[0] not in (DIALECT, "KEPT"))
    mark = ((DIALECT, PMB), ("KEPT", reason)) if reason else ((DIALECT, CCGBANK),)
    return replace(sentence, derivation=derivation, fields=(*fields, *mark))


def rewrite(derivation: Derivation) -> tuple[Derivation, Counter[str], list[str]]:
    """The rewritten derivation, how often each rule applied, and the steps that could not be done."""
    total: Counter[str] = Counter()
    failed: list[str] = []
    for name, step in STEPS:
        tally: Counter[str] = Counter()
        try:
            derivation = step(derivation, tally)
        except UnlicensedError:
            failed.append(name)
            continue
        total += tally
    return derivation, total, failed


def remaining(derivation: Derivation) -> str | None:
    """What of the derivation is still not CCGbank's dialect, in a word; None if nothing is."""
    for node in derivation.postorder():
        if not licensed(node, ENGLISH):
            return "unlicensed"
    for leaf in derivation.leaves():
        if JOINER in leaf.word or " " in leaf.word:
            return "joined-token"
        if without_complements(leaf.category) is not leaf.category:
            return "complement"
        if any(atom.feature == VARIABLE for atom in leaf.category.atoms):
            return "variable"
        if is_mark(leaf.word) and not leaf.category.is_punctuation and leaf.category not in _NO_MARKS:
            return "mark"
        if foreign(leaf.category):
            return "category"
    return "question" if is_unasked(derivation) else None


def foreign(category: Category) -> bool:
    """Whether only PMB has such a category: raised words, questions inside arguments, one argument too many."""
    if category.is_type_raised and category.arguments[0][1] in _RAISABLE:
        return True
    sought = [argument for _, argument in category.arguments]
    return any(isinstance(argument, Functor) and argument.target is _WH for argument in sought)


_RAISABLE = frozenset({Category.parse("NP")})
_WH = Atom.of("S", "wq")
_NO_MARKS = frozenset((CONJUNCTION, POSSESSIVE))
"""What a mark may be besides: a conjunction, and the apostrophe of *the girls' kites*."""


def normalise_all(sentences: Iterable[Sentence], report: Report) -> Iterator[Sentence]:
    """Every sentence, with the counts in ``report``."""
    return (normalise(sentence, report) for sentence in sentences)
