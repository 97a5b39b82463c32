"""LaTeX is tried on LaTeX itself where it is installed, with a ``ccg.sty``, with half of one, and without."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.licensing import annotate
from starccg.ccg.rules import Rule
from starccg.formats.latex import MACROS, derivation_latex, escape_latex, latex_category, write_latex
from tests.formats.trees import balanced, left_branching, right_branching
from tests.strategies import derivations, examples

parse = Category.parse
NASTY = [
    *(chr(code) for code in range(0x21, 0x7F)),
    *(
        "``",
        "''",
        "--",
        "---",
        "!`",
        "?`",
        ",,",
        "<<",
        ">>",
        "fi",
        "^^M",
        "\\end{document}",
        "%x",
        "{",
        "}}",
        "~~",
        "#1",
    ),
    *(
        "é",
        "ß",
        "ł",
        "Ħ",
        "ŉ",
        "«",
        "€",
        "¼",
        "\u00ad",
        "\u00a0",
        "Ω",
        "Ж",
        "中文",
        "שלום",
        "😀",
        "e\u0301",
        "\0",
        "\ud800",
    ),
    *("a\tb", "a\nb", "x" * 2000, "\ufffe", "\U0010ffff", "‱"),
]


def itself() -> Derivation:
    verb = Leaf(parse(r"(S[dcl]\NP)/NP"), "like")
    phrase = Binary(parse(r"S[dcl]\NP"), verb, Unary(parse("NP"), Leaf(parse("N"), "it_all")))
    return annotate(Binary(parse("S[dcl]"), Leaf(parse("NP"), "They"), phrase, head=1))


def test_a_derivation_is_written_in_the_macros_of_ccg_sty() -> None:
    assert derivation_latex(itself()).split("\n") == [
        r"\deriv{3}{",
        r"\mbox{They} & \mbox{like} & \mbox{it\_all} \\",
        r"\uline{1} & \uline{1} & \uline{1} \\",
        r"\cat{NP} & \cat{(S\textsubscript{dcl}\bs NP)/NP} & \cat{N} \\",
        r"& & \comb{1}{\mbox{\scriptsize \textless{}U\textgreater{}}} \\",
        r"& & \mc{1}{\cat{NP}} \\",
        r"& \fapply{2} \\",
        r"& \mc{2}{\cat{S\textsubscript{dcl}\bs NP}} \\",
        r"\bapply{3} \\",
        r"\mc{3}{\cat{S\textsubscript{dcl}}}",
        r"}",
    ]


@given(derivations(12))
@examples(60)
def test_every_row_has_no_more_cells_than_there_are_columns(derivation: Derivation) -> None:
    for part in re.findall(r"\\deriv\{(\d+)\}\{\n(.*?)\n\}", "\n".join(write_latex([Sentence("1", derivation)])), re.S):
        columns, body = int(part[0]), part[1]
        for row in body.split(" \\\\\n"):
            cells = re.split(r"(?<!\\)&", row)
            taken = sum(
                int(match[1]) if (match := re.match(r"\s*\\(?!cat|mbox|uline)[a-z]+\{(\d+)\}", cell)) else 1
                for cell in cells
            )
            assert taken <= columns


def test_every_rule_has_its_macro_or_its_label() -> None:
    for rule in Rule:
        tree = Binary(parse("S"), Leaf(parse("S"), "a"), Leaf(parse("S"), "b"), rule)
        line = derivation_latex(tree).split("\n")[4]
        assert line.startswith(MACROS.get(rule.label, r"\comb") + "{2}")


@given(st.text())
@examples(200)
def test_no_character_of_a_text_keeps_a_meaning_for_tex(text: str) -> None:
    left = re.sub(r"\\(text[a-z]+\{\}|symbol\{34\}|ccgchar\{[0-9A-F]{4,6}\}|[{}$&#_%])|\{\}", "", escape_latex(text))
    assert not set(left) & set('\\{}$&#_%^<>|"') - {"~"}
    assert left.isprintable()


def test_marks_do_not_join_into_others() -> None:
    assert escape_latex("--") == "-{}-"
    assert escape_latex("''") == "'{}'"
    assert escape_latex("well-known") == "well-known"


def test_a_feature_stands_at_the_foot_of_its_category() -> None:
    assert latex_category(parse(r"S[dcl]/(S[dcl]\NP)")) == r"\cat{S\textsubscript{dcl}/(S\textsubscript{dcl}\bs NP)}"


def compiled(folder: Path, sentences: list[Sentence], engine: str = "pdflatex") -> str:
    """What the engine says; fails if it stops at an error."""
    if shutil.which(engine) is None:
        pytest.skip(f"no {engine} here")
    (folder / "x.tex").write_text("\n".join(write_latex(sentences)), encoding="utf-8")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=120)
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-1500:]
    assert (folder / "x.pdf").stat().st_size > 1000
    return said


def every_rule() -> list[Sentence]:
    pair = [
        Sentence(rule.label, Binary(parse(r"S[b]\NP"), Leaf(parse("S"), "a"), Leaf(parse("S"), "b"), rule))
        for rule in Rule
    ]
    return [*pair, Sentence("none", Unary(parse("S"), Leaf(parse("''"), "x"))), Sentence("itself", itself())]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
def test_latex_compiles_with_every_rule_and_every_nasty_word(engine: str, tmp_path: Path) -> None:
    words = [Sentence(f"{index} {word[:40]}", Leaf(parse("N"), word)) for index, word in enumerate(NASTY)]
    said = compiled(tmp_path, [*every_rule(), *words], engine)
    assert "Overfull" not in said


@pytest.mark.slow
def test_sentences_larger_than_the_page_are_parted_and_compile(tmp_path: Path) -> None:
    trees = [right_branching(1000), left_branching(300), balanced(7)]
    said = compiled(tmp_path, [Sentence(str(index), tree) for index, tree in enumerate(trees)])
    assert "Overfull" not in said
    assert "[1] =" in (tmp_path / "x.tex").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    "style",
    [
        r"\newcommand{\bs}{\ensuremath{\backslash}}\newcommand{\mc}[2]{\multicolumn{#1}{c}{#2}}"
        r"\newcommand{\deriv}[2]{$\begin{array}[t]{@{}*{#1}{c}}#2\end{array}$}"
        r"\newcommand{\fapply}[1]{\mc{#1}{\hrulefill_{>}}}\newcommand{\comb}[2]{\mc{#1}{\hrulefill_{#2}}}",
        r"\newcommand{\fapply}[1]{\multicolumn{#1}{c}{\hrulefill_{>}}}",
        "",
    ],
    ids=["half", "little", "nothing"],
)
def test_latex_compiles_with_whatever_ccg_sty_defines(style: str, tmp_path: Path) -> None:
    (tmp_path / "ccg.sty").write_text(style)
    compiled(tmp_path, every_rule())
