"""Generated dumps: facts that pages state stand in their text and in the triples; without them nothing changes."""

from __future__ import annotations

from pathlib import Path

from benchmarks.generate import RESOURCE, make_world, write_pages, write_triples
from benchmarks.stated import Statements, sentence, triple
from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.session import Session
from retriever.testsets.make import make
from weft.skb import Skb

N = 12


def _texts(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.html"))]


def test_what_pages_state_is_in_the_triples_and_can_be_asked(tmp_path: Path) -> None:
    world, statements = make_world(N), Statements(0.6)
    write_pages(world, tmp_path / "pages", N, statements=statements)
    write_triples(world, tmp_path / "facts.nt", 2_000, stated=statements.facts)
    assert len({(fact.subject, fact.predicate) for fact in statements.facts}) == len(statements.facts) > N
    lines = (tmp_path / "facts.nt").read_text().splitlines(keepends=True)
    names = [f"<{RESOURCE}{title.replace(' ', '_')}>" for title in world.titles]
    assert lines[: len(statements.facts)] == [triple(fact, names) for fact in statements.facts]
    assert len(lines) == 2_000
    build(Request((str(tmp_path / "pages"),), tmp_path / "kb.skb", rdf=(str(tmp_path / "facts.nt"),), workers=1))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        texts = {text for (text,) in skb.connection.execute("SELECT text FROM chunk")}
        made = make(session, 10)
    stated = [sentence(fact, world.titles[fact.subject], str(fact.year) if fact.object is None
              else world.titles[fact.object]) for fact in statements.facts]  # fmt: skip
    assert sum(any(each in text for text in texts) for each in stated) > 0.7 * len(stated)
    assert made.drafts


def test_pages_that_state_nothing_are_as_they_were(tmp_path: Path) -> None:
    world, statements = make_world(N), Statements(0.6)
    write_pages(world, tmp_path / "a", N)
    write_pages(world, tmp_path / "b", N, statements=statements)
    for plain, stating in zip(_texts(tmp_path / "a"), _texts(tmp_path / "b"), strict=True):
        assert plain.count("<p>") == stating.count("<p>") - 1
        assert len(plain) < len(stating)
