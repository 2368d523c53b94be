"""Queries in Cypher: each block of `cypher/*.case` is a query and the pattern that it is, as `shown` writes it.

A block begins with `# what it shows`; `-- pattern` follows what models write, and in `probes.case` `-- reference` what
the published way makes of it. What no case shows, no query makes raise.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from retriever.focus.cypher.parser import MOST_LETTERS, parse
from retriever.focus.cypher.paths import MOST_HOPS
from retriever.focus.cypher.reference import parse_reference
from retriever.focus.cypher.tokens import tokens_of
from retriever.focus.pattern import Pattern
from tests import paths
from tests.retriever.focus.shown import shown

DIALECTS: dict[str, Callable[[str], Pattern]] = {"pattern": parse, "reference": parse_reference}


class Case(NamedTuple):
    label: str
    query: str
    expected: dict[str, list[str]]


def read_cases() -> Iterator[Case]:
    for path in sorted((paths.CASES / "cypher").glob("*.case")):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            label, _, rest = block.partition("\n")
            query, *parts = rest.split("\n-- ")
            expected = {name: lines for name, *lines in (part.split("\n") for part in parts)}
            yield Case(label.removeprefix("# "), query, expected)


CASES = list(read_cases())


@pytest.mark.parametrize(
    ("dialect", "case"),
    [pytest.param(name, case, id=f"{case.label}, {name}") for case in CASES for name in case.expected],
)
def test_a_query_is_the_pattern_that_its_case_says(dialect: str, case: Case) -> None:
    assert shown(DIALECTS[dialect](case.query)) == case.expected[dialect]


def test_every_label_of_a_case_is_its_own() -> None:
    assert len({case.label for case in CASES}) == len(CASES) > 100


TOKENS = (
    "MATCH ( ) [ ] { } - -> <- < > : | & ! * .. , ; . $ ' \" ` a b p paper author WHERE AND OR NOT RETURN DISTINCT = <>"
    " <= =~ IN CONTAINS STARTS WITH IS NULL EXISTS OPTIONAL UNION UNWIND AS 1 2.5 2015-01-01 'x' \"y\" toLower( date("
    " p.year p.title :paper [:w] (p) (a:author) /* // \\ \n CALL ORDER LIMIT é 𝒳 \u2028 \x00 “ ’"
).split(" ")


def mangled(seed: int) -> str:
    """Return a case's query with some characters taken out and some tokens put in, or tokens in any order."""
    chance = random.Random(seed)
    if chance.random() < 0.3:
        return " ".join(chance.choices(TOKENS, k=chance.randrange(60)))
    query = chance.choice(CASES).query
    for _ in range(chance.randrange(1, 8)):
        place = chance.randrange(len(query) + 1)
        if chance.random() < 0.4:
            query = query[:place] + query[place + chance.randrange(4) :]
        else:
            query = query[:place] + chance.choice(TOKENS) + query[place:]
    return query


@pytest.mark.parametrize("read", DIALECTS.values(), ids=DIALECTS)
def test_any_text_is_a_pattern_whose_parts_fit(read: Callable[[str], Pattern]) -> None:
    for seed in range(3_000):
        pattern = read(query := mangled(seed))
        variables = [symbol.variable for symbol in pattern.symbols]
        assert len(set(variables)) == len(variables), query
        assert pattern.target is None or pattern.target in variables, query
        for triplet in pattern.triplets:
            assert {triplet.subject, triplet.object} <= set(variables), query
            assert 0 <= triplet.least <= triplet.most <= MOST_HOPS, query
        assert pattern.target is not None or pattern.warnings, query
        assert pattern == read(query)


@pytest.mark.parametrize(
    "piece",
    ["(", "((a)-", "[", "{a:", "(a WHERE ", "NOT ", "EXISTS {", "toLower(", "-(", "a.b = 'x' OR ", "(a)-[:r]->", '"a\n',
     "'", "/*", "//\n", "\\", "RETURN ", "MATCH (a) ", "1..", "x IN [", "(a:b|", "<", "“a "],
)  # fmt: skip
def test_reading_takes_steps_in_proportion_to_the_length(piece: str) -> None:
    short, long = (_n_calls(f"MATCH (y:paper) WHERE {piece * (n // len(piece))}") for n in (4_000, 16_000))
    assert long <= 5 * short


def _n_calls(query: str) -> int:
    """Return how many functions are called to read a query."""
    assert len(query) < MOST_LETTERS
    count = 0

    def on_event(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(on_event)
    try:
        parse(query)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("before", ["(", "(a", "(a:b", "(a:b {c: 'd'", "a.b =", "(a)-[:", "(a)"])
def test_blanks_without_end_are_one_to_the_published_way(before: str) -> None:
    one, many = (f"MATCH (y:paper) {before}{n * ' '}RETURN y" for n in (1, 15_000))
    assert parse_reference(many) == parse_reference(one)


def test_the_end_of_a_very_long_query_is_left_out() -> None:
    pattern = parse("MATCH (y:paper) WHERE y.title = '" + MOST_LETTERS * "x" + "' RETURN y")
    assert {warning.code for warning in pattern.warnings} >= {"TOO_LONG", "UNFINISHED", "NO_RETURN"}


@pytest.mark.parametrize("number", ["9" * 5_000, "1e999", "-" + "9" * 400, "0" * 30])
def test_a_very_long_number_is_read(number: str) -> None:
    (symbol,) = parse(f"MATCH (y:paper) WHERE y.year = {number} RETURN y").symbols
    assert len(symbol.conditions) == 1


def test_tokens_are_all_that_is_no_blank_and_no_comment() -> None:
    query = "MATCH (a)  /* b */ -[:r {x: 'It''s'}]-> (c) // d"
    tokens = tokens_of(query)
    assert "".join(query[token.start : token.end] for token in tokens) == "MATCH(a)-[:r{x:'It''s'}]->(c)"
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)
