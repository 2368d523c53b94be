"""Search: methods, fusions by name, what may be ranked, traces, many questions."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner, Result

from builder.build import build
from builder.request import Request, Settings
from interfaces.cli import main
from retriever.context import Context
from retriever.datasets.question_files import read_questions
from retriever.explanation import explain
from retriever.features.matrix import COLUMNS, EMBEDDED, RANKED
from retriever.fusion.seen import unpacked
from retriever.fusion.shipped import DEFAULT, MODELS, SHIPPED, fusion_named, reciprocal_ranks
from retriever.fusion.store import load, save
from retriever.fusion.two_stage import TwoStage
from retriever.question.filters import Condition, Filters, allowed_by, parse_condition
from retriever.rankers.hybrid import Hybrid
from retriever.registry import Entry, register, unregister
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Step, Trace, Unit
from tests.asking import CHUNK_RANKERS, METHODS, RANKERS, without_model
from tests.conftest import FIXTURES, ROOT
from tests.worlds import link, page, write_pages, write_records
from weft.arrays.full_text import holds_any_word
from weft.errors import WeftError
from weft.skb import Skb

TWO_HOPS = "In which town was the designer of the Quillon Bridge born?"
EVERYTHING = 10_000
SCHEMA = json.loads((ROOT / "schemas" / "trace.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def session(world: Path) -> Iterator[Session]:
    """Give the invented world."""
    with Skb(world) as opened:
        yield Session(Context(opened))


def _weft(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=stdin)


def _mistake(*arguments: str | Path) -> str:
    result = _weft(*arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1), result.output
    return result.stderr


def _answers(output: str) -> list[dict[str, Any]]:
    """Return printed answers without their seconds."""
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in output.splitlines()]


# methods


@pytest.mark.parametrize(("method", "unit"), METHODS)
def test_every_method_ranks_both_units(session: Session, method: str, unit: Unit) -> None:
    searcher = Searcher(session, method, unit, "rrf")
    found = searcher.rank(TWO_HOPS, 7)
    assert found.unit == unit and 0 < len(found.ids) <= 7
    assert (np.diff(found.scores) <= 0).all() and len(set(found.ids.tolist())) == len(found.ids)
    signals = searcher.signals(TWO_HOPS, found)
    assert len(signals) == len(found.ids) and all(signals)


def test_signals_are_raw_scores(session: Session) -> None:
    hybrid = Searcher(session, "auto", "chunk", "rrf")
    assert str(hybrid.method) == "hybrid(fusion=rrf)"
    found = hybrid.rank(TWO_HOPS, 5)
    for name in ("bm25", "vector", "graph"):
        signal = next(each for each in Hybrid(reciprocal_ranks("tfidf"), "tfidf").features.signals if each.name == name)
        expected = signal.score(session, hybrid.query(TWO_HOPS), found.ids)
        assert [own[name] for own in hybrid.signals(TWO_HOPS, found)] == pytest.approx(expected.tolist(), rel=1e-5)


@pytest.mark.parametrize("method", ["later", "prf>later", "later+pairwise"])
def test_methods_to_come_say_so(session: Session, method: str) -> None:
    register(Entry("later", "ranker"))
    with pytest.raises(WeftError, match=r"is not there yet; choose one of bm25, .*, hybrid"):
        Searcher(session, method)
    unregister("later")


@pytest.mark.parametrize(
    ("method", "complaint"),
    [("hybrid(n=1)", "hybrid: no option is named n; it has fusion"), ("graph(n=1)", "it has stop, least"),
     ("graph(stop=yes)", "stop=yes must be of type float"), ("psychic", "no ranker is named psychic")],
)  # fmt: skip
def test_methods_that_are_none(world: Path, method: str, complaint: str) -> None:
    assert complaint in _mistake("search", world, "bridge", "-m", method)


def test_all_hits_are_those_of_a_container(world: Path) -> None:
    (answer,) = _answers(_weft("search", world, "Quillon Bridge", "-m", "page(n=1)", "-k", "all", "--json").stdout)
    with Skb(world) as skb:
        (bridge,) = [skb.page("Quillon Bridge")]
        assert bridge is not None
        assert len(answer["hits"]) == len(skb.chunks_of_page(bridge.id))
    assert _weft("search", world, "q", "-k", "some").exit_code == 2


@pytest.mark.parametrize(("method", "unit"), METHODS)
def test_the_first_hits_do_not_depend_on_how_many_are_asked_for(world: Path, method: str, unit: Unit) -> None:
    with Skb(world) as skb:
        session = Session(Context(skb))
        for question in [each.question for each in read_questions(FIXTURES / "questions.jsonl")][::20]:
            first = [
                Searcher(session, method, unit, "rrf").rank(question, k).head(5) for k in (5, 20, 400, EVERYTHING)
            ]
            assert len({(tuple(each.ids.tolist()), tuple(each.scores.tolist())) for each in first}) == 1, question


# fusions


def test_a_fusion_is_found_by_name_or_file(world: Path, small_fusion: Path, session: Session) -> None:
    by_file = Searcher(session, "hybrid", "chunk", small_fusion).rank(TWO_HOPS, 5)
    by_ranks = Searcher(session, "hybrid", "chunk", "rrf").rank(TWO_HOPS, 5)
    assert by_file.scores.tolist() != by_ranks.scores.tolist()
    sums = np.sort(by_ranks.scores)[::-1]
    assert (by_ranks.scores == sums).all() and 0 < sums[0] <= len(RANKED) / 61


def test_a_fusion_is_an_option_of_hybrid(world: Path, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a method tells what ranked; `--fusion` is short for its option."""
    options = [("-m", "hybrid(fusion=rrf)"), ("-m", "hybrid", "--fusion", "rrf"), ("--fusion", "rrf")]
    answers = [_answers(_weft("search", world, TWO_HOPS, "--json", *each).stdout) for each in options]
    assert answers[0] == answers[1] == answers[2] and answers[0][0]["method"] == "hybrid(fusion=rrf)"
    methods = [str(Searcher(session, "hybrid", "chunk", each).method) for each in (None, "mlp")]
    assert methods == ["hybrid", "hybrid(fusion=mlp)"]
    both = ("-m", "hybrid(fusion=rrf)", "--fusion", "logistic")
    assert _mistake("search", world, "q", *both) == (
        "Error: hybrid(fusion=rrf): names a fusion, and logistic is asked for too; leave one of them out\n"
    )
    monkeypatch.setenv("WEFT_FUSION", "logistic")
    assert _answers(_weft("search", world, TWO_HOPS, "--json", *options[0]).stdout) == answers[0]
    (answer,) = _answers(_weft("search", world, TWO_HOPS, "--json").stdout)
    assert answer["method"] == "hybrid(fusion=logistic)"


