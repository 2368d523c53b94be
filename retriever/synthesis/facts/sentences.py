"""Facts that sentences say: a subject at the beginning, a verb phrase, an object right behind it.

Only what is plain is read: the subject is the page's own (its title, he, she, it,
`the film`) or a link that begins the sentence; the object a link, a name, a date
or a number that ends its phrase. What a definition adds, `a 1990 film directed
by X and starring Y`, and years of life in parentheses are read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.phrases import INTRANSITIVE, phrase_at
from retriever.synthesis.facts.things import DATE, YEAR, Found, things_in
from retriever.synthesis.grammar.labels import predicate_of
from retriever.synthesis.grammar.nouns import is_person_noun
from retriever.synthesis.grammar.participles import STATES, on_a_day
from retriever.synthesis.grammar.predicates import PREPOSITIONS, Predicate
from retriever.synthesis.grammar.verbs import BE, is_participle

ARTICLE = re.compile(r"\s*(?:(the|The|a|an)\s+)?[\"“'‘]?\s?")
BEHIND = re.compile(
    r"[\"”'’]?\s*(?:[.,;:()\[]|$|(?:and|or|in|on|at|by|for|with|from|to|after|before|during|as|when|while|which|who|where"
    r"|until|that|but|near|through|under|into|because|since|about|[–—-])(?=\W|$))"
)
MORE = re.compile(r"(?:,\s*(?:and\s+)?|\s+and\s+)(?:the\s+)?")
AMPERSAND = re.compile(r"\s*&")
# An apposition may stand between, a clause may not: "by Orr, whose experiment on the lake".
CLAUSE = r"(?:who|whose|whom|which|where|when|that|and|but|or|as|after|before|while|until|his|her|its|their)"
THEN = re.compile(rf"(?:,(?!\s{CLAUSE}\b)[^,.;()]{{2,25}}){{0,2}},?\s+(in|on|at|by|near|from|to|for|with)\s+")
# Behind a name: more of a longer one, or what it has.
LONGER = re.compile(r" [^\W\d_a-z]|['’]s\b")
PRONOUN = re.compile(r"(?:He|She|It|They)(?=\s)")
POSSESSED = re.compile(r"(?:His|Her|Its|Their)\s+((?:[a-z]+ )?[a-z]+)\s+(?:is|was|were|are)(?=\s)")
PARENTHESIS = re.compile(r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)")
APPOSITION = re.compile(r",\s[^,.;()]{2,80},(?=\s(?:is|was|are|were|has|had)\s)")
DEFINED = re.compile(r"\s+(is|was|are|were)\s+(?:an?|the|one of the)\s+")
# Where what a definition says ends to be said of its subject.
TURNS = re.compile(r"\b(?:based on|about|who|which|that|whose|where|when|after|adapted|from the|following|set in)\b"
                   r"|;|,\sand\s(?:the|an?|his|her|its|their|he|she|it)\s")
ADDED = re.compile(r"\b([a-z-]+)(?:(?:,\s|\sand\s|,\sand\s)([a-z-]+))?\s+(by|in|on|at|near|to|for)\s+")
STARRING = re.compile(r"\b(?:starring|featuring|stars)\s+")
LIFE = re.compile(
    rf"(?:\bborn\b[^();]{{0,40}}?)?({DATE}|{YEAR})(?:[^–—();-]{{0,40}}[–—-]\s?[^();]{{0,30}}?({DATE}|{YEAR}))?"
)
# What a definition calls its subject, up to where more is said of it.
CALLED = re.compile(r"(?:(?!(?:of|in|from|by|for|on|at|who|that|which|with|to|as|about|during)\b)[\w’'-]+,?\s?)+")
PERSONAL = re.compile(r"(?:^|[.!?]\s)(?:He|She)\s")
DATED = re.compile(
    r"^(?:[A-Z]\w+ )?([12]\d{3}) (?:[\w-]+ ){0,6}?(film|album|song|single|comedy|drama|series|game|novel|book|musical"
    r"|western|thriller|documentary|play|poem)\b"
)
# Main verbs behind which `in` and `on` tell where and when.
GOING_ON = frozenset(("died", "lived", "moved", "opened", "began", "premiered", "graduated"))
# Past forms behind a definition of which its subject does it: "a guitarist who lives in X, studied at Y".
DOING = INTRANSITIVE | {"studied", "starred", "trained"} - {"opened", "closed", "led"}
PUBLISHED = frozenset(("novel", "book", "play", "poem"))


class Passage(NamedTuple):
    """A chunk to read: where its sentences are, its links (start, end, entity), and its page's entity and names.

    `nouns` are words such as film by which it may be called with the, `headings`
    those that the chunk stands below.
    """

    chunk_id: int
    text: str
    sentences: Sequence[tuple[int, int]]
    links: Sequence[tuple[int, int, int]]
    own: int
    names: tuple[str, ...]
    nouns: frozenset[str] = frozenset()
    headings: tuple[str, ...] = ()


class _Sentence(NamedTuple):
    """A sentence's text and its things, by where they begin."""

    text: str
    things: dict[int, Found]


