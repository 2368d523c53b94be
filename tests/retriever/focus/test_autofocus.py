"""autofocus without a model: what it answers, its order whatever is asked for, its options and its reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from interfaces.cli import main
from retriever.context import Context
from retriever.explanation import explain
from retriever.question.filters import Filters
from retriever.searcher import Searcher
from retriever.session import Session
from tests.retriever.focus.graphs import SONGS, reached, write_graph
from tests.worlds import write_records
from weft.errors import WeftError
from weft.skb import Skb

ASKED = "who sang the songs written by [Ada Orr]"


@pytest.fixture
def session(tmp_path: Path, weave: Callable[..., object]) -> Iterator[Session]:
    weave(write_graph(tmp_path / "graph"))
    with Skb(tmp_path / "kb.skb") as opened, Session(Context(opened)) as session:
        yield session


def ranked(session: Session, method: str, question: str = ASKED, k: int = 30) -> list[str]:
    found = Searcher(session, method, "entity").rank(question, k)
    return [entity.name for entity in session.skb.entities(found.ids.tolist())]


@pytest.mark.parametrize("strand", ["hybrid", "vss", "bm25"])
def test_what_relations_lead_to_stands_first(session: Session, strand: str) -> None:
    names = ranked(session, f"autofocus(strand={strand})")
    assert set(names[:2]) == reached("Ada Orr", "<written_by", ">sung_by") and len(set(names)) == len(names)
    two = ranked(session, "autofocus", "which songs are written by Ada Orr and sung by Cato Lunn")
    assert two[0] == "Salt Road", "what both names lead to stands before what one of them does"


@pytest.mark.parametrize("options", ["", "alpha=0.2", "alpha=1", "alpha=0", "k=3", "types=no", "hops=1", "rel6=yes"])
def test_the_order_is_the_same_however_many_are_asked_for(session: Session, options: str) -> None:
    method = f"autofocus({options})"
    searcher = Searcher(session, method, "entity")
    for question in (ASKED, "which languages are there", "who wrote Low Tide and sang Mill Song"):
        found = searcher.rank(question, 30)
        assert (np.diff(found.scores) <= 1e-6).all()
        for k in (1, 2, 5, 9):
            assert searcher.rank_anew(question, k).ids.tolist() == found.ids[:k].tolist()


def test_the_share_of_relations_is_bounded_by_alpha(session: Session) -> None:
    songs = reached("Veldric", "<in_language")
    asked = "which songs are in language [Veldric]"
    assert set(ranked(session, "autofocus(alpha=1,k=3)", asked)[:3]) == songs
    by_alpha = [ranked(session, f"autofocus(alpha={alpha},k=3,types=no)", asked) for alpha in (0, 0.34, 1)]
    assert by_alpha[1][0] in songs and by_alpha[0] != by_alpha[2]


def test_only_nodes_of_the_type_asked_for_are_looked_for_first(session: Session) -> None:
    kinds = {name: "Song" for name in SONGS}
    names = ranked(session, "autofocus(alpha=0)", "which song is by Cato Lunn")
    n_songs = sum(name in kinds for name in names)
    assert all(name in kinds for name in names[:n_songs]) and n_songs > 1
    untyped = ranked(session, "autofocus(alpha=0,types=no)", "which song is by Cato Lunn")
    assert not all(name in kinds for name in untyped[:2])


def test_filters_hold_for_both_strands(session: Session) -> None:
    found = Searcher(session, "autofocus", "entity", filters=Filters(types=("Language",))).rank(ASKED, 30)
    assert {entity.type for entity in session.skb.entities(found.ids.tolist())} == {"Language"}


def test_hits_say_by_which_path_they_were_found(session: Session) -> None:
    searcher = Searcher(session, "autofocus", "entity")
    found = searcher.rank(ASKED, 5)
    first, *_ = explain(searcher, ASKED, found)
    assert [each.name for each in first] == ["relations"] and first[0].contribution == found.scores[0]
    assert first[0].evidence[0].text == "Ada Orr – is written by of – sung by →"
    assert len(searcher.signals(ASKED, found)) == 5 and searcher.signals(ASKED, found)[0]["relations"] > 0.1
    (step,) = (each for each in session.trace.steps if each.name == "plan")
    assert step.stand_in and step.detail["paths"][0] == "<written_by:Song >sung_by:Person"


def test_auto_is_autofocus_over_the_nodes_of_imported_graphs(session: Session, world: Path) -> None:
    assert str(Searcher(session, "auto", "entity").method) == "autofocus"
    assert str(Searcher(session, "auto", "chunk").method) == "hybrid"
    with Skb(world) as opened, Session(Context(opened)) as other:
        assert str(Searcher(other, "auto", "entity").method) == "hybrid"


def test_a_strand_that_is_none_is_refused(session: Session) -> None:
    with pytest.raises(WeftError, match=r"autofocus\(strand=x\): strand=x is none of hybrid, vss, bm25"):
        Searcher(session, "autofocus(strand=x)", "entity")
    with pytest.raises(WeftError, match="ranks entities"):
        Searcher(session, "autofocus", "chunk")


def test_a_graph_without_edges_or_names_is_ranked_by_similarity(tmp_path: Path, weave: Callable[..., object]) -> None:
    folder = tmp_path / "graph"
    folder.mkdir()
    write_records(folder / "nodes.jsonl", [{"uri": "a", "name": "Alder"}, {"uri": "b", "name": "Birch"}])
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\n", encoding="utf-8")
    weave(folder)
    with Skb(tmp_path / "kb.skb") as opened, Session(Context(opened)) as session:
        assert ranked(session, "autofocus", "what of [Birch]")[0] == "Birch"
        assert ranked(session, "autofocus", "") == ranked(session, "hybrid", "")


def test_the_command_line_trains_and_uses_relations(session: Session, tmp_path: Path) -> None:
    records = [
        {"id": song, "question": f"whose pen made [{song}]", "gold": [{"uri": ends[0]}]} for song, ends in SONGS.items()
    ]
    asked = write_records(tmp_path / "questions.jsonl", records[:4])
    path = tmp_path / "relations.json"
    command = ["train", str(tmp_path / "kb.skb"), str(asked), "--relations", "-o", str(path)]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    assert result.exit_code == 0 and "weights from 4 questions" in result.output
    names = ranked(session, f"autofocus(relations={path})", "whose pen made [Far Ferry]")
    assert names[0] == "Emil Stroud"
    searcher = Searcher(session, f"autofocus(relations={path})", "entity")
    assert searcher.n_learned(asked, [str(each["question"]) for each in records]) == 4
    for wrong, complaint in (
        ([str(tmp_path / "kb.skb"), "--relations"], "give a question file"),
        ([str(tmp_path / "kb.skb"), str(asked), str(tmp_path / "x.skb"), str(asked), "--relations"], "one graph"),
    ):
        failed = CliRunner().invoke(main, ["train", *wrong, "-o", str(path)])
        assert failed.exit_code and complaint in failed.output
