"""Rows of Python to Arrow batches that Spark takes, bounded by what they hold rather than by their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow

BATCH_ROWS = 4096
BATCH_WEIGHT = 4 << 20


@cache
def arrow_schema(columns: str) -> pyarrow.Schema:
    """Return Spark's column list (`uri string, parent int`) as an Arrow schema."""
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import DataType, StructType

    parsed = DataType.fromDDL(columns)
    assert isinstance(parsed, StructType)
    return to_arrow_schema(parsed)


def in_batches(rows: Iterable[dict[str, Any]], columns: str) -> Iterator[pyarrow.RecordBatch]:
    """Yield rows as batches of at most `BATCH_ROWS`, and of little more than `BATCH_WEIGHT` characters."""
    import pyarrow

    schema = arrow_schema(columns)
    held: list[dict[str, Any]] = []
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
