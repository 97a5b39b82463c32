r"""What is written is read by SWI-Prolog, where it is installed, and says the same."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Atom, Category, Functor
from starccg.ccg.derivation import Binary, Derivation, Leaf, Sentence, Unary
from starccg.ccg.licensing import annotate
from starccg.formats.auto import parse_tree
from starccg.formats.errors import WriteError
from starccg.formats.prolog import category_term, write_prolog
from tests.formats.trees import left_branching, right_branching
from tests.strategies import any_text, derivations, examples

parse = Category.parse
swipl = pytest.mark.skipif(shutil.which("swipl") is None, reason="SWI-Prolog is not installed")

READER = r"""
:- op(601, xfx, (/)).
:- op(601, xfx, (\)).
main :- forall(ccg(Name, Tree), (text(Name), tree(Tree), nl)).
text(Atomic) :- atom(Atomic), !, atom_codes(Atomic, Codes), format("~w ", [Codes]).
text(Atomic) :- format("~w ", [Atomic]).
cat(Any) :- var(Any), !, write('_ ').
cat(A/B) :- !, write('/ '), cat(A), cat(B).
cat(A\B) :- !, write('\\ '), cat(A), cat(B).
cat(A:B) :- !, write(': '), cat(A), cat(B).
cat(A) :- format("~w ", [A]).
tree(t(Cat, Word, Lemma, Pos, Chunk, Entity)) :- !,
    write('t '), cat(Cat), text(Word), text(Lemma), text(Pos), text(Chunk), text(Entity).
