"""Every export holds what the SKB holds: read back with the libraries that others would use."""

from __future__ import annotations

import csv
import gzip
import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import networkx
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from rdflib import Dataset, Graph, Literal, URIRef
from rdflib.namespace import RDF, RDFS, XSD

from builder.export.graphml import export_graphml
from builder.export.neo4j import export_neo4j, import_command
from builder.export.ntriples import export_rdf
from builder.export.parquet import export_parquet
from builder.request import Settings
from interfaces.cli import main
from tests.paths import FIXTURES
from tests.worlds import page, write_pages
from tests.worlds import rows as rows_of
from weft.arrays.vectors import append_block, load_vectors, write_block
from weft.errors import WeftError
from weft.meta import set_meta
from weft.skb import Skb
from weft.sparse.sparse_rows import encode_sparse, load_sparse
from weft.sparse.transpose import delete_postings, write_postings

BASE = "https://weft.example/"
NS = BASE + "ns#"
FORMATS = ("ntriples", "nquads", "graphml", "neo4j", "parquet", "beir")

ODD_TITLE = 'AC/DC: "50%" of <it> & #1; \\back\\ ?é'
ODD_TEXT = 'She said "no", \\n is no newline;\ttab, <b>&amp;</b>, line\u2028separator, NEL\x85, 𝄞.'
ODD_LINES = "Row | one, 1\nRow | two; 2"


@pytest.fixture
def odd(tmp_path: Path, weave: Callable[..., Any]) -> Skb:
    """Open an SKB whose names and texts hold what formats must escape."""
    records = [
        {"title": ODD_TITLE, "text": ODD_TEXT, "links": [{"start": 0, "end": 3, "target": 'The "Other", Inc.'}]},
        {"title": ODD_TITLE, "text": ODD_LINES},
        {"title": 'The "Other", Inc.', "text": "Plain words."},
    ]
    corpus = tmp_path / "odd.jsonl"
    corpus.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    facts = tmp_path / "facts.jsonl"
    fact = {"subject": ODD_TITLE, "predicate": 'is "odd"/<to>', "object": 'The "Other", Inc.', "title": ODD_TITLE}
    facts.write_text(json.dumps(fact) + "\n", encoding="utf-8")
    weave(corpus, triples=(str(facts),))
    return Skb(tmp_path / "kb.skb")


def _export(skb: Path, form: str, output: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["export", str(skb), "--to", form, "-o", str(output), *more])


def _rows(skb: Skb, query: str) -> list[tuple[Any, ...]]:
    return skb.connection.execute(query).fetchall()


def _iri(kind: str, name: str) -> URIRef:
    return URIRef(BASE + kind + "/" + name)


def _name(iri: object) -> str:
    return unquote(str(iri).rpartition("/")[2])


def _bytes(output: Path) -> dict[str, bytes]:
    files = [output] if output.is_file() else sorted(each for each in output.rglob("*") if each.is_file())
    return {str(each.relative_to(output)): each.read_bytes() for each in files}



def test_triples_are_what_the_skb_holds(skb: Skb, tmp_path: Path) -> None:
    done = export_rdf(skb.connection, tmp_path / "kb.nt")
    graph = Graph().parse(tmp_path / "kb.nt", format="nt")
    assert len(graph) == done.counts["triples"] == len((tmp_path / "kb.nt").read_text("utf-8").splitlines())
    bridge = _iri("entity", "Quillon%20Bridge")
    assert (bridge, _iri("relation", "designer"), _iri("entity", "Orrin%20Tasker")) in graph
    assert set(graph.objects(bridge, RDF.type)) == {
        URIRef(NS + "Entity"), _iri("type", "Bridge"), _iri("type", "Structure"), _iri("type", "Place")
    }  # fmt: skip
    assert graph.value(bridge, URIRef(NS + "mainType")) == _iri("type", "Bridge")
    assert graph.value(bridge, RDFS.label) == Literal("Quillon Bridge")
    assert set(graph.objects(bridge, _iri("attribute", "Total%20length"))) == {Literal("418 m")}
    assert set(graph.objects(bridge, _iri("number", "Total%20length"))) == {Literal(418.0)}
    assert set(graph.objects(bridge, _iri("date", "Opened"))) == {Literal("1207-09-30", datatype=XSD.date)}
    lead = _iri("chunk", "Quillon%20Bridge%23%231")
    assert graph.value(lead, URIRef(NS + "chunkOf")) == _iri("page", "Quillon%20Bridge")
    assert graph.value(lead, URIRef(NS + "next")) == _iri("chunk", "Quillon%20Bridge%23%232")
    (text,) = _rows(skb, "SELECT text FROM chunk WHERE uri = 'Quillon Bridge##1'")[0]
    assert graph.value(lead, URIRef(NS + "text")) == Literal(text)


