"""What may be an answer by its kind: telephone numbers, sides, things, years and places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from builder.build import build
from builder.request import Request, Summary
from retriever.answers.answering import find_answer, reading_of
from retriever.answers.fitting.filters import is_job, is_verbal
from retriever.answers.fitting.named_forms import TELEPHONE, TELEPHONES
from retriever.answers.text.kind_asked import kind_of
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from tests.worlds import write_records
from weft.skb import Skb

TEXTS = {
    "Ferry office": "Ring the ferry office on 550137 or write to crossings@tarrow.example. It has 15 berths. "
    "In 1905-1917 it had 24 boats.",
    "Edda Varn": "After a blast her left arm was amputated. She lived in the middle of Kell for 17 years.",
    "Kell line": "The railway reached Kell in 1895, 138 kilometres from the coast.\nKell | 138 | 1895",
    "Early Kell": "The walls of Kell were raised in 138, long before the railway.",
    "Kell statue": "The statue in Kell of Ada Orr was put up in 1909. It looks at the sea.",
    "Kell Museum": "The Kell Museum was founded in 1891. A child pays two tallies to get in.",
    "Teal": "The Teal was a barque of 1850. Her figurehead was carved by Bo Lund.",
    "Kell wind farm": "The wind farm of Kell has eighteen turbines, and a shed for tools.",
    "Ona Lund": "Ona Lund was a physicist. She studied physics at the University of Kell and was a trainee there.",
    "Mount Sarn": "Mount Sarn was climbed in 1902.\nHeight in metres | 1850\nFirst climbed | 1902",
    "Quillon Bridge": "The Tolland Bank lent 4,000 crowns for the Quillon Bridge. It was begun from the north shore.",
    "Ida Kell": "Ida Kell had glaucoma in her left eye from 1911. Her papers lie in room 12 behind the chamber.",
    "Tolland tool": "The Tolland tool uses the protocol SMTP for outgoing email. Its files have the extension skb.",
    "Ilsa Corvane": "Ilsa Corvane left her cello to the carver Tobit Amsel, who keeps it in the granary of Dunmere.",
    "Tidemark": "The Tidemark was cut on 4 May 1871. Its brass plate is cleaned every six weeks by 12 wardens.\n"
    "Plate | brass\nUnveiled | 9 June 1872, Kell",
    "Salt store": "The Salt store is a museum in Kell Bay. The curator is Hana Quill. It has 60 jars.",
    "Jan Orr": "Jan Orr was a diver. He died aged 61 of the bends.",
    "Feast of lamps": "Smoked eel soup is handed out in the fish hall. It is loved by all who come.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("fitting")
    write_records(folder / "pages.jsonl", [{"title": title, "text": text} for title, text in TEXTS.items()])
    build(Request((f"jsonl:{folder / 'pages.jsonl'}",), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.fixture
def offered(searcher: Searcher) -> Callable[[str], set[str]]:
    return lambda question: {each.text for each in reading_of(searcher, question).candidates}


@pytest.mark.parametrize(
    "question",
    ["What number do I ring for the ferry?", "phone number of the ferry office", "number to call for the ferry office",
     "Which telephone number has the ferry?"],
)  # fmt: skip
def test_a_telephone_number_is_asked_for(offered: Callable[[str], set[str]], question: str) -> None:
    assert offered(question) == {"550137"}


def test_other_numbers_and_telephones_ask_for_none(offered: Callable[[str], set[str]]) -> None:
    assert "15" in offered("How many berths has the ferry office?")
    assert TELEPHONES.search("Which phone does she use?") is None
    assert [TELEPHONE.fullmatch(each) is not None for each in ("0551 20 17", "1905-1917", "24")] == [True, False, False]


def test_an_address_is_asked_for(offered: Callable[[str], set[str]]) -> None:
    assert offered("What is the email address of the ferry office?") == {"crossings@tarrow.example"}


def test_another_extension_is_answered_by_anything(tmp_path: Path, weave_texts: Callable[..., Summary]) -> None:
    weave_texts({"Kell Wall": "The extension of the Kell Wall was built by Ada Orr. It is of oak."})
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        read = reading_of(Searcher(session, "hybrid"), "extension of the Kell Wall builder")
    assert "Ada Orr" in {each.text for each in read.candidates}


def test_without_a_number_nothing_answers_for_a_telephone(tmp_path: Path, weave_texts: Callable[..., Summary]) -> None:
    weave_texts({"Kell Pier": "The pier of Kell was built in 1871 by Ada Orr. It has 12 lamps."})
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        found = find_answer(Searcher(session, "hybrid"), "What is the phone number of the pier of Kell?", 0.0)
    assert found.answer.text is None and found.chance == 0


def test_a_side_is_asked_for(offered: Callable[[str], set[str]]) -> None:
    found = offered("Which arm of Edda Varn was amputated?")
    assert "left arm" in found and all("left" in each for each in found)


def test_a_thing_is_no_verb(offered: Callable[[str], set[str]]) -> None:
    found = offered("Which soup is served at the feast of lamps?")
    assert "Smoked eel soup" in found and not any(each.startswith("handed out") for each in found)


def test_what_asks_without_a_noun_may_ask_for_what_is_done(offered: Callable[[str], set[str]]) -> None:
    assert "amputated" in offered("What happened to the arm of Edda Varn?")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("amputated", True), ("gone and the boy", True), ("the handed out", True), ("smoked eel soup", False),
     ("Handed", False), ("brotli", False), ("of", False), ("", False)],
)  # fmt: skip
def test_what_no_noun_ends(text: str, expected: bool) -> None:
    assert is_verbal(text) is expected


def test_a_year_is_no_height(searcher: Searcher, offered: Callable[[str], set[str]]) -> None:
    question = "How tall is the statue of Ada Orr in Kell?"
    assert "1909" not in offered(question) and find_answer(searcher, question).answer.text is None
    assert "1909" in offered("When was the statue of Ada Orr put up in Kell?")


def test_a_price_is_no_year(offered: Callable[[str], set[str]]) -> None:
    found = offered("What does it cost a child to get into the Kell Museum?")
    assert "two tallies" in found and "1891" not in found


def test_an_extension_is_asked_for(offered: Callable[[str], set[str]]) -> None:
    found = offered("extension for the ferry office")
    assert "15" in found and all(each.isdecimal() for each in found)


def test_who_carved_something_is_no_figurehead(searcher: Searcher) -> None:
    found = find_answer(searcher, "Who carved the figurehead of the barque Teal?", 0.0)
    assert found.answer.text == "Bo Lund" and not found.hops


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How high is Mount Sarn?", "1850"), ("Which bank lent 4,000 crowns for the Quillon Bridge?", "Tolland Bank"),
        ("Which eye disease did Ida Kell have?", "glaucoma"),
        ("Where do the papers of Ida Kell lie?", "room 12 behind the chamber"),
        ("Which protocol does the Tolland tool use for email?", "SMTP"),
        ("What is the file extension of the Tolland tool?", "extension skb"),
    ],
)  # fmt: skip
def test_what_only_looks_like_something_else_may_answer(
    offered: Callable[[str], set[str]], question: str, answer: str
) -> None:
    assert answer in offered(question)


def test_what_counts_things_is_no_power(searcher: Searcher) -> None:
    found = find_answer(searcher, "How many megawatts does the wind farm of Kell have?")
    assert found.answer.text is None and found.chance == 0


def test_what_alone_asks_for_no_date(offered: Callable[[str], set[str]]) -> None:
    dated = {"4 May 1871", "9 June 1872, Kell", "1872"}
    found = offered("What was done to the Tidemark?")
    assert found and not dated & found
    assert dated & offered("When was the Tidemark cut?")


def test_how_often_something_is_done_asks_for_a_rate(offered: Callable[[str], set[str]]) -> None:
    found = offered("How often is the brass plate of the Tidemark cleaned?")
    assert "every six weeks" in found and "12" not in found
    assert "12" in offered("How many wardens has the Tidemark?")
    assert "138" not in offered("How often are the walls of Kell painted?")


def test_a_phrase_may_begin_with_the_telephone(offered: Callable[[str], set[str]]) -> None:
    assert offered("phone ferry office") == {"550137"}


def test_nowhere_is_somebody_by_what_he_is(offered: Callable[[str], set[str]]) -> None:
    found = offered("Where does the Salt store stand?")
    assert "Kell Bay" in found and "Hana Quill" not in found


def test_nobody_dies_of_an_age(offered: Callable[[str], set[str]]) -> None:
    found = offered("Of what disease did Jan Orr die?")
    assert "bends" in found and "aged 61" not in found


def test_a_manner_is_asked_for_as_a_way() -> None:
    assert kind_of("In which way is the plate cleaned?") == kind_of("In what manner was it cut?") == ("manner", ())
    assert kind_of("What way of life did they follow?")[0] == "thing"


def test_a_university_has_a_name(offered: Callable[[str], set[str]]) -> None:
    found = offered("At which university did Ona Lund study physics?")
    assert "University of Kell" in found and not {"physicist", "trainee"} & found


def test_a_year_of_three_digits_stands_where_years_do(searcher: Searcher) -> None:
    reading = reading_of(searcher, "When did the railway reach Kell?")
    assert {reading.passages[each.passage].title for each in reading.candidates if each.text == "138"} == {"Early Kell"}


def test_an_amount_is_nowhere(offered: Callable[[str], set[str]]) -> None:
    found = offered("Where did Edda Varn live?")
    assert "Kell" in found and "17 years" not in found


def test_somebody_is_neither_a_building_nor_a_way_nor_a_place(offered: Callable[[str], set[str]]) -> None:
    for question in ("In which building is Ilsa Corvane's cello?", "Where is Ilsa Corvane's cello?"):
        found = offered(question)
        assert "Tobit Amsel" not in found
        assert "carver" not in found
        assert "Dunmere" in found
    assert "Tobit Amsel" in offered("Who got Ilsa Corvane's cello?")


@pytest.mark.parametrize(
    ("question", "kind"),
    [("research ship Meridel sank when", "time"), ("old lighthouse keeper who", "person"),
     ("the man who built it", "person"), ("orse harbour sea wall total price", "number"),
     ("a town where it rains", "place")],
)  # fmt: skip
def test_a_question_word_at_the_end_asks(question: str, kind: str) -> None:
    assert kind_of(question)[0] == kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [("telegraph operator", True), ("a lighthouse keeper", True), ("dray wright", True), ("river", False),
     ("number", False), ("the water tower", False)],
)  # fmt: skip
def test_a_job_is_a_noun_for_somebody(text: str, expected: bool) -> None:
    assert is_job(text) == expected
