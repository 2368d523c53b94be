"""BM25 by forms and words of a like meaning, against a re-implementation over rows and Python floats."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.request import Summary
from retriever.context import Context
from retriever.index.near_stems import LEAST_ALIKE, NEAREST
from retriever.question.reader import content_stems
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.signals.bm25 import Bm25Signal
from retriever.signals.related import RelatedSignal
from retriever.types import Query, QueryMention, Unit
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
    "When was the doctor born in Zyzzyva?", "the of", "", "type",
)  # fmt: skip
FEW_WORDS = {"the of": ["the", "of"], "type": ["type"]}
"""What questions without a content word are searched by."""

COLUMNS: dict[Unit, tuple[str, ...]] = {"chunk": ("text", "section", "title"), "entity": ("name", "aliases", "text")}


@pytest.fixture(params=["word table", "index alone"])
def session(request: pytest.FixtureRequest, tmp_path: Path, weave: Callable[..., Summary]) -> Iterator[Session]:
    """Give an SKB of four texts, and one as an older build wrote it, without the table of words."""
    for title, text in TEXTS.items():
        (tmp_path / f"{title}.txt").write_text(text, encoding="utf-8")
    weave(*(f"text:{tmp_path / f'{title}.txt'}" for title in TEXTS))
    if request.param == "index alone":
        with sqlite3.connect(tmp_path / "kb.skb") as connection:
            connection.execute("DELETE FROM array WHERE name LIKE 'word.%'")
        connection.close()
    with Skb(tmp_path / "kb.skb") as skb:
        yield Session(Context(skb))


def asked(session: Session, text: str, more: str = "", unit: Unit = "chunk") -> Query:
    query = query_with(text, session.encode([text]), unit)
    return query._replace(searched=f"{text} {more}")


def naive(session: Session, text: str, unit: Unit = "chunk") -> dict[int, float]:
    """Return the score of each row, word by word."""
    columns = COLUMNS[unit]
    rows = session.skb.connection.execute(f"SELECT id, {', '.join(columns)} FROM {unit}_text").fetchall()
    weights = [WEIGHTS[f"{unit}_fts"][name] for name in columns]
    said = {key: [words_of(column or "") for column in own] for key, *own in rows}
    lengths = {key: sum(map(len, own)) for key, own in said.items()}
    mean = sum(lengths.values()) / len(said)
    everything = {word for own in said.values() for column in own for word in column}

    def holding(word: str) -> dict[int, float]:
        found = {}
        for key, own in said.items():
            times = sum(weight * column.count(word) for weight, column in zip(weights, own, strict=True))
            if times:
                found[key] = 2.2 * times / (times + 1.2 * (0.25 + 0.75 * lengths[key] / mean))
        return found

    total = dict.fromkeys(said, 0.0)
    stems = {stem(word) for word in everything}
    for own in dict.fromkeys(FEW_WORDS.get(text) or content_stems(words_of(text))):
        n = len({key for word in everything if stem(word) == own for key in holding(word)})
        rarity = math.log(1 + (len(said) - n + 0.5) / (n + 0.5))
        for other, weight in [(own, 1.0), *neighbours(own, stems)]:
            for word in everything:
                if stem(word) == other:
                    for key, share in holding(word).items():
                        total[key] += rarity * weight * share
    return total


def neighbours(own: str, stems: set[str]) -> list[tuple[str, float]]:
    """Return the stems said somewhere that are nearest to one, by the square of their cosine."""
    vectors = word_vectors()
    known = sorted(each for each in stems if each.encode() in vectors.indices)
    if own.encode() not in vectors.indices:
        return []
    row = vectors.rows[vectors.indices[own.encode()]].astype(float)
    others = [(each, vectors.rows[vectors.indices[each.encode()]].astype(float)) for each in known]
    cosines = {each: float(row @ other / np.linalg.norm(row) / np.linalg.norm(other)) for each, other in others}
    nearest = sorted(cosines, key=lambda each: -cosines[each])[:NEAREST]
    return [(each, cosines[each] ** 2) for each in nearest if each != own and cosines[each] >= LEAST_ALIKE]


@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_scores_are_those_of_words_counted_one_by_one(session: Session, question: str, unit: Unit) -> None:
    expected = naive(session, question, unit)
    ids = np.array(sorted(expected))
    found = RelatedSignal(unit).score(session, asked(session, question, unit=unit), ids)
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


def test_evidence_names_the_mention_that_led_to_it(session: Session) -> None:
    query, signal = asked(session, "What did Dray Hollin do after the cars were bought?"), RelatedSignal("chunk")
    mention = QueryMention(9, 20, "Dray Hollin", np.array([1]), np.array([1.0], np.float32), "name")
    query = query._replace(question=query.question._replace(mentions=(mention,)))
    mentions = {}
    for each in sorted(naive(session, "")):
        (uri,) = session.skb.uris("chunk", [each])
        mentions[uri.split("#")[0]] = [found.mention for found in signal.evidence(session, query, each)]
    assert mentions["Gate"] == ["Dray Hollin"] and mentions["Harbour"] == [None]


@pytest.mark.parametrize("text", ["re\u0301sume\u0301 of the total", "Ölmühle", "crane ' \" * )", "1" * 500, "a" * 500])
def test_evidence_is_told_of_any_question(session: Session, text: str) -> None:
    for unit in ("chunk", "entity"):
        query, signal = asked(session, text, unit=unit), RelatedSignal(unit)
        for each in signal.propose(session, query, 10).tolist():
            assert len(signal.evidence(session, query, each)) == 1


def test_scores_do_not_depend_on_what_was_asked_before(session: Session) -> None:
    signal, ids = RelatedSignal("chunk"), np.array(sorted(naive(session, "")))
    together = [signal.score(session, asked(session, each), ids).tolist() for each in ("cars doctor", "doctor", "cars")]
    with Skb(session.skb.path) as skb, Session(Context(skb)) as fresh:
        alone = [signal.score(fresh, asked(fresh, each), ids).tolist() for each in ("cars", "doctor", "cars doctor")]
    assert together == alone[::-1]


WORDS = (
    "Ærøskøbing", "Nørre", "Æthelred", "Straße", "Fußball", "Чайковский", "Алёша", "서울", "Αθήνα", "أحمد", "東京駅",
    "Ölmühle", "塔",
)  # fmt: skip


def test_words_of_other_letters_are_found_as_bm25_finds_them(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    for index, word in enumerate(WORDS):
        (tmp_path / f"{index}.txt").write_text(f"It stands by {word} and waits.", encoding="utf-8")
    weave(*(f"text:{tmp_path / f'{index}.txt'}" for index in range(len(WORDS))))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        for word in WORDS:
            found = Searcher(session, "related").rank(word, 3).ids.tolist()
            assert found and found == Searcher(session, "bm25").rank(word, 3).ids.tolist(), word
            (evidence,) = RelatedSignal("chunk").evidence(session, asked(session, word), found[0])
            assert evidence.text == word
