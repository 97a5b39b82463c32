"""Descriptions of decoders, formats and rules."""

from __future__ import annotations

from starccg.formats.registry import FORMATS, Format
from starccg.search.options import Decoder

DECODERS = {
    Decoder.GLOBAL: "The paper's parser: a Tree-LSTM scores whole parses, and A* searches the forest of all subtrees.",
    Decoder.SUPERTAG: "Supertag-factored A*, with dynamic programming: a parse is scored by its tags alone.",
    Decoder.SUPERTAG_FOREST: "Supertag-factored A* over the forest of all subtrees, without dynamic programming.",
    Decoder.SPAN: "Span-factored A*, with dynamic programming: a node is scored by its rule, category and span.",
    Decoder.SPAN_FOREST: "Span-factored A* over the forest, without dynamic programming.",
    Decoder.BEAM: "Keeps, bottom-up, the few subtrees of each span that the global model scores best. Not exact.",
    Decoder.RERANK: "The best parses of the supertag-factored parser, reordered by the global model. Not exact.",
}
"""A line about each decoder, the most used first."""

UNRECORDED = {
    Decoder.BEAM: "beam search works span by span and has no agenda, so there are no steps to show",
    Decoder.RERANK: "the reranker reorders parses that the decoder supertag found: choose supertag to see its search",
}
"""Decoders without an agenda, and why there is no recorded search."""
UNSEARCHED = "the sentence was not searched, so there are no steps to show"

MEDIA_TYPES = {
    ".dot": "text/vnd.graphviz",
    ".gv": "text/vnd.graphviz",
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".xml": "application/xml",
}
"""By extension; all other formats are plain text."""


def writable() -> list[Format]:
    """The formats that can be written."""
    return [form for form in FORMATS.values() if form.writer is not None]


def media_type(form: Format) -> str:
    """The media type of this format."""
    return next((MEDIA_TYPES[end] for end in form.extensions if end in MEDIA_TYPES), "text/plain")


def extension(form: Format) -> str:
    """The file name extension of this format."""
    return form.extensions[0] if form.extensions else f".{form.name}"