def test_all_relations_attributes_citations_and_aliases_come_back_from_triples(skb: Skb, tmp_path: Path) -> None:
    export_rdf(skb.connection, tmp_path / "kb.nt")
    graph = Graph().parse(tmp_path / "kb.nt", format="nt")

    def found(kind: str) -> set[tuple[str, str, str]]:
        start = BASE + kind + "/"
        return {(_name(s), _name(p), str(o)) for s, p, o in graph if str(p).startswith(start)}

    assert {(s, p, _name(o)) for s, p, o in found("relation")} == set(
        _rows(
            skb,
            "SELECT s.uri, t.name, o.uri FROM relation JOIN entity s ON s.id = subject_id"
            " JOIN relation_type t ON t.id = type_id JOIN entity o ON o.id = object_id",
        )
    )
    assert found("attribute") == set(
        _rows(skb, "SELECT uri, key, value FROM attribute JOIN entity ON entity.id = entity_id")
    )
    assert {(_name(s), _name(o)) for s, o in graph.subject_objects(URIRef(NS + "cites"))} == set(
        _rows(skb, "SELECT c.uri, e.uri FROM cites JOIN chunk c ON c.id = chunk_id JOIN entity e ON e.id = entity_id")
    )
    assert {(_name(s), str(o)) for s, o in graph.subject_objects(URIRef(NS + "alias"))} == set(
        _rows(skb, "SELECT uri, a.name FROM alias a JOIN entity e ON e.id = entity_id WHERE a.name <> e.name")
    )
    assert {(_name(s), _name(o)) for s, o in graph.subject_objects(URIRef(NS + "sectionOf"))} == set(
        _rows(
            skb,
            "SELECT s.uri, ifnull(above.uri, page.uri) FROM section s JOIN page ON page.id = s.page_id"
            " LEFT JOIN section above ON above.id = s.parent_id",
        )
    )


def test_quads_name_the_page_or_the_fact_file_that_says_so(skb: Skb, tmp_path: Path) -> None:
    done = export_rdf(skb.connection, tmp_path / "kb.nq", quads=True)
    quads = list(Dataset().parse(tmp_path / "kb.nq", format="nquads").quads())
    assert len(quads) == done.counts["triples"]
    graphs = {(s, p, o): str(graph) for s, p, o, graph in quads}
    bridge, tasker = _iri("entity", "Quillon%20Bridge"), _iri("entity", "Orrin%20Tasker")
    page = _iri("page", "Quillon%20Bridge")
    assert graphs[bridge, _iri("relation", "designer"), tasker] == BASE + "source/facts.nt/facts.nt"
    assert graphs[bridge, _iri("attribute", "Total%20length"), Literal("418 m")] == str(page)
    assert graphs[page, RDF.type, URIRef(NS + "Page")] == str(page)
    assert not graphs[bridge, RDFS.label, Literal("Quillon Bridge")].startswith(BASE)


def test_a_triples_file_is_credited_to_the_page_that_it_names(odd: Skb, tmp_path: Path) -> None:
    export_rdf(odd.connection, tmp_path / "kb.nq", quads=True)
    (quad,) = [each for each in Dataset().parse(tmp_path / "kb.nq").quads() if str(each[1]).startswith(BASE + "rel")]
    ((uri,),) = odd.connection.execute("SELECT uri FROM page WHERE title = ?", (ODD_TITLE,)).fetchall()
    assert uri == 'AC/DC: "50%25" of <it> & %231%3B \\back\\ ?é'
    assert [_name(term) for term in quad] == [uri, 'is "odd"/<to>', 'The "Other", Inc.', uri]


def test_odd_names_and_texts_come_back_from_triples(odd: Skb, tmp_path: Path) -> None:
    export_rdf(odd.connection, tmp_path / "kb.nt")
    graph = Graph().parse(tmp_path / "kb.nt", format="nt")
    assert {str(text) for text in graph.objects(None, URIRef(NS + "text"))} == {
        text for (text,) in _rows(odd, "SELECT text FROM chunk")
    }
    assert {_name(page) for page in graph.subjects(RDF.type, URIRef(NS + "Page"))} == {
        uri for (uri,) in _rows(odd, "SELECT uri FROM page")
    }


