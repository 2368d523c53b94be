"""Linking: which names are found in questions, how, and what an ambiguous one may mean."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.question.entity_linking import Linker
from retriever.question.reader import named_entities, read_question
from retriever.session import Session
from retriever.types import QueryMention
from tests.weft.text.test_mentions import marked
from tests.worlds import ONTOLOGY, RESOURCE, link, page, write_pages
from weft.skb import Skb

REDIRECT = "http://dbpedia.org/ontology/wikiPageRedirects"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

TITLES = {
    "Lothair II": "He was crowned in the march.",
    "Veldra (river)": "A stream of the plain.",
    "Veldra (moth)": "An insect of the plain.",
    "Veldra (opera)": "A work in five acts.",
    "René Kallumár": "A painter.",
    "Sill": "A hamlet.",
    "Sill Weir": "A dam.",
    "Sill Weir Keepers Company": "A guild.",
    "Bertol Ghislane": "A builder of bridges.",
    "Hesper's Gate": "A gate.",
    "It": "A poem.",
    "Who Will": "A song.",
    "1187": "A year.",
    "931 12": "A code.",
    "Ash Mint": "A herb.",
    "Quorn": "A town.",
    "Guild of Deep Surveyors": "A society.",
}
FILLER = "The town has a river, a moth and an opera; a mint was there in the year of the ash, and it is old."


@pytest.fixture(scope="module")
def names_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SKB of many names; the words of its filler are in most of its chunks."""
    folder = tmp_path_factory.mktemp("names")
    pages = {f"{index}.html": page(title, text) for index, (title, text) in enumerate(TITLES.items())}
    walls = [f"Below {link('Sill Weir', 'Frostwall')}." for _ in range(3)] + [f"By {link('Quorn', 'Frostwall')}."]
    rows = [f"A {link('Sill Weir', 'Tollgate')} day." for _ in range(24)] + [f"A {link('Quorn', 'Tollgate')} one."]
    pages |= {"walls.html": page("Walls", *walls), "gates.html": page("Gates", *rows)}
    pages |= {f"f{index}.html": page(f"Filler {index}", *[FILLER] * 30) for index in range(2)}
    (folder / "facts.nt").write_text(
        f"<{RESOURCE}Old_Grey> <{REDIRECT}> <{RESOURCE}Bertol_Ghislane> .\n"
        f'<{RESOURCE}Bertol_Ghislane> <{LABEL}> "Greywarden of Orm"@en .\n'
        f'<{RESOURCE}Ash_Mint> <{LABEL}> "Walls"@en .\n'
        f"<{RESOURCE}Veldra_(opera)> <{TYPE}> <{ONTOLOGY}Spectacle> .\n",
        encoding="utf-8",
    )
    build(Request((str(write_pages(folder / "pages", pages)),), folder / "kb.skb", (str(folder / "facts.nt"),),
                  workers=1))  # fmt: skip
    return folder / "kb.skb"


@pytest.fixture
def session(names_world: Path) -> Iterator[Session]:
    with Skb(names_world) as opened:
        yield Session(Context(opened))


def _linked(session: Session, question: str) -> list[tuple[int, int, str, str]]:
    """Return where each mention stands, what it most likely means, and how it was found."""
    mentions = session.part("linker", Linker).mentions(question)
    likeliest = session.skb.entities([int(each.entities[0]) for each in mentions])
    return [(each.start, each.end, entity.name, each.how) for each, entity in zip(mentions, likeliest, strict=True)]


