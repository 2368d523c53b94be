"""Names: every line of `names.case`, and what holds for all names."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from tests import paths
from weft.text import names

CASES = paths.CASES / "names.case"
CALL = re.compile(r"(\w+)\((.*)\) = (.*)")
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "link_target": names.link_target,
    "title_of": lambda text, capital=True: names.title_of(text, capital=capital),
    "name_key": names.name_key,
    "resource_title": names.resource_title,
    "uri_part": names.uri_part,
    "uri_text": names.uri_text,
    "short_name": names.short_name,
    "is_other_namespace": names.is_other_namespace,
    "predicate_name": names.predicate_name,
    "backward_words": names.backward_words,
}


class Case(NamedTuple):
    """A call and its result as the table gives it."""

    line: str
    function: str
    arguments: list[Any]
    result: Any


def read_cases(text: str) -> Iterator[Case]:
    for line in text.splitlines():
        if line and not line.startswith("# "):
            call = CALL.fullmatch(line)
            assert call, f"not `function(arguments) = result`: {line}"
            function, arguments, result = call.groups()
            expected = json.loads(result)
            if function == "link_target" and expected is not None:
                expected = (expected, "") if isinstance(expected, str) else tuple(expected)
            yield Case(line, function, json.loads(f"[{arguments}]"), expected)


ALL = list(read_cases(CASES.read_text("utf-8")))


@pytest.mark.parametrize("case", ALL, ids=[case.line for case in ALL])
def test_a_call_gives_what_the_table_says(case: Case) -> None:
    assert FUNCTIONS[case.function](*case.arguments) == case.result


def test_the_table_has_each_call_once_and_every_function() -> None:
    calls = [(case.function, *case.arguments) for case in ALL]
    assert sorted({call for call in calls if calls.count(call) > 1}) == []
    assert {case.function for case in ALL} == set(FUNCTIONS)


def test_a_uri_part_leads_back_to_its_text() -> None:
    # Surrogates cannot stand in UTF-8, so neither in a title.
    characters = "".join(chr(code) for code in range(0x11000) if not 0xD800 <= code < 0xE000)
    assert names.uri_text(names.uri_part(characters)) == characters
    assert names.uri_text(names.uri_part("%25#%zz;%")) == "%25#%zz;%"


def test_a_uri_part_holds_no_separator_and_no_control_character() -> None:
    part = names.uri_part("".join(map(chr, range(0x100))))
    assert not {character for character in part if character in "#;" or unicodedata.category(character) == "Cc"}


@pytest.mark.parametrize("function", [names.title_of, names.name_key])
def test_a_second_time_changes_nothing(function: Callable[[str], str]) -> None:
    texts = [str(case.arguments[0]) for case in ALL if "&" not in str(case.arguments[0])]
    changed = [text for text in texts if function(function(text)) != function(text)]
    assert len(texts) > 150
    assert changed == []


def test_a_link_written_from_a_title_leads_to_it() -> None:
    from urllib.parse import quote

    titles = ["Who?", "AC/DC", "C++", "100%25", "A#B", "AT&T", "Café (opera)", "2001: A Space Odyssey", "中国"]
    links = [names.link_target(f"/wiki/{quote(title.replace(' ', '_'))}#Plot") for title in titles]
    assert links == [(title, "Plot") for title in titles]
