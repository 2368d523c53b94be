"""Features by meaning: equal to what word by word gives, above what words alone say, and of use where words differ."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import weft
from retriever.context import Context
from retriever.features.lexical import LexicalFeatures
from retriever.features.meaning import MeaningFeatures
from retriever.question.reader import question_of
from retriever.session import Session
from weft.embedders.word_vectors import word_vectors
from weft.skb import Skb
from weft.text.stems import stems_of

NOTES = {
    "Ferry": "# Ferry\n\nThe vessel leaves the quay. Passengers pay the captain.\n\n## Cargo\n\nCattle go below.",
    "Oven": "# Oven\n\nBread is baked for an hour. The crust must be dark.",
    "Ledger": "# Ledger\n\nTo remove an entry, cross it out twice in qzxvbn ink.",
}


TEXT_AND_ABOVE = """
    SELECT page.title || ' ' || ifnull(path_text, '') || ' ' || text
    FROM chunk JOIN page ON page.id = chunk.page_id LEFT JOIN section ON section.id = section_id WHERE chunk.id = ?"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("meaning")
    for name, text in NOTES.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    weft.build([folder], output=folder / "kb.skb")
    with Skb(folder / "kb.skb") as opened:
        yield Session(Context(opened))


def columns_of(session: Session, text: str) -> tuple[LexicalFeatures, dict[str, np.ndarray]]:
    lexical = LexicalFeatures(session, question_of(session, text), session.chunk_table.chunk_ids)
    return lexical, MeaningFeatures(session, lexical).columns()


def cosine(left: str, right: str) -> float:
    if left == right:
        return 1.0
    table = word_vectors()
    first, second = table.find([left.encode(), right.encode()])
    return max(0.0, float(table.cosines(np.array([first]), np.array([second]))[0, 0]))


@pytest.mark.parametrize("text", ["When does the ship sail?", "Who must be paid?", "delete a record", "qzxvbn"])
def test_stems_are_matched_as_one_by_one(session: Session, text: str) -> None:
    lexical, found = columns_of(session, text)
    for index, identity in enumerate(session.chunk_table.chunk_ids.tolist()):
        (text_and_above,) = session.skb.connection.execute(TEXT_AND_ABOVE, (identity,)).fetchone()
        said = stems_of(text_and_above)
        nearest = [max(cosine(asked, each) for each in said) for asked in lexical.stems]
        assert found["near"][index] == pytest.approx(nearest @ lexical.weights / lexical.total, abs=1e-5)


@pytest.mark.parametrize("text", ["When does the vessel leave the quay?", "qzxvbn ink", "cattle cargo"])
def test_what_is_said_is_near(session: Session, text: str) -> None:
    lexical, found = columns_of(session, text)
    cover = (np.maximum(lexical.said, lexical.titled) @ lexical.weights) / lexical.total
    assert (found["near"] >= cover - 1e-6).all()


@pytest.mark.parametrize(("text", "page"), [("ship departs harbour", "Ferry"), ("delete a record", "Ledger"),
                                            ("How long must loaves cook?", "Oven")])  # fmt: skip
@pytest.mark.parametrize("column", ["near", "near_sentence", "meaning", "meaning_sentence"])
def test_other_words_of_like_meaning_find_a_text(session: Session, text: str, page: str, column: str) -> None:
    _, found = columns_of(session, text)
    best = int(session.chunk_table.chunk_ids[np.argmax(found[column])])
    assert session.uris("chunk", [best])[0].startswith(page)


def test_a_question_without_words_is_near_nothing(session: Session) -> None:
    _, found = columns_of(session, "?")
    assert all(not column.any() and np.isfinite(column).all() for column in found.values())
