"""Punctuation: put back last, each mark on the largest phrase it closes (or, if it opens one, begins)."""

from __future__ import annotations

from starccg.ccg.rules import Rule
from starccg.derivation import Binary, Derivation, Leaf, Unary
from starccg.treebanks.ud.builder import Builder

_RAISED = (Rule.FORWARD_TYPE_RAISING, Rule.BACKWARD_TYPE_RAISING)


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
    return builder.planner.opens(builder.word(index)) and all(
        mark in builder.used_marks or mark in opening.get(after, ()) for mark in following
    )


class _Restorer:
    def __init__(self, builder: Builder, opening: dict[int, list[int]], closing: dict[int, list[int]]) -> None:
        self.builder = builder
        self.opening = opening
        self.closing = closing

    def run(self, root: Derivation) -> Derivation:
        """Rebuild bottom-up; a node knows from above whether it is the largest to end or start where it does."""
        built: list[tuple[Derivation, int, int]] = []
        for node, is_largest_end, is_largest_start in _with_edges(root):
            if isinstance(node, Leaf):
                index = self.builder.position[id(node)]
                result: tuple[Derivation, int, int] = (node, index, index)
            elif isinstance(node, Unary):
                child, first, last = built.pop()
                result = (Unary(node.category, child, node.rule), first, last)
            else:
                assert isinstance(node, Binary)
                right, _, last = built.pop()
                left, first, _ = built.pop()
                result = (Binary(node.category, left, right, node.rule, node.head), first, last)
            phrase, first, last = result
            if is_largest_start:
                for mark in reversed(self.opening.pop(first, [])):
                    phrase = self._attach(mark, phrase, opens=True)
            if is_largest_end:
                for mark in self.closing.pop(last, []):
                    phrase = self._attach(mark, phrase, opens=False)
            built.append((phrase, first, last))
        return built.pop()[0]

    def _attach(self, mark: int, phrase: Derivation, *, opens: bool) -> Derivation:
        leaf = self.builder.leaf(mark, self.builder.planner.mark_category(self.builder.word(mark)))
        if opens:
            return Binary(phrase.category, leaf, phrase, Rule.LEFT_PUNCTUATION, 1)
        return Binary(phrase.category, phrase, leaf, Rule.RIGHT_PUNCTUATION, 0)


def _with_edges(root: Derivation) -> list[tuple[Derivation, bool, bool]]:
    """Nodes in post-order, each with: is it the largest that ends where it ends, and that starts where it starts."""
    order: list[tuple[Derivation, bool, bool]] = []
    stack: list[tuple[Derivation, bool, bool]] = [(root, True, True)]
    while stack:  # parents before children, right before left; reversed below
        node, ends, starts = stack.pop()
        if isinstance(node, Unary) and node.rule in _RAISED:
            order.append((node, False, False))
            stack.append((node.child, ends, starts))
        elif isinstance(node, Unary):
            order.append((node, ends, starts))
            stack.append((node.child, False, False))
        elif isinstance(node, Binary):
            order.append((node, ends, starts))
            stack.append((node.left, True, False))
            stack.append((node.right, False, True))
        else:
            order.append((node, ends, starts))
    order.reverse()
    return order
