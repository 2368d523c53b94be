"""The Python face: hits with reasons, records, threads, errors of one line."""

from __future__ import annotations

import inspect
import pydoc
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from click.testing import CliRunner

import weft
from interfaces.api.building import option_names
from interfaces.api.knowledge_base import KnowledgeBase
from interfaces.api.records import Hits, Passage
from interfaces.cli import main
from retriever.registry import fused
from tests.paths import ROOT
from weft.errors import WeftError

QUESTIONS = [
    "Who designed the Quillon Bridge?",
    "Where was Orrin Tasker born?",
    "To whom was the builder of the Grindle Lift married?",
    "zzzz",
]


@pytest.fixture(scope="module")
def kb(world: Path) -> Iterator[KnowledgeBase]:
    with weft.open(world) as opened:
        yield opened


def _seen(hits: Hits) -> list[object]:
    return [(hit, hit.reasons) for hit in hits] + [hits.method, hits.unit, hits.warnings]


@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("method", ["hybrid", *fused()])
def test_every_hit_has_a_reason(kb: KnowledgeBase, method: str, unit: str) -> None:
    hits = kb.search(QUESTIONS[2], method=method, unit=unit, k=None)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1)) != []
    assert all(hit.reasons and all(reason.text for reason in hit.reasons) for hit in hits)


def test_hits_of_a_chunk(kb: KnowledgeBase) -> None:
    (hit,) = hits = kb.search("Who designed the Quillon Bridge?", method="bm25", k=1)
    assert (hit.rank, hit.uri, hit.title) == (1, "Quillon Bridge##1", "Quillon Bridge")
    assert hit.signals == {"bm25": pytest.approx(hit.score, abs=1e-4)}
    assert "Designer | Orrin Tasker" in hit.text
    assert hit.score == pytest.approx(8.7593, abs=1e-4)
    (reason,) = hit.reasons
    assert reason.text == "contains the words “Quillon”, “Bridge”"
    assert (reason.signal, reason.uri, reason.contribution) == ("bm25", "Quillon Bridge##1", 8.7593)
    assert (hits.method, hits.unit, hits.warnings) == ("bm25", "chunk", ())


def test_a_question_that_nothing_fits_is_warned_of(kb: KnowledgeBase) -> None:
    assert len(kb.search("zzzz").warnings) == 1


def test_filters_restrict_what_is_ranked(kb: KnowledgeBase) -> None:
    hits = kb.search("bridge", k=None, method="bm25", pages=["Quillon Bridge"])
    assert {hit.title for hit in hits} == {"Quillon Bridge"}
    assert kb.search("bridge", types=["Bridge"], where=["opened>1200"], unit="entity")[0].uri == "Quillon Bridge"


def test_one_text_is_one_filter(kb: KnowledgeBase) -> None:
    hits = kb.search("bridge", unit="entity", types="Bridge", where="opened>1200", pages="Quillon Bridge")
    assert [hit.uri for hit in hits] == ["Quillon Bridge"]


