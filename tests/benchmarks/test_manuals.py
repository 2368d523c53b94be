"""Gathering of manuals, and tables, plain text and notes beside them: from packages to scores."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.corpora import skb_of
from benchmarks.domains import domains, manual_source, notes_source
from benchmarks.manual_packages import AS_TEXT, MANUALS, Manual, NotToBeHad, gather
from benchmarks.manual_questions import manual_questions, resolved
from benchmarks.manuals import pooled, prepare, scores, show
from benchmarks.other_manuals import OTHERS
from benchmarks.plain_manual import as_text_questions, write_text
from benchmarks.table_questions import table_questions
from retriever.datasets.question_files import read_questions
from tests.benchmarks.test_manual_questions import MANUAL
from tests.worlds import write_pages
from weft.skb import Skb

LOCKS = Manual("locks", "Canal Company", "sdist", "canal-locks", "canal-locks-*/docs", ("_*", "old/*"))
LOST = Manual("lost", "Nobody", "deb", "weft-has-no-such-package", "usr/share/doc")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder where a package has been downloaded."""
    (tmp_path / "packages").mkdir()
    _write_package(tmp_path / "packages" / "canal-locks-2.1.tar.gz")
    return tmp_path


def _write_package(path: Path, **others: str) -> None:
    files = {f"docs/{name}": text for name, text in MANUAL.items()}
    files |= {"docs/conf.py": "", "docs/_static/a.html": "", "docs/old/b.md": "# Old", "readme.md": "# No"} | others
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"canal-locks-2.1/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))


def test_a_manuals_documents_are_taken_out_of_its_package(folder: Path) -> None:
    documents = gather(LOCKS, folder)
    assert sorted(path.name for path in documents.rglob("*")) == ["faq.html", "pumps.html", "sluices.html"]
    (documents / "faq.html").unlink()
    assert gather(LOCKS, folder) == documents
    assert not (documents / "faq.html").exists(), "what is there is not made anew"


def test_what_cannot_be_had_is_told(folder: Path) -> None:
    with pytest.raises(NotToBeHad, match=r"^lost: apt-get "):
        gather(LOST, folder)
    with pytest.raises(NotToBeHad, match="has no documents in canal-locks"):
        gather(LOCKS._replace(place="canal-locks-*/manual"), folder)


def test_a_package_that_is_cut_or_leads_out_of_its_folder_is_refused(folder: Path) -> None:
    path = folder / "packages" / "canal-locks-2.1.tar.gz"
    _write_package(path, **{"../../../out.md": "# Out"})
    with pytest.raises(NotToBeHad, match=r"out\.md"):
        gather(LOCKS, folder)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(NotToBeHad, match="canal-locks"):
        gather(LOCKS, folder)
    assert not (folder / "documents" / "locks").exists()


def test_manuals_are_gathered_asked_and_scored(folder: Path) -> None:
    names = (LOST.name, LOCKS.name)
    lost, locks = prepare(folder, names, (LOST, LOCKS))
    source = manual_source(folder, "locks")
    assert source.questions is not None
    questions = read_questions(source.questions)
    assert lost.startswith("Error: lost: ")
    assert locks == f"locks: {len(questions)} questions, 0 dropped whose gold is not in the SKB"
    assert list(prepare(folder, names, (LOCKS,))) == []
    rows = list(scores(source, folder, "tfidf"))
    assert sum(row["questions"] for row in rows) == len(questions)
    assert next(row for row in rows if row["kind"] == "name")["methods"]["bm25"]["hit@1"] == 1.0
    assert show(rows[0]).startswith("locks ")


def test_corpora_are_pooled_by_their_questions() -> None:
    def row(corpus: str, kind: str, n: int, hit: float) -> dict[str, Any]:
        return {"corpus": corpus, "kind": kind, "questions": n,
                "methods": {"bm25": {"hit@1": hit, "hit@3": 1.0, "hit@5": 1.0}}}  # fmt: skip

    rows = [row("locks", "faq", 30, 0.5), row("locks", "name", 5, 0.2), row("weirs", "faq", 10, 0.9)]
    faq, name = pooled("manuals", rows)
    assert faq == row("all manuals", "faq", 40, 0.6)
    assert name == row("all manuals", "name", 5, 0.2)


def test_a_row_is_asked_for_by_its_cells(tmp_path: Path, weave: Callable[..., object]) -> None:
    cells = [("Ship", "Port", "Built"), ("Alma", "Wick", "1901"), ("Brise", "Ryde", "1903"), ("Corra", "Wick", "1911")]
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
    weave(write_pages(tmp_path / "pages", {"a.html": f"<h1>Fleet</h1><h2>Sail</h2><table>{rows}</table>"}))
    with Skb(tmp_path / "kb.skb") as skb:
        lines = list(table_questions(skb, "fleet", seed=1))
        assert resolved(skb, lines) == (lines, 0)
        assert lines == list(table_questions(skb, "fleet", seed=1))
    assert [line["gold"] for line in lines] == [[{"uri": "Fleet#Sail##1"}]] * 2
    assert all(any(row[0] in line["question"] or row[2] in line["question"] or "Ship" in line["question"]
                   for row in cells[1:]) for line in lines)  # fmt: skip


def test_plain_text_is_asked_what_its_manual_is(tmp_path: Path, folder: Path) -> None:
    gather(LOCKS, folder)
    with Skb(skb_of(manual_source(folder, "locks"), folder / "skbs", "tfidf")) as skb:
        write_text(skb, folder / "documents" / "text")
        written = (folder / "documents" / "text" / "sluices.txt").read_text(encoding="utf-8")
        assert written.startswith("Sluices\n\nOptions\nHeight and angle of the sluice gate.\n\n")
        text_source = manual_source(folder, "text")
        with Skb(skb_of(text_source, folder / "skbs", "tfidf")) as text:
            lines = list(as_text_questions(skb, text, list(manual_questions(skb, "locks"))))
            assert resolved(text, lines) == (lines, 0)
            (asked,) = (line for line in lines if line["question"] == "flush_lines")
            (gold,) = (text.chunk(item["uri"]) for item in asked["gold"])
    assert gold is not None and "Opens all valves for a minute." in gold.text


def test_the_notes_hold_the_answers_to_their_questions(tmp_path: Path) -> None:
    source = notes_source()
    assert source.questions is not None
    lines = [json.loads(line) for line in source.questions.read_text(encoding="utf-8").splitlines()]
    with Skb(skb_of(source, tmp_path, "tfidf")) as skb:
        assert resolved(skb, lines) == (lines, 0)
        assert (skb.count("page"), len(lines) >= 40) == (60, True)


def test_every_kind_of_corpus_is_a_domain(tmp_path: Path) -> None:
    found = domains(tmp_path)
    assert list(found) == ["passages", "encyclopedia pages", "manuals", "tables", "text and notes", "fixtures"]
    assert found["manuals"] == found["tables"] == ()
    assert [source.name for source in found["text and notes"]] == ["notes"]
    documents = [document for sources in found.values() for source in sources for document in source.documents]
    assert len(documents) == len(set(documents))


def test_what_is_only_scored_is_in_no_training() -> None:
    learned = {each.package for each in (*MANUALS, AS_TEXT)}
    assert learned.isdisjoint(each.package for each in OTHERS)
    assert len({each.maker for each in OTHERS} - {"Pallets"}) == len(OTHERS) - 1 == 8
