"""The rule types: how a node of a derivation was built.

Each type has its own Tree-LSTM weights (paper, section 3), and the constraints of the normal form are over types. The
integers are part of the file format of models: append, never renumber.
"""

from __future__ import annotations

from enum import IntEnum


class Rule(IntEnum):
    """A rule type, with the label that a derivation draws beside its line."""

    LEXICON = 0
    FORWARD_APPLICATION = 1
    BACKWARD_APPLICATION = 2
    FORWARD_COMPOSITION = 3
    BACKWARD_CROSSED_COMPOSITION = 4
    GENERALISED_FORWARD_COMPOSITION = 5
    GENERALISED_BACKWARD_CROSSED_COMPOSITION = 6
    CONJUNCTION = 7
    RIGHT_PUNCTUATION = 8
    LEFT_PUNCTUATION = 9
    COMMA = 10
    FORWARD_TYPE_RAISING = 11
    BACKWARD_TYPE_RAISING = 12
    TYPE_CHANGE = 13
    BACKWARD_COMPOSITION = 14
    FORWARD_CROSSED_COMPOSITION = 15
    GENERALISED_BACKWARD_COMPOSITION = 16
    GENERALISED_FORWARD_CROSSED_COMPOSITION = 17

    def __str__(self) -> str:
        """The name in words: ``forward application``."""
        return self.name.lower().replace("_", " ")

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def label(self) -> str:
        """The usual symbol beside the line of a derivation: ``>``, ``<Bx``, ``>T``."""
        return _LABELS[self]

    @property
    def is_unary(self) -> bool:
        """Whether a node of this type has one child."""
        return self in UNARY_RULES


_LABELS: dict[Rule, str] = {
    Rule.LEXICON: "lex",
    Rule.FORWARD_APPLICATION: ">",
    Rule.BACKWARD_APPLICATION: "<",
    Rule.FORWARD_COMPOSITION: ">B",
    Rule.BACKWARD_CROSSED_COMPOSITION: "<Bx",
    Rule.GENERALISED_FORWARD_COMPOSITION: ">B2",
    Rule.GENERALISED_BACKWARD_CROSSED_COMPOSITION: "<Bx2",
    Rule.CONJUNCTION: "<Φ>",
    Rule.RIGHT_PUNCTUATION: "<p",
    Rule.LEFT_PUNCTUATION: ">p",
    Rule.COMMA: ",",
    Rule.FORWARD_TYPE_RAISING: ">T",
    Rule.BACKWARD_TYPE_RAISING: "<T",
    Rule.TYPE_CHANGE: "<U>",
    Rule.BACKWARD_COMPOSITION: "<B",
    Rule.FORWARD_CROSSED_COMPOSITION: ">Bx",
    Rule.GENERALISED_BACKWARD_COMPOSITION: "<B2",
    Rule.GENERALISED_FORWARD_CROSSED_COMPOSITION: ">Bx2",
}

UNARY_RULES = frozenset({Rule.FORWARD_TYPE_RAISING, Rule.BACKWARD_TYPE_RAISING, Rule.TYPE_CHANGE})
BINARY_RULES = tuple(rule for rule in Rule if rule not in UNARY_RULES and rule is not Rule.LEXICON)
RULE_BY_LABEL: dict[str, Rule] = {label: rule for rule, label in _LABELS.items()}
