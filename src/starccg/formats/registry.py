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
    """A format: its reader and writer are given as ``module:function`` of this package, or as the name of a hook."""

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
            if self.name == "deriv" and isinstance(source, str | Path) and str(source).endswith(".txt"):
                text = f"{source} is a text, which has no derivations; to parse it, use starccg parse -i {source}"
                raise UnknownFormatError(text)
            raise UnknownFormatError(f"{self.name} can only be written; formats that can be read: {_names('reader')}")
        sentences: Iterator[Item] = _function(self.reader)(source, bad)
        return sentences

    def write(self, sentences: Iterable[Item], **options: Any) -> Iterator[str]:
        """The lines of a file with these sentences."""
        if self.writer is None:
            raise UnknownFormatError(f"{self.name} can only be read; formats that can be written: {_names('writer')}")
        if self.plain_categories:
            sentences = _function("variables:without_variables")(sentences)
        lines: Iterator[str] = _function(self.writer)(sentences, **options)
        return lines


_PLAIN = {"plain_categories": True}
FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format("auto", (".auto",), "CCGbank's derivations, one per line", "auto:read_auto", "auto:write_auto"),
        Format("auto_extended", (".xauto",), "AUTO with rules, lemmas and entities, as EasyCCG and depccg write it",
               "extended_auto:read_extended_auto", "extended_auto:write_extended_auto", **_PLAIN),
        Format("parg", (".parg",), "CCGbank's dependencies", "parg:read_parg", "parg:write_parg",
               dependencies_only=True),
        Format("conll", (".conll",), "one word per line with supertag and head, as depccg writes it",
               "conll:read_conll", "conll:write_conll", **_PLAIN),
        Format("candc_xml", (".candc.xml",), "the C&C parser's XML",
               "candc_xml:read_candc_xml", "candc_xml:write_candc_xml", **_PLAIN),
        Format("jigg_xml", (".jigg.xml",), "Jigg's XML, for ccg2lambda",
               "jigg_xml:read_jigg_xml", "jigg_xml:write_jigg_xml", **_PLAIN),
        Format("prolog", (".pl",), "Prolog terms, for LangPro and Boxer",
               "prolog_reader:read_prolog", "prolog:write_prolog"),
        Format("ptb", (".ptb",), "the Penn Treebank's brackets, categories as labels",
               "ptb:read_ptb", "ptb:write_ptb", **_PLAIN),
        Format("json", (".json",), "derivations as one JSON array", "json:read_json", "json:write_json"),
        Format("jsonl", (".jsonl", ".ndjson"), "derivations as JSON, one sentence per line",
               "json:read_jsonl", "json:write_jsonl"),
        Format("deriv", (".deriv", ".txt"), "derivations as text drawings", writer="deriv:write_deriv"),
        Format("svg", (".svg",), "derivations as pictures", writer="svg:write_svg"),
        Format("html", (".html", ".htm"), "derivations and dependencies on a page", writer="html:write_html"),
        Format("latex", (".tex",), "derivations for LaTeX, in the macros of ccg.sty", writer="latex:write_latex"),
        Format("dot", (".dot", ".gv"), "derivations as graphs for Graphviz", writer="dot:write_dot"),
        Format("conllu", (".conllu",), "Universal Dependencies, converted to derivations", reader="read_ud"),
        Format("penn", (".mrg",), "Penn Treebank trees, converted to derivations", reader="read_penn"),
    )
}  # fmt: skip


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
    return load(f"starccg.formats.{spec}") if ":" in spec else provided(spec)
