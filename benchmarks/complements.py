"""How often verbs take prepositional phrases as complements, and how often as adjuncts, in CCG treebanks.

    python benchmarks/complements.py gold-en.train.auto silver-en.train.auto

The files are of the Parallel Meaning Bank, as downloaded. A complement is a preposition ``PP/NP`` that fills an
argument of a verb other than *be*; an adjunct is a preposition ``((S\\NP)\\(S\\NP))/NP`` that modifies one, or its
auxiliary. Printed are the totals, the share of complements by preposition, and how many pairs of verb and preposition
the rules of ``starccg.treebanks.ud.english.complements`` rest on.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from starccg.ccg.category import Category, Functor
from starccg.ccg.derivation import Derivation, Leaf
from starccg.dependencies import extract
from starccg.formats.auto import read_auto
from starccg.treebanks.penn.complements import lemmas
from starccg.treebanks.penn.labels import BE
from starccg.treebanks.phrase_categories import generalised
from starccg.treebanks.ud.english.complements import ADJUNCTS, COMPLEMENTS, LEANING

COMPLEMENT, ADJUNCT = Category.parse("PP/NP"), Category.parse(r"((S\NP)\(S\NP))/NP")
AUXILIARY = Category.parse(r"(S\NP)/(S\NP)")
MODIFIED = 2
"""The slot that the verb phrase fills, of an adjunct and of an auxiliary."""
Pair = tuple[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, nargs="+")
    trees = [sentence.derivation for path in parser.parse_args().treebanks for sentence in read_auto(path)]
    bases = {leaf.word.lower() for tree in trees for leaf in tree.leaves() if leaf.category.target.feature == "b"}
    bases.update(*COMPLEMENTS.values(), *ADJUNCTS.values())
    complements, adjuncts = Counter[Pair](), Counter[Pair]()
    for tree in trees:
        for verb, preposition, counted in attachments(tree, complements, adjuncts):
            counted[base_form(verb.word, bases), preposition.word.lower()] += 1
    print(f"complements {complements.total()}, adjuncts {adjuncts.total()}")
    print_prepositions(complements, adjuncts)
    print_pairs(complements, adjuncts)


def attachments(
    tree: Derivation, complements: Counter[Pair], adjuncts: Counter[Pair]
) -> Iterator[tuple[Leaf, Leaf, Counter[Pair]]]:
    """Each verb with a preposition that depends on it, and the table in which that counts."""
    leaves = list(tree.leaves())
    dependencies = extract(tree)
    main = {d.head: d.argument for d in dependencies if is_auxiliary(leaves[d.head]) and d.slot == MODIFIED}
    for dependency in dependencies:
        place = dependency.argument
        if dependency.slot == MODIFIED and generalised(leaves[dependency.head].category) is ADJUNCT:
            while place in main:
                place = main[place]
        head, argument = leaves[dependency.head], leaves[place]
        if argument.category is COMPLEMENT and is_verb(head):
            yield head, argument, complements
        elif generalised(head.category) is ADJUNCT and dependency.slot == MODIFIED and is_verb(argument):
            yield argument, head, adjuncts


def is_verb(leaf: Leaf) -> bool:
    if leaf.word.lower() in BE:
        return False
    target = leaf.category.target
    return target.name == "S" and target.feature not in (None, "adj") and not generalised(leaf.category).is_modifier


def is_auxiliary(leaf: Leaf) -> bool:
    """Whether a word takes a verb phrase, of which it says no more than the tense, aspect or mood."""
    category = leaf.category
    taken = category.argument.target if isinstance(category, Functor) else None
    return taken is not None and generalised(category) is AUXILIARY and taken.feature in {"b", "ng", "pt", "pss"}


def base_form(form: str, bases: set[str]) -> str:
    """The first lemma of a form that the treebanks have as an infinitive, else the form."""
    return next((lemma for lemma in lemmas(form) if lemma in bases), form.lower())


def print_prepositions(complements: Counter[Pair], adjuncts: Counter[Pair]) -> None:
    counts: dict[str, list[int]] = {}
    for place, table in enumerate((complements, adjuncts)):
        for (_, preposition), times in table.items():
            counts.setdefault(preposition, [0, 0])[place] += times
    for preposition, (taken, added) in sorted(counts.items(), key=lambda item: -sum(item[1]))[:20]:
        leans = ", leans to complement" if preposition in LEANING else ""
        print(f"  {preposition}: {taken / (taken + added):.0%} complements of {taken + added}{leans}")


def print_pairs(complements: Counter[Pair], adjuncts: Counter[Pair]) -> None:
    often = [pair for pair, times in complements.items() if times > 1 and times > adjuncts[pair]]
    listed = sum(verb in COMPLEMENTS.get(preposition, ()) for verb, preposition in often)
    leaning = sum(preposition in LEANING for _, preposition in often)
    print(f"pairs seen at least twice as a complement, and more often so than as an adjunct: {len(often)}")
    print(f"  of these, {listed} are listed as complements, and {leaning} have a preposition that leans to complement")
    others = [pair for pair, times in adjuncts.items() if times > 1 and times >= complements[pair]]
    print(f"pairs seen at least twice as an adjunct, and not less often so: {len(others)}")
    wrong = [(verb, preposition) for verb, preposition in others if preposition in LEANING]
    refused = sum(verb in ADJUNCTS.get(preposition, ()) for verb, preposition in wrong)
    print(f"  of these, {len(wrong)} have a preposition that leans to complement: {refused} are listed as adjuncts")


if __name__ == "__main__":
    main()
