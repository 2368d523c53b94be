"""BM25 by forms and words of a like meaning, against a re-implementation over rows and Python floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.request import Summary
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.signals.bm25 import Bm25Signal
from retriever.signals.related import LEAST_ALIKE, NEAREST, RelatedSignal
from retriever.types import Query
from tests.asking import query_with
from weft.arrays.full_text import WEIGHTS
from weft.embedders.word_vectors import word_vectors
from weft.skb import Skb
from weft.text.normalise import words_of
from weft.text.stems import stem

TEXTS = {
    "Harbour": "Ada Orr purchased three automobiles in Pell. Nobody removed the old crane, and removing it was dear.",
    "Mill": "The physicians of the mill slept. The physician Bram Till died in 1190 and was buried by the weir.",
    "Weir": "A weir of stone. It began to leak, so that the miller starts each winter with buckets and with buckets.",
    "Gate": "Dray Hollin keeps the gate shut.",
}
QUESTIONS = (
    "Who bought the cars?", "Which doctor is dead?", "delete the crane", "When does the leak start?", "Dray Hollin",
    "When was the doctor born in Zyzzyva?", "the of", "",
)  # fmt: skip


@pytest.fixture
def session(tmp_path: Path, weave: Callable[..., Summary]) -> Iterator[Session]:
    for title, text in TEXTS.items():
        (tmp_path / f"{title}.txt").write_text(text, encoding="utf-8")
    weave(*(f"text:{tmp_path / f'{title}.txt'}" for title in TEXTS))
    with Skb(tmp_path / "kb.skb") as skb:
        yield Session(Context(skb))


def asked(session: Session, text: str, more: str = "") -> Query:
    query = query_with(text, session.encode([text]), "chunk")
    return query._replace(searched=f"{text} {more}")


def naive(session: Session, text: str) -> dict[int, float]:
    """Return the score of each chunk, word by word."""
    rows = session.skb.connection.execute("SELECT id, text, section, title FROM chunk_text").fetchall()
    weights = [WEIGHTS["chunk_fts"][name] for name in ("text", "section", "title")]
    said = {key: [words_of(column or "") for column in columns] for key, *columns in rows}
    lengths = {key: sum(map(len, columns)) for key, columns in said.items()}
    mean = sum(lengths.values()) / len(said)
    everything = {word for columns in said.values() for column in columns for word in column}

    def holding(word: str) -> dict[int, float]:
        found = {}
        for key, columns in said.items():
            times = sum(weight * column.count(word) for weight, column in zip(weights, columns, strict=True))
            if times:
                found[key] = 2.2 * times / (times + 1.2 * (0.25 + 0.75 * lengths[key] / mean))
        return found

    total = dict.fromkeys(said, 0.0)
    stems = {stem(word) for words in said.values() for column in words[:1] for word in column}
    for own in dict.fromkeys(stem(word) for word in words_of(text) if word in CONTENT):
        n = len({key for word in everything if stem(word) == own for key in holding(word)})
        rarity = math.log(1 + max(0.0, len(said) - n + 0.5) / (n + 0.5))
        for other, weight in [(own, 1.0), *neighbours(own, stems)]:
            for word in everything:
                if stem(word) == other:
                    for key, share in holding(word).items():
                        total[key] += rarity * weight * share
    return total


CONTENT = frozenset("bought cars doctor dead delete crane leak start dray hollin born zyzzyva".split())


def neighbours(own: str, stems: set[str]) -> list[tuple[str, float]]:
    """Return the stems that a text says that are nearest to one, by the square of their cosine."""
    vectors = word_vectors()
    known = sorted(each for each in stems if each.encode() in vectors.indices)
    if own.encode() not in vectors.indices:
        return []
    row = vectors.rows[vectors.indices[own.encode()]].astype(float)
    others = [(each, vectors.rows[vectors.indices[each.encode()]].astype(float)) for each in known]
    cosines = {each: float(row @ other / np.linalg.norm(row) / np.linalg.norm(other)) for each, other in others}
    nearest = sorted(cosines, key=lambda each: -cosines[each])[:NEAREST]
    return [(each, cosines[each] ** 2) for each in nearest if each != own and cosines[each] >= LEAST_ALIKE]


@pytest.mark.parametrize("question", QUESTIONS)
def test_scores_are_those_of_words_counted_one_by_one(session: Session, question: str) -> None:
    expected = naive(session, question)
    ids = np.array(sorted(expected))
    found = RelatedSignal("chunk").score(session, asked(session, question), ids)
    assert found == pytest.approx([expected[each] for each in ids.tolist()], rel=1e-5)


@pytest.mark.parametrize(
    ("question", "title"),
    [("Who bought the cars?", "Harbour"), ("Which doctor is dead?", "Mill"), ("deleting a thing", "Harbour")],
)
def test_what_says_it_in_other_words_is_found(session: Session, question: str, title: str) -> None:
    query = asked(session, question)
    assert not len(Bm25Signal("chunk").propose(session, query, 1))
    first, *_ = RelatedSignal("chunk").propose(session, query, 4).tolist()
    (uri,) = session.skb.uris("chunk", [first])
    assert uri.startswith(title)


def test_an_expansion_is_searched_for_by_its_forms_alone(session: Session) -> None:
    plain, signal = asked(session, "Dray Hollin"), RelatedSignal("chunk")
    ids = np.array(sorted(naive(session, "")))
    before = signal.score(session, plain, ids)
    by_meaning = signal.score(session, asked(session, "Dray Hollin", "cars"), ids)
    by_form = signal.score(session, asked(session, "Dray Hollin", "physicians"), ids)
    assert np.array_equal(before, by_meaning) and (by_form > before).any()


def test_evidence_says_which_word_stands_for_which(session: Session) -> None:
    query, signal = asked(session, "Who bought the cars?"), RelatedSignal("chunk")
    (best,) = signal.propose(session, query, 1).tolist()
    (evidence,) = signal.evidence(session, query, best)
    assert (evidence.signal, evidence.text) == ("related", "purchased for bought, automobiles for cars")
    assert signal.evidence(session, asked(session, "zyzzyva"), best) == ()


def test_words_of_another_script_are_found_as_they_are(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    (tmp_path / "a.txt").write_text("The tower of 東京駅 stands. Café Ölmühle.", encoding="utf-8")
    weave(f"text:{tmp_path / 'a.txt'}")
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        for question in ("東京駅", "Ölmühle", "cafe"):
            assert len(Searcher(session, "related").rank(question, 1).ids) == 1, question
