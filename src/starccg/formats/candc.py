"""The C&C tools' names of rules, and their placeholders for missing annotation.

EasyCCG and depccg use these names, and the tools that read parses (ccg2lambda, LangPro, Boxer) expect them.
"""

from __future__ import annotations

from starccg.ccg.derivation import Derivation
from starccg.ccg.rules import Rule

NO_LEMMA = "XX"
NO_CHUNK = "XX"
NO_ENTITY = "O"

UNKNOWN_RULE = "unk"
"""depccg's name for a step that no rule licenses."""

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


def known_lemma(text: str | None) -> str | None:
    """The lemma in a file; None for the placeholders of an unknown one."""
    return None if text in (None, "", NO_LEMMA) else text


def without_spaces(lemma: str, unknown: str = NO_LEMMA) -> str:
    """The lemma for formats whose columns end at a space: each run of spaces is written ``~``."""
    return "~".join(lemma.split()) or unknown


def rule_name(node: Derivation) -> str:
    """The name of the rule that built a node: ``fa``, ``bx``, ``lex``."""
    if node.rule in _NAMES:
        return _NAMES[node.rule]
    match node.children:
        case [_]:
            return "lex"
        case [mark, _] if mark.category.is_punctuation:
            return "ltc"  # a mark that changes the type of its sibling
        case [_, mark] if mark.category.is_punctuation:
            return "rtc"
    return UNKNOWN_RULE