CASES = {
    # the name as it is, and in any case
    "Who came after [[Lothair II]]?": ["name"],
    "Who came after [[Lothair Ii|Lothair II]]?": ["name"],
    "who came after [[lothair ii|Lothair II]]?": ["name"],
    "WHO CAME AFTER [[LOTHAIR II|Lothair II]]?": ["name"],
    "[[Quorn]] lies where?": ["name"],
    "where is [[quorn|Quorn]]": ["name"],
    "Is [[René Kallumár]] from [[Quorn]], or [[Bertol Ghislane]]?": ["name", "name", "name"],
    "Who closed [[Hesper's Gate]]?": ["name"],
    "Who closed [[Hesper’s Gate|Hesper's Gate]]?": ["name"],
    "Where is [[Quorn]]'s mint, and [[Bertol Ghislane]]’s father?": ["name", "name"],
    # other names
    "Who was [[Old Grey|Bertol Ghislane]]?": ["redirect"],
    "Who was [[Greywarden of Orm|Bertol Ghislane]]?": ["label"],
    "who was [[old grey|Bertol Ghislane]]?": ["redirect"],
    "Who broke the [[Frostwall|Sill Weir]]?": ["anchor"],
    # a name without its parenthesis
    "How long is the river [[Veldra|Veldra (river)]]?": ["short"],
    "Which moths live at the [[veldra|Veldra (moth)]]?": ["short"],
    "Who sang in the spectacle [[Veldra|Veldra (opera)]]?": ["short"],
    "How long is the [[Veldra river|Veldra (river)]]?": ["name"],
    # longer names first
    "Who is in the [[Sill Weir Keepers Company]]?": ["name"],
    "Who keeps the [[Sill Weir]]?": ["name"],
    "Who left [[Sill]] for the [[Sill Weir]]?": ["name", "name"],
    # spelt almost so
    "Who was [[Bertol Ghislame|Bertol Ghislane]]?": ["fuzzy"],
    "Who was [[Bertol Gislane|Bertol Ghislane]]?": ["fuzzy"],
    "Who was [[Bertol Ghisslane|Bertol Ghislane]]?": ["fuzzy"],
    "Who closed [[Hespers Gate|Hesper's Gate]]?": ["fuzzy"],
    "Who painted [[René Kallumar|René Kallumár]]?": ["fuzzy"],
    "When was the [[Guild of Deep Surveyers|Guild of Deep Surveyors]] founded?": ["fuzzy"],
    "Did [[Bertol Gislane|Bertol Ghislane]] know [[Lothair II]]?": ["fuzzy", "name"],
    # no names
    "Is it old?": [],
    "Who will do it?": [],
    "Who Will do It?": [],
    "What was in 1187?": [],
    "What is 931 12?": [],
    "Who was Zzyxq Unknown?": [],
    "Who is Bertol Zanzibar?": [],
    "Who was Lothair III?": [],
    "What was in 1188?": [],
    "Does the ash and the mint grow?": [],
    "": [],
    "?!": [],
}
"""Questions with their mentions marked, [[text|likeliest entity]], and how each is found."""


@pytest.mark.parametrize("case", CASES)
def test_names_are_found(session: Session, case: str) -> None:
    question, marks = marked(case)
    expected = [(each.start, each.end, each.target, how) for each, how in zip(marks, CASES[case], strict=True)]
    assert _linked(session, question) == expected


@pytest.mark.parametrize("name", ["Rene Kallumár", "Rene Kallumar", "Bené Kallumár", "Ené Kallumár"])
def test_the_beginning_of_a_name_may_be_wrong(session: Session, name: str) -> None:
    assert [each[2:] for each in _linked(session, f"Who painted {name}?")] == [("René Kallumár", "fuzzy")]


def _weights(session: Session, question: str) -> dict[str, float]:
    """Return what the only mention of a question may mean."""
    (mention,) = session.part("linker", Linker).mentions(question)
    entities = session.skb.entities(mention.entities.tolist())
    return {entity.name: float(weight) for entity, weight in zip(entities, mention.weights, strict=True)}


def test_an_ambiguous_name_keeps_all_its_meanings(session: Session) -> None:
    weights = _weights(session, "What is the Veldra?")
    assert set(weights) == {"Veldra (river)", "Veldra (moth)", "Veldra (opera)"}
    assert len(set(weights.values())) == 1 and sum(weights.values()) <= 1


@pytest.mark.parametrize(
    ("question", "meant"),
    [("Which rivers meet the Veldra?", "Veldra (river)"), ("Is the Veldra a moth?", "Veldra (moth)"),
     ("What spectacle is Veldra?", "Veldra (opera)"), ("What operas are like Veldra?", "Veldra (opera)")],
)  # fmt: skip
def test_what_the_question_says_beside_a_name_tells_what_it_means(session: Session, question: str, meant: str) -> None:
    plain, told = _weights(session, "What is the Veldra?"), _weights(session, question)
    assert next(iter(told)) == meant and set(told) == set(plain)
    assert told[meant] == pytest.approx(3 * min(told.values()), rel=1e-5)
    assert told[meant] > plain[meant] and min(told.values()) < min(plain.values())


