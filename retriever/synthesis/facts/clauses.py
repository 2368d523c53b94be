"""Facts of expository prose, where subjects and objects are noun phrases and few sentences begin with a name.

`The boundary between the crust and the mantle is placed at the Mohorovičić
discontinuity.` Also what a relative clause says of the link before it. It is read
only where names alone give few facts, since a phrase is told from a clause by
its words and not by their kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.phrases import phrase_at
from retriever.synthesis.facts.sentences import BEHIND
from retriever.synthesis.facts.things import Found, things_in
from retriever.synthesis.grammar.predicates import PREPOSITIONS, Predicate
from retriever.synthesis.grammar.verbs import AUXILIARIES, tense

OPENING = re.compile(r"(?:In|On|During|By|At|After|Since|Until|From|Under|With|Among|Within|For)\s[^,;:]{3,60},\s")
WORD = re.compile(r"\s*([\w'’-]+)")
RELATIVE = re.compile(r",?\s+(?:which|that|who)(?=\s)")
OBJECT = re.compile(
    r"\s+((?:(?:the|a|an)\s+)?(?:[\w'’-]+\s+){0,5}?[\w'’-]+)(?=[.,;:(]|$|\s(?:when|while|which|that|because|where|who)\b)"
)
NO_SUBJECT = frozenset(
    """this these those that there it he she they we i you one however although though while when where if because
    since as what which who such other others another some many most both each several not no nor but and or so thus
    then here also unlike like given called known using following to his her its their our it's two three""".split()
)
NO_PART = frozenset(
    """which that who whom whose where when while because if than not it them they this these those there he she we
    you i s will would could should its their his her our also so up out only more less about""".split()
)
POSSESSIVES = frozenset(("its", "their", "his", "her", "our"))
NO_NOUNS = frozenset("consists lies occurs exists depends originates belongs consisted occurred originated".split())
NO_START = frozenset("and or but early late mostly widely directly further rather quite well even".split())
MOST_WORDS, LONGEST, MOST_BETWEEN = 9, 60, 6
ARTICLE = re.compile(r"\s(?:the|a|an)\s*$")


Span = tuple[int, int]


def clause_facts(chunk: int, text: str, sentences: list[Span], links: list[tuple[int, int, int]]) -> Iterator[Fact]:
    """Yield the facts of a chunk's sentences that have links, and of the relative clauses behind these. Linear."""
    for start, end in sentences:
        own = [(at - start, to - start, entity) for at, to, entity in links if start <= at and to <= end]
        if not own:
            continue
        said = text[start:end]
        things = {each.start: each for each in things_in(said, own)}
        opening = OPENING.match(said)
        subject = _subject(said, opening.end() if opening else 0, things)
        if subject is not None:
            yield from _facts(chunk, said, *subject, things)
        for found in things.values():
            relative = RELATIVE.match(said, found.end) if found.thing.kind == "entity" else None
            if relative:
                named = found.thing._replace(text=_with_article(said, found))
                yield from _facts(chunk, said, named, relative.end(), things)


def _facts(chunk: int, text: str, subject: Thing, at: int, things: dict[int, Found]) -> Iterator[Fact]:
    """Yield what a verb phrase that begins at a place says of a subject."""
    phrase = phrase_at(text, at)
    if phrase is None or (phrase[0] in AUXILIARIES):
        return
    words, at = phrase
    following = WORD.match(text, at)
    if words.endswith(" to") and following and (following[1] in ("be", "have") or tense(following[1]) == "plain"):
        return
    object_ = _object(text, at, things)
    if object_ is not None:
        yield Fact(subject, Predicate(words, False), object_, chunk)
        return
    for found in sorted(things.values()):
        between = text[at : found.start]
        if found.start > at and _is_joined(between) and found.thing.kind == "entity" and BEHIND.match(text, found.end):
            article = ARTICLE.search(between)
            longer = f"{words} {between[: article.start()] if article else between}"
            named = found.thing._replace(text=_with_article(text, found))
            yield Fact(subject, Predicate(" ".join(longer.split()), False), named, chunk)
            return


def _is_joined(between: str) -> bool:
    """Tell whether words between a verb phrase and a link only go on to it, up to a preposition."""
    words = between.split()
    plain = [word for word in words if word not in ("the", "a", "an")]
    return (
        1 < len(words) <= MOST_BETWEEN and between.islower() and not re.search(r"[,;:().]", between)
        and bool(plain) and plain[-1] in PREPOSITIONS and not set(words) & (NO_PART | set(AUXILIARIES))
    )  # fmt: skip


def _subject(text: str, start: int, things: dict[int, Found]) -> tuple[Thing, int] | None:
    """Return the noun phrase that a clause begins with, and where its verb begins; None where it is not plain."""
    words, at = 0, start
    while words < MOST_WORDS and (match := WORD.match(text, at)):
        word = match[1]
        if word.lower() in (NO_SUBJECT if not words else NO_PART - POSSESSIVES):
            return None
        if words and (word in AUXILIARIES or (tense(word) in ("third", "past") and _leads_on(text, match.end()))):
            return _noun_phrase(text, start, at, things)
        words, at = words + 1, match.end()
    return None


def _leads_on(text: str, at: int) -> bool:
    """Tell whether what follows a word that may be a verb or a noun can only follow a verb."""
    match = WORD.match(text, at)
    plain = text[:at].rpartition(" ")[2] in NO_NOUNS
    fit = PREPOSITIONS if plain else PREPOSITIONS - {"of", "in", "for"}
    return match is not None and (match[1] in ("the", "a", "an") or match[1] in fit)


def _noun_phrase(text: str, start: int, end: int, things: dict[int, Found]) -> tuple[Thing, int] | None:
    said = text[start:end].strip()
    if not 3 < len(said) <= LONGEST or said[0].isdigit() or not said.replace(" ", "").replace("'", "").isascii():
        return None
    whole = next((each for each in things.values() if each.end == end and each.thing.kind == "entity"
                  and text[start : each.start].strip().lower() in ("", "the", "a", "an")), None)  # fmt: skip
    if whole is not None:
        return whole.thing._replace(text=_with_article(text, whole)), end
    first, _, rest = said.partition(" ")
    if len(said.split()) < 2:
        return None
    known = things.get(start)
    is_name = known is not None and (known.thing.kind == "entity" or " " in known.thing.text)
    keeps = first.endswith(("'s", "’s")) or rest[:1].isupper() or first[1:2].isupper() or is_name
    return Thing("phrase", said if keeps else said[0].lower() + said[1:]), end


def _object(text: str, at: int, things: dict[int, Found]) -> Thing | None:
    """Return the link, date, number or noun phrase at a place that ends there."""
    match = OBJECT.match(text, at)
    if match is None or len(match[1]) > LONGEST:
        return None
    words = match[1].lower().split()
    if words[0] in NO_START or words[-1] in PREPOSITIONS or set(words) & (NO_PART | set(AUXILIARIES)):
        return None
    whole = next((each for each in things.values() if each.end == match.end(1)
                  and match[1][: each.start - match.start(1)].strip().lower() in ("", "the", "a", "an")
                  and each.start >= match.start(1)), None)  # fmt: skip
    if whole is not None:
        thing = whole.thing
        return thing._replace(text=match[1]) if thing.kind in ("entity", "name") else thing
    return Thing("phrase", match[1]) if len(words) > 1 and max(map(len, words)) > 3 else None


def _with_article(text: str, found: Found) -> str:
    article = re.search(r"\b(the|a|an)\s+$", text[max(0, found.start - 5) : found.start], re.I)
    return f"{article[1].lower()} {found.thing.text}" if article else found.thing.text