def test_our_own_builder_reads_the_exported_relations(skb: Skb, tmp_path: Path, weave: Callable[..., Any]) -> None:
    export_rdf(skb.connection, tmp_path / "kb.nt.gz")
    weave(FIXTURES / "encyclopedia", rdf=(str(tmp_path / "kb.nt.gz"),))
    query = (
        "SELECT s.uri, t.name, o.uri FROM relation JOIN entity s ON s.id = subject_id"
        " JOIN relation_type t ON t.id = type_id JOIN entity o ON o.id = object_id WHERE s.uri = 'Quillon Bridge'"
        " AND o.page_id IS NOT NULL ORDER BY 1, 2, 3"
    )
    with Skb(tmp_path / "kb.skb") as again:
        assert set(_rows(skb, query)) <= set(_rows(again, query)) != set()



DISTINCT_FACTS = {
    "relations": "SELECT one.uri, relation_type.name, other.uri FROM relation JOIN entity AS one ON one.id = subject_id"
    " JOIN relation_type ON relation_type.id = type_id JOIN entity AS other ON other.id = object_id ORDER BY 1, 2, 3",
    "attributes": "SELECT DISTINCT uri, key, value FROM attribute JOIN entity ON entity.id = entity_id"
    " ORDER BY uri, key, value",
    "types": "SELECT DISTINCT uri, entity_type.type FROM entity_type JOIN entity ON entity.id = entity_id"
    " ORDER BY 1, 2",
    "entities": "SELECT uri, name FROM entity ORDER BY uri",
    "names": "SELECT DISTINCT uri, alias.name FROM alias JOIN entity ON entity.id = entity_id"
    " WHERE kind <> 'label' ORDER BY 1, 2",
}


@pytest.mark.parametrize("form", ["ntriples", "nquads"])
def test_an_export_built_again_says_what_it_said(
    skb: Skb, tmp_path: Path, weave: Callable[..., Any], form: str
) -> None:
    path = tmp_path / ("facts.nt" if form == "ntriples" else "facts.nq")
    export_rdf(skb.connection, path, quads=form == "nquads")
    summary = weave(FIXTURES / "encyclopedia", rdf=(str(path),))
    assert summary.counts["relation"] == skb.connection.execute("SELECT count(*) FROM relation").fetchone()[0]
    for name, query in DISTINCT_FACTS.items():
        assert rows_of(tmp_path / "kb.skb", query) == skb.connection.execute(query).fetchall(), name


@pytest.mark.parametrize(("all_relations", "relations"), [(False, 0), (True, 1)])
def test_a_relation_that_no_page_mentions_needs_all_relations_to_come_back(
    tmp_path: Path, weave: Callable[..., Any], all_relations: bool, relations: int
) -> None:
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp."), "B.html": page("B", "A pier.")})
    (tmp_path / "t.jsonl").write_text('{"subject": "A", "predicate": "near", "object": "B"}\n', encoding="utf-8")
    assert weave(pages, triples=(str(tmp_path / "t.jsonl"),)).counts["relation"] == 1
    with Skb(tmp_path / "kb.skb") as skb:
        export_rdf(skb.connection, tmp_path / "kb.nt")
    settings = Settings(all_relations=all_relations)
    again = weave(pages, rdf=(str(tmp_path / "kb.nt"),), settings=settings, output=tmp_path / "other.skb")
    assert again.counts["relation"] == relations


