from __future__ import annotations

from pathlib import Path

import pytest

from starccg.formats.errors import FormatError
from starccg.treebanks.ccgbank import SPLITS, CcgBank, LayoutError
from tests.treebanks.generated import QUIRKS, SKIPPED, write_ccgbank


def auto(name: str, subject: str, verb: str) -> str:
    tree = rf"(<T S[dcl] 1 2> (<L NP PRP PRP {subject} NP>) (<L S[dcl]\NP VBD VBD {verb} S[dcl]\NP>) )"
    return f"ID={name} PARSER=GOLD NUMPARSE=1\n{tree}\n"


def parg(name: str, subject: str, verb: str) -> str:
    return f'<s id="{name}"> 1\n0 \t 1 \t S[dcl]\\NP \t 1 \t {subject} {verb}\n<\\s> \n'


def add(data: Path, section: str, file: str, sentences: list[tuple[str, str]]) -> None:
    for kind, write in (("AUTO", auto), ("PARG", parg)):
        folder = data / kind / section
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(write(f"{file}.{number}", *words) for number, words in enumerate(sentences, 1))
        (folder / f"{file}.{kind.lower()}").write_text(text, encoding="utf-8")


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A treebank of our own in CCGbank's layout."""
    data = tmp_path / "ccgbank" / "data"
    for section in ("00", "01", *SPLITS["train"], "22", "23", "24"):
        add(data, section, f"wsj_{section}01", [("We", "slept"), ("They", f"saw{section}")])
    add(data, "00", "wsj_0002", [("You", "left")])
    (data / "AUTO" / "README").write_text("not a section")
    return tmp_path / "ccgbank"


def test_the_path_may_be_the_top_folder_or_data(bank: Path) -> None:
    assert CcgBank(bank).path == CcgBank(bank / "data").path == CcgBank(str(bank)).path
    assert CcgBank(bank).sections == tuple(f"{number:02}" for number in range(25))


def test_hidden_files_are_not_read(bank: Path) -> None:
    (bank / "data" / "AUTO" / "00" / "._wsj_0001.auto").write_bytes(b"\x00\x05\x16\x07")
    assert len(list(CcgBank(bank).split("dev"))) == 3


def test_a_folder_one_level_too_high_or_too_low_is_told_the_right_one(bank: Path, tmp_path: Path) -> None:
    for wrong in (tmp_path, bank / "data" / "AUTO", bank / "data" / "AUTO" / "00"):
        with pytest.raises(LayoutError, match=f"give {bank / 'data'}$"):
            CcgBank(wrong)


def test_the_splits_are_those_that_everyone_uses(bank: Path) -> None:
    treebank = CcgBank(bank)
    assert [item.id for item in treebank.split("dev")] == ["wsj_0001.1", "wsj_0001.2", "wsj_0002.1"]
    assert [item.id for item in treebank.split("test")] == ["wsj_2301.1", "wsj_2301.2"]
    train = list(treebank.split("train"))
    assert len(train) == 40
    assert (train[0].id, train[-1].id) == ("wsj_0201.1", "wsj_2101.2")


def test_sentences_come_with_derivation_and_dependencies(bank: Path) -> None:
    first = next(CcgBank(bank).split("dev"))
    assert first.derivation.words == ["We", "slept"]
    assert first.dependencies is not None
    assert [(item.argument, item.head, item.slot) for item in first.dependencies] == [(0, 1, 1)]


def test_a_treebank_without_parg_files_has_derivations_only(bank: Path) -> None:
    (bank / "data" / "PARG").rename(bank / "elsewhere")
    assert [item.dependencies for item in CcgBank(bank).split("test")] == [None, None]


def test_a_wrong_layout_says_what_was_expected_and_found(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match=r"no such folder; expected CCGbank, with files such as AUTO/00/wsj"):
        CcgBank(tmp_path / "nowhere")
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(LayoutError, match=r"expected a folder AUTO here or in data/ .*; found notes.txt"):
        CcgBank(tmp_path)
    with pytest.raises(LayoutError, match="this is a file"):
        CcgBank(tmp_path / "notes.txt")
    (tmp_path / "AUTO" / "wsj").mkdir(parents=True)
    with pytest.raises(LayoutError, match=r"expected sections, folders named 00 to 24; found wsj"):
        CcgBank(tmp_path)


