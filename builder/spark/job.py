"""The Spark build: sources and fact files to a folder of Parquet tables, which `weft load` makes an SKB of.

>>> build_tables(Request(("dump.tar",), Path("world.tables")), "spark://head:7077")   # doctest: +SKIP
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from builder.readers.registry import ReadOptions
from builder.request import SILENT, Progress, Request
from builder.spark import facts, names, tables
from builder.spark.documents import parsed
from builder.spark.fact_lines import LINE, content_hashes, contents, fact_lines, triple_ends
from builder.spark.inputs import FactSource, Inputs, inputs_for
from builder.spark.load.parquet_tables import TABLES_VERSION
from builder.spark.places import PIECE_BYTES, is_remote, name_of, place_of_path
from builder.spark.session import session
from builder.spark.terms import terms_of
from weft.errors import UnreadableSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

STAGING = "_staging"
ALL_TABLES = ("meta", *tables.TABLES, "fact", "fate", "problem", "triples")


class Written(NamedTuple):
    """What a Spark build wrote: rows by table, and seconds by stage."""

    place: str
    counts: dict[str, int]
    seconds: dict[str, float]


def build_tables(
    request: Request,
    master: str | None,
    place: str | None = None,
    progress: Progress = SILENT,
    piece_bytes: int = PIECE_BYTES,
) -> Written:
    """Write the tables of a request's sources and facts to `place` (default: the request's output).

    A fact file of plain lines is read by ranges of `piece_bytes`. Raises a
    WeftError where the request is wrong, Spark is missing, or a task failed.
    """
    _refuse_what_needs_one_machine(request)
    place = place or place_of_path(request.output)
    _check_output(place)
    inputs = inputs_for(request)
    with session(master) as spark:
        return _Job(spark, request, inputs, place, progress, piece_bytes).run()


class _Job:
    """One Spark build: its session, its inputs and where its tables go."""

    def __init__(
        self,
        spark: SparkSession,
        request: Request,
        inputs: Inputs,
        place: str,
        progress: Progress,
        piece_bytes: int,
    ) -> None:
        self.spark = spark
        self.request = request
        self.inputs = inputs
        self.place = place
        self.progress = progress
        self.piece_bytes = piece_bytes
        self.seconds: dict[str, float] = {}
        self.schemas: dict[str, StructType] = {}
        self.rdf = [file for file in inputs.facts if file.kind == "rdf"]
        self.triples = [file for file in inputs.facts if file.kind == "triples"]

    def run(self) -> Written:
        """Write every table; `meta` comes last, so that a stopped build is not taken for a whole one."""
        for name in (*ALL_TABLES, STAGING):
            self._remove(f"{self.place}/{name}")
        self._timed("reading", self._write_documents)
        self._timed("tables", self._write_source_layer)
        self._timed("facts", self._write_facts)
        counts = self._counts((*tables.TABLES, "fact"))
        self._write_meta(counts)
        self._remove(f"{self.place}/{STAGING}")
        return Written(self.place, counts, self.seconds)

    def table(self, name: str) -> DataFrame:
        """Return the table of this name as it was written."""
        return self.spark.read.schema(self.schemas[name]).parquet(f"{self.place}/{name}")

    def _write(self, name: str, frame: DataFrame, *partition: str) -> DataFrame:
        writer = frame.write.mode("overwrite")
        (writer.partitionBy(*partition) if partition else writer).parquet(f"{self.place}/{name}")
        self.schemas[name] = frame.schema
        return self.table(name)

    def _counts(self, names: tuple[str, ...]) -> dict[str, int]:
        """Return how many rows each table has, by one query: it is planned once."""
        counts = (self.table(name).selectExpr(f"'{name}' AS name", "count(*) AS n") for name in names)
        return {row["name"]: row["n"] for row in reduce(lambda one, other: one.union(other), counts).collect()}

    def _write_documents(self) -> None:
        options = ReadOptions(int(self.request.max_page_mb * 1e6), self.request.spacy_model)
        documents = self._write(f"{STAGING}/document", parsed(self.spark, self.inputs.documents, options))
        found = {row[0] for row in documents.select("rank").distinct().collect()}
        for source in self.inputs.documents:
            if source.rank not in found:
                raise UnreadableSource(f"{source.place}: holds no documents")

    def _write_source_layer(self) -> None:
        documents = self.table(f"{STAGING}/document")
        states = tables.settled(documents).persist()
        self._write("source_item", tables.source_items(documents, states))
        kept = tables.without_losers(documents, states)
        self._write("page", tables.pages(kept))
        self._write("section", tables.sections(kept))
        self._write("chunk", tables.chunks(kept))
        self._write("link", tables.links(kept))
        self._write("statement", tables.statements(kept))
        states.unpersist()

    def _write_facts(self) -> None:
        if self.triples:
            self._write("triples", contents(self.spark, self.triples))
        if self.rdf:
            lines = fact_lines(self.spark, self.rdf, self.request.settings.languages, self.piece_bytes)
            lines = self._write(f"{STAGING}/line", lines, "kind")
        else:
            lines = self.spark.createDataFrame([], LINE)
        known, kept = None, lines.where(~lines.kind.isin(*facts.APART)).select(*facts.FACT)
        if not self.request.settings.all_relations:
            known, kept = self._filtered(lines)
        kept = self._write("fact", kept)
        fates = facts.fates_of(lines, known, kept)
        rows = [(file, fate, n) for file, own in fates.items() for fate, n in own.items() if n]
        self._write("fate", self.spark.createDataFrame(rows, "file int, fate string, n long"))
        self._write("problem", facts.problems(lines))

    def _filtered(self, lines: DataFrame) -> tuple[DataFrame, DataFrame]:
        """Return the relations between known ends, and the lines to keep."""
        pages, links, statements = self.table("page"), self.table("link"), self.table("statement")
        redirect = names.redirects(self.spark, statements, lines, pages).persist()
        linked = names.targets(links, redirect)
        named = linked.select("entity").union(names.redirected(statements, redirect))
        ends = triple_ends(self.spark, self.triples) if self.triples else None
        identity = self._write(f"{STAGING}/identity", names.identities(pages, named, redirect, ends))
        terms = terms_of(lines, identity, has_triples=bool(self.triples))
        known = self._write(f"{STAGING}/known", facts.relations(lines, terms))
        if self.table("chunk").where("NOT marks_links").isEmpty():
            together = facts.co_mentioned(known, facts.page_citations(pages, linked).persist())
        else:
            # Pages without marked links cite by mentions, which are found only when the tables are loaded.
            together = known.select(*facts.FACT)
        onwards = names.onwards(self.spark, statements, lines, identity)
        named_things = facts.named_things(lines, terms, onwards)
        return known, named_things.union(facts.properties(lines, terms)).union(together)

    def _write_meta(self, counts: dict[str, int]) -> None:
        hashes = content_hashes(self.spark, self.inputs.facts) if self.inputs.facts else {}
        meta: dict[str, Any] = {
            "version": TABLES_VERSION,
            "counts": counts,
            "sources": [(source.label, source.format) for source in self.inputs.documents],
            "facts": [_on_record(file, hashes) for file in self.inputs.facts],
            "origins": self.inputs.origins,
            "settings": self.request.settings._asdict(),
            "seconds": self.seconds,
        }
        rows = [(key, json.dumps(value)) for key, value in meta.items()]
        self._write("meta", self.spark.createDataFrame(rows, "key string, value string").coalesce(1))

    def _timed(self, name: str, work: Callable[[], None]) -> None:
        self.progress.stage(name)
        start = time.perf_counter()
        work()
        self.seconds[name] = round(time.perf_counter() - start, 3)

    def _remove(self, place: str) -> None:
        """Remove a folder of whatever store the tables go to."""
        context: Any = self.spark.sparkContext
        path = context._jvm.org.apache.hadoop.fs.Path(place)
        path.getFileSystem(context._jsc.hadoopConfiguration()).delete(path, True)


def _refuse_what_needs_one_machine(request: Request) -> None:
    asked = {"--add": request.add, "--limit": request.limit is not None, "--sparql": bool(request.sparql)}
    for option, is_given in asked.items():
        if is_given:
            raise UnreadableSource(f"{option} is for builds on one machine; leave it or --engine spark out")


def _check_output(place: str) -> None:
    """Raise UnreadableSource rather than write among files of another kind."""
    if is_remote(place) or not Path(place).exists():
        return
    if not Path(place).is_dir():
        raise UnreadableSource(f"{place}: is a file; with --engine spark -o names a folder of tables")
    strange = {entry.name for entry in Path(place).iterdir()} - {*ALL_TABLES, STAGING}
    if strange:
        raise UnreadableSource(f"{place}: holds {min(strange)}, which is no table of Weft; name another folder")


def _on_record(file: FactSource, hashes: dict[int, str]) -> dict[str, Any]:
    return {
        "number": file.number, "label": file.label, "kind": file.kind, "name": name_of(file.place),
        "hash": hashes[file.number],
    }  # fmt: skip
