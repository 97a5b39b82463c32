"""starccg behind depccg's Python calls: sentences in, depccg's own trees out.

::

    from depccg.printer import to_string
    from starccg.integrations.depccg import EnglishCCGParser

    results = EnglishCCGParser().parse_doc(["Fruit flies like bananas .".split()])
    print(to_string(results, format="ccg2lambda"))

``parse_doc`` takes what the method of this name took in depccg 1 and returns what ``depccg.parsing.run`` returns in
depccg 3: for each sentence a list of ``ScoredTree``, best first. So depccg's printers work, and with them the
ccg2lambda that depccg contains. Tokens have part of speech and lemma. A sentence without a parse has an empty list,
which depccg's printers do not accept: leave it out before printing. Tested with depccg 3.0.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from depccg.cat import Category as DepccgCategory
from depccg.tree import ScoredTree, Tree
from depccg.types import Token

from starccg.ccg.derivation import Binary, Derivation, Leaf
from starccg.formats.candc import NO_CHUNK, NO_ENTITY, NO_LEMMA, rule_name
from starccg.formats.variables import plain
from starccg.integrations.processes import ProcessParser


class EnglishCCGParser:
    """A parser with depccg's call. Its settings are those of ``ProcessParser``: ``model``, ``nbest``, ``threads``."""

    def __init__(self, **settings: Any) -> None:
        self.parser = ProcessParser(**{"annotate": True, **settings})

    def parse_doc(self, sentences: Iterable[str | Sequence[str]]) -> list[list[ScoredTree]]:
        """The trees of each sentence, best first; a sentence is a text or a list of words."""
        return [
            [ScoredTree(to_tree(parse), parse.score) for parse in outcome.parses]
            for outcome in self.parser.pipe(sentences)
        ]


def to_tree(derivation: Derivation) -> Tree:
    """The derivation as depccg has it; ``S[X]`` becomes ``S``."""

    def tree(node: Derivation, children: list[Tree]) -> Tree:
        category = DepccgCategory.parse(str(plain(node.category)))
        name = rule_name(node)
        if isinstance(node, Leaf):
            lemma = node.lemma or NO_LEMMA
            token = Token(word=node.word, lemma=lemma, pos=node.pos, entity=NO_ENTITY, chunk=NO_CHUNK)
            return Tree.make_terminal(token, category)
        if isinstance(node, Binary):
            return Tree.make_binary(category, *children, name, f"<{name}>", node.head == 0)
        return Tree.make_unary(category, *children, name)

    return derivation.fold(tree)
