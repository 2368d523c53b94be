"""How things of one SKB are named in questions: with their article, in small letters, as a text says them."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from retriever.session import Session
from retriever.synthesis.facts.gather import Gathered
from retriever.synthesis.facts.store import Step, Stored
from retriever.synthesis.grammar.nouns import (
    HEADS,
    institution_in,
    is_event_noun,
    is_person_noun,
    is_place_noun,
    noun_in_title,
    noun_of_type,
    plain_noun,
    spoken,
    takes_article,
)
from retriever.synthesis.grammar.predicates import key_of
from weft.text.names import name_key
from weft.text.stems import stems_of

BY_FACTS = tuple(
    (noun, key_of(words), forward)
    for noun, words, forward in (
        ("film", "stars", True), ("film", "was directed by", True), ("actor", "stars", False),
        ("director", "was directed by", False), ("writer", "was written by", False),
        ("person", "was born on", True), ("person", "was born in", True), ("person", "is married to", True),
        ("country", "country", False), ("city", "capital", False),
    )
)  # fmt: skip
"""Nouns by the facts that a thing has, as their subject or as their object."""

BORN = tuple(Step(key_of(words), forward=True) for words in ("was born on", "was born in"))
ENDED = tuple(Step(key_of(words), forward=True)
              for words in ("died on", "died in", "was closed on", "was closed in", "took place on"))  # fmt: skip
LEAST_WRITTEN = 2
"""How often texts must write a name to tell whether it has an article; else its words do."""

WORKS = frozenset("film song novel book play poem album single opera series episode game painting magazine".split())
BARE = re.compile(r"(?!the |an? |one |two |three )[a-z][a-z-]+(?: [a-z-]+){0,2} of ")
"""A noun of a row without its article: `first ascent of Mount Aldessy`."""

LEADING_ARTICLE = re.compile(r"^(?:the|a|an) ", re.I)


class Naming:
    """Names and nouns of the things of an SKB."""

    def __init__(self, session: Session, gathered: Gathered) -> None:
        self.store = gathered.store
        self._session = session
        self._gathered = gathered
        self.title = lru_cache(maxsize=1 << 16)(self._title)
        """A thing's own name, as it stands in the SKB or in its text."""

        self.name = lru_cache(maxsize=1 << 16)(self._name)
        self.noun = lru_cache(maxsize=1 << 16)(self._noun)

    def _title(self, thing: int) -> str:
        found = self.store.thing(thing)
        if found.entity_id is None:
            return LEADING_ARTICLE.sub("", found.text) if found.kind == "name" else found.text
        (entity,) = self._session.skb.entities([found.entity_id])
        return entity.name

    def uri(self, thing: int) -> str | None:
        """Return the uri of the entity that a thing is, None where it is none."""
        found = self.store.thing(thing)
        return None if found.entity_id is None else self._session.skb.entities([found.entity_id])[0].uri

    def called(self, fact: Stored, thing: int) -> str:
        """Return a thing as a question calls it: as the fact's chunk does where that is its name, else by its name."""
        said = fact.subject_text if thing == fact.subject else fact.object_text
        if self.store.thing(thing).entity_id is None:
            bare = self.store.thing(thing).kind == "name" and (takes_article(said) or BARE.match(said))
            return f"the {said}" if bare else said
        own, heard = set(stems_of(self.title(thing))), set(stems_of(LEADING_ARTICLE.sub("", said)))
        full = bool(heard) and own <= heard and len(heard) <= len(own) + 1 and "(" not in self.title(thing)
        if not full or self.name(thing).casefold() == f"the {said}".casefold():
            return self.name(thing)
        return said[0].lower() + said[1:] if self._is_small(thing) else said

    def page(self, fact: Stored) -> int:
        """Return the page of a fact's chunk, 0 where no chunk says it."""
        if fact.chunk is None:
            return 0
        table = self._session.chunk_table
        return int(table.pages[table.indices(np.array([fact.chunk]))][0])

    def is_person(self, thing: int) -> bool:
        """Tell whether a thing is known to be a person, by its noun or since it was born."""
        return is_person_noun(self.noun(thing)) or any(self.store.reached(thing, step, 1) for step in BORN)

    def is_over(self, thing: int) -> bool:
        """Tell whether a thing is past: it took place, or it died or was closed."""
        return is_event_noun(self.event(thing)) or any(self.store.reached(thing, step, 1) for step in ENDED)

    def event(self, thing: int) -> str:
        """Return the noun of a thing, or the word of its name by which it is an event: Battle of Gannet Sound."""
        noun, words = self.noun(thing), self.title(thing).lower().partition(" of ")[0].split()
        return next((word for word in words if is_event_noun(word)), noun) if not is_event_noun(noun) else noun

    def is_place(self, thing: int) -> bool:
        """Tell whether a thing is known to be a place."""
        return is_place_noun(self.noun(thing))

    def _name(self, thing: int) -> str:
        title = self.title(thing)
        if self.store.thing(thing).entity_id is None:
            return f"the {title}" if self.store.thing(thing).kind == "name" and takes_article(title) else title
        written, articled, _, _ = self._usage(thing)
        text = spoken(title)
        if self._is_small(thing):
            text = text[0].lower() + text[1:]
        told = 2 * articled > written if written >= LEAST_WRITTEN else self._takes_article(thing)
        return f"the {text}" if told and not name_key(text).startswith("the ") else text

    def _takes_article(self, thing: int) -> bool:
        return takes_article(self.title(thing)) and not WORKS & set(self.noun(thing).split())

    def _is_small(self, thing: int) -> bool:
        _, _, within, small = self._usage(thing)
        rest = self.title(thing).split()[1:]
        return 2 * small > within > 0 and not any(word[:1].isupper() for word in rest)

    def _usage(self, thing: int) -> tuple[int, int, int, int]:
        entity = self.store.thing(thing).entity_id
        usage = self._gathered.usage
        at = int(np.searchsorted(usage.ids, entity)) if entity is not None else len(usage.ids)
        if at == len(usage.ids):
            return 0, 0, 0, 0
        return int(usage.written[at]), int(usage.articled[at]), int(usage.within[at]), int(usage.small[at])

    def _noun(self, thing: int) -> str:
        """Return what a thing is: what its page says, else its type; nothing where neither does."""
        entity = self.store.thing(thing).entity_id
        if entity is None:
            return ""
        said = plain_noun(self._gathered.nouns.get(entity, ""))
        typed = said or noun_of_type(self._session.skb.entities([entity])[0].type)
        told = typed or noun_in_title(self.title(thing)) or institution_in(self.title(thing))
        return told or self._noun_by_facts(thing) or self._head(thing)

    def _head(self, thing: int) -> str:
        """Return the last word of a name that is a common noun behind another one, as in transition zone."""
        words = self.title(thing).partition(" (")[0].split()
        is_term = len(words) > 1 and words[0][0].isupper() and words[-1].islower() and words[-1].isalpha()
        head = words[-1] if is_term else ""
        return plain_noun(head) if head in HEADS else ""

    def _noun_by_facts(self, thing: int) -> str:
        """Return what a thing must be by what is said of it, where nothing else tells."""
        for noun, key, forward in BY_FACTS:
            if self.store.reached(thing, Step(key, forward), 1):
                return noun
        return ""
