"""starccg: a CCG parser whose answer is proved best.

The names below are loaded when they are first used, so that ``import starccg`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "BackedOff": "starccg.outcome",
    "Binary": "starccg.derivation",
    "Category": "starccg.ccg.category",
    "CcgBank": "starccg.treebanks.ccgbank",
    "Certificate": "starccg.search.types",
    "Decoder": "starccg.search.types",
    "Dependency": "starccg.dependencies.types",
    "Derivation": "starccg.derivation",
    "Failed": "starccg.outcome",
    "FormatError": "starccg.formats.errors",
    "Grammar": "starccg.ccg.grammar",
    "Leaf": "starccg.derivation",
    "Limits": "starccg.search.types",
    "Options": "starccg.search.types",
    "ParseOutcome": "starccg.outcome",
    "Parsed": "starccg.outcome",
    "ParsedDerivation": "starccg.outcome",
    "Parser": "starccg.parser",
    "Rule": "starccg.ccg.rules",
    "Sentence": "starccg.derivation",
    "StarccgError": "starccg.errors",
    "Unary": "starccg.derivation",
    "draw": "starccg.formats.deriv",
    "extract": "starccg.dependencies",
    "load": "starccg.models",
    "read": "starccg.formats.files",
    "sentences": "starccg.text",
    "write": "starccg.formats.files",
}

if TYPE_CHECKING:
    from starccg.ccg.category import Category as Category
    from starccg.ccg.grammar import Grammar as Grammar
    from starccg.ccg.rules import Rule as Rule
    from starccg.dependencies import extract as extract
    from starccg.dependencies.types import Dependency as Dependency
    from starccg.derivation import Binary as Binary
    from starccg.derivation import Derivation as Derivation
    from starccg.derivation import Leaf as Leaf
    from starccg.derivation import Sentence as Sentence
    from starccg.derivation import Unary as Unary
    from starccg.errors import StarccgError as StarccgError
    from starccg.formats.deriv import draw as draw
    from starccg.formats.errors import FormatError as FormatError
    from starccg.formats.files import read as read
    from starccg.formats.files import write as write
    from starccg.models import load as load
    from starccg.outcome import BackedOff as BackedOff
    from starccg.outcome import Failed as Failed
    from starccg.outcome import Parsed as Parsed
    from starccg.outcome import ParsedDerivation as ParsedDerivation
    from starccg.outcome import ParseOutcome as ParseOutcome
    from starccg.parser import Parser as Parser
    from starccg.search.types import Certificate as Certificate
    from starccg.search.types import Decoder as Decoder
    from starccg.search.types import Limits as Limits
    from starccg.search.types import Options as Options
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
