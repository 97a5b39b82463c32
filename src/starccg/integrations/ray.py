"""starccg over a Ray dataset: every worker loads the model once and parses the batches that come to it.

::

    dataset.map_batches(ParseBatch, fn_constructor_kwargs={"nbest": 2}, concurrency=4, batch_size=256)

Ray itself is not imported here: a batch is a dictionary of columns, whoever calls.
"""

from __future__ import annotations

import json
from typing import Any

from starccg.errors import StarccgError
from starccg.integrations.processes import ProcessParser
from starccg.outcome import Failed
from starccg.outcome_json import outcome_to_json


class ParseBatch:
    """Adds columns to a batch with one sentence a row: ``outcome``, ``supertags``, ``ccg``.

    ``outcome`` is ``Parsed``, ``BackedOff`` or ``Failed``; ``supertags`` the best parse's, parted by blanks; ``ccg``
    the whole outcome as JSON, which :func:`starccg.outcome_json.outcome_from_json` reads. The sentences are in
    ``column``: texts, or lists of words. The other settings are those of
    :class:`~starccg.integrations.processes.ProcessParser`.
    """

    def __init__(self, column: str = "text", **settings: Any) -> None:
        self.column = column
        self.parser = ProcessParser(**settings)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """The batch with its new columns."""
        if self.column not in batch:
            raise StarccgError(f"the batch has no column {self.column!r}; it has {', '.join(map(repr, batch))}")
        outcomes = list(self.parser.pipe(_sentence(value) for value in batch[self.column]))
        best = [None if isinstance(outcome, Failed) else outcome.best for outcome in outcomes]
        return {
            **batch,
            "outcome": [type(outcome).__name__ for outcome in outcomes],
            "supertags": ["" if parse is None else " ".join(map(str, parse.supertags)) for parse in best],
            "ccg": [json.dumps(outcome_to_json(outcome), ensure_ascii=False) for outcome in outcomes],
        }


def _sentence(value: Any) -> str | list[str]:
    """A text as it is; of an array of words, a list."""
    return value if isinstance(value, str) else [str(word) for word in value]
