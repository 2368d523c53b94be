"""Python functions over a frame's rows, through Arrow batches bounded by their content as well as by their number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

BATCH_ROWS = 4096
BATCH_WEIGHT = 4 << 20
"""Characters in a batch: rows are documents of 20 MB as well as links of 50 bytes."""
Row = dict[str, Any]


def map_rows(frame: DataFrame, function: Callable[[Iterator[Row]], Iterable[Row]], columns: str) -> DataFrame:
    """Return what `function` makes of each partition's rows, as a frame of `columns` (Spark's `uri string, n int`).

    Columns that a row lacks are null.
    """
    from pyspark.sql.pandas.types import to_arrow_schema

    # Only the driver can read Spark's column lists.
    schema = to_arrow_schema(frame.sparkSession.createDataFrame([], columns).schema)
    return frame.mapInArrow(partial(_mapped, function=function, schema=schema), columns)


def _mapped(
    batches: Iterable[pyarrow.RecordBatch],
    function: Callable[[Iterator[Row]], Iterable[Row]],
    schema: pyarrow.Schema,
) -> Iterator[pyarrow.RecordBatch]:
    return in_batches(function(row for batch in batches for row in batch.to_pylist()), schema)


def in_batches(rows: Iterable[Row], schema: pyarrow.Schema) -> Iterator[pyarrow.RecordBatch]:
    """Yield rows as batches of at most `BATCH_ROWS`, and of little more than `BATCH_WEIGHT` characters."""
    import pyarrow

    held: list[Row] = []
    weight = 0
    for row in rows:
        held.append(row)
        weight += _weight(row)
        if len(held) >= BATCH_ROWS or weight >= BATCH_WEIGHT:
            yield pyarrow.RecordBatch.from_pylist(held, schema=schema)
            held, weight = [], 0
    if held:
        yield pyarrow.RecordBatch.from_pylist(held, schema=schema)


def _weight(value: Any) -> int:
    if isinstance(value, (str, bytes)):
        return len(value)
    if isinstance(value, dict):
        return 16 + sum(map(_weight, value.values()))
    return sum(map(_weight, value)) if isinstance(value, list) else 8
