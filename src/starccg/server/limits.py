"""What this server takes on: sizes, times, and how many parses at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Bounds of a request. Those of a search are ``search.types.Limits``; the seconds here become that one's."""

    body_bytes: int = 1 << 20
    characters: int = 20_000
    """Of all texts of a request together."""
    words: int = 250
    """Of one sentence; the paper's limit, over which the global search is not even tried."""
    sentences: int = 256
    nbest: int = 50
    decoders: int = 8
    steps: int = 20_000
    """Of a recorded search that are sent."""
    seconds: float = 10.0
    """For the search of one sentence; then it backs off, with as many seconds again."""
    request_seconds: float = 60.0
    """For a request; sentences whose turn has not come by then fail, with that reason."""
    concurrent: int = 2
    waiting: int = 16


RECORDED_PUSHES = 50_000
"""Where a search that is kept step by step stops, for the memory that takes."""
RERANKED = 100
"""How many parses the reranker reorders, as in the paper's Table 5."""
