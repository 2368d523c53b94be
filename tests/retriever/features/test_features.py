"""Features: complete for every candidate, and true: signals, ranks, words, links, and what a first ranking leaves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.features.columns import DECLARED, FIRST_PASS, SECOND_PASS, Column, Pass, computed
from retriever.features.first_pass import GREATEST, KINDS, SHAPES, FirstPass
from retriever.features.first_pass import RANKED as RANKED_BY_MEANING
from retriever.features.lexical import LexicalFeatures
from retriever.features.matrix import (
    BINARY,
    COLUMNS,
    FIRST,
    INPUTS,
    PROPOSERS,
    RANKED,
    SECOND,
    SIGNALS,
    Candidates,
    FeatureMatrix,
    signals_of,
    standardised,
)
from retriever.features.ranks import rank_within, ranks_of
from retriever.features.second_pass import SecondPass
from retriever.index.links import ScoredLink, ScoredLinks, best_of, link_at, scored_links
from retriever.learning.log_odds import probability
from retriever.question.reader import content_stems, read_question
from retriever.session import Session
from retriever.signals.vector import VectorSignal
from retriever.types import Ids, Query
from tests.retriever.candidates.test_candidates import QUESTIONS, TWO_HOPS, two_hops
from weft.skb import Skb
from weft.text.normalise import WORD
from weft.text.stems import stem, stems_of

ASKED = tuple(question for question in QUESTIONS if question not in ("?", ""))


@pytest.fixture(scope="module")
def bridges_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_hops(tmp_path_factory.mktemp("bridges"))


@pytest.fixture(params=["bridges_world", "world"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Skb(request.getfixturevalue(request.param)) as opened:
        yield Session(Context(opened))


@pytest.fixture
def bridges(bridges_world: Path) -> Iterator[Session]:
    with Skb(bridges_world) as opened:
        yield Session(Context(opened))


def _candidates(session: Session, question: str, allowed: Ids | None = None) -> Candidates:
    return FeatureMatrix().propose(session, read_question(session, question, "chunk", allowed))


def _column(candidates: Candidates, name: str) -> list[float]:
    return candidates.raw[:, FIRST.index(name)].tolist()


def _of(session: Session, candidates: Candidates, name: str) -> dict[str, float]:
    """Return a column by the uris of the candidates."""
    uris = session.skb.uris("chunk", candidates.pool.ids.tolist())
    return dict(zip(uris, _column(candidates, name), strict=True))


# Completeness


def test_columns_are_named_once() -> None:
    declared = tuple(column.name for column in FIRST_PASS)
    assert (*SIGNALS, *(f"rank_{name}" for name in RANKED), *declared) == INPUTS
    assert COLUMNS == INPUTS + SECOND and FIRST[: len(INPUTS)] == INPUTS and len(FIRST) == len(INPUTS) + len(PROPOSERS)
    for columns in (declared, FIRST, COLUMNS):
        assert len(set(columns)) == len(columns)
    assert {column.name for column in DECLARED if not column.standardised} <= BINARY <= set(FIRST + SECOND)


def test_what_is_computed_is_declared(session: Session) -> None:
    candidates = _candidates(session, TWO_HOPS)
    question, ids = candidates.query.question, candidates.pool.ids
    _check_declared(FIRST_PASS, FirstPass(session, question, ids, candidates.hops), len(ids))
    second = SecondPass(session, question, ids, np.zeros(len(ids), np.float32), candidates.joint)
    _check_declared(SECOND_PASS, second, len(ids))


def _check_declared(columns: Sequence[Column[Pass]], candidates: Pass, n: int) -> None:
    for compute in {column.computed_by for column in columns}:
        found = compute(candidates)
        assert found.keys() == {column.name for column in columns if column.computed_by is compute}
        assert {values.shape for values in found.values()} == {(n,)}


@pytest.mark.parametrize("question", ASKED)
def test_every_candidate_has_its_true_score_under_every_signal(session: Session, question: str) -> None:
    candidates = _candidates(session, question)
    ids = candidates.pool.ids
    assert candidates.raw.shape == (len(ids), len(FIRST)) and candidates.raw.dtype == np.float32
    assert np.isfinite(candidates.raw).all()
    fresh = {signal.name: signal for signal in signals_of()}
    for name in SIGNALS:
        own = Session(session.context)
        alone = np.array([fresh[name].score(own, candidates.query, part)[0] for part in np.split(ids, len(ids))])
        expected = np.log(alone + np.float32(1e-6)) if name == "graph" else alone
        np.testing.assert_allclose(_column(candidates, name), expected, atol=2e-6)
    for name in (*RANKED, *RANKED_BY_MEANING):
        scores = _column(candidates, name)
        order = sorted(range(len(ids)), key=lambda index: (-scores[index], index))
        ranks = [1 / (1 + order.index(index)) for index in range(len(ids))]
        assert _column(candidates, f"rank_{name}") == pytest.approx(ranks)
    for column, name in enumerate(PROPOSERS):
        assert _column(candidates, f"proposed_{name}") == candidates.pool.proposed[:, column].tolist()


@pytest.mark.parametrize("question", ASKED)
def test_every_candidate_has_the_greatest_value_among_all(session: Session, question: str) -> None:
    candidates = _candidates(session, question)
    for name in GREATEST:
        most = min(1.0, max(0.0, *_column(candidates, name)))
        assert _column(candidates, f"most_{name}") == [pytest.approx(most)] * len(candidates.pool.ids)
    assert _column(_candidates(session, TWO_HOPS), "most_cover")[0] > 0


@pytest.mark.parametrize("question", ASKED)
def test_a_row_does_not_depend_on_who_proposed_it(session: Session, question: str) -> None:
    """Only ranks and what compares candidates do; the rest is the same in any company."""
    features, candidates = FeatureMatrix(), _candidates(session, question)
    some = candidates.pool._replace(ids=candidates.pool.ids[::2], proposed=candidates.pool.proposed[::2][:, ::-1])
    fewer = features.of(session, candidates.query, some, candidates.hops)
    compared = {name for name in FIRST if name.startswith(("rank_", "most_", "joint", "proposed_"))} | {
        "in_page", "in_page_share", "page_best", "siblings", "stems", "stems_asked", "gain", "leads", "rest_in_page",
        "vector_asked_in_page", "vector_in_page",
    }  # fmt: skip
    for index, name in enumerate(FIRST):
        if name not in compared:
            np.testing.assert_allclose(fewer.raw[:, index], candidates.raw[::2, index], atol=2e-6, err_msg=name)


@pytest.mark.parametrize("question", ASKED)
def test_columns_are_standardised_within_the_question(session: Session, question: str) -> None:
    features, candidates = FeatureMatrix(), _candidates(session, question)
    log_odds = np.linspace(-2, 2, len(candidates.pool.ids), dtype=np.float32)
    second = features.second(session, candidates, log_odds)
    found = standardised(candidates, second)
    assert found.shape == (len(candidates.pool.ids), len(COLUMNS))
    assert standardised(candidates).shape[1] == len(INPUTS)
    raw = np.hstack([candidates.raw[:, : len(INPUTS)], second]).astype(np.float64)
    for index, name in enumerate(COLUMNS):
        values = found[:, index].astype(np.float64)
        if name in BINARY:
            assert values.tolist() == raw[:, index].tolist(), name
        elif raw[:, index].std() <= 1e-6 * abs(raw[:, index].mean()):
            assert not values.any(), name
        else:
            assert values.mean() == pytest.approx(0, abs=1e-4) and values.std() == pytest.approx(1, abs=1e-3), name
    assert set(COLUMNS) - BINARY > {"bm25", "vector", "graph", "length", "first"}


@pytest.mark.parametrize("question", ASKED)
def test_shares_lie_between_nothing_and_all(session: Session, question: str) -> None:
    candidates = _candidates(session, question)
    for name in sorted(BINARY & set(FIRST) - {"path"}):
        values = _column(candidates, name)
        assert min(values) >= 0 and max(values) <= 1 + 1e-5, name


# Words


class Naive:
    """What candidates say, in loops over rows."""

    def __init__(self, session: Session, query: Query, ids: Ids) -> None:
        skb = session.skb
        n = len(session.chunk_table.chunk_ids)
        self.stems = list(content_stems(WORD.findall(query.question.text)))
        self.weights = {each: math.log(1 + n / (1 + self._frequency(skb, each))) for each in self.stems}
        self.open = [each for each in self.stems if each in query.question.asked]
        self.chunks = skb.chunks(ids.tolist())
        self.titles = [set(stems_of(skb.pages([chunk.page_id])[0].title)) for chunk in self.chunks]
        self.texts = [stems_of(chunk.text) for chunk in self.chunks]

    @staticmethod
    def _frequency(skb: Skb, word: str) -> int:
        """Count the chunks with a form of the stem in what is searched of them."""
        rows = skb.connection.execute("SELECT * FROM chunk_text")
        return sum(word in stems_of(" ".join(row[1:])) for row in rows)

    def share(self, said: set[str], of: Sequence[str]) -> float:
        total = sum(self.weights[each] for each in of) or 1.0
        return sum(self.weights[each] for each in of if each in said) / total

    def fitting(self, index: int, of: Sequence[str]) -> float:
        usual = max(1.0, sum(map(len, self.texts)) / len(self.texts))
        slack = 1.2 * (1 - 0.6 + 0.6 * len(self.texts[index]) / usual)
        counts = {each: self.texts[index].count(each) for each in of}
        return sum(self.weights[each] * counts[each] / (counts[each] + slack) for each in of)


@pytest.mark.parametrize("question", ASKED)
def test_words_are_those_of_the_texts(session: Session, question: str) -> None:
    candidates = _candidates(session, question)
    query, ids = candidates.query, candidates.pool.ids
    naive = Naive(session, query, ids)
    own = LexicalFeatures(session, query.question, ids)
    assert list(own.stems) == naive.stems and own.weights.tolist() == pytest.approx(list(naive.weights.values()))
    assert own.counts.tolist() == [[text.count(each) for each in naive.stems] for text in naive.texts]
    assert own.said.tolist() == [[float(each in text) for each in naive.stems] for text in naive.texts]
    assert own.titled.tolist() == [[float(each in title) for each in naive.stems] for title in naive.titles]
    rows = list(zip(naive.texts, naive.titles, strict=True))
    expected = {
        "cover": [naive.share({*text} | title, naive.stems) for text, title in rows],
        "asked": [naive.share({*text}, naive.open) for text, _ in rows],
        "title_cover": [naive.share(title, naive.stems) for _, title in rows],
        "title_share": [len(title & {*naive.stems}) / max(1, len(title)) for _, title in rows],
        "title_asked": [naive.share(title, naive.open) for _, title in rows],
        "stems": [naive.fitting(index, naive.stems) for index in range(len(rows))],
        "stems_asked": [naive.fitting(index, naive.open) for index in range(len(rows))],
        "has_number": [float(any(sign in "0123456789" for sign in chunk.text)) for chunk in naive.chunks],
    }
    for name, values in expected.items():
        assert _column(candidates, name) == pytest.approx(values, abs=1e-5), name


def test_words_of_a_known_text(bridges: Session) -> None:
    candidates = _candidates(bridges, "In which year was the span of the Quern Bridge opened, and for what toll?")
    uris = bridges.skb.uris("chunk", candidates.pool.ids.tolist())
    opened = uris.index("Quern Bridge#History##1")
    assert candidates.query.question.asked == ("year", "span", "open", "toll")
    named = {name: candidates.raw[opened, FIRST.index(name)] for name in FIRST}
    naive = Naive(bridges, candidates.query, candidates.pool.ids)
    assert named["asked"] == pytest.approx(naive.share({"span", "open", "toll"}, naive.open))
    sentences = [{"span", "open"}, {"toll"}]
    best = max(naive.share(each | {"quern", "bridg"}, naive.stems) for each in sentences)
    assert named["best_sentence"] == pytest.approx(best)
    assert (named["has_year"], named["shape"], named["heading"], named["named"] > 0) == (1, 1, 0, True)
    marsh = _of(bridges, candidates, "has_year")["Quern Bridge##2"]
    assert marsh == 0 and _of(bridges, candidates, "has_number")["Quern Bridge##2"] == 1, "40 metres is no year"


def test_headings_and_kinds_of_text(bridges: Session) -> None:
    candidates = _candidates(bridges, "What is the history of the Quern Bridge and its birds?")
    heading = _of(bridges, candidates, "heading")
    assert heading["Quern Bridge#History##2"] > 0 == heading["Quern Bridge##1"]
    chunk_table = bridges.chunk_table
    for chunk, row in zip(bridges.skb.chunks(candidates.pool.ids.tolist()), candidates.raw, strict=True):
        told = dict(zip(FIRST, row.tolist(), strict=True))
        assert [told[kind] for kind in KINDS] == [float(chunk.kind == kind) for kind in KINDS]
        assert told["lead"] == (chunk.section_id is None)
        assert told["length"] == pytest.approx(math.log(1 + len(chunk.text)))
        assert told["position"] == pytest.approx(math.log(1 + chunk.position))
    assert chunk_table.lengths.max() > 0 and SHAPES == {"time": "has_year", "number": "has_number"}


@pytest.mark.parametrize("question", ASKED)
def test_completing_is_the_most_that_a_best_hit_leaves_open(session: Session, question: str) -> None:
    candidates = _candidates(session, question)
    naive = Naive(session, candidates.query, candidates.pool.ids)
    chance = np.random.default_rng(3).random(len(naive.texts))
    best = np.argsort(-chance)[:3]
    said = [{*text} | title for text, title in zip(naive.texts, naive.titles, strict=True)]
    total = sum(naive.weights.values()) or 1.0
    expected = [
        max(chance[hit] * sum(naive.weights[each] for each in naive.stems if each in own - said[hit]) for hit in best)
        / total
        for own in said
    ]
    found = LexicalFeatures(session, candidates.query.question, candidates.pool.ids).completing(best, chance)
    assert found.tolist() == pytest.approx(expected, abs=1e-6)


# Places in a page


@pytest.mark.parametrize("seed", range(20))
def test_ranks_within_a_page(seed: int) -> None:
    draw = np.random.default_rng(seed)
    n = int(draw.integers(0, 30))
    pages, scores = draw.integers(0, 5, n), draw.integers(0, 4, n).astype(np.float32)
    expected = []
    for index in range(n):
        of_page = [other for other in range(n) if pages[other] == pages[index]]
        before = [other for other in of_page if (-scores[other], other) < (-scores[index], index)]
        expected.append(1 / (1 + len(before)))
    assert rank_within(pages, scores).tolist() == pytest.approx(expected)
    assert ranks_of(scores).tolist() == [
        sum(1 for other in range(n) if (-scores[other], other) < (-scores[index], index)) for index in range(n)
    ]


@pytest.mark.parametrize("question", ASKED)
def test_candidates_are_compared_with_those_of_their_page(session: Session, question: str) -> None:
    candidates = _candidates(session, question)
    ids, query = candidates.pool.ids, candidates.query
    pages = [chunk.page_id for chunk in session.skb.chunks(ids.tolist())]
    worded = [one + other for one, other in
              zip(_column(candidates, "stems"), _column(candidates, "stems_asked"), strict=True)]  # fmt: skip
    for index, page in enumerate(pages):
        of_page = [worded[other] for other in range(len(ids)) if pages[other] == page]
        told = dict(zip(FIRST, candidates.raw[index].tolist(), strict=True))
        assert told["page_best"] == pytest.approx(max(of_page), abs=1e-5)
        assert told["siblings"] == pytest.approx(math.log(1 + len(of_page)))
        assert told["in_page_share"] == pytest.approx(worded[index] / max(1e-6, max(of_page)), abs=1e-5)
    vector = VectorSignal("chunk").score(session, query, ids)
    asked = VectorSignal("chunk").score(session, query._replace(vectors=query.question.vectors_asked), ids)
    assert _column(candidates, "vector_asked") == pytest.approx(asked.tolist(), abs=2e-6)
    assert _column(candidates, "vector_in_page") == rank_within(np.array(pages), vector).tolist()
    assert _column(candidates, "vector_asked_in_page") == rank_within(np.array(pages), asked).tolist()


# Links


def _links(session: Session, title: str, *asked: str) -> list[ScoredLink]:
    page = session.skb.page(title)
    assert page is not None
    return _each(session, scored_links(session, [session.chunks_of_page(page.id)], tuple(map(stem, asked))))


def _each(session: Session, found: ScoredLinks) -> list[ScoredLink]:
    return [link_at(session.link_table, found, index) for index in range(len(found.links))]


def _anchor(session: Session, link: ScoredLink) -> str:
    (chunk,) = session.skb.chunks([link.chunk])
    return chunk.text[link.begin : link.end]


def _said(session: Session, sentence: int) -> set[str]:
    """Return the stems of a sentence, by its number in the SKB."""
    table = session.stem_table
    stems = table.vocabulary.text.decode().splitlines()
    by_number = {number: stems[index] for index, number in enumerate(table.vocabulary.numbers.tolist())}
    start = table.sentence_ends[sentence - 1] if sentence else 0
    return {by_number[each] for each in table.texts.numbers[start : table.sentence_ends[sentence]].tolist()}


def test_scored_links_stand_in_reading_order(bridges: Session) -> None:
    found = _links(bridges, "Quern Bridge", "toll")
    names = [entity.name for entity in bridges.skb.entities([each.entity for each in found])]
    assert list(zip(names, [_anchor(bridges, each) for each in found], strict=True)) == [
        ("Tessa Quayle", "Tessa Quayle"), ("Old Marsh", "Old Marsh"), ("Barrow Guild", "The guild"),
        ("Old Marsh", "Old Marsh"),
    ]  # fmt: skip
    assert [each.position for each in found] == [0, 1, 2, 3]
    assert bridges.skb.uris("chunk", [each.chunk for each in found]) == [
        "Quern Bridge##1", "Quern Bridge##2", "Quern Bridge#History##1", "Quern Bridge#History##1",
    ]  # fmt: skip


def test_a_links_coverage_follows_from_its_sentence(bridges: Session) -> None:
    designer, long, guild, marsh = _links(bridges, "Quern Bridge", "toll", "opened")
    assert _said(bridges, guild.sentence) == set(stems_of("The guild took a toll;"))
    assert _said(bridges, marsh.sentence) == set(stems_of("Old Marsh paid.")), "a semicolon before a capital ends one"
    naive = Naive(bridges, read_question(bridges, "toll opened", "chunk"), np.empty(0, np.int64))
    assert guild.coverage == pytest.approx(naive.share({"toll"}, ["toll", "open"]))
    assert (designer.coverage, long.coverage, marsh.coverage) == (0, 0, 0)
    assert guild.context == pytest.approx(1.0), "the sentence before stands near"
    for each in (designer, long, guild, marsh):
        (chunk,) = bridges.skb.chunks([each.chunk])
        around = chunk.text[max(0, each.begin - 60) : each.begin] + " " + chunk.text[each.end : each.end + 30]
        assert each.context == pytest.approx(naive.share(set(stems_of(around)), ["toll", "open"]))
    assert designer.context == 0
    (alone,) = (each for each in _links(bridges, "Quern Bridge", "designer") if each.coverage)
    assert (alone.coverage, alone.context, alone.entity) == (1, 1, designer.entity)
    assert {each.coverage for each in _links(bridges, "Quern Bridge")} == {0.0}


def test_a_link_leads_where_a_redirect_does(bridges: Session) -> None:
    quern = bridges.skb.entity("Quern Bridge")
    assert quern is not None
    found = _links(bridges, "Barrow Guild")
    assert [(_anchor(bridges, each), each.position) for each in found] == [("Quaylework", 0), ("Ash Bridge", 1)]
    assert found[0].entity == quern.id


def test_a_link_to_its_own_page_is_left_out(bridges: Session) -> None:
    assert _links(bridges, "Old Marsh", "herons") == []


def test_every_scored_link_is_a_citation(session: Session) -> None:
    for chunks in (session.chunks_of_page(page) for page in session.chunk_table.page_ids.tolist()):
        found = _each(session, scored_links(session, [chunks], ("toll", "river")))
        assert [each.position for each in found] == list(range(len(found)))
        cited = {(each.chunk_id, each.entity_id) for each in session.skb.citations(chunks[:60].tolist())}
        assert {(each.chunk, each.entity) for each in found} <= cited
        texts = {chunk.id: chunk.text for chunk in session.skb.chunks(chunks.tolist())}
        assert all(texts[each.chunk][each.begin : each.end].strip() for each in found)
        assert all(0 <= each.coverage <= 1 + 1e-9 and 0 <= each.context <= 1 + 1e-9 for each in found)


def test_the_best_link_has_most_coverage_then_comes_first() -> None:
    entities, starts = np.array([1, 2, 1, 2, 1]), np.array([0, 0, 0, 0, 1])
    coverage, context = np.array([0.5, 0.1, 0.25, 0.2, 0.5]), np.array([0.0, 0.1, 0.5, 0.0, 0.0])
    links = ScoredLinks(np.arange(5), starts, starts, entities, coverage, context, np.array([0, 1, 2, 3, 0]))
    assert best_of(links).tolist() == [2, 1, 4]


def test_links_from_what_is_named_reach_their_pages(bridges: Session) -> None:
    candidates = _candidates(bridges, TWO_HOPS)
    linked, named = _of(bridges, candidates, "linked"), _of(bridges, candidates, "named")
    weight = float(candidates.query.question.mentions[0].weights[0])
    assert named["Quern Bridge##1"] == named["Quern Bridge#History##2"] == pytest.approx(weight)
    assert linked["Tessa Quayle##1"] == linked["Old Marsh#Birds##1"] == pytest.approx(weight)
    assert named["Tessa Quayle##1"] == linked["Quern Bridge##1"] == linked["Ash Bridge##1"] == 0
    bridge = _of(bridges, candidates, "bridge")
    assert bridge["Tessa Quayle##1"] > 0 == bridge["Barrow Guild##1"], "only one link's sentence speaks of a designer"
    first = _of(bridges, candidates, "linked_first")
    assert first["Tessa Quayle##1"] == pytest.approx(weight) and first["Barrow Guild##1"] == pytest.approx(weight / 3)
    assert _of(bridges, candidates, "linked_share")["Hollin##1"] == 0
    assert _of(bridges, candidates, "linked_share")["Tessa Quayle##1"] == pytest.approx(weight / 3**0.5)
    second = _of(bridges, candidates, "second_hop")
    assert second["Hollin##1"] > 0 and second["Yew Bridge##1"] == 0
    cites = _of(bridges, candidates, "cites_named")
    assert cites["Barrow Guild##1"] == pytest.approx(weight / 2) and cites["Hollin##1"] == 0
    distance = _of(bridges, candidates, "distance")
    assert (distance["Quern Bridge##1"], distance["Tessa Quayle##1"], distance["Yew Bridge##1"]) == (1, 0.5, 0.25)
    assert distance["Hollin##1"] == pytest.approx(1 / 3)


def test_what_the_best_hit_links_to_is_known_to_the_second_pass(bridges: Session) -> None:
    features, candidates = FeatureMatrix(), _candidates(bridges, TWO_HOPS)
    uris = bridges.skb.uris("chunk", candidates.pool.ids.tolist())
    log_odds = np.full(len(uris), -9, np.float32)
    log_odds[uris.index("Quern Bridge##1")] = 3
    second = features.second(bridges, candidates, log_odds)
    assert second.shape == (len(uris), len(SECOND)) and second.dtype == np.float32

    def told(uri: str, name: str) -> float:
        return float(second[uris.index(uri), SECOND.index(name)])

    chance = 1 / (1 + math.exp(-3))
    assert told("Tessa Quayle##1", "linked_from_best") == pytest.approx(chance)
    assert told("Tessa Quayle##1", "bridge_from_best") > 0
    assert told("Yew Bridge##1", "linked_from_best") < 0.01 > told("Barrow Guild##1", "linked_from_best")
    assert told("Barrow Guild##1", "cites_best") == pytest.approx(chance), "it links to the best hit's page"
    assert told("Hollin##1", "cites_best") < 0.01
    assert [told(f"Quern Bridge{rest}", "page_of_best") for rest in ("##1", "##2", "#History##1")] == [0, 1, 1]
    assert told("Tessa Quayle##1", "page_of_best") == 0
    assert told("Quern Bridge##1", "first") == 3 and told("Quern Bridge##1", "rank_first") == 1
    assert told("Quern Bridge##1", "completes") < told("Tessa Quayle##1", "completes")


def test_features_of_nothing(session: Session) -> None:
    query = read_question(session, TWO_HOPS, "chunk")
    candidates = _candidates(session, TWO_HOPS)
    empty = np.empty(0, np.int64)
    first = FirstPass(session, query.question, empty, candidates.hops)
    assert computed(FIRST_PASS, first).shape == (0, len(FIRST_PASS))
    none = candidates._replace(pool=candidates.pool._replace(ids=empty), raw=candidates.raw[:0], joint=first.joint)
    assert FeatureMatrix().second(session, none, np.empty(0, np.float32)).shape == (0, len(SECOND))
    assert standardised(none).shape == (0, len(INPUTS))
    assert probability(np.array([0.0, 200.0], np.float32)).tolist() == [0.5, 1.0]
