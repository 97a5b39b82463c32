"""C&C XML and Jigg XML: what both promise, then what each does."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Leaf, Sentence
from starccg.formats.auto import format_tree
from starccg.formats.candc_xml import read_candc_xml, write_candc_xml
from starccg.formats.errors import FormatError, Source, WriteError
from starccg.formats.jigg_xml import read_jigg_xml, write_jigg_xml
from tests.formats.kept import mapped, no_index
from tests.formats.trees import left_branching, right_branching
from tests.strategies import any_text, examples, sentences

parse = Category.parse
Reader = Callable[[Source, list[FormatError] | None], Iterator[Sentence]]
Writer = Callable[[Iterable[Sentence]], Iterator[str]]
BOTH = pytest.mark.parametrize(
    ("read", "write"), [(read_candc_xml, write_candc_xml), (read_jigg_xml, write_jigg_xml)], ids=["candc", "jigg"]
)
SCHEMAS = {"candc": "candc.dtd", "root": "jigg.dtd"}


def valid(lines: list[str], folder: Path) -> None:
    """Well-formed for one parser and, where it is installed, valid for another."""
    text = "\n".join(lines)
    root = ElementTree.fromstring(text.encode())
    if shutil.which("xmllint") is None:
        return
    (folder / "x.xml").write_text(text, encoding="utf-8")
    schema = Path(__file__).parent / SCHEMAS[root.tag]
    command = ["xmllint", "--huge", "--noout", "--nonet", "--dtdvalid", schema, folder / "x.xml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@BOTH
@given(some=st.lists(sentences(annotated=True), max_size=2))
@examples(25)
def test_what_is_written_reads_back_but_for_headers_and_indices(
    read: Reader, write: Writer, some: list[Sentence], tmp_path_factory: pytest.TempPathFactory
) -> None:
    lines = list(write(some))
    expected = [Sentence(s.id, mapped(s.derivation, no_index)) for s in some]
    assert list(read(lines, None)) == expected
    valid(lines, tmp_path_factory.mktemp("xml"))


@BOTH
@given(word=any_text().filter(bool), name=any_text().filter(bool), pos=any_text().filter(bool))
@examples(150)
def test_any_text_reads_back_or_is_refused(read: Reader, write: Writer, word: str, name: str, pos: str) -> None:
    tree = Binary(parse("PP"), Leaf(parse("N/N"), word, pos, pos), Leaf(parse("N"), "end"))
    try:
        lines = list(write([Sentence(name, tree)]))
    except WriteError as error:
        assert re.search("XML cannot contain the character U\\+00[01]|U\\+FFF[EF]", str(error))
        return
    ElementTree.fromstring("\n".join(lines).encode())
    (again,) = read(lines, None)
    assert (again.id, again.derivation) == (name, tree)


@BOTH
def test_an_unpaired_surrogate_is_refused(read: Reader, write: Writer) -> None:
    with pytest.raises(WriteError, match=r"sentence 1: XML cannot contain the character U\+D800 of '\\ud800'"):
        list(write([Sentence("1", Leaf(parse("N"), "\ud800"))]))
    with pytest.raises(FormatError, match="unpaired surrogate"):
        list(read(["\ud800"], None))


@BOTH
def test_several_parses_of_a_sentence_stand_together_and_keep_their_names(read: Reader, write: Writer) -> None:
    names = ["a", "3.1", "3.2", "3.3", "4.1", "5.2", "a.b.1", "a.b.2", "3.1", "3.2"]
    some = [Sentence(name, right_branching(2)) for name in names]
    some += [Sentence("wsj.1", right_branching(2)), Sentence("wsj.2", right_branching(3))]
    lines = list(write(some))
    assert list(read(lines, None)) == some
    text = "\n".join(lines)
    assert 'name="3"' in text or '<ccg sentence="3" id="2">' in text
    assert "wsj.1" in text


@pytest.mark.slow
@BOTH
def test_a_sentence_of_thousands_of_words_does_not_exhaust_the_stack(read: Reader, write: Writer) -> None:
    for deep in (right_branching(3000), left_branching(3000)):
        (again,) = read(write([Sentence("deep", deep)]), None)
        assert format_tree(again.derivation) == format_tree(deep)


@pytest.mark.slow
@BOTH
@given(word=any_text().filter(bool))
@examples(50)
def test_lxml_reads_every_word(read: Reader, write: Writer, word: str) -> None:
    etree = pytest.importorskip("lxml.etree")
    try:
        text = "\n".join(write([Sentence("1", Leaf(parse("N"), word))]))
    except WriteError:
        return
    assert etree.fromstring(text.encode()).xpath("//@word | //@surf") == [word]


BOMB = '<!DOCTYPE candc [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'


@BOTH
@pytest.mark.parametrize(
    ("lines", "line", "column", "reason"),
    [
        ([""], 2, 1, "not XML: no element found"),
        (["<candc"], 1, 1, "not XML: unclosed token"),
        (["ROOT", "</x>"], 2, 3, "not XML: mismatched tag"),
        (["ROOT", "é <a b='1' b='2'/>"], 2, 12, "not XML: duplicate attribute"),
        (["ROOT", "&nbsp;"], 2, 1, "not XML: undefined entity"),
        (["<html>", "</html>"], 1, 1, "expected <"),
        ([BOMB, "ROOT"], 1, 17, "a document type declaration"),
        (["<!DOCTYPE candc SYSTEM 'file:///etc/passwd'>", "ROOT"], 1, 44, "a document type declaration"),
        (["ROOT", " \0"], 2, 2, "not XML: not well-formed (invalid token)"),
    ],
)
def test_what_is_not_xml_is_refused_with_its_place(
    read: Reader, write: Writer, lines: list[str], line: int, column: int, reason: str
) -> None:
    root = "<candc>" if read is read_candc_xml else "<root>"
    bad: list[FormatError] = []
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        list(read([text.replace("ROOT", root) for text in lines], bad))
    assert (caught.value.line, caught.value.column) == (line, column)


@BOTH
@given(st.text(st.sampled_from('<>/="& a1candcrotspnleuf')) | st.text())
@examples(100)
def test_no_text_whatever_crashes_the_reader(read: Reader, write: Writer, text: str) -> None:
    root = "candc" if read is read_candc_xml else "root"
    for lines in ([text], [f"<{root}>", text, f"</{root}>"]):
        try:
            list(read(lines, []))
        except FormatError:
            continue


def test_a_declared_encoding_is_not_believed_for_files_are_utf8(tmp_path: Path) -> None:
    text = "\n".join(write_candc_xml([Sentence("1", Leaf(parse("N"), "été"))]))
    (tmp_path / "x.candc.xml").write_text(text.replace("UTF-8", "ISO-8859-1"), encoding="utf-8")
    assert [s.derivation.words for s in read_candc_xml(tmp_path / "x.candc.xml")] == [["été"]]
    (tmp_path / "x.candc.xml").write_text(text, encoding="latin-1")
    with pytest.raises(FormatError, match=r"4:34: not UTF-8"):
        list(read_candc_xml(tmp_path / "x.candc.xml"))


# --- C&C XML ---

IT_WORKS = Sentence(
    "1", Binary(parse("S[dcl]"), Leaf(parse("NP"), "It", "PRP", "PRP"), Leaf(parse("S[dcl]\\NP"), "works"), head=1)
)
CANDC = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<candc>",
    '  <ccg sentence="1" id="1">',
    '    <rule type="unk" cat="S[dcl]" head="1">',
    '      <lf start="0" span="1" word="It" lemma="XX" pos="PRP" chunk="XX" entity="O" cat="NP"/>',
    '      <lf start="1" span="1" word="works" lemma="XX" pos="X" chunk="XX" entity="O" cat="S[dcl]\\NP"/>',
    "    </rule>",
    "  </ccg>",
    "</candc>",
]


def test_candc_xml_looks_as_the_tools_want_it() -> None:
    assert list(write_candc_xml([IT_WORKS])) == CANDC


def test_what_candc_itself_writes_is_read() -> None:
    """No attributes, comments before the root, spaces before the slash, lists of parses, marks on conjunctions."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<?xml-stylesheet type="text/xsl" href="candc.xml"?>', ""]
    lines += ["<!-- made by hand -->", "<candc>", "<ccgs>", "<ccg>", '<rule type="conj" cat="NP[conj]" >']
    lines += ['<lf start="0" span="1" word="and" lemma="and" pos="CC" chunk="I-NP" entity="O" cat="conj" />']
    lines += ['<lf word="R&amp;D" cat="NP" />', "</rule>", "</ccg>", '<ccg><lf word="x" cat="N"/></ccg></ccgs></candc>']
    first, second = read_candc_xml(lines)
    assert (first.id, second.id, first.derivation.words) == ("1", "2", ["and", "R&D"])
    assert str(first.derivation.category) == "NP\\NP"
    assert first.derivation.rule is not None
    assert isinstance(first.derivation, Binary)
    assert first.derivation.head == 1  # as CCGbank would mark it