@pytest.mark.parametrize(
    ("method", "complaint"),
    [("hybrid(fusion=rrf)", "hybrid(fusion=rrf): a fusion ranks chunks; over entities leave it out"),
     ("bm25(fusion=rrf)", "bm25: no option is named fusion; it has none")],
)  # fmt: skip
def test_what_ranks_by_no_fusion_names_none(world: Path, method: str, complaint: str) -> None:
    assert _mistake("search", world, "q", "-m", method, "--unit", "entity") == f"Error: {complaint}\n"


def test_several_fusions_are_compared_in_one_report(world: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("".join((FIXTURES / "questions.jsonl").read_text(encoding="utf-8").splitlines(True)[:4]))
    methods = ("-m", "hybrid(fusion=rrf)", "-m", "hybrid(fusion=logistic)", "-m", "bm25")
    report = json.loads(_weft("evaluate", world, few, *methods, "--json").stdout)
    assert list(report["methods"]) == ["hybrid(fusion=rrf)", "hybrid(fusion=logistic)", "bm25"]


def test_fusions_that_are_none(
    world: Path, small_fusion: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no such fusion and no such file; choose one of ensemble, mlp, logistic, rrf" in _mistake(
        "search", world, "q", "--fusion", "nonsense"
    )
    (tmp_path / "notes.json").write_text("{}")
    assert "is no fusion file" in _mistake("search", world, "q", "--fusion", tmp_path / "notes.json")
    fusion = load(small_fusion)
    other = ("psychic", *COLUMNS[1:])
    save(tmp_path / "other.json", fusion._replace(head=fusion.head._replace(columns=other)))
    assert "was trained on other features than this Weft computes: column 1 is psychic" in _mistake(
        "search", world, "q", "--fusion", tmp_path / "other.json"
    )
    assert isinstance(fusion.model, TwoStage)
    fusion.model.first = fusion.model.second
    save(tmp_path / "cut.json", fusion)
    assert "its first pass takes" in _mistake("search", world, "q", "--fusion", tmp_path / "cut.json")
    monkeypatch.chdir(tmp_path)
    assert _mistake("search", world, "q", "--fusion", "thesis") == (
        "Error: thesis: does not ship with Weft; train it:"
        " weft train KB.skb QUESTIONS.jsonl --model thesis -o thesis.json\n"
    )
    save(tmp_path / "thesis", load(small_fusion))
    assert fusion_named("thesis", "tfidf").head == load(small_fusion).head


def test_every_fusion_that_help_offers_ranks(world: Path) -> None:
    assert set(SHIPPED) == {path.stem for path in MODELS.glob("*.json")}
    help_text = " ".join(_weft("search", "--help").stdout.split())
    assert SHIPPED[0] == DEFAULT and f"{DEFAULT} (default), {', '.join(SHIPPED[1:])}, rrf, or a file of" in help_text
    for name in (*SHIPPED, "rrf"):
        assert _weft("search", world, "lamp", "--fusion", name).exit_code == 0


@pytest.mark.parametrize("fusion", ["nofile.json", "rrf"])
@pytest.mark.parametrize(
    ("options", "ranked"),
    [
        (("-m", "bm25"), "bm25 over chunk"),
        (("-m", "naive-hybrid"), "naive-hybrid over chunk"),
        (("--unit", "entity"), "auto over entity"),
        (("-m", "hybrid", "--unit", "entity"), "hybrid over entity"),
    ],
)
def test_a_fusion_that_nothing_ranks_by_is_refused(
    world: Path, fusion: str, options: tuple[str, ...], ranked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = f"Error: --fusion {fusion}: only hybrid over chunks ranks by a fusion, not {ranked}\n"
    assert _mistake("search", world, "lamp", "--fusion", fusion, *options) == told
    if "-m" in options:
        assert _mistake("evaluate", world, FIXTURES / "questions.jsonl", "--fusion", fusion, *options) == told
    monkeypatch.setenv("WEFT_FUSION", fusion)
    assert _weft("search", world, "lamp", *options).exit_code == 0, "a setting is for the commands that use it"


def test_another_embedders_signals_are_left_out(small_fusion: Path, tmp_path: Path) -> None:
    pages = write_pages(
        tmp_path / "pages",
        {
            "a.html": page("Oak", f"An oak by {link('Red mill')}."),
            "b.html": page("Red mill", "A mill.", "== Of old", "An oak."),
        },
    )
    build(Request((str(pages),), tmp_path / "kb.skb", settings=Settings(embedder="lengths"), workers=1))
    result = _weft("search", tmp_path / "kb.skb", "-", "--fusion", small_fusion, "--json", stdin="oak\nmill\n")
    assert result.stderr.splitlines() == [
        "the fusion was trained for other embedders (tfidf) than lengths, whose signals it leaves out"
    ]
    assert len(result.stdout.splitlines()) == 2
    with Skb(tmp_path / "kb.skb") as skb:
        session = Session(Context(skb))
        searcher = Searcher(session, "hybrid(hops=no)", "chunk", small_fusion)
        assert isinstance(searcher.ranker, Hybrid)
        _, features, *_ = searcher.ranker.scored(session, searcher.query("Which oak stands by the mill?"))
        hidden = [COLUMNS.index(column) for column in EMBEDDED if column in COLUMNS]
        assert not features[:, hidden].any() and features[:, COLUMNS.index("bm25")].any()
    assert _weft("search", tmp_path / "kb.skb", "oak", "--fusion", "rrf").stderr == ""


# filters

FILTERS: dict[str, Filters] = {
    "type": Filters(("Bridge",)),
    "type in another case": Filters(("person",)),
    "two types": Filters(("Person", "River")),
    "page": Filters(pages=("Quillon Bridge",)),
    "page by redirect": Filters(pages=("Grindle Lift",)),
    "number": Filters(where=(Condition("Population", ">", "100000"),)),
    "date": Filters(where=(Condition("Died", ">=", "1238-10"),)),
    "year": Filters(where=(Condition("Died", "=", "1238"),)),
    "value": Filters(where=(Condition("Spouse", "=", "Wenna Tarquill"),)),
    "all": Filters(("Person",), ("Orrin Tasker", "Wenna Tarquill"), (Condition("Died", "<", "1240"),)),
    "nothing": Filters(("Bridge",), where=(Condition("Died", ">", "1000"),)),
}


def naively_allowed(skb: Skb, unit: Unit, filters: Filters) -> set[int]:
    """Return what may be ranked, asking each entity by itself."""
    entities = set()
    for entity in skb.entities([identity for (identity,) in skb.connection.execute("SELECT id FROM entity")]):
        types = {
            kind.casefold()
            for (kind,) in skb.connection.execute("SELECT type FROM entity_type WHERE entity_id = ?", (entity.id,))
        }
        fits = not filters.types or bool(types & {kind.casefold() for kind in filters.types})
        if fits and all(_meets(skb, entity.id, each) for each in filters.where):
            entities.add(entity.id)
    titles = {"Grindle Lift": "Orrin's Ladder"}
    pages = {skb.page(titles.get(title, title)).id for title in filters.pages}  # type: ignore[union-attr]
    chunks = skb.connection.execute("SELECT chunk.id, page_id, entity.id FROM chunk JOIN entity USING (page_id)")
    rows = [(chunk, entity) for chunk, own, entity in chunks if not pages or own in pages]
    if unit == "chunk":
        return {chunk for chunk, entity in rows if entity in entities}
    if pages:
        cited = {each.entity_id for each in skb.citations([chunk for chunk, _ in rows])}
        entities &= cited | {entity for _, entity in rows}
    return entities


def _meets(skb: Skb, entity: int, condition: Condition) -> bool:
    key, relation, value = condition
    for attribute in skb.attributes(entity):
        if attribute.key.casefold() != key.casefold():
            continue
        date = (attribute.date or "")[: len(value)]
        number = attribute.number if value.replace(".", "").isdigit() else None
        yes = {
            "=": attribute.value == value or date == value or (number is not None and number == float(value)),
            ">": (number is not None and number > float(value)) or (date > value),
            ">=": (number is not None and number >= float(value)) or (date >= value),
            "<": (number is not None and number < float(value)) or (date != "" and date < value),
        }
        if yes[relation]:
            return True
    return False


@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_is_exact(session: Session, name: str, unit: Unit) -> None:
    allowed = allowed_by(session.skb, unit, FILTERS[name])
    assert allowed is not None and (np.diff(allowed) > 0).all()
    assert set(allowed.tolist()) == naively_allowed(session.skb, unit, FILTERS[name])
    assert (name == "nothing") == (len(allowed) == 0)


def test_a_year_of_three_digits_is_a_date(session: Session) -> None:
    conditions = (Condition("Died", ">", year) for year in ("931", "0931"))
    short, full = (allowed_by(session.skb, "chunk", Filters(where=(each,))) for each in conditions)
    assert short is not None and len(short) and np.array_equal(short, full)


@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("method", ["bm25", "vector"])
@pytest.mark.parametrize("name", FILTERS)
def test_a_restricted_ranking_is_the_whole_one_filtered(
    session: Session, name: str, method: str, unit: Unit
) -> None:
    whole, some = Searcher(session, method, unit), Searcher(session, method, unit, filters=FILTERS[name])
    for question in (TWO_HOPS, "lamp", "Who built it?", ""):
        every = whole.rank(question, EVERYTHING)
        kept = np.isin(every.ids, some.allowed)
        for k in (1, 3, EVERYTHING):
            found = some.rank(question, k)
            assert found.ids.tolist() == every.ids[kept][:k].tolist()
            assert found.scores.tolist() == every.scores[kept][:k].tolist()


@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("name", FILTERS)
def test_no_method_ranks_what_is_not_allowed(session: Session, small_fusion: Path, name: str, unit: Unit) -> None:
    for method in RANKERS if unit == "entity" else CHUNK_RANKERS:
        searcher = Searcher(session, method, unit, small_fusion, FILTERS[name])
        for question in (TWO_HOPS, "Who drained a cellar at the age of nine?"):
            found = searcher.rank(question, EVERYTHING)
            assert np.isin(found.ids, searcher.allowed).all(), method
            assert searcher.allowed is not None
            if method == "bm25":
                held = holds_any_word(session.skb.connection, f"{unit}_fts", question, searcher.allowed)
                assert (len(found.ids) > 0) == held
            elif method in ("hybrid", "vector"):
                assert (len(found.ids) > 0) == (len(searcher.allowed) > 0) == (name != "nothing"), method


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--type", "Brige"], "Brige: no entity has this type; did you mean Bridge or River?"),
        (["--page", "Quilon Bridge"], "Quilon Bridge: no page of that title; did you mean Quillon Bridge?"),
        (["--page", "☃"], "☃: no page of that title"),
        (["--where", "Dyed=1200"], "Dyed: no attribute has this key; did you mean Died"),
        (["--where", "Died"], "Died: is no condition; write key=value"),
        (["--where", "Died>"], "Died>: is no condition"),
        (["--where", "Died>soon"], "Died>soon: soon is no number and no date"),
        *((["--where", f"Died{relation}{date}"], f"Died{relation}{date}: {date} is no date of the calendar")
          for relation in (">", ">=", "<", "<=")
          for date in ("1194-99-99", "1194-13", "1194-00", "1194-02-30", "1194-04-31", "1194-01-00", "1193-02-29")),
    ],
)
def test_filters_that_name_nothing(world: Path, options: list[str], complaint: str) -> None:
    assert complaint in _mistake("search", world, "bridge", *options)


