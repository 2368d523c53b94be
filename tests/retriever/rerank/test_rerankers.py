"""Rerankers with scripted models: the order that replies ask for, what is shown, and what odd replies leave."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from retriever.context import Context
from retriever.rerank.listwise import USEFUL, window_size, windows
from retriever.rerank.overflow import Candidates
from retriever.searcher import Searcher, asks_model
from retriever.session import Session
from retriever.types import Ranking, Unit
from weft.chat.base import DEFAULT, Message, Options, Reply, ScriptedChat
from weft.chat.dry_run import DryRun
from weft.chat.store import ReplyStore
from weft.chat.tokens import tokens_of, tokens_read
from weft.documents import Documents
from weft.errors import ModelError, WeftError
from weft.skb import Skb

QUESTION = "Which engineer designed the Quillon Bridge?"
ALL = ("pointwise", "listwise", "pairwise")
Script = Callable[[Sequence[Message]], str]


@pytest.fixture
def asked(world: Path) -> Iterator[Callable[[Script | None], Session]]:
    """Open sessions of the fixtures, with a scripted model or none."""
    with Skb(world) as opened:
        yield lambda script: Session(Context(opened), None if script is None else ScriptedChat(script))


def likes(word: str) -> Script:
    """Reply as one who likes a text the better the more often a word stands in it."""

    def reply(messages: Sequence[Message]) -> str:
        turn = messages[1].content
        if "Candidate A:" in turn:
            first, second = turn.partition("Candidate A:")[2].split("Candidate B:")
            counts = first.count(word), second.count(word)
            return "neither" if counts[0] == counts[1] else "A" if counts[0] > counts[1] else "B"
        if "Candidates:" in turn:
            texts = re.split(r"\n\n\[\d+\] |\n\[\d+\] ", turn.partition("Candidates:")[2])[1:]
            return str([1 + place for place in sorted(range(len(texts)), key=lambda each: -texts[each].count(word))])
        return f"{min(1.0, turn.partition('Candidate:')[2].count(word) / 50)}"

    return reply


def texts_of(session: Session, found: Ranking) -> list[str]:
    candidates = Candidates(session, Searcher(session, "bm25", found.unit).query(QUESTION), found, relations=True)
    return [candidates.fitting([place], 10**6).texts[0] for place in range(len(found.ids))]  # type: ignore[union-attr]


@pytest.mark.parametrize("reranker", ALL)
@pytest.mark.parametrize("unit", ["chunk", "entity"])
def test_hits_stand_as_the_model_likes_them(
    asked: Callable[[Script | None], Session], reranker: str, unit: Unit
) -> None:
    session = asked(likes("e"))
    before = Searcher(session, "vector", unit).rank(QUESTION, 30)
    after = Searcher(session, f"vector+{reranker}(k=8,tokens=100000)", unit).rank(QUESTION, 30)
    liked = [text.count("e") for text in texts_of(session, before.head(8))]
    if reranker == "pointwise":
        liked = [min(50, each) for each in liked]
    expected = sorted(range(8), key=lambda place: -liked[place])
    assert after.ids[:8].tolist() == before.ids[expected].tolist() != before.ids[:8].tolist()
    assert after.ids[8:].tolist() == before.ids[8:].tolist()
    assert asks_model(f"bm25+{reranker}")


@pytest.mark.parametrize("reranker", ALL)
@pytest.mark.parametrize("reply", ["", "?", "[77, 99]", "candidate Z", "<think>A 1 0.5"])
def test_replies_that_say_nothing_change_nothing(
    asked: Callable[[Script | None], Session], reranker: str, reply: str
) -> None:
    session = asked(lambda messages: reply)
    before, after = (Searcher(session, f"bm25{more}").rank(QUESTION, 10) for more in ("", f"+{reranker}(k=6)"))
    assert after.ids.tolist() == before.ids.tolist()
    (step,) = (each for each in session.trace.steps if each.name == reranker)
    assert step.warnings and step.calls == {"pointwise": 6, "listwise": 1}.get(reranker, step.calls)


@pytest.mark.parametrize("reranker", ALL)
@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_replied_the_hits_are_the_same(
    asked: Callable[[Script | None], Session], reranker: str, seed: int
) -> None:
    def reply(messages: Sequence[Message]) -> str:
        draw = random.Random(str((seed, messages)))
        return draw.choice(["A", "B", "both", "0.3", "0.9", "[3, 1, 40]", "2, 2, 7", ""])

    session = asked(reply)
    before, after, again = (
        Searcher(session, method).rank(QUESTION, 25)
        for method in ("hybrid(fusion=rrf)", *[f"hybrid(fusion=rrf)+{reranker}(k=20)"] * 2)
    )
    assert sorted(after.ids[:20].tolist()) == sorted(before.ids[:20].tolist())
    assert after.ids[20:].tolist() == before.ids[20:].tolist() and after.ids.tolist() == again.ids.tolist()


@pytest.mark.parametrize("reranker", ALL)
def test_without_a_model_the_order_stays_and_the_trace_says_so(
    asked: Callable[[Script | None], Session], reranker: str
) -> None:
    session = asked(None)
    before, after = (Searcher(session, method).rank(QUESTION, 10) for method in ("bm25", f"bm25+{reranker}"))
    assert after.ids.tolist() == before.ids.tolist()
    (step,) = (each for each in session.trace.steps if each.name == reranker)
    assert step.stand_in and step.calls == 0


def test_a_pair_in_both_orders_counts_where_they_agree(asked: Callable[[Script | None], Session]) -> None:
    session = asked(lambda messages: "B")
    before, after, both = (
        Searcher(session, f"bm25{more}").rank(QUESTION, 6)
        for more in ("", "+pairwise(k=6)", "+pairwise(k=6,both=yes)")
    )
    assert after.ids.tolist() == before.ids[::-1].tolist() and both.ids.tolist() == before.ids.tolist()
    one, two = (each for each in session.trace.steps if each.name == "pairwise")
    assert two.calls == 2 * len(set(session.chat.asked[one.calls :])) // 2 and two.detail["rounds"] <= 6  # type: ignore[union-attr]


def test_a_place_in_the_ranking_may_weigh_beside_grades(asked: Callable[[Script | None], Session]) -> None:
    session = asked(lambda messages: "0.8" if "Orrin Tasker (" in messages[1].content else "0.5")
    ranks = [
        Searcher(session, f"bm25{more}", "entity").rank("bridge Tasker", 20).ids.tolist()
        for more in ("", "+pointwise(weight=0)", "+pointwise(weight=1)")
    ]
    (tasker,) = (each.id for each in session.skb.entities(ranks[0]) if each.name == "Orrin Tasker")
    assert ranks[1][0] == tasker and ranks[1][1:] == [each for each in ranks[0] if each != tasker]
    assert ranks[2].index(tasker) <= ranks[0].index(tasker)


@pytest.mark.parametrize("tokens", [500, 900, 2_000, 5_000, 60_000])
@pytest.mark.parametrize("reranker", ALL)
@pytest.mark.parametrize("unit", ["chunk", "entity"])
def test_no_prompt_is_longer_than_allowed(
    asked: Callable[[Script | None], Session], reranker: str, unit: Unit, tokens: int
) -> None:
    session = asked(likes("e"))
    Searcher(session, f"vector+{reranker}(tokens={tokens})", unit).rank(QUESTION, 20)
    chat = session.chat
    assert isinstance(chat, ScriptedChat) and chat.asked
    assert max(map(tokens_read, chat.asked)) <= tokens
    (step,) = (each for each in session.trace.steps if each.name == reranker)
    assert not step.warnings or reranker == "pairwise"


def test_what_does_not_fit_is_left_out_level_by_level(asked: Callable[[Script | None], Session]) -> None:
    session = asked(None)
    query = Searcher(session, "bm25", "entity").query("Which flood damaged the Quillon Bridge?")
    found = Searcher(session, "bm25", "entity").rank("Quillon Bridge", 1)
    candidates = Candidates(session, query, found, relations=True)
    shown = [candidates.fitting([0], room) for room in (10**5, *range(600, 0, -10))]
    levels = [each.level if each else None for each in shown]
    assert list(dict.fromkeys(levels)) == ["all", "likest", "cut", None]
    texts = {each.level: each.texts[0] for each in shown if each}
    own = next(Documents(session.skb.connection, relations=False).of(found.ids.tolist())).text
    assert texts["all"].startswith(own) and texts["likest"].startswith(own)
    assert texts["cut"].startswith("Quillon Bridge") and len(texts["cut"]) < len(own)
    more = Searcher(session, "bm25", "entity").rank("Quillon Bridge", 5)
    several = Candidates(session, query, more, relations=True)
    together = [several.fitting(range(len(more.ids)), room) for room in range(3_000, 100, -20)]
    assert "none" in {each.level for each in together if each}
    for room, each in zip((10**5, *range(600, 0, -10)), shown, strict=True):
        assert each is None or tokens_of(each.texts[0]) <= room


def test_windows_go_from_the_last_hits_to_the_first() -> None:
    for n in range(2, 40):
        for size in range(2, n + 1):
            starts = list(windows(n, size))
            assert starts[-1] == 0 and starts == sorted(set(starts), reverse=True)
            assert {place for start in starts for place in range(start, start + size)} >= set(range(n))
    assert window_size(20, 20 * (USEFUL + 5)) == 20 and window_size(5, 30) == 0


def test_the_best_of_the_last_window_can_come_first(asked: Callable[[Script | None], Session]) -> None:
    session = asked(likes("Tasker"))
    before = Searcher(session, "bm25").rank("harbour light bridge", 20)
    texts = [chunk.text for chunk in session.skb.chunks(before.ids.tolist())]
    after = Searcher(session, "bm25+listwise(tokens=1300)").rank("harbour light bridge", 20)
    (step,) = (each for each in session.trace.steps if each.name == "listwise")
    assert step.calls > 1 and step.detail["window"] < 20
    most = max(text[:400].count("Tasker") for text in texts)
    assert session.skb.chunks(after.ids[:1].tolist())[0].text[:400].count("Tasker") == most > 0


class Failing:
    """A model that fails for one of the conversations."""

    name = "failing"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
        self.asked.append(messages[1].content)
        if "Quillon Bridge\n" in messages[1].content:
            raise ModelError("the service is gone")
        return [Reply("0.5", 1, 1)]


def test_a_failure_is_told_when_all_were_asked(world: Path) -> None:
    failing = Failing()
    with (
        Skb(world) as opened, Session(Context(opened), failing) as session,
        pytest.raises(ModelError, match="the service is gone"),
    ):  # fmt: skip
        Searcher(session, "bm25+pointwise(k=4)").rank(QUESTION, 20)
    assert len(failing.asked) == 4


@pytest.mark.parametrize("reranker", ALL)
def test_a_dry_run_tells_calls_and_no_fewer_tokens(
    asked: Callable[[Script | None], Session], tmp_path: Path, reranker: str
) -> None:
    session = asked(likes("e"))
    Searcher(session, f"bm25+{reranker}").rank(QUESTION, 20)
    assert isinstance(session.chat, ScriptedChat)
    dry = DryRun("openai:m", ReplyStore(tmp_path / "replies.sqlite"))
    with Session(session.context, dry) as counted:
        Searcher(counted, f"bm25+{reranker}").rank(QUESTION, 20)
    assert dry.estimate.calls >= len(session.chat.asked)
    assert dry.estimate.tokens_in >= sum(map(tokens_read, session.chat.asked))


def test_an_effort_is_told_to_the_model_or_refused(asked: Callable[[Script | None], Session]) -> None:
    session = asked(None)
    with pytest.raises(WeftError, match="pairwise: effort=huge is none of none, low, medium, high"):
        Searcher(session, "bm25+pairwise(effort=huge)")
    told: list[Options] = []

    class Told(ScriptedChat):
        def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
            told.append(options)
            return [Reply("A")]

    with Session(session.context, Told([])) as other:
        Searcher(other, "bm25+pairwise(k=3,effort=low,llm=small)").rank(QUESTION, 3)
    assert {(each.reasoning_effort, each.model) for each in told} == {("low", "small")}
    assert {each.temperature for each in told} == {0.0}
