"""What the treebanks hold after normalisation, conversion and the search for gold derivations.

    python benchmarks/treebanks.py DATA [--write DIR]
    python benchmarks/treebanks.py --joined DATA

``DATA`` has ``pmb/``, ``ud/`` and ``reference/``. Printed are: the share of words whose category CCGbank knows, before
and after normalisation, with the categories that weigh most; gold derivations by source, and why the rest was set
aside; how many of them the native search finds again with the compiled grammar; and what that grammar licenses of the
held-out sentences. ``--write`` keeps the treebanks that were made. With ``--joined`` printed are only what became of
PMB's joined expressions, and how many sentences of a training source an earlier one has.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

from starccg.ccg.category import Category, Functor
from starccg.ccg.compiler import compile_grammar
from starccg.ccg.derivation import Binary, Derivation, Sentence, Unary
from starccg.ccg.grammar import Grammar
from starccg.ccg.induction import count, induce
from starccg.ccg.licensing import annotate, licensed
from starccg.ccg.rules import Rule
from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule
from starccg.dependencies import extract
from starccg.formats.auto import read_auto, write_auto
from starccg.search.options import Limits, Options
from starccg.search.searcher import Searcher
from starccg.search.types import Node, TaggedSentence, TreeLstmWeights
from starccg.training.trees import Bridge, NotInGrammarError
from starccg.treebanks.duplicates import without_copies
from starccg.treebanks.gold import GoldOutcome, GoldSearch
from starccg.treebanks.normalise import DIALECT, PMB, Report, normalise, normalise_all
from starccg.treebanks.normalise.tokens import JOINER
from starccg.treebanks.stats import read_known, stats
from starccg.treebanks.ud import convert_conllu, read_conllu

FOREST = 100_000
UD_TRAINING = ("en_ewt-ud-train", "en_gum-open-train", "en_eslspok-ud-train", "en_atis-ud-train")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--joined", action="store_true", help="only joined expressions and copies")
    arguments = parser.parse_args()
    data: Path = arguments.data
    if arguments.joined:
        print_joined(data)
        return
    known = read_known(data / "reference" / "depccg.grammar_en.json")
    wider = known | read_known(data / "reference" / "depccg.grammar_en_rebank.json")
    sources: dict[str, tuple[list[Sentence], int]] = {}
    for name in ("gold-en.train", "gold-en.dev", "silver-en.train", "silver-en.dev"):
        sources[f"pmb {name}"] = normalised(data / "pmb" / f"{name}.auto", known, wider)
    for name in ("ewt-ud-train", "ewt-ud-dev"):
        sources[f"en_{name}"] = converted(data / "ud" / f"en_{name}.conllu")
    golds = {name: gold(name, sentences, size) for name, (sentences, size) in sources.items()}
    if arguments.write:
        arguments.write.mkdir(parents=True, exist_ok=True)
        for name, sentences in golds.items():
            lines = "\n".join(write_auto(sentences))
            (arguments.write / f"{name.replace(' ', '-')}.gold.auto").write_text(lines + "\n", encoding="utf-8")
    training = [sentence for name, found in golds.items() if "train" in name for sentence in found]
    held_out = [sentence for name, found in golds.items() if "dev" in name for sentence in found]
    grammar, table = compiled(training)
    print(f"held-out nodes licensed, normal form aside: {node_share(held_out, grammar):.2%}")
    found_again("training", training, table)
    found_again("held out", held_out, table)


def normalised(path: Path, known: frozenset[Category], wider: frozenset[Category]) -> tuple[list[Sentence], int]:
    """Normalise a file of PMB and print what that did."""
    before = list(read_auto(path))
    report = Report()
    began = time.perf_counter()
    after = list(normalise_all(before, report))
    seconds = time.perf_counter() - began
    usable = [sentence for sentence in after if (DIALECT, PMB) not in sentence.fields]
    print(f"== {path.name}: {len(before)} sentences, {seconds:.1f} s")
    for what, sentences in (("before", before), ("after", after), ("after, PMB's dialect left out", usable)):
        of_known, of_wider = stats(sentences, known=known), stats(sentences, known=wider)
        print(
            f"  words in CCGbank's list {what}: {share(of_known.known_words, of_known.words)}"
            f" (with the rebanked list {share(of_wider.known_words, of_wider.words)})"
        )
        outsiders = ", ".join(f"{category} {times}" for category, times in of_known.unknown.most_common(8))
        print(f"    outside: {outsiders}")
    print(f"  kept PMB's dialect: {sum(report.kept.values())} {dict(report.kept.most_common())}")
    print(f"  rules: {dict(report.rules.most_common())}")
    print(f"  links between the same words kept: {links_kept(before)}")
    return after, len(before)


def print_joined(data: Path) -> None:
    """What became of joined expressions, and copies between training sources."""
    earlier: list[Sentence] = []
    for name in ("gold-en.train", "gold-en.dev", "silver-en.train", "silver-en.dev"):
        print_expressions(name, list(read_auto(data / "pmb" / f"{name}.auto")))
    for name in ("pmb/gold-en.train.auto", "pmb/silver-en.train.auto", *(f"ud/{each}.conllu" for each in UD_TRAINING)):
        path = data / name
        own = convert_conllu(path) if path.suffix == ".conllu" else map(normalise, read_auto(path))
        sentences = [sentence for sentence in own if (DIALECT, PMB) not in sentence.fields]
        alone = without_copies(sentences, earlier)
        left = len(sentences) - len(alone)
        again = len(alone) - len(without_copies(alone, earlier))
        print(f"{name}: {left} of {len(sentences)} sentences are in a source before and are left out; {again} remain")
        earlier += alone


def print_expressions(name: str, sentences: Sequence[Sentence]) -> None:
    counts = Counter({"joined expressions": 0, "split": 0, "split into a chain of modifiers": 0})
    for sentence in sentences:
        after = normalise(sentence)
        own = [leaf.word for leaf in sentence.derivation.leaves() if JOINER in leaf.word]
        counts["joined expressions"] += len(own)
        if (DIALECT, PMB) in after.fields:
            counts["in sentences that keep PMB's dialect"] += len(own)
            continue
        counts["whole in a sentence that is used"] += sum(JOINER in leaf.word for leaf in after.derivation.leaves())
        counts["split"] += len(own)
        text = " ".join(after.derivation.words)
        ends = accumulate(len(word) + 1 for word in after.derivation.words)
        categories = dict(zip(ends, after.derivation.supertags, strict=True))
        for word in own:
            start = f" {text} ".find(f" {word.replace(JOINER, ' ')} ")
            inside = [category for end, category in categories.items() if start < end <= start + len(word) + 1]
            chained = any(left is right and modifies_modifier(left) for left, right in pairwise(inside))
            counts["split into a chain of modifiers"] += chained
    print(f"{name}: " + ", ".join(f"{what} {times}" for what, times in counts.items()))


def modifies_modifier(category: Category) -> bool:
    """Whether it is ``(X/X)/(X/X)``."""
    return isinstance(category, Functor) and category.is_modifier and category.argument.is_modifier


def links_kept(sentences: Iterable[Sentence]) -> str:
    """Of sentences whose tokens stay: the pairs of words that depend on one another before, and still do after."""
    kept = total = same = compared = 0
    for sentence in sentences:
        after = normalise(sentence)
        if (DIALECT, PMB) in after.fields or after.derivation.words != sentence.derivation.words:
            continue
        old, new = pairs(sentence.derivation), pairs(after.derivation)
        compared += 1
        same += old == new
        kept += len(old & new)
        total += len(old)
    return f"{share(kept, total)}; {share(same, compared)} of {compared} sentences unchanged in this"


def pairs(derivation: Derivation) -> set[frozenset[int]]:
    return {frozenset((d.head, d.argument)) for d in extract(derivation)}


def converted(path: Path) -> tuple[list[Sentence], int]:
    """Convert a UD treebank."""
    began = time.perf_counter()
    made = convert_conllu(path)
    sentences = [replace(sentence, derivation=annotate(sentence.derivation)) for sentence in made]  # as a file has it
    size = sum(1 for _ in read_conllu(path))
    print(f"== {path.name}: {len(sentences)} of {size} converted, {time.perf_counter() - began:.1f} s")
    return sentences, size


def gold(name: str, sentences: Sequence[Sentence], size: int) -> list[Sentence]:
    """Gold derivations in normal form, and what was set aside."""
    usable = [sentence for sentence in sentences if (DIALECT, PMB) not in sentence.fields]
    search = GoldSearch(induce(count(sentence.derivation for sentence in usable), seen=False).grammar)
    outcomes: Counter[str] = Counter({"dialect or not converted": size - len(usable)})
    found: list[Sentence] = []
    began = time.perf_counter()
    for sentence in usable:
        result = search.gold(sentence.derivation)
        outcomes[result.outcome.value] += 1
        if result.outcome is GoldOutcome.FOUND and result.derivation is not None:
            found.append(Sentence(sentence.id, result.derivation, sentence.fields, sentence.conj_suffix))
    print(
        f"gold {name}: {share(len(found), size)} of {size} sentences, {share(len(found), len(usable))} of the"
        f" {len(usable)} in CCGbank's dialect, {time.perf_counter() - began:.0f} s; {dict(outcomes.most_common())}"
    )
    return found


def compiled(training: Sequence[Sentence]) -> tuple[Grammar, RuleTable]:
    """The grammar of the training sentences, closed over their categories."""
    began = time.perf_counter()
    induced = induce(count(sentence.derivation for sentence in training))
    read = time.perf_counter() - began
    began = time.perf_counter()
    table = compile_grammar(induced.grammar, induced.lexical, max_size=16)  # conjuncts of adverbs of adverbs
    print(
        f"== grammar of {len(training)} sentences: {table.lexical} lexical categories, {len(table.categories)} in all,"
        f" {len(table.binary)} binary and {len(table.unary)} unary rules, {len(induced.grammar.seen or ())} seen pairs;"
        f" read in {read:.1f} s, compiled in {time.perf_counter() - began:.1f} s, complete: {table.complete}"
    )
    return induced.grammar, table


def node_share(sentences: Sequence[Sentence], grammar: Grammar) -> float:
    nodes = good = 0
    for sentence in sentences:
        for node in sentence.derivation.postorder():
            if isinstance(node, (Unary, Binary)):
                nodes += 1
                good += licensed(node, grammar)
    return good / max(1, nodes)


def found_again(name: str, sentences: Sequence[Sentence], table: RuleTable) -> None:
    """Is each gold derivation one of the compiled grammar, and does the native search come to it?

    The forest of a long sentence holds millions of derivations that only a trained model tells apart. So the search is
    given the rules of the compiled grammar that the gold derivation uses (any number of times, anywhere), the gold
    supertags, the normal form, and a model to which all nodes are alike.
    """
    bridge, reasons, stops = Bridge(table), Counter[str](), Counter[str]()
    began = time.perf_counter()
    for sentence in sentences:
        try:
            nodes = bridge.nodes(sentence.derivation)
        except NotInGrammarError as error:
            reasons[str(error).split(":")[0]] += 1
            continue
        stops[search_within_own_rules(nodes, table)] += 1
    derivations = sum(stops.values())
    print(f"{name}: {share(derivations, len(sentences))} of {len(sentences)} are derivations of the compiled grammar")
    if reasons:
        print(f"  {sum(reasons.values())} others: {dict(reasons.most_common(5))}")
    print(
        f"  found again by the native search: {stops['gold']}, {share(stops['gold'], derivations)}"
        f" ({time.perf_counter() - began:.0f} s; {dict(stops.most_common())})"
    )


def search_within_own_rules(nodes: Sequence[Node], table: RuleTable) -> str:
    """Why the native search stopped: ``gold`` if it came to the gold derivation."""
    numbers: dict[int, int] = {}
    for node in sorted(nodes, key=lambda node: node.rule != Rule.LEXICON):  # lexical categories first
        numbers.setdefault(node.category, len(numbers))
    lexical = len({node.category for node in nodes if node.rule == Rule.LEXICON})
    own = [node._replace(category=numbers[node.category]) for node in nodes]
    binary: set[BinaryRule] = set()
    unary: set[UnaryRule] = set()
    for node in own:
        if node.right >= 0:
            left, right = own[node.left].category, own[node.right].category
            binary.add(
                BinaryRule(left, right, node.category, node.rule, 0)
            )  # which side is the head plays no part here
        elif node.left >= 0:
            unary.add(UnaryRule(own[node.left].category, node.category, node.rule))
    restricted = replace(
        table,
        categories=tuple(table.categories[number] for number in numbers),
        lexical=lexical,
        binary=tuple(sorted(binary)),
        unary=tuple(sorted(unary)),
        roots=(own[-1].category,),
        root_scores=(),
    )
    tags = [node.category for node in own if node.rule == Rule.LEXICON]
    tagged = TaggedSentence(
        np.array(tags, np.int32),
        np.zeros(len(tags), np.float32),
        np.arange(len(tags) + 1, dtype=np.int32),
        np.zeros((len(tags), 4, 1), np.float32),
    )
    limits = Limits(forest=FOREST, agenda=10 * FOREST, recursive_units=10 * FOREST)
    searcher = Searcher(restricted, blind_weights(len(numbers)))
    return searcher.search_gold_batch((tagged,), (own,), Options(limits=limits))[0].stopped


def blind_weights(categories: int) -> TreeLstmWeights:
    """A model to which all nodes are alike."""
    types = len(Rule)

    def zeros(*shape: int) -> np.ndarray:
        return np.zeros(shape, np.float32)

    return TreeLstmWeights(
        input_gate=zeros(types, 1, 5),
        forget_gate=zeros(types, 1, 5),
        output_gate=zeros(types, 1, 4),
        candidate=zeros(types, 1, 3),
        biases=zeros(types, 4, 1),
        categories=zeros(categories, 1),
        unary_left=zeros(2, 1),
        output=zeros(1),
    )


def share(part: int | None, whole: int) -> str:
    return f"{(part or 0) / max(1, whole):.2%}"


if __name__ == "__main__":
    main()
