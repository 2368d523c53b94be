"""Questions that name a section as people do who look something up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.session import Session
from retriever.synthesis.headings import MOST_KEYWORDS, OPENINGS, heading_questions
from tests.worlds import page, write_pages
from weft.skb import Skb
from weft.text.names import name_key
from weft.text.normalise import WORD

MANY = 200


@pytest.fixture
def session(world: Path) -> Iterator[Session]:
    with Skb(world) as opened:
        yield Session(Context(opened))


def words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


def test_gold_is_in_one_section_that_the_question_names_or_quotes(session: Session) -> None:
    often = Counter(name_key(title) for (title,) in session.skb.connection.execute(
        "SELECT title FROM section UNION ALL SELECT title FROM page"))  # fmt: skip
    kinds: Counter[str] = Counter()
    for made in heading_questions(session, MANY):
        chunks = session.skb.chunks(made.gold.tolist())
        assert len({(chunk.page_id, chunk.section_id) for chunk in chunks}) == 1
        (page,) = session.skb.pages([chunks[0].page_id])
        section = chunks[0].section_id
        heading = session.skb.sections([section])[0].title if section else page.title
        if name_key(heading) in name_key(made.text):
            asked_twice = often[name_key(heading)] > 1
            kinds["titled" if page.title.lower() in made.text.lower() and section else "heading"] += 1
            assert not asked_twice or page.title.lower() in made.text.lower(), made.text
            kinds["asked"] += made.text.lower().startswith(OPENINGS)
        else:
            kinds["keywords"] += 1
            said = words(made.text)
            assert 1 <= len(made.text.split()) <= MOST_KEYWORDS
            assert all(said <= words(chunk.text) for chunk in chunks), made.text
    assert min(kinds[kind] for kind in ("titled", "heading", "asked", "keywords")) > 10, kinds


def test_no_section_is_asked_for_twice_and_all_of_it_is_gold(session: Session) -> None:
    seen = set()
    for made in heading_questions(session, MANY):
        place = session.skb.chunks(made.gold.tolist())[0]
        assert (place.page_id, place.section_id) not in seen
        seen.add((place.page_id, place.section_id))


def test_same_file_and_seed_same_questions(session: Session) -> None:
    one, same, other = (
        [(each.text, each.gold.tolist()) for each in heading_questions(session, 40, seed)] for seed in (0, 0, 1)
    )
    assert one == same != other and len(one) == 40


def test_what_stands_above_a_heading_that_repeats_the_title_is_never_asked_for(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {
        f"{name}.html": page(f"{name} (Manual of the mill)", "Next: Flour, Up: Mill, Previous: Contents, Index.",
                             f"== 3.{index} {name}", f"How the {name.lower()} is turned, greased and mended in winter.")
        for index, name in enumerate(("Wheel", "Sluice", "Stone", "Hopper"))
    })  # fmt: skip
    build(Request((str(pages),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb:
        made = list(heading_questions(Session(Context(skb)), MANY))
        asked = [chunk for each in made for chunk in skb.chunks(each.gold.tolist())]
    assert len(made) == 4 and all(chunk.section_id for chunk in asked)
