"""A corpus run from input files to an output folder."""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starccg import __version__
from starccg.corpus.folder import CorpusError, OutputFolder
from starccg.corpus.ray_workers import Cluster, RayWorkers
from starccg.corpus.rows import InputFormat, Reading, Rows, input_files
from starccg.corpus.shards import OutputFormat, Shard, in_shards
from starccg.corpus.workers import Work, Workers
from starccg.errors import counted
from starccg.files import read_bytes, sha256
from starccg.integrations.processes import ProcessParser
from starccg.model_folder.find import DEFAULT, find

__all__ = ["CorpusError", "Job", "Progress", "Settings", "Summary"]

MAX_CHARACTERS = 1 << 20


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that determine the output. The number of processes is not one of them."""

    reading: Reading = field(default_factory=Reading)
    output: OutputFormat = "jsonl"
    model: str = DEFAULT
    decoder: str | None = None
    nbest: int = 1
    max_units: int | None = None
    """Maximum number of recursive units per sentence; None: the decoder's default. There is no time limit, because the
    output would then depend on the speed of the machine."""
    shard_rows: int = 2000
    device: str = "cpu"
    """Where the tagger runs. Its log-probabilities on a GPU differ from those on a CPU by rounding."""
    annotate: bool = False
    """Whether to add parts of speech and lemmas."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run: counts so far, and the share of the input that was read."""

    counts: Counter[str]
    resumed: int
    """Sentences of the counts that an earlier run had parsed."""
    bytes_done: int
    bytes_total: int
    seconds: float

    def __str__(self) -> str:
        sentences, failed = self.counts["sentences"], self.counts["failed"]
        rate = (sentences - self.resumed) / self.seconds if self.seconds else 0.0
        return f"{counted(sentences, 'sentence')}, {failed:,} failed, {rate:,.0f}/s"


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run ended."""

    counts: Counter[str]
    resumed: int
    shards: int
    seconds: float

    def __str__(self) -> str:
        counts, new = self.counts, self.counts["sentences"] - self.resumed
        rate = f"{new / self.seconds:,.0f} sentences/s" if new and self.seconds else "nothing left to do"
        before = f", {self.resumed:,} of them by an earlier run" if self.resumed else ""
        return (
            f"{counted(counts['sentences'], 'sentence')}{before}: {counts['parsed'] + counts['backed_off']:,} parsed, "
            f"{counts['proved']:,} proved, {counts['backed_off']:,} backed off, {counts['failed']:,} failed; {rate}"
        )


class Job:
    """One corpus run. ``run()`` starts it, or resumes it where an earlier one with the same settings was killed.

    It runs in processes of this machine or, with a ``cluster``, on Ray; the output is the same.
    """

    def __init__(
        self,
        inputs: Sequence[Path],
        out: Path,
        settings: Settings | None = None,
        *,
        processes: int = 1,
        cluster: Cluster | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.files = input_files(inputs, without=out)
        if not self.files:
            raise CorpusError("no input: give files or folders of text")
        for path in self.files:
            self.settings.reading.format_of(path)
        self.folder = OutputFolder(out)
        self.processes = processes
        self.cluster = cluster
        self.sources = _names(self.files)

    def run(self, report: Callable[[Progress], None] = lambda progress: None) -> Summary:
        """Parse what is not parsed yet. Raises :class:`CorpusError` if the folder belongs to another run."""
        settings, begin = self.settings, time.monotonic()
        parser = ProcessParser(
            model=settings.model,
            decoder=settings.decoder,
            nbest=settings.nbest,
            seconds=None,
            units=settings.max_units,
            threads=1 if settings.device == "cpu" else 2,  # one searches while the other waits for the GPU
            batch_size=256 if settings.device == "cpu" else 512,
            device=settings.device,
            annotate=settings.annotate,
        )
        split = settings.reading.format is not InputFormat.LINES
        counts: Counter[str] = Counter()
        resumed = shards = 0
        rows = Rows(self.files, self.sources, settings.reading)
        with self.folder.locked():
            self.folder.begin(self._identity())
            work = Work(parser, settings.output, split)
            workers = RayWorkers(work, self.cluster) if self.cluster else Workers(work, self.processes)

            def missing() -> Iterator[Shard]:
                nonlocal resumed, shards
                for shard in in_shards(rows, settings.shard_rows, MAX_CHARACTERS):
                    shards += 1
                    done = self.folder.counts_of(shard.number)
                    if done is None:
                        yield shard
                    else:
                        counts.update(done)
                        resumed += done.get("sentences", 0)

            for shard, written in workers.results(missing()):
                self.folder.write_shard(shard.number, written)
                counts.update(written.counts)
                report(Progress(counts, resumed, rows.bytes_read, rows.bytes_total, time.monotonic() - begin))
            self.folder.finish(counts, shards)
        return Summary(counts, resumed, shards, time.monotonic() - begin)

    def _identity(self) -> dict[str, Any]:
        """Everything that the bytes of the output depend on."""
        settings, reading = self.settings, self.settings.reading
        return {
            "starccg": __version__,
            "model": {"name": settings.model, "sha256": _folder_checksum(find(settings.model))},
            "input": [
                {"name": source, "bytes": path.stat().st_size, "sha256": sha256(path)}
                for source, path in zip(self.sources, self.files, strict=True)
            ],
            "input format": reading.format and reading.format.value,
            "text field": reading.text_field,
            "kept fields": list(reading.keep),
            "output format": settings.output,
            "decoder": settings.decoder,
            "nbest": settings.nbest,
            "max units": settings.max_units,
            "rows a shard": settings.shard_rows,
            "device": settings.device.partition(":")[0],
            **({"annotate": True} if settings.annotate else {}),
        }


def _names(files: Sequence[Path]) -> list[str]:
    """Names for the rows' IDs: each file's name or, where two share it, as many folders as distinguish them.

    Bytes of a name that are not UTF-8 are written as ``\\xe9``.
    """
    parts = 1
    while True:
        paths = ("/".join(path.resolve().parts[-parts:]) for path in files)
        names = [os.fsencode(path).decode("utf-8", "backslashreplace") for path in paths]
        if len(set(names)) == len(files):
            return names
        parts += 1


def _folder_checksum(folder: Path) -> str:
    """The checksum of a model: of its manifests, which hold the checksums of all other files."""
    manifests = sorted(folder.rglob("model.json"))
    return hashlib.sha256(b"".join(map(read_bytes, manifests))).hexdigest()
