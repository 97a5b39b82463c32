"""How our co-indexation compares with a table of CCGbank's, and how dependencies come out of a treebank.

    python benchmarks/coindexation.py --mapping mapping.txt --extract gold.auto --count gold.auto silver.auto

The mapping has a line for each category: the category, a tab, the category with its variables in CCGbank's notation.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

from starccg.ccg.category import Category, CategoryError
from starccg.dependencies import IndexedCategory, coindex, extraction
from starccg.formats.auto import read_auto


def read_mapping(path: Path) -> dict[Category, IndexedCategory]:
    """By category without ``[nb]``; lines that are no pairs of categories are comments."""
    mapping: dict[Category, IndexedCategory] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        category, tab, indexed = line.partition("\t")
        if tab and not line.startswith("#"):
            try:
                mapping[Category.parse(category).bare_nb] = IndexedCategory.parse(indexed).renumbered()
            except CategoryError as error:
                print(f"skipped: {error}")
    return mapping


def variables(indexed: IndexedCategory, *, marks: bool) -> list[tuple[int, str]]:
    """What is compared: the variable of every part and, if wanted, whether it is bounded or unbounded."""
    return [(part.variable, str(part.reach) if marks else "") for part in indexed.parts()]


def compare(mapping: dict[Category, IndexedCategory], counts: Counter[Category]) -> None:
    agree: Counter[str] = Counter()
    disagreements: list[tuple[int, Category, str]] = []
    for category, theirs in mapping.items():
        ours, times = coindex(category), counts[category]
        same = variables(ours, marks=False) == variables(theirs, marks=False)
        strict = variables(ours, marks=True) == variables(theirs, marks=True)
        kinds = ("all", "functors") if category.arity else ("all",)
        for kind in kinds:
            agree.update({kind: times, f"{kind} same": times * same, f"{kind} strict": times * strict})
            seen = int(times > 0)
            agree.update({f"{kind} types": seen, f"{kind} types same": seen * same})
        if not strict:
            disagreements.append((times, category, f"ours {ours}   theirs {theirs}{'   (marks only)' if same else ''}"))
    for kind in ("all", "functors"):
        print(
            f"{kind}: {agree[kind]} tokens, same variables {agree[f'{kind} same'] / agree[kind]:.4f}, "
            f"same marks too {agree[f'{kind} strict'] / agree[kind]:.4f}; "
            f"{agree[f'{kind} types']} categories seen, same variables {agree[f'{kind} types same']}"
        )
    for times, category, text in sorted(disagreements, key=lambda item: (-item[0], str(item[1]))):
        print(f"{times:6d}  {category}   {text}")


def measure(path: Path) -> None:
    """Whether dependencies come out, how many slots they fill, and how long it takes."""
    sentences = list(read_auto(path))
    failed = empty = unlicensed = slots = filled = words = dependencies = 0
    seconds = 0.0
    for sentence in sentences:
        supertags = sentence.derivation.supertags
        began = time.perf_counter()
        try:
            found = extraction(sentence.derivation)
        except Exception as error:  # counting what should not happen
            failed += 1
            print(f"{sentence.id}: {type(error).__name__}: {error}")
            continue
        seconds += time.perf_counter() - began
        words += len(supertags)
        unlicensed += found.unlicensed
        dependencies += len(found.dependencies)
        empty += not found.dependencies and sum(tag.arity > 0 for tag in supertags) > 0
        slots += sum(len(coindex(tag).slots) for tag in supertags)
        filled += len({(d.head, d.slot) for d in found.dependencies})
    number = len(sentences)
    print(
        f"{path.name}: dependencies come out for {number - failed - empty} of {number} sentences "
        f"({(number - failed - empty) / number:.4%}; {failed} fail, {empty} have functors and no dependency); "
        f"{dependencies} dependencies over {words} words, {filled / slots:.2%} of slots filled, "
        f"{unlicensed} nodes without a rule; {seconds / words * 40 * 1000:.2f} ms per 40 words"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mapping", type=Path, help="CCGbank's co-indexation, to compare with")
    parser.add_argument("--count", type=Path, nargs="*", default=[], help="AUTO files that weigh the categories")
    parser.add_argument("--extract", type=Path, nargs="*", default=[], help="AUTO files to extract dependencies from")
    options = parser.parse_args()
    if options.mapping:
        counts: Counter[Category] = Counter()
        for path in options.count:
            for sentence in read_auto(path):
                counts.update(tag.bare_nb for tag in sentence.derivation.supertags)
        compare(read_mapping(options.mapping), counts)
    for path in options.extract:
        measure(path)


if __name__ == "__main__":
    main()
