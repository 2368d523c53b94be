"""Facts of expository prose, where subjects and objects are noun phrases and few sentences begin with a name.

`The boundary between the crust and the mantle is placed at the Mohorovičić discontinuity.` Also what a relative clause
says of the link before it, and what something is defined as. It is read only where names alone give few facts, since a
phrase is told from a clause by its words and not by their kinds. One end at least must be an entity: a link, or words
that are known to mean one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from retriever.synthesis.facts.definitions import Description, description_behind, description_of
from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.meanings import Meaning, know_nothing, spoken_of
from retriever.synthesis.facts.phrases import (
    ABOUT,
    counted_at,
    dimension_at,
    is_adverb,
    is_reduced,
    measure_at,
    phrase_at,
)
from retriever.synthesis.facts.sentences import BEHIND, PARENTHESIS, is_whole
from retriever.synthesis.facts.things import Found, things_in
from retriever.synthesis.grammar.noun_phrases import (
    NO_PART,
    NO_SUBJECT,
    POSSESSIVES,
    agree,
    is_answer,
    is_clause_whole,
    is_subject,
    noun_phrase_at,
)
from retriever.synthesis.grammar.predicates import DEFINITIONS, PREPOSITIONS, Predicate
from retriever.synthesis.grammar.verbs import AUXILIARIES, is_participle, tense

OPENING = re.compile(r"(?:In|On|During|By|At|After|Since|Until|From|Under|With|Among|Within|For)\s[^,;:]{3,60},\s")
WORD = re.compile(r"\s*([\w'’-]+)")
# Behind which another clause may begin with its own subject.
JOINT = re.compile(r";\s+|,\s+(?:and|but|while|whereas|so|although|though|because)\s+")
IT = re.compile(r"[Ii]t(?=\s)")
RELATED = re.compile(r",?\s+(?:which|that|who)(?=\s)")
COMPLEMENTED = frozenset("placed places put puts rendered renders made makes set sets kept keeps turned turns".split())
"""Verbs whose object says little without what follows it."""

NAMING = frozenset(("called", "known", "named", "termed", "referred to", "called by"))
NO_NOUNS = frozenset("consists lies occurs exists depends originates belongs consisted occurred originated".split())
NO_START = frozenset(
    "apart together and or but early late mostly widely directly further rather quite well even".split()
)
MOST_WORDS, LONGEST, MOST_BETWEEN, MOST_APPOSED = 9, 60, 6, 5
MOST_LEADING, MOST_BEFORE = 2, 4
"""Words of a verb phrase, and of what an object speaks of, that are said together."""

ARTICLE = re.compile(r"\s(?:the|a|an)\s*$")


Span = tuple[int, int]

class _Subject(NamedTuple):
    """What a clause speaks of, where its verb begins, and what stands before it: `the polarity of`."""

    thing: Thing
    end: int
    frame: str = ""


class _Sentence(NamedTuple):
    """A sentence's chunk, text and things, by where they begin, and what tells which entity its words mean."""

    chunk: int
    text: str
    things: dict[int, Found]
    meaning: Meaning


def clause_facts(
    chunk: int, text: str, sentences: list[Span], links: list[tuple[int, int, int]], meaning: Meaning = know_nothing,
    own: int | None = None,
) -> Iterator[Fact]:  # fmt: skip
    """Yield the facts of a chunk's sentences, and of the relative clauses behind links; `own` is its page's. Linear."""
    last: _Subject | None = None
    for start, end in sentences:
        linked = [(at - start, to - start, entity) for at, to, entity in links if start <= at and to <= end]
        said = text[start:end]
        sentence = _Sentence(chunk, said, {each.start: each for each in things_in(said, linked)}, meaning)
        for begin in (0, *(match.end() for match in JOINT.finditer(said))):
            opening = OPENING.match(said, begin)
            found = _subject(sentence, opening.end() if opening else begin) or _spoken_of(said, begin, last)
            if begin == 0 or found is not None:
                last = found if found is not None and found.thing.entity_id == own else None
            if found is not None:
                described = list(_described(sentence, found, is_subject=True))
                yield from described or _facts(sentence, found)
        for each in sentence.things.values():
            if each.thing.kind == "entity":
                named = each.thing._replace(text=_with_article(said, each))
                yield from _described(sentence, _Subject(named, each.end), is_subject=False)
                relative = RELATED.match(said, each.end)
                if relative:
                    yield from _facts(sentence, _Subject(named, relative.end()))


def _spoken_of(text: str, begin: int, last: _Subject | None) -> _Subject | None:
    """Return what `it` at a place means: the page's own thing, where the clause before it spoke of that."""
    match = IT.match(text, begin)
    return last._replace(end=match.end()) if match and last is not None and not last.frame else None


def _described(sentence: _Sentence, subject: _Subject, *, is_subject: bool) -> Iterator[Fact]:
    """Yield what something is defined as behind its name."""
    said = subject.thing.text
    description = None if subject.frame else description_behind(sentence.text, subject.end, said, is_subject=is_subject)
    if description is not None:
        yield _definition(sentence, subject.thing, description)


