r"""LaTeX: derivations in the macros of ``ccg.sty``, which most CCG papers use.

:func:`derivation_latex` returns one derivation for a paper with ``\usepackage{ccg}``. A file is a whole document: it
uses ``ccg.sty`` if it is installed and defines the macros that are missing, so it always compiles, with pdfLaTeX,
XeLaTeX or LuaLaTeX. A sentence wider than the page is drawn in parts, as on a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from starccg.ccg.category import Category
from starccg.ccg.derivation import Derivation, Sentence
from starccg.formats.deriv import GAP, display_width
from starccg.formats.layout import Measure, Part, lay_out
from starccg.formats.nbest import outcome_comments
from starccg.formats.picture import replace_controls

PAGE = 150
"""The number of characters that fit on a line of the document, which is in landscape."""
LONGEST = 300
"""Longer words are cut, because TeX has a maximum width (about six metres)."""

_RULES = (
    (">", r"\fapply", "{>}"),
    ("<", r"\bapply", "{<}"),
    (">B", r"\fcomp", r"{>}\mathbf{B}"),
    ("<B", r"\bcomp", r"{<}\mathbf{B}"),
    (">Bx", r"\fxcomp", r"{>}\mathbf{B}_\times"),
    ("<Bx", r"\bxcomp", r"{<}\mathbf{B}_\times"),
    (">B2", r"\fcomptwo", r"{>}\mathbf{B}^2"),
    ("<B2", r"\bcomptwo", r"{<}\mathbf{B}^2"),
    (">Bx2", r"\fxcomptwo", r"{>}\mathbf{B}_\times^2"),
    ("<Bx2", r"\bxcomptwo", r"{<}\mathbf{B}_\times^2"),
    (">T", r"\ftype", r"{>}\mathbf{T}"),
    ("<T", r"\btype", r"{<}\mathbf{T}"),
    ("<Φ>", r"\conj", r"{<}\Phi{>}"),
)
MACROS = {label: macro for label, macro, _ in _RULES}
r"""The macro of each rule; the other rules are drawn with ``\comb``, which takes any label."""

PREAMBLE = "\n".join(
    [
        r"\documentclass{article}",
        r"\usepackage[landscape,margin=15mm]{geometry}",
        r"\usepackage{graphicx}",
        r"\ifdefined\Umathcode\else\usepackage[T1]{fontenc}\usepackage{textcomp}",
        r"  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}\fi",
        r"\IfFileExists{ccg.sty}{\usepackage{ccg}}{}",
        r"% the macros of ccg.sty, if they are not installed",
        r"\providecommand{\bs}{\ensuremath{\backslash}}",
        r"\providecommand{\cat}[1]{\textsf{#1}}",
        r"\providecommand{\mc}[2]{\multicolumn{#1}{c}{#2}}",
        r"\providecommand{\deriv}[2]{{\renewcommand{\arraystretch}{.7}%",
        r"  \ensuremath{\begin{array}[t]{*{#1}{c}}#2\end{array}}}}",
        r"\providecommand{\comb}[2]{\mc{#1}{\rule{.8em}{.4pt}\hrulefill\raisebox{-.3ex}{$\scriptstyle\,#2$}}}",
        r"\providecommand{\uline}[1]{\mc{#1}{\hrulefill}}",
        *(f"\\providecommand{{{macro}}}[1]{{\\comb{{#1}}{{{sign}}}}}" for _, macro, sign in _RULES),
        r"% scale a derivation to the page; show the code of a character without a glyph",
        r"\newsavebox{\ccgbox}",
        r"\newcommand{\ccgfit}[1]{\sbox{\ccgbox}{#1}%",
        r"  \ifdim\wd\ccgbox>\linewidth\sbox{\ccgbox}{\resizebox{\linewidth}{!}{\usebox{\ccgbox}}}\fi",
        r"  \ifdim\dimexpr\ht\ccgbox+\dp\ccgbox>.9\textheight",
        r"    \sbox{\ccgbox}{\resizebox*{!}{.9\textheight}{\usebox{\ccgbox}}}\fi",
        r"  \par\noindent\usebox{\ccgbox}\par\bigskip}",
        r"\newcommand{\ccgnumber}[1]{\fbox{\tiny #1}}",
        r"\newcommand{\ccgchar}[1]{\ifdefined\Umathcode",
        r'  \iffontchar\font"#1 \char"#1 \else\ccgnumber{#1}\fi\else\ccgnumber{#1}\fi}',
        r"\begin{document}",
    ]
)

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
}
_CATEGORY = re.compile(r"\[[^\]]*\]|\\|[^\[\\]+")
_LIGATURE = re.compile(r"(?<=[-'`,!?])(?=[-'`])")
_KNOWN = re.compile(
    "[\x20-\x7e\u00a1-\u00ac\u00ae-\u0125\u0128-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u0165\u0168-\u017e"
    "–—‘’‚“”„†‡•…‰‹›€™]"
)
"""The characters that pdfLaTeX supports with the standard fonts."""


def write_latex(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The lines of a document with all derivations, each under its name."""
    yield PREAMBLE
    for sentence in sentences:
        yield from outcome_comments(sentence, "%")
        yield f"\\noindent\\textbf{{{escape_latex(sentence.id)}}}\\nopagebreak\n"
        *parts, rest = lay_out(sentence.derivation, LETTERS, PAGE)
        for number, part in enumerate(parts, 1):
            yield f"\\noindent [{number}] =\\nopagebreak\n\n\\ccgfit{{{_deriv(part)}}}"
        yield f"\\ccgfit{{{_deriv(rest)}}}\n"
    yield r"\end{document}"