@pytest.mark.parametrize(
    ("text", "condition"),
    [("a=b", ("a", "=", "b")), (" a b >= 1.5", ("a b", ">=", "1.5")), ("a<1207-09", ("a", "<", "1207-09")),
     ("a=b=c", ("a", "=", "b=c")), ("a=<b>", ("a", "=", "<b>")), ("a b CONTAINS c=d", ("a b", "CONTAINS", "c=d")),
     (" a STARTS WITH  b c ", ("a", "STARTS WITH", "b c")), ("a ENDS WITH %", ("a", "ENDS WITH", "%")),
     ("a IN b, c", ("a", "IN", "b, c")), ("a in b=c", ("a in b", "=", "c"))],
)  # fmt: skip
def test_conditions_are_parsed(text: str, condition: tuple[str, str, str]) -> None:
    assert parse_condition(text) == condition


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("Built<1219-05", {"Early", "Before"}), ("Built<=1219-05", {"Early", "Before", "Day", "Year"}),
        ("Built>1219", {"Late"}), ("Built>=1219", {"Day", "Year", "Late"}), ("Built=1219", {"Day", "Year"}),
        ("Built=1219-05-04", {"Day"}), ("built>1219-05-03", {"Day", "Late"}), ("Built<1000", {"Early", "Before"}),
    ],
)  # fmt: skip
def test_dates_are_compared_as_exactly_as_they_are_given(dated: Path, condition: str, expected: set[str]) -> None:
    with Skb(dated) as skb:
        found = allowed_by(skb, "entity", Filters(where=(parse_condition(condition),)))
        assert found is not None
        assert {each.uri for each in skb.entities(found.tolist())} == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("venue CONTAINS tree", {"b", "c"}), ("venue CONTAINS TREE LETTERS", {"b"}), ("venue STARTS WITH graph", {"a"}),
        ("venue ENDS WITH Letters", {"a", "b"}), ("venue CONTAINS %", {"d"}), ("venue CONTAINS _", {"c"}),
        ("venue CONTAINS !", {"e"}), ("venue CONTAINS ÉTUDES", {"e"}), ("VENUE STARTS WITH étu", {"e"}),
        ("venue CONTAINS none", set()), ("year IN 2014, 2015", {"a", "b"}), ("year IN 2015.0", {"b"}),
        ("venue IN Graph Letters, trees_of", {"a"}), ("venue IN ,", set()), ("year CONTAINS 201", {"a", "b"}),
    ],
)  # fmt: skip
def test_texts_are_compared_by_their_parts_and_with_several(
    attributed: Path, condition: str, expected: set[str]
) -> None:
    with Skb(attributed) as skb:
        found = allowed_by(skb, "entity", Filters(where=(parse_condition(condition),)))
        assert found is not None
        assert {each.uri for each in skb.entities(found.tolist())} == expected


