"""What the conversion of Penn trees gives, in figures.

    python benchmarks/penn_conversion.py --reference DIR [--every N] [--jobs 2] TREEBANK.mrg[.gz]
    python benchmarks/penn_conversion.py --sample 100 --seed 1 TREEBANK.mrg[.gz]
    python benchmarks/penn_conversion.py --time [--jobs 2] TREEBANK.mrg[.gz]

``--reference`` holds CCGbank's categories and seen rules (``depccg.grammar_en.json``). Printed: trees converted (every
node asked again of the grammar), words with a category of CCGbank, nodes by rules that CCGbank has, type changes beyond
CCGbank, reasons of failures, agreement with the UD conversion on the sentences of the tests that are annotated both
ways, what is left of the categories when the trees lose their function tags and empty elements, seconds and memory.
With ``--sample N`` the derivations of N random trees are printed instead, for inspection. With ``--time`` the trees are
only converted: printed are the seconds, and the resident memory of all processes after each tenth of the trees.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.grammar import UnaryChange, seen_key
from starccg.ccg.induction import raised_with_variable
from starccg.ccg.licensing import licensed
from starccg.ccg.rules import Rule
from starccg.treebanks.penn import Conversion, Node, PennTree, convert, read_trees
from starccg.treebanks.penn.conversion import GRAMMARS
from starccg.treebanks.ud import convert as convert_ud
from starccg.treebanks.ud import read_conllu

TESTS = Path(__file__).parents[1] / "tests" / "treebanks"
MARKS = frozenset({Rule.RIGHT_PUNCTUATION, Rule.LEFT_PUNCTUATION})
SIMPLE = frozenset({Rule.CONJUNCTION, Rule.COMMA})


class Reference:
    """CCGbank's categories and seen rules."""

    def __init__(self, folder: Path) -> None:
        table = json.loads((folder / "depccg.grammar_en.json").read_text(encoding="utf-8"))
        self.categories = {bare(text) for text in table["targets"]} | {"LQU", "RQU"}
        self.pairs = {(bare(left), bare(right)) for left, right in table["seen_rules"]}

    def has(self, node: Derivation) -> bool:
        """Whether CCGbank has the rule of a node; marks may stand beside anything."""
        match node:
            case Leaf(category=category):
                return str(category.bare_nb) in self.categories
            case Unary(category, child):
                change = raised_with_variable(UnaryChange(child.category, category))
                return change in GRAMMARS[0].unary
            case Binary(_, (left, right), rule=rule):
                marked = rule in MARKS or (rule in SIMPLE and left.category.is_punctuation)
                return marked or (str(seen_key(left.category)), str(seen_key(right.category))) in self.pairs
        return False


def bare(text: str) -> str:
    return str(Category.parse(text.strip()).bare_nb)


def converted(trees: Iterable[PennTree], jobs: int) -> Iterator[Conversion]:
    """The conversions in order; with several processes, some trees at a time."""
    if jobs == 1:
        yield from map(convert, trees)
        return
    trees = iter(trees)
    with ProcessPoolExecutor(jobs) as pool:
        while batch := list(islice(trees, 2000)):
            yield from pool.map(convert, batch, chunksize=100)


def print_time(path: Path, jobs: int) -> None:
    """Seconds of the conversion alone, and whether memory grows with the trees."""
    start = time.perf_counter()
    done = trees = 0
    memory: list[tuple[int, float]] = []
    for result in converted(read_trees(path), jobs):
        trees += 1
        done += result.derivation is not None
        if trees % 100 == 0:
            memory.append((trees, resident()))
    seconds = time.perf_counter() - start
    print(f"{trees} trees read, {done} converted in {seconds:.1f} s with {jobs} process(es)")
    for tenth in range(1, 11):
        read, megabytes = memory[round(tenth * (len(memory) - 1) / 10)]
        print(f"after {read} trees: {megabytes:.0f} MB resident")


def resident() -> float:
    """The megabytes that this process and its workers hold now."""
    pages = sum(
        int(Path(f"/proc/{process}/statm").read_text().split()[1])
        for process in (os.getpid(), *(child.pid for child in multiprocessing.active_children()))
    )
    return pages * resource.getpagesize() / 2**20


def stripped(node: Node, *, tags: bool, empties: bool) -> Node | None:
    """The tree without its function tags or its empty elements."""
    if node.empty and empties:
        return None
    children = [c for part in node.children if (c := stripped(part, tags=tags, empties=empties)) is not None]
    if not children and not node.word and not node.empty:
        return None
    kept = frozenset[str]() if tags else node.tags
    return Node(node.label, kept, None if empties else node.index, children, node.word, node.empty)


