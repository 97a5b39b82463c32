"""How many nodes of a treebank the English grammar licenses, and what the rest are.

    python benchmarks/licensing.py FILE.auto... [--wider]

``--wider`` switches on backward harmonic and forward crossed composition, which other treebanks need.
"""

from __future__ import annotations

import argparse
import collections
from dataclasses import replace

from starccg.ccg.derivation import Leaf
from starccg.ccg.english import ENGLISH
from starccg.ccg.grammar import OTHER_COMBINATORS
from starccg.ccg.licensing import licensed
from starccg.formats.auto import read_auto


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+")
    arguments.add_argument("--wider", action="store_true")
    arguments.add_argument("--kinds", type=int, default=12, help="how many kinds of unlicensed nodes to list")
    options = arguments.parse_args()
    grammar = ENGLISH
    if options.wider:
        grammar = replace(ENGLISH, combinators=ENGLISH.combinators | OTHER_COMBINATORS)
    for path in options.files:
        nodes, kinds = 0, collections.Counter[str]()
        for sentence in read_auto(path):
            for node in sentence.derivation:
                if isinstance(node, Leaf):
                    continue
                nodes += 1
                if not licensed(node, grammar):
                    children = "  ".join(str(child.category) for child in node.children)
                    would_be = f"  ({node.rule.label})" if node.rule is not None else ""
                    kinds[f"{children}  =>  {node.category}{would_be}"] += 1
        share = 100 * (1 - kinds.total() / nodes)
        print(f"{path}: {share:.2f}% of {nodes} nodes licensed; {kinds.total()} are not, of {len(kinds)} kinds")
        for kind, count in kinds.most_common(options.kinds):
            print(f"{count:6}  {kind}")


if __name__ == "__main__":
    main()
