"""What the conversion of Universal Dependencies gives, in figures.

    python benchmarks/ud_conversion.py --reference DIR --pmb FILE.auto [--write DIR] [--sample N] TREEBANK.conllu...
    python benchmarks/ud_conversion.py --poorer TREEBANK.conllu...

``--reference`` holds the category lists to compare with (``depccg.grammar_en*.json``), ``--pmb`` a hand-checked CCG
treebank. Printed for each treebank: sentences converted (every node asked again of the grammar), tokens with a known
category, UD relations found again as CCG dependencies, type changes beyond CCGbank's, reasons of failures, seconds; at
the end the most frequent categories beside the other treebank's, and those of the most frequent words. ``--sample``
prints random converted sentences to read; ``benchmarks/ud_readings.tsv`` has the verdicts of such a reading. With
``--poorer`` printed is only how many categories stay the same without the enhanced graph and without Penn tags.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence
from starccg.ccg.licensing import licensed
from starccg.ccg.rules import Rule
from starccg.dependencies import extract
from starccg.formats.auto import read_auto, write_auto
from starccg.treebanks.ud import ENGLISH, Tree, convert, read_conllu
from starccg.treebanks.ud.english.grammar import CCGBANK_ENGLISH
from starccg.treebanks.ud.repair import merge_words

LONGEST = 70
JOINING = frozenset({"conj", "appos", "parataxis", "list", "cc"})
"""Relations between equals, which no argument slot links: found again if a node joins the two heads."""
FUNCTION = frozenset({"case", "mark", "aux", "cop", "cc", "det", "fixed", "flat"})
"""What UD hangs below a word and CCG puts above it: *in Paris* is headed by *Paris* there, by *in* here."""


@dataclass
class Figures:
    """All that is counted in one treebank."""

    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    roots: Counter[str] = field(default_factory=Counter)
    extra: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)
    direct: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)
    words: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    sentences: list[Sentence] = field(default_factory=list)
    seconds: float = 0.0


def known_categories(folder: Path) -> set[str]:
    known: set[str] = set()
    for path in sorted(folder.glob("depccg.grammar_en*.json")):
        known |= {text.strip().replace("[nb]", "") for text in json.loads(path.read_text())["targets"]}
    return known


def ud_pairs(tree: Tree) -> Iterator[tuple[int, int, str, set[int], set[int]]]:
    """Dependent, head, relation, and each of the two with its function words."""
    merged = merge_words(tree)
    groups = [{word.index} for word in merged.words]
    for word in merged.words:
        if word.universal in FUNCTION:
            groups[word.head].add(word.index)
    for word in merged.words:
        if word.head < 0 or word.relation == "punct" or "PUNCT" in (word.upos, merged.words[word.head].upos):
            continue
        yield word.index, word.head, word.universal, groups[word.index], groups[word.head]


def ccg_pairs(derivation: Derivation) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The pairs of words that a dependency links, and the pairs of heads that a node joins."""
    slots = {(min(d.head, d.argument), max(d.head, d.argument)) for d in extract(derivation)}
    joined: set[tuple[int, int]] = set()
    heads: list[int] = []
    position = 0
    for node in derivation.postorder():
        match node:
            case Leaf():
                heads.append(position)
                position += 1
            case Binary(head=head):
                right, left = heads.pop(), heads.pop()
                joined.add((left, right))
                heads.append(right if head else left)
    return slots, joined


def measure(path: Path, known: set[str]) -> Figures:
    figures = Figures()
    default = {(change.child, change.result) for change in CCGBANK_ENGLISH.unary}
    for tree in read_conllu(path):
        if len(tree.words) > LONGEST:
            continue
        figures.counts["sentences"] += 1
        start = time.perf_counter()
        result = convert(tree)
        figures.seconds += time.perf_counter() - start
        derivation = result.derivation
        if derivation is None:
            figures.reasons[result.reason] += 1
            continue
        nodes = list(derivation.postorder())
        if not all(licensed(node, ENGLISH.grammar) and node.rule is not None for node in nodes):
            figures.reasons["a node that the grammar does not license"] += 1
            continue
        figures.counts["converted"] += 1
        figures.sentences.append(Sentence(tree.id, derivation, (("PARSER", "UD"), ("NUMPARSE", "1")), conj_suffix=True))
        figures.roots[str(derivation.category)] += 1
        beyond = [
            f"{node.children[0].category} -> {node.category}"
            for node in nodes
            if node.rule is Rule.TYPE_CHANGE and (node.children[0].category, node.category) not in default
        ]
        figures.extra.update(beyond)
        figures.counts["sentences with such a rule"] += bool(beyond)
        for leaf in derivation.leaves():
            text = str(leaf.category)
            figures.categories[text] += 1
            figures.words[leaf.word.lower()][text] += 1
            if text not in known:
                figures.unknown[text] += 1
        compare_relations(figures, tree, derivation)
    return figures


def compare_relations(figures: Figures, tree: Tree, derivation: Derivation) -> None:
    slots, joined = ccg_pairs(derivation)
    for dependent, head, relation, lower, upper in ud_pairs(tree):
        pair = (min(dependent, head), max(dependent, head))
        figures.relations[relation] += 1
        figures.direct[relation] += pair in slots
        linked = any((min(a, b), max(a, b)) in slots for a in lower for b in upper)
        if not linked and not (relation in JOINING and pair in joined):
            figures.missing[relation] += 1