def test_an_id_without_a_sentence_is_a_name() -> None:
    lines = ["<candc>", *(f'<ccg id="{name}"><lf word="x" cat="N"/></ccg>' for name in ("1", "2", "b")), "</candc>"]
    assert [sentence.id for sentence in read_candc_xml(lines)] == ["1", "2", "b"]


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "reason"),
    [
        ('word="It" ', "", 5, 7, "<lf> has no word"),
        ('word="It" ', 'word="" ', 5, 7, "<lf> has no word"),
        ('cat="NP"', 'cat="NP/"', 5, 7, "not a category: 'NP/'"),
        ('cat="S[dcl]" ', "", 4, 5, "<rule> has no cat"),
        ("<lf start=", "<leaf start=", 5, 7, "expected <rule> or <lf>, found <leaf>"),
        ('cat="NP"/>', 'cat="NP"><lf word="a" cat="N"/></lf>', 5, 7, "<lf> must not have children"),
        ('cat="NP"/>', 'cat="NP"/><lf word="a" cat="N"/>', 4, 5, "a node must have one or two children, not 3"),
        ("</rule>", '</rule><lf word="a" cat="N"/>', 3, 3, "<ccg> must contain one derivation, not 2"),
        ("</rule>", '</rule><ccg cat="N"/>', 7, 12, "expected <rule> or <lf>, found <ccg>"),
    ],
)
def test_candc_xml_that_is_no_derivation_is_refused_with_its_place(
    old: str, new: str, line: int, column: int, reason: str
) -> None:
    broken = [
        text.replace(old, new, 1) if number + 1 == lines_with(old)[0] else text for number, text in enumerate(CANDC)
    ]
    with pytest.raises(FormatError) as caught:
        list(read_candc_xml(broken))
    assert reason in caught.value.reason
    assert (caught.value.line, caught.value.column) == (line, column)
    bad: list[FormatError] = []
    assert len(list(read_candc_xml([*CANDC[1:8], *broken[2:8], *CANDC[2:]], bad))) == 2
    assert len(bad) == 1