@pytest.fixture(scope="session")
def attributed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SKB of nodes with texts and numbers."""
    folder = tmp_path_factory.mktemp("attributed")
    values = {"a": {"venue": "Graph Letters", "year": 2014}, "b": {"venue": "Tree Letters", "year": 2015},
              "c": {"venue": "Trees_of all"}, "d": {"venue": "100%"}, "e": {"venue": "Études!"}, "f": {}}  # fmt: skip
    write_records(folder / "nodes.jsonl", [{"uri": uri, "name": uri, "attributes": own} for uri, own in values.items()])
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\n")
    build(Request((str(folder),), folder / "kb.skb", workers=1))
    return folder / "kb.skb"


@pytest.fixture(scope="session")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SKB of things with dates."""
    folder = tmp_path_factory.mktemp("dated")
    dates = {"Day": "1219-05-04", "Year": "1219", "Late": "1230-01-01", "Early": "0874", "Before": "-0044-03-15"}
    nodes = [{"uri": name, "name": name, "attributes": {}} for name in dates]
    write_records(folder / "nodes.jsonl", nodes)
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\n")
    build(Request((str(folder),), folder / "kb.skb", workers=1))
    connection = sqlite3.connect(folder / "kb.skb")
    (source,) = connection.execute("SELECT min(id) FROM source_item").fetchone()
    connection.executemany(
        "INSERT INTO attribute (entity_id, key, value, date, source_id) SELECT id, 'Built', ?2, ?2, ?3 FROM entity"
        " WHERE uri = ?1",
        [(*each, source) for each in dates.items()],
    )
    connection.commit()
    connection.close()
    return folder / "kb.skb"


