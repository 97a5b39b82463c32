from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import starccg
from starccg.ccg.category import Category
from starccg.ccg.derivation import Binary, Leaf, Sentence, Unary
from starccg.ccg.rules import Rule
from starccg.errors import StarccgError
from starccg.formats.errors import FormatError
from starccg.formats.files import ConversionError, convert, read, write
from starccg.formats.parg import PargSentence
from starccg.formats.registry import FORMATS, UnknownFormatError, _function, format_named, format_of
from tests.formats.trees import right_branching

SENTENCES = [Sentence("one", right_branching(3)), Sentence("two", right_branching(2))]


def test_every_reader_and_writer_that_is_named_is_there() -> None:
    for form in FORMATS.values():
        for spec in (form.reader, form.writer):
            assert spec is None or callable(_function(spec))


def test_the_documentation_lists_every_format_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    table = page.split("|---|---|---|---|---|\n")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.split("\n")]
    assert [(name, endings, read, write) for name, endings, _, read, write in rows] == [
        (
            f"`{form.name}`",
            " ".join(f"`{ending}`" for ending in form.extensions),
            "yes" if form.reader else "",
            "yes" if form.writer else "",
        )
        for form in FORMATS.values()
    ]


def test_no_two_formats_share_an_extension() -> None:
    extensions = [extension for form in FORMATS.values() for extension in form.extensions]
    assert len(extensions) == len(set(extensions))


@pytest.mark.parametrize("name", [form.name for form in FORMATS.values() if form.reader and form.writer])
def test_what_a_format_writes_it_reads_back(name: str, tmp_path: Path) -> None:
    form = format_named(name)
    path = tmp_path / f"x{form.extensions[0].upper()}"
    write(path, SENTENCES)
    again = list(form.read(path))
    if name == "ptb":  # brackets leave no room for names
        assert [item.id for item in again] == ["1", "2"]
        again = [replace(item, id=sentence.id) for item, sentence in zip(again, SENTENCES, strict=True)]
    assert again == ([PargSentence.of(sentence) for sentence in SENTENCES] if form.dependencies_only else SENTENCES)


@pytest.mark.parametrize("name", [form.name for form in FORMATS.values() if form.reader and form.writer])
def test_every_format_converts_to_every_other_and_back(name: str, tmp_path: Path) -> None:
    form = format_named(name)
    path = tmp_path / f"x{form.extensions[0]}"
    write(path, SENTENCES)
    for other in FORMATS.values():
        if other.writer is None or form.dependencies_only:
            continue
        convert(path, tmp_path / f"y{other.extensions[0]}")
        if other.reader is not None and not other.dependencies_only:
            back = [sentence.derivation for sentence in read(tmp_path / f"y{other.extensions[0]}")]
            assert back == [sentence.derivation for sentence in SENTENCES]


@pytest.mark.parametrize("name", [form.name for form in FORMATS.values() if form.writer])
def test_an_unpaired_surrogate_is_an_error_and_no_file(name: str, tmp_path: Path) -> None:
    broken = Sentence("1", Leaf(Category.parse("N"), "\ud800"))
    path = tmp_path / f"x{format_named(name).extensions[0]}"
    try:
        write(path, [broken])
    except StarccgError as error:
        assert re.search("unpaired surrogate|cannot contain", str(error))
        assert not list(tmp_path.iterdir())
    else:
        path.read_text(encoding="utf-8")  # drawn with a sign in its place


@pytest.mark.slow
@pytest.mark.parametrize("name", [form.name for form in FORMATS.values() if form.writer])
def test_a_sentence_of_thousands_of_words_is_written_in_every_format(name: str) -> None:
    assert list(format_named(name).write([Sentence("deep", right_branching(1200))]))