def test_graphml_is_the_graph(skb: Skb, tmp_path: Path) -> None:
    export_graphml(skb.connection, tmp_path / "kb.graphml")
    graph = networkx.read_graphml(tmp_path / "kb.graphml")
    kinds = Counter(data["kind"] for _, data in graph.nodes(data=True))
    assert kinds == {name: skb.count(name) for name in ("page", "section", "chunk", "entity")}
    edges = Counter(data["kind"] for _, _, data in graph.edges(data=True))
    assert edges == {
        "section_of": skb.count("section"), "chunk_of": skb.count("chunk"), "about": skb.count("page"),
        "cites": skb.count("cites"), "relation": skb.count("relation"), "next": 71,
    }  # fmt: skip
    relations = {(s, data["type"], o) for s, o, data in graph.edges(data=True) if data["kind"] == "relation"}
    assert ("entity:Quillon Bridge", "designer", "entity:Orrin Tasker") in relations
    assert len(relations) == skb.count("relation")
    bridge = graph.nodes["entity:Quillon Bridge"]
    assert (bridge["name"], bridge["type"], bridge["label"]) == ("Quillon Bridge", "Bridge", "Quillon Bridge (Bridge)")
    assert json.loads(bridge["attributes"])["Total length"] == ["418 m"]
    chunk = skb.chunk("Quillon Bridge##2")
    assert chunk is not None
    assert graph.nodes["chunk:Quillon Bridge##2"] == {
        "kind": "chunk", "uri": chunk.uri, "text": chunk.text, "chunk_kind": chunk.kind, "part": 0,
        "position": chunk.position,
    }  # fmt: skip


def test_odd_names_and_texts_come_back_from_graphml(odd: Skb, tmp_path: Path) -> None:
    export_graphml(odd.connection, tmp_path / "kb.graphml.gz")
    graph = networkx.read_graphml(tmp_path / "kb.graphml.gz")
    texts = {data["text"] for _, data in graph.nodes(data=True) if data["kind"] == "chunk"}
    assert texts == {text for (text,) in _rows(odd, "SELECT text FROM chunk")}
    uris = {data["uri"] for _, data in graph.nodes(data=True) if data["kind"] == "page"}
    assert uris == {uri for (uri,) in _rows(odd, "SELECT uri FROM page")}



def _neo4j(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}-header.csv").open(newline="", encoding="utf-8") as head:
        (header,) = csv.reader(head)
    with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as data:
        return [dict(zip(header, row, strict=True)) for row in csv.reader(data)]


def test_neo4j_files_are_the_graph(skb: Skb, tmp_path: Path) -> None:
    done = export_neo4j(skb.connection, tmp_path / "neo4j")
    tables = {name: _neo4j(tmp_path / "neo4j", name) for name in done.counts}
    assert {name: len(rows) for name, rows in tables.items()} == done.counts
    (bridge,) = [row for row in tables["entities"] if row["uri:ID(entity)"] == "Quillon Bridge"]
    assert bridge == {
        "uri:ID(entity)": "Quillon Bridge", "name": "Quillon Bridge", "type": "Bridge",
        "label": "Quillon Bridge (Bridge)", "aliases:string[]": "",
        ":LABEL": "Entity\x1fBridge\x1fPlace\x1fStructure",
    }  # fmt: skip
    assert {
        ":START_ID(entity)": "Quillon Bridge", ":END_ID(entity)": "Orrin Tasker",
        "sources:string[]": "facts.nt: facts.nt", ":TYPE": "designer",
    } in tables["relations"]  # fmt: skip
    (river,) = [row for row in tables["entities"] if row["name"] == "Veldra (river)"]
    assert set(river["aliases:string[]"].split("\x1f")) == {"River Veldra", "Veldra", "loops of Sarn", "river"}
    (length,) = [row for row in tables["attributes"] if row["value"] == "418 m"]
    assert (length["key"], length["number:double"], length["source"]) == ("Total length", "418.0", "Quillon Bridge")
    assert {"n": length[":ID(attribute)"], "entity": "Quillon Bridge"} in [
        {"n": row[":END_ID(attribute)"], "entity": row[":START_ID(entity)"]} for row in tables["has_attribute"]
    ]