def test_an_anchor_means_what_it_is_used_for(session: Session) -> None:
    weights = _weights(session, "Who broke the Frostwall?")
    assert list(weights) == ["Sill Weir", "Quorn"]
    assert weights["Sill Weir"] == pytest.approx(3 * weights["Quorn"], rel=1e-5)
    assert list(_weights(session, "Who shut the Tollgate?")) == ["Sill Weir"], "4% of its uses are too few"
    name = _weights(session, "Who keeps the Sill Weir?")
    assert name["Sill Weir"] > weights["Sill Weir"], "a name is surer than an anchor"


def test_how_a_name_was_found_is_said_of_what_it_most_likely_means(session: Session) -> None:
    assert list(_weights(session, "Who built the Walls?")) == ["Walls", "Ash Mint"]
    assert [each[2:] for each in _linked(session, "Who built the Walls?")] == [("Walls", "name")]


def test_a_name_of_common_words_is_surer_with_capitals(session: Session) -> None:
    assert _weights(session, "Does Ash Mint grow?")["Ash Mint"] > _weights(session, "does ash mint grow?")["Ash Mint"]
    mixed = _weights(session, "Does ash mint grow in the East?")["Ash Mint"]
    assert mixed < _weights(session, "does ash mint grow in the east?")["Ash Mint"]


NAMES = (
    "Lothair Ii", "veldra", "Veldra (opera)", "Rene Kallumar", "Sill Weir Keepers Company", "Sill", "Old Grey",
    "Bertol Gislane", "Frostwall", "It", "Who Will", "1187", "931 12 1187", "ash mint", "Zzyxq", "Greywarden", "of",
    "the river", "Guild of Deep", "Surveyors'", "-", "(", "Hesper's", "Filler 0", "Walls", "and",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_mentions_of_any_question(session: Session, seed: int) -> None:
    draw = np.random.default_rng(seed)
    question = " ".join(draw.choice(NAMES, int(draw.integers(1, 9))))
    question = {0: question, 1: question.lower(), 2: question.upper()}[int(draw.integers(3))]
    mentions = session.part("linker", Linker).mentions(question)
    _assert_well_formed(session, question, mentions)
    again = Linker(session).mentions(question)
    assert [(each.start, each.entities.tolist(), each.weights.tolist()) for each in again] == [
        (each.start, each.entities.tolist(), each.weights.tolist()) for each in mentions
    ]


def _assert_well_formed(session: Session, question: str, mentions: tuple[QueryMention, ...]) -> None:
    end = 0
    for each in mentions:
        assert end <= each.start < each.end <= len(question), "in the question's order, without overlaps"
        end = each.end
        assert each.name == question[each.start : each.end]
        assert 1 <= len(each.entities) == len(each.weights) <= 10
        assert len(set(each.entities.tolist())) == len(each.entities)
        weights = each.weights.tolist()
        assert weights == sorted(weights, reverse=True) and weights[-1] > 0 and sum(weights) <= 1 + 1e-6
        assert session.skb.entities(each.entities.tolist())


def test_an_entity_named_twice_counts_once(session: Session) -> None:
    query = read_question(session, "Is the Veldra river the Veldra, and Old Grey Bertol Ghislane?", "chunk")
    greatest: dict[int, float] = {}
    for mention in query.question.mentions:
        for entity, weight in zip(mention.entities.tolist(), mention.weights.tolist(), strict=True):
            greatest[entity] = max(weight, greatest.get(entity, 0.0))
    ids, weights = named_entities(query.question)
    assert ids.tolist() == sorted(greatest) and len(query.question.mentions) == 4
    assert dict(zip(ids.tolist(), weights.tolist(), strict=True)) == greatest
    nothing = named_entities(query.question._replace(mentions=()))
    assert [each.tolist() for each in nothing] == [[], []]
