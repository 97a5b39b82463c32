"""starccg for Ray datasets: every worker loads the model once and parses the batches it receives.

::

    pool = ray.data.ActorPoolStrategy(size=4)
    dataset.map_batches(ParseBatch, fn_constructor_kwargs={"nbest": 2}, compute=pool, batch_size=256)

Ray itself is not imported here: a batch is a dictionary of columns. For whole corpora in resumable shards,
``starccg corpus --engine ray`` runs on the same cluster.
"""

from __future__ import annotations

from typing import Any

from starccg.integrations.columns import column_of, parsed_columns
from starccg.integrations.processes import ProcessParser


class ParseBatch:
    """Adds columns to a batch with one sentence per row: those of :func:`~starccg.integrations.columns.parsed_columns`.

    The sentences are in ``column``: texts, or lists of words. The other settings are those of
    :class:`~starccg.integrations.processes.ProcessParser`.
    """

    def __init__(self, column: str = "text", **settings: Any) -> None:
        self.column = column
        self.parser = ProcessParser(**settings)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """The batch with its new columns."""
        return {**batch, **parsed_columns(self.parser, column_of(batch, self.column))}
