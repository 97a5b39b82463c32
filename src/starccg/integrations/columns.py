"""Parses as columns of a table: one function for Ray, Spark, Dask and pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from starccg.errors import StarccgError
from starccg.formats.json import dumps
from starccg.integrations.processes import ProcessParser
from starccg.outcome import Failed
from starccg.outcome_json import outcome_to_json

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("outcome", "supertags", "ccg", "error")
SPARK_TYPES = "outcome string, supertags string, ccg string, error string"
"""The new columns as a part of a Spark schema."""


def parsed_columns(parser: ProcessParser, values: Iterable[Any]) -> dict[str, list[str]]:
    """The new columns for a column of sentences, each a text or a list of words.

    | column | what |
    |---|---|
    | ``outcome`` | ``Parsed``, ``BackedOff`` or ``Failed`` |
    | ``supertags`` | the supertags of the best parse, separated by spaces |
    | ``ccg`` | the whole outcome as JSON, for :func:`starccg.outcome_json.outcome_from_json` |
    | ``error`` | why the row failed, or why the parser backed off; else empty |

    A value that is no sentence (null, NaN, bytes, a number) becomes a ``Failed`` row.
    """
    outcomes = list(parser.pipe(_sentence(value) for value in values))
    best = [None if isinstance(outcome, Failed) else outcome.best for outcome in outcomes]
    return {
        "outcome": [type(outcome).__name__ for outcome in outcomes],
        "supertags": ["" if parse is None else " ".join(map(str, parse.supertags)) for parse in best],
        "ccg": [dumps(outcome_to_json(outcome)) for outcome in outcomes],
        "error": [outcome.reason for outcome in outcomes],
    }


def _sentence(value: Any) -> Any:
    """A text unchanged, an array of words as a list. The parser reports an error for anything else."""
    return list(value) if hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1 else value


class ParseFrames:
    """Adds the columns to pandas data frames.

    - Spark: ``frame.mapInPandas(ParseFrames(), schema=f"id long, text string, {SPARK_TYPES}")``
    - Dask: ``frame.map_partitions(ParseFrames().frame)``

    The object is pickled without the model; each worker loads it once. The settings are those of
    :class:`~starccg.integrations.processes.ProcessParser`.
    """

    def __init__(self, column: str = "text", **settings: Any) -> None:
        self.column = column
        self.parser = ProcessParser(**settings)

    def frame(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The frame with the new columns."""
        return frame.assign(**parsed_columns(self.parser, column_of(frame, self.column)))

    def __call__(self, frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        """Each frame with the new columns."""
        return map(self.frame, frames)


def column_of(batch: Any, name: str) -> Any:
    """A column of a batch or frame."""
    if name not in batch:
        raise StarccgError(f"there is no column {name!r}; the columns are {', '.join(map(repr, batch))}")
    return batch[name]
