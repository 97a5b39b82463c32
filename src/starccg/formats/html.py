"""HTML: derivations as a page, or as a fragment for a notebook or another page.

The page is self-contained: no scripts, no fonts, no network. Each derivation is a picture with a text alternative,
and scrolls if it is wider than the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from starccg.ccg.derivation import Derivation, Sentence
from starccg.dependencies import extract
from starccg.formats.deriv import draw
from starccg.formats.nbest import outcome_of
from starccg.formats.picture import escape
from starccg.formats.svg import arcs_svg, derivation_svg

STYLE = """\
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fdfdfb; --soft: #6a6f76; --frame: #e2e2de; --rule: #a3306d }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7e7e4; --paper: #16181b; --soft: #9da3aa; --frame: #33373c; --rule: #f092c0 }
}
body { background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 80rem; margin: 0 auto; padding: 1rem }
section { border-bottom: 1px solid var(--frame); padding: 1rem 0 }
h2 { color: var(--soft); font-size: .9rem; font-weight: 500; margin: 0 0 .5rem }
figure { margin: 0 }
summary { color: var(--soft); cursor: pointer; font-size: .9rem }
.ccg-scroll { overflow-x: auto; padding: .25rem 0 }
.ccg-scroll:focus-visible { outline: 2px solid var(--rule) }
.ccg-rule, .ccg-slot { fill: var(--rule) }
.ccg-feature { fill: var(--soft) }
pre { overflow-x: auto; font-size: .85rem; line-height: 1.3 }"""


def write_html(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of a page that shows each sentence with its derivation, its dependencies and both as text."""
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>CCG derivations</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<main>"
    for sentence in sentences:
        outcome = "".join(f" (outcome: {escape(value)})" for value in outcome_of(sentence).values())
        yield f"<section>\n<h2>{escape(sentence.id)}{outcome}</h2>"
        yield _figure(sentence.derivation)
        yield "</section>"
    yield "</main>\n</body>\n</html>"


def derivation_html(derivation: Derivation) -> str:
    """The derivation as a fragment in the colours of its page: a picture that scrolls if it is wide."""
    return _scrolling(derivation_svg(derivation), "derivation")


def captioned(derivation: Derivation, caption: str) -> str:
    """The same with a line of text under it."""
    return f"<figure>\n{derivation_html(derivation)}\n<figcaption>{escape(caption)}</figcaption>\n</figure>"


def note(text: str) -> str:
    """A line of text beside a derivation, or instead of one."""
    return f'<p role="note">{escape(text)}</p>'


def _figure(derivation: Derivation) -> str:
    arcs = arcs_svg(derivation.words, extract(derivation))
    return (
        f"<figure>\n{derivation_html(derivation)}\n{_scrolling(arcs, 'dependencies')}\n"
        f"<figcaption><details><summary>as text</summary>\n"
        f"<pre>\n{escape(draw(derivation, 0))}</pre></details></figcaption>\n</figure>"
    )


def _scrolling(picture: str, name: str) -> str:
    """Focusable, so that the keyboard can scroll it."""
    return (
        f'<div class="ccg-scroll" style="overflow-x:auto" tabindex="0" role="group" aria-label="{name}">\n'
        f"{picture}\n</div>"
    )