# many questions, again and again


def test_many_questions_are_answered_as_each_alone(world: Path, small_fusion: Path) -> None:
    questions = [each.question for each in read_questions(FIXTURES / "questions.jsonl")][:12]
    for options in (["--fusion", str(small_fusion)], ["--unit", "entity"], ["-m", "graph"], ["-m", "bm25"]):
        once = _weft("search", world, "-", "--json", "--explain", *options, stdin="\n".join([*questions, *questions]))
        first, again = _answers(once.stdout)[: len(questions)], _answers(once.stdout)[len(questions) :]
        assert first == again
        for question, expected in list(zip(questions, first, strict=True))[:4]:
            alone = _weft("search", world, question, "--json", "--explain", *options)
            assert _answers(alone.stdout) == [expected]


def test_same_question_same_bytes_in_every_process(world: Path, small_fusion: Path) -> None:
    command = [sys.executable, "-m", "interfaces.cli", "search", str(world), "-", "--json", "--explain", "-k", "all"]
    shown = []
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "WEFT_FUSION": str(small_fusion)}
        asked = f"{TWO_HOPS}\nWho married the builder of the Grindle Lift?\n"
        done = subprocess.run(command, input=asked, env=environment, capture_output=True, text=True, check=True)
        shown.append(_answers(done.stdout))
    assert shown[0] == shown[1] and len(shown[0]) == 2


