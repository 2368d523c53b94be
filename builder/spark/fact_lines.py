"""Reading fact files over partitions: what each line means by itself, before any join."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from builder.derive.fact_files import hash_of
from builder.derive.fact_names import parse_triple, speaks
from builder.rdf.literals import language_of, literal
from builder.rdf.predicates import (
    ATTRIBUTE,
    FATE_OF_PREDICATE,
    IGNORED,
    LABEL,
    MALFORMED,
    OTHER_LANGUAGE,
    REDIRECT,
    SUBCLASS,
    TOPIC,
    TOPIC_OF,
    TYPE,
    is_of_export,
    is_repeated,
)
from builder.rdf.reader import SUFFIXES, read_triples
from builder.rdf.terms import Triple
from builder.spark.arrow import Row, map_rows
from builder.spark.inputs import FactSource
from builder.spark.places import Piece, name_of, on_disk, opened, piece_on_disk, pieces_of
from builder.streams.lines import line_batches, plain_name
from weft.text.names import name_key, resource_title, title_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RELATION = "relation"
COUNTED = "counted"
PROBLEM = "problem"
MEASURED = "measured"
CONTENT_PART = 16 << 20
"""Bytes of a triples file in one row: far below the 2 GB that a cell of Arrow can hold."""
CONTENT = "file int, position int, content binary"

LINE = (
    "kind string, file int, piece int, subject string, predicate string, object string,"
    " subject_title string, object_title string, term string, name string, name_key string, fate string, n long"
)
"""A line of a fact file; its `kind` is its fate as far as it is known, or:

`counted`: `n` lines of a `fate` that need no joining; `problem`: line `n` of the
piece, `name` its kind, `object` the reason; `measured`: the piece has `n` lines.
"""


class Classified(NamedTuple):
    """The outcome of a triple by itself: its kind and the columns of that kind, None where no join can need it."""

    fate: str
    columns: Mapping[str, str | None] | None


def fact_lines(
    spark: SparkSession, files: Sequence[FactSource], languages: tuple[str, ...], piece_bytes: int
) -> DataFrame:
    """Return the lines of the RDF files as rows of `LINE`; files of plain lines are cut at `piece_bytes`."""
    pieces = [
        piece
        for file in files
        for piece in pieces_of(file.number, file.place, divisible=_has_lines(file.place), size=piece_bytes)
    ]
    frame = spark.createDataFrame(
        spark.sparkContext.parallelize(pieces, len(pieces)),
        "file int, number int, place string, start long, end long",
    )
    return map_rows(frame, partial(_lines, languages=languages), LINE)


def _has_lines(place: str) -> bool:
    """Tell whether each line of a file can be read by itself."""
    suffix = Path(plain_name(Path(name_of(place)))).suffix.lower()
    return SUFFIXES.get(suffix) in ("nt", "nq")


def _lines(rows: Iterator[Row], languages: tuple[str, ...]) -> Iterator[Row]:
    for row in rows:
        yield from _rows(Piece(**row), languages)


def _rows(piece: Piece, languages: tuple[str, ...]) -> Iterator[Row]:
    whence: Row = {"file": piece.file, "piece": piece.number}
    fates: Counter[str] = Counter()
    with piece_on_disk(piece) as (path, n_lines):
        for batch in read_triples(path):
            for triple in batch.triples:
                fate, columns = classify_triple(triple, languages)
                if columns is None:
                    fates[fate] += 1
                else:
                    subject, predicate, object_ = triple
                    spo = {"subject": subject, "predicate": predicate, "object": object_}
                    yield whence | spo | {"kind": fate} | dict(columns)
            for line, kind, reason in batch.problems:
                fates[MALFORMED] += kind in ("malformed", "too long")
                yield whence | {"kind": PROBLEM, "n": line, "name": kind, "object": reason}
    for fate, n in fates.items():
        yield whence | {"kind": COUNTED, "fate": fate, "n": n}
    yield whence | {"kind": MEASURED, "n": n_lines}


def classify_triple(triple: Triple, languages: tuple[str, ...]) -> Classified:
    """Return a triple's outcome by itself, by the rules of `builder.derive.fact_names` and `builder.derive.facts`."""
    subject, predicate, object_ = triple
    fate = FATE_OF_PREDICATE.get(predicate)
    if fate is None:
        return Classified(IGNORED, None) if is_repeated(predicate) else _classify_fact(triple, languages)
    if fate in (TYPE, LABEL) and is_of_export(subject, object_):
        return Classified(IGNORED, None)
    if fate == REDIRECT and subject[0] == object_[0] == "<":
        key, value = _title(subject), _title(object_)
        leads = key and value and key != value
        return Classified(fate, {"subject_title": key, "object_title": value} if leads else None)
    if fate == TOPIC:
        term, page = (subject, object_) if predicate == TOPIC_OF else (object_, subject)
        title = _title(page) if page[0] == "<" and term[0] != '"' else ""
        own = _title(term)
        return Classified(fate, {"term": term, "name": title, "subject_title": own} if title and title != own else None)
    if fate == LABEL and object_[0] == '"':
        text = literal(object_)
        name = title_of(text.value, capital=False) if speaks(text.language, languages) else ""
        row = {"term": subject, "name": name, "subject_title": _title(subject), "name_key": name_key(name)}
        return Classified(fate, row if name else None)
    if fate == TYPE and object_[0] == "<":
        return Classified(fate, {} if predicate == SUBCLASS else {"subject_title": _end(subject)})
    return Classified(fate, None)


