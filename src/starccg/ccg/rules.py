"""The rule types: how a node of a derivation was built.

Each type has its own Tree-LSTM weights (paper, section 3), and the constraints of the normal form are over types. The
integers are part of the file format of models: append, never renumber.
"""

from __future__ import annotations

from enum import IntEnum


class Rule(IntEnum):
    """A rule type: its number, and the label that a derivation draws beside its line."""

    label: str

    def __new__(cls, number: int, label: str = "") -> Rule:
        """A number with a label."""
        rule = int.__new__(cls, number)
        rule._value_, rule.label = number, label
        return rule

    LEXICON = 0, "lex"
    FORWARD_APPLICATION = 1, ">"
    BACKWARD_APPLICATION = 2, "<"
    FORWARD_COMPOSITION = 3, ">B"
    BACKWARD_CROSSED_COMPOSITION = 4, "<Bx"
    GENERALISED_FORWARD_COMPOSITION = 5, ">B2"
    GENERALISED_BACKWARD_CROSSED_COMPOSITION = 6, "<Bx2"
    CONJUNCTION = 7, "<Φ>"
    RIGHT_PUNCTUATION = 8, "<p"
    LEFT_PUNCTUATION = 9, ">p"
    COMMA = 10, ","
    FORWARD_TYPE_RAISING = 11, ">T"
    BACKWARD_TYPE_RAISING = 12, "<T"
    TYPE_CHANGE = 13, "<U>"
    BACKWARD_COMPOSITION = 14, "<B"
    FORWARD_CROSSED_COMPOSITION = 15, ">Bx"
    GENERALISED_BACKWARD_COMPOSITION = 16, "<B2"
    GENERALISED_FORWARD_CROSSED_COMPOSITION = 17, ">Bx2"

    def __str__(self) -> str:
        """The name in words: ``forward application``."""
        return self.name.lower().replace("_", " ")

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


UNARY_RULES = frozenset({Rule.FORWARD_TYPE_RAISING, Rule.BACKWARD_TYPE_RAISING, Rule.TYPE_CHANGE})
BINARY_RULES = tuple(rule for rule in Rule if rule not in UNARY_RULES and rule is not Rule.LEXICON)
RULE_BY_LABEL: dict[str, Rule] = {rule.label: rule for rule in Rule}
