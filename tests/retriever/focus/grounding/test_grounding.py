"""Grounding compared with trying every assignment, over small random graphs and patterns."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pytest

from retriever.context import Context
from retriever.focus.grounding import edges, relations
from retriever.focus.grounding.proof import Held, proofs
from retriever.focus.grounding.relations import Strictness
from retriever.focus.grounding.scope import Grounding, Settings, ground, scopes_up_to
from retriever.focus.pattern import Pattern, Symbol, Triplet
from retriever.session import Session
from tests.retriever.focus.typed_graphs import (
    Graph,
    assignments,
    random_cycle,
    random_graph,
    random_tree,
    write_graph,
)
from weft.skb import Skb

N_GRAPHS = 4
PATTERNS = range(40)
STRICT = [Strictness(nodes, edges, directions) for nodes in (True, False) for edges in (True, False)
          for directions in (True, False)]  # fmt: skip


class World(NamedTuple):
    graph: Graph
    session: Session
    ids: dict[str, int]

    def ranked(self, pattern: Pattern, seed: int) -> dict[str, list[str]]:
        """Return some nodes for each constant, in any order."""
        chance = random.Random(seed)
        return {
            symbol.variable: chance.sample(sorted(self.graph.types), chance.randrange(0, 9))
            for symbol in pattern.symbols
            if symbol.constant is not None
        }

    def ground(self, pattern: Pattern, ranked: dict[str, list[str]], settings: Settings) -> Grounding:
        candidates = {name: np.array([self.ids[uri] for uri in uris], np.int64) for name, uris in ranked.items()}
        return ground(self.session, pattern, candidates, settings)

    def tried(self, pattern: Pattern, ranked: dict[str, list[str]], scope: int, settings: Settings) -> set[str]:
        """Return the target's nodes of all assignments at a scope."""
        strict, may_be = settings.strict, {}
        for symbol in pattern.symbols:
            fits = {uri for uri, kind in self.graph.types.items() if kind in (None, symbol.type)}
            of_type = fits if symbol.type is not None and strict.nodes else set(self.graph.types)
            may_be[symbol.variable] = (
                set(ranked[symbol.variable][:scope]) if symbol.variable in ranked else of_type
            )
        found = assignments(self.graph, pattern, may_be, edges=strict.edges, directions=strict.directions,
                            distinct=settings.distinct)  # fmt: skip
        return {each[pattern.target or ""] for each in found}

    def found_by(self, found: Grounding, scope: int) -> set[str]:
        """Return the answers that are found at a scope."""
        at = [found.scopes[each] <= scope for each in found.found_at.tolist()]
        return {uri for uri, is_found in zip(self.uris(found), at, strict=True) if is_found}

    def uris(self, found: Grounding) -> list[str]:
        return self.session.uris("entity", found.ids.tolist())


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[World]]:
    opened: list[World] = []
    for seed in range(N_GRAPHS):
        graph = random_graph(seed)
        nodes = [{"uri": uri, "name": f"Node {uri}"} | ({"type": kind} if kind else {})
                 for uri, kind in graph.types.items()]  # fmt: skip
        path = write_graph(tmp_path_factory.mktemp("graph") / f"g{seed}", nodes, sorted(graph.edges))
        skb = Skb(path)
        ids = dict(skb.connection.execute("SELECT uri, id FROM entity").fetchall())
        opened.append(World(graph, Session(Context(skb)), ids))
    yield opened
    for world in opened:
        world.session.close()
        world.session.skb.close()


@pytest.mark.parametrize("strict", STRICT, ids=lambda strict: "".join("nf"[not each] for each in strict))
def test_what_is_grounded_on_a_tree_is_what_all_assignments_give(worlds: list[World], strict: Strictness) -> None:
    settings = Settings(most=8, enough=1_000, strict=strict)
    for seed in PATTERNS:
        world, pattern = worlds[seed % N_GRAPHS], random_tree(seed)
        ranked = world.ranked(pattern, seed)
        found = world.ground(pattern, ranked, settings)
        for scope in found.scopes:
            assert world.found_by(found, scope) == world.tried(pattern, ranked, scope, settings), (seed, scope)


