"""Reading a corpus: every format, plain and gzip; what cannot be read costs its own row and no other."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from starccg.corpus.rows import MAX_ROW_BYTES, InputFormat, Reading, Row, Rows, input_files
from starccg.corpus.shards import in_shards
from starccg.errors import StarccgError


def rows(path: Path, reading: Reading | None = None) -> list[Row]:
    return list(Rows([path], [path.name], reading or Reading()))


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(gzip.compress(content) if path.name.endswith(".gz") else content)
    return path


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_text_is_read_by_paragraphs(tmp_path: Path, ending: str) -> None:
    found = rows(write(tmp_path / f"a.txt{ending}", b"\xef\xbb\xbfOne\r\ntwo.\n\n\n  \nThree."))
    assert [(row.line, row.text) for row in found] == [(1, "One\ntwo."), (6, "Three.")]


def test_tokens_lines_and_json_are_read_by_line(tmp_path: Path) -> None:
    assert [row.text for row in rows(write(tmp_path / "a.tok", b"It rains .\n\nYes .\n"))] == [
        ["It", "rains", "."], [], ["Yes", "."],
    ]  # fmt: skip
    lines = Reading(InputFormat.LINES)
    assert [row.text for row in rows(write(tmp_path / "a.log", b"It rains.\nYes.\n"), lines)] == ["It rains.", "Yes."]
    objects = [{"body": "It rains.", "id": 3}, {"body": ["Yes", "."]}]
    path = write(tmp_path / "a.jsonl.gz", "\n".join(map(json.dumps, objects)).encode())
    found = rows(path, Reading(text_field="body", keep=("id",)))
    assert [(row.text, row.kept) for row in found] == [("It rains.", '{"id": 3}'), (["Yes", "."], "")]
    path.write_bytes(gzip.compress(b'{"body": "Yes.", "id": [NaN, -Infinity]}\n'))  # as Python writes it
    assert [row.kept for row in rows(path, Reading(text_field="body", keep=("id",)))] == ['{"id": [null, null]}']


def test_a_row_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    found = rows(write(tmp_path / "a.tok", b"Yes .\n\xff\xfe\nNo .\n"))
    assert [(row.text, row.error) for row in found] == [
        (["Yes", "."], ""), (None, "not UTF-8: byte 0xff at position 1"), (["No", "."], ""),
    ]  # fmt: skip
    content = (
        b'{"text": null}\n[1]\n{"x": 1}\n{"text": 3}\n{\n{"text": ["a", 1]}\n{"text": "\\ud800"}\n{"text": "Yes."}\n'
    )
    found = rows(write(tmp_path / "a.jsonl", content))
    assert [row.error.partition(":")[0] for row in found] == [
        "the field 'text' must be a text or a list of words, not null",
        "expected a JSON object, not list",
        "the object has no field 'text'",
        "the field 'text' must be a text or a list of words, not int",
        "not JSON",
        "the field 'text' must be a text or a list of words, not list",
        "the field 'text' has an unpaired surrogate, which is not a character",
        "",
    ]
    deep = b"[" * 100_000 + b"\n" + b'{"text": ' + b"9" * 10_000 + b'}\n{"text": "Yes."}\n'
    unreadable = "not JSON that can be read: it is nested too deep, or a number is too long"
    assert [row.error for row in rows(write(tmp_path / "deep.jsonl", deep))] == [unreadable, unreadable, ""]


def test_a_line_without_an_end_is_refused_and_not_held(tmp_path: Path) -> None:
    found = rows(write(tmp_path / "a.tok", b"x" * (3 * MAX_ROW_BYTES) + b"\nYes .\n"))
    assert [row.error for row in found] == [f"the line is longer than {MAX_ROW_BYTES:,} bytes", ""]


def test_a_damaged_gzip_file_keeps_what_came_before(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b"Word number %d .\n" % k for k in range(5000)))
    path = tmp_path / "a.tok.gz"
    path.write_bytes(whole[: len(whole) // 2])
    found = rows(path)
    assert len(found) > 100
    assert all(row.text for row in found[:-1])
    assert found[-1].error.startswith("the rest of the file cannot be read")


def test_files_of_a_folder_come_in_order_and_unknown_endings_are_refused(tmp_path: Path) -> None:
    for name in ("b.txt", "a/c.tok.gz", "notes.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in input_files([tmp_path])] == ["c.tok.gz", "b.txt"]
    assert [path.name for path in input_files([tmp_path], without=tmp_path / "a")] == ["b.txt"]
    with pytest.raises(StarccgError, match="use --input-format"):
        Reading().format_of(tmp_path / "notes.md")
    with pytest.raises(StarccgError, match="no such file or folder"):
        input_files([tmp_path / "nowhere"])


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(b"Yes.")
    (tmp_path / "c.txt").symlink_to("a.txt")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = input_files([tmp_path / "b.txt", tmp_path, tmp_path / "a.txt"])
    assert [path.name for path in found] == ["b.txt", "a.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are of Unix")
def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(StarccgError, match="not a file"):
        input_files([tmp_path / "a.txt"])


def test_shards_hold_all_rows_once_within_their_bounds() -> None:
    given = [Row("a", line, "x" * (line % 7)) for line in range(1, 101)]
    shards = list(in_shards(given, 9, 20))
    assert [row for shard in shards for row in shard.rows] == given
    assert [shard.number for shard in shards] == list(range(len(shards)))
    for shard in shards:
        assert len(shard.rows) <= 9
        assert sum(len(row.text or "") for row in shard.rows) <= 20
    assert len(list(in_shards([Row("a", 1, "x" * 50)], 9, 20))) == 1
