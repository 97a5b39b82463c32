"""The normal form: which of several derivations with the same meaning the parser may build.

Without dynamic programming every spurious ambiguity multiplies the size of the forest. The constraints are data over
rule types (those of Hockenmaier and Bisk 2010 that EasySRL uses), so the search only needs bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from starccg.ccg.rules import BINARY_RULES, UNARY_RULES, Rule

R = Rule

_COMPOSED = [rule for rule in R if rule.name.endswith("COMPOSITION")]
FORWARD_COMPOSED = frozenset(rule for rule in _COMPOSED if "FORWARD" in rule.name)
BACKWARD_COMPOSED = frozenset(rule for rule in _COMPOSED if "BACKWARD" in rule.name)
"""What composition forward or backward made: harmonic or crossed, generalised or not."""
RAISED = frozenset({R.FORWARD_TYPE_RAISING, R.BACKWARD_TYPE_RAISING})
PUNCTUATED = frozenset({R.RIGHT_PUNCTUATION, R.LEFT_PUNCTUATION})
ANYTHING = frozenset(Rule)


class Block(NamedTuple):
    """``rules`` may not join a left child built by one of ``left`` and a right child built by one of ``right``."""

    why: str
    rules: frozenset[Rule]
    left: frozenset[Rule] = ANYTHING
    right: frozenset[Rule] = ANYTHING


BLOCKS: tuple[Block, ...] = (
    Block(
        "what forward composition made is not the functor of another forward rule",
        rules=FORWARD_COMPOSED | {R.FORWARD_APPLICATION},
        left=frozenset({R.FORWARD_COMPOSITION, R.GENERALISED_FORWARD_COMPOSITION}),
    ),
    Block(
        "what backward composition made is not the functor of another backward rule",
        rules=BACKWARD_COMPOSED | {R.BACKWARD_APPLICATION},
        right=BACKWARD_COMPOSED,
    ),
    Block(
        "a raised argument composes; to apply it is to undo it",
        frozenset({R.FORWARD_APPLICATION}),
        left=RAISED,
    ),
    Block(
        "a raised argument composes; to apply it is to undo it",
        frozenset({R.BACKWARD_APPLICATION}),
        right=RAISED,
    ),
    Block(
        "raise, then modify: not modify, then raise",
        rules=frozenset({R.FORWARD_COMPOSITION}),
        left=frozenset({R.FORWARD_TYPE_RAISING}),
        right=frozenset({R.GENERALISED_BACKWARD_CROSSED_COMPOSITION}),
    ),
    Block(
        "raise, then modify: not modify, then raise",
        rules=frozenset({R.BACKWARD_CROSSED_COMPOSITION}),
        left=frozenset({R.GENERALISED_FORWARD_COMPOSITION}),
        right=frozenset({R.BACKWARD_TYPE_RAISING}),
    ),
    Block("a conjunct waits for the one before it", frozenset(BINARY_RULES), left=frozenset({R.CONJUNCTION})),
    Block(
        "a conjunct joins the one before it by application",
        rules=frozenset(BINARY_RULES) - {R.BACKWARD_APPLICATION},
        right=frozenset({R.CONJUNCTION}),
    ),
    Block("punctuation attaches before raising", frozenset({R.RIGHT_PUNCTUATION}), left=RAISED),
    Block("punctuation attaches before raising", frozenset({R.LEFT_PUNCTUATION}), right=RAISED),
    Block(
        "a mark after a composed phrase belongs to its last part",
        rules=frozenset({R.RIGHT_PUNCTUATION}),
        left=frozenset({R.FORWARD_COMPOSITION}),
    ),
    Block(
        "a mark before a composed phrase belongs to its first part",
        rules=frozenset({R.LEFT_PUNCTUATION}),
        right=frozenset({R.BACKWARD_CROSSED_COMPOSITION}),
    ),
)


@dataclass(frozen=True, slots=True)
class NormalForm:
    """The constraints as a value, and as the bit masks of the compiled table."""

    blocks: tuple[Block, ...] = BLOCKS
    left_punctuation_starts: bool = True
    """A mark attaches to the phrase after it only at the start of a sentence; elsewhere, to the phrase before it."""
    type_change_chains: int = 1
    """The maximum number of successive type changes on one span; type raising comes last and once."""

    def allows(self, rule: Rule, left: Rule, right: Rule) -> bool:
        """Whether a binary rule may join children built by these rules."""
        return not any(rule in block.rules and left in block.left and right in block.right for block in self.blocks)

    def allows_unary(self, rule: Rule, child: Rule) -> bool:
        """Whether a unary rule may stand over a child built by this rule."""
        if child in RAISED or child is Rule.CONJUNCTION:
            return False
        return not (child is Rule.TYPE_CHANGE and rule is Rule.TYPE_CHANGE and self.type_change_chains < 2)

    def binary_masks(self) -> tuple[tuple[int, ...], ...]:
        """``[left][right]`` -> bits of the binary rules that may join them."""
        return tuple(
            tuple(_mask(rule for rule in BINARY_RULES if self.allows(rule, left, right)) for right in Rule)
            for left in Rule
        )

    def unary_masks(self) -> tuple[int, ...]:
        """``[child]`` -> bits of the unary rules that may stand over it."""
        return tuple(_mask(rule for rule in UNARY_RULES if self.allows_unary(rule, child)) for child in Rule)

    def start_only_mask(self) -> int:
        """Bits of the rules that may only build a node that starts the sentence."""
        return _mask([Rule.LEFT_PUNCTUATION]) if self.left_punctuation_starts else 0

    @property
    def max_unary_chain(self) -> int:
        """The maximum length of unary chains that the search must check; 0 if the masks already imply one."""
        return 0 if self.type_change_chains < 2 else self.type_change_chains + 1


FREE = NormalForm(blocks=(), left_punctuation_starts=False, type_change_chains=3)
"""No constraint but the bound on unary chains, for derivations of treebanks."""


def _mask(rules: Iterable[Rule]) -> int:
    bits = 0
    for rule in rules:
        bits |= 1 << int(rule)
    return bits
