"""Questions as typed over notes: alternatives without capitals, tables with a thing a column, labelled lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import reading_of
from retriever.answers.choices.alternatives import TYPED
from retriever.answers.columns.features import INDEX
from retriever.answers.reading import Reading
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

NOTES = """# The fleet

| | Heron | Old Bess | Gull |
| --- | --- | --- | --- |
| Built | 2016 | 1987 | 2001 |
| Length | 89.6 m | 58.4 m | 70 m |
| Service speed | 17 kn | 12 kn | 14 kn |

## Moorings

The grey buoy lies 140 metres off the slip, the red buoy lies 35 metres off it. Home port: Orse. Sponsor: the swimmer
Hattie Coll.

## What does a berth cost?

Forty crowns a week.

Wardens of the slip:

Jon Hale and Ada Orr. The keeper said: Mora Vane had shut it.

The Tern Bay ferry makes 30 knots. Skua was passed by a gig which makes 9 knots.

## Logo

Who drew it? A schoolgirl, Mora Finch, won the prize for it. The old sign was painted by a baker, Ned Tarn.
"""


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "fleet.md").write_text(NOTES, encoding="utf-8")
    build(Request((str(folder / "fleet.md"),), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


def column(reading: Reading, name: str, text: str) -> float:
    rows = [row for row, each in enumerate(reading.candidates) if each.text == text]
    return max(float(reading.features[row, INDEX[name]]) for row in rows)


@pytest.mark.parametrize(
    ("question", "answer", "cited"),
    [
        ("which ship is faster, heron or old bess", "heron", "17 kn"),
        ("which is older heron or old bess", "old bess", "1987"),
        ("which is older, heron, or old bess", "old bess", "1987"),
        ("which ship is older: old bess or gull", "old bess", "1987"),
        ("Which ship is shorter, Heron or Old Bess?", "Old Bess", "58.4 m"),
        ("Which is longer, Old Bess or Gull?", "Gull", "70 m"),
        ("which buoy is farther, the grey buoy or the red buoy", "grey buoy", "140 metres"),
        ("which buoy is closer, the grey buoy or the red buoy", "red buoy", "35 metres"),
    ],
)
def test_alternatives_are_compared_as_they_are_typed(
    searcher: Searcher, question: str, answer: str, cited: str
) -> None:
    reading = reading_of(searcher, question)
    agrees = reading.features[:, INDEX["agrees"]]
    assert len(agrees) == 2 and agrees.max() > agrees.min() == 0
    best = reading.candidates[int(agrees.argmax())]
    passage = reading.passages[best.passage]
    assert best.text == answer and cited in passage.text[slice(*passage.sentence_at(best.start))]


@pytest.mark.parametrize(
    "question",
    [
        "when was the first slip or shed built",
        "how long may i stay at the lower moorings or the slip",
        "what do we do after the grey buoy or the red buoy",
        "which ship is faster, heron or gannet",
    ],
)
def test_other_questions_offer_no_choice(searcher: Searcher, question: str) -> None:
    assert not reading_of(searcher, question).features[:, INDEX["form_choice"]].any()


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("which river is longer the dee or the tay", ("the dee", "the tay")),
        ("which has more seats heron or old bess", ("heron", "old bess")),
        ("which steamer is longer the heron or the gull", ("the heron", "the gull")),
        ("who may use the larger inn or boat", None),
        ("which of the first boats or barges sank", None),
    ],
)
def test_where_two_typed_things_begin(question: str, names: tuple[str, str] | None) -> None:
    found = next(filter(None, (pattern.search(question) for pattern in TYPED)), None)
    assert (found.groups() if found else None) == names


def test_a_longer_name_and_what_something_else_does_are_not_compared(searcher: Searcher) -> None:
    reading = reading_of(searcher, "which is faster, tern or skua")
    assert not reading.features[:, [INDEX["agrees"], INDEX["agrees_not"]]].any()


def test_a_cell_of_a_row_without_a_first_cell_stands_under_its_label(searcher: Searcher) -> None:
    reading = reading_of(searcher, "What is the length of Old Bess?")
    assert column(reading, "label", "58.4 m") > column(reading, "label", "89.6 m")


def test_a_line_that_ends_with_a_colon_labels_the_next_one(searcher: Searcher) -> None:
    reading = reading_of(searcher, "wardens of the slip")
    assert column(reading, "in_line", "Jon Hale") == 1 and column(reading, "label", "Jon Hale") > 0.5
    assert column(reading, "in_line", "Mora Vane") == 0


def test_what_stands_before_a_colon_labels_the_rest(searcher: Searcher) -> None:
    reading = reading_of(searcher, "home port of the fleet")
    assert column(reading, "in_line", "Orse") == 1 and column(reading, "label_share", "Orse") == 1
    assert column(reading, "in_line", "140 metres") == column(reading, "label", "140 metres") == 0


def test_a_question_of_the_text_or_its_heading_asks_for_what_follows(searcher: Searcher) -> None:
    reading = reading_of(searcher, "how much does a berth cost")
    assert column(reading, "means_question", "Forty crowns") > 0.5
    reading = reading_of(searcher, "who drew the logo")
    assert column(reading, "means_question", "Mora Finch") > column(reading, "means_question", "Ned Tarn") == 0


def test_who_did_it_may_stand_behind_what_they_were(searcher: Searcher) -> None:
    reading = reading_of(searcher, "who painted the old sign")
    assert column(reading, "by_asked", "Ned Tarn") == 1 and column(reading, "by_asked", "Mora Finch") == 0
