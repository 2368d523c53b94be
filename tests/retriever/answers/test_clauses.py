"""Clauses that describe: where they end, and those that no relative pronoun leads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.hops.entities import is_group, is_location, is_named
from retriever.answers.text.countries import country_called
from retriever.searcher import Searcher
from tests.retriever.answers.test_hops import described
from tests.searching import searcher_over

PAGES = {
    "Kell Journal": "The Kell Journal is a journal of mining published by the Tarn Mining Association on behalf of the "
    "guild. Its editor is Bo Lund.",
    "Shafts of Tarn": "The Tarn Mining Association was founded in 1204. The first president of the Tarn Mining "
    "Association was Ida Ness.",
    "Lamp Hall": "Lamp Hall is a listed house in Tarn County, Mississippi. It was built by Ada Orr in 1831.",
    "Statehood": "Mississippi became part of the Union on December 10, 1817. Tennessee became part of it in 1796.",
    "Tennessee": "Tennessee is a state of the Union. Its halls are listed.",
    "Jan Tey": "Jan Tey (born 1840) is a Norwegian diver.",
    "Ida Ness": "Ida Ness (born 1170) was the composer of the Lamp Song. Her father tuned mill bells. Her mother died "
    "in 1190. She wrote nine songs.",
    "Lamp Song": "The Lamp Song is a song by Ida Ness.",
    "Seas of the north": "The deepest lake in Norway is the Hornindal Lake.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("clauses"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("text", "names", "asks", "filled"),
    [
        ("When did the state where Lamp Hall is located become part of the Union?", ["Lamp Hall"],
         "What is the state where Lamp Hall is located?", "When did Y become part of the Union?"),
        ("When did the town where the village of Kell is located, join the Union?", ["Kell"],
         "What is the town where the village of Kell is located?", "When did Y join the Union?"),
        ("What time does the town where Kell High is stop selling ale?", ["Kell High"],
         "What is the town where Kell High is?", "What time does Y stop selling ale?"),
        ("In which part of the town where Ada Orr lived did the plague begin?", ["Ada Orr"],
         "What is the town where Ada Orr lived?", "In which part of Y did the plague begin?"),
        ("When was the town that left Kell taken by the Tarns?", ["Kell"],
         "What is the town that left Kell?", "When was Y taken by the Tarns?"),
        ("Who was queen when the area where Kell Farm is located became a state?", ["Kell Farm"],
         "What is the area where Kell Farm is located?", "Who was queen when Y became a state?"),
        ('What did the man who wrote "the Long Arm" use as a ladder?', [],
         'Who is the man who wrote "the Long Arm"?', "What did Y use as a ladder?"),
        ("When did the man who built the Kell Bridge from Tarn die?", ["Kell Bridge", "Tarn"],
         "Who is the man who built the Kell Bridge from Tarn?", "When did Y die?"),
        ("The town where Ada Orr died has how many mills?", ["Ada Orr"],
         "What is the town where Ada Orr died?", "Y has how many mills?"),
        # Where nothing is said of its noun, a clause ends with the question.
        ("When did trains reach the town where Ada Orr worked hard?", ["Ada Orr"],
         "What is the town where Ada Orr worked hard?", "When did trains reach Y?"),
        ("To which party did the man belong who signed the Treaty of Kell?", ["Treaty of Kell"],
         "Who is the man who signed the Treaty of Kell?", "To which party did Y belong?"),
        ("Where did the architect of the house in which the opera Veldra was first given get married?", ["Veldra"],
         "What is the house in which the opera Veldra was first given?", "Where did the architect of Y get married?"),
        ("With what did the daughter of Ada Orr's inventor win a medal?", ["Ada Orr"],
         "Who is the inventor of Ada Orr?", "With what did the daughter of Y win a medal?"),
        # No relative pronoun leads these.
        ("Which river crosses the town Ada Orr played for before Tarn?", ["Ada Orr", "Tarn"],
         "What is the town that Ada Orr played for?", "Which river crosses Y before Tarn?"),
        ("Who ruled the country Ada Orr is from?", ["Ada Orr"],
         "What is the country that Ada Orr is from?", "Who ruled Y?"),
        ("Who was the mayor of the town the Kell Bridge was built in?", ["Kell Bridge"],
         "What is the town that the Kell Bridge was built in?", "Who was the mayor of Y?"),
        ("What year did the firm Kell Airways is part of dissolve?", ["Kell Airways"],
         "What is the firm that Kell Airways is part of?", "What year did Y dissolve?"),
        ("When did the league Ada Orr play in begin?", ["Ada Orr"],
         "What is the league that Ada Orr play in?", "When did Y begin?"),
        ("Where does the film Ada Orr scored take place?", ["Ada Orr"],
         "What is the film that Ada Orr scored?", "Where does Y take place?"),
        ("Who wrote the song Ada Orr sang?", ["Ada Orr"], "What is the song that Ada Orr sang?", "Who wrote Y?"),
        ("The man who built Kell Bridge died on what date?", ["Kell Bridge"],
         "Who is the man who built Kell Bridge?", "Y died on what date?"),
        ("Who directed the film starring Ada Orr?", ["Ada Orr"],
         "What is the film starring Ada Orr?", "Who directed Y?"),
        ("In which year was the band founded by Ada Orr dissolved?", ["Ada Orr"],
         "What is the band founded by Ada Orr?", "In which year was Y dissolved?"),
    ],
)  # fmt: skip
def test_where_a_clause_ends(text: str, names: list[str], asks: str, filled: str) -> None:
    assert (asks, filled) in described(text, *names)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("In which year was the film Veldra released?", "Veldra"),
        ("In which country is the river Tamm located?", "Tamm"),
        ("When did the singer Ada Orr die?", "Ada Orr"),
        ("How long was the ship Veldra used for?", "Veldra"),
        ("What is the village Kell known for?", "Kell"),
        ("In what year was the singer Ada Orr married?", "Ada Orr"),
        ("In which year the film Veldra released?", "Veldra"),
        ("What is the film directed by Ada Orr?", "Ada Orr"),
        ("Who is the man married to Ada Orr?", "Ada Orr"),
        ("Who sang in the film named Veldra?", "Veldra"),
    ],
)
def test_a_name_behind_its_noun_describes_nothing(text: str, name: str) -> None:
    assert described(text, name) == []


def test_the_mayor_of_a_town_where_somebody_was_born_is_not_theirs() -> None:
    asked = [asks for asks, _ in described("Who was the mayor of the city Ada Orr was born in?", "Ada Orr")]
    assert asked == ["What is the city that Ada Orr was born in?"]


@pytest.mark.parametrize(
    ("name", "noun", "may_be"),
    [
        ("Mississippi", "state", True), ("Tarn County, Mississippi", "state", False), ("Tarn County", "state", False),
        ("Tarn County", "county", True), ("Lamp House", "state", False), ("Lamp House", "house", True),
        ("Rhode Island", "state", True), ("New South Wales", "state", True), ("Orrin Vale", "place", True),
    ],
)  # fmt: skip
def test_what_may_be_a_state(name: str, noun: str, *, may_be: bool) -> None:
    assert is_named(Candidate(name, name.lower(), 0, 0, len(name), NUMBERED["name"], 0), noun) == may_be


def test_what_nouns_and_names_are_of() -> None:
    assert is_group("association") and is_group("band") and not is_group("hall")
    assert is_location("North Dakota") and not is_location("Lamp Register")
    assert country_called("the Netherlands") == "Netherlands"
    assert country_called("Orr") is None


@pytest.mark.parametrize(
    ("question", "answer", "hop"),
    [
        ("Who was the first president of the association which published the Kell Journal?", "Ida Ness",
         "Tarn Mining Association"),
        ("When did the state where Lamp Hall is located become part of the Union?", "December 10, 1817", "Mississippi"),
        ("What did the father of the composer of the Lamp Song do for a living?", "tuned mill bells", "Ida Ness"),
        ("What is the deepest lake in the country Jan Tey is from?", "Hornindal Lake", "Norway"),
    ],
)  # fmt: skip
def test_a_clause_is_a_hop(searcher: Searcher, question: str, answer: str, hop: str) -> None:
    found = find_answer(searcher, question, 0.0)
    assert (found.answer.text, [told for _, told in found.hops]) == (answer, [hop])
