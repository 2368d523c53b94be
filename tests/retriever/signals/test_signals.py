"""Signals: what each proposes and scores, against naive re-implementations over rows and Python floats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.encodings import DenseVectors
from retriever.features.thesis import COLUMNS, ThesisFeatures, scale_of, standardised
from retriever.index.dense.rows import DenseRows
from retriever.index.places import places_of
from retriever.index.vectors import TOLERANCE, Similarity
from retriever.methods import Part
from retriever.protocols import Signal
from retriever.question.reader import read_question
from retriever.rankers.composed import ranker_of, signal_of
from retriever.registry import offered
from retriever.session import Memo, Session
from retriever.signals.bm25 import Bm25Signal
from retriever.signals.entity import EntitySignal
from retriever.signals.page import PageSignal
from retriever.signals.related import RelatedSignal
from retriever.signals.section import SectionSignal
from retriever.signals.seeds import text_hits
from retriever.signals.vector import VectorSignal
from retriever.types import Ids, Query, QueryMention, Unit
from tests.asking import query_with
from tests.searching import searcher_over
from tests.vectors import matrices, space_vectors
from weft.arrays.full_text import search_full_text
from weft.errors import WeftError
from weft.skb import Skb

QUESTION = "Who tuned the harp of the toll bridge on the river Veldra?"
EVERYTHING = 1_000_000

Naive = dict[int, float]


@pytest.fixture(params=["tfidf", "lengths"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    """Give the invented world, and a world with many ties."""
    with Skb(request.getfixturevalue("world" if request.param == "tfidf" else "lengths_world")) as opened:
        yield Session(Context(opened))


def asked(session: Session, unit: Unit = "chunk", *more: str, allowed: Ids | None = None) -> Query:
    """Return the question as a query; `more` are the texts of an expansion."""
    return query_with(QUESTION, session.encode([QUESTION, *more]), unit, allowed)


def cosines(session: Session, query: Query, space: str) -> Naive:
    """Return each row's highest similarity, summed in Python."""
    ids, vectors = space_vectors(session, space)
    rows, asked_for = (each.astype(np.float64) for each in matrices(vectors, query.vectors))
    each = [max(float(np.dot(row, vector)) for vector in asked_for if vector.any()) for row in rows]
    return dict(zip(ids.tolist(), (round(score / TOLERANCE) * TOLERANCE for score in each), strict=True))


def naive_page(session: Session, query: Query) -> Naive:
    labels, skb = cosines(session, query, "label"), session.skb
    of_page = {page: labels[entity] for page, entity in skb.connection.execute(
        "SELECT page_id, id FROM entity WHERE page_id IS NOT NULL")}
    return {chunk: of_page[page] for chunk, page in skb.connection.execute("SELECT id, page_id FROM chunk")}


def naive_section(session: Session, query: Query) -> Naive:
    leads, sections = naive_page(session, query), cosines(session, query, "section")
    return {
        chunk: leads[chunk] if section is None else sections[section]
        for chunk, section in session.skb.connection.execute("SELECT id, section_id FROM chunk")
    }


def naive_entity(session: Session, query: Query) -> Naive:
    labels, skb = cosines(session, query, "label"), session.skb
    return {
        chunk: max((labels[each.entity_id] for each in skb.citations([chunk])), default=0.0)
        for (chunk,) in skb.connection.execute("SELECT id FROM chunk")
    }


def naive_vector(session: Session, query: Query) -> Naive:
    return cosines(session, query, "chunk")


def containers(session: Session, kind: str) -> dict[str, tuple[str, set[int]]]:
    """Return what holds chunks, by uri: which chunk scores as it does, and the chunks that are proposed with it."""
    queries = {
        "page": "SELECT page.uri, chunk.id FROM chunk JOIN page ON page.id = page_id",
        "section": "SELECT ifnull(section.uri, page.uri), chunk.id FROM chunk JOIN page ON page.id = chunk.page_id"
        " LEFT JOIN section ON section.id = section_id",
        "entity": "SELECT entity.uri, chunk_id FROM cites JOIN entity ON entity.id = entity_id",
    }
    held: dict[str, set[int]] = {}
    for uri, chunk in session.skb.connection.execute(queries[kind]):
        held.setdefault(uri, set()).add(chunk)
    return {uri: (uri, chunks) for uri, chunks in held.items()}