def test_a_split_with_sections_missing_says_which(bank: Path) -> None:
    (bank / "data" / "AUTO" / "07").rename(bank / "07")
    with pytest.raises(LayoutError, match=r"missing: 07$"):
        CcgBank(bank).split("train")
    with pytest.raises(LayoutError, match="no split 'all'; the splits are train, dev, test"):
        CcgBank(bank).split("all")
    with pytest.raises(LayoutError, match="expected AUTO files of section 07"):
        list(CcgBank(bank).section("07"))


def test_a_derivation_without_its_dependencies_is_an_error_or_is_counted(bank: Path) -> None:
    file = bank / "data" / "PARG" / "23" / "wsj_2301.parg"
    file.write_text(parg("wsj_2301.2", "They", "saw23") + parg("wsj_2301.9", "No", "one"), encoding="utf-8")
    with pytest.raises(FormatError, match=r"wsj_2301.parg: sentence wsj_2301.1 of .* its dependencies are missing"):
        list(CcgBank(bank).split("test"))
    bad: list[FormatError] = []
    assert [item.id for item in CcgBank(bank).split("test", bad)] == ["wsj_2301.2"]
    assert len(bad) == 1


def test_dependencies_of_another_length_are_not_taken_for_the_sentence_s_own(bank: Path) -> None:
    file = bank / "data" / "PARG" / "23" / "wsj_2301.parg"
    file.write_text(file.read_text().replace('"wsj_2301.1"> 1', '"wsj_2301.1"> 4'))
    with pytest.raises(FormatError, match="the derivation has 2 words, the dependencies 5"):
        list(CcgBank(bank).split("test"))


def test_malformed_files_are_skipped_sentence_by_sentence_if_so_wished(bank: Path) -> None:
    file = bank / "data" / "AUTO" / "00" / "wsj_0001.auto"
    file.write_text(file.read_text().replace("(<L NP PRP PRP We NP>)", "(<L NP PRP PRP We"))
    bad: list[FormatError] = []
    assert [item.id for item in CcgBank(bank).split("dev", bad)] == ["wsj_0001.2", "wsj_0002.1"]
    assert [mistake.line for mistake in bad] == [2]


def test_every_known_quirk_is_repaired_or_skipped_and_counted(tmp_path: Path) -> None:
    write_ccgbank(tmp_path, train=40, dev=3, test=3)
    treebank = CcgBank(tmp_path)
    bad: list[FormatError] = []
    found = list(treebank.split("dev", bad))
    assert len(found) == 3 + len(QUIRKS) - len(SKIPPED)
    assert len(bad) == len(SKIPPED)
    assert {text for _, text in treebank.repairs.used} == {
        r"category ((S[b]\NP)/NP)/ read as (S[b]\NP)/NP",
        r"unary node (S[b]\NP)/NP -> (S[b]\NP)/NP left out",
        "category conj[conj] read as conj",
        "category N_7 read as N",
        "word -colon- read as :",
        "dependency of the word null left out",
        r"dependency of slot 3 of (S[dcl]\NP)/NP left out",
        "word Lynda of the dependencies read as Linda",
        "column <XX> of a dependency left out",
    }
    categories = {str(leaf.category) for own in found for leaf in own.derivation.leaves()}
    assert r"(S[b]\NP)/NP" in categories
    assert not any("_" in category for category in categories)
    assert all(own.dependencies is not None for own in found)


def test_a_missing_file_or_section_does_not_end_the_reading_of_a_split(tmp_path: Path) -> None:
    write_ccgbank(tmp_path, train=40, dev=3, test=3)
    bad: list[FormatError] = []
    list(CcgBank(tmp_path).split("train", bad))
    assert sum("wsj_0301.parg" in str(error) for error in bad) == 2, "each sentence of the missing PARG file is counted"
    (tmp_path / "data" / "AUTO" / "07").rename(tmp_path / "07")
    bad.clear()
    assert len(list(CcgBank(tmp_path).split("train", bad))) > 30
    assert any("missing: 07" in str(error) for error in bad)
    (tmp_path / "data" / "AUTO" / "23").rename(tmp_path / "23")
    with pytest.raises(LayoutError, match="missing: 23"):
        CcgBank(tmp_path).split("test", bad)


