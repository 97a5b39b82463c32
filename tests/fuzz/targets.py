"""What is fuzzed: functions of bytes that return, or raise for a defect.

A reader may refuse its input with a :class:`StarccgError`; every other exception is a defect. What a reader accepts is
written again, which must not fail in another way than with a ``StarccgError`` either.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from starccg.ccg.category import Category
from starccg.ccg.grammar import Grammar
from starccg.errors import StarccgError
from starccg.formats.errors import FormatError
from starccg.formats.registry import FORMATS, Format
from starccg.model_folder.onnx_file import check_onnx
from starccg.model_folder.parts import read_parts
from starccg.outcome_json import outcome_from_json, outcome_to_json
from starccg.text import sentences
from tests.fuzz import tiny_model

Target = Callable[[bytes], None]


def category(data: bytes) -> None:
    """A category that can be read is written as it is read."""
    found = Category.parse(data.decode("utf-8", "replace"))
    assert Category.parse(str(found)) is found


def grammar(data: bytes) -> None:
    """A saved grammar."""
    found = Grammar.loads(data.decode("utf-8", "replace"))
    assert Grammar.loads(found.dumps()) == found


def text(data: bytes) -> None:
    """The offsets of every word lead to its place in the text."""
    given = data.decode("utf-8", "replace")
    for sentence in sentences(given):
        for token in sentence.tokens:
            assert given[token.start : token.end]


def outcome(data: bytes) -> None:
    """The JSON of a parse."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    outcome_to_json(outcome_from_json(value))


def onnx(data: bytes) -> None:
    """The check of an ONNX file before onnxruntime reads it."""
    check_onnx(data, "tagger.onnx")


def model(data: bytes) -> None:
    """A model folder in which one file is replaced, with the right checksum: the first byte says which."""
    if data:
        files = tiny_model.files()
        names = [name for name in files if not name.endswith(".onnx")]  # onnxruntime is not ours to fuzz
        files[names[data[0] % len(names)]] = data[1:]
        with tempfile.TemporaryDirectory(dir=scratch()) as folder:
            tiny_model.write(files, Path(folder))
            read_parts(Path(folder)).tagger.tag([["a", "b"]])


def file_of(form: Format) -> Target:
    """A file of a format, read with and without a list for bad sentences, and written again."""

    def target(data: bytes) -> None:
        path = scratch() / form.name
        path.write_bytes(data)
        bad: list[FormatError] = []
        found = list(form.read(path, bad))
        if bad:
            try:
                list(form.read(path))
            except StarccgError:
                pass
            else:
                raise AssertionError("a file with bad sentences is refused if nothing collects them")
        if form.writer is not None:
            for _ in form.write(found):
                pass

    return target


@cache
def scratch() -> Path:
    """A folder for the files that readers read, in memory where the system has such a place."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="starccg-fuzz-", dir=memory if memory.is_dir() else None))


TARGETS: dict[str, Target] = {
    **{form.name: file_of(form) for form in FORMATS.values() if form.reader is not None},
    **{target.__name__: target for target in (category, grammar, text, outcome, onnx, model)},
}


def load_everything() -> None:
    """Load the readers, which are otherwise loaded when they are first used."""
    for form in FORMATS.values():
        if form.reader is not None:
            with suppress(StarccgError):
                list(form.read([]))


def check(name: str, data: bytes) -> None:
    """Run a target; only a defect raises."""
    try:
        TARGETS[name](data)
    except StarccgError as error:
        assert len(str(error)) < 5000, "a message must not repeat its input"
