"""Stems: which forms of a word come together, and which words stay apart."""

from __future__ import annotations

import pytest

from weft.stems import IRREGULAR, SUFFIXES, stem, stems_of
from weft.text import words_of

FAMILIES = (
    "direct directs directed director directors directing direction directions",
    "compose composes composed composer composers composing",
    "build built builds building",
    "birth born births",
    "die died dies death deaths",
    "write writes writer writers writing wrote written",
    "found find finds",
    "city cities",
    "married marries marriage",
    "run runs running runner",
    "stop stopped stopping stops",
    "organization organizations",
)
"""Words that one another should be found by."""

PARTED = {
    "marry married": "the verb is not among the irregular ones",
    "bury buried": "the verb is not among the irregular ones",
    "kill killed killer": "a doubled last letter goes only where a suffix goes",
    "call called calling": "a doubled last letter goes only where a suffix goes",
    "small smaller": "a doubled last letter goes only where a suffix goes",
    "organize organization": "-ize stays where -ization goes",
}
"""Words that one another should be found by and are not."""

APART = "director composer river writer singer winner bridge tower city century year king queen actor author".split()


@pytest.mark.parametrize("family", [each.split() for each in FAMILIES], ids=lambda family: family[0])
def test_the_forms_of_a_word_have_one_stem(family: list[str]) -> None:
    found = {word: stem(word) for word in family}
    assert len(set(found.values())) == 1, found


@pytest.mark.parametrize(
    "family", [pytest.param(each.split(), marks=pytest.mark.xfail(reason=why, strict=True), id=each.split()[0])
               for each, why in PARTED.items()],
)  # fmt: skip
def test_forms_that_should_have_one_stem(family: list[str]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_different_words_stay_apart() -> None:
    assert len({stem(word) for word in APART}) == len(APART)


@pytest.mark.parametrize("word", ["", "a", "be", "bed", "ring", "sing", "her", "1998", "1998s", "yes", "ive", "ß"])
def test_three_letters_stay(word: str) -> None:
    assert len(stem(word)) >= min(3, len(word)) and word.startswith(stem(word))


def naive_stem(word: str) -> str:
    """Cut the longest suffix that leaves three letters, and one of a doubled last letter before e, i, o."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if word.endswith(suffix) and len(word) >= len(suffix) + 3:
            rest = word[: len(word) - len(suffix)]
            if len(rest) > 3 and rest[-1] == rest[-2] and suffix.startswith(("e", "i", "o")):
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
