"""The planner: paths beside those found by hand, what questions mean, what is learned, and the file of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.datasets.question_files import GoldItem, Question
from retriever.focus.planner.features import softmax
from retriever.focus.planner.likeness import by_meaning, by_spelling, likeness_of
from retriever.focus.planner.model import DEFAULT
from retriever.focus.planner.plan import Plan, names_of, plans_of, starts, typed
from retriever.focus.planner.steps import schema_of
from retriever.focus.planner.store import BadRelationFile, Relations, Taught, load_relations, save_relations
from retriever.focus.planner.wording import wording_of
from retriever.fusion.seen import packed
from retriever.question.reader import question_of
from retriever.session import Session
from retriever.training.relations import fit_relations
from tests.retriever.focus.graphs import RENAMED, SONGS, reached, write_graph
from tests.worlds import write_records
from weft.skb import Skb

ASKED = [
    ("who wrote [Low Tide]", (">written_by",)), ("[Salt Road] was sung by who", (">sung_by",)),
    ("in which language is [Reed Bell]", (">in_language",)), ("which songs did [Ada Orr] write", ("<written_by",)),
    ("which songs are sung by [Cato Lunn]", ("<sung_by",)),
    ("who sang the songs written by [Ada Orr]", ("<written_by", ">sung_by")),
    ("which languages are the songs written by [Dora Vane] in", ("<written_by", ">in_language")),
    ("who sang the songs written by the writer of [Low Tide]", (">written_by", "<written_by", ">sung_by")),
]  # fmt: skip


@pytest.fixture(params=[True, False], ids=["typed", "untyped"])
def session(tmp_path: Path, weave: Callable[..., object], request: pytest.FixtureRequest) -> Iterator[Session]:
    weave(write_graph(tmp_path / "graph", typed=request.param))
    with Skb(tmp_path / "kb.skb") as opened, Session(Context(opened)) as session:
        yield session


def names(session: Session, plan: Plan) -> set[str]:
    ids = session.adjacency.entity_ids[plan.places].tolist()
    return {entity.name for entity in session.skb.entities(ids)}


def path_of(session: Session, plan: Plan) -> tuple[str, ...]:
    schema = schema_of(session)
    return tuple(schema.name(step).partition(":")[0] for step in plan.path)


@pytest.mark.parametrize("start", [*SONGS, "Ada Orr", "Cato Lunn", "Veldric"])
def test_paths_lead_where_they_lead_by_hand(session: Session, start: str) -> None:
    found = plans_of(session, question_of(session, f"[{start}]"), DEFAULT, 3)
    by_path: dict[tuple[str, ...], set[str]] = {}
    for plan in found:
        by_path.setdefault(path_of(session, plan), set()).update(names(session, plan))
    assert len(found) > 5 and by_path == {path: reached(start, *path) for path in by_path}
    steps = [f"{way}{each}" for way in "<>" for each in ("written_by", "sung_by", "in_language")]
    every = {(one, two) for one in steps for two in steps if reached(start, one) and reached(start, one, two)}
    assert {path for path in by_path if len(path) == 2} == every


@pytest.mark.parametrize(("asked", "path"), ASKED)
def test_questions_mean_their_paths(session: Session, asked: str, path: tuple[str, ...]) -> None:
    best, *_ = plans_of(session, question_of(session, asked), DEFAULT)
    assert path_of(session, best) == path and best.probability > 0.1
    assert names(session, best) == reached(best.mention.name, *path)


@pytest.mark.parametrize(("most", "longest"), [(0, 1), (12, 2), (10**6, 3)])
def test_paths_are_followed_as_far_as_edges_may_be_read(
    session: Session, monkeypatch: pytest.MonkeyPatch, most: int, longest: int
) -> None:
    monkeypatch.setattr("retriever.focus.planner.plan.MOST_EDGES", most)
    found = plans_of(session, question_of(session, "who sang the songs written by [Ada Orr]"), DEFAULT)
    assert max(len(plan.path) for plan in found) == longest
    assert ("<written_by",) in {path_of(session, plan) for plan in found}
    if longest > 1:
        assert path_of(session, found[0]) == ("<written_by", ">sung_by"), "the likeliest are followed first"


def test_probabilities_are_of_all_paths_and_of_none(session: Session) -> None:
    for asked, _ in ASKED:
        found = plans_of(session, question_of(session, asked), DEFAULT)
        total = sum(plan.probability for plan in found)
        assert 0 < total < 1
        assert [plan.probability for plan in found] == sorted((plan.probability for plan in found), reverse=True)
    assert softmax(np.array([1000.0, 1000.0, -1000.0])).tolist() == [0.5, 0.5, 0.0]


def test_a_name_in_brackets_is_the_one_that_paths_start_from(session: Session) -> None:
    question = question_of(session, "did Ada Orr sing [Low Tide]")
    assert [each.name for each in names_of(question)] == ["Low Tide"]
    both = names_of(question_of(session, "did Ada Orr sing Low Tide"))
    assert {each.name for each in both} == {"Ada Orr", "Low Tide"}
    assert plans_of(session, question_of(session, "what is there"), DEFAULT) == []


def test_the_type_that_is_asked_for(session: Session) -> None:
    schema = schema_of(session)
    chances = typed(session, question_of(session, "which song did Ada Orr write"), DEFAULT)
    assert len(chances) == len(schema.types) and (not len(chances) or schema.types[int(chances.argmax())] == "Song")
    even = typed(session, question_of(session, "find something by Ada Orr"), DEFAULT)
    assert np.allclose(even, even.mean() if len(even) else 0)


DRUGS = "Medication that a doctor prescribes.", "A medication for pain."
GENES = "Makes a protein.", "A protein that a medication may bind.", *(f"Protein {n} of the liver." for n in range(8))


@pytest.mark.parametrize(("asked", "kind"), [
    ("Can you list medications for the liver?", "drug"), ("Find a protein that medications bind", "gene"),
    ("Find drugs with a protein in mind", "drug"), ("Which harbour is near?", None),
    ("Who prescribes medications?", None), ("", None),
])  # fmt: skip
def test_the_type_of_what_is_asked_for_follows_from_the_texts_of_its_nodes(
    tmp_path: Path, weave: Callable[..., object], asked: str, kind: str | None
) -> None:
    (tmp_path / "texts").mkdir()
    texts = [*((text, "drug") for text in DRUGS), *((text, "gene") for text in GENES)]
    nodes = [{"uri": f"n{n}", "name": f"N{n}", "type": kind, "text": text} for n, (text, kind) in enumerate(texts)]
    write_records(tmp_path / "texts" / "nodes.jsonl", nodes)
    (tmp_path / "texts" / "edges.tsv").write_text("subject\tpredicate\tobject\nn0\tbinds\tn2\n", encoding="utf-8")
    weave(tmp_path / "texts")
    with Skb(tmp_path / "kb.skb") as opened, Session(Context(opened)) as session:
        chances = typed(session, question_of(session, asked), DEFAULT)
        types = schema_of(session).types
    assert types == ("drug", "gene") and chances.sum() == pytest.approx(1)
    assert (chances[0] == chances[1]) if kind is None else types[int(chances.argmax())] == kind


def questions(n: int | None = None) -> list[Question]:
    """Return questions in words that no relation has, with answers and without paths."""
    found = []
    for song, (writer, singer, tongue) in SONGS.items():
        found += [
            (f"whose pen made [{song}]", writer), (f"whose voice is on [{song}]", singer),
            (f"how is [{song}] spoken", tongue),
        ]  # fmt: skip
    return [Question(str(number), text, (GoldItem(uri=gold),)) for number, (text, gold) in enumerate(found)][:n]


def test_questions_with_answers_teach_words_that_relations_do_not_have(session: Session) -> None:
    taught = questions()
    model = fit_relations(session, taught[:12])
    for question, path in zip(taught[12:], [(">written_by",), (">sung_by",), (">in_language",)] * 2, strict=True):
        best, *_ = plans_of(session, question_of(session, question.question), model)
        assert path_of(session, best) == path, question.question
    assert fit_relations(session, taught[:12]) == model, "the same questions teach the same"


def test_nothing_is_taught_by_questions_without_gold(session: Session) -> None:
    model = fit_relations(session, [Question("1", "whose pen made [Low Tide]", ())])
    assert model.weights == DEFAULT.weights and model.cues == {}


def test_a_name_that_leads_nowhere_is_learned_too(session: Session) -> None:
    far = [Question(str(n), f"apropos [{song}] of what", (GoldItem(uri="Nowhere"),)) for n, song in enumerate(SONGS)]
    none = fit_relations(session, far)
    assert none == fit_relations(session, [])
    gold = [Question(str(n), f"apropos [{song}] of what", (GoldItem(uri=song),)) for n, song in enumerate(SONGS)]
    model = fit_relations(session, gold)
    found = plans_of(session, question_of(session, "apropos [Low Tide] of what"), model)
    assert sum(plan.probability for plan in found) < 0.5


def test_what_is_learned_is_kept_in_a_file(session: Session, tmp_path: Path) -> None:
    taught = questions(12)
    hashes = packed(each.question for each in taught)
    relations = Relations(fit_relations(session, taught), (Taught("songs", "ab" * 32, 12, hashes),), {"embedder": "x"})
    path = tmp_path / "relations.json"
    save_relations(path, relations)
    read = load_relations(path)
    assert read == relations and read.n_learned([each.question for each in questions()]) == 12
    again = tmp_path / "again.json"
    save_relations(again, read)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"}, {"version": 2}, {"columns": ["steps"]}, {"weights": []}, {"weights": ["1"] * 13},
        {"nothing": None}, {"nothing": 1e300}, {"cues": {"a": 3}}, {"cues": {"a": {"b": True}}}, {"types": []},
        {"trained_on": [{}]}, {"trained_on": [{"name": "", "sha256": "", "questions": 1, "texts": "?"}]},
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused(session: Session, tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "relations.json"
    save_relations(path, Relations(DEFAULT))
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(BadRelationFile, match="relations"):
        load_relations(path)
    for text in ("", "[" * 100_000, "{}", "3"):
        path.write_text(text)
        with pytest.raises(BadRelationFile):
            load_relations(path)


def test_renamed_relations_are_found_by_what_was_taught(tmp_path: Path, weave: Callable[..., object]) -> None:
    weave(write_graph(tmp_path / "graph", typed=False, predicates=RENAMED))
    taught = questions()
    with Skb(tmp_path / "kb.skb") as opened, Session(Context(opened)) as session:
        model = fit_relations(session, taught[:12])
        right = [
            path_of(session, plans_of(session, question_of(session, each.question), model)[0])
            for each in taught[12:]
        ]
        assert right == [(f">{each}",) for each in RENAMED] * 2


def test_words_are_read_around_the_name(session: Session) -> None:
    question = question_of(session, "Which songs, pray, did [Ada Orr] write?")
    (name,) = names_of(question)
    wording = wording_of(question.text, name)
    assert wording.words == ("which", "songs", "pray", "did", "write") and wording.offsets == (-4, -3, -2, -1, 1)
    assert wording.asked == 1 and {"do @", "@ write", "write $"} <= set(wording.cues)
    assert wording_of("", None).cues == ("^ $",) and wording_of("what", None).asked == 0


def test_words_are_like_labels_by_letters_and_by_meaning(session: Session) -> None:
    assert by_spelling("writers", ("written",)) == 1.0 and by_spelling("the", ("the",)) == 0.0
    assert 0 < by_spelling("songwriter", ("written",)) < 1 and by_spelling("sang", ("sung",)) >= 0
    cosines = np.array([[0.9, 0.2], [0.6, 0.58], [0.3, 0.1], [0.8, 0.8]])
    assert by_meaning(cosines).round(2).tolist() == [[1.0, 0.0], [0.07, 0.0], [0.0, 0.0], [0.0, 0.0]]
    like = likeness_of(session, ["writers", "which", "song"])
    schema = schema_of(session)
    assert like.relations.shape == (3, 3) and like.types.shape == (3, len(schema.types))
    assert like.relations[0].argmax() == schema.predicates.index("written_by") and not like.relations[1].any()
    assert likeness_of(session, []).relations.shape == (0, 3)


def test_paths_from_every_name_are_found(session: Session) -> None:
    found = list(starts(session, question_of(session, "songs of Ada Orr sung by Cato Lunn"), DEFAULT, 1))
    assert [each.mention.name for each in found] == ["Ada Orr", "Cato Lunn"]
    assert all(len(each.paths) == len(each.places) > 0 for each in found)
