"""From derivations to the numbered nodes of a search."""

from __future__ import annotations

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.rules import Rule
from starccg.ccg.table import RuleTable
from starccg.search.types import Node


class NotInGrammarError(ValueError):
    """A derivation that the search can never build, and why."""


class Bridge:
    """Turns derivations into nodes of one rule table."""

    def __init__(self, table: RuleTable) -> None:
        self.table = table
        self.numbers = {category: number for number, category in enumerate(table.categories)}
        self.binary: dict[tuple[int, int, int], list[int]] = {}
        for rule in table.binary:
            self.binary.setdefault((rule.left, rule.right, rule.result), []).append(rule.rule)
        self.unary: dict[tuple[int, int], list[int]] = {}
        for change in table.unary:
            self.unary.setdefault((change.child, change.result), []).append(change.rule)

    def nodes(self, derivation: Derivation) -> tuple[Node, ...]:
        """The nodes of a gold derivation; :class:`NotInGrammarError` if table or normal form do not allow one."""
        found: list[Node] = []
        open_nodes: list[int] = []
        chains: list[int] = []
        for start, end, node in derivation.spans():
            category = self.number(node.category)
            match node:
                case Leaf():
                    if category >= self.table.lexical:
                        raise NotInGrammarError(f"{node.category} is not a lexical category")
                    found.append(Node(int(Rule.LEXICON), category, start, end))
                    chains.append(0)
                case Unary():
                    child = open_nodes.pop()
                    rule = self._unary(node, found[child], category, chains[child])
                    found.append(Node(rule, category, start, end, child))
                    chains.append(chains[child] + 1)
                case Binary():
                    right, left = open_nodes.pop(), open_nodes.pop()
                    rule = self._binary(node, found[left], found[right], category)
                    found.append(Node(rule, category, start, end, left, right))
                    chains.append(0)
            open_nodes.append(len(found) - 1)
        if found[-1].category not in self.table.roots:
            raise NotInGrammarError(f"{derivation.category} is not a root")
        return tuple(found)

    def number(self, category: Category) -> int:
        """The number of a category in the table."""
        number = self.numbers.get(category.bare_nb)
        if number is None:
            raise NotInGrammarError(f"{category} is not in the grammar")
        return number

    def _unary(self, node: Unary, child: Node, category: int, chain: int) -> int:
        table = self.table
        rules = [
            rule
            for rule in self.unary.get((child.category, category), ())
            if table.unary_allowed[child.rule] >> rule & 1 and self._may_start(rule, child.start)
        ]
        if not rules:
            raise NotInGrammarError(f"no unary rule {node.child.category} -> {node.category}")
        if table.max_unary_chain and chain >= table.max_unary_chain:
            raise NotInGrammarError(f"more than {table.max_unary_chain} unary rules in a row under {node.category}")
        return int(node.rule) if node.rule in rules else rules[0]

    def _binary(self, node: Binary, left: Node, right: Node, category: int) -> int:
        pair = f"{node.left.category} {node.right.category} -> {node.category}"
        rules = self.binary.get((left.category, right.category, category), [])
        if not rules:
            raise NotInGrammarError(f"no rule {pair}")
        allowed = [
            rule
            for rule in rules
            if self.table.allowed[left.rule][right.rule] >> rule & 1 and self._may_start(rule, left.start)
        ]
        if not allowed:
            raise NotInGrammarError(f"not in normal form: {pair}")
        return int(node.rule) if node.rule in allowed else allowed[0]

    def _may_start(self, rule: int, start: int) -> bool:
        return start == 0 or not self.table.start_only >> rule & 1
