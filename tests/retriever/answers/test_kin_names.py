"""How kin are called: behind what they do, with the title that tells namesakes apart, and by words of two steps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer
from retriever.answers.hops.kin.names import name_at, parents_at
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Tor Vane": "Tor Vane (born 1950) is a composer. The son of actress Sila Marn, Tor appeared in her films.",
    "Mia Orde": "Mia Orde (1820 – 1870) was a poet, the second daughter and fifth child of Jan Orde and Ella Sand.",
    "Hal Prisk": "Hal Prisk (1830 – 1880) was the son of Otto and Berta Prisk and a brother of the smith Karl Prisk.",
    "Emeric III of Dune": "Emeric III of Dune (died 1125) was a count. His father was Count Emeric II. His mother was"
    " Ina of Larkel.",
    "Ina of Larkel": "Ina of Larkel (1040 – 1113) was a countess. Ina's brother was Godrik, Duke of Lower Larkel.",
    "Lena Holt": "Lena Holt (1884 – 1974) was mayor of Sarn. Her eldest son and heir, Franz Holt, was a pilot.",
    "Franz Holt": "Franz Holt (1903 – 1941) was a pilot and the husband of the actress Mary Vell.",
    "Ada Brun": "Ada Brun (1901 – 1980) was a painter. She was the daughter of Ole Brun and Kaia Lund.",
    "Ole Brun": "Ole Brun (1870 – 1950) was a judge. He married Kaia Lund in 1900. He married Gerd Moe in 1920.",
    "Ulf Dask": "Ulf Dask (born 1958) is a smith. He was born in Hexle, Kell to actress Ida Tarn. Through his mother,"
    " Ulf is a cousin of Bo Lund. Princess Alma, Duchess of Gell was his niece.",
    "Jorun Tell": "Jorun Tell (born 1959) is a weaver. Jorun is the child of Gisela Tell and the judge Klaus Moe.",
    "Mirk Tell": "Mirk Tell (born 1961) is a weaver. Mirk was born in Sarn to Gisela Tell.",
    "Wil Crane": "Wil Crane (born 1968) is an actor. He is the brother of Emma Crane and a nephew of Nora Crane.",
    "Nils Ask": "Nils Ask (1922 – 1986) was a poet. He was married to the Kell Prize laureate, Wenna Zym.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("kin"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the mother of Tor Vane?", "Sila Marn"),
        ("Who is the father of Mia Orde?", "Jan Orde"),
        ("Who was Hal Prisk's father?", "Otto Prisk"),
        ("Who is the wife of Nils Ask?", "Wenna Zym"),
        # Whose brother an uncle is, the page of either parent tells.
        ("Who is Emeric III of Dune's uncle?", "Godrik, Duke of Lower Larkel"),
        ("Who is Lena Holt's child-in-law?", "Mary Vell"),
        ("Which duke was the uncle of Emeric III of Dune?", "Godrik, Duke of Lower Larkel"),
        ("Who is the aunt of Wil Crane?", "Nora Crane"),
        ("Which actress is Wil Crane's aunt?", "Nora Crane"),
        ("Whose daughter was Mia Orde?", "Jan Orde and Ella Sand"),
        ("Who was the father of the poet Mia Orde?", "Jan Orde"),
        ("Who was the mother of Ulf Dask?", "Ida Tarn"),
        ("Name the princess who was a niece of Ulf Dask.", "Princess Alma, Duchess of Gell"),
        ("Who is the mother of Jorun Tell?", "Gisela Tell"),
        ("Who is the father of Jorun Tell?", "Klaus Moe"),
        ("Who is the mother of Mirk Tell?", "Gisela Tell"),
        # Her father's first wife is her mother.
        ("Who is the stepmother of Ada Brun?", "Gerd Moe"),
    ],
)
def test_who_is_whose_kin(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Danish-Swedish singer and painter Nell Hart and the smith Bo Marr.", ["Nell Hart", "Bo Marr"]),
        ("Goslin, Count of Kell and Dune, and Oda of Metz.", ["Goslin, Count of Kell and Dune", "Oda of Metz"]),
        ("Karl I and IV, the last king of Vess, and his wife, Zia of Orn", ["Karl I and IV", "Zia of Orn"]),
        ("the great king Artam I. He was", ["Artam I"]),
        ("Alan mac Rory, who fell", ["Alan mac Rory"]),
        ("the novelist and poet Vita Holm.", ["Vita Holm"]),
    ],
)
def test_names_are_read_whole(text: str, names: list[str]) -> None:
    assert name_at(text, 0) is not None
    assert [text[slice(*each)] for each in parents_at(text, 0)] == names
