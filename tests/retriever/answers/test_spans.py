"""Spans of answers: what of a candidate, or of the cell around it, is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retriever.answers.asked import asked_of
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.patterns.spans import as_asked
from retriever.context import Context
from retriever.question.reader import question_of
from retriever.session import Session
from weft.skb import Skb


@pytest.fixture(scope="module")
def session(world: Path) -> Iterator[Session]:
    with Skb(world) as skb, Session(Context(skb)) as session:
        yield session


def cut(session: Session, question: str, passage: str, text: str, form: str) -> str:
    """Return what of a candidate is asked for; it stands where its text says."""
    start = passage.index(text)
    candidate = Candidate(text, text.lower(), 0, start, start + len(text), NUMBERED[form], 0)
    found = as_asked(asked_of(session, question_of(session, question)), passage, candidate)
    assert passage[found.start : found.end] == found.text
    return found.text


@pytest.mark.parametrize(
    ("question", "passage", "text", "form", "expected"),
    [
        ("What is the highest point of the isle?", "Highest point | Bald Tor, 366 m", "Bald Tor, 366 m", "value",
         "Bald Tor"),
        ("Which prize did she win?", "Prizes | Chamber Medal (1233)", "Chamber Medal (1233)", "value", "Chamber Medal"),
        ("What is the largest town?", "Largest town | Skarrow (about 2,040 people)", "Skarrow (about 2,040 people)",
         "value", "Skarrow"),
        ("How high is the highest point?", "Highest point | Bald Tor, 366 m", "Bald Tor, 366 m", "value",
         "Bald Tor, 366 m"),
        ("Who is the baron?", "Baron | Jan Orr, 3rd Baron Orr", "Jan Orr, 3rd Baron Orr", "value",
         "Jan Orr, 3rd Baron Orr"),
        ("What street is it in?", "Address | Mill Lane, 12", "Mill Lane, 12", "value", "Mill Lane, 12"),
        ("What rank had he at last?", "He left with the rank of captain.", "rank of captain", "phrase", "captain"),
        ("What rank had he at last?", "He left as captain of horse.", "captain of horse", "phrase", "captain of horse"),
        ("What closed the harbour?", "A chain lowered every evening closed it.", "chain lowered", "phrase", "chain"),
        ("What closed the harbour?", "A long chain closed it.", "long chain", "phrase", "long chain"),
        ("What did she play?", "She played the barrel organ at the fish market.", "barrel organ at the fish market",
         "phrase", "barrel organ"),
        ("What did she write?", "She wrote a treatise on bees.", "treatise on bees", "phrase", "treatise on bees"),
        ("What do they eat?", "They eat glasswort and near shores weed.", "glasswort and near shores weed", "phrase",
         "glasswort and near shores weed"),
        ("What did she die of?", "She died of pneumonia at Kell.", "pneumonia at Kell", "phrase", "pneumonia"),
        ("What closed the harbour?", "It was closed by a weed.", "weed", "phrase", "weed"),
        ("What is it made of?", "Material | Sill limestone\nWidth | 4 m", "Sill", "name", "Sill limestone"),
        ("What is it made of?", "It is made of Sill limestone from the lake.", "Sill", "name", "Sill"),
        ("What is it made of?", "Material | Sill limestone, oak", "Sill", "name", "Sill"),
        ("How old was she when she died?", "Died | 2 May 1971 (aged 72), Kell", "2 May 1971 (aged 72), Kell", "value",
         "72"),
        ("When did she die?", "Died | 2 May 1971 (aged 72), Kell", "2 May 1971 (aged 72), Kell", "value",
         "2 May 1971 (aged 72), Kell"),
        ("What was the job of her father?", "She was the daughter of a cheesemaker.", "daughter of a cheesemaker",
         "phrase", "cheesemaker"),
        ("Whom did he marry?", "He married the daughter of a cheesemaker.", "daughter of a cheesemaker", "phrase",
         "daughter of a cheesemaker"),
        ("Who leads it?", "Leader | Ada Orr since\nWidth | 4 m", "Ada Orr", "name", "Ada Orr"),
    ],
)  # fmt: skip
def test_an_answer_is_what_is_asked_for(
    session: Session, question: str, passage: str, text: str, form: str, expected: str
) -> None:
    assert cut(session, question, passage, text, form) == expected


def test_a_title_is_never_cut(session: Session) -> None:
    title = Candidate("rank of captain", "rank of captain", 0, 0, 0, NUMBERED["title"], 7)
    asked = asked_of(session, question_of(session, "What rank had he at last?"))
    assert as_asked(asked, "Some text.", title) is title


@pytest.mark.parametrize(
    ("question", "passage", "text", "expected"),
    [
        ("How much does it weigh?", "It weighs from 780 to 1,040 kg.", "1,040 kg", "780 to 1,040 kg"),
        ("How long does it last?", "It lasts between 70 and 95 minutes.", "95 minutes", "between 70 and 95 minutes"),
        ("How long does it last?", "It lasts between 70 and 95 minutes.", "70", "between 70 and 95 minutes"),
        ("How long does it last?", "It lasts from two to five days.", "five days", "two to five days"),
        ("How many members has it?", "It grew from 20 to 45 members.", "45 members", "45 members"),
        ("How many members has it?", "It has 12 boats and 45 members.", "45 members", "45 members"),
        ("How much water was let out?", "It let out 41 million cubic metres.", "41 million cubic",
         "41 million cubic metres"),
        ("How often does it flip?", "It flips once in every 190,000 years.", "once", "once in every 190,000 years"),
        ("How often does she come?", "She comes three times a week.", "three times", "three times a week"),
    ],
)  # fmt: skip
def test_a_range_and_a_rate_are_whole(
    session: Session, question: str, passage: str, text: str, expected: str
) -> None:
    assert cut(session, question, passage, text, "number") == expected


@pytest.mark.parametrize(
    ("passage", "text", "expected"),
    [
        ("The plates are made of an alloy of copper (88 percent), tin (10 percent) and zinc (2 percent), and shine.",
         "copper", "copper (88 percent), tin (10 percent) and zinc (2 percent)"),
        ("It is made of oak and stands by the sea.", "oak", "oak"),
        ("The air is composed mainly of nitrogen, oxygen and argon.", "oxygen", "nitrogen, oxygen and argon"),
    ],
)  # fmt: skip
def test_what_something_is_made_of_is_whole(session: Session, passage: str, text: str, expected: str) -> None:
    assert cut(session, "What is it made of?", passage, text, "phrase") == expected


def test_a_reason_is_a_whole_clause(session: Session) -> None:
    passage = "The rains fall because the gulf, which is shallow, warms."
    assert cut(session, "Why do the rains fall?", passage, "gulf", "phrase") == "gulf"
    passage = "The rains fall because the gulf of Orse warms up soon and sends damp air up the valley."
    whole = "gulf of Orse warms up soon and sends damp air up the valley"
    assert cut(session, "Why do the rains fall?", passage, "gulf of Orse", "phrase") == whole
