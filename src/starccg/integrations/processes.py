"""A parser for programs that run in many processes: its settings travel, the model is loaded where it is needed."""

from __future__ import annotations

import atexit
import os
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starccg.errors import StarccgError
from starccg.models import DEFAULT, find, load
from starccg.search.types import Decoder, Limits

if TYPE_CHECKING:
    from starccg.outcome import ParseOutcome
    from starccg.parser import Parser, Text


class ProcessParser:
    """The settings of a parser. Wrong ones are refused at once; the model is loaded when the first sentence comes."""

    def __init__(
        self,
        *,
        model: str = DEFAULT,
        decoder: str | None = None,
        nbest: int = 1,
        threads: int = 1,
        seconds: float = 60.0,
        batch_size: int = 256,
    ) -> None:
        for setting, value in (("nbest", nbest), ("threads", threads), ("batch_size", batch_size)):
            if value < 1:
                raise StarccgError(f"{setting} is at least 1, not {value}")
        if not seconds > 0:
            raise StarccgError(f"seconds are more than 0, not {seconds}")
        if decoder is not None and decoder not in set(Decoder):
            raise StarccgError(f"no decoder is called {decoder!r}; there are {', '.join(Decoder)}")
        find(model)  # raises, and says which models there are
        self.model, self.decoder, self.nbest, self.threads = model, decoder, nbest, threads
        self.seconds, self.batch_size = seconds, batch_size
        self._loaded: tuple[int, Parser] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loaded": None}

    @property
    def parser(self) -> Parser:
        """The parser of this process. One that was loaded before a fork is not used: its threads stayed behind."""
        if self._loaded is None or self._loaded[0] != os.getpid():
            self._loaded = os.getpid(), load(self.model, threads=self.threads)
            atexit.register(_forget, weakref.ref(self))
        return self._loaded[1]

    def pipe(self, texts: Iterable[Text]) -> Iterator[ParseOutcome]:
        """The outcomes of sentences, each a text or a list of words, in order."""
        from starccg.parser import default_options  # noqa: PLC0415 - after the settings are known to be right

        decoder = self.parser.options.decoder if self.decoder is None else Decoder(self.decoder)
        options = replace(default_options(decoder, self.nbest), limits=Limits(seconds=self.seconds))
        return self.parser.pipe(texts, batch_size=self.batch_size, options=options)


def _forget(reference: weakref.ref[ProcessParser]) -> None:
    """Let go of the native core while Python still works: a worker's last breath should not be a list of leaks."""
    if (found := reference()) is not None:
        found._loaded = None