def _definition(sentence: _Sentence, subject: Thing, description: Description) -> Fact:
    predicate = Predicate(DEFINITIONS[description.is_plural], False)
    return Fact(subject, predicate, Thing("phrase", description.text), sentence.chunk)


def _facts(sentence: _Sentence, subject: _Subject) -> Iterator[Fact]:
    """Yield what the verb phrase behind a subject says of it."""
    text = sentence.text
    measured = _measured(sentence, subject)
    phrase = phrase_at(text, subject.end)
    if measured is not None:
        yield measured
        return
    if phrase is None or (phrase[0] in AUXILIARIES):
        return
    words, at = phrase
    if is_reduced(words, text[at:]) or len(Predicate(words, False).possessed.split()) > 2:
        return
    following = WORD.match(text, at)
    is_infinitive = following and (following[1] in ("be", "have") or tense(following[1]) == "plain")
    if words.endswith("used to") or (words.endswith(" to") and is_infinitive):
        return
    object_ = _object(sentence, at)
    if not agree(subject.frame.removesuffix(" of") or subject.thing.text, words):
        return
    if object_ is not None:
        is_cut = words.partition(" ")[0] in COMPLEMENTED and not text[at:].strip().endswith(object_.text + ".")
        if is_cut or not is_whole(words, object_):
            return
        yield from _said(sentence, subject, words, object_)
        inner = spoken_of(object_.text, lambda words: _entity_of(sentence, words)) if object_.kind == "phrase" else None
        if inner is not None and len(words.split()) <= MOST_LEADING and len(inner.frame.split()) <= MOST_BEFORE:
            predicate = Predicate(f"{words} {inner.frame}", False, subject.frame)
            yield Fact(subject.thing, predicate, Thing("entity", inner.rest, inner.entity), sentence.chunk)
        return
    for found in sorted(sentence.things.values()):
        between = text[at : found.start]
        if found.start > at and _is_joined(between) and found.thing.kind == "entity" and BEHIND.match(text, found.end):
            article = ARTICLE.search(between)
            longer = f"{words} {between[: article.start()] if article else between}"
            named = found.thing._replace(text=_with_article(text, found))
            predicate = Predicate(" ".join(longer.split()), False, subject.frame)
            yield Fact(subject.thing, predicate, named, sentence.chunk)
            return


def _said(sentence: _Sentence, subject: _Subject, words: str, object_: Thing) -> Iterator[Fact]:
    """Yield one fact; what something is called by describes what has the name."""
    if words.removesuffix(" as").partition(" ")[2] in NAMING:
        plural = words.startswith(("are", "were"))
        description = description_of(subject.thing.text, object_.text, is_plural=plural)
        if description is not None and object_.kind == "entity" and not subject.frame:
            yield _definition(sentence, object_, description)
    elif object_.kind != "phrase" or not is_participle(object_.text.rpartition(" ")[2]):
        yield Fact(subject.thing, Predicate(words, False, subject.frame), object_, sentence.chunk)


def _entity_of(sentence: _Sentence, words: str) -> int | None:
    """Return the entity that some words of a sentence link to or mean."""
    plain = words.removeprefix("the ")
    linked = next((each.thing.entity_id for each in sentence.things.values()
                   if each.thing.kind == "entity" and each.thing.text == plain), None)  # fmt: skip
    return linked or sentence.meaning(words)


def _measured(sentence: _Sentence, subject: _Subject) -> Fact | None:
    """Return what a number tells of a subject: `has a mean depth of 3682 m`, `is 100 km thick`, `has two doors`."""
    counted = None if subject.frame else counted_at(sentence.text, subject.end)
    if counted is not None:
        return Fact(subject.thing, Predicate(counted.noun, True), counted.number, sentence.chunk)
    measure = measure_at(sentence.text, subject.end)
    found = sentence.things.get(measure.end) if measure else None
    if measure is None or found is None or found.thing.kind != "number" or (subject.frame and measure.noun):
        return None
    thick = dimension_at(sentence.text, found.end)
    noun = measure.noun or (thick[0] if thick else subject.frame.removeprefix("the ").removesuffix(" of"))
    if not noun.replace(" ", "").islower() or not BEHIND.match(sentence.text, thick[1] if thick else found.end):
        return None
    return Fact(subject.thing, Predicate(noun, True, subject.frame if thick else ""), found.thing, sentence.chunk)


def _is_joined(between: str) -> bool:
    """Tell whether words between a verb phrase and a link only go on to it, up to a preposition."""
    words = between.split()
    plain = [word for word in words if word not in ("the", "a", "an")]
    return (
        1 < len(words) <= MOST_BETWEEN and between.islower() and not re.search(r"[,;:().]", between)
        and bool(plain) and plain[-1] in PREPOSITIONS and not set(words) & (NO_PART | set(AUXILIARIES))
    )  # fmt: skip