def test_threads_get_what_one_thread_gets(world: Path) -> None:
    asked = [(question, method) for question in QUESTIONS for method in ("hybrid", "graph", "naive-hybrid")]
    with weft.open(world) as one:
        alone = [_seen(one.search(question, method=method)) for question, method in asked]
    with weft.open(world) as shared, ThreadPoolExecutor(4) as pool:
        barrier = Barrier(4)

        def ask(part: int) -> list[list[object]]:
            barrier.wait()
            return [_seen(shared.search(question, method=method)) for question, method in asked[part::4]]

        parts = list(pool.map(ask, range(4)))
    assert [parts[index % 4][index // 4] for index in range(len(asked))] == alone


def test_reasons_are_read_by_another_thread(kb: KnowledgeBase) -> None:
    hits = kb.search(QUESTIONS[0])
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(lambda: [hit.reasons for hit in hits]).result()
    assert read == [hit.reasons for hit in kb.search(QUESTIONS[0])]


def test_reasons_end_with_the_knowledge_base(world: Path) -> None:
    with weft.open(world) as kb:
        early, late = kb.search(QUESTIONS[0]), kb.search(QUESTIONS[1])
        reasons = early[0].reasons
    assert early[0].reasons == reasons
    with pytest.raises(WeftError, match=r"was closed; open it again$"):
        _ = late[0].reasons
    with pytest.raises(WeftError, match="was closed"):
        kb.search(QUESTIONS[0])


def test_records_of_a_page_and_an_entity(kb: KnowledgeBase) -> None:
    page = kb.page("Quillon Bridge")
    assert page.passages[0] == Passage("Quillon Bridge##1", "infobox", page.passages[0].text)
    entity = kb.entity("orrin tasker")
    assert (entity.uri, entity.type, entity.page) == ("Orrin Tasker", "Engineer", "Orrin Tasker")
    assert ("birthDate", "1169-02-02") in {(each.key, each.value) for each in entity.attributes}
    assert "is_designer_of" in {each.predicate for each in kb.neighbors("Orrin Tasker")}


@pytest.mark.parametrize("name", ["Orin Tasker", "", "no such thing at all", "\ud800", "Ada \udfff"])
def test_what_is_unknown_is_one_line(kb: KnowledgeBase, name: str) -> None:
    for ask in (kb.page, kb.entity, kb.neighbors):
        with pytest.raises(WeftError) as error:
            ask(name)
        assert "\n" not in str(error.value)
        assert ("Orrin Tasker" in str(error.value)) == (name == "Orin Tasker")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k=0: must be at least 1, or None for all"),
        ({"k": "all"}, "k='all': must be a whole number from 1, or None for all"),
        ({"k": 2.5}, "k=2.5: must be a whole number from 1, or None for all"),
        ({"k": True}, "k=True: must be a whole number from 1, or None for all"),
        ({"method": None}, "method=None: must be a str"),
        ({"method": b"bm25"}, "method=b'bm25': must be a str"),
        ({"where": None}, "where=None: must be a str or several"),
        ({"types": ["Bridge", 1]}, "types=['Bridge', 1]: must be a str or several"),
        ({"method": "bm52"}, "bm52: no ranker is named bm52; did you mean bm25? choose one of bm25"),
        ({"method": "nothing"}, "nothing: no ranker is named nothing"),
        ({"where": ["opened"]}, "opened: is no condition"),
        ({"pages": ["No such page"]}, "No such page: no page of that title"),
        ({"unit": "page"}, "page: is no unit; choose chunk, entity or auto"),
    ],
)
def test_what_cannot_be_searched_for_is_one_line(kb: KnowledgeBase, options: dict[str, object], message: str) -> None:
    with pytest.raises(WeftError) as error:
        kb.search("bridge", **options)  # type: ignore[arg-type]
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_queries_of_ones_own_only_read(kb: KnowledgeBase) -> None:
    assert kb.sql("SELECT title FROM page WHERE uri = ?", ["Orrin Tasker"]) == [{"title": "Orrin Tasker"}]
    assert kb.sql("SELECT :n AS n", {"n": 3}) == [{"n": 3}]
    for query, reason in (("DELETE FROM page", "readonly"), ("bad\nsql", 'near "bad": syntax error')):
        with pytest.raises(WeftError, match=reason) as error:
            kb.sql(query)
        assert isinstance(error.value.__cause__, sqlite3.Error) and "\n" not in str(error.value)
    with pytest.raises(WeftError, match="nothing: is no query that returns rows"):
        kb.sql("")


def test_what_is_no_text_is_named(kb: KnowledgeBase) -> None:
    for asked in (kb.search, kb.ask, kb.page, kb.entity, kb.neighbors, kb.sql):
        with pytest.raises(WeftError, match=r"^\w+=None: must be a str$"):
            asked(None)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda path: weft.open(None), "path=None: must be a str or a path"),
        (lambda path: weft.open(b"kb.skb"), "path=b'kb.skb': must be a str or a path"),
        (lambda path: weft.open(""), "path='': is empty"),
        (lambda path: weft.open(path, llm=3), "llm=3: must be a str"),
        (lambda path: weft.build(None, output=path), "sources=None: must be a str, a path or several"),
        (lambda path: weft.build(b"notes", output=path), "sources=b'notes': must be a str, a path or several"),
        (lambda path: weft.build(["notes", 1], output=path), "sources=1: must be a str, a path or several"),
        (lambda path: weft.build("notes", output=None), "output=None: must be a str or a path"),
        (lambda path: weft.build("notes", output=path, rdf=[None]), "rdf=None: must be a str, a path or several"),
        (lambda path: weft.evaluate(None, []), "kb=None: must be a str or a path"),
        (lambda path: weft.evaluate(path, None), "questions=None: must be a path, or several mappings"),
        (lambda path: weft.evaluate(path, [], ["bm25"]), "questions: holds no questions"),
        (lambda path: weft.evaluate(path, [], [None]), "methods=[None]: must be a str or several"),
        (lambda path: weft.evaluate(path, [], at=3), "at=3: cut-offs are whole numbers from 1, such as [1, 5]"),
        (lambda path: weft.evaluate(path, [], at=[True]), "at=[True]: cut-offs are whole numbers from 1"),
    ],
)
def test_what_is_no_argument_is_one_line(world: Path, call: Callable[[Path], object], message: str) -> None:
    with pytest.raises(WeftError) as error:
        call(world)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


@pytest.mark.parametrize("options", [{"method": None}, {"threshold": True}, {"threshold": "0.5"}])
def test_what_an_answer_cannot_be_asked_by_is_one_line(kb: KnowledgeBase, options: dict[str, Any]) -> None:
    ((name, value),) = options.items()
    with pytest.raises(WeftError, match=f"^{name}={value!r}: must be "):
        kb.ask("bridge", **options)


