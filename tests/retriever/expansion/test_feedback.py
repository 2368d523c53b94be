"""base, prf, hyde, rar and agr: what they ask, what they add, and how it is joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.expansion.joining import JOINS
from retriever.expansion.texts import unit_texts
from retriever.registry import ENTRIES, offered
from retriever.searcher import Searcher, asks_model
from retriever.session import Session
from retriever.types import Query, Unit
from tests.vectors import matrices
from weft.chat.base import Message, ScriptedChat
from weft.chat.dry_run import DryRun
from weft.chat.store import ReplyStore
from weft.chat.tokens import tokens_read
from weft.errors import WeftError
from weft.skb import Skb

QUESTION = "In which town was the designer of the Quillon Bridge born?"
UNITS: tuple[Unit, ...] = ("chunk", "entity")
MODELS = ("hyde", "rar", "agr", "kar")
Script = Sequence[str] | Callable[[Sequence[Message]], str]


@pytest.fixture
def asked(world: Path) -> Iterator[Callable[[Script | None], Session]]:
    """Open sessions of the fixtures, with a scripted model or none."""
    with Skb(world) as opened:
        yield lambda script: Session(Context(opened), None if script is None else ScriptedChat(script))


def expanded(session: Session, method: str, unit: Unit = "chunk", question: str = QUESTION) -> Query:
    """Return what a method searches for."""
    searcher = Searcher(session, method, unit)
    found: Query = searcher.ranker.expanded(session, searcher.query(question))  # type: ignore[attr-defined]
    return found


def conversations(session: Session) -> list[tuple[Message, ...]]:
    """Return what the scripted model was asked."""
    assert isinstance(session.chat, ScriptedChat)
    return session.chat.asked


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("ranker", ["vector", "bm25", "hybrid(fusion=rrf)"])
def test_base_is_the_ranker_itself(asked: Callable[[Script | None], Session], unit: Unit, ranker: str) -> None:
    if unit == "entity":
        ranker = ranker.partition("(")[0]
    session = asked(None)
    plain, other = (Searcher(session, each, unit).rank(QUESTION, 20) for each in (ranker, f"base>{ranker}"))
    assert plain.ids.tolist() == other.ids.tolist() and plain.scores.tobytes() == other.scores.tobytes()


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("join", JOINS)
def test_prf_adds_the_first_texts(asked: Callable[[Script | None], Session], unit: Unit, join: str) -> None:
    session = asked(None)
    plain = Searcher(session, "vector", unit)
    first = plain.rank(QUESTION, 2).ids.tolist()
    texts = [chunk.text for chunk in session.skb.chunks(first)] if unit == "chunk" else []
    names = [entity.name for entity in session.skb.entities(first)] if unit == "entity" else []
    query = expanded(session, f"prf(n=2,join={join})>vector", unit)
    assert query.searched.startswith(QUESTION + "\n") and query.question.text == QUESTION
    assert all(each in query.searched for each in texts + names)
    added = query.searched[len(QUESTION) + 1 :]
    own = plain.query(QUESTION).vectors
    if join == "text":
        (expected, found) = matrices(session.encode([f"{QUESTION}\n{added}"]), query.vectors)
    else:
        pieces = _pieces(session, unit, first)
        rows, found = matrices(own.joined(session.encode(pieces)), query.vectors)
        expected = _joined(rows, join)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-5)
    assert len(query.vectors) == (3 if join == "each" else 1)


def _pieces(session: Session, unit: Unit, ids: list[int]) -> list[str]:
    return unit_texts(session, unit, np.array(ids))


def _joined(rows: np.ndarray, join: str) -> np.ndarray:
    """Return the question's row and others joined as the name says."""
    if join == "each":
        return rows
    others = rows[1:].sum(0, keepdims=True)
    total = rows.sum(0, keepdims=True) if join == "mean" else rows[:1] + others / np.linalg.norm(others)
    return np.asarray(total / np.linalg.norm(total))


def test_hyde_adds_what_the_model_writes_n_times_in_one_call(asked: Callable[[Script | None], Session]) -> None:
    session = asked(["Orrin was born in Ghasmont.", " ", "A town of tin."])
    query = expanded(session, "hyde>bm25")
    assert query.searched == f"{QUESTION}\nOrrin was born in Ghasmont.\nA town of tin."
    (conversation,) = conversations(session)
    assert QUESTION in conversation[1].content and "passage: [title of its page, text]" in conversation[1].content
    (step,) = (each for each in session.trace.steps if each.name == "document")
    assert step.calls == 3 and step.warnings == ("document: 1 of the replies empty",)


def test_rar_shows_the_model_what_was_found(asked: Callable[[Script | None], Session]) -> None:
    session = asked(lambda messages: "Ghasmont is a town.")
    query = expanded(session, "rar(k=2,n=1,structure=no)>vector")
    assert query.searched == f"{QUESTION}\nGhasmont is a town."
    (conversation,) = conversations(session)
    first, second = Searcher(session, "vector").rank(QUESTION, 2).ids.tolist()
    texts = [chunk.text for chunk in session.skb.chunks([first, second])]
    assert all(text in conversation[1].content for text in texts)
    assert "[2]" in conversation[1].content and "passage:" not in conversation[1].content


