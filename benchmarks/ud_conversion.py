"""What the conversion of Universal Dependencies gives, in figures.

    python benchmarks/ud_conversion.py --reference DIR --pmb FILE.auto [--write DIR] TREEBANK.conllu...

``--reference`` holds the category lists to compare with (``depccg.grammar_en*.json``), ``--pmb`` a hand-checked CCG
treebank. Printed for each treebank: sentences converted (every node asked again of the grammar), tokens with a known
category, UD relations found again as CCG dependencies, the reasons of failures, seconds; and at the end the most frequent categories
beside those of the other treebank, and the categories of the most frequent words.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from starccg.ccg.licensing import licensed
from starccg.ccg.rules import Rule
from starccg.dependencies import extract
from starccg.derivation import Binary, Derivation, Leaf, Sentence
from starccg.formats.auto import read_auto, write_auto
from starccg.treebanks.ud import ENGLISH, Tree, convert, read_conllu
from starccg.treebanks.ud.repair import merge_words

LONGEST = 70


def known_categories(folder: Path) -> set[str]:
    known: set[str] = set()
    for path in sorted(folder.glob("depccg.grammar_en*.json")):
        known |= {text.strip().replace("[nb]", "") for text in json.loads(path.read_text())["targets"]}
    return known


JOINING = frozenset("conj appos parataxis list cc flat".split())
FUNCTION = frozenset("case mark aux cop cc det fixed flat".split())


def ud_pairs(tree: Tree) -> Iterator[tuple[int, int, str, set[int], set[int]]]:
    """Dependent, head, relation, and each with the function words that UD hangs below it and CCG puts above it."""
    merged = merge_words(tree)
    groups = [{word.index} for word in merged.words]
    for word in merged.words:
        if word.universal in FUNCTION:
            groups[word.head].add(word.index)
    for word in merged.words:
        if word.head >= 0 and word.upos != "PUNCT" and merged.words[word.head].upos != "PUNCT" and word.relation != "punct":
            yield word.index, word.head, word.universal, groups[word.index], groups[word.head]


def ccg_pairs(derivation: Derivation) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The dependencies between words; and the heads that coordination and type change join, which no slot links."""
    slots = {(min(d.head, d.argument), max(d.head, d.argument)) for d in extract(derivation)}
    joined: set[tuple[int, int]] = set()
    heads: list[tuple[int, int]] = []  # (head word, the conjunction or mark that starts the phrase)
    position = 0
    for node in derivation.postorder():
        match node:
            case Leaf():
                heads.append((position, position))
                position += 1
            case Binary(rule=rule, head=head):
                right, left = heads.pop(), heads.pop()
                joined.add((left[0], right[0]))
                if rule in (Rule.CONJUNCTION, Rule.COMMA):
                    joined |= {(left[0], right[0])}
                heads.append(right if head else left)
    return slots, {(min(pair), max(pair)) for pair in joined}