def print_robustness(trees: list[PennTree]) -> None:
    """How many categories stay the same when the trees lose what not every treebank has."""
    for name, tags, empties in (
        ("no function tags", True, False),
        ("no empty elements", False, True),
        ("neither", True, True),
    ):
        same = words = lost = 0
        for tree in trees:
            full, poor = convert(tree).derivation, stripped(tree.root, tags=tags, empties=empties)
            if full is None or poor is None:
                continue
            other = convert(PennTree(tree.id, poor)).derivation
            if other is None:
                lost += 1
                continue
            pairs = list(zip(full.supertags, other.supertags, strict=True))
            words += len(pairs)
            same += sum(left is right for left, right in pairs)
        print(f"{name}: {same / max(words, 1):.2%} of {words} categories the same, {lost} trees not converted")


def print_agreement() -> None:
    """The two converters on the sentences of the tests that are annotated both ways."""
    ud = {tree.id: convert_ud(tree).derivation for tree in read_conllu(TESTS / "ud" / "constructions.conllu")}
    same = words = sentences = 0
    for tree in read_trees(TESTS / "penn" / "constructions.mrg"):
        other, own = ud.get(tree.id.rpartition(".")[0]), convert(tree).derivation
        if other is None or own is None:
            continue
        sentences += 1
        pairs = list(zip(own.supertags, other.supertags, strict=True))
        words += len(pairs)
        same += sum(left is right for left, right in pairs)
    print(f"agreement with the UD conversion: {same} of {words} categories, {sentences} sentences")


def print_figures(path: Path, reference: Reference, every: int, jobs: int) -> None:
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    unseen: Counter[str] = Counter()
    start = time.perf_counter()
    for result in converted(islice(read_trees(path), None, None, every), jobs):
        counts["trees"] += 1
        if result.derivation is None:
            reasons[result.reason] += 1
            continue
        counts["converted"] += 1
        counts["wide"] += count_nodes(result.derivation, reference, counts, unknown, unseen)
    seconds = time.perf_counter() - start
    print(f"trees {counts['trees']}, converted {counts['converted']} ({counts['converted'] / counts['trees']:.2%})")
    print(f"nodes licensed by the grammar: {counts['licensed'] / counts['nodes']:.3%} of {counts['nodes']}")
    print(f"words with a category of CCGbank: {1 - unknown.total() / counts['words']:.2%} of {counts['words']}")
    print(f"nodes by a category or rule of CCGbank: {counts['known'] / counts['nodes']:.2%}")
    print(f"binary and unary nodes by a rule of CCGbank: {1 - unseen.total() / counts['inner']:.2%}")
    print(f"sentences with a type change beyond CCGbank: {counts['wide']}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{seconds:.0f} s with {jobs} process(es), {memory:.0f} MB")
    for title, table in (("not converted", reasons), ("categories not in CCGbank", unknown), ("rules", unseen)):
        print(f"{title}:", "; ".join(f"{name} ({times})" for name, times in table.most_common(12)))


def count_nodes(
    derivation: Derivation,
    reference: Reference,
    counts: Counter[str],
    unknown: Counter[str],
    unseen: Counter[str],
) -> bool:
    """Count the nodes of one sentence; whether it has a type change beyond CCGbank."""
    wide = False
    for node in derivation.postorder():
        counts["nodes"] += 1
        counts["licensed"] += licensed(node, GRAMMARS[-1])
        has = reference.has(node)
        counts["known"] += has
        if isinstance(node, Leaf):
            counts["words"] += 1
            if not has:
                unknown[str(node.category)] += 1
            continue
        counts["inner"] += 1
        if not has:
            unseen[" ".join(str(child.category) for child in node.children) + f" -> {node.category}"] += 1
            wide |= isinstance(node, Unary)
    return wide


def bracketed(node: Derivation) -> str:
    """A derivation on one line: ``[a|NP/N b|N]``, unary nodes as ``<NP b|N>``."""
    match node:
        case Leaf(category=category, word=word):
            return f"{word}|{category}"
        case Unary(category, child):
            return f"<{category} {bracketed(child)}>"
        case _:
            return f"[{' '.join(map(bracketed, node.children))}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take every Nth tree")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", action="store_true", help="only convert, and print seconds and memory")
    options = parser.parse_args()
    if options.time:
        print_time(options.treebank, options.jobs)
        return
    if options.sample:
        trees = list(read_trees(options.treebank))
        for tree in random.Random(options.seed).sample(trees, options.sample):
            result = convert(tree)
            shown = f"not converted: {result.reason}" if result.derivation is None else bracketed(result.derivation)
            print(tree.id, shown)
        return
    if options.reference is None:
        parser.error("--reference is needed to count what CCGbank has")
    print_figures(options.treebank, Reference(options.reference), options.every, options.jobs)
    print_agreement()
    print_robustness(list(islice(read_trees(options.treebank), 7, None, max(100, options.every))))


if __name__ == "__main__":
    main()
