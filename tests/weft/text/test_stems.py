"""Stems: which forms of a word come together, and which words stay apart."""

from __future__ import annotations

import pytest

from weft.text.normalise import words_of
from weft.text.stems import IRREGULAR, SUFFIXES, stem, stems_of

FAMILIES = (
    "direct directs directed director directors directing direction directions",
    "compose composes composed composer composers composing",
    "build built builds building",
    "birth born births",
    "die died dies death deaths",
    "write writes writer writers writing wrote written",
    "found find finds",
    "city cities",
    "marry marries married marriage",
    "bury buries buried burial",
    "kill kills killed killer killing",
    "call calls called calling",
    "small smaller",
    "pass passed passes passing",
    "travel travels travelled travelling traveller traveler",
    "run runs running runner",
    "stop stopped stopping stops",
    "organize organized organization organizations",
)
"""Words that one another should be found by."""

APART = "director composer river writer singer winner bridge tower city century year king queen actor author".split()


@pytest.mark.parametrize("family", [each.split() for each in FAMILIES], ids=lambda family: family[0])
def test_the_forms_of_a_word_have_one_stem(family: list[str]) -> None:
    found = {word: stem(word) for word in family}
    assert len(set(found.values())) == 1, found


@pytest.mark.parametrize("years", [["1988", "1989"], ["1999", "199"], ["2000", "200"]])
def test_numbers_stay_apart(years: list[str]) -> None:
    assert [stem(year) for year in years] == years


def test_different_words_stay_apart() -> None:
    assert len({stem(word) for word in APART}) == len(APART)


@pytest.mark.parametrize("word", ["", "a", "be", "bed", "ring", "sing", "her", "1998", "1998s", "yes", "ive", "ß"])
def test_three_letters_stay(word: str) -> None:
    assert len(stem(word)) >= min(3, len(word)) and word.startswith(stem(word))


def naive_stem(word: str) -> str:
    """Cut the longest suffix that leaves three letters, and before e, i, o one of two last letters but l, s, z, f.

    "ss" at the end stays.
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith("ss"):
        return word
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if word.endswith(suffix) and len(word) >= len(suffix) + 3:
            rest = word[: len(word) - len(suffix)]
            if len(rest) > 3 and rest[-1] == rest[-2] not in "lszf" and suffix.startswith(("e", "i", "o")):
                return rest[:-1]
            return rest
    return word


def test_the_longest_suffix_is_cut() -> None:
    roots = ["stop", "swimm", "tall", "add", "organ", "x", "par", "ee", "mill", "ñandu", "12"]
    words = [root + ending for root in roots for ending in ("", *SUFFIXES, "erly", "ingss")]
    assert {word: stem(word) for word in words} == {word: naive_stem(word) for word in words}


def test_stems_of_a_text_stand_in_its_order() -> None:
    text = "The DIRECTOR's café was directed, by Zoë's Directors (1998)."
    assert stems_of(text) == [stem(word) for word in words_of(text)]
    assert stems_of(text)[1] == "direct" == stems_of("directed")[0]
    assert stems_of("Zoë") == stems_of("zoe") and stems_of("") == [] == stems_of("?!")