def facts_of(passage: Passage) -> Iterator[Fact]:
    """Yield the facts that a passage says, in reading order. Linear."""
    follows_own = False
    own = Thing("entity", "", passage.own)
    speaks_of_own = not is_of_another(passage)
    for start, end in passage.sentences:
        links = [(at - start, to - start, entity) for at, to, entity in passage.links if start <= at and to <= end]
        text = passage.text[start:end]
        means_own = follows_own and speaks_of_own
        subject = _subject(text, links, passage, follows_own=follows_own, means_own=means_own)
        possessed = POSSESSED.match(text) if means_own and subject is None else None
        if _begins_longer_name(text, passage.names):
            # Where a lead begins it is the page's full name: "Asda Stores Ltd. is a supermarket chain."
            follows_own = not start and not passage.headings
        if subject is None and possessed is None:
            continue
        sentence = _Sentence(text, {each.start: each for each in things_in(text, links)})
        if subject is not None:
            follows_own = subject[0].entity_id == passage.own
            is_person = _is_of_person(passage, text, subject[1])
            for predicate, found in _said(sentence, *subject, is_person=is_person):
                yield Fact(subject[0], predicate, found, passage.chunk_id)
        else:
            for found in _objects(sentence, possessed.end()) if possessed else ():
                yield Fact(own, Predicate((possessed or [""])[1], True), found, passage.chunk_id)


def _subject(
    text: str, links: Sequence[tuple[int, int, int]], passage: Passage, *, follows_own: bool, means_own: bool
) -> tuple[Thing, int] | None:
    """Return a sentence's subject, and where it ends; None where it is not plain.

    `follows_own`: the subject before was the page's own; `means_own`: so a pronoun means it.
    """
    own = Thing("entity", "", passage.own)
    end = named_at(text, passage.names)
    if end:
        return own, end
    if follows_own:
        nouns = "|".join(map(re.escape, sorted(passage.nouns))) or "-"
        match = (PRONOUN.match(text) if means_own else None) or re.match(rf"The (?:{nouns})(?=\s)", text)
        if match:
            return own, match.end()
    article = ARTICLE.match(text)
    begin = article.end() if article else 0
    for start, end, entity in links:
        if start == begin and not text[start:end].isdigit():
            return Thing("entity", _with_article(article, text[start:end]), entity), end
    return None


def is_of_another(passage: Passage) -> bool:
    """Tell whether a heading above a passage names another thing than the page's own, so that `it` may mean that.

    >>> passage = Passage(1, "Ossay has a beacon. It is old.", [(0, 19), (20, 30)], [], 1, ("Ossay",))
    >>> is_of_another(passage._replace(headings=("Ossay Beacon",))), is_of_another(passage._replace(headings=("Use",)))
    (True, False)
    """
    return any(_names_another(heading, passage) for heading in passage.headings)


def _names_another(heading: str, passage: Passage) -> bool:
    if heading in passage.names or _begins_longer_name(heading, passage.names):
        return heading not in passage.names
    # One word, such as Construction, mostly tells of the page's own thing even where it is a sentence's subject.
    named = re.compile(rf"(?:(?:the|an?) )?{re.escape(heading)}(?=['’]s\b|, | (?!of\b))", re.I)
    return " " in heading and any(named.match(passage.text, start) for start, _ in passage.sentences)


def _begins_longer_name(text: str, names: Sequence[str]) -> bool:
    """Tell whether a text begins with a name that goes on behind one of some names: `Ossay Beacon` behind `Ossay`."""
    article = ARTICLE.match(text)
    begin = article.end() if article else 0
    return not named_at(text, names) and any(
        text.startswith(name, at) and LONGER.match(text, at + len(name)) for name in names for at in (begin, 0)
    )


def named_at(text: str, names: Sequence[str]) -> int:
    """Return where the name ends that a text begins with, 0 where it begins with none or with a longer one."""
    article = ARTICLE.match(text)
    begin = article.end() if article else 0
    for name in names:
        for at in (begin, 0):
            end = at + len(name)
            if text.startswith(name, at) and not text[end : end + 1].isalnum() and not LONGER.match(text, end):
                return end + 1 if text[end : end + 1] in "\"”’" and text[end : end + 2] != "’s" else end
    return 0


def behind_asides(text: str, start: int) -> int:
    """Return where a subject's parentheses and apposition end."""
    aside = PARENTHESIS.match(text, start)
    start = aside.end() if aside else start
    apposition = APPOSITION.match(text, start)
    return apposition.end() if apposition else start


def _is_of_person(passage: Passage, text: str, start: int) -> bool:
    """Tell whether a passage calls its page's own thing a person, or a sentence defines it as one behind its name."""
    defined = DEFINED.match(text, behind_asides(text, start))
    called = CALLED.match(text, defined.end()) if defined else None
    parts = re.split(r",\s?(?:and )?| and ", called[0].strip(" ,").lower()) if called else []
    return bool(PERSONAL.search(passage.text)) or any(map(is_person_noun, (*passage.nouns, *parts)))


