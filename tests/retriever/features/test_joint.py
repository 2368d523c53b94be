"""Joint coverage: equal to what loops over links and candidates give, bounded, and of use where a link is needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.features import joint
from retriever.features.joint import JointCoverage
from retriever.features.lexical import LexicalFeatures
from retriever.features.matrix import FIRST, Candidates, FeatureMatrix
from retriever.features.meaning import MeaningFeatures
from retriever.question.reader import read_question
from retriever.session import Session
from tests.retriever.candidates.test_candidates import QUESTIONS, TWO_HOPS, two_hops
from weft.skb import Skb
from weft.text.sentences import sentences, spans
from weft.text.stems import stems_of


@pytest.fixture(scope="module")
def bridges_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_hops(tmp_path_factory.mktemp("bridges"))


@pytest.fixture(params=["bridges_world", "world"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Skb(request.getfixturevalue(request.param)) as opened:
        yield Session(Context(opened))


def _candidates(session: Session, question: str) -> Candidates:
    return FeatureMatrix().propose(session, read_question(session, question, "chunk"))


class Naive:
    """What linked candidates say together, in loops."""

    def __init__(self, session: Session, candidates: Candidates) -> None:
        self.lexical = LexicalFeatures(session, candidates.query.question, candidates.pool.ids)
        self.weights = dict(zip(self.lexical.stems, self.lexical.weights.tolist(), strict=True))
        self.entities = self.lexical.entities.tolist()
        chunks = session.skb.chunks(candidates.pool.ids.tolist())
        self.titles = [set(stems_of(session.skb.pages([chunk.page_id])[0].title)) for chunk in chunks]
        self.own = [{*stems_of(chunk.text)} | title for chunk, title in zip(chunks, self.titles, strict=True)]
        links = set()
        table = session.link_table
        for source, (chunk, row) in enumerate(zip(chunks, self.lexical.chunks.tolist(), strict=True)):
            ends = session.skb.sentence_table.of(chunk.id)
            bounds = list(sentences(chunk.text) if ends is None else spans(chunk.text, ends))
            for link in range(table.starts[row], table.starts[row + 1]):
                entity = int(session.adjacency.entity_ids[table.entities[link]])
                inside = [begin <= table.begins[link] < end for begin, end in bounds].index(True)
                if entity in self.entities and entity != self.entities[source]:
                    links.add((source, entity, inside, chunk.text[slice(*bounds[inside])]))
        self.links = [(source, entity, self.titles[source] | {*stems_of(text)})
                      for source, entity, _, text in sorted(links)]  # fmt: skip

    def share(self, said: set[str]) -> float:
        return sum(self.weights[stem] for stem in self.weights if stem in said) / self.lexical.total

    def gains(self) -> dict[tuple[int, int], list[float]]:
        """Return by source and target what each link between them adds."""
        found: dict[tuple[int, int], list[float]] = {}
        for source, entity, led in self.links:
            for target in (row for row, own in enumerate(self.entities) if own == entity):
                gain = self.share(led | self.own[target]) - max(self.share(led), self.share(self.own[target]))
                found.setdefault((source, target), []).append(gain)
        return found


@pytest.mark.parametrize("question", QUESTIONS)
def test_it_is_what_loops_give(session: Session, question: str) -> None:
    candidates = _candidates(session, question)
    together, naive = candidates.joint, Naive(session, candidates)
    assert naive.links or question != TWO_HOPS
    found: dict[tuple[int, int], list[float]] = {}
    for source, target, gained in zip(together.sources, together.targets, together.gained, strict=True):
        found.setdefault((int(source), int(target)), []).append(float(gained))
    expected = naive.gains()
    assert found.keys() == expected.keys()
    for pair, gains in expected.items():
        assert sorted(found[pair]) == pytest.approx(sorted(gains), abs=1e-5), pair


@pytest.mark.parametrize("question", QUESTIONS)
def test_words_of_like_meaning_only_add(session: Session, question: str) -> None:
    candidates = _candidates(session, question)
    together, own = candidates.joint, candidates.raw[:, FIRST.index("cover")]
    assert (together.gained >= -1e-6).all() and (together.near <= 1 + 1e-5).all()
    assert (together.near >= own[together.targets] + together.gained - 1e-5).all()


def test_a_second_hop_is_told_by_the_link_that_leads_to_it(bridges_world: Path) -> None:
    with Skb(bridges_world) as opened:
        session = Session(Context(opened))
        candidates = _candidates(session, TWO_HOPS)
        uris = session.skb.uris("chunk", candidates.pool.ids.tolist())
        best = int(candidates.joint.gained.argmax())
        assert uris[candidates.joint.targets[best]] == "Tessa Quayle##1"
        assert uris[candidates.joint.sources[best]].startswith("Quern Bridge")


def test_a_first_ranking_weighs_the_other_of_a_pair(session: Session) -> None:
    together = _candidates(session, TWO_HOPS).joint
    n = len(_candidates(session, TWO_HOPS).pool.ids)
    chance = np.random.default_rng(5).random(n)
    expected = {name: [0.0] * n for name in ("joint_from_best", "gain_from_best", "joint_to_best", "gain_to_best")}
    for source, target, near, gained in zip(*together, strict=True):
        for name, row, value in (
            ("joint_from_best", target, chance[source] * near), ("gain_from_best", target, chance[source] * gained),
            ("joint_to_best", source, chance[target] * near), ("gain_to_best", source, chance[target] * gained),
        ):  # fmt: skip
            expected[name][row] = max(expected[name][row], value)
    found = together.weighted(chance)
    assert found.keys() == expected.keys() and len(together.sources)
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, abs=1e-6), name


def test_of_too_many_pairs_those_of_the_worthiest_links_are_compared(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidates = _candidates(session, TWO_HOPS)
    lexical = LexicalFeatures(session, candidates.query.question, candidates.pool.ids)
    meaning = MeaningFeatures(session, lexical)
    most = max(1, len(candidates.joint.sources) // 2)
    monkeypatch.setattr(joint, "MOST_PAIRS", most)
    fewer = JointCoverage.of(session, lexical, meaning)
    assert 0 < len(fewer.sources) <= most < len(candidates.joint.sources)
    assert fewer.gained.max() == candidates.joint.gained.max()


def test_without_links_nothing_is_said_together(session: Session) -> None:
    candidates = _candidates(session, TWO_HOPS)
    alone = candidates.pool.ids[:1]
    lexical = LexicalFeatures(session, candidates.query.question, alone)
    found = JointCoverage.of(session, lexical, MeaningFeatures(session, lexical))
    assert {values.shape for values in found} == {(0,)}
    assert all(not column.any() and column.shape == (1,) for column in found.weighted(np.ones(1)).values())