NAIVE: dict[str, tuple[Callable[[Unit], Signal], Callable[[Session, Query], Naive], int]] = {
    "page": (PageSignal, naive_page, 3),
    "section": (SectionSignal, naive_section, 5),
    "entity": (EntitySignal, naive_entity, 5),
}


def proposed_naively(session: Session, query: Query, kind: str, allowed: set[int] | None) -> list[int]:
    """Return the chunks of the best containers that hold an allowed chunk, in the order of the contract."""
    _, scores_of_kind, n = NAIVE[kind]
    scores, own = scores_of_kind(session, query), naive_vector(session, query)
    labels = cosines(session, query, "label")
    rank = {}
    for uri, (_, chunks) in containers(session, kind).items():
        chunks = chunks if allowed is None else chunks & allowed
        if chunks:
            entity = session.skb.entity(uri)
            score = labels[entity.id] if kind == "entity" and entity else scores[min(chunks)]
            rank[uri] = (-score, uri, chunks)
    best = sorted(rank.values(), key=lambda each: each[:2])[:n]
    found = sorted(set().union(*(chunks for _, _, chunks in best)))
    uris = dict(zip(found, session.skb.uris("chunk", found), strict=True))
    return sorted(found, key=lambda chunk: (-round(scores[chunk], 6), -round(own[chunk], 6), uris[chunk]))


def every(session: Session, unit: Unit = "chunk") -> Ids:
    rows = session.skb.connection.execute(f"SELECT id FROM {unit} ORDER BY id")
    return np.array([each for (each,) in rows], np.int64)


@pytest.mark.parametrize("more", [(), ("lake obrath", "zzzz qqqq")], ids=["one vector", "expanded"])
@pytest.mark.parametrize("kind", [*NAIVE, "vector"])
def test_scores_are_true_for_every_chunk(session: Session, kind: str, more: tuple[str, ...]) -> None:
    query, ids = asked(session, "chunk", *more), every(session)
    make, naive = (VectorSignal, naive_vector) if kind == "vector" else NAIVE[kind][:2]
    expected = naive(session, query)
    scores = make("chunk").score(session, query, ids)
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, [expected[identity] for identity in ids.tolist()], atol=2 * TOLERANCE)
    shuffled = np.random.default_rng(1).permutation(len(ids))
    assert (make("chunk").score(session, query, ids[shuffled]) == scores[shuffled]).all()
    assert make("chunk").score(session, query, ids[:0]).shape == (0,)


@pytest.mark.parametrize("part", [None, 0.5, 0.05], ids=["all", "half", "few"])
@pytest.mark.parametrize("kind", NAIVE)
def test_the_best_containers_chunks_are_proposed(session: Session, kind: str, part: float | None) -> None:
    ids = every(session)
    allowed = None
    if part is not None:
        allowed = np.sort(np.random.default_rng(7).choice(ids, max(2, int(part * len(ids))), replace=False))
    query = asked(session, allowed=allowed)
    found = NAIVE[kind][0]("chunk").propose(session, query, 1)
    expected = proposed_naively(session, query, kind, None if allowed is None else set(allowed.tolist()))
    assert found.tolist() == expected
    assert found.tolist() == NAIVE[kind][0]("chunk").propose(session, query, 1).tolist()


@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("k", [1, 3, 10, EVERYTHING])
@pytest.mark.parametrize("part", [None, 0.5, 0.05], ids=["all", "half", "few"])
def test_vector_is_exact_with_ties_by_uri(session: Session, unit: Unit, k: int, part: float | None) -> None:
    ids = every(session, unit)
    allowed = None
    if part is not None:
        allowed = np.sort(np.random.default_rng(3).choice(ids, max(2, int(part * len(ids))), replace=False))
    query = asked(session, unit, allowed=allowed)
    scores = cosines(session, query, "chunk" if unit == "chunk" else "label")
    left = (ids if allowed is None else allowed).tolist()
    uris = dict(zip(left, session.skb.uris(unit, left), strict=True))
    expected = sorted(left, key=lambda each: (-round(scores[each], 6), uris[each]))[:k]
    assert VectorSignal(unit).propose(session, query, k).tolist() == expected


