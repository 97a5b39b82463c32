"""One process that runs the network of a tagger for other processes, so that these need not take turns on a GPU.

The other processes read words, search and write; what they send and get is small: word pieces, and the tags that are
kept. A request is one batch of one process and is never joined with another, so that its rounding, and with it the
output, does not depend on what else is tagged at the time. :class:`Server` answers requests in a thread for each
connection; ``SLOTS`` of them run the network, so that one copies while another computes.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from multiprocessing import current_process
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

from starccg.errors import ModelError
from starccg.tagger.pruning import KeptTags, kept_tags

SLOTS = 2
"""How many batches are on the GPU at a time. It bounds the memory there."""
MOST_CELLS = 16_384
"""Steps in a batch, including padding."""


class TaggingStopped(BaseException):
    """The process that tags has ended. This is no failure of a sentence, and no handler of such failures catches it."""


class RemoteSession:
    """The session of another process, with the methods of :class:`~starccg.tagger.torch_graph.TorchGraph`.

    Each thread has a connection of its own, opened at its first batch. ``address``: where the process listens; of
    several addresses, separated by ``|``, the number of this process chooses one.
    """

    most_cells = MOST_CELLS

    def __init__(self, address: str) -> None:
        addresses = address.split("|")
        self.address = addresses[os.getpid() % len(addresses)]
        self._local = threading.local()

    def run(self, names: Sequence[str], feeds: dict[str, Any], options: object = None) -> list[Any]:
        """The values called ``names``."""
        found: list[Any] = self._ask("run", list(names), feeds)
        return found

    def tag(
        self, names: Sequence[str], feeds: dict[str, Any], tag_beam: float, max_tags: int
    ) -> tuple[KeptTags, list[Any]]:
        """The tags that are kept of the first value, and the other values."""
        found: tuple[KeptTags, list[Any]] = self._ask("tag", list(names), feeds, tag_beam, max_tags)
        return found

    def _ask(self, *request: Any) -> Any:
        try:
            if not hasattr(self._local, "connection"):
                self._local.connection = Client(self.address, authkey=current_process().authkey)
            self._local.connection.send(request)
            answer = self._local.connection.recv()
        except (EOFError, OSError) as error:
            raise TaggingStopped("the process that tags has ended") from error
        if isinstance(answer, Exception):
            raise answer
        return answer


class Server:
    """Answers :class:`RemoteSession` at an address, which is a path, for processes with the same authentication key."""

    def __init__(self, session: Any, address: str, stop: Callable[[], object]) -> None:
        """``stop`` ends this process. It is called after an error from which the GPU does not recover."""
        self.session, self.stop = session, stop
        self._listener = Listener(address, backlog=4096, authkey=current_process().authkey)
        self._slots = threading.BoundedSemaphore(SLOTS)

    def serve(self) -> None:
        """Accept connections until the process ends."""
        while True:
            try:
                connection = self._listener.accept()
            except (EOFError, OSError):  # a process that ended while it connected
                continue
            threading.Thread(target=self._answer_all, args=(connection,), daemon=True).start()

    def _answer_all(self, connection: Connection) -> None:
        while True:
            try:
                request = connection.recv()
                connection.send(self._answer(*request))
            except (EOFError, OSError):  # the other process has ended
                connection.close()
                return

    def _answer(self, method: str, *arguments: Any) -> Any:
        with self._slots:
            try:
                if method == "tag" and not hasattr(self.session, "tag"):
                    names, feeds, tag_beam, max_tags = arguments
                    scores, *others = self.session.run(names, feeds)
                    return kept_tags(scores, tag_beam, max_tags), others
                return getattr(self.session, method)(*arguments)
            except Exception as error:
                if not getattr(self.session, "works", lambda: True)():
                    self.stop()
                return error if isinstance(error, MemoryError) else ModelError(f"{type(error).__name__}: {error}")
