"""CCGbank as the LDC distributes it, in sections.

::

    data/AUTO/00/wsj_0001.auto      the derivations
    data/PARG/00/wsj_0001.parg      their dependencies

Sections 02-21 are for training, 00 for development, 23 for testing. The path may be that of the top folder or of
``data`` itself. A treebank without a PARG folder can be read; its sentences then have no gold dependencies. Known
mistakes are repaired (:mod:`.ccgbank_repairs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, get_args

from starccg.ccg.derivation import Derivation, Sentence
from starccg.dependencies.types import Dependency
from starccg.errors import StarccgError
from starccg.formats.auto import read_auto
from starccg.formats.errors import FormatError, report
from starccg.formats.parg import PargSentence, read_parg
from starccg.treebanks.ccgbank_repairs import Repairs

T = TypeVar("T")

Split = Literal["train", "dev", "test"]

SPLITS: dict[str, tuple[str, ...]] = {
    "train": tuple(f"{number:02}" for number in range(2, 22)),
    "dev": ("00",),
    "test": ("23",),
}
"""The usual sections of each split."""

LAYOUT = "AUTO/00/wsj_0001.auto and, for the gold dependencies, PARG/00/wsj_0001.parg"


FILES = "[!.]*.auto"
"""Hidden files, which macOS writes beside others into archives, are no part of the treebank."""


class LayoutError(StarccgError):
    """A folder that does not have CCGbank's layout."""


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """A sentence of the treebank: its derivation and its dependencies."""

    sentence: Sentence
    dependencies: tuple[Dependency, ...] | None
    """The gold dependencies; None where the treebank has no PARG files."""

    @property
    def id(self) -> str:
        """Its name, such as ``wsj_0001.1``."""
        return self.sentence.id

    @property
    def derivation(self) -> Derivation:
        """Its gold derivation."""
        return self.sentence.derivation


