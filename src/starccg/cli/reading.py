"""The input of ``parse`` and ``bench``: text as arguments, files and standard input, as a stream of sentences.

Only one batch and one paragraph are in memory: a file may be of any size, and lines of a pipe are parsed while it is
still being written to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from starccg.errors import StarccgError
from starccg.formats.errors import STDIN, FormatError, numbered_lines
from starccg.formats.registry import Format, UnknownFormatError, format_of

if TYPE_CHECKING:
    from starccg.text import TextSentence

Item = TypeVar("Item")
Line = str | FormatError
"""A line of the input, or why it cannot be read."""
FENCES = ("```", "~~~")
"""The fence of a code block in Markdown, inside which an empty line does not end a paragraph."""


@dataclass
class Input:
    """The sentences of the input, and how much has been read. A line end counts as one character in offsets."""

    texts: Sequence[str] = ()
    files: Sequence[str] = (STDIN,)
    _: KW_ONLY
    tokenized: bool = False
    lines: bool = False
    markdown: bool = False
    skip_bad: bool = False
    read: int = 0
    """Bytes of the files that were read."""

    @property
    def size(self) -> int | None:
        """The number of bytes in all files; None if one of them has no size."""
        paths = [Path(name) for name in self.files]
        return sum(path.stat().st_size for path in paths) if all(path.is_file() for path in paths) else None

    def check(self) -> None:
        """Raise for a file that cannot be opened, before a model is loaded and other files are parsed."""
        for name in self.files:
            if name != STDIN:
                try:
                    with Path(name).open("rb"):
                        pass
                except OSError as error:
                    raise FormatError(name, 0, 0, f"cannot be read: {error.strerror}") from error
        if STDIN in self.files and sys.stdin is None:
            raise StarccgError("standard input is closed; give text, or a file with -i")

    def __iter__(self) -> Iterator[TextSentence]:
        """The sentences; a line that is not UTF-8 raises."""
        return (item for item in self.items() if not isinstance(item, FormatError))

    def items(self) -> Iterator[TextSentence | FormatError]:
        """The sentences; with ``skip_bad``, a line that is not UTF-8 is its error, in its place."""
        for text in self.texts:
            yield from self._sentences(text.split("\n"))
        for name in self.files:
            yield from self._sentences(self._lines(name))

    def _lines(self, name: str) -> Iterator[Line]:
        bad: list[FormatError] = []
        for _, _, line in numbered_lines(name, bad if self.skip_bad else None):
            yield from bad
            bad.clear()
            self.read += len(line.encode("utf-8", "surrogatepass")) + 1
            yield line
        yield from bad

    def _sentences(self, lines: Iterable[Line]) -> Iterator[TextSentence | FormatError]:
        from starccg.text import TextSentence, sentences, tokenise, words  # noqa: PLC0415 - loaded after the checks

        by_line = self.lines or self.tokenized
        for start, part in _with_offsets(lines) if by_line else _paragraphs(lines, self.markdown):
            if isinstance(part, FormatError):
                yield part
            elif by_line:
                yield TextSentence(tuple(words(part) if self.tokenized else tokenise(part))).moved(start)
            else:
                yield from (sentence.moved(start) for sentence in sentences(part, markdown=self.markdown))


def treebank_format(file: str | Path) -> Format | None:
    """The format of a file whose extension is that of a treebank; None for a text."""
    try:
        form = format_of(file)
    except UnknownFormatError:
        return None
    return form if form.reader else None


def _with_offsets(lines: Iterable[Line]) -> Iterator[tuple[int, Line]]:
    """Each line with the place where it starts. A line that cannot be read counts as an empty one."""
    start = 0
    for line in lines:
        yield start, line
        start += 1 if isinstance(line, FormatError) else len(line) + 1


def _paragraphs(lines: Iterable[Line], markdown: bool) -> Iterator[tuple[int, Line]]:
    """Lines joined up to the next empty one, with the place where they start; a code block is not divided.

    A line that cannot be read ends the paragraph.
    """
    paragraph: list[str] = []
    begin, in_code = 0, False
    for start, line in _with_offsets(lines):
        text = "" if isinstance(line, FormatError) else line
        in_code ^= markdown and text.lstrip().startswith(FENCES)
        if text.strip() or (in_code and paragraph and text is line):
            if not paragraph:
                begin = start
            paragraph.append(text)
        elif paragraph:
            yield begin, "\n".join(paragraph)
            paragraph = []
        if isinstance(line, FormatError):
            yield start, line
    if paragraph:
        yield begin, "\n".join(paragraph)


def batches(items: Iterable[Item], size: int, before: Callable[[], object]) -> Iterator[list[Item]]:
    """Batches of 1, 2, 4 and so on up to ``size`` sentences, so that the first results come early.

    ``before`` is called before more input is read. The sizes do not depend on the speed of the input: the same input
    gives the same batches, and hence the same scores.
    """
    stream, most = iter(items), 1
    while True:
        before()
        batch = list(islice(stream, min(most, size)))
        if not batch:
            return
        yield batch
        most *= 2
