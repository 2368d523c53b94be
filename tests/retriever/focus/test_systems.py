"""The three systems with scripted replies: end to end, each switch, and the same bytes for the same script."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.request import Settings
from interfaces.cli import main
from retriever.context import Context
from retriever.datasets.question_files import GoldItem, Question
from retriever.evaluation.errors import error_report
from retriever.explanation import explain
from retriever.registry import ENTRIES, Value
from retriever.searcher import Searcher, asks_model
from retriever.session import Session
from tests.paths import ROOT
from tests.retriever.focus.graphs import SONGS, reached, write_graph
from tests.worlds import write_records
from weft.chat.base import DEFAULT, Message, Options, Reply, ScriptedChat
from weft.chat.cached import CachedChat
from weft.chat.dry_run import DryRun
from weft.chat.store import ReplyStore
from weft.errors import WeftError
from weft.skb import Skb

ASKED = "who sang the songs written by Ada Orr"
CYPHER = 'MATCH (w:Person {name: "Ada Orr"})<-[:written_by]-(s:Song)-[:sung_by]->(p:Person) RETURN p'
TRIPLETS = json.dumps({
    "target": "?p", "triplets": [["?s: Song", "written_by", "Ada Orr"], ["?s: Song", "sung_by", "?p: Person"]],
})  # fmt: skip
SYSTEMS = ("4step", "focused", "autofocus")
Script = Callable[[Sequence[Message]], str]


def script(messages: Sequence[Message]) -> str:
    """Reply as a model that understands the question."""
    system = messages[0].content
    if "Cypher" in system:
        return CYPHER
    if "triplets" in system:
        return TRIPLETS
    if "A or B" in system:
        return "A"
    return "Person"


@pytest.fixture
def context(tmp_path: Path, weave: Callable[..., object]) -> Iterator[Context]:
    weave(write_graph(tmp_path / "graph"), settings=Settings(node_documents=True))
    with Skb(tmp_path / "kb.skb") as opened:
        yield Context(opened)


def ranked(context: Context, method: str, chat: Script | None = script, k: int = 20) -> list[str]:
    with Session(context, None if chat is None else ScriptedChat(chat)) as session:
        found = Searcher(session, method, "entity").rank(ASKED, k)
        return [entity.name for entity in session.skb.entities(found.ids.tolist())]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("strand", ["hybrid", "vss", "bm25"])
def test_answers_stand_before_similar_nodes_of_their_type(context: Context, system: str, strand: str) -> None:
    names = ranked(context, f"{system}(model=yes,edges=yes,strand={strand})")
    singers = reached("Ada Orr", "<written_by", ">sung_by")
    assert set(names[:2]) == singers and len(names) == len(set(names))
    people = {writer for writer, *_ in SONGS.values()} | {singer for _, singer, _ in SONGS.values()}
    n_people = sum(name in people for name in names)
    assert set(names[:n_people]) <= people and n_people > 2


def test_4step_takes_edges_of_any_relation(context: Context) -> None:
    around = {end for song, ends in SONGS.items() for end in ends[:2] if "Ada Orr" in ends}
    names = ranked(context, "4step(model=yes)")
    assert set(names[: len(around)]) == around > reached("Ada Orr", "<written_by", ">sung_by")


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_asked_stands_in_the_trace(context: Context, system: str) -> None:
    with Session(context, ScriptedChat(script)) as session:
        searcher = Searcher(session, f"{system}(model=yes,edges=yes)", "entity")
        found = searcher.rank(ASKED, 5)
        steps = [step for step in session.trace.steps if step.calls]
        order = {"4step": ["triplets"], "focused": ["cypher", "target_type"], "autofocus": ["target_type", "cypher"]}
        assert [step.name for step in steps] == order[system]
        (grounding,) = (step for step in session.trace.steps if step.name == "grounding")
        assert grounding.detail["nodes"] == 2 and len(grounding.detail["triplets"]) == 2
        first, *_ = explain(searcher, ASKED, found)
        told = [each.text for each in first[0].evidence]
        assert any("Ada Orr" in text and "written by" in text for text in told), told
        assert asks_model(f"{system}(model=yes)") and not asks_model(system)


SWITCHES: dict[str, Value] = {
    "k": 3, "alpha": 0.5, "types": False, "rel4": True, "rel6": True, "rel7": False, "effort": "low", "names": False,
    "concealed": "Language|Song", "dialect": "reference", "lmax": 2, "near": 1.0, "similar": False, "cutoff": 0.9,
    "nodes": False, "edges": False, "directions": True, "exact": True, "distinct": True, "overwriting": True, "hops": 2,
    "cull": 3, "llm": "small", "renamed": "prime",
}  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("switch", SWITCHES)
def test_each_switch_can_be_turned(context: Context, system: str, switch: str) -> None:
    value = SWITCHES[switch]
    written = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
    names = ranked(context, f"{system}(model=yes,strand=vss,{switch}={written})")
    assert len(names) == len(set(names)) and reached("Ada Orr", "<written_by", ">sung_by") <= set(names)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_option_is_one_that_a_test_turns(system: str) -> None:
    assert set(ENTRIES[system].options) == {*SWITCHES, "model", "strand", "relations", "before"}


def test_a_share_of_none_asks_for_the_type_alone(context: Context) -> None:
    with Session(context, ScriptedChat(script)) as session:
        Searcher(session, "autofocus(model=yes,alpha=0)", "entity").rank(ASKED, 5)
        assert [step.name for step in session.trace.steps if step.calls] == ["target_type"]
        session.forget()
        Searcher(session, "autofocus(model=yes,alpha=0,types=no)", "entity").rank(ASKED, 5)
        assert [step.name for step in session.trace.steps if step.calls] == []


def test_the_type_is_asked_for_before_the_query_or_after_it(context: Context) -> None:
    for before, names in (("yes", ["target_type", "cypher"]), ("no", ["cypher", "target_type"])):
        with Session(context, ScriptedChat(script)) as session:
            Searcher(session, f"autofocus(model=yes,before={before})", "entity").rank(ASKED, 5)
            assert [step.name for step in session.trace.steps if step.calls] == names
            asked = session.chat.asked  # type: ignore[union-attr]
            (turn,) = (each[1].content for each in asked if "Cypher" in each[0].content)
            assert ("of the type Person" in turn) == (before == "yes")


def test_concealed_types_and_names_are_not_shown(context: Context) -> None:
    with Session(context, ScriptedChat(script)) as session:
        Searcher(session, "autofocus(model=yes,concealed=Language)", "entity").rank(ASKED, 5)
        Searcher(session, "autofocus(model=yes,names=no)", "entity").rank(ASKED, 5)
        hidden, plain = (each[1].content for each in session.chat.asked if "Cypher" in each[0].content)  # type: ignore[union-attr]
    assert "Language" not in hidden and "written_by: Song -> Person" in hidden and "Bram Kell" in hidden
    assert "Language" in plain and "Bram Kell" not in plain


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    "reply", ["", "?", "MATCH (a", "RETURN x", '{"triplets": 3}', "[]", "<think>", 'MATCH (p:Planet) RETURN p', "ND"]
)
def test_odd_replies_leave_similar_nodes(context: Context, system: str, reply: str) -> None:
    names = ranked(context, f"{system}(model=yes,strand=vss)", lambda messages: reply)
    assert len(names) == len(set(names)) > 5


@pytest.mark.parametrize("system", SYSTEMS)
def test_without_a_model_the_planner_stands_in(context: Context, system: str) -> None:
    with Session(context) as session:
        found = Searcher(session, f"{system}(model=yes)", "entity").rank(ASKED, 2)
        names = {entity.name for entity in session.skb.entities(found.ids.tolist())}
        assert names == reached("Ada Orr", "<written_by", ">sung_by")
        (step,) = (each for each in session.trace.steps if each.name == "plan")
        assert step.stand_in


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_script_gives_the_same_bytes(context: Context, system: str) -> None:
    rankings = []
    for _ in range(2):
        with Session(context, ScriptedChat(script)) as session:
            found = Searcher(session, f"{system}(model=yes)+pairwise(k=5)", "entity").rank(ASKED, 20)
            rankings.append([each.tobytes() for each in (found.ids, found.scores, found.features, found.groups)])
    assert rankings[0] == rankings[1]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_dry_run_counts_what_would_be_asked(context: Context, tmp_path: Path, system: str) -> None:
    dry = DryRun("openai:m", ReplyStore(tmp_path / "replies.sqlite"))
    with Session(context, dry) as session:
        Searcher(session, f"{system}(model=yes)", "entity").rank(ASKED, 5)
    assert 1 <= dry.estimate.calls <= 2 and dry.estimate.tokens_in > 0


def test_the_effort_is_told_to_the_model(context: Context) -> None:
    told: list[Options] = []

    class Told(ScriptedChat):
        def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
            told.append(options)
            return [Reply(script(messages))]

    with Session(context, Told([])) as session:
        Searcher(session, "autofocus(model=yes,effort=medium)", "entity").rank(ASKED, 5)
    assert {each.reasoning_effort for each in told} == {"medium"} and len(told) == 2


def test_each_step_has_an_effort_and_a_model_of_its_own(context: Context) -> None:
    told: dict[str, tuple[str | None, str | None]] = {}

    class Told(ScriptedChat):
        def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
            step = "query" if "Cypher" in messages[0].content else "type"
            told[step] = options.reasoning_effort, options.model
            return [Reply(script(messages))]

    with Session(context, Told([])) as session:
        Searcher(session, "autofocus(model=yes,effort=none|high,llm=|org/large-2.1)", "entity").rank(ASKED, 5)
        steps = [step.detail.get("model") for step in session.trace.steps if step.calls]
    assert told == {"type": ("none", None), "query": ("high", "org/large-2.1")}
    assert steps == [None, "org/large-2.1"]


@pytest.mark.parametrize(("option", "said"), [
    ("dialect=sql", r"4step\(dialect=sql\): dialect=sql is none of"),
    ("effort=much", "effort=much is none of none, low"), ("effort=low|low|low|low", "is none of none, low"),
    ("llm=a|b|c|d", "names more models than there are steps, 3"),
    ("renamed=nowhere.json", "is none of prime, mag, amazon and no JSON"),
])  # fmt: skip
def test_choices_that_there_are_not_are_refused(context: Context, option: str, said: str) -> None:
    with Session(context) as session, pytest.raises(WeftError, match=said):
        Searcher(session, f"4step({option})", "entity")


@pytest.mark.parametrize(("chosen", "kept"), [
    ("Ada Orr", ["Ada Orr"]), ("Cato Lunn", ["Cato Lunn"]), ("nobody", ["Ada Orr", "Cato Lunn"]),
])  # fmt: skip
def test_the_model_chooses_among_candidates(context: Context, chosen: str, kept: list[str]) -> None:
    def reply(messages: Sequence[Message]) -> str:
        if "JSON array of their numbers" not in messages[0].content:
            return 'MATCH (w:Person {name: "Ada Lunn"})<-[:written_by]-(s:Song) RETURN s'
        numbers = [line[1] for line in messages[1].content.splitlines() if line.startswith("[") and chosen in line]
        return json.dumps([int(each) for each in numbers] or [9])

    with Session(context, ScriptedChat(reply)) as session:
        found = Searcher(session, "autofocus(model=yes,cull=3,alpha=1)", "entity").rank(ASKED, 20)
        asked = [each[1].content for each in session.chat.asked]  # type: ignore[union-attr]
        names = {entity.name for entity in session.skb.entities(found.ids[found.features[:, 0] > 0].tolist())}
    (shown,) = (each for each in asked if "Name: Ada Lunn" in each)
    assert "Ada Orr (Person)" in shown and "Cato Lunn (Person)" in shown and "[4]" not in shown
    assert names == {song for each in kept for song in reached(each, "<written_by")}


def test_relations_have_long_names_for_the_model(context: Context, tmp_path: Path) -> None:
    names = tmp_path / "names.json"
    renamed = {"song_was_penned_by": "written_by", "song_was_voiced_by": "sung_by"}
    names.write_text(json.dumps(renamed), encoding="utf-8")
    query = CYPHER.replace("written_by", "song_was_penned_by").replace("sung_by", "song_was_voiced_by")
    for dialect in ("weft", "reference"):
        chat = ScriptedChat(lambda messages: query if "Cypher" in messages[0].content else "Person")
        with Session(context, chat) as session:
            method = f"autofocus(model=yes,alpha=1,similar=no,dialect={dialect},renamed={names})"
            found = Searcher(session, method, "entity").rank(ASKED, 20)
            related = session.skb.entities(found.ids[found.features[:, 0] > 0].tolist())
        (shown,) = (each[1].content for each in chat.asked if "Cypher" in each[0].content)
        assert "song_was_penned_by: Song -> Person" in shown and "written_by:" not in shown and "in_language:" in shown
        assert {entity.name for entity in related} == reached("Ada Orr", "<written_by", ">sung_by")
    names.write_text('["written_by"]', encoding="utf-8")
    with Session(context) as session, pytest.raises(WeftError, match="must be an object of long names"):
        Searcher(session, f"autofocus(renamed={names})", "entity")


def test_replies_are_stored_by_question_and_taken_up_again(context: Context, tmp_path: Path) -> None:
    chat = ScriptedChat(script)
    stored = CachedChat(chat, ReplyStore(tmp_path / "replies.sqlite"))
    counts = []
    for method in ("autofocus(model=yes)", "autofocus(model=yes,lmax=3,alpha=1)", "autofocus(model=yes)+pairwise(k=2)"):
        with Session(context, stored) as session:
            Searcher(session, method, "entity").rank(ASKED, 5)
        counts.append(len(chat.asked))
    assert counts == [2, 2, 3], "steps 1 and 2 are asked once, whatever follows them"


FIXTURES = {
    "4step": json.dumps({"target": "?town", "triplets": [
        ["Quillon Bridge", "designer", "?engineer"], ["?engineer", "birth place", "?town: Town"],
    ]}),
    "focused": "MATCH (b {name: 'Quillon Bridge'})-[:designer]->(e)-[:birthPlace]->(t:Town) RETURN t.name",
}  # fmt: skip


def of_fixtures(messages: Sequence[Message]) -> str:
    """Reply as a model that understands the question about the fixtures."""
    if "Reply with that type alone" in messages[0].content:
        return "Town"
    if "Reply with a JSON array of their numbers" in messages[0].content:
        return "[1]"
    if "A or B" in messages[0].content:
        return "A"
    return FIXTURES["4step" if "triplets" in messages[0].content else "focused"]


BORN = "In which town was the designer of the Quillon Bridge born?"


@pytest.mark.parametrize("system", SYSTEMS)
def test_on_the_fixtures_each_system_answers_end_to_end(world: Path, system: str) -> None:
    assert (ROOT / "fixtures").is_dir()
    with Skb(world) as opened, Session(Context(opened), ScriptedChat(of_fixtures)) as session:
        found = Searcher(session, f"{system}(model=yes)", "entity").rank(BORN, 5)
        assert session.skb.entities(found.ids[:1].tolist())[0].name == "Ghasmont"
        planned = Searcher(session, system, "entity").rank(BORN, 20)
        assert "Ghasmont" in {entity.name for entity in session.skb.entities(planned.ids.tolist())}


ABLATIONS = [
    *(f"{name}={'yes' if value is True else 'no' if value is False else value}" for name, value in SWITCHES.items()),
    "alpha=0", "alpha=0,types=no", "before=yes", "before=no", "effort=none|high", "strand=vss", "strand=bm25",
]  # fmt: skip


@pytest.mark.parametrize("reranker", ["", "+pairwise(k=3,relations=no)"])
@pytest.mark.parametrize("switch", ABLATIONS)
def test_on_the_fixtures_each_ablation_runs_end_to_end(world: Path, switch: str, reranker: str) -> None:
    with Skb(world) as opened, Session(Context(opened), ScriptedChat(of_fixtures)) as session:
        found = Searcher(session, f"autofocus(model=yes,{switch}){reranker}", "entity").rank(BORN, 20)
        names = [entity.name for entity in session.skb.entities(found.ids.tolist())]
        asked = [step.name for step in session.trace.steps if step.calls]
    is_alone = switch.startswith("alpha=0") and switch != "alpha=0.5"
    assert len(names) == len(set(names)) >= 10
    assert "Ghasmont" in names[: 20 if is_alone else 1 if "edges" not in switch else 5]
    assert ("cypher" in asked) == (not is_alone) and ("pairwise" in asked) == bool(reranker)


def test_an_evaluation_ranks_the_types_that_are_asked_for_alone(context: Context, tmp_path: Path) -> None:
    asked = write_records(tmp_path / "q.jsonl", [{"id": "1", "question": ASKED, "gold": [{"uri": "Veldric"}]}])
    command = ["evaluate", str(context.skb.path), str(asked), "-m", "autofocus", "--at", "1,5,20", "--json"]
    found = [
        json.loads(CliRunner().invoke(main, [*command, *more], catch_exceptions=False).stdout)["methods"]["autofocus"]
        for more in ([], ["--type", "Language"])
    ]
    assert [each["hit@5"] for each in found] == [0.0, 1.0]
    assert {"hit@1", "hit@5", "recall@20", "recall_capped@20", "mrr"} <= found[0].keys()


BADLY = 'MATCH (w:Person {name: "Ada Orr"})<-[:written_by]-(s:Song) RETURN s'


@pytest.mark.parametrize(("reply", "lost"), [
    (CYPHER, None), (BADLY, "in scope"), ("MATCH (p) RETURN p", "parsed"),
    ('MATCH (w {name: "Nobody at all"})-[:sung_by]->(p) RETURN p', "linked"),
    ('MATCH (w {name: "Ada Orr"})<-[:written_by]-(s) MATCH (p) RETURN p', "parsed"),
    ('MATCH (w {name: "Ada Orr"})-[:in_language]->(p:Person) RETURN p', "grounded"),
])  # fmt: skip
def test_an_error_report_tells_where_a_question_is_lost(context: Context, reply: str, lost: str | None) -> None:
    asked = [Question("1", ASKED, (GoldItem(uri="Bram Kell"),)), Question("2", "unjudged", ())]
    chat = ScriptedChat(lambda messages: reply if "Cypher" in messages[0].content else "Person")
    with Session(context, chat) as session:
        report = error_report(Searcher(session, "autofocus(model=yes,similar=no)", "entity"), asked)
    stages = ("parsed", "linked", "grounded", "in scope", "ranked", "first")
    n_before = stages.index(lost) if lost else len(stages)
    assert report.pop("questions") == 1 and tuple(report) == stages
    assert [each["reached"] for each in report.values()] == [int(n < n_before) for n in range(len(stages))]
    assert {name for name, each in report.items() if each["lost"]} == ({lost} if lost else set())
    assert all(each["lost_and_ranked"] == each["lost"] for each in report.values()), "similarity finds all in 15 nodes"


def test_the_planner_has_an_error_report_of_its_own(context: Context, tmp_path: Path) -> None:
    asked = write_records(tmp_path / "q.jsonl", [{"id": "1", "question": ASKED, "gold": [{"uri": "Bram Kell"}]}])
    command = ["evaluate", str(context.skb.path), str(asked), "--errors", "-m"]
    done = CliRunner().invoke(main, [*command, "autofocus", "--json"], catch_exceptions=False)
    report = json.loads(done.stdout)["methods"]["autofocus"]["errors"]
    assert report["ranked"] == {"reached": 1, "lost": 0, "lost_and_ranked": 0}
    assert "linked           1    lost 0" in CliRunner().invoke(main, [*command, "4step"]).stdout
    assert "in pool          1    lost 0" in CliRunner().invoke(main, [*command, "vector"]).stdout