def test_agr_analyses_writes_retrieves_and_refines(asked: Callable[[Script | None], Session]) -> None:
    written = ["A mining town.", "A harbour.", "Ghasmont.", "Ulmeskar."]
    session = asked(["Quillon Bridge", "It asks for a town.", *written, "Best."])
    query = expanded(session, "agr(n=2,k=2)>bm25")
    assert query.searched == f"{QUESTION}\nBest."
    turns = [conversation[1].content for conversation in conversations(session)]
    assert len(turns) == 5 and "Quillon Bridge" in turns[1] and "It asks for a town." in turns[2]
    (mining,) = session.skb.chunks(Searcher(session, "bm25").rank("A mining town.", 1).ids.tolist())
    assert "Ghasmont.\n" not in turns[3] and mining.text in turns[3] and mining.text in turns[4]
    assert "[1] Ghasmont.\n\n[2] Ulmeskar." in turns[4]


@pytest.mark.parametrize(("method", "same"), [("hyde", "base"), ("rar", "prf"), ("agr", "prf")])
def test_without_a_model_something_stands_in(
    asked: Callable[[Script | None], Session], method: str, same: str
) -> None:
    session = asked(None)
    one, other = (expanded(session, f"{each}>vector") for each in (method, same))
    assert one.searched == other.searched and one.vectors.row_keys() == other.vectors.row_keys()
    (step,) = (each for each in session.trace.steps if each.name == method)
    assert step.stand_in and step.calls == 0


@pytest.mark.parametrize("method", [each for each in offered("expansion") if each != "echo"])
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("ranker", ["bm25", "vector", "hybrid"])
def test_every_expansion_goes_before_every_ranker(
    asked: Callable[[Script | None], Session], method: str, unit: Unit, ranker: str
) -> None:
    session = asked(lambda messages: "A bridge over the Veldra by Orrin Tasker.")
    found = Searcher(session, f"{method}>{ranker}", unit).rank(QUESTION, 5)
    assert len(found.ids) == 5 and found.unit == unit
    assert asks_model(f"{method}>{ranker}") == (method in MODELS)


def test_only_kar_can_be_told_to_ask_no_model() -> None:
    assert not asks_model("kar(model=no)>vector")
    assert {name for name in MODELS if "model" in ENTRIES[name].options} == {"kar"}


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        ("prf(join=sum)>vector", r"prf\(join=sum\): join=sum is none of text, mean, half, each"),
        ("kar(filter=size)>vector", r"kar\(filter=size\): filter=size is none of document, name"),
        ("kar(docs=all)>vector", r"kar\(docs=all\): docs=all is none of lead, chunks"),
        ("kar(h=9)>vector", "kar: h=9 must be from 1 to 4"), ("hyde(model=no)>vector", "no option is named model"),
    ],
)  # fmt: skip
def test_options_that_are_none_are_refused(world: Path, method: str, complaint: str) -> None:
    with Skb(world) as opened, Session(Context(opened)) as session, pytest.raises(WeftError, match=complaint):
        Searcher(session, method)


@pytest.mark.parametrize("method", ["hyde(n=2)", "rar(n=2)", "agr(n=2,tokens=500)", "kar(n=2,tokens=500)"])
def test_a_dry_run_tells_calls_and_no_fewer_tokens(
    asked: Callable[[Script | None], Session], tmp_path: Path, method: str
) -> None:
    session = asked(lambda messages: "Orrin Tasker, engineer")
    expanded(session, f"{method}>vector")
    steps = [step for step in session.trace.steps if step.calls]
    # A dry run counts what is read once a sample, as services do that are asked for each one by one.
    read = sum(
        step.calls * tokens_read(turns) for step, turns in zip(steps, conversations(session), strict=True)
    )
    dry = DryRun("openai:m", ReplyStore(tmp_path / "replies.sqlite"))
    with Session(session.context, dry) as counted:
        assert expanded(counted, f"{method}>vector").searched == QUESTION
    assert dry.estimate.calls == sum(step.calls for step in steps) and dry.estimate.tokens_in >= read
    assert (dry.estimate.assumed > 0) == (method[:3] in ("agr", "kar"))


@pytest.mark.parametrize("odd", ["", "   ", "<think>hm</think>", '```json\n{"a": null}\n```', "ND", "key " * 3_000])
@pytest.mark.parametrize("step", range(5))
def test_agr_searches_on_whatever_one_step_replies(
    asked: Callable[[Script | None], Session], odd: str, step: int
) -> None:
    plain = ["bridge\ndesigner", "A town is wanted.", "Orrin Tasker", "Orrin Tasker of Ghasmont", "Ghasmont"]
    session = asked([odd if index == step else reply for index, reply in enumerate(plain)])
    searcher = Searcher(session, "agr(n=1,k=2)>bm25")
    assert len(searcher.rank(QUESTION, 5).ids) == 5
