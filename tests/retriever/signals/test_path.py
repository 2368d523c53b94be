"""The path signal: subgraphs, what a reply may say, and the chunks that follow, against naive re-implementations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request, Settings
from retriever.context import Context
from retriever.prompts.path import PROMPT
from retriever.rankers.single_signal import NaiveHybrid
from retriever.searcher import Searcher, asks_model
from retriever.session import Session
from retriever.signals.page import best_pages
from retriever.signals.path.catalogue import Choice, container_choices, listing, path_choices
from retriever.signals.path.chunks import chunks_of
from retriever.signals.path.selection import STAND_IN, read_reply
from retriever.signals.path.signal import PathSignal
from retriever.signals.path.subgraph import best_subgraph
from retriever.types import Ids, Query
from tests.asking import query_with
from tests.vectors import matrices, space_vectors
from tests.worlds import link, page, triple, write_pages
from weft.chat.base import ScriptedChat
from weft.skb import Skb

QUESTION = "Who tuned the harp of the toll bridge on the river Veldra?"

PAGES = {
    "a.html": page(
        "Alder",
        f"The {link('Birch')} stands by it.",
        "== Roots",
        f"Both {link('Birch')} and {link('Cedar')} are near.",
        "== Leaves",
        f"Only {link('Cedar')} is so green.",
    ),
    "b.html": page("Birch", f"It is near {link('Cedar')} and {link('Dogwood')}.", "== Roots", "None."),
    "c.html": page("Cedar", f"It is far from {link('Alder')}.", f"It is not {link('Elder tree')}."),
}
FACTS = [
    ("Alder", "near", "Birch"),
    ("Birch", "near", "Alder"),
    ("Birch", "near", "Cedar"),
    ("Cedar", "far", "Alder"),
    ("Dogwood", "kinOf", "Birch"),
    ("Elder_tree", "kinOf", "Cedar"),
    ("Elder_tree", "kinOf", "Dogwood"),
]


@pytest.fixture(scope="session")
def grove(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a small SKB with relations; its vectors count words by their length."""
    folder = tmp_path_factory.mktemp("grove")
    (folder / "facts.nt").write_text("".join(triple(*fact) for fact in FACTS), encoding="utf-8")
    build(
        Request(
            (str(write_pages(folder / "pages", PAGES)),),
            folder / "kb.skb",
            (str(folder / "facts.nt"),),
            settings=Settings(embedder="lengths", all_relations=True),
            workers=1,
        )
    )
    return folder / "kb.skb"


@pytest.fixture
def session(grove: Path) -> Iterator[Session]:
    with Skb(grove) as opened:
        yield Session(Context(opened))


def asked(session: Session, text: str, allowed: Ids | None = None) -> Query:
    return query_with(text, session.encode([text]), "chunk", allowed)


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    lengths = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    return round(float(np.dot(one.astype(float), other.astype(float))) / lengths, 6) if lengths else 0.0


def naive_subgraph(session: Session, query: Query, seeds: int, size: int) -> list[tuple[tuple[str, ...], float]]:
    """Return the best subgraph's paths as `uri, type, uri, ...` with their scores, by lists and SQL alone."""
    skb = session.skb
    ids, labels = space_vectors(session, "label")
    type_ids, types = space_vectors(session, "relation_type")
    label_rows, type_rows, (asked_for, *_) = matrices(labels, types, query.vectors)
    label = dict(zip(ids.tolist(), label_rows, strict=True))
    by_name = dict(skb.connection.execute("SELECT name, id FROM relation_type").fetchall())
    row = dict(zip(type_ids.tolist(), type_rows, strict=True))
    cited = {each for (each,) in skb.connection.execute("SELECT entity_id FROM cites")}
    best = sorted(skb.entities(sorted(cited)), key=lambda each: (-cosine(label[each.id], asked_for), each.uri))[:seeds]
    grown = []
    for seed in best:
        members: list[tuple[int, tuple[str, ...], list[np.ndarray], float]] = [
            (seed.id, (seed.uri,), [], cosine(label[seed.id], asked_for))
        ]
        while len(members) < size:
            candidates = []
            for number, (member, path, way, _) in enumerate(members):
                for kind, other in skb.neighbours(member):
                    if other.id not in [each[0] for each in members]:
                        name = kind if kind in by_name else kind.removeprefix("is_").removesuffix("_of")
                        relations = [*way, row[by_name[name]]]
                        score = cosine(np.mean([label[other.id], *relations], axis=0), asked_for)
                        candidates.append((-score, other.uri, kind, number, other.id, path, relations))
            if not candidates:
                break
            score, uri, kind, _, node, path, relations = min(candidates, key=lambda each: each[:4])
            members.append((node, (*path, kind, uri), relations, -score))
        grown.append(members)
    chosen = max(grown, key=lambda each: (len(each) > 1, sum(member[3] for member in each) / len(each)))
    return [(path, score) for _, path, _, score in chosen]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("seeds", [1, 3])