def derivation_latex(derivation: Derivation) -> str:
    r"""One derivation, not split into parts, for a paper with ``\usepackage{ccg}``.

    Words with characters that pdfLaTeX does not support also need ``\ccgchar``, which a whole document defines.
    """
    (part,) = lay_out(derivation, LETTERS)
    return _deriv(part)


def _deriv(part: Part) -> str:
    columns = {column.start: index for index, column in enumerate(part.columns)}
    ends = {column.end: index + 1 for index, column in enumerate(part.columns)}
    rows = [
        " & ".join(f"\\mbox{{{escape_latex(column.word[:LONGEST])}}}" for column in part.columns),
        " & ".join(r"\uline{1}" for _ in part.columns),
        " & ".join(latex_category(column.category) for column in part.columns),
    ]
    for steps in part.levels():
        places = [(columns[step.start], ends[step.end] - columns[step.start], step) for step in steps]
        rows.append(_row((start, width, _line(width, step.label)) for start, width, step in places))
        rows.append(_row((start, width, _result(width, step.category)) for start, width, step in places))
    body = " \\\\\n".join(rows)
    return f"\\deriv{{{len(part.columns)}}}{{\n{body}\n}}"


def _row(cells: Iterable[tuple[int, int, str]]) -> str:
    """A row of cells, each given with its first column and number of columns, separated by ``&``."""
    row, position = [], 0
    for start, width, text in cells:
        row.append("& " * (start - position) + text)
        position = start + width - 1
    return " ".join(row)


def _result(width: int, category: Category) -> str:
    return f"\\mc{{{width}}}{{{latex_category(category)}}}"


def _line(width: int, label: str) -> str:
    if label in MACROS:
        return f"{MACROS[label]}{{{width}}}"
    return f"\\comb{{{width}}}{{\\mbox{{\\scriptsize {escape_latex(label)}}}}}"


def latex_category(category: Category) -> str:
    r"""``(S[dcl]\NP)/NP`` as ``\cat{(S\textsubscript{dcl}\bs NP)/NP}``."""
    pieces = _CATEGORY.findall(str(category))
    return f"\\cat{{{''.join(map(_category_piece, pieces))}}}"


def _category_piece(piece: str) -> str:
    if piece == "\\":
        return r"\bs "
    return f"\\textsubscript{{{escape_latex(piece[1:-1])}}}" if piece[0] == "[" else escape_latex(piece)


def escape_latex(text: str) -> str:
    """The text escaped for LaTeX, without ligatures of punctuation; unknown characters do not stop LaTeX."""
    return "{}".join("".join(map(_sign, part)) for part in _LIGATURE.split(replace_controls(text)))


def _sign(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign.isspace():
        return "~"
    return sign if _KNOWN.fullmatch(sign) else f"\\ccgchar{{{ord(sign):04X}}}"


LETTERS = Measure(
    word=lambda word: display_width(word[:LONGEST]),
    category=lambda category: display_width(str(category)),
    label=lambda label: display_width(label) + 1,
    gap=GAP,
)
