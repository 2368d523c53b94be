"""Entities: what a name in a passage means, where hops go on from it, and whether that is what a noun says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from retriever.answers.candidates import NAMING, Candidate
from retriever.answers.hops.nested import WINNING
from retriever.answers.passages import Link, Passage
from retriever.answers.text.countries import are_countries
from retriever.answers.text.kind_asked import asks_person
from retriever.answers.text.kinds import FEMALE, MALE, PLACES, Kind, kinds_of
from retriever.answers.text.lexicon.hypernyms import is_a, is_person, noun_of, senses_of
from retriever.answers.text.lexicon.meanings import alike, vectors_of
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.looks import has_number, looks_of
from retriever.answers.text.words import stem_of
from retriever.question.entity_linking import Linker
from retriever.question.name_lookup import written_alike
from retriever.session import Session
from weft.text.names import name_key, plain_name

LEAST_WORDS, MOST_TITLED = 3, 20
"""Words of a name that is looked for among longer ones, and how many of these are compared with it."""

LEAST_LIKE, MOST_LONGER, LEAST_LIKE_WORDS = 0.83, 8, 2
"""How like a name a page's title must be spelled (difflib's ratio), how many letters it may have more or less, and how
many words both have at least."""

LEAST_ALIKE = 0.5
"""How like what a page says it is about a noun must be by word vectors (cosine)."""

TOWNS = frozenset("village town city municipality commune hamlet capital settlement".split())
TOWN_STEMS, PLACE_STEMS = frozenset(map(stem_of, TOWNS)), frozenset(map(stem_of, PLACES))
COUNTRIES = frozenset(("country", "nation"))
AREAS = COUNTRIES | frozenset("state continent province county".split())
"""Nouns for what places lie in, of which none is named with a comma or by another noun: "Tarn County, Vessia"."""

STATES = frozenset(
    map(stem_of, "kingdom republic principality empire duchy emirate sultanate federation realm".split())
)
"""What a country may be called instead, by stems."""

VAGUE = frozenset(map(stem_of, ("region", "territory")))
"""Stems of what any area may be called."""

LEVELS = (TOWNS - {"capital"}) | frozenset("county district borough parish suburb township".split())
"""Last words of names of what is smaller than a state."""

LOCATIONS = senses_of("location", 1)
GROUPS = senses_of("organization", 1) | senses_of("group", 1)
"""What a noun for people who do something together is a kind of."""

ANYWHERE = frozenset("place birthplace home hometown location site area spot origin destination".split())
"""Nouns that any place may answer to."""


def entity_of(session: Session, text: str, start: int, end: int, links: Sequence[Link]) -> int:
    """Return the entity that a name of a passage means, which stands from `start` to `end`; 0 where it means none."""
    # "Walter IV" begins the link "Walter IV, Count of Brienne".
    if longer := [each.entity for each in links if each.start <= start < end <= each.end]:
        return longer[0]
    return next(_linked(session, text), 0) or _titled(session, text)


def _linked(session: Session, text: str) -> Iterator[int]:
    """Yield what a whole name means: one with a person's noun before it, or with a title behind it, too."""
    for each in Linker(session).mentions(text):
        # Of "King Abdullah" the mention is the last word: a king is who bears the name, but not all of "A and King B".
        before = text[: each.start].split()
        is_last = each.end == len(text) and all(map(_is_title, before[-1:])) and "and" not in before
        if is_last or (not each.start and text[each.end : each.end + 1] == ","):
            yield int(each.entities[0])


def _titled(session: Session, text: str) -> int:
    """Return the only entity whose name has all words of a name and more: "Walter IV, Count of Brienne"; 0 for none."""
    words = {*answer_tokens(text)}
    if len(words) < LEAST_WORDS:
        return 0
    ids, _ = session.skb.search_text("entity", text, MOST_TITLED)
    found = [each.id for each in session.skb.entities(ids.tolist()) if words <= {*answer_tokens(each.name)}]
    return found[0] if len(found) == 1 else 0


