"""All formats by name and by extension: the one place that knows which there are.

Readers and writers are named rather than imported, so that listing the formats costs nothing and a format that needs
much (UD conversion, dependency extraction) is loaded only when it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from starccg.derivation import Sentence
from starccg.errors import StarccgError
from starccg.formats.errors import FormatError, Source
from starccg.formats.parg import PargSentence

Item = Sentence | PargSentence


class UnknownFormatError(StarccgError):
    """No format of this name or extension, or none that can be read or written; the message lists those there are."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its reader and writer are given as ``module:function``."""

    name: str
    extensions: tuple[str, ...]
    summary: str
    reader: str | None = None
    writer: str | None = None
    dependencies_only: bool = False
    """Whether its files hold no derivations, so that nothing but dependencies can be made of them."""

    def read(self, source: Source, bad: list[FormatError] | None = None) -> Iterator[Item]:
        """The sentences in order; malformed ones raise, or go to ``bad`` if it is given."""
        if self.reader is None:
            raise UnknownFormatError(f"{self.name} can only be written; formats that can be read: {_names('reader')}")
        sentences: Iterator[Item] = _load(self.reader)(source, bad)
        return sentences

    def write(self, sentences: Iterable[Item], **options: Any) -> Iterator[str]:
        """The lines of a file that holds these sentences."""
        if self.writer is None:
            raise UnknownFormatError(f"{self.name} can only be read; formats that can be written: {_names('writer')}")
        lines: Iterator[str] = _load(self.writer)(sentences, **options)
        return lines


FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format(
            "auto",
            (".auto",),
            "CCGbank's derivations, one a line",
            reader="starccg.formats.auto:read_auto",
            writer="starccg.formats.auto:write_auto",
        ),
        Format(
            "auto_extended",
            (".xauto",),
            "AUTO with rules, lemmas and entities, as EasyCCG and depccg write it",
            reader="starccg.formats.extended_auto:read_extended_auto",
            writer="starccg.formats.extended_auto:write_extended_auto",
        ),
        Format(
            "parg",
            (".parg",),
            "CCGbank's dependencies",
            reader="starccg.formats.parg:read_parg",
            writer="starccg.formats.parg:write_parg",
            dependencies_only=True,
        ),
        Format(
            "conll",
            (".conll",),
            "a word a line with supertag and head, as depccg writes it",
            reader="starccg.formats.conll:read_conll",
            writer="starccg.formats.conll:write_conll",
        ),
        Format(
            "candc_xml",
            (".candc.xml",),
            "the C&C parser's XML",
            reader="starccg.formats.candc_xml:read_candc_xml",
            writer="starccg.formats.candc_xml:write_candc_xml",
        ),
        Format(
            "jigg_xml",
            (".jigg.xml",),
            "Jigg's XML, for ccg2lambda",
            reader="starccg.formats.jigg_xml:read_jigg_xml",
            writer="starccg.formats.jigg_xml:write_jigg_xml",
        ),
        Format(
            "prolog",
            (".pl",),
            "Prolog terms, for LangPro and Boxer",
            reader="starccg.formats.prolog_reader:read_prolog",
            writer="starccg.formats.prolog:write_prolog",
        ),
        Format(
            "ptb",
            (".ptb", ".mrg"),
            "the Penn Treebank's brackets, categories for labels",
            reader="starccg.formats.ptb:read_ptb",
            writer="starccg.formats.ptb:write_ptb",
        ),
        Format(
            "json",
            (".json",),
            "derivations as one JSON array",
            reader="starccg.formats.json:read_json",
            writer="starccg.formats.json:write_json",
        ),
        Format(
            "jsonl",
            (".jsonl", ".ndjson"),
            "derivations as JSON, a sentence a line",
            reader="starccg.formats.json:read_jsonl",
            writer="starccg.formats.json:write_jsonl",
        ),
        Format(
            "deriv",
            (".deriv", ".txt"),
            "derivations as drawn on a blackboard",
            writer="starccg.formats.deriv:write_deriv",
        ),
        Format(
            "svg",
            (".svg",),
            "derivations as pictures",
            writer="starccg.formats.svg:write_svg",
        ),
        Format(
            "html",
            (".html", ".htm"),
            "derivations and dependencies on a page",
            writer="starccg.formats.html:write_html",
        ),
        Format(
            "latex",
            (".tex",),
            "derivations for LaTeX, in the macros of ccg.sty",
            writer="starccg.formats.latex:write_latex",
        ),
        Format(
            "dot",
            (".dot", ".gv"),
            "derivations as graphs for Graphviz",
            writer="starccg.formats.dot:write_dot",
        ),
        Format(
            "conllu",
            (".conllu",),
            "Universal Dependencies, converted to derivations",
            reader="starccg.formats.conllu:read_conllu",
        ),
    )
}


def format_named(name: str) -> Format:
    """The format of this name."""
    try:
        return FORMATS[name.lower().replace("-", "_")]
    except KeyError:
        raise UnknownFormatError(f"no format is called {name!r}; there are {', '.join(FORMATS)}") from None


def format_of(path: str | Path) -> Format:
    """The format that the ending of a file's name says; an ending may have two parts, as ``.jigg.xml`` has."""
    name = Path(path).name.lower()
    for form in FORMATS.values():
        if name.endswith(form.extensions):
            return form
    known = " ".join(extension for form in FORMATS.values() for extension in form.extensions)
    raise UnknownFormatError(f"the name {str(path)!r} does not tell the format: expected an ending among {known}")


def _names(side: str) -> str:
    return ", ".join(form.name for form in FORMATS.values() if getattr(form, side) is not None)


def _load(spec: str) -> Any:
    module, _, name = spec.partition(":")
    return getattr(import_module(module), name)
