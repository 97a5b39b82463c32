"""How long a grammar takes to compile to its rule table.

    python benchmarks/compile_grammar.py TREEBANK.auto...

Prints one JSON line for the lexicon of the treebanks with their seen rules as a filter, and one without a filter,
where the closure stops at its stated bound.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace

from starccg.ccg.compiler import MAX_CATEGORIES, MAX_SIZE, compile_grammar
from starccg.ccg.derivation import Binary, Leaf
from starccg.ccg.english import ENGLISH
from starccg.ccg.grammar import seen_key
from starccg.formats.auto import read_auto


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    lexical, seen = {}, set()
    for path in sys.argv[1:]:
        for sentence in read_auto(path):
            for node in sentence.derivation:
                if isinstance(node, Leaf):
                    lexical[node.category.bare_nb] = True
                elif isinstance(node, Binary):
                    seen.add((seen_key(node.left.category), seen_key(node.right.category)))
    for name, grammar in (("seen rules", replace(ENGLISH, seen=frozenset(seen))), ("every pair", ENGLISH)):
        start = time.perf_counter()
        table = compile_grammar(grammar, lexical)
        seconds = time.perf_counter() - start
        print(
            json.dumps(
                {
                    "filter": name,
                    "lexical": table.lexical,
                    "categories": len(table.categories),
                    "binary": len(table.binary),
                    "unary": len(table.unary),
                    "complete": table.complete,
                    "bound": {"max_size": MAX_SIZE, "max_categories": MAX_CATEGORIES},
                    "seconds": round(seconds, 2),
                }
            )
        )


if __name__ == "__main__":
    main()