@pytest.mark.parametrize("text", ["Alder near", "Birch kin of", "Elder tree far", "a dogwood", "Cedar"])
def test_a_subgraph_grows_as_told(session: Session, text: str, seeds: int, size: int) -> None:
    compare_subgraph(session, asked(session, text), seeds, size)


@pytest.mark.parametrize("text", [QUESTION, "Which guild keeps the lighthouse?", "lake"])
def test_a_subgraph_of_the_invented_world_grows_as_told(skb: Skb, text: str) -> None:
    session = Session(Context(skb))
    compare_subgraph(session, asked(session, text), 3, 5)


@pytest.fixture(scope="session")
def tangle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SKB of 24 entities in a random graph, where many edges score alike and many lead both ways."""
    folder, draw = tmp_path_factory.mktemp("tangle"), np.random.default_rng(7)
    names = [f"{first}{'e' * index}" for index in range(6) for first in ("Ash", "Birch", "Elm", "Larch")]
    facts = [
        (names[one], ("near", "far", "kinOf")[kind], names[other])
        for one, other, kind in zip(*draw.integers(0, [[24], [24], [3]], (3, 90)).tolist(), strict=True)
    ]
    (folder / "facts.nt").write_text("".join(triple(*fact) for fact in facts), encoding="utf-8")
    pages = {
        f"{name}.html": page(name, f"It meets {link(names[int(draw.integers(24))])} and {link(name)}.")
        for name in names
    }
    sources, settings = (str(write_pages(folder / "pages", pages)),), Settings(embedder="lengths", all_relations=True)
    build(Request(sources, folder / "kb.skb", (str(folder / "facts.nt"),), settings=settings, workers=1))
    return folder / "kb.skb"


@pytest.mark.parametrize(("seeds", "size"), [(1, 9), (3, 5), (8, 4), (24, 24)])
def test_subgraphs_of_a_random_graph_grow_as_told(tangle: Path, seeds: int, size: int) -> None:
    with Skb(tangle) as opened:
        session = Session(Context(opened))
        for text in ("Elm near", "Birche is far from Ashee", "kin of larches", "a"):
            compare_subgraph(session, asked(session, text), seeds, size)


def compare_subgraph(session: Session, query: Query, seeds: int, size: int) -> None:
    found = best_subgraph(session, query, seeds, size)
    assert found is not None
    expected = naive_subgraph(session, query, seeds, size)
    paths = []
    for path in found.paths:
        first, *others = session.uris("entity", path.entities)
        paths.append((first, *(part for pair in zip(path.types, others, strict=True) for part in pair)))
    assert paths == [path for path, _ in expected]
    assert [path.score for path in found.paths] == pytest.approx([score for _, score in expected], abs=3e-6)
    assert found.score == pytest.approx(np.mean([score for _, score in expected]), abs=3e-6)


def test_a_relation_both_ways_is_read_once_and_never_back(session: Session) -> None:
    found = best_subgraph(session, asked(session, "Alder"), 1, 9)
    assert found is not None
    lines = [choice.text for choice in path_choices(session, found)]
    assert "Alder#near:Birch" in lines
    assert not any("is_near_of:Birch" in line for line in lines)
    assert all(len(set(path.entities)) == len(path.entities) for path in found.paths)


def some_choices(session: Session, text: str = "Alder near") -> tuple[Choice, ...]:
    query = asked(session, text)
    pages, scores = best_pages(session, query, 3, session.chunk_table.page_ids)
    return container_choices(session, query, pages, scores) + path_choices(session, best_subgraph(session, query))


def test_the_listing_shows_pages_sections_and_paths(session: Session) -> None:
    lines = listing(some_choices(session)).splitlines()
    assert lines[:3] == ["1.Alder", "#Roots", "#Leaves"]
    assert lines[3:6] in (["2.Birch", "#Roots", "3.Cedar"], ["2.Cedar", "3.Birch", "#Roots"])
    assert "Alder#near:Birch" in lines[6:]


@pytest.mark.parametrize(
    ("reply", "chosen", "ignored"),
    [
        ("Birch", ["Birch"], 0),
        ("Alder#Leaves", ["Alder#Leaves"], 0),
        ("Alder#near:Birch", ["Alder#near:Birch"], 0),
        ("Alder#Roots; Birch", ["Alder#Roots", "Birch"], 0),
        ("Alder#Roots;Alder#Roots", ["Alder#Roots"], 0),
        ("Alder#Roots\nCedar", ["Alder#Roots", "Cedar"], 0),
        ("ND", [], 0),
        ("nd.", [], 0),
        ("ND; Cedar", ["Cedar"], 0),
        ("alder#ROOTS", ["Alder#Roots"], 0),
        ("#Leaves", ["Alder#Leaves"], 0),
        ("Leaves", ["Alder#Leaves"], 0),
        ("#Roots", ["Alder#Roots"], 0),
        ("near:Birch", ["Alder#near:Birch"], 0),
        ("1.Alder", ["Alder"], 0),
        ("2) Alder#Roots", ["Alder#Roots"], 0),
        ("`Birch#Roots`", ["Birch#Roots"], 0),
        ("- Birch#Roots\n- Cedar", ["Birch#Roots", "Cedar"], 0),
        ("Answer: Alder#Roots", ["Alder#Roots"], 0),
        ("Alder#Rootes", ["Alder#Roots"], 0),
        ("Sycamore", [], 1),
        ("Sycamore#Bark; Cedar", ["Cedar"], 1),
        ("I cannot tell from this catalogue.", [], 1),
        ("", [], 1),
        (" ; ;", [], 1),
        ("{\"page\": 7}", [], 1),
        ("<think>Birch? No: it has no harp.</think>Cedar", ["Cedar"], 0),
        ("<think>\nBirch\n</think>\n\nAlder#Leaves; Cedar", ["Alder#Leaves", "Cedar"], 0),
        ("Birch is wrong.\n</think>\nCedar", ["Cedar"], 0),
        ("<think>Birch</think><THINK>Alder</THINK>Cedar", ["Cedar"], 0),
        ("<think>Birch; Cedar; or", [], 1),
        ("<think>Birch</think>", [], 1),
        ("<think>Birch</think>ND", [], 0),
        ('["Birch", "Alder#Roots"]', ["Birch", "Alder#Roots"], 0),
        ('{"pages": ["Birch"], "facts": ["Alder#near:Birch"]}', ["Birch", "Alder#near:Birch"], 0),
        ('{"answer": {"chosen": "#Leaves"}, "sure": true}', ["Alder#Leaves"], 0),
        ('Here it is:\n```json\n{"answer": "Cedar"}\n```\nBirch is less likely.', ["Cedar"], 0),
        ("```\nBirch\nCedar\n```", ["Birch", "Cedar"], 0),
        ('<think>["Birch"]</think>["Cedar"]', ["Cedar"], 0),
        ('["Birch", "Sycamore"]', ["Birch"], 1),
        ('["ND"]', [], 0),
        ("[]", [], 1),
        ("[" * 100_000, [], 1),
        ("[" * 50 + '"Birch"' + "]" * 50, [], 1),
    ],
)  # fmt: skip
def test_a_reply_is_read_tolerantly(session: Session, reply: str, chosen: list[str], ignored: int) -> None:
    reading = read_reply(reply, some_choices(session))
    assert [choice.text for choice in reading.chosen] == chosen
    assert len(reading.warnings) == ignored


def test_encoded_titles_are_understood_as_they_read() -> None:
    choices = (Choice("page", "C%23; music", 1, (), 0.5), Choice("page", "Music", 2, (), 0.4))
    assert read_reply("C%23; music", choices).chosen == choices[:1]
    assert read_reply("C# music", choices[1:]).chosen == ()
    assert read_reply("c#", (Choice("page", "C%23", 1, (), 0.5),)).chosen[0].text == "C%23"


def chunk_uris(session: Session, ids: Ids) -> list[str]:
    return sorted(session.uris("chunk", ids.tolist()))


def a_path(session: Session, *uris: str) -> Choice:
    entities = [session.skb.entity(uri) for uri in uris]
    return Choice("path", "#".join(uris), 0, tuple(each.id for each in entities if each), 1.0)


def naive_cascade(session: Session, path: Choice, allowed: set[int] | None) -> list[str]:
    skb = session.skb
    cites = {chunk: set() for (chunk,) in skb.connection.execute("SELECT id FROM chunk")}  # type: dict[int, set[int]]
    for chunk, entity in skb.connection.execute("SELECT chunk_id, entity_id FROM cites"):
        cites[chunk].add(entity)
    left = {chunk: cited for chunk, cited in cites.items() if allowed is None or chunk in allowed}
    page_of = dict(skb.connection.execute("SELECT id, page_id FROM chunk").fetchall())
    wanted = set(path.entities)
    own = {entity.id: entity.page_id for entity in skb.entities(path.entities)}
    steps = [
        [chunk for chunk, cited in left.items() if wanted <= cited],
        [chunk for chunk, cited in left.items() for each in wanted
         if own[each] and page_of[chunk] == own[each] and wanted - {each} <= cited],
        [chunk for chunk, cited in left.items() if len(wanted) > 2 and len(wanted & cited) >= 2],
        [chunk for chunk, cited in left.items() if wanted & cited],
    ]  # fmt: skip
    found = next((step for step in steps if step), [])
    return sorted(skb.uris("chunk", sorted(set(found))))


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (("Birch", "Cedar"), ["Alder#Roots##1"]),
        (("Alder", "Birch"), ["Alder##1", "Alder#Roots##1"]),
        (("Alder", "Birch", "Cedar"), ["Alder#Roots##1"]),
        (("Alder", "Cedar", "Dogwood"), ["Birch##1"]),
        (("Alder", "Dogwood"), ["Birch##1", "Cedar##1"]),
        (("Dogwood", "Elder tree"), ["Birch##1", "Cedar##2"]),
    ],
)
def test_chunks_follow_from_a_path(session: Session, path: tuple[str, ...], found: list[str]) -> None:
    query, choice = asked(session, "Alder near"), a_path(session, *path)
    assert chunk_uris(session, chunks_of(session, query, choice)) == found == naive_cascade(session, choice, None)
    every = session.chunk_table.chunk_ids
    for allowed in (every[::2], every[1::2], every[:0]):
        left = chunks_of(session, query._replace(allowed=allowed), choice)
        assert chunk_uris(session, left) == naive_cascade(session, choice, set(allowed.tolist()))


def test_a_single_chunk_is_the_most_similar(session: Session) -> None:
    query, choice = asked(session, "Alder Roots Both Birch and Cedar are near."), a_path(session, "Alder", "Birch")
    assert chunk_uris(session, chunks_of(session, query, choice, single=True)) == ["Alder#Roots##1"]
    far = a_path(session, "Dogwood", "Elder tree")
    assert chunk_uris(session, chunks_of(session, query, far, single=True)) == ["Birch##1", "Cedar##2"]


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("Alder", ["Alder##1"]),
        ("Alder#Roots", ["Alder#Roots##1"]),
        ("Cedar; Alder#Leaves", ["Alder#Leaves##1", "Cedar##1", "Cedar##2"]),
        ("ND", []),
        ("nonsense", []),
        ("Alder#near:Birch", ["Alder##1", "Alder#Roots##1"]),
    ],
)
def test_a_chat_model_selects(session: Session, reply: str, found: list[str]) -> None:
    chat = ScriptedChat([reply])
    session.chat = chat
    signal, query = PathSignal("chunk", model=True), asked(session, "Alder near")
    ids = signal.propose(session, query, 1)
    assert chunk_uris(session, ids) == found
    everything = session.chunk_table.chunk_ids
    expected = [float(uri in found) for uri in session.uris("chunk", everything.tolist())]
    assert signal.score(session, query, everything).tolist() == expected
    assert signal.score(session, query._replace(question=query.question._replace()), everything).tolist() == expected
    assert len(chat.asked) == 1
    assert "Question: Alder near" in chat.asked[0][1].content and "1.Alder\n#Roots" in chat.asked[0][1].content
    (step,) = session.trace.steps
    assert step.stand_in is None and step.detail["reply"] == reply
    assert step.calls == 1 and step.tokens_in > 0 and step.tokens_out == len(reply.split())
    assert len(step.warnings) == (reply == "nonsense")


def test_a_chat_model_is_asked_where_the_method_says_so_and_not_else(session: Session) -> None:
    query = asked(session, "Alder near")
    alone = PathSignal("chunk").propose(session, query, 3).tolist()
    session.forget()
    chat = ScriptedChat(lambda messages: "Cedar")
    session.chat = chat
    assert PathSignal("chunk").propose(session, query, 3).tolist() == alone and chat.asked == []
    by_model = PathSignal("chunk", model=True).propose(session, query, 3)
    assert chunk_uris(session, by_model) == ["Cedar##1", "Cedar##2"] and len(chat.asked) == 1
    steps = session.trace.steps
    assert [step.stand_in for step in steps] == [STAND_IN, None] and steps[1].detail["prompt"] == PROMPT.version
    session.chat = None
    session.forget()
    assert PathSignal("chunk", model=True).propose(session, query, 3).tolist() == alone
    assert session.trace.steps[0].stand_in == STAND_IN


@pytest.mark.parametrize("method", ["hybrid", "hybrid(fusion=rrf)", "path", "naive-hybrid"])
def test_what_is_fused_never_asks_a_chat_model(world: Path, method: str) -> None:
    chat = ScriptedChat([])
    with Skb(world) as opened:
        context = Context(opened)
        with Session(context) as alone, Session(context, chat) as session:
            found, same = Searcher(session, method).rank(QUESTION, 20), Searcher(alone, method).rank(QUESTION, 20)
    assert found.ids.tolist() == same.ids.tolist() and found.scores.tolist() == same.scores.tolist()
    assert chat.asked == []


@pytest.mark.parametrize("method", ["path(model=yes)", "naive-hybrid(model=yes)"])
def test_a_method_by_name_asks_a_chat_model_once(world: Path, method: str) -> None:
    chat = ScriptedChat(lambda messages: messages[1].content.splitlines()[1])
    with Skb(world) as opened, Session(Context(opened), chat) as session:
        searcher = Searcher(session, method)
        found = searcher.rank(QUESTION, 3)
        chosen = chat.asked[0][1].content.splitlines()[1].removeprefix("1.")
        assert found.ids.tolist() and searcher.texts(found)[0][1] == chosen
        searcher.signals(QUESTION, found)
        searcher.rank(QUESTION, 5)
    assert len(chat.asked) == 1 and asks_model(method) and not asks_model(method.partition("(")[0])


def test_without_a_model_similarity_selects_and_says_so(session: Session) -> None:
    signal, query = PathSignal("chunk"), asked(session, "Alder near")
    ids = signal.propose(session, query, 3)
    (step,) = session.trace.steps
    assert step.stand_in == STAND_IN and (step.calls, step.tokens_in, step.tokens_out) == (0, 0, 0)
    choices = some_choices(session)
    indices = [each for each in choices if each.kind != "path"]
    paths = [each for each in choices if each.kind == "path"]
    best = [max(each.score for each in kind) for kind in (indices, paths)]
    by_text = {each.text: each for each in choices}
    assert [by_text[text].score for text in step.detail["chosen"]] == best
    assert ids.tolist() == PathSignal("chunk").propose(session, query, 3).tolist()
    evidence = signal.evidence(session, query, int(ids[0]))
    assert evidence and {each.signal for each in evidence} == {"path"}
    assert {each.text for each in evidence} <= set(step.detail["chosen"])
    unselected = next(each for each in session.chunk_table.chunk_ids.tolist() if each not in ids.tolist())
    assert signal.evidence(session, query, unselected) == ()


def test_what_may_be_ranked_bounds_what_is_offered(session: Session) -> None:
    chat = ScriptedChat(lambda messages: "Birch#Roots; Alder")
    session.chat = chat
    every = session.chunk_table.chunk_ids.tolist()
    birch = [each for each in every if session.uris("chunk", [each])[0].startswith("Birch")]
    signal = PathSignal("chunk", model=True)
    found = signal.propose(session, asked(session, "Alder near", np.array(birch)), 3)
    assert chunk_uris(session, found) == ["Birch#Roots##1"]
    assert "1.Birch\n#Roots" in chat.asked[0][1].content and ".Alder" not in chat.asked[0][1].content
    found = signal.propose(session, asked(session, "Alder near"), 3)
    assert chunk_uris(session, found) == ["Alder##1", "Birch#Roots##1"]
    assert len(chat.asked) == 2


def test_a_question_without_a_known_word_asks_nobody(session: Session) -> None:
    chat = ScriptedChat([])
    session.chat = chat
    signal = PathSignal("chunk", model=True)
    assert signal.propose(session, asked(session, ""), 3).tolist() == [] and chat.asked == []
    assert not signal.score(session, asked(session, ""), session.chunk_table.chunk_ids).any()


def test_entities_are_selected_by_paths_and_pages(session: Session) -> None:
    session.chat = ScriptedChat(["Cedar; Alder#near:Birch"])
    query = asked(session, "Alder near")._replace(unit="entity")
    ids = PathSignal("entity", model=True).propose(session, query, 3)
    assert sorted(session.uris("entity", ids.tolist())) == ["Alder", "Birch", "Cedar"]


def test_naive_hybrid_puts_paths_before_vectors(session: Session) -> None:
    session.chat = ScriptedChat(lambda messages: "Cedar; Alder; Alder#Roots; Alder#Leaves")
    query = asked(session, "Alder near")
    found = NaiveHybrid("chunk", paths=3, model=True).rank(session, query, 5)
    assert found.groups.tolist() == [0, 0, 0, 1, 1]
    assert found.columns == ("path", "vector") and found.features[:, 0].tolist() == [1, 1, 1, 0, 0]
    ranker = NaiveHybrid("chunk", model=True)
    everything = session.chunk_table.chunk_ids
    own = dict(zip(everything.tolist(), ranker.vector.score(session, query, everything).tolist(), strict=True))
    selected = sorted(ranker.path.propose(session, query, 9).tolist(), key=lambda each: -own[each])
    assert {own[each] for each in found.ids[:3].tolist()} == {own[each] for each in selected[:3]}
    rest = [each for each in ranker.vector.propose(session, query, 99).tolist() if each not in found.ids[:3].tolist()]
    assert found.ids[3:].tolist() == rest[:2]
    assert (np.diff(found.scores) <= 0).all()
    assert len(NaiveHybrid("chunk").rank(session, query, 2).ids) == 2


def test_a_world_without_relations_has_pages_and_sections_alone(tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "pages", PAGES)
    build(Request((str(folder),), tmp_path / "kb.skb", settings=Settings(embedder="lengths"), workers=1))
    with Skb(tmp_path / "kb.skb") as opened:
        session = Session(Context(opened), ScriptedChat(["Alder#Roots"]))
        ids = PathSignal("chunk", model=True).propose(session, asked(session, "Alder near"), 3)
        assert chunk_uris(session, ids) == ["Alder#Roots##1"]
        assert {choice.kind for choice in some_choices(session)} == {"page", "section"}