def _said(sentence: _Sentence, subject: Thing, start: int, *, is_person: bool) -> Iterator[tuple[Predicate, Thing]]:
    """Yield what a sentence says of its subject."""
    end = behind_asides(sentence.text, start)
    if not subject.text:
        yield from _life(sentence.text[start:end], is_person=is_person)
    defined = DEFINED.match(sentence.text, end)
    if defined and not subject.text:
        yield from _defined(sentence, defined)
    phrase = phrase_at(sentence.text, end)
    if phrase is None:
        return
    words, at = phrase
    is_cast = words in ("starring", "featuring")
    objects = [each for each in _objects_to(sentence, at) if is_whole(words, each[0])]
    for found, _ in objects:
        yield predicate_of(words) if is_cast else Predicate(on_a_day(words, found.kind), False), found
    yield from _further(sentence, words, objects[-1][1]) if objects else ()


def is_whole(words: str, thing: Thing) -> bool:
    """Tell whether a predicate may end at a thing: what is put up between two years is not told by one."""
    return not (words.endswith(" between") and thing.kind in ("date", "year", "number"))


def _further(sentence: _Sentence, words: str, at: int) -> Iterator[tuple[Predicate, Thing]]:
    """Yield what other prepositions add to a passive or to a verb of place: `in 1201 by X`."""
    stem = words.rpartition(" ")[0] if words.split()[-1] in PREPOSITIONS else words
    if " the " in stem:
        return
    # Of "opened the bridge in 1288" the year tells when she opened it, not when she opened.
    goes_on = stem in GOING_ON and stem != words
    if stem.split()[0] not in BE and not goes_on:
        return
    for _ in range(2):
        match = THEN.match(sentence.text, at)
        found = next(_objects_to(sentence, match.end()), None) if match else None
        if match is None or found is None:
            return
        yield Predicate(f"{stem} {match[1]}", False), found[0]
        at = found[1]


def _life(aside: str, *, is_person: bool) -> Iterator[tuple[Predicate, Thing]]:
    """Yield when a life began and ended, by the parenthesis behind a name; a kingdom's years are none of a life."""
    match = LIFE.search(aside)
    if match is None or ("born" not in aside and (match[2] is None or not is_person)):
        return
    for verb, text in (("was born", match[1]), ("died", match[2])):
        for each in things_in(text) if text else ():
            yield Predicate(f"{verb} {'in' if each.thing.kind == 'year' else 'on'}", False), each.thing


def _defined(sentence: _Sentence, defined: re.Match[str]) -> Iterator[tuple[Predicate, Thing]]:
    """Yield what a definition adds to its noun."""
    text, start = sentence.text, defined.end()
    dated = DATED.match(text[start:])
    if dated:
        verb = "was published in" if dated[2] in PUBLISHED else "was released in"
        yield from ((Predicate(verb, False), each.thing) for each in things_in(dated[1]))
    turn = TURNS.search(text, start)
    for match in ADDED.finditer(text, start, turn.start() if turn else len(text)):
        verbs = [verb for verb in (match[1], match[2]) if verb and is_participle(verb) and verb not in DOING]
        for found in _objects(sentence, match.end()) if verbs else ():
            for verb in verbs:
                be = defined[1] if verb in STATES and match[3] != "by" else "was"
                yield Predicate(f"{be} {verb} {match[3]}", False), found
    starring = STARRING.search(text, start)
    for found in _objects(sentence, starring.end()) if starring else ():
        if found.kind in ("entity", "name"):
            yield Predicate("stars", False), found


def _objects(sentence: _Sentence, at: int) -> Iterator[Thing]:
    return (found for found, _ in _objects_to(sentence, at))


def _objects_to(sentence: _Sentence, at: int) -> Iterator[tuple[Thing, int]]:
    """Yield the thing that stands at a place and those that are listed behind it, each with its end."""
    listed: list[Found] = []
    while True:
        article = ARTICLE.match(sentence.text, at)
        found = sentence.things.get(article.end() if article else at)
        if found is None or (listed and found.thing.kind not in ("entity", "name")):
            break
        thing = found.thing
        if thing.kind in ("entity", "name"):
            thing = thing._replace(text=_with_article(article, thing.text))
        listed.append(found._replace(thing=thing))
        more = MORE.match(sentence.text, found.end)
        if more is None or thing.kind not in ("entity", "name"):
            break
        at = more.end()
    if listed and AMPERSAND.match(sentence.text, listed[-1].end):
        return  # "Hale, Mott & Sons" is one name.
    # A list whose last thing does not end there, as in "Paris Opera", may be another one than was read.
    while listed and (not BEHIND.match(sentence.text, listed[-1].end) or _is_rest(sentence.text, listed[-1])):
        listed.pop()
    yield from ((found.thing, found.end) for found in listed)


def _is_rest(text: str, found: Found) -> bool:
    """Tell whether what ends a list may be the rest of the name before it: a word behind a comma, `Kell, Ostrevane`."""
    return found.thing.kind == "name" and " " not in found.thing.text and text[: found.start].endswith(", ")


def _with_article(article: re.Match[str] | None, text: str) -> str:
    return f"{article[1].lower()} {text}" if article and article[1] else text
