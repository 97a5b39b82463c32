"""DOT: the derivation as a graph for Graphviz, words on top and the result at the bottom. A graph for each sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from starccg.ccg.derivation import Derivation, Leaf, Sentence
from starccg.formats.layout import NO_RULE
from starccg.formats.nbest import outcome_comments
from starccg.formats.picture import escape, replace_controls


def write_dot(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of all graphs; ``dot -Tsvg`` draws one after the other."""
    for sentence in sentences:
        yield from _graph(sentence)


def _graph(sentence: Sentence) -> Iterator[str]:
    yield from outcome_comments(sentence, "//")
    yield f"digraph {quote(sentence.id)} {{"
    yield '  graph [ordering=in, ranksep=0.25, nodesep=0.3]; node [shape=plaintext, fontname="Helvetica", height=0.3];'
    yield "  edge [dir=none];"
    words: list[str] = []
    lines: list[str] = []
    numbers = count()

    def draw(node: Derivation, children: list[str]) -> str:
        own = f"n{next(numbers)}"
        if isinstance(node, Leaf):
            words.append(word := f"w{len(words)}")
            lines.append(f"  {word} [label={quote(node.word)}, fontsize=16];")
            lines.append(f"  {own} [label={quote(str(node.category))}]; {word} -> {own} [style=dotted];")
        else:
            label = node.rule.label if node.rule is not None else NO_RULE
            lines.append(f"  {own} [label={_with_rule(str(node.category), label)}];")
            lines.extend(f"  {child} -> {own};" for child in children)
        return own

    sentence.derivation.fold(draw)
    yield from lines
    yield f"  {{ rank=same; {' -> '.join(words)} [style=invis]; }}"
    yield "}"


def quote(text: str) -> str:
    r"""A quoted label; DOT's escapes such as ``\N`` and ``&amp;`` are escaped."""
    shown = replace_controls(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{shown}"'


def _with_rule(category: str, label: str) -> str:
    """The category with its rule in a smaller font, as a Graphviz HTML label."""
    shown = escape(category).replace("\\", "\\\\")
    return f'<{shown} <FONT POINT-SIZE="10" COLOR="#a3306d">{escape(label)}</FONT>>'
