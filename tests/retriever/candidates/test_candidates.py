"""Candidates: the pool against lists that are made and dealt one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request
from retriever.candidates.link_expansion import Hop, Hops, LinkExpansion, worth
from retriever.candidates.pool import MOST, Pool, pool_of
from retriever.context import Context
from retriever.features.matrix import PROPOSERS, SIGNALS, signals_of
from retriever.question.identifiers import identifiers_in
from retriever.question.reader import read_question
from retriever.session import Session
from retriever.signals.seeds import text_hits
from retriever.signals.vector import VectorSignal
from retriever.types import Ids, Query
from tests.worlds import ONTOLOGY, RESOURCE, link, page, triple, write_pages
from weft.skb import Skb

TWO_HOPS = "Where was the designer of the Quern Bridge born?"
QUESTIONS = (
    TWO_HOPS, "Which guild opened the Quern Bridge, and who keeps the Ash Bridge?", "Who was born at Hollin?",
    "Where is a bridge with a toll?", "Quern Bridge", "zzqx vvkw", "the of", "?", "",
)  # fmt: skip
OTHERS = ("Ash", "Elm", "Oak", "Yew", "Rowan", "Alder", "Hazel", "Birch")


def two_hops(folder: Path) -> Path:
    """Build an SKB where the answer stands on a page that says little of its question, among pages that say much."""
    pages = {
        "quern.html": page(
            "Quern Bridge", f"A crossing of the Orrin, the work of {link('Tessa Quayle')}, its designer.",
            f"By {link('Old Marsh')} it is 40 metres long.", "== History",
            f"The span was opened in 1207. {link('Barrow Guild', 'The guild')} took a toll; {link('Old Marsh')} paid.",
            "No toll is taken now.",
        ),
        "tessa.html": page(
            "Tessa Quayle", f"An engineer of {link('Hollin')}, where she was born on a market day.",
            f"She joined the {link('Barrow Guild')} early.", "== Late years", f"She died by {link('Old Marsh')}.",
        ),
        "hollin.html": page("Hollin", f"A village above {link('Old Marsh')} with a market.", "It has 90 houses."),
        "guild.html": page("Barrow Guild", f"It kept {link('Quaylework')} and the {link('Ash Bridge')} for a toll."),
        "marsh.html": page("Old Marsh", "Wet ground.", "== Birds", "Herons.", f"See {link('Old Marsh')}."),
    } | {
        f"{tree}.html": page(
            f"{tree} Bridge", f"The {tree} Bridge is a bridge. The designer of this bridge was born where it is.",
            f"Its designer was never born elsewhere, as {link(f'{tree} Gate')} says.", "== Toll", f"Toll {index}.",
        )
        for index, tree in enumerate(OTHERS)
    }  # fmt: skip
    facts = folder / "facts.nt"
    facts.write_text(
        f"<{RESOURCE}Quaylework> <http://dbpedia.org/ontology/wikiPageRedirects> <{RESOURCE}Quern_Bridge> .\n"
        f"<{RESOURCE}Tessa_Quayle> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{ONTOLOGY}Engineer> .\n"
        + triple("Quern_Bridge", "owner", "Barrow_Guild"),
        encoding="utf-8",
    )
    build(Request((str(write_pages(folder / "pages", pages)),), folder / "kb.skb", (str(facts),), workers=1))
    return folder / "kb.skb"


@pytest.fixture(scope="module")
def bridges_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_hops(tmp_path_factory.mktemp("bridges"))


@pytest.fixture
def session(bridges_world: Path) -> Iterator[Session]:
    with Skb(bridges_world) as opened:
        yield Session(Context(opened))


def _every(session: Session) -> Ids:
    rows = session.skb.connection.execute("SELECT id FROM chunk ORDER BY id")
    return np.array([each for (each,) in rows], np.int64)


def _hops(session: Session, query: Query) -> Hops:
    return LinkExpansion(session).hops(query.question, *text_hits(session, query))


def _pool(session: Session, query: Query, most: int = MOST) -> Pool:
    return pool_of(session, query, signals_of(), _hops(session, query), most)


def _nearest(session: Session, query: Query, chunks: Sequence[int], n: int) -> list[int]:
    scores = VectorSignal("chunk").score(session, query, np.array(chunks, np.int64)).tolist()
    return [chunk for _, chunk in sorted((-score, chunk) for score, chunk in zip(scores, chunks, strict=True))][:n]


def _lists(session: Session, query: Query) -> dict[str, list[int]]:
    """Return what each proposer brings, the best first."""
    hops, skb = _hops(session, query), session.skb
    lists = {}
    for signal in signals_of():
        several = signal.name in ("page", "section", "entity", "path")
        lists[signal.name] = signal.propose(session, query, 80).tolist()[: 40 if several else 80]
    ranked: dict[str, dict[int, float]] = {"named": hops.named}
    followed: dict[str, dict[int, Hop]] = {"linked": hops.first, "from_hits": hops.hits, "second_hop": hops.second}
    ranked |= {name: {entity: worth(hop) for entity, hop in found.items()} for name, found in followed.items()}
    for name, n, each in (("named", 10, 40), ("linked", 40, 8), ("from_hits", 30, 4), ("second_hop", 15, 4)):
        lists[name] = []
        for entity in sorted(ranked[name], key=lambda own: (-ranked[name][own], own))[:n]:
            chunks = skb.connection.execute(
                "SELECT chunk.id FROM chunk JOIN entity ON entity.page_id = chunk.page_id WHERE entity.id = ?"
                " ORDER BY position", (entity,)
            )  # fmt: skip
            lists[name] += _nearest(session, query, [chunk for (chunk,) in chunks], each)
    citing = {cited.chunk_id for entity in hops.named for cited in skb.cited_in(entity)}
    lists["cites_named"] = _nearest(session, query, sorted(citing), 40)
    assert not identifiers_in(query.question.text), "these are looked for in test_verbatim.py"
    lists["verbatim"] = []
    if query.allowed is not None:
        allowed = set(query.allowed.tolist())
        lists = {name: [chunk for chunk in own if chunk in allowed] for name, own in lists.items()}
    return lists


def _dealt(lists: Sequence[Sequence[int]], most: int) -> set[int]:
    dealt: list[int] = []
    for rank in range(max(map(len, lists))):
        dealt += [own[rank] for own in lists if rank < len(own) and own[rank] not in dealt]
        dealt = list(dict.fromkeys(dealt))
    return set(dealt[:most])


PARTS = {"all": 1.0, "half": 0.5, "few": 0.1, "none": 0.0}


def _read(session: Session, question: str, part: str = "all") -> Query:
    ids = _every(session)
    if part == "all":
        return read_question(session, question, "chunk")
    chosen = np.random.default_rng(11).choice(ids, int(PARTS[part] * len(ids)), replace=False)
    return read_question(session, question, "chunk", np.sort(chosen))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_pool_is_what_is_proposed(session: Session, question: str, part: str) -> None:
    query = _read(session, question, part)
    lists = _lists(session, query)
    for most in (1, 3, 10, MOST):
        pool = _pool(session, query, most)
        assert pool.proposers == PROPOSERS == tuple(lists)
        assert pool.ids.dtype == np.int64
        assert pool.ids.tolist() == sorted(_dealt(list(lists.values()), most))
        expected = [[chunk in own for own in lists.values()] for chunk in pool.ids.tolist()]
        assert pool.proposed.tolist() == expected
        assert len(pool.ids) <= most and pool.proposed.shape == (len(pool.ids), len(PROPOSERS))
        assert pool.proposed.any(axis=1).all(), "somebody proposed each"
        if query.allowed is not None:
            assert np.isin(pool.ids, query.allowed).all()
    assert set(pool.ids.tolist()) == {chunk for own in lists.values() for chunk in own}, "nothing is cut below 400"


def test_questions_propose_what_they_should(session: Session) -> None:
    sizes = {question: {name: len(own) for name, own in _lists(session, _read(session, question)).items()}
             for question in QUESTIONS}  # fmt: skip
    assert all(sizes[TWO_HOPS][name] for name in PROPOSERS if name != "verbatim")
    assert not sizes["Where is a bridge with a toll?"]["named"]
    assert not any(sizes["?"].values()) and not any(sizes[""].values())
    assert not sizes["zzqx vvkw"]["bm25"] and sizes["zzqx vvkw"]["vector"]


def test_each_proposers_first_comes_before_anyones_second(session: Session) -> None:
    query = _read(session, TWO_HOPS)
    lists = _lists(session, query)
    firsts = {own[0] for own in lists.values() if own}
    assert firsts <= set(_pool(session, query, len(PROPOSERS)).ids.tolist())
    assert set(_pool(session, query, len(firsts)).ids.tolist()) == firsts
    pools = [set(_pool(session, query, most).ids.tolist()) for most in range(1, 30)]
    assert all(one < other for one, other in pairwise(pools)), "a larger pool holds a smaller one"


def test_named_pages_and_what_they_cite_are_in_the_pool(session: Session) -> None:
    query = _read(session, TWO_HOPS)
    pool = _pool(session, query)
    skb = session.skb
    columns = zip(pool.proposers, pool.proposed.T, strict=True)
    brought = {name: set(pool.ids[column].tolist()) for name, column in columns}
    bridge = skb.page("Quern Bridge")
    assert bridge is not None
    own = {each.id for each in skb.chunks_of_page(bridge.id)}
    assert own == brought["named"] and len(own) == 4
    for title in ("Tessa Quayle", "Old Marsh", "Barrow Guild"):
        cited = skb.page(title)
        assert cited is not None
        assert {each.id for each in skb.chunks_of_page(cited.id)} <= brought["linked"]
    guild = skb.chunk("Barrow Guild##1")
    assert guild is not None and brought["cites_named"] == {guild.id}, "it links to the bridge over a redirect"
    hollin = skb.page("Hollin")
    assert hollin is not None and {each.id for each in skb.chunks_of_page(hollin.id)} <= brought["second_hop"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_pool_is_the_same_again(bridges_world: Path, session: Session, question: str) -> None:
    pool = _pool(session, _read(session, question))
    with Skb(bridges_world) as skb:
        other = Session(Context(skb))
        _pool(other, _read(other, QUESTIONS[1]))
        again = _pool(other, _read(other, question))
    assert (pool.ids.tolist(), pool.proposed.tolist()) == (again.ids.tolist(), again.proposed.tolist())


def test_signals_alone_make_a_pool(session: Session) -> None:
    query = _read(session, TWO_HOPS)
    nowhere = LinkExpansion(session).nowhere()
    pool = pool_of(session, query, signals_of()[:1], nowhere)
    assert pool.ids.tolist() == sorted(signals_of()[0].propose(session, query, 80).tolist())
    assert pool.proposers == (SIGNALS[0], *PROPOSERS[len(SIGNALS) :])
    assert pool_of(session, query, (), nowhere).ids.tolist() == []
