"""Open a Spark session, on this machine or on a cluster, with settings that suit documents."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from weft.errors import WeftError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NEEDED = ("pyspark", "pyarrow", "pandas")

EVERYWHERE = {
    # Rows that cross to Python at once: a document may be 20 MB, so 64 of them are 1.3 GB at worst.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
    "spark.sql.parquet.columnarReaderBatchSize": "256",
    "spark.sql.session.timeZone": "UTC",
}
ON_THIS_MACHINE = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


class SparkMissing(WeftError):
    """Spark cannot be started here."""


class SparkFailed(WeftError):
    """A task or the cluster failed; the cause is Spark's own message."""


def why_not() -> str | None:
    """Return which requirement of a Spark build this machine lacks, or None."""
    for name in NEEDED:
        if find_spec(name) is None:
            return f"{name} is not installed: pip install 'weft[spark]'"
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        return "Java is not installed; Spark needs a Java runtime, version 17 or newer"
    return None


@contextmanager
def session(master: str | None) -> Iterator[SparkSession]:
    """Give a session on `master`, or on what spark-submit or Spark's own settings name; stop it at the end.

    Raises SparkMissing when pyspark or Java is not here, SparkFailed for what goes wrong on the cluster.
    """
    lacking = why_not()
    if lacking:
        raise SparkMissing(lacking)
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    settings = dict(EVERYWHERE)
    if master is not None and master.startswith("local"):
        settings = ON_THIS_MACHINE | settings
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        # Workers of another Python than this one would not find the packages of this one.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("weft build")
    for key, value in settings.items():
        builder = builder.config(key, value)
    try:
        spark = (builder.master(master) if master else builder).getOrCreate()
    except (PySparkException, Py4JError) as error:
        raise SparkFailed(f"Spark on {master or 'its default master'}: {_gist(str(error))}") from error
    spark.sparkContext.setLogLevel("FATAL")
    try:
        yield spark
    except (PySparkException, Py4JError) as error:
        raise SparkFailed(f"Spark: {_gist(str(error))}") from error
    finally:
        spark.stop()


def _gist(message: str) -> str:
    """Return the line that names the fault: a Python worker's last, else the first that is no Java frame."""
    lines = [line.strip().removeprefix(": ") for line in message.splitlines() if line.strip()]
    if any(line.startswith("Traceback") for line in lines):
        return lines[-1][:500]
    # py4j's own first line reports only that a call failed.
    messages = [line for line in lines if not line.startswith(("at ", "An error occurred while calling"))]
    return messages[0][:500] if messages else "no message"
