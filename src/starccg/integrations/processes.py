"""A parser for programs with many processes: only its settings are pickled, and each process loads the model."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Iterator
from math import inf
from typing import TYPE_CHECKING, Any

from starccg.errors import StarccgError
from starccg.model_folder.find import DEFAULT, find
from starccg.models import load
from starccg.search.options import Decoder, Limits, Options

if TYPE_CHECKING:
    from starccg.outcome import ParseOutcome
    from starccg.parser import Parser
    from starccg.sentence_input import Text


class ProcessParser:
    """The settings of a parser. They are checked at once; the model is loaded at the first sentence."""

    def __init__(
        self,
        *,
        model: str = DEFAULT,
        decoder: str | None = None,
        nbest: int = 1,
        threads: int = 1,
        seconds: float | None = 60.0,
        units: int | None = None,
        batch_size: int = 256,
        device: str = "cpu",
        annotate: bool = False,
    ) -> None:
        for setting, value in (("nbest", nbest), ("threads", threads), ("batch_size", batch_size)):
            if value < 1:
                raise StarccgError(f"{setting} must be at least 1, not {value}")
        if seconds is not None and not seconds > 0:
            raise StarccgError(f"seconds must be more than 0, not {seconds}")
        if decoder is not None:
            Decoder(decoder)  # raises if there is no such decoder
        find(model)  # raises if there is no such model
        self.model, self.decoder, self.nbest, self.threads = model, decoder, nbest, threads
        self.limits = Limits(
            seconds=inf if seconds is None else seconds, **({} if units is None else {"recursive_units": units})
        )
        self.batch_size, self.device, self.annotate = batch_size, device, annotate
        self._loaded: tuple[int, Parser] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loaded": None}

    def on(self, device: str) -> ProcessParser:
        """The same settings on another device."""
        other = copy.copy(self)
        other.device, other._loaded = device, None
        return other

    @property
    def parser(self) -> Parser:
        """The parser of this process. A parser loaded before a fork is not used, because its threads do not survive."""
        if self._loaded is None or self._loaded[0] != os.getpid():
            self._loaded = os.getpid(), load(self.model, threads=self.threads, device=self.device)
        return self._loaded[1]

    def pipe(self, texts: Iterable[Text]) -> Iterator[ParseOutcome]:
        """The outcomes of sentences, each a text or a list of words, in order."""
        decoder = self.parser.options.decoder if self.decoder is None else Decoder(self.decoder)
        options = Options(decoder=decoder, nbest=self.nbest, limits=self.limits)
        return self.parser.pipe(texts, batch_size=self.batch_size, options=options, annotate=self.annotate)