@pytest.mark.parametrize("kind", ["bm25", "related", "vector", "page", "section", "entity"])
@pytest.mark.parametrize("unit", ["chunk", "entity"])
def test_a_question_without_a_known_word_finds_nothing(skb: Skb, kind: str, unit: Unit) -> None:
    session = Session(Context(skb))
    signals: dict[str, Callable[[Unit], Signal]] = {
        "bm25": Bm25Signal, "related": RelatedSignal, "vector": VectorSignal, "page": PageSignal,
        "section": SectionSignal, "entity": EntitySignal,
    }  # fmt: skip
    signal = signals[kind](unit)
    query = query_with("?", session.encode(["?"]), unit)
    assert not query.vectors.any()
    assert signal.propose(session, query, 5).tolist() == []
    assert not signal.score(session, query, every(session, unit)).any()
    assert signal.evidence(session, query, int(every(session, unit)[0])) == ()


@pytest.mark.parametrize("k", [1, 2, 5, EVERYTHING])
def test_bm25_ranks_what_is_allowed(session: Session, k: int) -> None:
    ids, scores = search_full_text(session.skb.connection, "chunk_fts", QUESTION, EVERYTHING)
    uris = dict(zip(ids.tolist(), session.skb.uris("chunk", ids.tolist()), strict=True))
    value = dict(zip(ids.tolist(), scores.tolist(), strict=True))
    order = sorted(uris, key=lambda each: (-value[each], uris[each]))
    signal = Bm25Signal("chunk")
    assert signal.propose(session, asked(session), k).tolist() == order[:k]
    allowed = every(session)[::2]
    expected = [each for each in order if each in set(allowed.tolist())][:k]
    assert signal.propose(session, asked(session, allowed=allowed), k).tolist() == expected
    found = np.array(expected, np.int64)
    assert signal.score(session, asked(session), found).tolist() == [value[each] for each in expected]
    everything = every(session)
    assert signal.score(session, asked(session), everything).tolist() == [value.get(each, 0.0) for each in everything]
    assert signal.propose(session, asked(session, allowed=allowed[:0]), k).tolist() == []


def test_entities_have_their_own_meaning(session: Session) -> None:
    skb, ids = session.skb, every(session, "entity")
    query = asked(session, "entity")
    labels = cosines(session, query, "label")
    with_page = {each for (each,) in skb.connection.execute("SELECT id FROM entity WHERE page_id IS NOT NULL")}
    sections = naive_section(session, query)
    expected = {
        "entity": labels,
        "page": {each: labels[each] if each in with_page else 0.0 for each in labels},
        "section": {
            each: max((sections[citation.chunk_id] for citation in skb.cited_in(each)), default=0.0) for each in labels
        },
    }
    for kind, (make, _, _) in NAIVE.items():
        found = make("entity").score(session, query, ids)
        np.testing.assert_allclose(found, [expected[kind][each] for each in ids.tolist()], atol=2 * TOLERANCE)
    uris = dict(zip(ids.tolist(), skb.uris("entity", ids.tolist()), strict=True))
    order = sorted(with_page, key=lambda each: (-round(labels[each], 6), uris[each]))
    assert PageSignal("entity").propose(session, query, 4).tolist() == order[:4]
    cited = SectionSignal("entity").propose(session, query, 4).tolist()
    assert len(cited) <= 4
    assert all(expected["section"][one] >= expected["section"][two] - 1e-5 for one, two in pairwise(cited))


