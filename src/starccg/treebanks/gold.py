r"""Gold derivations: the right-most branching normal-form derivation that satisfies the gold dependencies.

A treebank has one derivation of a sentence where the grammar has many of the same meaning; a parser should learn from
the one that its own normal form builds (paper, section 6.1). It is found by uniform-cost search over the gold
supertags. At each binary node the gold dependencies that cross its two children must be exactly those that the node
resolves, and a unary node must resolve none. A binary node costs the length of its left child, a unary node a
hundred times as much as a word: few unary rules first, then right branching.

Dependencies cannot tell ``S[ng]\NP -> NP\NP`` from ``S[ng]\NP -> N\N``; there the treebank's own choice stands: types
change and rise only as they do in its derivation of the sentence, unless no derivation is found that way. Nor do
dependencies see marks: right branching alone attaches a full stop to the last word and makes a comma between two
adjuncts a conjunction. So a mark attaches, conjoins or changes type where it does in the treebank
(:mod:`starccg.treebanks.marks_kept`), and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.grammar import Grammar, UnaryChange
from starccg.ccg.induction import raised_with_variable
from starccg.ccg.licensing import licensed
from starccg.ccg.normal_form import NormalForm
from starccg.ccg.rules import UNARY_RULES
from starccg.dependencies import extract
from starccg.dependencies.types import Dependency
from starccg.treebanks.gold_agenda import Agenda, Rules
from starccg.treebanks.head_states import Link
from starccg.treebanks.marks_kept import FREE_MARKS, KeptMarks

MAX_NODES = 20_000
"""The maximum number of nodes that the search tries; sentences with more are mostly lists and signatures."""


class GoldOutcome(StrEnum):
    """The outcome of the search for one sentence."""

    FOUND = "found"
    """The search found it."""
    OWN = "own"
    """None satisfies the dependencies in normal form; the treebank's own derivation is licensed."""
    UNLICENSED = "unlicensed"
    """None was found and the grammar does not license the treebank's own."""
    ROOT = "root"
    """The category of the whole sentence is no root of the grammar."""
    TOO_LARGE = "too large"
    """The search reached its limit."""


@dataclass(frozen=True, slots=True)
class Gold:
    """The outcome, and the derivation to learn from unless the sentence is set aside."""

    outcome: GoldOutcome
    derivation: Derivation | None
    nodes: int
    """The number of nodes that the search tried."""


class GoldSearch:
    """The search for one grammar; it keeps what it learns about pairs of categories."""

    def __init__(self, grammar: Grammar, *, max_nodes: int = MAX_NODES) -> None:
        self.grammar = grammar
        self.max_nodes = max_nodes
        self.rules = Rules(grammar)

    def gold(self, derivation: Derivation, dependencies: Iterable[Dependency] | None = None) -> Gold:
        """The gold derivation for a sentence; the dependencies are those of its own derivation if none are given."""
        derivation = self.named(derivation)
        wanted = extract(derivation) if dependencies is None else dependencies
        links = frozenset((d.head, d.slot, d.argument) for d in wanted)
        leaves = list(derivation.leaves())
        own = frozenset(
            raised_with_variable(UnaryChange(node.child.category.bare_nb, node.category.bare_nb))
            for node in derivation.postorder()
            if isinstance(node, Unary)
        )
        root = derivation.category.bare_nb
        if root not in self.grammar.roots:
            return Gold(GoldOutcome.ROOT, None, 0)
        nodes = 0
        found = None
        for changes, marks in ((own, KeptMarks.of(derivation)), (own, FREE_MARKS), (None, FREE_MARKS)):
            found, nodes = self.search(leaves, links, changes, root, marks)
            if found is not None or nodes >= self.max_nodes:
                break  # the next search would have more to try
        if found is not None:
            return Gold(GoldOutcome.FOUND, found, nodes)
        if nodes >= self.max_nodes:
            return Gold(GoldOutcome.TOO_LARGE, None, nodes)
        waived = self.grammar.without_filter()
        if all(licensed(node, waived) for node in derivation.postorder()):
            return Gold(GoldOutcome.OWN, derivation, nodes)
        return Gold(GoldOutcome.UNLICENSED, None, nodes)

    def search(
        self,
        leaves: Sequence[Leaf],
        links: frozenset[Link],
        changes: frozenset[UnaryChange] | None = None,
        root: Category | None = None,
        marks: KeptMarks = FREE_MARKS,
    ) -> tuple[Derivation | None, int]:
        """The cheapest derivation over these leaves that resolves exactly ``links``, and the nodes tried.

        With ``changes`` given, only these unary rules of the grammar are used; with ``root``, no other root will do;
        with ``marks``, they stand as there.
        """
        roots = self.grammar.roots if root is None else self.grammar.roots & {root}
        agenda = Agenda(
            self.rules, leaves, links, changes=changes, roots=roots, marks=marks, max_nodes=self.max_nodes
        )  # fmt: skip
        return agenda.run()

    def named(self, derivation: Derivation) -> Derivation:
        """The derivation with the rule types of this grammar where it has none, such as those of its comma rules.

        Heads pass by rule type: the dependencies wanted must be those that the same nodes have in the search.
        """
        if all(node.rule is not None for node in derivation.postorder()):
            return derivation

        def name(node: Derivation, children: list[Derivation]) -> Derivation:
            if node.rule is not None or not isinstance(node, Binary):
                return node.rebuilt(children)
            left, right = children
            made = self.rules.combine(left.category.bare_nb, right.category.bare_nb)
            rule = next((m.rule for m in made if m.category is node.category.bare_nb), None)
            return Binary(node.category, left, right, rule, node.head)

        return derivation.fold(name)


def in_normal_form(derivation: Derivation, grammar: Grammar, *, checked: bool = False) -> bool:
    """Whether the grammar builds every node of the derivation, its root and its normal form included.

    With ``checked`` the nodes are known to be licensed and only the normal form is asked.
    """
    form: NormalForm = grammar.normal_form
    if derivation.category.bare_nb not in grammar.roots:
        return False
    chains: dict[int, int] = {}
    for start, _, node in derivation.spans():
        if isinstance(node, Leaf):
            continue
        if node.rule is None or not (checked or licensed(node, grammar)):
            return False
        rules = [child.rule for child in node.children]
        if any(rule is None for rule in rules):
            return False
        if isinstance(node, Unary):
            assert rules[0] is not None
            chains[id(node)] = chains.get(id(node.child), 0) + 1
            too_long = form.max_unary_chain and chains[id(node)] > form.max_unary_chain
            if too_long or node.rule not in UNARY_RULES or not form.allows_unary(node.rule, rules[0]):
                return False
        else:
            assert rules[0] is not None and rules[1] is not None
            if not form.allows(node.rule, rules[0], rules[1]):
                return False
            if start and form.start_only_mask() >> node.rule & 1:
                return False
    return True
