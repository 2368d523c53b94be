"""Names found in text: the cases of `tests/cases/mentions`, and what holds for all of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from typing import NamedTuple

import pytest

from tests import paths
from weft.text.mentions import Gazetteer, Mention
from weft.text.tokens import Commonness, tokens, word_counts

MARK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")


class Case(NamedTuple):
    """Names, word counts, the page's title, a text and the mentions in it."""

    label: str
    names: list[tuple[str, str]]
    counts: dict[str, int]
    page: str | None
    text: str
    mentions: list[Mention]


def marked(text: str) -> tuple[str, list[Mention]]:
    """Take the marks [[name]] and [[name|target]] out of a text."""
    plain, mentions, last = "", [], 0
    for mark in MARK.finditer(text):
        plain += text[last : mark.start()]
        start, last = len(plain), mark.end()
        plain += mark[1]
        mentions.append(Mention(start, len(plain), mark[2] or mark[1], mark[1]))
    return plain + text[last:], mentions


def read_case(label: str, block: str) -> Case:
    names, counts, page, text = [], {}, None, ""
    for line in block.splitlines():
        key, _, value = line.partition(": ")
        if key == "name":
            names.append((value, value))
        elif key == "alias":
            name, _, target = value.partition(" = ")
            names.append((name, target))
        elif key == "count":
            word, _, count = value.partition(" = ")
            counts[word] = int(count)
        elif key == "page":
            page = value
        elif key == "text":
            text = value
    return Case(label, names, counts, page, *marked(text))


def cases() -> list[Case]:
    found = []
    for path in sorted((paths.CASES / "mentions").glob("*.case")):
        for block in path.read_text("utf-8").split("\n\n"):
            label, _, rest = block.strip().partition("\n")
            found.append(read_case(f"{path.stem}: {label.removeprefix('# ')}", rest))
    return found


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[case.label for case in CASES])
def test_case(case: Case) -> None:
    assert Gazetteer(case.names, case.counts).find(case.text, case.page) == case.mentions


@pytest.mark.parametrize("case", CASES, ids=[case.label for case in CASES])
def test_the_order_of_names_never_matters(case: Case) -> None:
    names = case.names[::-1] + case.names
    assert Gazetteer(names, case.counts).find(case.text, case.page) == case.mentions


def test_places_are_those_of_the_text_whatever_its_normal_form() -> None:
    gazetteer = Gazetteer([("Café Thoon", "Café Thoon"), ("Ulm", "Ulm")], {})
    decomposed = "A Cafe\u0301 Thoon and Ulm."
    assert gazetteer.find(decomposed) == [
        Mention(2, 13, "Café Thoon", "Cafe\u0301 Thoon"),
        Mention(18, 21, "Ulm", "Ulm"),
    ]


def test_mentions_never_overlap() -> None:
    names = ["mus lex", "lex par quo", "par", "quo rim", "rim sol tor ven", "ven"]
    text = "ven mus lex par quo rim sol tor ven mus lex par rim"
    found = Gazetteer([(name, name) for name in names], {}).find(text)
    assert [mention.name for mention in found] == ["ven", "lex par quo", "rim sol tor ven", "mus lex", "par"]
    assert all(before.end <= after.start for before, after in pairwise(found))


def test_names_do_not_depend_on_the_hash_seed() -> None:
    script = (
        "from weft.text.mentions import Gazetteer\n"
        "names = [(f'Thoon {n % 7} Mill', f'Page {n % 3}') for n in range(40)] + [('Kell (x)', 'Kell (x)')]\n"
        "text = ' and '.join(f'Thoon {n} Mill' for n in range(7)) + ' near Kell'\n"
        "print(Gazetteer(names, {}).find(text))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert runs == {"[Mention(start=120, end=124, target='Kell (x)', name='Kell')]\n"}


def test_word_counts_count_texts_and_keep_case() -> None:
    assert word_counts(["Time and time, Time!", "time_table 1204"]) == {
        "Time": 1,
        "and": 1,
        "time": 2,
        "table": 1,
        "1204": 1,
    }


def test_tokens() -> None:
    assert tokens("O’Hara_left, 我们 “now” हिन्दी!") == [
        *("O", "'", "Hara", "left", ","),
        *("我", "们", '"', "now", '"', "हिन्दी", "!"),
    ]


def test_a_common_word_stands_in_a_share_of_the_texts() -> None:
    few = Commonness({"the": 1000, "mill": 4, "rope": 5})
    assert [few.is_common(word) for word in ("mill", "Rope", "The")] == [False, True, True]


def test_a_rare_word_is_hardly_ever_written_small() -> None:
    counts = Commonness({"Rose": 50, "rose": 5, "China": 50, "china": 4, "May": 50})
    assert [counts.is_rare(word) for word in ("Rose", "China", "May", "Thoon")] == [False, True, False, True]