def test_what_is_grounded_on_a_cycle_has_what_all_assignments_give(worlds: list[World]) -> None:
    n_more = 0
    for seed in range(100):
        world, pattern = worlds[seed % N_GRAPHS], random_cycle(seed)
        ranked = world.ranked(pattern, seed)
        settings = Settings(most=8, enough=1_000)
        tried = world.tried(pattern, ranked, 8, settings)
        assert set(world.uris(world.ground(pattern, ranked, settings))) >= tried, (seed, pattern, ranked)
        exactly = world.ground(pattern, ranked, settings._replace(exact=True))
        assert set(world.uris(exactly)) == tried, (seed, pattern, ranked)
        assert not exactly.unproved
        n_more += len(world.uris(world.ground(pattern, ranked, settings))) > len(tried)
    assert n_more


@pytest.mark.parametrize("make", [random_tree, random_cycle])
def test_distinct_symbols_are_distinct_nodes(worlds: list[World], make: Callable[[int], Pattern]) -> None:
    settings = Settings(most=8, enough=1_000, distinct=True)
    for seed in PATTERNS:
        world, pattern = worlds[seed % N_GRAPHS], make(seed)
        ranked = world.ranked(pattern, seed)
        found = world.ground(pattern, ranked, settings)
        for scope in found.scopes:
            assert world.found_by(found, scope) == world.tried(pattern, ranked, scope, settings), (seed, scope)


@pytest.mark.parametrize("make", [random_tree, random_cycle])
def test_answers_only_grow_with_the_scope_and_keep_their_order(
    worlds: list[World], make: Callable[[int], Pattern]
) -> None:
    for seed in PATTERNS:
        world, pattern = worlds[seed % N_GRAPHS], make(seed)
        ranked = world.ranked(pattern, seed)
        before: list[str] = []
        for most in (1, 2, 3, 5, 8):
            found = world.ground(pattern, ranked, Settings(most=most, enough=1_000))
            assert world.uris(found)[: len(before)] == before
            assert np.all(np.diff(found.found_at.astype(int)) >= 0)
            before = world.uris(found)


