"""What most pages of a source repeat is ranked once, and an update knows the same repeats as a fresh build."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import build, remove
from builder.request import Request, Summary
from builder.source_layer.repeats import LEAST_PAGES, LONGEST_REPEAT
from retriever.context import Context
from retriever.question.filters import Filters
from retriever.searcher import Searcher
from retriever.session import Session
from tests.worlds import rows, write_pages
from weft.skb import Skb

Weave = Callable[..., Summary]
FOOTER = "Ask the makers of lamps on the mailing list of Thoon, or write a letter."


def write_manual(folder: Path, numbers: range, footer: str = FOOTER, every: int = 1) -> Path:
    pages = {
        f"{n:03}.html": f"<h1>Lamp {n}</h1><p>The {n}th lamp burns oil.</p>" + f"<p>{footer}</p>" * (n % every == 0)
        for n in numbers
    }
    return write_pages(folder, pages)


def repeated(skb: Path) -> set[str]:
    """Return the uris of the chunks that are not ranked, by what is stored."""
    ((stored,),) = rows(skb, "SELECT value FROM meta WHERE key = 'repeats'")
    ids = json.loads(str(stored))
    assert ids == sorted(ids)
    return {str(uri) for identity, uri in rows(skb, "SELECT id, uri FROM chunk") if identity in ids}


def test_a_footer_is_ranked_once(tmp_path: Path, weave: Weave) -> None:
    weave(write_manual(tmp_path / "manual", range(100, 130)))
    assert repeated(tmp_path / "kb.skb") == {f"Lamp {n}##2" for n in range(101, 130)}
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        for method in ("bm25", "vector"):
            found = Searcher(session, method).rank_anew(FOOTER, 1000).ids.tolist()
            assert [each.uri for each in skb.chunks(found) if each.text == FOOTER] == ["Lamp 100##2"]
            assert skb.chunks(found[:1])[0].text == FOOTER
        own = Searcher(session, "bm25", filters=Filters(pages=("Lamp 117",)))
        assert skb.chunks(own.rank_anew("mailing list", 1).ids.tolist())[0].uri == "Lamp 117##2"


@pytest.mark.parametrize(
    ("pages", "footer", "every"),
    [(LEAST_PAGES - 1, FOOTER, 1), (40, FOOTER, 2), (40, "Burn. " * (LONGEST_REPEAT // 5), 1)],
    ids=("few pages", "half of the pages", "long"),
)
def test_what_may_be_the_text_of_pages_stays(tmp_path: Path, weave: Weave, pages: int, footer: str, every: int) -> None:
    weave(write_manual(tmp_path / "manual", range(100, 100 + pages), footer, every))
    assert repeated(tmp_path / "kb.skb") == set()


def test_each_source_has_repeats_of_its_own(tmp_path: Path, weave: Weave) -> None:
    other = write_manual(tmp_path / "other", range(200, 230), "An imprint of Saffrine.", 3)
    weave(write_manual(tmp_path / "manual", range(100, 130)), other)
    assert repeated(tmp_path / "kb.skb") == {f"Lamp {n}##2" for n in range(101, 130)}


def test_an_update_knows_the_same_repeats_as_a_fresh_build(tmp_path: Path) -> None:
    manual, updated, fresh = tmp_path / "manual", tmp_path / "updated.skb", tmp_path / "fresh.skb"

    def make(skb: Path) -> set[str]:
        build(Request((str(manual),), skb, workers=1))
        return repeated(skb)

    write_manual(manual, range(105, 123))
    assert make(updated) == set()
    write_manual(manual, range(100, 130))
    assert make(updated) == make(fresh) and len(repeated(fresh)) == 29
    (manual / "100.html").unlink()
    fresh.unlink()
    assert make(updated) == make(fresh) and "Lamp 101##2" not in repeated(fresh)
    remove(updated, [f"Lamp {n}" for n in range(101, 112)])
    assert repeated(updated) == set()