tree(lx(Cat, From, Child)) :- !, write('lx '), cat(Cat), cat(From), tree(Child).
tree(conj(Cat, Of, Left, Right)) :- !, write('conj '), cat(Cat), cat(Of), tree(Left), tree(Right).
tree(tr(Cat, Child)) :- !, write('tr '), cat(Cat), tree(Child).
tree(Term) :- Term =.. [Rule, Cat, Left, Right], format("~w ", [Rule]), cat(Cat), tree(Left), tree(Right).
"""


def codes(text: str) -> str:
    return f"[{','.join(str(ord(character)) for character in text)}]"


def shown_category(category: Category) -> Iterator[str]:
    match category:
        case Functor(result, slash, argument):
            yield from (slash, *shown_category(result), *shown_category(argument))
        case Atom(name, feature):
            plain = {".": "period", ",": "comma", ":": "colon", ";": "semicolon"}.get(name, name.lower())
            yield from (plain,) if feature is None else (":", plain, "_" if feature == "X" else feature)


RULES = {"<Bx": "bxc", ">Bx": "fxc", ">": "fa", "<": "ba", ">B": "fc", "<B": "bc", ">B2": "gfc"}
RULES |= {"<B2": "gbc", ">Bx2": "gfxc", "<Bx2": "gbxc", "<p": "rp", ">p": "lp"}


def shown_tree(node: Derivation) -> Iterator[str]:
    """What the reader above should say of a derivation."""
    label = None if node.rule is None else node.rule.label
    category = shown_category(node.category)
    match node:
        case Leaf():
            yield from ("t", *category)
            yield from map(codes, (node.word, node.word.lower(), node.pos, "XX", "O"))
        case Unary(_, child):
            raised = label in (">T", "<T")
            yield from ("tr" if raised else "lx", *category, *(() if raised else shown_category(child.category)))
        case Binary(Functor(_, _, of)) if label == "<Φ>":
            yield from ("conj", *category, *shown_category(of))
        case Binary(_, (left, right)):
            changed = "ltc" if left.category.is_punctuation else "rtc" if right.category.is_punctuation else "unk"
            yield from (RULES.get(label or "", changed), *category)
    for child in node.children:
        yield from shown_tree(child)


def read_by_swipl(sentences: list[Sentence], folder: Path) -> list[str]:
    (folder / "reader.pl").write_text(READER, encoding="utf-8")
    (folder / "x.pl").write_text("".join(f"{line}\n" for line in write_prolog(sentences)), encoding="utf-8")
    done = subprocess.run(
        ["swipl", "-q", "-f", "none", "-g", "main", "-t", "halt", folder / "reader.pl", folder / "x.pl"],
        capture_output=True,
        check=True,
        timeout=60,
        env={"LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/local/bin"},
    )
    assert done.stderr == b""
    return done.stdout.decode("utf-8").splitlines()


def shown(sentences: list[Sentence]) -> list[str]:
    names = [sentence.id if sentence.id.isdecimal() else codes(sentence.id) for sentence in sentences]
    trees = [" ".join(shown_tree(sentence.derivation)) for sentence in sentences]
    return [f"{name} {tree} " for name, tree in zip(names, trees, strict=True)]


ODD_LEAVES = st.builds(
    Leaf, st.sampled_from([parse("N"), parse("LQU"), parse("''"), parse("$[1]")]), any_text(), any_text()
)


@pytest.mark.slow
@swipl
@given(
    st.lists(derivations(6), max_size=4),
    st.lists(ODD_LEAVES, min_size=5, max_size=40),
    st.lists(any_text(), max_size=4),
)
@examples(12)
def test_swi_prolog_reads_every_derivation_word_and_name(
    tmp_path_factory: pytest.TempPathFactory, trees: list[Derivation], odd: list[Leaf], names: list[str]
) -> None:
    sentences = [Sentence(str(number), annotate(tree)) for number, tree in enumerate([*trees, *odd])]
    sentences += [Sentence(f"x{name}", right_branching(2)) for name in names]
    assert read_by_swipl(sentences, tmp_path_factory.mktemp("prolog")) == shown(sentences)


EVERY_RULE = [
    "(<T S[dcl] 1 2> (<T S[X]/(S[X]\\NP) 0 1> (<L NP X X we NP>) ) (<L S[dcl]\\NP X X run S[dcl]\\NP>) )",
    "(<T NP 0 2> (<L NP X X we NP>) (<T NP\\NP 1 2> (<L conj CC CC and conj>) (<L NP X X you NP>) ) )",
    "(<T N 0 2> (<L N X X rain N>) (<L . X X . .>) )",
    "(<T N 1 2> (<L LQU X X `` LQU>) (<L N X X rain N>) )",
    "(<T (S\\NP)\\(S\\NP) 1 2> (<L , X X , ,>) (<L S[ng]\\NP X X seeing S[ng]\\NP>) )",
    "(<T S/PP 0 2> (<L S/NP X X a S/NP>) (<L NP/PP X X b NP/PP>) )",
    "(<T S/PP 0 2> (<L S/PP X X a S/PP>) (<L S\\S X X b S\\S>) )",
    "(<T NP 0 1> (<L N X X rain N>) )",
    "(<T PP 0 2> (<L N X X a N>) (<L N X X b N>) )",
    "(<T NP\\NP 1 2> (<L : X X : :>) (<L NP X X rain NP>) )",
    "(<T S/S 0 2> (<L S[dcl]/S[dcl] X X a S[dcl]/S[dcl]>) (<L RRB X X ) RRB>) )",
]


@pytest.mark.slow
@swipl
def test_swi_prolog_reads_every_rule(tmp_path: Path) -> None:
    sentences = [Sentence(str(number), parse_tree(tree)[0]) for number, tree in enumerate(EVERY_RULE)]
    said = read_by_swipl(sentences, tmp_path)
    assert said == shown(sentences)
    assert [line.split()[1] for line in said] == ["fa", "ba", "rp", "lp", "ltc", "fc", "bxc", "lx", "unk", "ltc", "rtc"]
    assert "tr / : s _" in said[0]
    assert "conj \\ np np np" in said[1]


@pytest.mark.slow
@swipl
def test_swi_prolog_reads_sentences_of_thousands_of_words(tmp_path: Path) -> None:
    deep = [Sentence("1", right_branching(3000)), Sentence("2", left_branching(3000))]
    assert [line.split()[1] for line in read_by_swipl(deep, tmp_path)] == ["fa", "ba"]


def test_a_term_looks_as_langpro_wants_it() -> None:
    tree, _ = parse_tree(
        "(<T S[dcl] 0 2> (<T S[dcl] 1 2> (<T NP 0 1> (<L N NN NN O'Neill N>) ) "
        "(<L S[dcl]\\NP VBZ VBZ Sings S[dcl]\\NP>) ) (<L . . . . .>) )"
    )
    assert list(write_prolog([Sentence("7", tree)]))[5:] == [
        "",
        "ccg(7,",
        " rp(s:dcl,",
        "  ba(s:dcl,",
        "   lx(np, n,",
        "    t(n, 'O\\'Neill', 'o\\'neill', 'NN', 'XX', 'O')),",
        "   t(s:dcl\\np, 'Sings', 'sings', 'VBZ', 'XX', 'O')),",
        "  t(period, '.', '.', '.', 'XX', 'O'))).",
    ]


@pytest.mark.parametrize(
    ("category", "term"),
    [
        ("(S[dcl]\\NP)/NP", "(s:dcl\\np)/np"),
        ("S[X]/(S[X]\\NP[nb])", "s:_/(s:_\\np:nb)"),
        (",", "comma"),
        ("LRB", "lrb"),
        ("''", "'\\'\\''"),
        ("N[a-b]", "n:'a-b'"),
        ("N[Num]", "n:'Num'"),
        ("N[1]", "n:1"),
    ],
)
def test_categories_are_terms_without_a_variable_by_accident(category: str, term: str) -> None:
    assert category_term(parse(category)) == term


def test_several_parses_share_the_number_of_their_sentence() -> None:
    first = Sentence("3.1", right_branching(2))
    lines = list(write_prolog([first, replace(first, id="3.2"), replace(first, id="4.5"), replace(first, id="05")]))
    assert [line for line in lines if line.startswith("ccg")] == ["ccg(3,", "ccg(3,", "ccg('4.5',", "ccg('05',"]


def test_an_unpaired_surrogate_is_refused() -> None:
    with pytest.raises(WriteError, match="unpaired surrogate"):
        list(write_prolog([Sentence("1", Leaf(parse("N"), "\ud800"))]))
    with pytest.raises(WriteError, match="unpaired surrogate"):
        list(write_prolog([Sentence("\ud800", Leaf(parse("N"), "rain"))]))
