"""What something serves for, is used as, on which condition it is so, what it proved to be, and what its verb takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.candidates import candidates_of
from retriever.answers.questions.directly import asked_directly
from retriever.answers.rules.aspects import told_of_aspect
from retriever.answers.rules.objects import told_by_verb
from retriever.answers.rules.prepositions import told_by_preposition
from retriever.answers.rules.unlikely import unlikely
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Weir of Kell": "The weir of Kell was built in 1204. It serves to hold back the water of the Orse in summer. The "
    "gatekeeper is meant to open the sluice when the river rises. Its wheel powers the salt mill and drives a saw.",
    "Lens house": "The comb lens is used to bend the light of the lamp towards the sea. The lens house stands on Noss. "
    "Inside, the air of Noss is kept dry with a dome made of clear salt, which a [chaotic](weir-of-kell.md) crowd "
    "broke once.",
    "Lamp society": "The lamp society was founded by Ada Orr on the sole condition that no member ever sell a lamp. A "
    "member may borrow the key provided that two others sign the book.",
    "Slab of Tamm": "The slab of Tamm was used for a week as a doorstep. An eel, said to be from Lake Orse, was shown "
    "beside it, and the eel proved to be a glove.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("aspects"), PAGES) as found:
        yield found


def told(searcher: Searcher, question: str, by: Callable[..., np.ndarray]) -> dict[str, float]:
    """Return the most that a rule gives to the candidates of a question, by their texts."""
    reading = reading_of(searcher, asked_directly(question))
    values = by(reading.asked, reading.passages, reading.candidates)
    pairs = [*zip([each.text for each in reading.candidates], values.tolist(), strict=True)]
    return dict(sorted(pairs, key=lambda pair: pair[1]))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the function of the weir of Kell?", "hold back the water of the Orse in summer"),
        ("What does the gatekeeper do?", "open the sluice when the river rises"),
        ("What is the purpose of the comb lens?", "bend the light of the lamp towards the sea"),
        ("On what condition was the lamp society founded?", "no member ever sell a lamp"),
        ("Under what condition may a member borrow the key?", "two others sign the book"),
        ("As what was the slab of Tamm used?", "doorstep"),
        ("For what purpose was the slab of Tamm used?", "doorstep"),
        ("What did the eel turn out to be?", "glove"),
    ],
)
def test_what_is_asked_in_other_words_is_told_behind_what_says_it(
    searcher: Searcher, question: str, answer: str
) -> None:
    values = told(searcher, question, told_of_aspect)
    assert values[answer] > 0.5
    assert find_answer(searcher, question, 0.0).answer.text == answer


@pytest.mark.parametrize("question", ["When was the lamp society founded?", "Did the eel prove to be a glove?"])
def test_no_other_question_asks_for_an_aspect(searcher: Searcher, question: str) -> None:
    assert not any(told(searcher, question, told_of_aspect).values())


def test_no_owner_that_the_question_names_is_offered(searcher: Searcher) -> None:
    reading = reading_of(searcher, "Where does Kell's water come from?")
    offered = {each.text for each in candidates_of(searcher.session, reading.passages, reading.asked)}
    assert "Kell" not in offered and "Orse" in offered


def test_behind_a_noun_of_tells_of_what_that_is(searcher: Searcher) -> None:
    found = told(searcher, "What is the dome above the air made of?", told_by_preposition)
    assert found["clear salt"] > 0 and found["Noss"] == 0


def test_what_a_verb_takes_ends_before_the_next_verb(searcher: Searcher) -> None:
    found = told(searcher, "What does the wheel of the weir power?", told_by_verb)
    assert found["salt mill"] > 0 and found["salt mill and drives"] == 0


def test_no_adjective_alone_is_a_thing(searcher: Searcher) -> None:
    assert told(searcher, "Which thing broke the dome of the lens house?", unlikely)["chaotic"] == 1
    assert told(searcher, "What is the crowd of the lens house called?", unlikely)["chaotic"] == 0