def test_edges_are_the_same_however_they_are_read(worlds: list[World], monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in PATTERNS:
        world, pattern = worlds[seed % N_GRAPHS], random_cycle(seed)
        ranked = world.ranked(pattern, seed)
        at_once = world.ground(pattern, ranked, Settings(most=8, enough=1_000))
        for block, one_in, frequent in ((1, 0, 0), (2, 0, 9), (7, 8, 0), (7, 10**9, 4)):
            world.session.context = Context(world.session.skb)
            with monkeypatch.context() as patched:
                patched.setattr(edges, "BLOCK", block)
                patched.setattr(edges, "ONE_IN", one_in)
                patched.setattr(relations, "FREQUENT", frequent)
                again = world.ground(pattern, ranked, Settings(most=8, enough=1_000))
            assert (again.ids.tolist(), again.found_at.tolist()) == (at_once.ids.tolist(), at_once.found_at.tolist())


def test_the_scope_grows_until_there_are_enough(worlds: list[World]) -> None:
    for seed in PATTERNS:
        world, pattern = worlds[seed % N_GRAPHS], random_tree(seed)
        ranked = world.ranked(pattern, seed)
        every = world.ground(pattern, ranked, Settings(most=8, enough=1_000))
        some = world.ground(pattern, ranked, Settings(most=8, enough=2))
        assert every.ids[: len(some.ids)].tolist() == some.ids.tolist()
        counts = [int((every.found_at <= at).sum()) for at in range(len(every.scopes))]
        first = next((at for at, count in enumerate(counts) if count >= 2), len(every.scopes) - 1)
        assert len(some.ids) == counts[min(first, len(counts) - 1)]
        last = world.ground(pattern, ranked, Settings(most=8, enough=2, overwriting=True))
        assert last.ids.tolist() == sorted(some.ids.tolist())
        assert len(set(last.found_at.tolist())) <= 1


def test_scopes_are_those_of_the_published_code() -> None:
    assert scopes_up_to(1) == [1]
    assert scopes_up_to(140) == [1, 2, 3, 5, 8, 12, 18, 27, 41, 62, 93, 140]
    assert len(scopes_up_to(1_500_000)) < 40


@pytest.mark.parametrize("make", [random_tree, random_cycle])
@pytest.mark.parametrize("distinct", [False, True])
def test_each_answer_has_a_proof(worlds: list[World], make: Callable[[int], Pattern], distinct: bool) -> None:
    settings = Settings(most=8, enough=1_000, exact=True, distinct=distinct)
    for seed in PATTERNS:
        world, pattern = worlds[seed % N_GRAPHS], make(seed)
        ranked = world.ranked(pattern, seed)
        found = world.ground(pattern, ranked, settings)
        uris = dict(zip(world.ids.values(), world.ids, strict=True))
        for proof, at in zip(proofs(world.session, found, settings, found.ids.tolist()), found.found_at, strict=True):
            assert proof.scope == found.scopes[at]
            chosen = {name: uris[node] for name, node in proof.nodes.items()}
            may_be = {name: {uri} for name, uri in chosen.items()}
            whole = assignments(world.graph, pattern, may_be, edges=True, directions=False, distinct=distinct)
            assert list(whole) == [chosen]
            assert all(chosen[name] in uris[:proof.scope] for name, uris in ranked.items() if name != pattern.target)
            assert [(each.triplet, each.holds) for each in proof.held] == [(each, True) for each in pattern.triplets]
            for each in proof.held:
                walk_is_there(world, each, uris)


def walk_is_there(world: World, held: Held, uris: dict[int, str]) -> None:
    """Check that the edges of a triplet are the graph's, follow each other, and are as many as it says."""
    triplet = held.triplet
    assert (triplet.least <= len(held.edges) <= triplet.most) or (triplet.least == 0 and held.subject == held.object)
    ends = [held.subject, *(edge.end for edge in held.edges)]
    assert ends[:-1] == [edge.start for edge in held.edges] and ends[-1] == held.object
    for edge in held.edges:
        start, end = (edge.end, edge.start) if edge.backward else (edge.start, edge.end)
        assert (uris[start], edge.relation, uris[end]) in world.graph.edges
        assert not triplet.predicates or edge.relation in triplet.predicates


def test_where_triplets_form_a_cycle_a_proof_says_which_of_them_do_not_hold(worlds: list[World]) -> None:
    settings = Settings(most=8, enough=1_000)
    n_missing = 0
    for seed in range(100):
        world, pattern = worlds[seed % N_GRAPHS], random_cycle(seed)
        found = world.ground(pattern, world.ranked(pattern, seed), settings)
        for proof in proofs(world.session, found, settings, found.ids.tolist()):
            assert len(proof.held) == len(pattern.triplets)
            assert sum(not each.holds for each in proof.held) <= 2
            n_missing += not all(each.holds for each in proof.held)
    assert n_missing


def test_a_pattern_without_a_target_or_without_candidates_has_no_answer(worlds: list[World]) -> None:
    pattern = Pattern((Symbol("x"), Symbol("y", None, "gone")), (Triplet("x", (), "y"),), "x")
    assert len(worlds[0].ground(pattern._replace(target=None), {}, Settings()).ids) == 0
    assert len(worlds[0].ground(pattern, {"y": []}, Settings()).ids) == 0
    assert len(worlds[0].ground(pattern, {}, Settings(enough=1_000)).ids) > 0
