"""Punctuation: put back last, each mark on the largest phrase that it closes or opens.

Brackets and quotation marks come in pairs, and a pair is attached to what stands between the two.
"""

from __future__ import annotations

from starccg.ccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.ccg.rules import Rule
from starccg.treebanks.ud.builder import Builder
from starccg.treebanks.ud.profile import OPENING

_RAISED = (Rule.FORWARD_TYPE_RAISING, Rule.BACKWARD_TYPE_RAISING)
_CLOSED_BY = {"LRB": "RRB", "LQU": "RQU"}


def restore_marks(builder: Builder, derivation: Derivation) -> Derivation:
    """The derivation with every mark of the sentence in its place."""
    indices = [builder.position[id(leaf)] for leaf in derivation.leaves()]
    if indices != sorted(indices):
        raise AssertionError("leaves out of order")
    loose = [index for index in sorted(builder.marks) if index not in builder.used_marks]
    closing: dict[int, list[int]] = {}
    opening: dict[int, list[int]] = {}
    for index in reversed(loose):
        before = max((i for i in indices if i < index), default=None)
        after = min((i for i in indices if i > index), default=None)
        if before is None or (after is not None and _opens(builder, index, after, opening)):
            assert after is not None
            opening.setdefault(after, []).insert(0, index)
        else:
            closing.setdefault(before, []).insert(0, index)
    return _Restorer(builder, opening, closing).run(derivation)


def _opens(builder: Builder, index: int, after: int, opening: dict[int, list[int]]) -> bool:
    """Whether a mark goes with the word after it: an opening one does, if nothing between them belongs elsewhere."""
    following = range(index + 1, after)
    return builder.mark(index) in OPENING and all(
        mark in builder.used_marks or mark in opening.get(after, ()) for mark in following
    )


def pairs(builder: Builder) -> dict[int, int]:
    """The partner of every bracket and quotation mark that has one, in both directions."""
    partner: dict[int, int] = {}
    waiting: list[tuple[str, int]] = []
    for index in sorted(builder.marks):
        category = builder.mark(index)
        if category in _CLOSED_BY:
            waiting.append((_CLOSED_BY[category], index))
        elif waiting and category in {closer for closer, _ in waiting}:
            while waiting[-1][0] != category:  # an opening mark that nothing closes
                waiting.pop()
            opener = waiting.pop()[1]
            partner[opener], partner[index] = index, opener
    return partner


class _Restorer:
    """Marks are given to nodes from the root down, so that the largest phrase gets each; then the tree is rebuilt."""

    def __init__(self, builder: Builder, opening: dict[int, list[int]], closing: dict[int, list[int]]) -> None:
        self.builder = builder
        partner = pairs(builder)
        end = max((*builder.position.values(), *builder.marks))
        # the first word that a phrase may start with to be closed by a mark, the last that it may end with to be opened
        self.closing: dict[int, list[tuple[int, int]]] = {}
        self.opening: dict[int, list[tuple[int, int]]] = {}
        for word, marks in closing.items():
            limit, found = -1, self.closing.setdefault(word, [])
            for mark in reversed(marks):
                if mark in partner and not self._after_final_stop(mark, marks, end):
                    limit = max(limit, partner[mark])
                found.insert(0, (mark, limit))
        for word, marks in opening.items():
            limit, opened = end, self.opening.setdefault(word, [])
            for mark in marks:
                limit = min(limit, partner.get(mark, end))
                opened.append((mark, limit))

    def _after_final_stop(self, mark: int, marks: list[int], end: int) -> bool:
        """Whether a mark follows the full stop of the sentence: Penn trees attach both to the sentence."""
        before = [index for index in marks if index < mark]
        return marks[-1] == end and any(self.builder.mark(index) == "." for index in before)

    def run(self, root: Derivation) -> Derivation:
        """The tree with the marks."""
        spans = self._spans(root)
        given: dict[int, tuple[list[int], list[int]]] = {}
        stack, order = [root], list[Derivation]()
        while stack:
            node = stack.pop()
            order.append(node)
            stack.extend(node.children)
            if not (isinstance(node, Unary) and node.rule in _RAISED):
                given[id(node)] = self._marks_of(*spans[id(node)])
        built: list[Derivation] = []
        for node in reversed(order):
            phrase = node.rebuilt([built.pop() for _ in node.children][::-1])
            opening, closing = given.get(id(node), ((), ()))
            for mark in reversed(opening):
                phrase = Binary(phrase.category, self._leaf(mark), phrase, Rule.LEFT_PUNCTUATION, 1)
            for mark in closing:
                phrase = Binary(phrase.category, phrase, self._leaf(mark), Rule.RIGHT_PUNCTUATION, 0)
            built.append(phrase)
        return built.pop()

    def _marks_of(self, first: int, last: int) -> tuple[list[int], list[int]]:
        """The marks still to be placed that may open and close a phrase from ``first`` to ``last``."""
        is_word = first == last  # a word takes what is left: nothing smaller will
        opened = [mark for mark, limit in self.opening.get(first, ()) if is_word or last <= limit]
        closed = [mark for mark, limit in self.closing.get(last, ()) if is_word or first >= limit]
        if opened:
            self.opening[first] = [pair for pair in self.opening[first] if pair[0] not in opened]
        if closed:
            self.closing[last] = [pair for pair in self.closing[last] if pair[0] not in closed]
        return opened, closed

    def _spans(self, root: Derivation) -> dict[int, tuple[int, int]]:
        """The first and the last word of every node."""
        spans: dict[int, tuple[int, int]] = {}
        for node in root.postorder():
            if isinstance(node, Leaf):
                index = self.builder.position[id(node)]
                spans[id(node)] = (index, index)
            else:
                spans[id(node)] = (spans[id(node.children[0])][0], spans[id(node.children[-1])][1])
        return spans

    def _leaf(self, mark: int) -> Leaf:
        return self.builder.leaf(mark, self.builder.mark_category(mark))
