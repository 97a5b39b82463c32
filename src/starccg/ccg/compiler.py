r"""Compile a grammar to integers: all categories that can be built from the lexical ones, and all rules among them.

With a seen-rule filter the closure is finite. Without one it may be infinite (generalised composition and
coordination build ever larger categories), so it is bounded: categories of more than ``max_size`` atoms, and any
beyond the first ``max_categories``, are left out, and the table's ``complete`` is False.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from starccg.ccg.category import Category, Functor, Slash
from starccg.ccg.grammar import Grammar, seen_key
from starccg.ccg.table import BinaryRule, RuleTable, UnaryRule

MAX_SIZE = 16
MAX_CATEGORIES = 2_000


def compile_grammar(
    grammar: Grammar,
    lexical: Iterable[Category],
    *,
    max_size: int = MAX_SIZE,
    max_categories: int = MAX_CATEGORIES,
    unary_at_root: bool = True,
) -> RuleTable:
    """Close ``grammar`` over the lexical categories (order kept, ``[nb]`` dropped) and the roots."""
    closure = _Closure(grammar, max_size, max_categories)
    for category in lexical:
        closure.add(category.bare_nb, lexical=True)
    tags = len(closure.categories)
    closure.run()
    form = grammar.normal_form
    roots = sorted((root for root in grammar.roots if root in closure.ids), key=closure.ids.__getitem__)
    return RuleTable(
        categories=tuple(closure.categories),
        lexical=tags,
        binary=tuple(sorted(closure.binary)),
        unary=tuple(sorted(closure.unary)),
        roots=tuple(closure.ids[root] for root in roots),
        allowed=form.binary_masks(),
        unary_allowed=form.unary_masks(),
        start_only=form.start_only_mask(),
        max_unary_chain=form.max_unary_chain,
        unary_at_root=unary_at_root,
        complete=closure.complete,
        root_scores=tuple(-grammar.root_costs.get(root, 0.0) for root in roots) if grammar.root_costs else (),
    )


class _Closure:
    """A worklist of categories; each is combined with itself and all earlier ones, on both sides."""

    def __init__(self, grammar: Grammar, max_size: int, max_categories: int) -> None:
        self.grammar = grammar
        self.max_size = max_size
        self.max_categories = max_categories
        self.categories: list[Category] = []
        self.ids: dict[Category, int] = {}
        self.binary: set[BinaryRule] = set()
        self.unary: set[UnaryRule] = set()
        self.complete = True
        self.neighbours = _Neighbours(grammar)

    def add(self, category: Category, *, lexical: bool = False) -> int | None:
        found = self.ids.get(category)
        if found is not None:
            return found
        if not lexical and (category.size > self.max_size or len(self.categories) >= self.max_categories):
            self.complete = False
            return None
        self.ids[category] = len(self.categories)
        self.categories.append(category)
        return self.ids[category]

    def run(self) -> None:
        done = 0
        while done < len(self.categories):
            category = self.categories[done]
            done += 1
            self.neighbours.insert(category)
            for other in self.neighbours.after(category):
                self.join(category, other)
            for other in self.neighbours.before(category):
                self.join(other, category)
            for change in self.grammar.change(category):
                result = self.add(change.result)
                if result is not None:
                    self.unary.add(UnaryRule(self.ids[category], result, int(change.rule)))

    def join(self, left: Category, right: Category) -> None:
        for category, rule, head in self.grammar.combine(left, right):
            result = self.add(category)
            if result is not None:
                self.binary.add(BinaryRule(self.ids[left], self.ids[right], result, int(rule), head))


class _Neighbours:
    """An index of categories that could combine with a given one, by shape and by the seen rules.

    It may return too many, never too few.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.all: list[Category] = []
        self.marks: list[Category] = []  # punctuation and conjunctions combine with everything
        self.offers: defaultdict[Category, list[Category]] = defaultdict(list)  # by the shapes that _offered() lists
        self.seekers: dict[Slash, defaultdict[Category, list[Category]]] = {
            "/": defaultdict(list),
            "\\": defaultdict(list),
        }
        self.seen_after: defaultdict[Category, set[Category]] = defaultdict(set)
        self.seen_before: defaultdict[Category, set[Category]] = defaultdict(set)
        for left, right in grammar.seen or ():
            self.seen_after[left].add(right)
            self.seen_before[right].add(left)

    def insert(self, category: Category) -> None:
        self.all.append(category)
        if self._is_mark(category):
            self.marks.append(category)
        for shape in _offered(category):
            self.offers[shape].append(category)
        if isinstance(category, Functor):
            self.seekers[category.slash][category.argument.skeleton].append(category)

    def after(self, category: Category) -> list[Category]:
        """Those that may follow the category."""
        return self._seen(category, self.seen_after, self._beside(category, "/", "\\"))

    def before(self, category: Category) -> list[Category]:
        """Those that may precede the category."""
        return self._seen(category, self.seen_before, self._beside(category, "\\", "/"))

    def _seen(
        self, category: Category, partners: Mapping[Category, set[Category]], others: Iterator[Category]
    ) -> list[Category]:
        """Those of the others that the seen rules allow beside the category; marks are allowed beside every one."""
        if self.grammar.seen is None or self._is_mark(category):
            return list(others)
        allowed, marks = partners.get(seen_key(category), ()), set(self.marks)
        return [other for other in others if seen_key(other) in allowed or other in marks]

    def _beside(self, category: Category, seeking: Slash, sought: Slash) -> Iterator[Category]:
        """Those on the side where the category seeks with one slash and is sought with the other."""
        if self._is_mark(category):
            yield from self.all
            return
        yield from self.marks
        if isinstance(category, Functor) and category.slash == seeking:
            yield from self.offers[category.argument.skeleton]
        for shape in _offered(category):
            yield from self.seekers[sought][shape]

    def _is_mark(self, category: Category) -> bool:
        return category.is_punctuation or category in self.grammar.conjunctions


def _offered(category: Category) -> Iterator[Category]:
    """The shapes under which a functor may take it: the whole category, or its result after one or two arguments."""
    yield category.skeleton
    for _ in range(2):
        if not isinstance(category, Functor):
            return
        category = category.result
        yield category.skeleton