def test_unknown_names_and_endings_list_the_known_ones() -> None:
    with pytest.raises(UnknownFormatError, match="unknown format 'xml'; the formats are auto, auto_extended, parg"):
        format_named("xml")
    with pytest.raises(UnknownFormatError, match=r"the known ones are \.auto .*\.candc\.xml \.jigg\.xml"):
        format_of("x.xml")
    with pytest.raises(UnknownFormatError, match="deriv can only be written; formats that can be read: auto"):
        format_named("deriv").read([])
    with pytest.raises(UnknownFormatError, match="conllu can only be read"):
        format_named("conllu").write([])


def test_an_ending_may_have_two_parts_and_a_name_a_hyphen_for_its_underscore() -> None:
    assert format_of("some.folder/x.jigg.xml").name == "jigg_xml"
    assert format_of(Path("x.y.CandC.XML")).name == "candc_xml"
    assert format_named("Jigg-XML") is format_of("x.jigg.xml")


def test_dependencies_do_not_become_derivations(tmp_path: Path) -> None:
    write(tmp_path / "x.parg", SENTENCES)
    with pytest.raises(ConversionError, match="parg has only dependencies; auto needs derivations"):
        convert(tmp_path / "x.parg", tmp_path / "x.auto")
    with pytest.raises(ConversionError, match="has no derivations"):
        read(tmp_path / "x.parg")
    convert(tmp_path / "x.parg", tmp_path / "y.parg")
    assert (tmp_path / "y.parg").read_text() == (tmp_path / "x.parg").read_text()


def test_an_error_on_the_way_leaves_what_was_there_before(tmp_path: Path) -> None:
    (tmp_path / "in.auto").write_text("ID=1\n(<L N X X a N>)\nID=2\n(<L N\n")
    (tmp_path / "out.json").write_text("precious")
    with pytest.raises(FormatError, match=r"in.auto:4:\d+: "):
        convert(tmp_path / "in.auto", tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text() == "precious"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.auto", "out.json"]


def test_a_file_may_be_converted_in_place(tmp_path: Path) -> None:
    path = tmp_path / "x.auto"
    write(path, SENTENCES)
    before = path.read_text()
    convert(path, path)
    assert path.read_text() == before


def test_a_link_to_itself_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.auto"
    path.symlink_to(path)
    with pytest.raises(FormatError, match="cannot be read"):
        list(read(path))
    write(path, SENTENCES)
    assert list(read(path)) == SENTENCES


def test_a_device_is_written_to_and_not_replaced() -> None:
    write("/dev/null", SENTENCES, "auto")
    assert not Path("/dev/null").is_file()


def test_the_package_reads_and_writes_by_ending(tmp_path: Path) -> None:
    starccg.write(tmp_path / "x.jsonl", SENTENCES)
    assert list(starccg.read(tmp_path / "x.jsonl")) == SENTENCES


def test_bytes_that_are_not_utf8_are_refused_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "x.auto"
    path.write_bytes(b"ID=1\n(<L N X X a N>)\nID=2\n(<L N X X \xc3\xa9\xff N>)\nID=3\n(<L N X X c N>)\n")
    with pytest.raises(FormatError, match=r"x.auto:4:12: not UTF-8"):
        list(read(path))
    bad: list[FormatError] = []
    assert [sentence.derivation.words for sentence in read(path, bad=bad)] == [["a"], ["c"]]
    assert len(bad) == 1


@pytest.mark.parametrize("form", ["auto_extended", "conll", "candc_xml", "jigg_xml", "ptb"])
def test_files_for_other_tools_have_no_variable_features(form: str) -> None:
    raised = Unary(Category.parse(r"S[X]/(S[X]\NP)"), Leaf(Category.parse("NP"), "It"), Rule.FORWARD_TYPE_RAISING)
    verb = Leaf(Category.parse(r"S[dcl]\NP"), "works")
    tree = Binary(Category.parse("S[dcl]"), raised, verb, Rule.FORWARD_APPLICATION, 1)
    text = "\n".join(FORMATS[form].write([Sentence("1", tree)]))
    assert "[X" not in text and "dcl" in text
    assert "[X]" in "\n".join(FORMATS["auto"].write([Sentence("1", tree)]))
