"""The list of all formats, by name and by extension.

Readers and writers are named, not imported: listing the formats is fast, and the module of a format is loaded when the
format is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starccg.ccg.derivation import Sentence
from starccg.errors import StarccgError
from starccg.formats.errors import FormatError, Source
from starccg.formats.parg import PargSentence
from starccg.hooks import load, provided

Item = Sentence | PargSentence


class UnknownFormatError(StarccgError):
    """No format of this name or extension, or one that cannot be read or written; the message lists the known ones."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its reader and writer are given as ``module:function``."""

    name: str
    extensions: tuple[str, ...]
    summary: str
    reader: str | None = None
    writer: str | None = None
    dependencies_only: bool = False
    """Whether its files have only dependencies."""
    plain_categories: bool = False
    """Whether variable features are left out, because the tools that read it do not support them."""

    def read(self, source: Source, bad: list[FormatError] | None = None) -> Iterator[Item]:
        """The sentences in order; malformed ones raise, or go to ``bad`` if it is given."""
        if self.reader is None:
            raise UnknownFormatError(f"{self.name} can only be written; formats that can be read: {_names('reader')}")
        sentences: Iterator[Item] = _function(self.reader)(source, bad)
        return sentences

    def write(self, sentences: Iterable[Item], **options: Any) -> Iterator[str]:
        """The lines of a file with these sentences."""
        if self.writer is None:
            raise UnknownFormatError(f"{self.name} can only be read; formats that can be written: {_names('writer')}")
        if self.plain_categories:
            sentences = _function("starccg.formats.variables:without_variables")(sentences)
        lines: Iterator[str] = _function(self.writer)(sentences, **options)
        return lines


FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format(
            "auto",
            (".auto",),
            "CCGbank's derivations, one per line",
            reader="starccg.formats.auto:read_auto",
            writer="starccg.formats.auto:write_auto",
        ),
        Format(
            "auto_extended",
            (".xauto",),
            "AUTO with rules, lemmas and entities, as EasyCCG and depccg write it",
            reader="starccg.formats.extended_auto:read_extended_auto",
            writer="starccg.formats.extended_auto:write_extended_auto",
            plain_categories=True,
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
            "one word per line with supertag and head, as depccg writes it",
            reader="starccg.formats.conll:read_conll",
            writer="starccg.formats.conll:write_conll",
            plain_categories=True,
        ),
        Format(
            "candc_xml",
            (".candc.xml",),
            "the C&C parser's XML",
            reader="starccg.formats.candc_xml:read_candc_xml",
            writer="starccg.formats.candc_xml:write_candc_xml",
            plain_categories=True,
        ),
        Format(
            "jigg_xml",
            (".jigg.xml",),
            "Jigg's XML, for ccg2lambda",
            reader="starccg.formats.jigg_xml:read_jigg_xml",
            writer="starccg.formats.jigg_xml:write_jigg_xml",
            plain_categories=True,
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
            (".ptb",),
            "the Penn Treebank's brackets, categories as labels",
            reader="starccg.formats.ptb:read_ptb",
            writer="starccg.formats.ptb:write_ptb",
            plain_categories=True,
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
            "derivations as JSON, one sentence per line",
            reader="starccg.formats.json:read_jsonl",
            writer="starccg.formats.json:write_jsonl",
        ),
        Format(
            "deriv",
            (".deriv", ".txt"),
            "derivations as text drawings",
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
            reader="read_conllu",
        ),
        Format(
            "penn",
            (".mrg",),
            "Penn Treebank trees, converted to derivations",
            reader="read_penn",
        ),
    )
}


def format_named(name: str) -> Format:
    """The format of this name."""
    try:
        return FORMATS[name.lower().replace("-", "_")]
    except KeyError:
        raise UnknownFormatError(f"unknown format {name!r}; the formats are {', '.join(FORMATS)}") from None


def format_of(path: str | Path) -> Format:
    """The format of a file name extension, which may have two parts, such as ``.jigg.xml``."""
    name = Path(path).name.lower().removesuffix(".gz")
    for form in FORMATS.values():
        if name.endswith(form.extensions):
            return form
    known = " ".join(extension for form in FORMATS.values() for extension in form.extensions)
    raise UnknownFormatError(f"{path}: unknown file name extension; the known ones are {known}")


def _names(side: str) -> str:
    return ", ".join(form.name for form in FORMATS.values() if getattr(form, side) is not None)


def _function(spec: str) -> Any:
    return load(spec) if ":" in spec else provided(spec)
