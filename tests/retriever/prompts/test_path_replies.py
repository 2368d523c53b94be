"""What models reply where they are to choose from a catalogue, and what of it counts."""

from __future__ import annotations

import pytest

from retriever.prompts.path import MOST_PARTS, read_reply

OFFERED = ("Alder", "Alder#Roots", "Alder#Leaves", "Birch", "Birch#Roots", "Alder#near:Birch", "2001", "C%23; music")


@pytest.mark.parametrize(
    ("reply", "identifiers", "n_warnings"),
    [
        ("Alder#Roots; Birch", ["Alder#Roots", "Birch"], 0), ("1. Alder\n2. Birch", ["Alder", "Birch"], 0),
        ("The answer is on Birch#Roots", [], 1), ("Answer: Birch#Roots", ["Birch#Roots"], 0),
        ('I would look here: {"pages": ["Birch"]}. Good luck!', ["Birch"], 0), ("2001", ["2001"], 0),
        ("**Alder**", ["Alder"], 0), ("\"Alder\"; 'Birch'", ["Alder", "Birch"], 0), ("C%23; music", ["C%23; music"], 0),
        ("<think>Alder or Birch", [], 1), ("ND", [], 0), ("N D", [], 1), ("null", [], 1), ("", [], 1), ("\n\n", [], 1),
        ("Alder#Roots#Deep; Birch", ["Birch"], 1), ("x" * 5_000, [], 1), ("[]", [], 1), ("{}", [], 1),
        ("ALDER#NEAR:BIRCH", ["Alder#near:Birch"], 0), ("Alder; Alder; alder", ["Alder"], 0),
    ],
)  # fmt: skip
def test_odd_replies_are_read(reply: str, identifiers: list[str], n_warnings: int) -> None:
    named = read_reply(reply, OFFERED)
    assert (list(named.identifiers), len(named.warnings)) == (identifiers, n_warnings)
    assert all(len(line) < 200 for line in named.warnings)


def test_a_reply_without_end_is_read_to_a_bound() -> None:
    named = read_reply("Sycamore\n" * 50_000 + "Alder", OFFERED)
    assert named.identifiers == () and len(named.warnings) == MOST_PARTS


def test_nothing_is_named_where_nothing_is_offered() -> None:
    assert read_reply("Alder", ()).identifiers == ()
