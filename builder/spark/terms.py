"""Which resource of the fact files is which entity, as joins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from builder.spark.names import keys

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Terms(NamedTuple):
    """Which entity each resource means, by titles, primary topics and labels.

    `identity` is (title, entity, is_sure); `topic` and `labelled` are (term,
    entity, is_sure); `topics` is (term, topic) of all, `labels` are the label
    lines that may name something, each with its resource's title.
    """

    identity: DataFrame
    topic: DataFrame
    labelled: DataFrame
    topics: DataFrame
    labels: DataFrame


def terms_of(lines: DataFrame, identity: DataFrame, *, has_triples: bool) -> Terms:
    """Work out what the fact files' topics and labels join; nothing by label is sure beside a triples file."""
    from pyspark.sql import functions as f

    topics = lines.where("kind = 'topic'").groupBy("term").agg(f.min("name").alias("topic")).persist()
    topic = topics.join(identity.withColumnRenamed("title", "topic"), "topic").select("term", "entity", "is_sure")
    key = keys(identity).persist()
    titled = (
        lines.where("kind = 'label'")
        .join(topics, "term", "left")
        .withColumn("title", f.coalesce("topic", "subject_title"))
        .join(identity.selectExpr("title", "true AS is_known"), "title", "left")
        .join(key.selectExpr("name_key", "entity AS one", "n AS sharing"), "name_key", "left")
        .where("is_known OR sharing IS NOT NULL")
        .persist()
    )
    joined = (
        titled.where("is_known IS NULL AND title <> name")
        .join(identity.selectExpr("title AS name", "entity AS exact"), "name", "left")
        .withColumn("entity", f.expr("coalesce(exact, if(sharing = 1, one, null))"))
        .where("entity IS NOT NULL")
        .groupBy("term")
        .agg(f.min(f.struct("name", "entity")).alias("first"))
        .select("term", "first.entity", f.lit(not has_triples).alias("is_sure"))
    )
    return Terms(identity, topic.persist(), joined.persist(), topics, titled)


def resolved(lines: DataFrame, terms: Terms, end: str) -> DataFrame:
    """Return the lines whose `end` (subject or object) is an entity, with it as `{end}_entity` and `{end}_is_sure`.

    A primary topic comes before the resource's own title, a label last.
    """
    from pyspark.sql import functions as f

    by_title = terms.identity.selectExpr(f"title AS {end}_title", "entity AS by_title", "is_sure AS title_sure")
    by_topic = terms.topic.selectExpr(f"term AS {end}", "entity AS by_topic", "is_sure AS topic_sure")
    by_label = terms.labelled.selectExpr(f"term AS {end}", "entity AS by_label", "is_sure AS label_sure")
    return (
        lines.join(by_title, f"{end}_title", "left")
        .join(by_topic, end, "left")
        .join(by_label, end, "left")
        .withColumn(f"{end}_entity", f.coalesce("by_topic", "by_title", "by_label"))
        .withColumn(f"{end}_is_sure", f.coalesce("topic_sure", "title_sure", "label_sure"))
        .where(f"{end}_entity IS NOT NULL")
        .drop("by_title", "by_topic", "by_label", "topic_sure", "title_sure", "label_sure")
    )