def test_equal_rows_score_equally_wherever_they_stand() -> None:
    rows = np.random.default_rng(5).normal(size=(1, 37)).astype(np.float32)
    many = np.repeat(rows, 1003, axis=0)
    vectors = DenseVectors(np.random.default_rng(6).normal(size=(2, 37)).astype(np.float32))
    found = DenseRows(many).some(np.arange(1003), vectors)
    assert all(len(np.unique(each)) == 1 for each in found)
    assert (DenseRows(many).some(np.array([5]), vectors)[:, 0] == found[:, 0]).all()
    for place, each in enumerate(found):
        assert (DenseRows(many).some(np.arange(1003), vectors[place : place + 1])[0] == each).all()


def test_sizes_bound_the_containers(skb: Skb) -> None:
    session = Session(Context(skb))
    query, chunk_table = asked(session), session.chunk_table
    for n in (1, 2, 3):
        found = PageSignal("chunk", n=n).propose(session, query, 1)
        assert len(np.unique(chunk_table.pages[chunk_table.indices(found)])) == n
        pages = chunk_table.pages[chunk_table.indices(found)]
        assert sorted(found.tolist()) == chunk_table.chunk_ids[np.isin(chunk_table.pages, pages)].tolist()


def test_evidence_names_what_brought_the_hit(skb: Skb) -> None:
    session = Session(Context(skb))
    river = skb.entity("Veldra (river)")
    assert river is not None and river.page_id is not None
    start = QUESTION.index("Veldra")
    mention = QueryMention(start, start + 6, "Veldra", np.array([river.id]), np.ones(1, np.float32), "short")
    query = asked(session)
    query = query._replace(question=query.question._replace(mentions=(mention,)))
    chunk = next(each for each in skb.chunks_of_page(river.page_id) if each.section_id is not None)
    lead = skb.chunks_of_page(river.page_id)[0]
    section = skb.sections([chunk.section_id or 0])[0]

    (by_page,) = PageSignal("chunk").evidence(session, query, chunk.id)
    assert (by_page.signal, by_page.kind, by_page.uri, by_page.mention) == ("page", "page", river.uri, "Veldra")
    (by_section,) = SectionSignal("chunk").evidence(session, query, chunk.id)
    assert (by_section.kind, by_section.uri, by_section.text) == ("section", section.uri, section.path_text)
    (by_lead,) = SectionSignal("chunk").evidence(session, query, lead.id)
    assert (by_lead.kind, by_lead.uri) == ("page", river.uri)
    (words,) = Bm25Signal("chunk").evidence(session, query, chunk.id)
    assert "Veldra" in words.text.split(", ") and words.mention == "Veldra" and words.uri == chunk.uri
    (text,) = VectorSignal("chunk").evidence(session, query, chunk.id)
    assert chunk.text.startswith(text.text[:20])

    citing = skb.cited_in(river.id)[0].chunk_id
    cited = EntitySignal("chunk").evidence(session, query, citing)
    assert [each.score for each in cited] == sorted((each.score for each in cited), reverse=True)
    assert cited[0].score == pytest.approx(float(EntitySignal("chunk").score(session, query, np.array([citing]))[0]))
    assert EntitySignal("entity").evidence(session, query, river.id)[0].mention == "Veldra"


@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("name", offered("signal"))
def test_a_signal_alone_ranks_what_it_proposes(session: Session, name: str, unit: Unit) -> None:
    query = asked(session, unit)
    signal = signal_of(Part(name), unit)
    proposed = signal.propose(session, query, 7)
    for k in (1, 4, EVERYTHING):
        found = ranker_of(session, Part(name), unit).rank(session, query, k)
        assert found.columns == (name,) and found.unit == unit and len(found.ids) <= k
        assert (np.diff(found.scores) <= 0).all()
        assert (found.scores == signal.score(session, query, found.ids)).all()
        assert found.ids[:4].tolist() == proposed[: min(4, k)].tolist()
        assert len(set(found.ids.tolist())) == len(found.ids)