def print_poorer(path: Path) -> None:
    """How many categories stay the same when the trees lose what not every treebank has."""
    trees = list(read_conllu(path))
    full = [convert(tree).derivation for tree in trees]
    without_graph = [replace(tree, words=[replace(word, enhanced=()) for word in tree.words]) for tree in trees]
    without_tags = [replace(tree, words=[replace(word, xpos="") for word in tree.words]) for tree in trees]
    for name, poorer in (("enhanced graph", without_graph), ("Penn tags", without_tags)):
        pairs: list[tuple[Category, Category]] = []
        lost = 0
        for before, tree in zip(full, poorer, strict=True):
            after = convert(tree).derivation
            lost += before is not None and after is None
            if before and after and len(before.supertags) == len(after.supertags):
                pairs += zip(before.supertags, after.supertags, strict=True)
        same = sum(left is right for left, right in pairs)
        print(f"{path.name} without {name}: {share(same, len(pairs))} of {len(pairs)} categories the same, {lost} lost")


def report(name: str, figures: Figures, show: int) -> None:
    counts, tokens = figures.counts, sum(figures.categories.values())
    total, missing = sum(figures.relations.values()), sum(figures.missing.values())
    print(f"\n== {name}")
    print(
        f"sentences of up to {LONGEST} words: {counts['sentences']}; converted, every node licensed: "
        f"{counts['converted']} ({share(counts['converted'], counts['sentences'])}) in {figures.seconds:.1f} s"
    )
    print(
        f"tokens: {tokens}; with a category of the reference lists: "
        f"{share(tokens - sum(figures.unknown.values()), tokens)}; different categories: {len(figures.categories)}"
    )
    print(
        f"UD relations between words: {total}; found again as CCG dependencies: {share(total - missing, total)} "
        f"(without joining function words to their heads: {share(sum(figures.direct.values()), total)})"
    )
    print("  lost most:", listing(figures.missing, show, figures.relations))
    print("roots:", listing(figures.roots, show))
    print(
        f"sentences with a type change beyond CCGbank's: {counts['sentences with such a rule']}:",
        listing(figures.extra, show),
    )
    print("categories in no reference list:", listing(figures.unknown, show))
    print("not converted:")
    for reason, n in figures.reasons.most_common(show):
        print(f"  {n:5} {reason}")


def listing(counter: Counter[str], size: int, of: Counter[str] | None = None) -> str:
    return ", ".join(f"{key} {n}" + (f" of {of[key]}" if of else "") for key, n in counter.most_common(size))


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "-"


def compare(ours: Counter[str], theirs: Counter[str], size: int = 40) -> None:
    print(f"\n== the {size} most frequent categories, per thousand tokens, ours beside the other treebank's")
    a, b = sum(ours.values()), sum(theirs.values())
    for text, n in ours.most_common(size):
        mine, other = 1000 * n / a, 1000 * theirs[text] / b
        ratio = mine / other if other else float("inf")
        print(f"{mine:8.2f} {other:8.2f} {'   ' if 0.5 <= ratio <= 2 else '  *'} {text}")


def review(words: dict[str, Counter[str]], size: int) -> None:
    print(f"\n== the {size} most frequent words and their categories")
    for word, found in sorted(words.items(), key=lambda item: -sum(item[1].values()))[:size]:
        total = sum(found.values())
        print(f"{word:10} {total:6} ", "  ".join(f"{text} {100 * n / total:.0f}%" for text, n in found.most_common(7)))


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--pmb", type=Path)
    parser.add_argument("--write", type=Path, help="a folder for the converted treebanks")
    parser.add_argument("--show", type=int, default=25, help="length of each list")
    parser.add_argument("--words", type=int, default=100)
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="print N random sentences to read")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--poorer", action="store_true", help="only compare with trees that say less")
    options = parser.parse_args(list(arguments) if arguments is not None else None)
    if options.poorer:
        for path in options.treebanks:
            print_poorer(path)
        return
    if options.reference is None:
        parser.error("--reference is needed to count what CCGbank has")
    known = known_categories(options.reference)
    categories: Counter[str] = Counter()
    words: dict[str, Counter[str]] = defaultdict(Counter)
    for path in options.treebanks:
        figures = measure(path, known)
        report(path.name, figures, options.show)
        if options.sample:
            chosen = random.Random(options.seed).sample(figures.sentences, options.sample)
            print(*write_auto(chosen), sep="\n")
        categories.update(figures.categories)
        for word, found in figures.words.items():
            words[word].update(found)
        if options.write:
            options.write.mkdir(parents=True, exist_ok=True)
            lines = (line.rstrip("\n") + "\n" for line in write_auto(figures.sentences))
            (options.write / f"{path.stem}.auto").write_text("".join(lines), encoding="utf-8")
    if options.pmb:
        leaves = (leaf for sentence in read_auto(options.pmb) for leaf in sentence.derivation.leaves())
        compare(categories, Counter(str(leaf.category.bare_nb) for leaf in leaves))
    review(words, options.words)


if __name__ == "__main__":
    main()
