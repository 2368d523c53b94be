"""What the records of a pattern tell of themselves."""

from __future__ import annotations

import pytest

from retriever.focus.pattern import Pattern, Symbol, Triplet

CHAIN = Pattern(
    (Symbol("paper", "paper"), Symbol("ann", "author", "Ann"), Symbol("place", "institution", "Here"), Symbol("alone")),
    (Triplet("ann", ("works at",), "place"), Triplet("ann", ("writes",), "paper"), Triplet("alone", (), "alone")),
    "paper",
)


def test_a_symbol_is_found_by_its_variable() -> None:
    assert CHAIN.symbol("ann").constant == "Ann"
    with pytest.raises(KeyError):
        CHAIN.symbol("bob")


def test_what_no_chain_of_triplets_links_with_the_target_is_left_out() -> None:
    connected = CHAIN.connected
    assert [each.variable for each in connected.symbols] == ["paper", "ann", "place"]
    assert connected.triplets == CHAIN.triplets[:2]
    assert connected.connected == connected


def test_nothing_is_linked_with_a_target_that_is_not_there() -> None:
    assert CHAIN._replace(target=None).connected == Pattern(target=None)