def test_signals_take_their_options_and_no_others(session: Session) -> None:
    query = asked(session)
    one = ranker_of(session, Part("page", {"n": 1}), "chunk").rank(session, query, EVERYTHING)
    assert len(np.unique(session.chunk_table.pages[session.chunk_table.indices(one.ids)])) == 1
    with pytest.raises(WeftError, match="page: no option is named m; it has n"):
        ranker_of(session, Part("page", {"m": 1}), "chunk")
    with pytest.raises(WeftError, match="naive-hybrid: no option is named n; it has paths"):
        ranker_of(session, Part("naive-hybrid", {"n": 1}), "chunk")


def test_thesis_features_impute_or_tell_the_truth(session: Session) -> None:
    query = asked(session)
    imputed, true = ThesisFeatures().of(session, query), ThesisFeatures(missing=None).of(session, query)
    assert imputed.ids.tolist() == true.ids.tolist()
    signals = {name: signal_of(Part(name), "chunk") for name in COLUMNS}
    proposed = {name: set(signal.propose(session, query, 10).tolist()) for name, signal in signals.items()}
    assert set(imputed.ids.tolist()) == set().union(*proposed.values())
    for column, (name, signal) in enumerate(signals.items()):
        scores = signal.score(session, query, true.ids).tolist()
        for row, (identity, score) in enumerate(zip(true.ids.tolist(), scores, strict=True)):
            whole = score if name == "path" else (1 + score) / 2
            assert true.features[row, column] == pytest.approx(whole, abs=1e-6)
            kept = name == "path" or identity in proposed[name]
            assert imputed.features[row, column] == pytest.approx(whole if kept else 0.75, abs=1e-6)


def test_thesis_features_are_standardised_by_question_or_by_training_set() -> None:
    one = np.array([[0.8, 0.75, 0.75, 0.9, 1], [0.9, 0.75, 0.85, 0.9, 0]], np.float32)
    two = np.array([[1.0, 0.75, 0.75, 0.9, 0], [0.9, 0.75, 0.85, 0.9, 0]], np.float32)
    np.testing.assert_allclose(standardised(one, None), [[-1, 0, -1, 0, 1], [1, 0, 1, 0, 0]], atol=1e-5)
    scale = scale_of([one, two])
    std = float(np.std([0.8, 0.9, 1.0, 0.9]))
    np.testing.assert_allclose(standardised(one, scale), [[-0.1 / std, 0, -1, 0, 1], [0, 0, 1, 0, 0]], atol=1e-5)
    assert standardised(one[:0], None).shape == (0, 5)


@pytest.mark.parametrize("n", [0, 1, 7, 40])
def test_several_threads_compare_as_one(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    draw = np.random.default_rng(n)
    ids, rows = np.arange(n) * 3, draw.normal(size=(n, 16)).astype(np.float32)
    monkeypatch.setattr("retriever.index.dense.rows.SMALL", 2)
    for vectors in (draw.normal(size=(m, 16)).astype(np.float32) for m in (1, 3)):
        own, asked_for = Similarity("rows", ids, DenseRows(rows), Memo(), places_of(ids)), DenseVectors(vectors)
        own.begin(asked_for)
        np.testing.assert_allclose(own.scores(asked_for), vectors @ rows.T, atol=1e-5)
        assert own.memo.computed == {"similarity rows": len(vectors)}
        assert own.scores(asked_for[:0]).shape == (0, n)


def test_what_is_like_a_question_in_nothing_is_no_text_hit(tmp_path: Path) -> None:
    with searcher_over(tmp_path, {"Ardle": "A xylophone.", "Aachen": "A town.", "Abbott": "A person."}) as searcher:
        session = searcher.session
        (hit,) = text_hits(session, read_question(session, "xylophone?", "chunk"))[0].tolist()
        assert session.uris("chunk", [hit]) == ["Ardle##1"]
        assert not len(text_hits(session, read_question(session, "barnacles", "chunk"))[0])


def test_a_word_counts_once_in_whatever_case(session: Session) -> None:
    for signal in (Bm25Signal("chunk"), RelatedSignal("chunk")):
        once, twice = (read_question(session, text, "chunk") for text in ("Tower bell", "Tower tower bell"))
        ids = signal.propose(session, once, 10)
        assert signal.score(session, once, ids).tolist() == signal.score(session, twice, ids).tolist()
