"""The edges of one relation, set apart in pieces, beside all edges."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.focus.grounding import edges, relations
from retriever.focus.grounding.levels import NEVER, from_the_first
from retriever.focus.grounding.relations import Strictness, links_of, relation_names
from retriever.focus.pattern import Pattern, Symbol, Triplet
from retriever.session import Session
from tests.retriever.focus.graphs import PREDICATES, write_graph
from weft.skb import Skb


@pytest.mark.parametrize("piece", [1, 3, 6, 100])
@pytest.mark.parametrize("predicate", PREDICATES)
def test_edges_of_a_relation_are_those_with_its_number(
    tmp_path: Path, weave: Callable[..., object], monkeypatch: pytest.MonkeyPatch, piece: int, predicate: str
) -> None:
    monkeypatch.setattr(relations, "READ", piece)
    monkeypatch.setattr(edges, "CACHED", piece)
    weave(write_graph(tmp_path / "graph"))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        graph = session.adjacency
        pattern = Pattern((Symbol("a"), Symbol("b")), (Triplet("a", (predicate,), "b"),), "a")
        (link,) = links_of(session, pattern, Strictness())
        for table, whole in zip(link.ahead, (graph.outgoing, graph.incoming), strict=True):
            for row in range(len(graph.entity_ids)):
                kinds = whole.values[whole.indptr[row] : whole.indptr[row + 1]]
                wanted = whole.row(row)[kinds == relation_names(session).index(predicate)]
                assert table.edges.row(row).tolist() == wanted.tolist()
        for places in (np.arange(len(graph.entity_ids)), np.arange(0, len(graph.entity_ids), 2)):
            found = edges.reached(graph, link, from_the_first(places), from_subject=True)
            near = {each for place in places for table in link.ahead for each in table.edges.row(place).tolist()}
            assert np.flatnonzero(found != NEVER).tolist() == sorted(near)