@pytest.mark.parametrize("name", ["skb", "odd"])
def test_every_end_of_a_neo4j_relationship_is_a_node(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    done = export_neo4j(request.getfixturevalue(name).connection, tmp_path / "neo4j")
    ids: dict[str, set[str]] = {}
    ends: list[tuple[str, str]] = []
    for rows in (_neo4j(tmp_path / "neo4j", table) for table in done.counts):
        for key, value in (pair for row in rows for pair in row.items()):
            space = key.partition("(")[2].rstrip(")")
            if "ID(" in key and "_ID(" not in key:
                assert value not in ids.setdefault(space, set())
                ids[space].add(value)
            elif "_ID(" in key:
                ends.append((space, value))
    assert ends and [end for end in ends if end[1] not in ids[end[0]]] == []


def test_odd_names_and_texts_come_back_from_csv(odd: Skb, tmp_path: Path) -> None:
    export_neo4j(odd.connection, tmp_path / "neo4j")
    assert [row["text"] for row in _neo4j(tmp_path / "neo4j", "chunks")] == [
        text for (text,) in _rows(odd, "SELECT text FROM chunk ORDER BY uri")
    ]
    assert {row["title"] for row in _neo4j(tmp_path / "neo4j", "pages")} == {ODD_TITLE, 'The "Other", Inc.'}


def test_the_import_command_names_the_files_that_hold_something(skb: Skb, tmp_path: Path) -> None:
    done = export_neo4j(skb.connection, tmp_path / "my graph")
    command = import_command(done)
    assert command.startswith("neo4j-admin database import full neo4j \\\n  --multiline-fields=true")
    assert f"--nodes='{tmp_path}/my graph/pages-header.csv','{tmp_path}/my graph/pages.csv'" in command
    assert command.count("--nodes=") == 5 and command.count("--relationships=") == 9
    assert "relations.csv" not in import_command(done._replace(counts=done.counts | {"relations": 0}))



def test_parquet_tables_are_the_tables(skb: Skb, tmp_path: Path) -> None:
    done = export_parquet(skb.connection, tmp_path / "parquet")
    for name in ("page", "section", "chunk", "entity", "attribute", "alias", "cites", "relation", "link", "statement"):
        found = pq.read_table(tmp_path / "parquet" / f"{name}.parquet")
        columns = [row[1] for row in _rows(skb, f"PRAGMA table_info({name})")]
        assert found.column_names[: len(columns)] == columns
        rows = [tuple(row[column] for column in columns) for row in found.to_pylist()]
        assert Counter(rows) == Counter(_rows(skb, f"SELECT * FROM {name}"))
        assert done.counts[name] == len(rows)
    relations = pq.read_table(tmp_path / "parquet" / "relation.parquet").to_pylist()
    assert ("Quillon Bridge", "designer", "Orrin Tasker") in [
        (row["subject_uri"], row["type"], row["object_uri"]) for row in relations
    ]


def test_parquet_vectors_are_by_uri_whatever_the_order_and_type_of_their_blocks(
    lengths_world: Path, tmp_path: Path
) -> None:
    mixed = tmp_path / "mixed.skb"
    mixed.write_bytes(lengths_world.read_bytes())
    with sqlite3.connect(mixed) as connection:
        kept = load_vectors(connection, "chunk")
        connection.execute("DELETE FROM vector")
        set_meta(connection, "vector_dtype", "float16")
        order = np.random.default_rng(0).permutation(len(kept.ids))
        for part in np.array_split(order, 3):
            write_block(connection, "chunk", kept.ids[part].tolist(), kept.rows[part], dtype="float16")
    with Skb(mixed) as opened:
        done = export_parquet(opened.connection, tmp_path / "parquet")
    assert done.counts["chunk vectors"] == len(kept.ids) and "section vectors" not in done.counts
    rows = {identity: row.astype("<f2").tolist() for identity, row in zip(kept.ids.tolist(), kept.rows, strict=True)}
    found = pq.read_table(tmp_path / "parquet" / "vector_chunk.parquet").to_pylist()
    assert [row["uri"] for row in found] == sorted(row["uri"] for row in found)
    assert {row["id"]: row["vector"] for row in found} == rows


def test_sparse_parquet_vectors_are_by_uri_whatever_the_order_of_their_blocks(world: Path, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.skb"
    mixed.write_bytes(world.read_bytes())
    with sqlite3.connect(mixed) as connection:
        kept = load_sparse(connection, "chunk")
        connection.execute("DELETE FROM vector")
        order = np.random.default_rng(0).permutation(len(kept.ids))
        for part in np.array_split(order, 3):
            append_block(connection, "chunk", kept.ids[part].tolist(), encode_sparse(kept.rows.taken(part)))
        delete_postings(connection)
        write_postings(connection, "chunk")
    with Skb(mixed) as opened:
        done = export_parquet(opened.connection, tmp_path / "parquet")
    assert done.counts["chunk vectors"] == len(kept.ids) and "section vectors" not in done.counts
    found = pq.read_table(tmp_path / "parquet" / "vector_chunk.parquet").to_pylist()
    assert [row["uri"] for row in found] == sorted(row["uri"] for row in found)
    by_id = {row["id"]: (row["words"], row["weights"]) for row in found}
    for place, identity in enumerate(kept.ids.tolist()):
        row = kept.rows.taken(np.array([place]))
        assert by_id[identity] == (row.words.tolist(), row.weights.tolist())


def test_parquet_vectors_are_the_vectors_by_uri(lengths_world: Path, tmp_path: Path) -> None:
    with Skb(lengths_world) as skb:
        export_parquet(skb.connection, tmp_path / "parquet")
        compare_vectors(skb, tmp_path / "parquet" / "vector_chunk.parquet")


def compare_vectors(skb: Skb, file: Path) -> None:
    found = pq.read_table(file)
    kept = skb.vectors("chunk")
    place = {identity: row for row, identity in enumerate(kept.ids.tolist())}
    kind = found.schema.field("vector").type
    assert (kind.list_size, str(kind.value_type)) == (kept.rows.shape[1], "float")
    assert found["uri"].to_pylist() == sorted(found["uri"].to_pylist()) == skb.uris("chunk", found["id"].to_pylist())
    assert len(found) == skb.count("chunk")
    for row in found.to_pylist():
        assert row["vector"] == kept.rows[place[row["id"]]].tolist()


def test_parquet_without_pyarrow_says_what_to_install(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "pyarrow.parquet", raising=False)
    result = _export(world, "parquet", tmp_path / "out")
    assert result.exit_code == 1
    assert result.stderr == "Error: parquet needs pyarrow, which is not installed: pip install 'weft[export]'\n"
    assert not (tmp_path / "out").exists()



def test_beir_holds_the_chunks_and_who_answers_what(world: Path, skb: Skb, tmp_path: Path) -> None:
    result = _export(world, "beir", tmp_path / "beir", "--questions", str(FIXTURES / "questions.jsonl"), "--json")
    assert result.exit_code == 0
    corpus = {each["_id"]: each for each in map(json.loads, (tmp_path / "beir/corpus.jsonl").open(encoding="utf-8"))}
    assert {uri: each["text"] for uri, each in corpus.items()} == dict(_rows(skb, "SELECT uri, text FROM chunk"))
    queries = [json.loads(line) for line in (tmp_path / "beir/queries.jsonl").open(encoding="utf-8")]
    asked = [json.loads(line) for line in (FIXTURES / "questions.jsonl").open(encoding="utf-8")]
    assert queries == [{"_id": each["id"], "text": each["question"]} for each in asked]
    with (tmp_path / "beir/qrels/test.tsv").open(newline="", encoding="utf-8") as file:
        head, *judged = csv.reader(file, delimiter="\t")
    assert head == ["query-id", "corpus-id", "score"]
    first = [uri for question, uri, score in judged if question == "single-001" and score == "1"]
    assert [corpus[uri]["title"] for uri in first] == ["Veldra (river)"]
    assert asked[0]["gold"][0]["text"] in corpus[first[0]]["text"]
    counts = json.loads(result.stdout)["counts"]
    assert counts["judgements"] == len(judged) and {uri for _, uri, _ in judged} <= set(corpus)
    assert counts["unresolved gold items"] == 0
    assert counts["unjudged questions"] == sum(not each["gold"] for each in asked) > 0


def test_only_beir_takes_questions(world: Path, tmp_path: Path) -> None:
    result = _export(world, "graphml", tmp_path / "x", "--questions", "q.jsonl")
    assert (result.exit_code, result.stderr) == (1, "Error: --questions goes with --to beir, not with --to graphml\n")



@pytest.mark.parametrize("form", FORMATS)
def test_same_knowledge_same_bytes(form: str, world: Path, tmp_path: Path) -> None:
    for name in ("one.gz", "two.gz"):
        assert _export(world, form, tmp_path / name).exit_code == 0
    assert _bytes(tmp_path / "one.gz") == _bytes(tmp_path / "two.gz")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["one.gz", "two.gz"]


@pytest.mark.parametrize("form", ["ntriples", "nquads", "graphml"])
def test_a_compressed_file_holds_the_plain_one(form: str, world: Path, tmp_path: Path) -> None:
    _export(world, form, tmp_path / "plain")
    _export(world, form, tmp_path / "packed.gz")
    assert gzip.decompress((tmp_path / "packed.gz").read_bytes()) == (tmp_path / "plain").read_bytes()


@pytest.mark.parametrize("form", FORMATS)
def test_an_existing_output_is_replaced_by_force_alone(form: str, world: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    assert _export(world, form, output).exit_code == 0
    written = _bytes(output)
    first = next(iter(written))
    old = written[first][: len(written[first]) // 2]
    (output / first if output.is_dir() else output).write_bytes(old)
    result = _export(world, form, output)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {output}: exists already; give another path, or --force to replace it\n"
    assert _bytes(output)[first] == old
    assert _export(world, form, output, "--force").exit_code == 0
    assert _bytes(output) == written


@pytest.mark.parametrize("name", ["notes.nt", "notes.nt.gz"])
@pytest.mark.parametrize("form", ["ntriples", "nquads", "graphml"])
def test_force_never_takes_away_a_file_of_another_kind(form: str, name: str, world: Path, tmp_path: Path) -> None:
    output = tmp_path / name
    for text in (b"<http://dbpedia.org/resource/A> .\n", gzip.compress(b"<?xml version='1.0'?><html/>"), b"\x1f\x8bno"):
        output.write_bytes(text)
        result = _export(world, form, output, "--force")
        kind = "GraphML" if form == "graphml" else "RDF"
        assert result.stderr == (
            f"Error: {output}: exists and is no {kind} that weft export wrote; choose another output, or remove it\n"
        )
        assert output.read_bytes() == text
    for text in (b"", gzip.compress(b"")):
        output.write_bytes(text)
        assert _export(world, form, output, "--force").exit_code == 0
    before = output.read_bytes()
    assert (_export(world, form, output, "--force").exit_code, output.read_bytes()) == (0, before)


@pytest.mark.parametrize("form", ["neo4j", "parquet", "beir"])
def test_force_never_takes_away_a_folder_of_other_things(form: str, world: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear", encoding="utf-8")
    result = _export(world, form, tmp_path / "home", "--force")
    assert result.exit_code == 1 and "holds letter.txt, which is no part of such an export" in result.stderr
    assert (tmp_path / "home" / "letter.txt").read_text(encoding="utf-8") == "dear"


def test_what_a_killed_export_left_is_no_hindrance(world: Path, tmp_path: Path) -> None:
    (tmp_path / "out.exporting" / "qrels").mkdir(parents=True)
    (tmp_path / "out.exporting" / "corpus.jsonl").write_text("half", encoding="utf-8")
    assert _export(world, "beir", tmp_path / "out").exit_code == 0
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_an_export_never_replaces_its_own_knowledge_base(odd: Skb) -> None:
    before = odd.path.read_bytes()
    result = _export(odd.path, "ntriples", odd.path, "--force")
    assert (result.exit_code, odd.path.read_bytes()) == (1, before)
    assert "is a knowledge base; choose another output" in result.stderr


@pytest.mark.parametrize("export", [export_rdf, export_graphml, export_neo4j, export_parquet])
def test_what_breaks_off_leaves_the_old_output_and_nothing_else(
    export: Callable[..., Any], world: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.skb"
    broken.write_bytes(world.read_bytes())
    with pytest.raises((sqlite3.OperationalError, WeftError)), Skb(broken) as opened:
        with closing(sqlite3.connect(broken)) as other:
            other.executescript("DROP TABLE relation_source; DROP TABLE relation")
        export(opened.connection, tmp_path / "out")
    assert [each.name for each in tmp_path.iterdir()] == ["broken.skb"]


def test_a_folder_that_is_not_there_is_named(world: Path, tmp_path: Path) -> None:
    result = _export(world, "ntriples", tmp_path / "none" / "kb.nt")
    assert (result.exit_code, result.stderr) == (
        1, f"Error: {tmp_path}/none/kb.nt: the folder {tmp_path}/none does not exist\n"
    )  # fmt: skip


def test_the_summary_counts_what_was_written(world: Path, skb: Skb, tmp_path: Path) -> None:
    result = _export(world, "graphml", tmp_path / "kb.graphml", "--json")
    report = json.loads(result.stdout)
    assert (report["format"], report["output"]) == ("graphml", str(tmp_path / "kb.graphml"))
    assert report["counts"]["chunks"] == skb.count("chunk") and report["counts"]["relations"] == skb.count("relation")


def test_a_file_is_no_folder(world: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(WeftError, match="is a folder, but this format is one file"), Skb(world) as opened:
        export_rdf(opened.connection, tmp_path / "out", force=True)
