"""Stems: which forms of a word come together, and which words stay apart."""

from __future__ import annotations

import pytest

from weft.text.irregular import APART, IRREGULAR
from weft.text.normalise import words_of
from weft.text.stems import ENDING, IRREGULAR_FORMS, beginning_of, stem, stems_of

FAMILIES = (
    "direct directs directed director directors directing direction directions",
    "compose composes composed composer composers composing",
    "build built builds building",
    "birth born births",
    "die died dies dying dead death deaths",
    "write writes writer writers writing wrote written",
    "find found finds finding",
    "founded founder founders founding foundation foundations",
    "city cities",
    "marry marries married marriage marriages",
    "bury buries buried burial",
    "kill kills killed killer killing",
    "call calls called calling",
    "small smaller",
    "pass passed passes passing",
    "travel travels travelled travelling traveller traveler",
    "run runs running runner",
    "stop stopped stopping stops",
    "organize organized organization organizations organise organisation organiser",
    "play plays played playing player",
    "clay clays",
    "railway railways",
    "receive receives received receiving receiver",
    "carry carries carried carrying carrier",
    "apply applies applied applying",
    "family families",
    "movie movies",
    "offer offers offered offering",
    "take takes took taken taking",
    "plan plans planned planning",
    "plane planes",
    "rate rates rated",
    "use uses used using",
    "box boxes boxed",
    "analysis analyses",
    "colour color colours coloured",
    "centre center centres centers",
    "child children",
    "wolf wolves",
    "fisherman fishermen",
    "control controls controlled controlling controller",
    "install installs installed installation",
    "create creates created creator creation creative",
    "document documents documented documentation",
    "develop develops developed developer development",
)
"""Words that one another should be found by."""

DIFFERENT = (
    "director composer river writer singer winner bridge tower city century year king queen actor author",
    "part party", "count county counter", "form former format", "plan plane", "apply app", "state station statement",
    "summer sum", "cookie cook", "arch archive", "flower flow", "number numb", "direct directory", "note not",
    "depart department", "cent center", "sit site",
)  # fmt: skip

VERBS = """add aim agree allow answer argue arrive bake beg burn carry cause chat close copy cover cry dance delay
    deliver destroy die dry enjoy enter escape exceed fix fry gather guide hop hope hurry invite journey kiss lie like
    listen manage mix need nod obey offer open own paint permit plan please prefer press pull quote rate refer reply row
    rule save serve settle shop show skip smile solve spray state stay study supply tap tape tie travel try type use
    vary visit vote wait wash watch yell""".split()
DOUBLING = "beg chat hop nod permit plan prefer refer shop skip tap".split()


def regular_forms(verb: str) -> list[str]:
    """Return a regular verb's forms, by the rules of English spelling."""
    vowel_before = verb[-2] in "aeiou"
    if verb in DOUBLING:
        return [verb, f"{verb}s", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"]
    if verb.endswith("ie"):
        return [verb, f"{verb}s", f"{verb}d", f"{verb[:-2]}ying"]
    if verb.endswith("ee"):
        return [verb, f"{verb}s", f"{verb}d", f"{verb}ing"]
    if verb.endswith("e"):
        return [verb, f"{verb}s", f"{verb}d", f"{verb[:-1]}ing"]
    if verb.endswith("y") and not vowel_before:
        return [verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"]
    return [verb, f"{verb}es" if verb.endswith(("s", "x", "sh", "ch")) else f"{verb}s", f"{verb}ed", f"{verb}ing"]


@pytest.mark.parametrize("family", [each.split() for each in FAMILIES], ids=lambda family: family[0])
def test_the_forms_of_a_word_have_one_stem(family: list[str]) -> None:
    found = {word: stem(word) for word in family}
    assert len(set(found.values())) == 1, found


@pytest.mark.parametrize("verb", VERBS)
def test_the_forms_of_a_regular_verb_have_one_stem(verb: str) -> None:
    found = {word: stem(word) for word in regular_forms(verb)}
    assert len(found) == 4 and len(set(found.values())) == 1, found


@pytest.mark.parametrize("years", [["1988", "1989"], ["1999", "199"], ["2000", "200"]])
def test_numbers_stay_apart(years: list[str]) -> None:
    assert [stem(year) for year in years] == years


@pytest.mark.parametrize("words", [each.split() for each in DIFFERENT], ids=lambda words: words[0])
def test_different_words_stay_apart(words: list[str]) -> None:
    found = {word: stem(word) for word in words}
    assert len(set(found.values())) == len(words), found


def test_words_that_only_look_derived_have_their_plurals_stem() -> None:
    plurals = {word: f"{word[:-1]}ies" if word[-1] == "y" else f"{word}s" for word in APART}
    assert {word: stem(plural) for word, plural in plurals.items()} == {word: stem(word) for word in APART}


@pytest.mark.parametrize(
    "word", ["", "a", "be", "bed", "ring", "her", "1998", "1998s", "yes", "ive", "ß", "us", "thing"]
)
def test_three_letters_stay(word: str) -> None:
    assert len(stem(word)) >= min(3, len(word)) and word.startswith(stem(word))


def test_the_words_of_a_stem_are_found_by_what_they_begin_with() -> None:
    words = {word for each in (*FAMILIES, *DIFFERENT) for word in each.split()}
    words |= {form for verb in VERBS for form in regular_forms(verb)} | APART
    words |= {root + ending for root in words for ending in ("ly", "ment", "ments", "ful", "ative", "ations", "ings")}
    irregular = {word for forms in IRREGULAR_FORMS.values() for word in forms}
    for word in words - irregular:
        own = stem(word)
        begins = beginning_of(own)
        assert word.startswith(begins) and ENDING.fullmatch(word, len(begins)), word
    assert set(IRREGULAR) <= irregular and all(word in IRREGULAR_FORMS[stem(word)] for word in IRREGULAR)


def test_stems_of_a_text_stand_in_its_order() -> None:
    text = "The DIRECTOR's café was directed, by Zoë's Directors (1998)."
    assert stems_of(text) == [stem(word) for word in words_of(text)]
    assert stems_of(text)[1] == "direct" == stems_of("directed")[0]
    assert stems_of("Zoë") == stems_of("zoe") and stems_of("") == [] == stems_of("?!")