def _subject(sentence: _Sentence, start: int) -> _Subject | None:
    """Return the noun phrase that a clause begins with, and where its verb begins; None where it is not plain."""
    text = sentence.text
    words, at = 0, start
    while words < MOST_WORDS and (match := WORD.match(text, at)):
        word = match[1]
        if word.lower() in (NO_SUBJECT if not words else NO_PART - POSSESSIVES):
            return None
        if words and (word in AUXILIARIES or (tense(word) in ("third", "past") and _leads_on(text, match.end()))):
            return _noun_phrase(sentence, start, at)
        words, at = words + 1, match.end()
        aside = PARENTHESIS.match(text, at)
        if aside or (text[at : at + 1] == "," and words < MOST_APPOSED):
            found = _noun_phrase(sentence, start, at)
            return found._replace(end=aside.end() if aside else at) if found else None
    return None


SURE = frozenset(("to", "into", "from", "through", "with", "between", "under", "within"))
"""Prepositions behind which a word that may be a noun in the plural is a verb."""


def _leads_on(text: str, at: int) -> bool:
    """Tell whether what follows a word that may be a verb or a noun can only follow a verb."""
    match = WORD.match(text, at)
    word = text[:at].rpartition(" ")[2]
    fit = PREPOSITIONS if word in NO_NOUNS or word.endswith("ed") else SURE
    return match is not None and (match[1] in ("the", "a", "an") or match[1] in fit)


def _noun_phrase(sentence: _Sentence, start: int, end: int) -> _Subject | None:
    text, things = sentence.text, sentence.things
    said = text[start:end].strip()
    before, _, last = said.rpartition(" ")
    said = before if before and is_adverb(last) else said
    if not 3 < len(said) <= LONGEST or said[0].isdigit() or not said.replace(" ", "").replace("'", "").isascii():
        return None
    whole = next((each for each in things.values() if each.end == end and each.thing.kind == "entity"
                  and text[start : each.start].strip().lower() in ("", "the", "a", "an")), None)  # fmt: skip
    if whole is not None:
        return _Subject(whole.thing._replace(text=_with_article(text, whole)), end)
    first, _, rest = said.partition(" ")
    known = things.get(start)
    is_name = known is not None and (known.thing.kind == "entity" or " " in known.thing.text)
    keeps = first.endswith(("'s", "’s")) or rest[:1].isupper() or first[1:2].isupper() or is_name
    keeps = keeps or rest.startswith(("and ", "or "))
    named = said if keeps and first not in ("The", "A", "An") else said[0].lower() + said[1:]
    entity = sentence.meaning(named)
    if entity is not None:
        # Whether its name begins with a small letter is told by its links, not by the beginning of a sentence.
        return _Subject(Thing("entity", named if first in ("The", "A", "An") else said, entity), end)
    spoken = spoken_of(named, lambda words: _entity_of(sentence, words))
    if spoken is not None:
        return _Subject(Thing("entity", spoken.rest, spoken.entity), end, spoken.frame)
    return _Subject(Thing("phrase", named), end) if is_subject(named) else None


def _object(sentence: _Sentence, at: int) -> Thing | None:
    """Return the link, date, number or noun phrase at a place that is whole by itself."""
    text = sentence.text
    number = sentence.things.get(match.end()) if (match := ABOUT.match(text, at)) else None
    if number is not None and number.thing.kind == "number":
        return number.thing if BEHIND.match(text, number.end) else None
    phrase = noun_phrase_at(text, at)
    linked = next((each for each in sentence.things.values() if phrase is not None and each.thing.kind == "entity"
                   and each.start <= phrase.end < each.end and text[phrase.start : each.start].lower() in
                   ("", "the ", "a ", "an ")), None)  # fmt: skip
    if linked is not None:
        named = linked.thing._replace(text=_with_article(text, linked))
        return named if BEHIND.match(text, linked.end) else None
    if phrase is None or len(phrase.text) > LONGEST or not is_clause_whole(text, phrase):
        return None
    whole = next((each for each in sentence.things.values() if each.end == phrase.end and each.start >= phrase.start
                  and text[phrase.start : each.start].strip().lower() in ("", "the", "a", "an")), None)  # fmt: skip
    if whole is not None:
        return whole.thing._replace(text=phrase.text) if whole.thing.kind in ("entity", "name") else whole.thing
    entity = sentence.meaning(phrase.text)
    if entity is not None:
        return Thing("entity", phrase.text, entity)
    words = phrase.text.split()
    fit = len(words) > 1 and max(map(len, words)) > 3 and words[0].lower() not in NO_START and is_answer(phrase, text)
    return Thing("phrase", phrase.text) if fit else None


def _with_article(text: str, found: Found) -> str:
    article = re.search(r"\b(the|a|an)\s+$", text[max(0, found.start - 5) : found.start], re.I)
    return f"{article[1].lower()} {found.thing.text}" if article else found.thing.text