def _classify_fact(triple: Triple, languages: tuple[str, ...]) -> Classified:
    subject, _, object_ = triple
    if object_[0] != '"':
        return Classified(RELATION, {"subject_title": _end(subject), "object_title": _end(object_)})
    if speaks(language_of(object_), languages):
        return Classified(ATTRIBUTE, {"subject_title": _end(subject)})
    return Classified(OTHER_LANGUAGE, None)


@lru_cache(1 << 18)  # most dumps group lines by subject
def _title(term: str) -> str:
    return resource_title(term[1:-1])


def _end(term: str) -> str | None:
    """Return the title of a resource, None for a blank node."""
    return _title(term) if term[0] == "<" else None


def content_hashes(spark: SparkSession, files: Sequence[FactSource]) -> dict[int, str]:
    """Return a hash of every fact file's bytes, by its number."""
    return dict(spark.sparkContext.parallelize(list(files), len(files)).map(_content_hash).collect())


def _content_hash(file: FactSource) -> tuple[int, str]:
    with on_disk(file.place) as path:
        return file.number, hash_of(path, file.kind)


def contents(spark: SparkSession, files: Sequence[FactSource]) -> DataFrame:
    """Return the bytes of the triples files in parts (file, position, content)."""
    frame = spark.createDataFrame([(file.number, file.place) for file in files], "file int, place string")
    return map_rows(frame, _contents, CONTENT)


def _contents(rows: Iterator[Row]) -> Iterator[Row]:
    for row in rows:
        with opened(row["place"]) as source:
            for position, part in enumerate(iter(lambda: source.read(CONTENT_PART), b"")):
                yield {"file": row["file"], "position": position, "content": part}


def triple_ends(spark: SparkSession, files: Sequence[FactSource]) -> DataFrame:
    """Return the names of the ends of the triples files' facts (name)."""
    frame = spark.createDataFrame([(file.number, file.place) for file in files], "file int, place string")
    return map_rows(frame, _triple_ends, "name string")


def _triple_ends(rows: Iterator[Row]) -> Iterator[Row]:
    for row in rows:
        with on_disk(row["place"]) as path:
            for batch in line_batches(path):
                for triple in map(parse_triple, batch.lines):
                    if isinstance(triple, tuple):
                        yield from ({"name": triple[0]}, {"name": triple[2]})
