"""Which entity words of a text mean where they are no link: a name that mostly leads to one thing.

`The mantle` means what texts link to as `the mantle`; `the planet` may be any
planet that was spoken of, since people link to planets without the article.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.session import Session
from retriever.synthesis.grammar.noun_phrases import INEXACT, RELATIVE
from weft.text.names import name_key, plain_name

LEADING = re.compile(r"^(the|a|an)\s+", re.I)
OWNER = re.compile(r"^\S+['’]s ")
LEAST_WEIGHT = 0.8
"""How often a link's words must lead to one entity."""

SHORTEST = 3
"""Letters of words that are looked up."""

SPOKEN_OF = re.compile(r"(.*\w (?:of|in|within)) ([^.]+?)")
OWNED = re.compile(r"((?:the )?[\w ]+)['’]s ([a-z -]+)", re.I)
UNOWNED = frozenset("part parts most rest end edge name case study time use idea role one type kind form".split())
NAMES = "SELECT entity_id, kind, weight FROM alias WHERE name_key = ?"
OWN = ("name", "redirect", "label", "short")
"""Names that an entity has by itself, the surest first; others are words of links."""


Meaning = Callable[[str], int | None]
"""Tells which entity some words mean, None where it is not sure."""


def know_nothing(words: str) -> None:
    """Know no words."""


class SpokenOf(NamedTuple):
    """What a noun phrase says before an entity of which it tells something, `the polarity of`, its name and itself."""

    frame: str
    rest: str
    entity: int


def spoken_of(said: str, meaning: Meaning) -> SpokenOf | None:
    """Return the entity that a noun phrase speaks of something of: `the polarity of the field`, `Earth's crust`."""
    match, owned = SPOKEN_OF.fullmatch(said), OWNED.fullmatch(said)
    if match is None and owned is None:
        return None
    frame, rest = (match[1], match[2]) if match else (f"the {owned[2]} of", owned[1]) if owned else ("", "")
    plain = frame.removeprefix("the ").split()
    if not "".join(plain).replace("-", "").islower() or plain[0] in INEXACT | UNOWNED | RELATIVE | {"a", "an"}:
        return None
    entity = meaning(rest)
    fit = entity is not None and (frame.startswith("the ") or plain[-2].endswith("s"))
    return SpokenOf(frame, rest, entity) if fit and entity is not None else None


class Usage(NamedTuple):
    """How texts write the names of entities, by the sorted `ids` (n,): how often they are linked, and behind `the`.

    Of what paragraphs say by name or link, on the entity's page and elsewhere: how often they do, and behind `the`,
    and how often where a sentence does not begin, and with a small first letter.
    """

    ids: NDArray[np.int64]
    linked: NDArray[np.int32]
    definite: NDArray[np.int32]
    written: NDArray[np.int32]
    articled: NDArray[np.int32]
    within: NDArray[np.int32]
    small: NDArray[np.int32]

    def copy(self) -> Usage:
        """Return one that can be counted on without changing this one."""
        return Usage(self.ids, *(each.copy() for each in self[1:]))

    def note(self, index: int, text: str, begin: int) -> None:
        """Count what stands at a place of a paragraph for the entity of an index."""
        before = text[max(0, begin - 4) : begin]
        is_articled = before.lower() == "the "
        self.written[index] += 1
        self.articled[index] += is_articled
        if is_articled or before[-2:-1].isalnum() or before[-2:-1] == ",":
            self.within[index] += 1
            self.small[index] += text[begin : begin + 1].islower()

    def is_definite(self, entity: int) -> bool:
        """Tell whether an entity is mostly linked behind `the`."""
        at = int(np.searchsorted(self.ids, entity))
        return bool(2 * self.definite[at] > self.linked[at])


class Meanings:
    """Looks words up among the names of an SKB's entities, and remembers the last."""

    def __init__(self, session: Session, usage: Usage) -> None:
        self._session = session
        self._usage = usage
        self._own = lru_cache(maxsize=64)(self._own_names)
        self._named = lru_cache(maxsize=1 << 16)(self._find)

    def of(self, words: str, own: int) -> int | None:
        """Return the entity that words mean on the page of `own`, None where it is not sure."""
        article = LEADING.match(words)
        plain = words[article.end() :] if article else words
        key = name_key(plain)
        if key in self._own(own):
            return own
        entity = self._named(key) if len(plain) >= SHORTEST else None
        if entity is None:
            return None
        if article is None:
            return None if plain[:1].islower() and self._usage.is_definite(entity) else entity
        return entity if (article[1].lower() == "the") == self._usage.is_definite(entity) else None

    def _own_names(self, own: int) -> frozenset[str]:
        """Return the names of a page's own entity, and what is left of its title without whose it is."""
        title = self._session.skb.entities([own])[0].name
        short = plain_name(title)
        return frozenset(name_key(each) for each in (title, short, OWNER.sub("", short)))

    def _find(self, key: str) -> int | None:
        found = self._session.skb.connection.execute(NAMES, (key,)).fetchall()
        sure = [entity for entity, kind, weight in found if kind == "anchor" and weight >= LEAST_WEIGHT]
        if len(sure) == 1:
            return int(sure[0])
        named = next((own for kind in OWN if (own := [entity for entity, each, _ in found if each == kind])), [])
        return int(named[0]) if len(named) == 1 else None


def names_of(session: Session) -> Meaning:
    """Return what tells which entity has some capitalised words as its own name, where no other one has them."""

    @lru_cache(maxsize=1 << 16)
    def named(words: str) -> int | None:
        if not words[:1].isupper() or len(words) < SHORTEST:
            return None
        found = session.skb.connection.execute(NAMES, (name_key(words),))
        kinds = {(int(entity), kind) for entity, kind, _ in found if kind in OWN}
        owners = {entity for entity, _ in kinds}
        # A person may be called as the film is that was named after him: "Lloyd (film)" is not the only Lloyd.
        return owners.pop() if len(owners) == 1 and {kind for _, kind in kinds} != {"short"} else None

    return named
