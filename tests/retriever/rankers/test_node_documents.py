"""Entities by their documents: which vectors are compared, what stands in for them, and the pieces of multi-vss."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from builder.build import build
from builder.request import Request, Settings
from interfaces.cli import main
from retriever.context import Context
from retriever.explanation import explain
from retriever.rankers.node_documents import STANDS_IN, PiecesSignal
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Ranking
from tests.worlds import write_records
from weft.documents import EMBEDDED_TOKENS, Documents
from weft.embedders.fake import Lengths
from weft.errors import WeftError
from weft.skb import Skb

NODES: list[dict[str, object]] = [
    {"uri": "d1", "name": "aa", "type": "drug", "text": "ccc ccc"},
    {"uri": "d2", "name": "bb", "type": "drug", "text": "dddd dddd dddd ccc"},
    {"uri": "d3", "name": "ccc", "type": "drug"},
    {"uri": "g1", "name": "eeeee", "type": "gene"},
]
QUESTION = "ccc"
"""Three letters: the labels "aa (drug)" and so on have words of other lengths, but for "ccc (drug)"."""


def built(folder: Path, *, documents: bool) -> Path:
    """Build an SKB whose vectors count words of each length."""
    folder.mkdir(exist_ok=True)
    write_records(folder / "nodes.jsonl", NODES)
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\ng1\tccc\td1\ng1\tccc\td2\n")
    path = folder.parent / f"{folder.name}-{documents}.skb"
    build(Request((str(folder),), path, workers=1, settings=Settings(embedder="lengths", node_documents=documents)))
    return path


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """Give a graph with and without vectors of its documents."""
    folder = tmp_path_factory.mktemp("graph")
    return {documents: built(folder / "graph", documents=documents) for documents in (False, True)}


@pytest.fixture
def with_documents(paths: dict[bool, Path]) -> Iterator[Session]:
    """Give the graph with vectors of documents."""
    with Skb(paths[True]) as skb, Session(Context(skb)) as session:
        yield session


@pytest.fixture
def without(paths: dict[bool, Path]) -> Iterator[Session]:
    """Give the graph with vectors of labels alone."""
    with Skb(paths[False]) as skb, Session(Context(skb)) as session:
        yield session


def ranked(session: Session, method: str, question: str = QUESTION, k: int = 10) -> tuple[list[str], Ranking]:
    found = Searcher(session, method, "entity").rank(question, k)
    return session.uris("entity", found.ids.tolist()), found


def cosines(session: Session, *, relations: bool) -> dict[str, float]:
    """Return the cosine of the question with every document, rendered and embedded here."""
    rows = session.skb.connection.execute("SELECT id, uri FROM entity").fetchall()
    renderer = Documents(session.skb.connection, relations=relations, budget=EMBEDDED_TOKENS)
    texts = [each.text for each in renderer.of([identity for identity, _ in rows])]
    found = Lengths().encode(texts) @ Lengths().encode([QUESTION])[0]
    return {uri: float(score) for (_, uri), score in zip(rows, found, strict=True)}


@pytest.mark.parametrize("method", ["vector", "vss"])
def test_documents_are_compared_where_they_are(with_documents: Session, method: str) -> None:
    wanted = cosines(with_documents, relations=False)
    uris, found = ranked(with_documents, method)
    assert uris == ["d1", "d3", "d2", "g1"]
    np.testing.assert_allclose(found.scores, [wanted[uri] for uri in uris], atol=2e-6)
    searcher = Searcher(with_documents, method, "entity")
    assert searcher.warnings == ()
    (evidence,) = explain(searcher, QUESTION, found)[0][0].evidence
    assert (evidence.kind, evidence.uri, evidence.text) == ("document", "d1", "aa (drug)")


@pytest.mark.parametrize("method", ["vector", "vss"])
def test_labels_are_compared_where_there_are_no_documents(without: Session, method: str) -> None:
    uris, found = ranked(without, method)
    assert uris[0] == "d3" and found.scores[1:].tolist() == [0, 0, 0]
    searcher = Searcher(without, method, "entity")
    assert searcher.warnings == ((STANDS_IN,) if method == "vss" else ())
    assert explain(searcher, QUESTION, found)[0][0].evidence[0].kind == "label"


def test_relations_count_where_they_are_asked_for(with_documents: Session) -> None:
    wanted = cosines(with_documents, relations=True)
    uris, found = ranked(with_documents, "vss(relations=yes)")
    np.testing.assert_allclose(found.scores, [wanted[uri] for uri in uris], atol=2e-6)
    assert uris[-1] == "g1" and found.scores[-1] > 0


def test_what_stands_in_is_told_by_a_search_and_its_trace(paths: dict[bool, Path], tmp_path: Path) -> None:
    for documents, warnings in ((True, []), (False, [STANDS_IN])):
        trace = tmp_path / f"{documents}.jsonl"
        command = ["search", str(paths[documents]), QUESTION, "-m", "vss", "--json", "--trace", str(trace)]
        result = CliRunner().invoke(main, command)
        assert (result.exit_code, json.loads(result.stdout)["warnings"]) == (0, warnings)
        assert result.stderr == "".join(f"{line}\n" for line in warnings)
        steps = [json.loads(line) for line in trace.read_text().splitlines()]
        assert [step["warnings"] for step in steps if step["name"] == "rank"] == [warnings]


@pytest.mark.parametrize(("method", "spaces"), [("vector", ("label", "document")), ("hybrid", ("label", "document")),
                                                ("vss(relations=yes)", ("label", "document+relations"))])  # fmt: skip
def test_the_trace_says_what_entities_are_compared_by(
    paths: dict[bool, Path], method: str, spaces: tuple[str, str]
) -> None:
    for documents, space in enumerate(spaces):
        with Skb(paths[bool(documents)]) as skb, Session(Context(skb)) as session:
            ranked(session, method)
            told = {step.detail["space"] for step in session.trace.steps if step.name == "vector"}
        assert told == {space}


MEAN = "multi-vss(size=16,join=mean,n=2)"


def test_pieces_reorder_the_first_documents(with_documents: Session) -> None:
    uris, found = ranked(with_documents, MEAN)
    # By document d1, d3, d2, g1. The pieces of d1 are "aa (drug)\nccc cc" and " ccc"; d3 is one, "ccc (drug)".
    assert uris == ["d3", "d1", "d2", "g1"]
    assert found.groups.tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(found.scores[:2], [2 + 2**-0.5, 2 + (6**-0.5 + 1) / 2], atol=1e-5)
    assert 1 > found.scores[2] > found.scores[3]
    assert ranked(with_documents, MEAN, k=1)[0] == ["d3"]
    explained = explain(Searcher(with_documents, MEAN, "entity"), QUESTION, found.head(3))
    assert [reason.name for each in explained for reason in each] == ["pieces", "pieces", "vector"]


@pytest.mark.parametrize(("n_best", "score"), [(1, 1.0), (3, 1 / 3), (None, 1 / 4)])
def test_a_documents_score_is_the_mean_of_its_best_pieces(
    with_documents: Session, n_best: int | None, score: float
) -> None:
    query = Searcher(with_documents, "vss", "entity").query(QUESTION)
    entity = with_documents.skb.entity("d2")
    assert entity is not None
    # The pieces are "bb (drug", "g)\ndddd ", " dddd dd" and "ddd ccc".
    signal = PiecesSignal(False, 8, n_best)
    assert signal.score(with_documents, query, np.array([entity.id])).tolist() == [pytest.approx(score)]
    (evidence,) = signal.evidence(with_documents, query, entity.id)
    assert (evidence.kind, evidence.text, evidence.score) == ("text", "ddd ccc", pytest.approx(1.0))


MISTAKES = {
    "multi-vss(join=best)": "multi-vss(join=best): join=best is none of top3, max, mean",
    "multi-vss(n=0)": "multi-vss: n=0 must be from 1 to 1,000",
    "vss(n=3)": "vss: no option is named n; it has relations",
}


@pytest.mark.parametrize("method", MISTAKES)
def test_a_wrong_option_is_one_line(with_documents: Session, method: str) -> None:
    with pytest.raises(WeftError) as caught:
        Searcher(with_documents, method, "entity")
    assert str(caught.value) == MISTAKES[method]


@pytest.mark.parametrize("method", ["vss", "multi-vss"])
def test_chunks_have_no_documents(world: Path, method: str) -> None:
    result = CliRunner().invoke(main, ["search", str(world), QUESTION, "-m", method])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {method}: ranks entities; give --unit entity, or rank chunks by vector\n"


def test_a_question_of_no_known_word_ranks_nothing(with_documents: Session) -> None:
    for method in ("vss", "multi-vss"):
        assert ranked(with_documents, method, "")[0] == []


def test_naive_hybrid_ranks_by_what_it_scores(with_documents: Session) -> None:
    for question in ("ccc aa bb eeeee", "dddd", "eeeee"):
        _, found = ranked(with_documents, "naive-hybrid(paths=10)", question)
        assert found.scores.tolist() == sorted(found.scores.tolist(), reverse=True)
