"""CCGbank as the LDC hands it out, sections and all.

::

    data/AUTO/00/wsj_0001.auto      the derivations
    data/PARG/00/wsj_0001.parg      their dependencies

Sections 02-21 train, 00 develops, 23 tests. The path may be that of the top folder or of ``data`` itself. A treebank
without PARG files is read all the same; its sentences then have no gold dependencies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from starccg.dependencies.types import Dependency
from starccg.derivation import Derivation, Sentence
from starccg.errors import StarccgError
from starccg.formats.auto import read_auto
from starccg.formats.errors import FormatError
from starccg.formats.parg import PargSentence, read_parg

Split = Literal["train", "dev", "test"]

SPLITS: dict[str, tuple[str, ...]] = {
    "train": tuple(f"{number:02}" for number in range(2, 22)),
    "dev": ("00",),
    "test": ("23",),
}
"""The sections that everyone uses."""

LAYOUT = "AUTO/00/wsj_0001.auto, and beside AUTO, if there are gold dependencies, PARG/00/wsj_0001.parg"


class LayoutError(StarccgError):
    """A folder that is not laid out as CCGbank, with what was expected and what is there."""


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """A sentence of the treebank with both halves of its annotation."""

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
    """The sections of a treebank in CCGbank's layout; files are read when sentences are asked for."""

    def __init__(self, path: str | Path) -> None:
        self.path = _find_data(Path(path))
        self.has_dependencies = (self.path / "PARG").is_dir()

    def __repr__(self) -> str:
        return f"CcgBank({str(self.path)!r})"

    @property
    def sections(self) -> tuple[str, ...]:
        """The names of the sections that are there, in order: ``("00", "01", ...)``."""
        return tuple(sorted(folder.name for folder in (self.path / "AUTO").iterdir() if _is_section(folder)))

    def files(self, section: str) -> list[Path]:
        """The AUTO files of a section in order."""
        folder = self.path / "AUTO" / section
        files = sorted(folder.glob("*.auto"))
        if not files:
            there = ", ".join(self.sections) or "none"
            raise LayoutError(f"{folder}: expected AUTO files of section {section}; the sections there are: {there}")
        return files

    def section(self, name: str, bad: list[FormatError] | None = None) -> Iterator[GoldSentence]:
        """The sentences of a section in order.

        A malformed line, or a derivation without its dependencies, raises :class:`FormatError`; with ``bad`` given, it
        is added to that list and the sentence is passed over.
        """
        for file in self.files(name):
            yield from self._file(file, bad)

    def split(self, name: Split | str, bad: list[FormatError] | None = None) -> Iterator[GoldSentence]:
        """The sentences of ``train``, ``dev`` or ``test``; every section of the split has to be there."""
        if name not in SPLITS:
            raise LayoutError(f"no split is called {name!r}; there are {', '.join(get_args(Split))}")
        missing = [section for section in SPLITS[name] if section not in self.sections]
        if missing:
            raise LayoutError(
                f"{self.path / 'AUTO'}: the {name} split is made of sections {_listed(SPLITS[name])}; "
                f"missing: {_listed(missing)}"
            )
        return (sentence for section in SPLITS[name] for sentence in self.section(section, bad))

    def _file(self, auto: Path, bad: list[FormatError] | None) -> Iterator[GoldSentence]:
        if not self.has_dependencies:
            for sentence in read_auto(auto, bad):
                yield GoldSentence(sentence, None)
            return
        parg = self.path / "PARG" / auto.parent.name / f"{auto.stem}.parg"
        gold = {sentence.id: sentence for sentence in read_parg(parg, bad)}
        for sentence in read_auto(auto, bad):
            own = gold.get(sentence.id)
            mistake = _mismatch(sentence, own)
            if mistake is None and own is not None:
                yield GoldSentence(sentence, own.dependencies)
                continue
            error = FormatError(str(parg), 0, 0, f"sentence {sentence.id} of {auto}: {mistake}")
            if bad is None:
                raise error
            bad.append(error)


def _mismatch(sentence: Sentence, own: PargSentence | None) -> str | None:
    """Why these dependencies are not those of this derivation; None if they may well be."""
    if own is None:
        return "its dependencies are missing here"
    words = len(sentence.derivation)
    if len(own) != words:
        return f"the derivation has {words} words, the dependencies {len(own)}"
    return None


def _find_data(path: Path) -> Path:
    for data in (path, path / "data"):
        auto = data / "AUTO"
        if auto.is_dir():
            if any(_is_section(folder) for folder in auto.iterdir()):
                return data
            raise LayoutError(f"{auto}: expected sections, folders named 00 to 24; found {_contents(auto)}")
    if not path.exists():
        raise LayoutError(f"{path}: there is no such folder; expected CCGbank's, which holds {LAYOUT}")
    if not path.is_dir():
        raise LayoutError(f"{path}: this is a file; expected CCGbank's folder, which holds {LAYOUT}")
    raise LayoutError(f"{path}: expected a folder AUTO here or in data/ (as in {LAYOUT}); found {_contents(path)}")


def _is_section(folder: Path) -> bool:
    return folder.is_dir() and len(folder.name) == 2 and folder.name.isascii() and folder.name.isdecimal()


def _contents(folder: Path, most: int = 8) -> str:
    names = sorted(entry.name for entry in folder.iterdir())
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more if names else "nothing"


def _listed(sections: Iterable[str]) -> str:
    return " ".join(sections)
