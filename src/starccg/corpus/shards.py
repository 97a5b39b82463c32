"""Rows in shards, and the output of one shard: the unit of work, which is written atomically.

The boundaries depend on the input and the settings alone, and a shard is always parsed as a whole. So the bytes of a
shard's files do not depend on what happened before, on the number of processes, or on restarts.
"""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from starccg.corpus.rows import Row
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
    failed: list[dict[str, Any]] = []
    counts: Counter[str] = Counter(rows=len(shard.rows))
    for row in shard.rows:
        if row.text is None:
            failed.append(_failed_record(row.id, row, row.error, []))
            counts.update(sentences=1, failed=1)
        elif isinstance(row.text, str) and split:
            words = [sentence.words for sentence in sentences(row.text)]
            todo.extend((f"{row.id}.{k}" if len(words) > 1 else row.id, row, one) for k, one in enumerate(words, 1))
        else:
            todo.append((row.id, row, row.text))
    parsed: list[tuple[str, Row, ParseOutcome]] = []
    for (name, row, _), outcome in zip(todo, parse([one for _, _, one in todo]), strict=True):
        counts.update(sentences=1)
        if isinstance(outcome, Failed):
            counts.update(failed=1)
            failed.append(_failed_record(name, row, outcome.reason, list(outcome.words)))
            continue
        kind = "backed_off" if outcome.certificate.stopped else "parsed"
        counts.update({kind: 1, "proved": int(outcome.certificate.optimal)})
        parsed.append((name, row, outcome))
    files = {ENDINGS[output]: _WRITERS[output](parsed)}
    if failed:
        files[".failed.jsonl"] = "".join(_json_line(record) for record in failed).encode("utf-8", "surrogatepass")
    return Written(files, dict(counts))


def _failed_record(name: str, row: Row, reason: str, words: list[str]) -> dict[str, Any]:
    return {"id": name, **_kept(row), "outcome": Failed.__name__, "words": words, "reason": reason}


def _kept(row: Row) -> dict[str, Any]:
    return {"kept": row.kept} if row.kept else {}


def record_of(name: str, row: Row, outcome: ParseOutcome) -> dict[str, Any]:
    """An outcome as a plain value, without its time, which differs between runs."""
    value = outcome_to_json(outcome, name)
    for holder in (value, *value["parses"]):
        holder["certificate"].pop("seconds")
    return {**value, **_kept(row)}


def _json_line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _compressed(text: str) -> bytes:
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=6, filename="", mtime=0) as file:
        file.write(text.encode("utf-8", "surrogatepass"))
    return buffer.getvalue()


def _write_jsonl(parsed: Sequence[tuple[str, Row, Any]]) -> bytes:
    return _compressed("".join(_json_line(record_of(name, row, outcome)) for name, row, outcome in parsed))


def _write_auto(parsed: Sequence[tuple[str, Row, Any]]) -> bytes:
    write = format_named("auto").write
    return _compressed("".join(f"{line}\n" for name, _, it in parsed for line in write(named(it, name))))


def _write_parquet(parsed: Sequence[tuple[str, Row, Any]]) -> bytes:
    import pyarrow as pa  # noqa: PLC0415 - an extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    records = [record_of(name, row, outcome) for name, row, outcome in parsed]
    columns = {
        "id": pa.array([record["id"] for record in records], pa.string()),
        "outcome": pa.array([record["outcome"] for record in records], pa.string()),
        "words": pa.array([record["words"] for record in records], pa.list_(pa.string())),
        "supertags": pa.array([list(map(str, it.best.supertags)) for _, _, it in parsed], pa.list_(pa.string())),
        "score": pa.array([it.certificate.score for _, _, it in parsed], pa.float64()),
        "proved": pa.array([it.certificate.optimal for _, _, it in parsed], pa.bool_()),
        "ccg": pa.array([json.dumps(record, ensure_ascii=False) for record in records], pa.string()),
    }
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, compression="zstd")
    return buffer.getvalue()


_WRITERS: dict[OutputFormat, Callable[[Sequence[tuple[str, Row, Any]]], bytes]] = {
    "jsonl": _write_jsonl,
    "auto": _write_auto,
    "parquet": _write_parquet,
}
