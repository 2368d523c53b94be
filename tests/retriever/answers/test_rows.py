"""What asks for several things of a table gets those whose rows say so, and what asks how to do something all steps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import find_answer
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

PAGE = """# Glazes

The studio mixes its own glazes. Sunniva Obrell invented Fog.

| Glaze | Colour | Finish | Food safe | Fired to |
|---|---|---|---|---|
| Harbour Green | green | glossy | yes | 1,260 °C |
| Fog | grey | matt | yes | 1,260 °C |
| Rustback | brown | matt | no | 1,100 °C |
| Old Penny | copper red | glossy | no | 1,280 °C |

## How to glaze a pot

1. Wipe the bisque with a sponge.
2. Wax the foot
3. Dip the pot for three seconds.
"""


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("glazes")
    (folder / "glazes.md").write_text(PAGE, encoding="utf-8")
    build(Request((str(folder / "glazes.md"),), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which glazes are food safe?", "Harbour Green, Fog"),
        ("Which glazes are not food safe?", "Rustback, Old Penny"),
        ("which glazes are matt", "Fog, Rustback"), ("Which glazes are not matt?", "Harbour Green, Old Penny"),
        ("Which glazes are matt and food safe?", "Fog"), ("Which glazes are fired to 1,260 °C?", "Harbour Green, Fog"),
        ("List the glazes", "Harbour Green, Fog, Rustback, Old Penny"), ("Which glazes are copper red?", "Old Penny"),
    ],
)  # fmt: skip
def test_rows_are_selected_by_values_and_by_yes_and_no(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == answer
    chunk = searcher.session.skb.chunk(found.answer.citations[0].uri)
    assert chunk is not None and chunk.text[slice(*found.answer.citations[0].span)].startswith(answer.split(",")[0])


@pytest.mark.parametrize(
    "question", ["Which glazes did Sunniva invent?", "Which kilns are food safe?", "Which glazes are poisonous?"]
)
def test_what_no_column_says_selects_no_rows(searcher: Searcher, question: str) -> None:
    assert "," not in (find_answer(searcher, question).answer.text or "")


@pytest.mark.parametrize("question", ["How do I glaze a pot?", "how to glaze a pot", "How should a pot be glazed?"])
def test_how_to_do_something_is_all_steps_below_its_heading(searcher: Searcher, question: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == "Wipe the bisque with a sponge. Wax the foot; Dip the pot for three seconds."


def test_no_other_steps_are_taken(searcher: Searcher) -> None:
    assert "Wipe" not in (find_answer(searcher, "How do I fire a pot?").answer.text or "")
