"""Which title means which entity, as joins: the rules of `builder.derive.redirects` and `builder.derive.entities`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from builder.derive.redirects import ends_of
from builder.spark.arrow import Row, map_rows
from weft.text.names import name_key

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def redirects(spark: SparkSession, statements: DataFrame, lines: DataFrame, pages: DataFrame) -> DataFrame:
    """Return every redirect that holds (title, target), followed to its end.

    A title that is a page does not redirect; a document's redirect wins over a
    fact file's, then the smaller target, then the page whose title has
    underscores for the spaces.
    """
    from pyspark.sql import functions as f

    of_documents = statements.where("kind = 'redirect'").selectExpr("key AS title", "value AS target", "0 AS rank")
    of_facts = lines.where("kind = 'redirect'").selectExpr(
        "subject_title AS title", "object_title AS target", "1 AS rank"
    )
    of_underscores = pages.where("instr(title, '_') > 0").selectExpr(
        "trim(regexp_replace(title, '[ _]+', ' ')) AS title", "title AS target", "2 AS rank"
    )
    direct = (
        of_documents.unionByName(of_facts).unionByName(of_underscores)
        .where("title <> target AND title <> ''")
        .join(pages.select("title"), "title", "left_anti")
        .groupBy("title")
        .agg(f.min(f.struct("rank", "target")).alias("first"))
        .select("title", "first.target")
        .persist()
    )
    return _followed(spark, direct)


def _followed(spark: SparkSession, direct: DataFrame) -> DataFrame:
    """Follow redirects of redirects; these are few, so the driver follows them."""
    titles = direct.select("title")
    chained = direct.join(titles.withColumnRenamed("title", "target"), "target", "left_semi").persist()
    steps = direct.join(chained.selectExpr("target AS title").distinct(), "title", "left_semi")
    known = {row["title"]: row["target"] for row in chained.union(steps.select(*chained.columns)).collect()}
    if not known:
        return direct
    ends = ends_of(known)
    moved = [(row["title"], ends.get(row["title"])) for row in chained.select("title").collect()]
    return (
        direct.join(spark.createDataFrame(moved, "title string, end string"), "title", "left")
        .join(chained.selectExpr("title", "true AS is_chained"), "title", "left")
        .where("end IS NOT NULL OR is_chained IS NULL")
        .selectExpr("title", "coalesce(end, target) AS target")
    )


def onwards(spark: SparkSession, statements: DataFrame, lines: DataFrame, known: DataFrame) -> DataFrame:
    """Return the titles (title) to which redirects lead on from known ones, a page's own title among these.

    Where two dumps redirect a title differently, and behind a page, which
    hides the redirect of its title, these are not the ends that count now.
    As in `_followed`, one machine follows redirects of redirects.
    """
    of_documents = statements.where("kind = 'redirect'").selectExpr("key AS title", "value AS target")
    of_facts = lines.where("kind = 'redirect'").selectExpr("subject_title AS title", "object_title AS target")
    steps = of_documents.union(of_facts).where("title <> target").distinct().persist()
    later = steps.join(steps.selectExpr("target AS title").distinct(), "title", "left_semi").persist()
    first = steps.join(known.select("title"), "title", "left_semi").selectExpr("target AS title").distinct()
    waiting = [row["title"] for row in first.join(later, "title", "left_semi").collect()]
    next_of: dict[str, list[str]] = {}
    for row in later.collect() if waiting else ():
        next_of.setdefault(row["title"], []).append(row["target"])
    reached: set[str] = set()
    while waiting:
        title = waiting.pop()
        if title not in reached:
            reached.add(title)
            waiting.extend(next_of.get(title, ()))
    return spark.createDataFrame([(title,) for title in sorted(reached)], "title string")


def targets(links: DataFrame, redirect: DataFrame) -> DataFrame:
    """Return which entity each page links to (page, entity), once a link."""
    return (
        links.selectExpr("page", "target AS title")
        .join(redirect, "title", "left")
        .selectExpr("page", "coalesce(target, title) AS entity")
    )


def redirected(statements: DataFrame, redirect: DataFrame) -> DataFrame:
    """Return which entities the documents' redirects lead to (entity)."""
    return (
        statements.where("kind = 'redirect' AND key <> value")
        .selectExpr("key AS title", "value")
        .join(redirect.select("title"), "title", "left_semi")
        .selectExpr("value AS title")
        .join(redirect, "title", "left")
        .selectExpr("coalesce(target, title) AS entity")
    )


def identities(
    pages: DataFrame, named: DataFrame, redirect: DataFrame, triple_ends: DataFrame | None
) -> DataFrame:
    """Return what every title means (title, entity, is_sure): an entity's own name and the redirects to it.

    An entity is its title here; `named` (entity) are those that links and
    redirects lead to. Not sure is what only an end of a triples file makes an
    entity: its name may come to mean another one when it is joined.
    """
    from pyspark.sql import functions as f

    entities = (
        pages.select("title").union(named).distinct()
        .withColumn("is_sure", f.lit(True))
    )  # fmt: skip
    if triple_ends is not None:
        ends = (
            triple_ends.selectExpr("name AS title")
            .join(redirect, "title", "left")
            .selectExpr("coalesce(target, title) AS title", "false AS is_sure")
        )
        entities = entities.union(ends).groupBy("title").agg(f.max("is_sure").alias("is_sure"))
    own = entities.selectExpr("title", "title AS entity", "is_sure")
    led = (
        redirect.join(entities.selectExpr("title AS target", "is_sure"), "target")
        .join(entities.select("title"), "title", "left_anti")
        .selectExpr("title", "target AS entity", "is_sure")
    )
    return own.union(led)


def keys(identity: DataFrame) -> DataFrame:
    """Return which entity a name key means (name_key, entity, n): `n` is how many entities share it."""
    from pyspark.sql import functions as f

    return (
        map_rows(identity, _keys, "name_key string, entity string")
        .groupBy("name_key")
        .agg(f.min("entity").alias("entity"), f.countDistinct("entity").alias("n"))
    )


def _keys(rows: Iterator[Row]) -> Iterator[Row]:
    return ({"name_key": name_key(row["title"]), "entity": row["entity"]} for row in rows)