class CcgBank:
    """A treebank in CCGbank's layout. Files are read when their sentences are needed."""

    def __init__(self, path: str | Path) -> None:
        self.path = _find_data(Path(path))
        self.has_dependencies = (self.path / "PARG").is_dir()
        self.repairs = Repairs()
        """The repairs that were used so far."""

    def __repr__(self) -> str:
        return f"CcgBank({str(self.path)!r})"

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections of the treebank in order: ``("00", "01", ...)``."""
        return tuple(sorted(folder.name for folder in (self.path / "AUTO").iterdir() if _is_section(folder)))

    def files(self, section: str) -> list[Path]:
        """The AUTO files of a section in order."""
        folder = self.path / "AUTO" / section
        files = sorted(folder.glob(FILES))
        if not files:
            there = ", ".join(self.sections) or "none"
            raise LayoutError(f"{folder}: expected AUTO files of section {section}; the sections there are: {there}")
        return files

    def section(self, name: str, bad: list[FormatError] | None = None) -> Iterator[GoldSentence]:
        """The sentences of a section in order.

        A malformed line, or a derivation without its dependencies, raises :class:`FormatError`; with ``bad`` given, it
        is added to that list and the sentence is skipped.
        """
        for file in self.files(name):
            yield from self._file(file, bad)

    def split(self, name: Split | str, bad: list[FormatError] | None = None) -> Iterator[GoldSentence]:
        """The sentences of ``train``, ``dev`` or ``test``.

        A section that is missing is an error; with ``bad`` given, only if the split has no section at all. A
        second sentence of the same name is an error too, or is skipped.
        """
        if name not in SPLITS:
            raise LayoutError(f"there is no split {name!r}; the splits are {', '.join(get_args(Split))}")
        there = [section for section in SPLITS[name] if any((self.path / "AUTO" / section).glob(FILES))]
        missing = [section for section in SPLITS[name] if section not in there]
        message = f"the {name} split has sections {_listed(SPLITS[name])}; missing: {_listed(missing)}"
        if missing and (bad is None or not there):
            raise LayoutError(f"{self.path / 'AUTO'}: {message}")
        if missing and bad is not None:
            bad.append(FormatError(str(self.path / "AUTO"), 0, 0, message))
        return self._without_repeats((sentence for section in there for sentence in self.section(section, bad)), bad)

    def _without_repeats(
        self, sentences: Iterable[GoldSentence], bad: list[FormatError] | None
    ) -> Iterator[GoldSentence]:
        names: set[str] = set()
        for sentence in sentences:
            if sentence.id in names:
                message = f"sentence {sentence.id} is skipped: one before it has the same name"
                report(FormatError(str(self.path / "AUTO"), 0, 0, message), bad)
                continue
            names.add(sentence.id)
            yield sentence

    def _file(self, auto: Path, bad: list[FormatError] | None) -> Iterator[GoldSentence]:
        trees = self._read(auto, lambda lines, wrong: read_auto(self.repairs.auto(lines), wrong), bad)
        sentences = [self.repairs.sentence(own) for own in trees]
        if not self.has_dependencies:
            yield from (GoldSentence(sentence, None) for sentence in sentences)
            return
        parg = self.path / "PARG" / auto.parent.name / f"{auto.stem}.parg"
        gold: dict[str, PargSentence] = {}
        if parg.is_file() or bad is None:
            words = {sentence.id: sentence.derivation.words for sentence in sentences}
            written = self._read(parg, lambda lines, wrong: read_parg(self.repairs.parg(lines, words), wrong), bad)
            gold = {found.id: found for found in written}
        for sentence in sentences:
            dependencies = gold.get(sentence.id)
            mistake = self._mismatch(sentence, dependencies)
            if mistake is None and dependencies is not None:
                yield GoldSentence(sentence, dependencies.dependencies)
            else:
                report(FormatError(str(parg), 0, 0, f"sentence {sentence.id} of {auto}: {mistake}"), bad)

    def _read(
        self, path: Path, read: Callable[[Iterator[str], list[FormatError]], Iterator[T]], bad: list[FormatError] | None
    ) -> list[T]:
        """What is read from the lines of a file; errors name it, and one that cannot be read gives nothing."""
        wrong: list[FormatError] = []
        try:
            found = list(read(self.repairs.lines(path), wrong))
        except OSError as error:
            found, wrong = [], [FormatError(str(path), 0, 0, f"cannot be read: {error.strerror or error}")]
        for mistake in wrong:
            report(FormatError(str(path), mistake.line, mistake.column, mistake.reason), bad)
        return found

    def _mismatch(self, sentence: Sentence, own: PargSentence | None) -> str | None:
        """Why these dependencies are not those of this derivation; None if they are."""
        if own is None:
            return "its dependencies are missing here"
        words = sentence.derivation.words
        if len(own) != len(words):
            return f"the derivation has {len(words)} words, the dependencies {len(own)}"
        return self.repairs.words(sentence.id, words, own.words)


def _find_data(path: Path) -> Path:
    for data in (path, path / "data"):
        auto = data / "AUTO"
        if auto.is_dir():
            if any(_is_section(folder) for folder in auto.iterdir()):
                return data
            raise LayoutError(f"{auto}: expected sections, folders named 00 to 24; found {_contents(auto)}")
    if not path.exists():
        raise LayoutError(f"{path}: there is no such folder; expected CCGbank, with files such as {LAYOUT}")
    if not path.is_dir():
        raise LayoutError(f"{path}: this is a file; expected the folder of CCGbank, with files such as {LAYOUT}")
    near = [
        *path.glob("*/AUTO"),
        *path.glob("*/data/AUTO"),
        *(own for own in (path, *path.parents) if own.name == "AUTO"),
    ]
    hint = f"; give {near[0].parent}" if near else ""
    raise LayoutError(
        f"{path}: expected a folder AUTO here or in data/ (as in {LAYOUT}); found {_contents(path)}{hint}"
    )


def _is_section(folder: Path) -> bool:
    return folder.is_dir() and len(folder.name) == 2 and folder.name.isascii() and folder.name.isdecimal()


def _contents(folder: Path, most: int = 8) -> str:
    names = sorted(entry.name for entry in folder.iterdir())
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more if names else "nothing"


def _listed(sections: Iterable[str]) -> str:
    return " ".join(sections)
