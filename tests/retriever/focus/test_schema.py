"""Patterns in a graph's words, and the type that a reply or question names."""

from __future__ import annotations

import pytest

from retriever.focus.cypher.parser import parse
from retriever.focus.schema import Reading, Schema, in_words_of, words
from retriever.focus.target_type import candidate_types, named_types, type_in_question, type_in_reply
from tests.retriever.focus.shown import shown

SCHEMA = Schema(
    words(["gene/protein", "disease", "drug", "effect/phenotype", "Drug"]),
    words(["associated with", "off-label use", "ppi", "parent-child"]),
    words(["price"]),
)


def read(query: str, **options: object) -> list[str]:
    return shown(in_words_of(parse(query), SCHEMA, Reading(**options)))  # type: ignore[arg-type]


def test_what_differs_in_case_and_signs_is_taken_for_what_the_graph_has() -> None:
    path = "(d:Disease {name: 'asthma'})<-[:Off_Label_Use]-(y:drug)-[:ASSOCIATED_WITH|ppi]-(g:Gene_Protein)"
    query = f"MATCH {path} RETURN y"
    assert read(query) == [
        'd: disease; "asthma"', "y: drug", "g: gene/protein", "y -[off-label use]-> d", "y -[associated with|ppi]- g",
        "? y",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["a:", "y: drug", "a -[]-> y", "? y"]),
        ({"skip_relations": True}, ["a:", "y: drug", "? y"]),
        ({"skip_types": True}, ["y: drug", "? y"]),
    ],
)
def test_what_the_graph_has_not_is_left_open_or_out(options: dict[str, bool], expected: list[str]) -> None:
    lines = read("MATCH (a:planet)-[:orbits]->(y:drug) RETURN y", **options)
    assert [line for line in lines if not line.startswith("!")] == expected
    assert {"! UNKNOWN_TYPE planet", "! UNKNOWN_RELATION orbits"} <= set(lines)


def test_a_relation_read_backwards_is_turned_round() -> None:
    assert "y -[parent-child]-> d" in read("MATCH (d:disease)-[:`is parent-child of`]->(y:disease) RETURN y")


def test_other_names_are_the_graphs_by_a_table() -> None:
    renamed = {"gene_interacts_with_gene": "ppi"}
    query = "MATCH (g:`gene/protein` {name: 'FGF6'})-[:GENE_interacts_with_gene]-(y:`gene/protein`) RETURN y"
    assert "g -[ppi]- y" in read(query, renamed=renamed)
    assert "g -[]- y" in read(query, renamed=renamed, exact=True)
    assert "g -[ppi]- y" in read(query.replace("GENE_", "gene_"), renamed=renamed, exact=True)


def test_exactly_the_names_of_the_graph() -> None:
    assert "y:" in read("MATCH (y:Gene_Protein) RETURN y", exact=True)
    assert "y: drug" in read("MATCH (y:drug) RETURN y", exact=True)
    assert "y: Drug" in read("MATCH (y:Drug) RETURN y")


def test_what_nothing_links_with_the_target_is_warned_of() -> None:
    lines = read("MATCH (y:drug), (d:disease {name: 'asthma'}) RETURN y")
    assert {"! DISCONNECTED d", "! NO_TRIPLET y"} <= set(lines)
    assert "! NO_TARGET y" in read("MATCH (y:planet)-[:ppi]-(d:drug) RETURN y", skip_types=True)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("drug", "drug"), (" 'Disease'.\n", "disease"), ("[FINAL ANSWER:] [gene/protein]", None),
        ("Final answer: gene/protein", "gene/protein"), ("\\boxed{effect/phenotype}", "effect/phenotype"),
        ("disease, drug", "disease"), ("<think>drug?</think>disease", "disease"), ("The type is disease.", "disease"),
        ("Either a drug or a disease", None), ("", None), ("planet", None), ("gene_protein", "gene/protein"),
    ],
)  # fmt: skip
def test_a_reply_names_a_type(reply: str, expected: str | None) -> None:
    found = type_in_reply(reply, SCHEMA.types)
    assert found == ("gene/protein" if reply.startswith("[FINAL") else expected)


def test_a_reply_without_end_is_read_to_a_bound() -> None:
    assert type_in_reply("boxed{" * 100_000, SCHEMA.types) is None
    assert type_in_reply("drug, " + "x" * 100_000, SCHEMA.types) == "drug"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which drugs treat asthma?", "drug"), ("What genes are targeted by the drug X?", "gene/protein"),
        ("Which effect or phenotype has the disease asthma?", "effect/phenotype"), ("Who wrote it?", None),
    ],
)  # fmt: skip
def test_a_question_names_the_type_it_asks_for(question: str, expected: str | None) -> None:
    types = ["gene/protein", "disease", "drug", "effect/phenotype"]
    assert type_in_question(question, types) == expected
    assert type_in_question(question, ["paper"]) == "paper"


def test_the_longest_of_types_that_begin_at_one_word_comes_first() -> None:
    assert named_types("a cellular component", ["cellular", "cellular component"]) == ["cellular component", "cellular"]


def test_types_may_be_concealed() -> None:
    assert candidate_types(SCHEMA, ["Gene protein"]).names == ("Drug", "disease", "drug", "effect/phenotype")
