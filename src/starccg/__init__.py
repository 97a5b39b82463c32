"""starccg: a CCG parser whose answer is proved best.

The names below are loaded when they are first used, so that ``import starccg`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from starccg import hooks

__version__ = "0.1.0"

_WHERE = {
    name: f"starccg.{module}"
    for module, names in {
        "ccg.category": "Category",
        "ccg.derivation": "Binary Derivation Leaf Sentence Unary",
        "ccg.grammar": "Grammar",
        "ccg.rules": "Rule",
        "dependencies": "extract",
        "dependencies.types": "Dependency",
        "errors": "StarccgError",
        "formats.deriv": "draw",
        "formats.errors": "FormatError",
        "formats.files": "read write",
        "models": "load",
        "outcome": "BackedOff Confidence Failed ParseOutcome Parsed",
        "parsed_derivation": "ParsedDerivation",
        "parser": "Parser",
        "search.options": "Decoder Limits Options",
        "search.types": "Certificate",
        "text": "sentences",
        "treebanks.ccgbank": "CcgBank",
    }.items()
    for name in names.split()
}

hooks.provide(
    dependencies="starccg.dependencies:extract",
    draw="starccg.formats.deriv:draw",
    format_named="starccg.formats.registry:format_named",
    html="starccg.formats.html:derivation_html",
    captioned="starccg.formats.html:captioned",
    note="starccg.formats.html:note",
    outcome_to_json="starccg.outcome_json:outcome_to_json",
    parse_to_json="starccg.outcome_json:parse_to_json",
    load="starccg.models:load",
    relation_name="starccg.dependencies.relations:relation_name",
    to_json="starccg.formats.json:to_json",
    svg="starccg.formats.svg:derivation_svg",
    read_ud="starccg.treebanks.ud.reading:read_ud",
    read_penn="starccg.treebanks.penn.reading:read_penn",
)

if TYPE_CHECKING:
    from starccg.ccg.category import Category as Category
    from starccg.ccg.derivation import Binary as Binary
    from starccg.ccg.derivation import Derivation as Derivation
    from starccg.ccg.derivation import Leaf as Leaf
    from starccg.ccg.derivation import Sentence as Sentence
    from starccg.ccg.derivation import Unary as Unary
    from starccg.ccg.grammar import Grammar as Grammar
    from starccg.ccg.rules import Rule as Rule
    from starccg.dependencies import extract as extract
    from starccg.dependencies.types import Dependency as Dependency
    from starccg.errors import StarccgError as StarccgError
    from starccg.formats.deriv import draw as draw
    from starccg.formats.errors import FormatError as FormatError
    from starccg.formats.files import read as read
    from starccg.formats.files import write as write
    from starccg.models import load as load
    from starccg.outcome import BackedOff as BackedOff
    from starccg.outcome import Confidence as Confidence
    from starccg.outcome import Failed as Failed
    from starccg.outcome import Parsed as Parsed
    from starccg.outcome import ParseOutcome as ParseOutcome
    from starccg.parsed_derivation import ParsedDerivation as ParsedDerivation
    from starccg.parser import Parser as Parser
    from starccg.search.options import Decoder as Decoder
    from starccg.search.options import Limits as Limits
    from starccg.search.options import Options as Options
    from starccg.search.types import Certificate as Certificate
    from starccg.text import sentences as sentences
    from starccg.treebanks.ccgbank import CcgBank as CcgBank

__all__ = ["__version__", *_WHERE]  # noqa: PLE0604 - the names are in the table above


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
