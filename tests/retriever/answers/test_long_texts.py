"""Patterns for kin and lives take time that grows with a text, not with the ways to read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from retriever.answers.answering import reading_of
from retriever.answers.asked import LEAD
from retriever.answers.candidates import _keyed
from retriever.answers.choices.comparison import THAN_AT
from retriever.answers.columns.lives import dates_in_life, days_of, introduced, places_of, told_in
from retriever.answers.columns.subjects import Subject
from retriever.answers.fitting.named_forms import TELEPHONES
from retriever.answers.hops.kin.kinship import KINDS, relatives_in
from retriever.answers.hops.kin.relatives import kin_asked
from retriever.answers.hops.roles import maker
from retriever.answers.hops.unpaged import about
from retriever.answers.questions.directly import asked_directly
from retriever.answers.rules.beside import ASIDE
from retriever.answers.rules.causes import ASKS as ASKS_WHY
from retriever.answers.rules.causes import CAUSED
from retriever.answers.rules.identities import BESIDE, CALLED
from retriever.answers.rules.objects import told_by_verb
from retriever.answers.rules.prepositions import preposition_asked
from retriever.answers.text.dates import quantities_in
from retriever.types import Scores
from tests.growth import Run, check_growth
from tests.searching import searcher_over
from weft.text.sentences import sentences

RUNS = (
    Run("Ada "), Run("A-A"), Run("Ab-", "Ada is a "), Run("daughter of "), Run("Ada, and "), Run("Mrs. "),
    Run("1890-", "Ada ("), Run("the father of the "), Run("his wife Ada of the "), Run("Ada was born in "),
    Run("Ada, a "), Run("which a b "), Run("a", behind=" (1) (2)"),
)
ASKS = (
    Run("Ada ", "What did ", "do?"), Run("Ada's father's ", "Who is ", "wife?"), Run("country ", behind="from"),
    Run("how did ", behind="die"), Run("what ", behind="to"), Run("price ", behind="of"), Run("cause of death "),
    Run("."), Run("In Veldra "), Run("what is a "), Run(" ", "more at"), Run("can ", behind="without charge"),
)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.repeated)
def test_a_long_text_is_read_in_time_that_grows_with_it(run: Run) -> None:
    check_growth(_read_text, run)


def _read_text(text: str) -> None:
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
    quantities_in(text)


@pytest.mark.parametrize("run", ASKS, ids=lambda run: run.before + run.repeated)
def test_a_long_question_is_read_in_time_that_grows_with_it(run: Run) -> None:
    check_growth(_read_question, run)


def _read_question(question: str) -> None:
    kin_asked(question)
    maker(question, [])
    asked_directly(question)
    preposition_asked(question)
    THAN_AT.search(LEAD.sub("", question))
    ASKS_WHY.search(question)
    TELEPHONES.search(question)
    list(introduced("Ada is a Scottish painter.", question))


@pytest.mark.parametrize("run", ASKS, ids=lambda run: run.before + run.repeated)
def test_the_verb_of_a_long_question_is_looked_for_in_time_that_grows_with_it(tmp_path: Path, run: Run) -> None:
    with searcher_over(tmp_path, {"Hask": "The hask is a fish. The hask eats blue weed."}) as searcher:
        reading = reading_of(searcher, "What does the hask eat?")

    def read(question: str) -> Scores:
        return told_by_verb(reading.asked._replace(text=question), reading.passages, reading.candidates)

    assert read("What does the hask eat?").any()
    check_growth(read, run)


@pytest.mark.parametrize(
    "run", [Run("Ada Orr, ", "Members: ", "Bo."), Run("Ada, "), Run("12 km, "), Run("3-")], ids=lambda run: run.repeated
)
def test_the_candidates_of_a_list_grow_with_it(run: Run) -> None:
    check_growth(_keyed, run)