def test_a_trace_has_every_step(world: Path, small_fusion: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    result = _weft("search", world, "-", "--fusion", small_fusion, "--explain", "--trace", trace, "--type", "Person",
                   stdin=f"{TWO_HOPS}\nlamp\n")  # fmt: skip
    assert result.exit_code == 0, result.output
    steps = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for step in steps:
        validator.validate(step)
    for question in (TWO_HOPS, "lamp"):
        own = [step for step in steps if step["question"] == question]
        assert [step["step"] for step in own] == list(range(1, len(own) + 1))
        names = [step["name"] for step in own]
        assert names[0] == "question" and names[-2:] == ["rank", "explain"] and "fusion" in names
    assert steps[0]["detail"]["mentions"] == [{"name": "Quillon Bridge", "how": "name"}]
    assert steps[0]["detail"]["allowed"] > 0
    assert any(step["stand_in"] for step in steps)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(steps[0] | {"more": 1}, SCHEMA)
    assert _mistake("search", world, "q", "--trace", tmp_path / "none" / "t.jsonl").startswith("Error: ")


def test_the_seconds_of_steps_add_up() -> None:
    ticks = iter([10.0, 11.0, 12.0, 15.0, 16.0, 20.0])
    trace = Trace(ticks.__next__)
    outer = trace.timer()
    middle = trace.timer()
    inner = trace.timer()
    trace.add(Step("inner", inner.seconds()))
    trace.add(Step("middle", middle.seconds()))
    trace.add(Step("outer", outer.seconds()))
    assert [step.seconds for step in trace.steps] == [3.0, 2.0, 5.0]
    assert sum(step.seconds for step in trace.steps) == 20.0 - 10.0


@pytest.mark.parametrize(("method", "unit"), METHODS)
def test_no_step_counts_the_time_of_another(world: Path, method: str, unit: Unit) -> None:
    with Skb(world) as skb:
        session = Session(Context(skb))
        ticks = iter(range(1000))
        session.trace = Trace(lambda: float(next(ticks)))
        searcher = Searcher(session, method, unit, "rrf")
        explain(searcher, TWO_HOPS, searcher.rank(TWO_HOPS, 3))
        assert len(session.trace.steps) >= 3
        assert sum(step.seconds for step in session.trace.steps) <= next(ticks) - 1


def test_evaluate_ranks_by_the_fusion_that_is_named(world: Path, small_fusion: Path, tmp_path: Path) -> None:
    questions = tmp_path / "some.jsonl"
    questions.write_text("".join((FIXTURES / "questions.jsonl").open(encoding="utf-8").readlines()[60:90]))
    found = []
    for fusion in ("rrf", str(small_fusion)):
        report = json.loads(_weft("evaluate", world, questions, "--fusion", fusion, "-m", "auto", "--json").stdout)
        assert list(report["methods"]) == [f"hybrid(fusion={fusion})"]
        found.append(report["methods"][f"hybrid(fusion={fusion})"]["ndcg@5"])
    assert found[0] != found[1]


def test_a_fusion_knows_the_question_files_that_it_was_trained_on(tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    build(Request((str(FIXTURES / "encyclopedia"),), path, limit=5))
    other = tmp_path / "other.jsonl"
    other.write_text('{"id": "1", "question": "Who?", "gold": []}\n')
    with Skb(path) as skb:
        hybrid, bm25 = (Searcher(Session(Context(skb)), method) for method in ("hybrid(hops=no)", "bm25"))
        fixtures = FIXTURES / "questions.jsonl"
        every = [question.question for question in read_questions(fixtures)]
        asked = [question for question in every if hybrid.n_learned(other, [question])]
        assert hybrid.n_learned(fixtures, every) == len(asked) > len(every) / 2, "some teach"
        assert hybrid.n_learned(other, ["Who?"]) == 0
        assert hybrid.n_learned(other, asked[:20]) == 20, "a part of a file is known"
        assert hybrid.n_learned(other, ["Who?", f"  {asked[3].upper()} ", asked[7]]) == 2
        assert bm25.n_learned(fixtures, every) == 0
        assert isinstance(hybrid.ranker, Hybrid)
        head = hybrid.ranker.fusion.head
        older = head._replace(trained_on=tuple(each._replace(texts="") for each in head.trained_on))
        hybrid.ranker.fusion = hybrid.ranker.fusion._replace(head=older)
        assert hybrid.n_learned(fixtures, asked) == len(asked), "older files know whole files"
        assert hybrid.n_learned(other, asked[:20]) == 0


def test_what_ships_knows_every_question_that_it_was_trained_on() -> None:
    for name in SHIPPED:
        head = load(MODELS / f"{name}.json").head
        for each in head.trained_on:
            assert len(unpacked(each.texts)) >= each.questions > 0, (name, each.name)


@pytest.mark.parametrize("given", [b"lamp\nbridge\n", b"\xef\xbb\xbflamp\nbridge\n", b"\xef\xbb\xbf\r\nlamp\r\nbridge"])
def test_a_byte_order_mark_is_no_part_of_the_first_question(world: Path, given: bytes) -> None:
    result = CliRunner().invoke(main, ["search", str(world), "-", "-m", "bm25", "--json"], input=given)
    assert [json.loads(line)["question"] for line in result.stdout.splitlines()] == ["lamp", "bridge"]


# nothing fits

UNSCORED = "nothing ranks one hit above another: all scores are 0; the hits are guesses"
UNFIT = "nothing fits: no text here has a word of the question, and it names nothing known; the hits are guesses"


@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("method", sorted({*CHUNK_RANKERS} - {"bm25"}))
def test_a_search_says_when_nothing_fits(world: Path, method: str, unit: str) -> None:
    for question, unfit in (("zzyzx qwrk", True), ("what is the zzyzx?", True), ("zzyzx bridge", False),
                            ("Quillon Bridge", False)):  # fmt: skip
        result = _weft("search", world, question, "-m", method, "--unit", unit, "--json")
        answer = json.loads(result.stdout)
        told = [UNFIT] if unfit and answer["hits"] else []
        lines = without_model(method) + "".join(f"{line}\n" for line in told)
        assert (answer["warnings"], result.stderr) == (told, lines), question


@pytest.mark.parametrize("method", sorted({*CHUNK_RANKERS} - {"bm25"}))
def test_a_word_of_a_later_chunk_fits_entities_too(world: Path, method: str) -> None:
    with Skb(world) as skb:
        assert not holds_any_word(skb.connection, "entity_fts", "landlady")
    asked = ("search", world, "landlady zzyzx", "-m", method, "--unit", "entity", "--json")
    within, without = (_weft(*asked, "--page", page) for page in ("Aestimetry", "Ishkemmel"))
    # No label has one of the words, so entities' vectors have nothing in common with the question's.
    told = f"{UNSCORED}\n" if method in ("vector", "naive-hybrid") else ""
    assert _weft(*asked).stderr == within.stderr == without_model(method) + told
    unfit = f"{UNFIT}\n" if json.loads(without.stdout)["hits"] else ""
    assert without.stderr == without_model(method) + unfit


ALLOWED = {
    (): False, (0,): False, (10_001,): False, (2, 9_998): False, (1,): True, (9_999,): True, (2, 4_097, 10_001): True,
    (0, 4_095): True, tuple(range(0, 10_002, 2)): False, tuple(range(10_002)): True,
}  # fmt: skip


@pytest.mark.parametrize("allowed", ALLOWED, ids=lambda each: f"{len(each)} from {min(each, default=None)}")
def test_a_word_counts_only_in_rows_that_may_be_ranked(allowed: tuple[int, ...]) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE chunk_fts USING fts5 (text)")
        rows = ((number, "lamp" if number % 2 else "oil") for number in range(1, 10_001))
        connection.executemany("INSERT INTO chunk_fts (rowid, text) VALUES (?, ?)", rows)
        ids = np.array(allowed, np.int64)
        assert holds_any_word(connection, "chunk_fts", "the lamp", ids) is ALLOWED[allowed]
        assert not holds_any_word(connection, "chunk_fts", "zzyzx", ids)


def test_hits_without_a_score_are_called_that(world: Path) -> None:
    with Skb(world) as skb:
        searcher = Searcher(Session(Context(skb)), "vector", "chunk")
        found = searcher.rank("Quillon Bridge", 3)
        unscored = found._replace(scores=np.zeros_like(found.scores))
        assert searcher.warnings_of("Quillon Bridge", unscored) == (UNSCORED,)
        assert searcher.warnings_of("zzyzx", unscored) == (UNFIT,)
        assert searcher.warnings_of("zzyzx", found._replace(ids=found.ids[:0])) == ()


def test_a_warning_changes_no_hit(session: Session) -> None:
    searcher = Searcher(session, "hybrid", "chunk", "rrf")
    found = searcher.rank("zzyzx qwrk", 5)
    assert searcher.warnings_of("zzyzx qwrk", found) == (UNFIT,)
    assert searcher.rank("zzyzx qwrk", 5).ids.tolist() == found.ids.tolist() and len(found.ids) == 5


def test_what_may_not_be_ranked_fits_nothing(world: Path) -> None:
    within, without = (
        json.loads(_weft("search", world, "printer satirist", "--page", page, "-m", "vector", "--json").stdout)
        for page in ("Dovrik Amsel", "Ishkemmel")
    )
    assert (within["warnings"], without["warnings"]) == ([], [UNFIT])


def test_one_of_several_questions_fits_nothing(world: Path) -> None:
    result = _weft("search", world, "-", "-m", "vector", "--json", stdin="zzyzx\nbridge\n")
    assert result.stderr == f"zzyzx: {UNFIT}\n"
    assert [len(json.loads(line)["warnings"]) for line in result.stdout.splitlines()] == [1, 0]


def test_a_title_that_several_pages_have_allows_all_of_them(tmp_path: Path) -> None:
    texts = {"a.md": "# Ossay\n\nA town.", "b.md": "# Ossay\n\nA river.", "c.md": "# Veldra\n\nA town by Ossay."}
    pages = write_pages(tmp_path / "pages", texts)
    build(Request((str(pages),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb:
        session = Session(Context(skb))
        found = {}
        for name in ("Ossay", "Ossay (b.md)", "ossay"):
            allowed = Searcher(session, "bm25", filters=Filters(pages=(name,))).allowed
            assert allowed is not None
            found[name] = sorted(session.uris("chunk", allowed.tolist()))
    assert found == {
        "Ossay": ["Ossay (b.md)##1", "Ossay##1"],
        "Ossay (b.md)": ["Ossay (b.md)##1"],
        "ossay": ["Ossay (b.md)##1", "Ossay##1"],
    }
