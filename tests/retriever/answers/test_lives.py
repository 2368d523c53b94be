"""Where and when somebody was born, died or is buried, and of what, is told in several words, or is not told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retriever.answers.answering import find_answer
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Josias Verl": (
        "Josias Verl (3 May 1829 – 17 October 1898) was an architect.\n\nHe came into the world in Pellwick, the "
        "fourth son of a saddler. At sixteen he was apprenticed to the surveyor Matt Croom.\n\nVerl caught "
        "pneumonia while he inspected a seawall and died at his home in Cooper's Row. He lies in the churchyard "
        "of Saint Brannock, under granite."
    ),
    "Winna Oake": (
        "Winna Oake was a teacher, born in Dunmarsh on 21 August 1871.\n\nShe died on 4 March 1947, in the coldest "
        "winter for a century, after slipping on the quay steps."
    ),
    "Orla Venn": (
        "Orla Venn was queen of Vess. She died at Sarnford on 3 February 1645 of marsh fever, which she had caught "
        "in a camp. After the death of her husband the scaffolding of the tower was taken down."
    ),
    "Skarrow": (
        "Skarrow is a ferry harbour. The mayor is Hanne Brisk, a former ferry captain, who took office in 2019."
    ),
    "Edmund Lisk": (
        "Edmund Lisk was a painter of harbours.\n\nIn 1920 he married the potter Nora Fenn. Lisk died on 12 November "
        "1961, of a stroke, and Nora four years after him."
    ),
    "Mina Fell": (
        "Mina Fell (born Wilhelmina Orde; 16 March 1911, Dunford, Kell – 5 July 1985, Sarn) was a singer.\n\nShe "
        "attended Pellwick School and later taught singing at Sarn Academy. She was born to cobblers."
    ),
    "Ruy Dane": (
        "Ruy Dane ( \"Ruy Abn Dahn\", 1882 – 20 July 951) was a Vessian judge.\n\nBorn in Hollin, Kell, Dane was the "
        "second of three sons. He studied law."
    ),
    "Otto Brede": "Otto Brede (born 2 May 1931), known as the Quiet, is a Norwegian-Danish drummer from Lower Sarn.",
    "Ines Tal": (
        "Ines Tal (born 24 May 1946 in St. Orsa's, Vess) is a judge.\n\nShe died on 2 August 2015 from Tal's disease."
    ),
    "Ezer Wend": (
        "Ezer Wend (Old Vessian: “Weznd”; 15 June 1924–24 April 2005) was a president of Vess."
    ),
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("lives"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was Josias Verl born?", "Pellwick"),
        ("Where is Josias Verl buried?", "churchyard of Saint Brannock"),
        ("How did Josias Verl die?", "pneumonia"),
        ("How did Winna Oake die?", "slipping on the quay steps"),
        ("How did Orla Venn die?", "marsh fever"),
        ("What did Edmund Lisk die of?", "stroke"),
        ("When did Winna Oake die?", "4 March 1947"),
        ("When was Ezer Wend born?", "15 June 1924"),
        # Another name, in quotes or behind "born", is no place.
        ("Where was Mina Fell born?", "Dunford"),
        ("Where was Ruy Dane born?", "Hollin"),
        ("When did Ruy Dane die?", "20 July 951"),
        ("Where did Mina Fell study?", "Pellwick School"),
        ("Where did Mina Fell work?", "Sarn Academy"),
        ("Where was Otto Brede born?", "Lower Sarn"),
        ("What is Otto Brede's nationality?", "Norwegian-Danish"),
        ("Where was Ines Tal born?", "St. Orsa's"),
        ("What did Ines Tal die of?", "Tal's disease"),
        ("What illness killed Ines Tal?", "Tal's disease"),
        # When she took office tells nothing of her birth.
        ("When was Hanne Brisk born?", None),
        ("When did Hanne Brisk die?", None),
        ("Where is Winna Oake buried?", None),
    ],
)
def test_what_pages_tell_of_lives(searcher: Searcher, question: str, answer: str | None) -> None:
    assert find_answer(searcher, question).answer.text == answer


def test_a_death_told_behind_a_lead_is_compared(searcher: Searcher) -> None:
    assert find_answer(searcher, "Who died later, Winna Oake or Edmund Lisk?").answer.text == "Edmund Lisk"
    assert find_answer(searcher, "Did Edmund Lisk die before Winna Oake?").answer.text == "no"


def test_two_may_be_joined_by_and(searcher: Searcher) -> None:
    question = "Who was born first out of Winna Oake and Josias Verl?"
    assert find_answer(searcher, question).answer.text == "Josias Verl"


def test_somebody_may_have_two_nationalities(tmp_path: Path) -> None:
    pages = {
        "Nell Hart": "Nell Hart (born 3 May 1950) is a Danish- Swedish singer.",
        "Bo Marr": "Bo Marr (born 4 May 1952) is a Swedish smith who moved to Norway.",
        "Tor Vane": "Tor Vane (born 5 May 1954) is a Norwegian cook.",
    }
    with searcher_over(tmp_path, pages) as own:
        found = [find_answer(own, f"Are {one} and {other} from the same country?").answer.text
                 for one, other in (("Nell Hart", "Bo Marr"), ("Tor Vane", "Nell Hart"))]  # fmt: skip
    assert found == ["yes", "no"]


def test_the_words_of_a_title_tell_nothing_of_its_page(tmp_path: Path) -> None:
    pages = {
        "Voyage to the Moon": "Voyage to the Moon is a 1940 film.\n\nThe voyage to the moon was filmed again in 1980.",
        "Dun Harbour": "Dun Harbour is a 1961 film.",
    }
    with searcher_over(tmp_path, pages) as own:
        for asks in ("Which film was released earlier", "Which film is older"):
            found = find_answer(own, f"{asks}, Voyage to the Moon or Dun Harbour?")
            assert found.answer.text == "Voyage to the Moon"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was born in Pellwick?", "Josias Verl"),
        ("who died in sarn", "Mina Fell"),
        ("Who was born in Vess?", "Ines Tal"),
        ("Who was born on 3 May 1829?", "Josias Verl"),
        ("Who was born in 1931?", "Otto Brede"),
        ("Who died at Sarnford in 1645?", "Orla Venn"),
        ("Who studied at Pellwick School?", "Mina Fell"),
        ("Who died at Sarnford in 1646?", None),
        ("Who was born in Norland?", None),
    ],
)
def test_whose_life_something_is_told_of(searcher: Searcher, question: str, answer: str | None) -> None:
    assert find_answer(searcher, question).answer.text == answer


def test_a_sentence_is_cited_with_its_parenthesis(searcher: Searcher) -> None:
    citation = find_answer(searcher, "Where was Mina Fell born?").answer.citations[0]
    (text,) = searcher.session.skb.connection.execute(
        "SELECT text FROM chunk WHERE text LIKE 'Mina Fell (born%'"
    ).fetchone()
    assert text[slice(*citation.span)].startswith("Mina Fell (born Wilhelmina Orde; 16 March")
