"""What ``parse`` and ``bench`` take: text as arguments, files and standard input, as a stream of sentences.

Nothing is held but a batch, and a paragraph of plain text: a file may be as long as it likes, and a pipe is answered
while it is still written to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from starccg.errors import StarccgError
from starccg.formats.errors import STDIN, FormatError, numbered_lines

Words = Sequence[str]


class Input:
    """The sentences of what was given, each as its words, and how much of it has been read."""

    def __init__(
        self, texts: Sequence[str] | None, files: Sequence[str] | None, *, tokenized: bool = False, lines: bool = False
    ) -> None:
        self.texts = texts or ()
        self.files = list(files or ()) if texts or files else [STDIN]
        self.tokenized = tokenized
        self.lines = lines or tokenized
        self.read = 0
        """Bytes of the files that were read."""

    @property
    def size(self) -> int | None:
        """Bytes in all; None if a file is not one that has a size."""
        paths = [Path(name) for name in self.files]
        return sum(path.stat().st_size for path in paths) if all(path.is_file() for path in paths) else None

    def check(self) -> None:
        """Raise for a file that cannot be opened, before a model is loaded and an hour spent on those before it."""
        for name in self.files:
            if name != STDIN:
                try:
                    with Path(name).open("rb"):
                        pass
                except OSError as error:
                    raise FormatError(name, 0, 0, f"cannot be read: {error.strerror}") from error
        if STDIN in self.files and sys.stdin is None:
            raise StarccgError("there is no standard input: give text, or a file with -i")

    def __iter__(self) -> Iterator[Words]:
        for text in self.texts:
            yield from self._sentences(text.split("\n") if self.lines else [text])
        for name in self.files:
            yield from self._sentences(self._lines(name) if self.lines else _paragraphs(self._lines(name)))

    def _lines(self, name: str) -> Iterator[str]:
        for _, _, line in numbered_lines(name):
            self.read += len(line.encode("utf-8", "surrogatepass")) + 1
            yield line

    def _sentences(self, parts: Iterable[str]) -> Iterator[Words]:
        from starccg.text import sentences, tokenise  # noqa: PLC0415 - after the arguments are known to be right

        for part in parts:
            if self.tokenized:
                yield part.split()
            elif self.lines:
                yield [token.text for token in tokenise(part)]
            else:
                yield from (sentence.words for sentence in sentences(part))


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """Lines joined up to the next empty one, which always ends a sentence."""
    paragraph: list[str] = []
    for line in lines:
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            yield "\n".join(paragraph)
            paragraph = []
    if paragraph:
        yield "\n".join(paragraph)


def batches(sentences: Iterable[Words], size: int, before: Callable[[], object]) -> Iterator[list[Words]]:
    """Batches of 1, 2, 4 and at last ``size`` sentences, so that the first answer does not wait for many questions.

    ``before`` is called whenever more is about to be read. The sizes do not depend on who writes how fast: the same
    input gives the same batches, hence the very same scores.
    """
    stream, most = iter(sentences), 1
    while True:
        before()
        batch = list(islice(stream, min(most, size)))
        if not batch:
            return
        yield batch
        most *= 2