def lines_with(text: str) -> list[int]:
    return [number for number, line in enumerate(CANDC, 1) if text in line]


# --- Jigg XML ---

JIGG = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<root>",
    "  <document>",
    "    <sentences>",
    '      <sentence id="s0" name="1">',
    "        <tokens>",
    '          <token id="s0_0" start="0" surf="It" base="*" pos="PRP" chunk="XX" entity="O" cat="NP"/>',
    '          <token id="s0_1" start="1" surf="works" base="*" pos="X" chunk="XX" entity="O" cat="S[dcl]\\NP"/>',
    "        </tokens>",
    '        <ccg id="s0_ccg0" root="s0_sp0">',
    '          <span id="s0_sp0" category="S[dcl=true]" begin="0" end="2" root="true" child="s0_sp1 s0_sp2" '
    'rule="unk" head="1"/>',
    '          <span id="s0_sp1" category="NP" begin="0" end="1" terminal="s0_0"/>',
    '          <span id="s0_sp2" category="S[dcl=true]\\NP" begin="1" end="2" terminal="s0_1"/>',
    "        </ccg>",
    "      </sentence>",
    "    </sentences>",
    "  </document>",
    "</root>",
]


def test_jigg_xml_looks_as_the_tools_want_it() -> None:
    assert list(write_jigg_xml([IT_WORKS])) == JIGG


def test_the_names_of_later_versions_of_jigg_are_read() -> None:
    text = "\n".join(JIGG).replace("surf=", "form=").replace("category=", "symbol=").replace("child=", "children=")
    text = text.replace("terminal=", "children=").replace(' name="1"', "").replace(' root="s0_sp0"', "")
    assert list(read_jigg_xml(text.split("\n"))) == [replace(IT_WORKS, id="s0", derivation=mapped_example())]


def mapped_example() -> Binary:
    tree = mapped(IT_WORKS.derivation, no_index)
    assert isinstance(tree, Binary)
    return tree


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('surf="It" ', "", 7, "<token> has no surf or word or form"),
        ('category="NP" ', "", 12, "<span> has no category or symbol"),
        ('category="NP" ', 'category="NP/" ', 12, "not a category: 'NP/'"),
        ('root="s0_sp0"', 'root="s0_sp9"', 10, "there is no span 's0_sp9' in this <ccg>"),
        ('child="s0_sp1 s0_sp2"', 'child="s0_sp1 s0_sp9"', 11, "there is no span 's0_sp9' in this <ccg>"),
        ('child="s0_sp1 s0_sp2"', 'child="s0_sp1 s0_sp0"', 11, "span 's0_sp0' has two parents"),
        ('child="s0_sp1 s0_sp2"', 'child="s0_sp1 s0_sp1"', 10, "must be the 2 tokens of its sentence"),
        ('child="s0_sp1 s0_sp2"', 'child="s0_sp2 s0_sp1"', 10, "in order"),
        ('child="s0_sp1 s0_sp2"', 'child="s0_sp1 s0_sp2 s0_sp2"', 11, "a node must have one or two children, not 3"),
        ('child="s0_sp1 s0_sp2"', "", 11, "a node must have one or two children, not 0"),
        ('terminal="s0_1"', 'terminal="s0_5"', 13, "there is no token 's0_5' in this sentence"),
    ],
)
def test_jigg_xml_that_is_no_derivation_is_refused_with_its_place(old: str, new: str, line: int, reason: str) -> None:
    broken = [text.replace(old, new) for text in JIGG]
    assert broken != JIGG
    with pytest.raises(FormatError) as caught:
        list(read_jigg_xml(broken))
    assert reason in caught.value.reason
    assert caught.value.line == line
    bad: list[FormatError] = []
    assert len(list(read_jigg_xml([*JIGG[1:15], *broken[4:15], *JIGG[4:]], bad))) == 2
    assert len(bad) == 1


def test_a_ccg_without_a_root_is_refused() -> None:
    lines = [text.replace(' root="s0_sp0"', "").replace(' root="true"', "") for text in JIGG]
    with pytest.raises(FormatError, match="10:9: <ccg> has no root"):
        list(read_jigg_xml(lines))
