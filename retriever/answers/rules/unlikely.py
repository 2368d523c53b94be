"""Unlikely answers: relative clauses, predicates where a reason is asked for, things where somebody is.

No filter takes them out, since what a ranker reads of the other candidates would change with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import LOOSE, NAMING, NUMBERED, Candidate
from retriever.answers.columns.lives import lives_asked
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.kinds import FEMALE, MALE
from retriever.answers.text.lexicon.adjectives import LESS, MORE
from retriever.answers.text.lexicon.hypernyms import above, noun_of, senses_of, senses_of_kind
from retriever.answers.text.looks import looks_of
from retriever.answers.text.measures import measures_of
from retriever.answers.text.numbers import NUMBER_WORD
from retriever.answers.text.words import UPPER, stem_of, stems_in
from retriever.types import Scores
from weft.embedders.word_vectors import word_vectors
from weft.text.sentences import Span

RELATIVE = re.compile(r"(?:(?:for|in|of|by|to|on|at|with|from) )?(?:which|whom?|whose)\b")
NO_NOUN = re.compile(rf"{RELATIVE.pattern}|(?:was|were|is|are|has|had)\b")
IS = re.compile(r"\b(?:is|was|are|were) (?:(?:the|an?) )?\Z")
REASON = re.compile(
    r"\b(?:reason|cause[sd]?|purpose|because|explanation|aim|fault|blame|due|since|so that|result)\b", re.I
)
CUT_BEFORE, CUT, OWNS = re.compile(r"[^\W\d_]-\Z"), re.compile(r"-[^\W\d_]"), re.compile(r"['’]s [a-z]")
INITIAL = re.compile(r"(?:\W|\b)[A-Z][.]\w")
"""How a run of words ends in the middle of an abbreviation: "the U" of "the U.S."."""

AND_DONE = re.compile(r" and ([a-z]+ed)\Z")
"""How a run of words ends that goes on with another verb: "tar and painted"."""

PREPOSED = re.compile(
    r"(?:Before|After|With|Without|During|Since|Until|Under|Among|Between|Despite|Unlike|Like|Near|Behind|Beyond|Besides?"
    r"|Against|Through|Throughout|As|At|By|For|From|In|On|Of|To|Into|Upon|Over|Within|Along|Above|Below|Beneath|Across"
    r"|Around|Close) "
)
"""What a phrase at the beginning of a sentence begins with, that is no name: "Before the Kell War, letters"."""

GOES_ON = re.compile(r"[ ](?:is|was|are|were|has|had)\b")
LOCATED = re.compile(r"\b(?:across|in|at|near|off|over|around|along|through|towards?) (?:the )?\Z")
SCALED = re.compile(r"\d ?(?:m|k|bn)\b|\bdegrees?\b", re.I)
"""What may be millions, thousands or something that is counted: "1.2 m copies"."""

PARTICLES = frozenset("up down out off away back over aside apart along around through".split())
BESIDE = re.compile(rf"[{UPPER}]\w*(?: \([^()]{{0,30}}\))?, (?:an?|the) \Z")
FILLED = re.compile(r"\b(?:with|of|from|by|in|for|and) \Z")
COUNTS = frozenset(NUMBERED[form] for form in ("number", "year", "date"))
NUMERAL = re.compile(rf"(?:one|{NUMBER_WORD})", re.I)
READ = 20
"""Characters before a candidate that are read."""

CAPITALISED = re.compile(rf"(?<![\w’'-])[{UPPER}]\w+")
DERIVED = re.compile(r"(?:n|an|ian|ean|ese|ish|ic|ite|er)\Z")
DETERMINER = re.compile(
    r"(?:(?:one|an?|the|its|their|his|her|this|that|these|those|such|another|same|other|different|own|certain|specific"
    r"|particular) )+", re.I,
)
"""What stands before a noun and says nothing that a question asks for."""

QUALITY = re.compile(r"[a-z]{2,}(?:al|ous|ic|ive|able|ible|ant|ent|ful|less|ish)\Z")
OF_QUALITY = re.compile(
    r"\b(?:called|named|known|mean(?:s|t)?|like|words?|terms?|adjectives?|shapes?|forms?|kinds?|sorts?|types?|natures?"
    r"|states?|conditions?|moods?|styles?|qualit(?:y|ies)|colou?rs?|charact\w+|weather|climate|status|become"
    r"|tastes?|flavou?rs?|textures?|smells?|sounds?|effects?|attitudes?|opinions?|views?|behaviou?rs?|reputation)\b",
    re.I,
)
"""How many an adjective ends, and what may ask for one."""

OF_PEOPLE = re.compile(r"\b(?:language|tongue|nationality|peoples?|nation|spoken?|speak|religion)\b", re.I)
"""What an adjective or a noun for people has behind the name of their place, and what asks for such a word."""

OF_KIND = re.compile(
    r"\b(?:what|which) (?:kind|sort|type)s? of\b|\b(?:made|built|consists?) (?:up |out )?of\b|\bmaterials?\b", re.I,
)  # fmt: skip
"""What asks for a kind of thing or of stuff: no lake."""

DIFFERENCE = re.compile(
    rf"(?: \([^()]{{1,40}}\))? (?:{MORE}|{LESS}|more|less|fewer|older|younger|earlier|later|above|below) (?:than|the)\b"
)
COMPARES = re.compile(r"\b(?:than|differ\w*|how much|above|below|more|less|fewer)\b", re.I)
"""What stands behind an amount by which something exceeds something else, and what asks for that."""

NAME_ENDS = re.compile(r" ?\(| (?:is|was|were|are)\b|,? (?:also|better|usually|often) (?:known|called)\b|[.;\n]")
"""What stands behind the name with which the page about somebody begins."""

CALLED = re.compile(
    rf"\b(?:born|née?|known as|called|nicknamed|styled|stage name) [\"“]?(?:(?:the )?[{UPPER}][\w.’'-]* ){{0,3}}\Z"
)
"""What stands before another name of somebody, and the first words of that."""

KINSMAN = re.compile(
    r"\b(?:step|grand|half-)?(?:father|mother|son|daughter|brother|sister|uncle|aunt|nephew|niece|husband|wife)"
    r"(?:-in-law)?(?:\W*$| of\b)", re.I,
)  # fmt: skip
LONGEST_NAME = 100
ANYBODY = frozenset("people persons person man men woman women others".split())


def unlikely(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) that hardly answers any question, or not one for somebody, else 0."""
    is_who, is_named = asked.kind == "person", asked.kind == "person" and not asked.defines
    places = () if OF_PEOPLE.search(asked.text) else [each for each in CAPITALISED.findall(asked.text) if len(each) > 3]
    is_amount = asked.kind == "number" and COMPARES.search(asked.text) is None
    is_kin = is_who and asked.gender != 0 and KINSMAN.search(asked.text) is not None
    is_where = asked.kind in ("place", "country") and lives_asked(asked)
    is_choice = " or " in asked.text
    is_thing = asked.kind == "thing" and not asked.reasons and OF_QUALITY.search(asked.text) is None
    is_of_kind = OF_KIND.search(asked.text) is not None and asked.kind != "place"
    heads = [_labels(each) for each in passages]
    told = (
        _is_no_answer(asked, passages, each) or _is_count(asked, each)
        or _is_cut(passages[each.passage], heads[each.passage], each)
        or _is_preposed(passages[each.passage], each) or _is_derived(each, places)
        or (not is_choice and _is_repeated(asked, each))
        or (is_thing and _is_quality(asked, passages[each.passage], each))
        or (is_of_kind and _is_place(each)) or (is_amount and _is_difference(passages[each.passage], each))
        or (is_who and (_is_something(each) or _is_somewhere(passages[each.passage], each)))
        or (is_kin and _is_of_other_sex(asked.gender, each.text))
        or (is_where and _is_own_name(passages[each.passage], each))
        or (is_named and _is_beside_a_name(passages[each.passage], each)) for each in candidates
    )  # fmt: skip
    return np.fromiter(told, np.float32, len(candidates))


