"""The source layer as tables: documents settled by title and taken apart, each table in the order of its ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builder.source_layer.writer import DUPLICATE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TABLES = ("source_item", "page", "section", "chunk", "link", "statement")


def settled(documents: DataFrame) -> DataFrame:
    """Return the final state of every input document: (rank, number, state, reason, is_page).

    Of inputs with one place the last counts; of documents with one title the
    first by source, then by place, is the page, and the others are duplicates.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    latest = Window.partitionBy("rank", "place")
    same = Window.partitionBy("uri")
    order = f.struct("rank", "place")
    return (
        documents.select("rank", "number", "place", "state", "reason", "uri", "title")
        .withColumn("last", f.max("number").over(latest))
        .where("number = last")
        .withColumn("first", f.min(order).over(same))
        .withColumn("is_page", f.col("uri").isNotNull() & (f.col("first") == order))
        .withColumn("is_duplicate", f.col("uri").isNotNull() & ~f.col("is_page"))
        .select(
            "rank", "number", "is_page",
            f.when(f.col("is_duplicate"), "duplicate").otherwise(f.col("state")).alias("state"),
            f.when(f.col("is_duplicate"), f.concat(f.lit(DUPLICATE), "title")).otherwise(f.col("reason"))
            .alias("reason"),
        )
    )  # fmt: skip


def without_losers(documents: DataFrame, states: DataFrame) -> DataFrame:
    """Return the documents with content: the pages and the redirects that are not superseded."""
    kept = documents.where("state = 'ok'")
    winners = states.where("state = 'ok'").select("rank", "number")
    if winners.count() == kept.count():
        return kept
    losers = kept.select("rank", "number").join(winners, ["rank", "number"], "left_anti")
    return kept.join(losers, ["rank", "number"], "left_anti")


def source_items(documents: DataFrame, states: DataFrame) -> DataFrame:
    """Return `source_item` in the order of sources and places."""
    return (
        documents.select("rank", "number", "place", "content_hash")
        .join(states, ["rank", "number"])
        .select("rank", "place", "content_hash", "state", "reason")
        .orderBy("rank", "place")
    )


def pages(documents: DataFrame) -> DataFrame:
    """Return `page` by uri."""
    columns = ("uri", "title", "rank", "place", "url", "language", "modified")
    return documents.where("uri IS NOT NULL").select(*columns).orderBy("uri")


def sections(documents: DataFrame) -> DataFrame:
    """Return `section` by page and position; `parent` is a position within the page, null for the page."""
    return (
        documents.selectExpr("uri AS page", "inline(sections)")
        .selectExpr(
            "page", "position", "uri", "if(parent < 0, null, parent + 1) AS parent", "title", "level", "path_text"
        )
        .orderBy("page", "position")
    )


def chunks(documents: DataFrame) -> DataFrame:
    """Return `chunk` by page and position; `section` is a position within the page, null for the lead."""
    return (
        documents.selectExpr("uri AS page", "inline(chunks)")
        .selectExpr(
            "page", "position", "uri", "if(section < 0, null, section + 1) AS section", "kind", "part",
            "marks_links", "text"
        )
        .orderBy("page", "position")
    )


def links(documents: DataFrame) -> DataFrame:
    """Return `link` by page, chunk (a position within the page) and offset in the text."""
    return (
        documents.selectExpr("uri AS page", "explode(chunks) AS chunk")
        .selectExpr("page", "chunk.position AS chunk", "inline(chunk.links)")
        .orderBy("page", "chunk", "start", "end")
    )


def statements(documents: DataFrame) -> DataFrame:
    """Return `statement` by page, those of no page first, then as the documents have them."""
    return (
        documents.selectExpr("uri AS page", "rank", "place", "posexplode(statements) AS (position, each)")
        .selectExpr("page", "rank", "place", "position", "each.*")
        .orderBy("page", "rank", "place", "position")
    )
