"""What the C&C tools call things: names of rules, and what stands for an annotation that nobody made.

EasyCCG and depccg kept these names, and the tools that read parses (ccg2lambda, LangPro, Boxer) go by them.
"""

from __future__ import annotations

from starccg.ccg.rules import Rule
from starccg.derivation import Derivation

NO_LEMMA = "XX"
NO_CHUNK = "XX"
NO_ENTITY = "O"

UNKNOWN_RULE = "unk"
"""depccg's name for a step that no rule makes."""

_NAMES: dict[Rule, str] = {
    Rule.FORWARD_APPLICATION: "fa",
    Rule.BACKWARD_APPLICATION: "ba",
    Rule.FORWARD_COMPOSITION: "fc",
    Rule.BACKWARD_COMPOSITION: "bc",
    Rule.FORWARD_CROSSED_COMPOSITION: "fx",
    Rule.BACKWARD_CROSSED_COMPOSITION: "bx",
    Rule.GENERALISED_FORWARD_COMPOSITION: "gfc",
    Rule.GENERALISED_BACKWARD_COMPOSITION: "gbc",
    Rule.GENERALISED_FORWARD_CROSSED_COMPOSITION: "gfx",
    Rule.GENERALISED_BACKWARD_CROSSED_COMPOSITION: "gbx",
    Rule.CONJUNCTION: "conj",
    Rule.LEFT_PUNCTUATION: "lp",
    Rule.RIGHT_PUNCTUATION: "rp",
    Rule.FORWARD_TYPE_RAISING: "tr",
    Rule.BACKWARD_TYPE_RAISING: "tr",
    Rule.TYPE_CHANGE: "lex",
}


def rule_name(node: Derivation) -> str:
    """The name of the rule that built a node: ``fa``, ``bx``, ``lex``."""
    if node.rule in _NAMES:
        return _NAMES[node.rule]
    match node.children:
        case [_]:
            return "lex"
        case [mark, _] if mark.category.is_punctuation:
            return "ltc"  # a mark that changes the type of what it attaches to
        case [_, mark] if mark.category.is_punctuation:
            return "rtc"
    return UNKNOWN_RULE