def test_the_package_shows_what_is_meant_for_others() -> None:
    assert [name for name in dir(weft) if not name.startswith("_")] == ["WeftError", "build", "evaluate", "open"]
    assert "__version__" in dir(weft) and "__doc__" in dir(weft)


def test_an_option_of_the_command_line_is_told_by_its_name_here(tmp_path: Path) -> None:
    for name, hint in {"lang": "languages", "memory": "memory_mb", "spacy": "spacy_model", "worker": "workers"}.items():
        with pytest.raises(TypeError, match=f"no option {name}; did you mean {hint}\\?"):
            weft.build("notes", output=tmp_path / "q.skb", **{name: "en"})
    with pytest.raises(TypeError, match=r"no option xyz; it has add, all_relations, .*, workers$"):
        weft.build("notes", output=tmp_path / "q.skb", xyz=1)


def test_help_lists_every_option_and_shows_types_as_they_are() -> None:
    told = pydoc.plain(pydoc.render_doc(weft.build))
    assert [name for name in option_names() if f"`{name}`" not in told and f"{name}:" not in told] == []
    for function in (weft.open, weft.build, weft.evaluate):
        head = pydoc.plain(pydoc.render_doc(function)).splitlines()[2]
        assert "lambda" not in head and "'str" not in head, head


def test_what_is_no_knowledge_base(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no database")
    for name in ("notes.txt", "absent.skb"):
        with pytest.raises(weft.WeftError, match=name):
            weft.open(tmp_path / name)


def test_a_build_tells_its_progress_and_does_nothing_twice(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Harbour.md").write_text("# Harbour\n\nThe light was built by Enid Marrow.\n")
    (tmp_path / "notes" / "Enid Marrow.md").write_text("# Enid Marrow\n\nA mason, born in Sill.\n")
    stages: dict[str, int] = {}
    summary = weft.build(tmp_path / "notes", output=tmp_path / "kb.skb", workers=1, progress=stages.__setitem__)
    assert (summary.changed, summary.counts["page"], stages["reading"]) == (True, 2, 2)
    assert not weft.build([tmp_path / "notes"], output=tmp_path / "kb.skb", workers=1).changed
    with weft.open(tmp_path / "kb.skb") as kb:
        assert kb.search("Who built the light?", k=1)[0].title == "Harbour"


def test_a_build_knows_its_options(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="no option colour"):
        weft.build(tmp_path, output=tmp_path / "kb.skb", colour="red")
    with pytest.raises(WeftError, match="absent"):
        weft.build(tmp_path / "absent", output=tmp_path / "kb.skb")


def test_an_evaluation_is_what_the_command_prints(world: Path, tmp_path: Path) -> None:
    asked: list[int] = []
    records = [
        {"id": "1", "question": "Who designed the Quillon Bridge?", "gold": [{"title": "Quillon Bridge"}]},
        {"id": "2", "question": "Where was Orrin Tasker born?", "gold": [{"title": "Orrin Tasker"}]},
    ]
    report = weft.evaluate(world, records, "bm25", at=[1, 3], output=tmp_path / "report", progress=asked.append)
    assert sum(asked) == 2
    assert report["methods"]["bm25"]["hit@1"] == 1.0
    assert (tmp_path / "report" / "report.md").is_file()
    with pytest.raises(WeftError, match="question 2: gold is missing"):
        weft.evaluate(world, [records[0], {"id": "2", "question": "?"}])
    with pytest.raises(WeftError, match="cut-offs"):
        weft.evaluate(world, records, at=[0])


def test_figures_on_learned_questions_are_warned_of(world: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    learned = (ROOT / "fixtures" / "questions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    questions.write_text("".join(learned[:8]), encoding="utf-8")
    with pytest.warns(UserWarning, match="was trained on") as warned:
        weft.evaluate(world, questions, ["hybrid"], at=[5])
    result = CliRunner().invoke(main, ["evaluate", str(world), str(questions), "-m", "hybrid", "--at", "5"])
    [line] = [each for each in result.stderr.splitlines() if "was trained on" in each]
    assert line.endswith(str(warned[0].message))


@pytest.mark.parametrize("named", [weft.open, weft.build, weft.evaluate, KnowledgeBase])
def test_help_reads_like_documentation(named: object) -> None:
    shown = pydoc.plain(pydoc.render_doc(named))
    assert "Raise" in shown or "raise" in shown
    members = {"": named} if inspect.isfunction(named) else dict(inspect.getmembers(named, inspect.isfunction))
    public = [each for name, each in members.items() if not name.startswith("_")]
    assert [each.__name__ for each in public if not each.__doc__] == []


def test_importing_weft_is_quick() -> None:
    code = "import sys, weft; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert {"numpy", "sqlite3", "click", "retriever", "builder", "interfaces"}.isdisjoint(loaded)