def alike_named(session: Session, name: str) -> int:
    """Return the entity with a page whose title is most like a name of several words; 0 where none is as like.

    Of a title all words are in the name ("Lady Ada Orr Lund" may be "Ada Orr"), or both are nearly spelled alike.
    """
    words = {*answer_tokens(name)}
    if len(words) < LEAST_LIKE_WORDS:
        return 0
    ids, _ = session.skb.search_text("entity", name, MOST_TITLED)
    titles = {each.id: answer_tokens(plain_name(each.name)) for each in session.skb.entities(ids.tolist())}
    parts = (each for each, title in titles.items() if len(title) >= LEAST_LIKE_WORDS and words.issuperset(title))
    alike = (each for each, _ in written_alike(session.skb, name_key(name), LEAST_LIKE, MOST_LONGER))
    return next((each for each in chain(parts, alike) if paged(session, each)), 0)


def _is_title(word: str) -> bool:
    return is_person(word) or bool(FEMALE.fullmatch(word) or MALE.fullmatch(word))


def is_what(session: Session, entity: int, noun: str) -> bool:
    """Tell whether an entity is what a noun names, by its page's title and by how the page begins."""
    (number,) = session.chunk_table.pages_of(np.array([entity])).tolist()
    kind = kinds_of(session, [number]).get(number) if number else None
    if kind is None or noun in WINNING or stem_of(noun) in kind.is_a:
        return kind is not None
    (page,) = session.skb.pages([number])
    return _may_be(kind, noun, page.title)


def _may_be(kind: Kind, noun: str, title: str) -> bool:
    if asks_person(noun) or kind.is_person:
        return asks_person(noun) and kind.is_person
    if any(is_a(word.lower(), senses_of(noun)) for word in (noun_of(title), title.split(" ", 1)[0])):
        return True
    if noun in COUNTRIES and kind.is_a & STATES:
        return True
    if noun in AREAS and (kind.is_place or is_location(title)) and (kind.is_a & PLACE_STEMS) <= VAGUE:
        # "Kell is in a region known as ..." says nothing of what Kell is.
        return True
    if kind.is_place:
        # A river is no lake, but a city may be called a town.
        return noun in ANYWHERE or (noun in TOWNS and bool(TOWN_STEMS & kind.is_a))
    like = alike(vectors_of(("", *sorted(kind.is_a))), vectors_of((stem_of(noun),)))
    return bool(like.max() >= LEAST_ALIKE)


def is_named(candidate: Candidate, noun: str) -> bool:
    """Tell whether a candidate without a page is a name that may be what a noun names."""
    text = candidate.text
    is_name = candidate.form in NAMING and text[0].isupper() and not has_number(text) and not any(are_countries([text]))
    is_name = is_name and (noun not in AREAS or _may_be_area(text, noun))
    return is_name and (looks_of(text)[0] or not asks_person(noun))


def is_group(noun: str) -> bool:
    """Tell whether a noun is one for people who do something together: a band, a company."""
    return is_a(noun, GROUPS)


def is_location(text: str) -> bool:
    """Tell whether the last word of a name is known as a place."""
    return is_a(noun_of(text), LOCATIONS)


def _may_be_area(text: str, noun: str) -> bool:
    head = noun_of(text)
    fits = head == noun or (head not in LEVELS and is_location(text)) or not senses_of(head)
    return fits and "," not in text


def entity_named(session: Session, passages: Sequence[Passage], candidate: Candidate) -> int:
    """Return the entity that a candidate names, 0 where it names none."""
    links = passages[candidate.passage].links
    return candidate.entity or entity_of(session, candidate.text, candidate.start, candidate.end, links)


def paged(session: Session, entity: int) -> int:
    """Return an entity that has a page, 0 for one without."""
    return entity if entity and session.chunk_table.pages_of(np.array([entity]))[0] else 0