def report(path: Path, known: set[str], output: Path | None, show: int) -> tuple[Counter[str], dict[str, Counter[str]], Counter[str]]:
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    categories: Counter[str] = Counter()
    roots: Counter[str] = Counter()
    words: dict[str, Counter[str]] = defaultdict(Counter)
    relations: Counter[str] = Counter()
    recovered: Counter[str] = Counter()
    collapsed: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    converted: list[Sentence] = []
    seconds = 0.0
    for tree in read_conllu(path):
        if len(tree.words) > LONGEST:
            continue
        counts["sentences"] += 1
        start = time.perf_counter()
        result = convert(tree)
        seconds += time.perf_counter() - start
        if result.derivation is None:
            reasons[result.reason] += 1
            continue
        derivation = result.derivation
        if not all(licensed(node, ENGLISH.grammar) and node.rule is not None for node in derivation.postorder()):
            reasons["NOT LICENSED"] += 1
            continue
        counts["converted"] += 1
        converted.append(Sentence(tree.id, derivation, (("PARSER", "UD"), ("NUMPARSE", "1")), conj_suffix=True))
        roots[str(derivation.category)] += 1
        for leaf in derivation.leaves():
            text = str(leaf.category)
            counts["tokens"] += 1
            categories[text] += 1
            words[leaf.word.lower()][text] += 1
            if text in known:
                counts["known"] += 1
            else:
                unknown[text] += 1
        slots, joined = ccg_pairs(derivation)
        for dependent, head, relation, lower, upper in ud_pairs(tree):
            relations[relation] += 1
            if (min(dependent, head), max(dependent, head)) in slots:
                recovered[relation] += 1
            if any((min(a, b), max(a, b)) in slots for a in lower for b in upper) or (
                relation in JOINING and (min(dependent, head), max(dependent, head)) in joined
            ):
                collapsed[relation] += 1
            else:
                missing[relation] += 1
    print(f"\n== {path.name}")
    print(f"sentences of up to {LONGEST} words: {counts['sentences']}; converted, every node licensed: {counts['converted']} "
          f"({share(counts['converted'], counts['sentences'])}) in {seconds:.1f} s")
    print(f"tokens: {counts['tokens']}; with a category of the reference lists: {share(counts['known'], counts['tokens'])}; "
          f"different categories: {len(categories)}")
    total = sum(relations.values())
    if total:
        print(f"UD relations between words: {total}; found again as CCG dependencies: {share(sum(collapsed.values()), total)} "
              f"(word for word, function words not collapsed: {share(sum(recovered.values()), total)})")
        print("  lost most:", ", ".join(f"{r} {n} of {relations[r]}" for r, n in missing.most_common(show // 2)))
    print("roots:", ", ".join(f"{root} {n}" for root, n in roots.most_common(15)))
    print("not converted:")
    for reason, n in reasons.most_common(show):
        print(f"  {n:5} {reason}")
    print("categories in no reference list:", ", ".join(f"{text} {n}" for text, n in unknown.most_common(show)))
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        target = output / f"{path.stem}.auto"
        target.write_text("".join(line if line.endswith("\n") else line + "\n" for line in write_auto(converted)), encoding="utf-8")
    return categories, words, counts


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "-"


def compare(ours: Counter[str], theirs: Counter[str], size: int = 40) -> None:
    print(f"\n== the {size} most frequent categories, per thousand tokens, ours beside the other treebank's")
    a, b = sum(ours.values()), sum(theirs.values())
    for text, n in ours.most_common(size):
        mine, other = 1000 * n / a, 1000 * theirs[text] / b
        ratio = mine / other if other else float("inf")
        print(f"{mine:8.2f} {other:8.2f} {'  *' if not 0.5 <= ratio <= 2 else '   '} {text}")


def review(words: dict[str, Counter[str]], size: int) -> None:
    print(f"\n== the {size} most frequent words and their categories")
    frequent = sorted(words.items(), key=lambda item: -sum(item[1].values()))[:size]
    for word, found in frequent:
        total = sum(found.values())
        print(f"{word:10} {total:6} ", "  ".join(f"{text} {100 * n / total:.0f}%" for text, n in found.most_common(7)))


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path)
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--pmb", type=Path)
    parser.add_argument("--write", type=Path, help="a folder for the converted treebanks")
    parser.add_argument("--show", type=int, default=25, help="lines of each list")
    parser.add_argument("--words", type=int, default=100)
    options = parser.parse_args(list(arguments) if arguments is not None else None)
    known = known_categories(options.reference)
    categories: Counter[str] = Counter()
    words: dict[str, Counter[str]] = defaultdict(Counter)
    for path in options.treebanks:
        found, by_word, _ = report(path, known, options.write, options.show)
        categories.update(found)
        for word, counts in by_word.items():
            words[word].update(counts)
    if options.pmb:
        theirs = Counter(
            str(leaf.category.bare_nb) for sentence in read_auto(options.pmb) for leaf in sentence.derivation.leaves()
        )
        compare(categories, theirs)
    review(words, options.words)


if __name__ == "__main__":
    main()
