"""Rows in shards, and the output of one shard: the unit of work, which is written atomically.

The boundaries depend on the input and the settings alone, and a shard is always parsed as a whole. So the bytes of a
shard's files do not depend on what happened before, on the number of processes, or on restarts.
"""

from __future__ import annotations

import gzip
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from starccg.corpus.rows import Row
from starccg.formats.json import dumps
from starccg.formats.registry import format_named
from starccg.outcome import Failed, ParseOutcome
from starccg.outcome_json import named, outcome_to_json
from starccg.text import sentences

OutputFormat = Literal["jsonl", "auto", "parquet"]
ENDINGS: dict[OutputFormat, str] = {"jsonl": ".jsonl.gz", "auto": ".auto.gz", "parquet": ".parquet"}
Sentence = str | list[str]
Parse = Callable[[Sequence[Sentence]], Iterable[ParseOutcome]]


@dataclass(frozen=True, slots=True)
class Shard:
    """Some consecutive rows of the input."""

    number: int
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """The files of a shard by their ending, and how many outcomes of each kind they hold."""

    files: dict[str, bytes]
    counts: dict[str, int]


def in_shards(rows: Iterable[Row], max_rows: int, max_characters: int) -> Iterator[Shard]:
    """Split rows into shards with a maximum number of rows and of characters (a longer row is a shard by itself)."""
    held: list[Row] = []
    number = characters = 0
    for row in rows:
        size = 0 if row.text is None else sum(map(len, row.text))
        if held and (len(held) == max_rows or characters + size > max_characters):
            yield Shard(number, tuple(held))
            held, characters, number = [], 0, number + 1
        held.append(row)
        characters += size
    if held:
        yield Shard(number, tuple(held))


def parse_shard(shard: Shard, parse: Parse, output: OutputFormat, *, split: bool) -> Written:
    """Parse a shard and return the contents of its files. ``split``: a row of text may have several sentences."""
    todo: list[tuple[str, Row, Sentence]] = []
    failed: list[str] = []
    counts: Counter[str] = Counter(rows=len(shard.rows))
    for row in shard.rows:
        if row.text is None:
            failed.append(_failed_line(row.id, row, row.error, []))
            counts.update(sentences=1, failed=1)
        elif isinstance(row.text, str) and split:
            words = [sentence.words for sentence in sentences(row.text)] or [[]]
            todo.extend((f"{row.id}.{k}" if len(words) > 1 else row.id, row, one) for k, one in enumerate(words, 1))
        else:
            todo.append((row.id, row, row.text))
    entry_of, content_of = _WRITERS[output]

    def entries() -> Iterator[Any]:
        """What is written of each outcome, one by one: a file is compressed while the next sentences are parsed."""
        for (name, row, _), outcome in zip(todo, parse([one for _, _, one in todo]), strict=True):
            counts.update(sentences=1)
            if isinstance(outcome, Failed):
                counts.update(failed=1)
                failed.append(_failed_line(name, row, outcome.reason, list(outcome.words)))
                continue
            kind = "backed_off" if outcome.certificate.stopped else "parsed"
            counts.update({kind: 1, "proved": int(outcome.certificate.optimal)})
            yield entry_of(name, row, outcome)

    files = {ENDINGS[output]: content_of(entries())}
    if failed:
        files[".failed.jsonl"] = "".join(failed).encode()
    return Written(files, dict(counts))


def _failed_line(name: str, row: Row, reason: str, words: list[str]) -> str:
    return _line({"id": name, "outcome": Failed.__name__, "words": words, "reason": reason}, row)


def record_of(name: str, outcome: ParseOutcome) -> dict[str, Any]:
    """An outcome as a plain value, without its time, which differs between runs."""
    value = outcome_to_json(outcome, name)
    for holder in (value, *value["parses"]):
        holder["certificate"].pop("seconds")
    return value


def _line(record: dict[str, Any], row: Row) -> str:
    """A record as a line of JSON, with the fields of the input that are kept, which are JSON already."""
    text = dumps(record)
    return f'{text[:-1]}, "kept": {row.kept}}}\n' if row.kept else f"{text}\n"


def _jsonl_entry(name: str, row: Row, outcome: Any) -> str:
    return _line(record_of(name, outcome), row)


def _auto_entry(name: str, row: Row, outcome: Any) -> str:
    return "".join(f"{line}\n" for line in format_named("auto").write(named(outcome, name)))


def _compressed(entries: Iterable[str]) -> bytes:
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=6, filename="", mtime=0) as file:
        for entry in entries:
            file.write(entry.encode())
    return buffer.getvalue()


def _parquet_entry(name: str, row: Row, outcome: Any) -> dict[str, Any]:
    record = record_of(name, outcome)
    return {
        "id": record["id"],
        "outcome": record["outcome"],
        "words": record["words"],
        "supertags": list(map(str, outcome.best.supertags)),
        "score": outcome.certificate.score,
        "proved": outcome.certificate.optimal,
        "ccg": _line(record, row).rstrip("\n"),
    }


def _parquet(entries: Iterable[dict[str, Any]]) -> bytes:
    import pyarrow as pa  # noqa: PLC0415 - an extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    text, texts = pa.string(), pa.list_(pa.string())
    types = {"id": text, "outcome": text, "words": texts, "supertags": texts, "score": pa.float64()}
    schema = pa.schema({**types, "proved": pa.bool_(), "ccg": text})
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(entries), schema), buffer, compression="zstd")
    return buffer.getvalue()


_WRITERS: dict[OutputFormat, tuple[Callable[[str, Row, Any], Any], Callable[[Iterable[Any]], bytes]]] = {
    "jsonl": (_jsonl_entry, _compressed),
    "auto": (_auto_entry, _compressed),
    "parquet": (_parquet_entry, _parquet),
}
"""How to write an outcome, and the file of all of them."""