def _is_repeated(asked: Asked, candidate: Candidate) -> bool:
    """Tell whether a candidate that is no name says nothing but words of the question: "engine" for "which engine"."""
    own = candidate.text
    # Of hardly any candidate does the question say the last word.
    if not own.islower() or stem_of(own[own.rfind(" ") + 1 :]) not in asked.tokens:
        return False
    return asked.tokens.issuperset(stems_in(DETERMINER.sub("", own, count=1)))


def _is_quality(asked: Asked, passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a candidate is an adjective alone, and the noun asked for does not follow: no thing is "chaotic"."""
    if QUALITY.fullmatch(candidate.text) is None or senses_of(candidate.text):
        return False
    behind = stems_in(passage.text[candidate.end : candidate.end + READ])[:1]
    return asked.focus.isdisjoint(behind) and stem_of(candidate.text).encode() in word_vectors().indices


def _is_of_other_sex(gender: int, name: str) -> bool:
    """Tell whether a name begins with a title of the other sex than that of the kin asked for: no queen is a father."""
    return (MALE if gender > 0 else FEMALE).match(name) is not None


def _is_own_name(passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a candidate is a part of the name of whom a page is about, or of another name of theirs."""
    if candidate.form not in NAMING or passage.named < LEAST_NAMED or candidate.end <= candidate.start:
        return False
    if CALLED.search(passage.text, max(0, candidate.start - LONGEST_NAME), candidate.start):
        return True
    ends = NAME_ENDS.search(passage.text, 0, LONGEST_NAME) if passage.is_lead else None
    return ends is not None and candidate.end <= ends.start()


def _is_place(candidate: Candidate) -> bool:
    """Tell whether a candidate is a name and a place by its words."""
    return candidate.form in NAMING and candidate.text[0].isupper() and looks_of(candidate.text)[1]


def _is_derived(candidate: Candidate, places: Sequence[str]) -> bool:
    """Tell whether a candidate is the adjective of a name in the question: "Kellumbran" of "Kellumbra"."""
    text = candidate.text
    ending = DERIVED.search(text) if places and text[:1].isupper() and text.isalpha() else None
    if ending is None or text in places:
        return False
    begins = text[: ending.start()], text[: ending.start() + 1]
    return any(place in begins or place[:-1] in begins for place in places)


def _is_cut(passage: Passage, labels: Span, candidate: Candidate) -> bool:
    """Tell whether a candidate is a part of a word, as "east" of "north-east", or a label of three columns and more."""
    text, start, end = passage.text, candidate.start, candidate.end
    if end <= start:
        return False
    is_label = labels[0] <= start and end <= labels[1]
    # Of "widow's cord" no widow is meant, of "Bo Lund's smithy" he may be.
    is_owner = candidate.text.islower() and OWNS.match(text, end) is not None
    is_begun = CUT_BEFORE.search(text, max(0, start - 2), start) is not None
    is_initial = INITIAL.match(text, max(start, end - 2), end + 2) is not None
    return is_label or is_owner or is_begun or is_initial or CUT.match(text, end) is not None


def _labels(passage: Passage) -> Span:
    """Return where the first row of a table, which stands below its caption, has words for three columns and more;
    nowhere if it has not."""
    rows = passage.bounds if passage.kind == "table" else ()
    first = next((each for each in rows[:2] if " | " in passage.text[slice(*each)]), (0, 0))
    cells = passage.text[slice(*first)].split(" | ")
    return first if len(cells) > 2 and not any(cell[:1].isdigit() for cell in cells) else (0, 0)


def _is_no_answer(asked: Asked, passages: Sequence[Passage], candidate: Candidate) -> bool:
    """Tell whether a candidate is a relative clause, a predicate where a reason is asked for, or a word that begins a
    sentence and is no name: "Unlike"."""
    if candidate.form in LOOSE:
        text, start = passages[candidate.passage].text, candidate.start
        if candidate.text.lower() in PARTICLES and not FILLED.search(text, max(0, start - READ), start):
            return True
        no_answer = (NO_NOUN if asked.reasons else RELATIVE).match(candidate.text) is not None
        done = AND_DONE.search(candidate.text)
        no_answer = no_answer or (done is not None and not senses_of(done[1]))
        # What something is called is no "to form".
        no_answer = no_answer or (asked.calls and candidate.text.startswith("to "))
        return no_answer or (asked.reasons and _says_what_is(passages[candidate.passage], candidate))
    is_word = candidate.form == NUMBERED["name"] and candidate.text[1:].islower() and candidate.text.isalpha()
    if not is_word or candidate.entity or candidate.text[0].islower() or senses_of(candidate.text):
        return False
    begins = passages[candidate.passage].sentence_at(candidate.start)[0] == candidate.start
    return begins and stem_of(candidate.text).encode() in word_vectors().indices


def _is_count(asked: Asked, candidate: Candidate) -> bool:
    """Tell whether a candidate is a number where a manner is asked for, a numeral alone where things of a kind are, or
    has a unit where things are counted: no "thirteen days" are eggs."""
    if asked.measures == {"count"}:
        return bool(measures_of(candidate.text) - {"count"}) and SCALED.search(candidate.text) is None
    if asked.kind == "manner":
        return candidate.form in COUNTS and candidate.text[0].isdigit() and "%" not in candidate.text
    return asked.kind == "thing" and bool(asked.focus) and NUMERAL.fullmatch(candidate.text) is not None


def _is_difference(passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a candidate is what one thing has more than another: "43 km larger than"."""
    return candidate.end > candidate.start and DIFFERENCE.match(passage.text, candidate.end) is not None


def _is_preposed(passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a candidate is a phrase with a preposition at the beginning of a sentence, and no name."""
    if candidate.form != NUMBERED["name"] or candidate.entity or PREPOSED.match(candidate.text) is None:
        return False
    begins = passage.sentence_at(candidate.start)[0] == candidate.start
    return begins and GOES_ON.match(passage.text, candidate.end) is None


def _is_somewhere(passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a candidate is a place by its words, and where something is: "across Lake Orse"."""
    if not looks_of(candidate.text)[1]:
        return False
    return LOCATED.search(passage.text, max(0, candidate.start - READ), candidate.start) is not None


def _is_beside_a_name(passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a candidate tells more of somebody named before it: "Ida Ness, the daughter of a sailor"."""
    if candidate.form not in LOOSE or not candidate.text[:1].islower():
        return False
    return BESIDE.search(passage.text, max(0, candidate.start - READ), candidate.start) is not None


def _says_what_is(passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a candidate says what something is, and no reason: "was queen until her death"."""
    text, (start, end) = passage.text, passage.sentence_at(candidate.start)
    return IS.search(text, start, candidate.start) is not None and REASON.search(text, start, end) is None


def _is_something(candidate: Candidate) -> bool:
    """Tell whether a run of words ends with a noun for no person and no group, or with one for anybody."""
    noun = noun_of(candidate.text)
    kinds = above(noun)
    is_noun = candidate.form in LOOSE and candidate.text.split()[-1].islower()
    return is_noun and bool(kinds) and (kinds.isdisjoint(_somebody()) or candidate.text in ANYBODY)


@cache
def _somebody() -> frozenset[int]:
    return senses_of_kind("person") | senses_of("group", 1) | senses_of("organization", 1) | senses_of("animal", 1)
