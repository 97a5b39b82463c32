"""The limits of a server: sizes, times, and how much it does at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Limits of one request, of all requests together, and of connections. ``GET /api/models`` reports them."""

    body_bytes: int = 384 << 10
    """More than the other limits allow: characters that are words of their own, escaped, take 16 bytes each."""
    characters: int = 20_000
    """In all texts of a request together."""
    words: int = 250
    """In one sentence. This is the paper's limit for the global search."""
    sentences: int = 256
    nbest: int = 50
    decoders: int = 8
    steps: int = 20_000
    """Of a recorded search that are sent."""
    answer_bytes: int = 32 << 20
    """The estimated size of an answer; it grows with sentences, words, parses and drawings (see ``answer_size``)."""
    seconds: float = 10.0
    """For one sentence: the search, its back-off and the second search with more tags together."""
    request_seconds: float = 60.0
    """For all sentences and decoders of a request. Sentences that are not parsed by then fail, with that reason."""
    concurrent: int = 2
    """Threads that parse short sentences; see ``scheduler`` for those that take long."""
    waiting: int = 254
    """Requests that may wait beside them. Further ones are refused with the status 503."""
    connections: int = 512
    """Open connections. Beyond that the oldest one without a request is closed, or the new one is refused."""
    receive_seconds: float = 20.0
    """For a request to arrive completely, headers and body."""
    idle_seconds: float = 15.0
    """How long a connection may stay open between two requests."""
    write_seconds: float = 20.0
    """How long a client may stop reading its answer before the connection is closed."""

    @property
    def open_answer_bytes(self) -> int:
        """The estimated size of all answers that are computed or sent at the same time."""
        return 8 * self.answer_bytes


RECORDED_PUSHES = 50_000
"""Where a recorded search stops, because of the memory that a record takes."""

BYTES_PER_WORD = 700
"""Of one parse in JSON."""
BYTES_PER_DRAWN_WORD = 2_000
"""Of one parse in JSON with both drawings."""
BYTES_PER_STEP = 1_500
"""Of a recorded search, with the items it pushes."""


def answer_size(words: int, parses: int, *, drawn: bool) -> int:
    """An estimate, rather too high than too low, of the bytes of an answer with this many parses of this many words."""
    return words * parses * (BYTES_PER_DRAWN_WORD if drawn else BYTES_PER_WORD)
