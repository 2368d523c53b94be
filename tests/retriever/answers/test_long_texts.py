"""Patterns for kin and lives take time that grows with a text, not with the ways to read it."""

from __future__ import annotations

import pytest

from retriever.answers.asked import LEAD
from retriever.answers.choices.comparison import THAN_AT
from retriever.answers.columns.lives import dates_in_life, days_of, introduced, places_of, told_in
from retriever.answers.columns.subjects import Subject
from retriever.answers.hops.kinship import KINDS, relatives_in
from retriever.answers.hops.relatives import kin_asked
from retriever.answers.hops.roles import maker
from retriever.answers.hops.unpaged import about
from retriever.answers.questions.directly import asked_directly
from retriever.answers.rules.beside import ASIDE
from retriever.answers.rules.causes import ASKS as ASKS_WHY
from retriever.answers.rules.causes import CAUSED
from retriever.answers.rules.identities import BESIDE, CALLED
from retriever.answers.rules.objects import LONGEST, verb_asked
from retriever.answers.rules.prepositions import preposition_asked
from weft.text.sentences import sentences

RUNS = (
    "Ada " * 4000, "A-A" * 4000, "Ada is a " + "Ab-" * 4000, "daughter of " * 2000, "Ada, and " * 3000, "Mrs. " * 4000,
    "Ada (" + "1890-" * 3000, "the father of the " * 1000, "his wife Ada of the " * 1000, "Ada was born in " * 1500,
    "Ada, a " * 3000, "which a b " * 2000, "a" * 20000 + " (1) (2)",
)
ASKS = (
    "What did the father of the composer of the opera Veldra do for a living?", "What did " + "Ada " * 4000 + "do?",
    "Who is " + "Ada's father's " * 2000 + "wife?", "country " * 3000 + "from", "how did " * 3000 + "die",
    "what " * 4000 + "to", "price " * 4000 + "of", "cause of death " * 2000,
    "." * 20_000, "In Veldra " * 2000, "what is a " * 2000, "more at" + " " * 3000, "can " * 3000 + "without charge",
)


@pytest.mark.parametrize("text", RUNS, ids=lambda text: text[:12])
def test_a_long_run_is_read_in_the_end(text: str) -> None:
    subject = Subject(("Ada",), "Ada Orr", 1, is_title=False)
    for kin in KINDS:
        relatives_in(text, "Ada Orr", 1, kin)
    for asks in ("Where was Ada born?", "When did Ada die?", "What is Ada's nationality?", "What is Ada's job?"):
        for found in (places_of(text, asks), days_of(text, asks), introduced(text, asks), told_in(text, asks, subject)):
            list(found)
        list(dates_in_life(text, asks, subject))
    for pattern in (ASIDE, BESIDE, CALLED, CAUSED):
        list(pattern.finditer(text))
    list(about(text, sentences(text), "Ada Orr", 1))


@pytest.mark.parametrize("question", ASKS, ids=lambda text: text[:12])
def test_a_long_question_is_read_in_the_end(question: str) -> None:
    kin_asked(question)
    maker(question, [])
    asked_directly(question)
    preposition_asked(question)
    THAN_AT.search(LEAD.sub("", question))
    ASKS_WHY.search(question)
    verb_asked(question[:LONGEST])
    list(introduced("Ada is a Scottish painter.", question))
