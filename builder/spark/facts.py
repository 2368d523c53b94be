"""Filtering facts as joins: the lines that may matter to `weft load`, and the counts of the others.

The filter is exact where it drops a line; where names could still change, as
beside a triples file, the line is kept and `weft load` decides.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from builder.rdf.predicates import KEPT, NO_CO_MENTION, SUBCLASS, UNKNOWN_END
from builder.spark.fact_lines import COUNTED, MEASURED, PROBLEM, RELATION
from builder.spark.terms import Terms, resolved

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

FACT = ("file", "kind", "subject", "predicate", "object")
APART = (COUNTED, MEASURED, PROBLEM)


def named_things(lines: DataFrame, terms: Terms, onwards: DataFrame) -> DataFrame:
    """Return the lines of redirects, topics and labels about what exists, or may exist once pages are removed.

    `onwards` (title) are those to which redirects lead on from what exists.
    """
    known = terms.identity.select("title")
    redirects = lines.where("kind = 'redirect'")
    starts = known.union(onwards).withColumnRenamed("title", "subject_title")
    from_known = redirects.join(starts, "subject_title", "left_semi")
    to_known = redirects.join(known.withColumnRenamed("title", "object_title"), "object_title", "left_semi")
    # A title leads to the smallest of its targets, so all of them are kept.
    keys = from_known.select("subject_title").union(to_known.select("subject_title")).distinct()
    topics = lines.where("kind = 'topic'")
    about = topics.join(known.withColumnRenamed("title", "subject_title"), "subject_title", "left_semi")
    terms_kept = about.select("term").union(terms.topic.select("term")).union(terms.labels.select("term"))
    # Of several topics of a resource the smallest counts in the end; any of them may be of a known page.
    any_known = topics.join(known.withColumnRenamed("title", "name"), "name", "left_semi").select("term")
    return (
        redirects.join(keys, "subject_title", "left_semi").select(*FACT)
        .union(topics.join(terms_kept.union(any_known).distinct(), "term", "left_semi").select(*FACT))
        .union(terms.labels.select(*FACT))
    )  # fmt: skip


def properties(lines: DataFrame, terms: Terms) -> DataFrame:
    """Return the types and attributes of what exists, and every superclass."""
    about = lines.where("kind IN ('type', 'attribute')")
    is_class = about.predicate == SUBCLASS
    return resolved(about.where(~is_class), terms, "subject").select(*FACT).union(about.where(is_class).select(*FACT))


def relations(lines: DataFrame, terms: Terms) -> DataFrame:
    """Return the relations whose ends are both known, with their entities."""
    both = resolved(resolved(lines.where(f"kind = '{RELATION}'"), terms, "subject"), terms, "object")
    return both.selectExpr(*FACT, "subject_entity", "object_entity", "subject_is_sure AND object_is_sure AS is_sure")


def page_citations(pages: DataFrame, linked: DataFrame) -> DataFrame:
    """Return which page cites which entity (entity, page), its own among them."""
    return linked.select("entity", "page").union(pages.selectExpr("title AS entity", "uri AS page")).distinct()


def co_mentioned(known: DataFrame, cites: DataFrame) -> DataFrame:
    """Return the relations that one page co-mentions, and those that are not sure.

    Each pair is joined to the pages of its less cited end, so that a country
    that half a million pages cite costs what the villages in it cost.
    """
    from pyspark.sql import functions as f

    spread = cites.groupBy("entity").agg(f.count("*").alias("n"))
    ends = ["subject_entity", "object_entity"]
    pairs = (
        known.select(*ends)
        .distinct()
        .join(spread.selectExpr("entity AS subject_entity", "n AS n_subject"), "subject_entity")
        .join(spread.selectExpr("entity AS object_entity", "n AS n_object"), "object_entity")
        .withColumn("near", f.expr("if(n_subject <= n_object, subject_entity, object_entity)"))
        .withColumn("far", f.expr("if(n_subject <= n_object, object_entity, subject_entity)"))
    )
    together = (
        pairs.join(cites.withColumnRenamed("entity", "near"), "near")
        .join(cites.withColumnRenamed("entity", "far"), ["far", "page"], "left_semi")
        .select(*ends)
        .distinct()
        .withColumn("is_together", f.lit(True))
    )
    return known.join(together, ends, "left").where("is_together OR NOT is_sure").select(*FACT)


def fates_of(lines: DataFrame, known: DataFrame | None, kept: DataFrame) -> dict[int, Counter[str]]:
    """Return by file the outcomes of the lines that are not kept; `weft load` counts the kept ones.

    `known` are the relations with two known ends; None when nothing was filtered.
    """
    fates: dict[int, Counter[str]] = {}
    for row in lines.where(f"kind = '{COUNTED}'").groupBy("file", "fate").sum("n").collect():
        fates.setdefault(row[0], Counter())[row[1]] += row[2]
    total = _by_kind(lines.where(~lines.kind.isin(*APART)))
    left = _by_kind(kept)
    joined = _by_kind(known) if known is not None else left
    for (file, kind), n in total.items():
        own = fates.setdefault(file, Counter())
        if kind == RELATION:
            own[UNKNOWN_END] += n - joined[file, kind]
            own[NO_CO_MENTION] += joined[file, kind] - left[file, kind]
        else:
            own[kind] += n - left[file, kind]
    assert all(KEPT not in own for own in fates.values())
    return fates


def _by_kind(lines: DataFrame) -> Counter[tuple[int, str]]:
    rows = lines.groupBy("file", "kind").count().collect()
    return Counter({(row[0], row[1]): row[2] for row in rows})


def problems(lines: DataFrame) -> DataFrame:
    """Return what is wrong with the files' lines (file, line, kind, reason), lines numbered from 1 within the file."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    # A piece knows its own line numbers only: the lines of all pieces before it are added.
    before = Window.partitionBy("file").orderBy("piece").rowsBetween(Window.unboundedPreceding, -1)
    lengths = lines.where(f"kind = '{MEASURED}'").select(
        "file", "piece", f.coalesce(f.sum("n").over(before), f.lit(0)).alias("before")
    )
    return (
        lines.where(f"kind = '{PROBLEM}'")
        .join(f.broadcast(lengths), ["file", "piece"])
        .selectExpr("file", "n + before AS line", "name AS kind", "object AS reason")
        .orderBy("file", "line")
    )