def test_dependencies_of_other_words_are_not_those_of_the_sentence(bank: Path) -> None:
    file = bank / "data" / "PARG" / "23" / "wsj_2301.parg"
    file.write_text(file.read_text().replace("We slept", "You slept"))
    with pytest.raises(FormatError, match=r"word 0 .* is 'We' in the derivation and 'You' in the dependencies"):
        list(CcgBank(bank).split("test"))


def test_a_file_or_section_that_cannot_be_read_does_not_end_the_reading_of_a_split(bank: Path) -> None:
    data = bank / "data"
    (data / "AUTO" / "02" / "wsj_0200.auto").mkdir()  # a folder where a file should be: reading it fails
    (data / "AUTO" / "03" / "wsj_0300.auto").symlink_to(data / "nowhere")
    (data / "PARG" / "04" / "wsj_0401.parg").unlink()
    (data / "PARG" / "04" / "wsj_0401.parg").mkdir()
    (data / "AUTO" / "05" / "wsj_0501.auto").unlink()  # an empty section
    (data / "AUTO" / "06" / "wsj_0601.auto").write_bytes(b"")
    bad: list[FormatError] = []
    found = [own.id for own in CcgBank(bank).split("train", bad)]
    assert len(found) == 40 - 2 - 2 - 2
    reasons = [str(error) for error in bad]
    assert sum("cannot be read" in reason for reason in reasons) == 2
    assert any("missing: 05" in reason for reason in reasons)
    assert sum("wsj_0401" in reason and "dependencies are missing" in reason for reason in reasons) == 2
    with pytest.raises(FormatError, match=r"wsj_0200.auto: cannot be read: "):
        list(CcgBank(bank).section("02"))


def test_line_ends_blank_lines_byte_order_marks_and_the_order_of_sentences_do_not_matter(bank: Path) -> None:
    expected = list(CcgBank(bank).split("dev"))
    for path in sorted((bank / "data").glob("*/00/*.*")):
        lines = path.read_text().splitlines()
        if path.suffix == ".parg":
            lines = [*lines[3:], *lines[:3]]
        text = "\r\n\r\n".join(["", *lines, ""])
        path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert list(CcgBank(bank).split("dev")) == expected


def test_bytes_of_latin_1_do_not_cost_a_sentence(bank: Path) -> None:
    for kind in ("auto", "parg"):
        file = bank / "data" / kind.upper() / "23" / f"wsj_2301.{kind}"
        file.write_bytes(file.read_bytes().replace(b"slept", b"slept\xe9"))
    treebank = CcgBank(bank)
    first, _ = treebank.split("test")
    assert first.derivation.words == ["We", "slepté"]
    assert first.dependencies is not None and len(first.dependencies) == 1
    assert treebank.repairs.used == [
        (f"wsj_2301.{kind}", "line that is not UTF-8 read as Latin-1") for kind in ("auto", "parg")
    ]


def test_of_sentences_with_the_same_name_the_first_one_counts(bank: Path) -> None:
    for kind in ("AUTO", "PARG"):
        copy = bank / "data" / kind / "23" / f"wsj_2399.{kind.lower()}"
        copy.write_bytes((bank / "data" / kind / "23" / f"wsj_2301.{kind.lower()}").read_bytes())
    bad: list[FormatError] = []
    assert [own.id for own in CcgBank(bank).split("test", bad)] == ["wsj_2301.1", "wsj_2301.2"]
    assert len(bad) == 2
    with pytest.raises(FormatError, match=r"sentence wsj_2301\.1 is skipped: one before it has the same name"):
        list(CcgBank(bank).split("test"))


def test_a_number_of_any_length_in_a_parg_file_spoils_its_sentence_alone(bank: Path) -> None:
    file = bank / "data" / "PARG" / "23" / "wsj_2301.parg"
    file.write_text(file.read_text().replace("NP \t 1 \t We", f"NP \t {'1' * 5000} \t We"))
    bad: list[FormatError] = []
    assert [own.id for own in CcgBank(bank).split("test", bad)] == ["wsj_2301.2"]
