"""Predicates: what stands between a subject and an object, as a verb phrase or as a noun that one has of the other.

The words of a sentence become one, as do `labels`. Predicates that say the same have one key.

>>> Predicate("was directed by", False).key, Predicate("is the capital of", False).possessed
('direct by', 'capital')
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from retriever.synthesis.grammar.nouns import is_person_noun
from retriever.synthesis.grammar.verbs import AUXILIARIES, BE, in_number, is_participle, tense
from weft.text.stems import stem

PREPOSITIONS = frozenset(
    """by in at of to from with on for into as after about near between through under over within among during
    along""".split()
)
PARTICLES = ("up", "down", "out", "off", "over")
INVERSE = {"stars": "stars in", "features": "appears in", "has in its cast": "plays in",
           "featuring": "features in", "plays for": "", "is married to": "is married to"}
AGENTS = {
    "directed": "director", "written": "writer", "composed": "composer", "produced": "producer", "founded": "founder",
    "designed": "designer", "built": "builder", "invented": "inventor", "discovered": "discoverer", "edited": "editor",
    "published": "publisher", "owned": "owner", "led": "leader", "created": "creator", "developed": "developer",
    "ruled": "ruler", "kept": "keeper", "operated": "operator",
}  # fmt: skip
OF_PEOPLE = frozenset(
    stem(word) for word in
    """directed written stars features featuring acted composed produced founded designed invented discovered edited
    married painted sung performed defeated scored father mother son daughter wife husband spouse brother sister
    sibling parent child grandson grandfather grandmother granddaughter nephew niece cousin uncle aunt taught student
    pupil successor predecessor king queen created friend co-written co-directed captain manager coach president
    chairman mentor led kept ruled""".split()
)
"""Stems of words whose object is a person."""


KIN = frozenset(
    """father mother son daughter wife husband spouse brother sister sibling parent child grandson grandfather
    grandmother granddaughter nephew niece cousin uncle aunt student pupil friend lover consort heir""".split()
)
"""Nouns of what one is of a person: the architect of a country is not."""

MUTUAL = frozenset(
    """spouse sibling brother sister friend lover consort cousin partner neighbour neighbor twin rival colleague
    relative acquaintance border""".split()
)
"""Nouns of what two things are of each other."""

OF_PERSONS = frozenset("stars features featuring married taught defeated mentored succeeded".split())
"""Verbs by which one is asked for, and not what one made."""

DEFINITIONS = ("is defined as", "are defined as")
"""Words of the predicates between a thing and what describes it alone, in the singular and the plural."""

PARAPHRASES = {
    "stars": ("features", "has in its cast"), "was released in": ("came out in",), "is located in": ("lies in",),
    "was founded in": ("was established in",), "was founded by": ("was established by",),
    "was built in": ("was constructed in",), "was built by": ("was constructed by",),
    "was published in": ("appeared in",), "is caused by": ("results from",), "is named after": ("owes its name to",),
}  # fmt: skip
"""Other words for some predicates."""


class Predicate(NamedTuple):
    """Words between subject and object: `was born in`; or a noun: the `capital` of the subject.

    `frame` is what stands before the subject, where something of it is spoken of: `the polarity of`.
    """

    words: str
    is_noun: bool
    frame: str = ""

    @property
    def key(self) -> str:
        """What predicates that say the same have in common: stems, without auxiliaries and articles."""
        return key_of(f"{self.frame} {self.words}" if self.frame else self.words)

    def framed(self, subject: str) -> str:
        """Return what is spoken of, by how its subject is called."""
        return f"{self.frame} {subject}" if self.frame else subject

    @property
    def auxiliary(self) -> str:
        """The form of be, have or a modal that it begins with, or nothing."""
        first = self.words.partition(" ")[0]
        return first if first in AUXILIARIES and not self.is_noun and " " in self.words else ""

    @property
    def preposition(self) -> str:
        """The preposition that it ends with, or nothing."""
        last = self.words.rpartition(" ")[2]
        return last if last in PREPOSITIONS and " " in self.words else ""

    @property
    def participle(self) -> str:
        """The participle behind its form of be, or nothing."""
        words = self.words.split()
        return words[1] if self.auxiliary in ("is", "are", "was", "were") and is_participle(words[1]) else ""

    @property
    def done_by(self) -> str:
        """What is done by its object, a participle and perhaps a particle: `set up` of `was set up by`; or nothing."""
        words = self.words.split()
        doing = words[1:-1]
        plain = doing[:1] == [self.participle] and (len(doing) == 1 or (len(doing) == 2 and doing[1] in PARTICLES))
        return " ".join(doing) if self.participle and self.preposition == "by" and plain else ""

    @property
    def possessed(self) -> str:
        """The noun of `is the NOUN of`, or nothing."""
        words = self.words.split()
        told = len(words) > 3 and words[0] in BE and words[1] == "the" and words[-1] == "of"
        return " ".join(words[2:-1]) if told else ""

    @property
    def is_definition(self) -> bool:
        """Tell whether its object describes what its subject is."""
        return self.words in DEFINITIONS

    @property
    def is_event(self) -> bool:
        """Tell whether it is a label that is a clause, by which one asks for a date alone: `construction began`."""
        last = self.words.rpartition(" ")[2]
        return self.is_noun and " " in self.words and (tense(last) == "past" or is_participle(last))

    @property
    def is_directed(self) -> bool:
        """Tell whether it cannot hold both ways: the noun of a role, or what is done by somebody."""
        noun = self.words if self.is_noun else self.possessed
        return bool(self.done_by) or (bool(noun) and noun.split()[-1] not in MUTUAL)

    def behind(self, *, is_plural: bool) -> Predicate:
        """Return it in the form that it has behind a subject in the singular or the plural."""
        first, blank, rest = self.words.partition(" ")
        if self.is_noun or self.frame:
            return self
        return self._replace(words=in_number(first, is_plural=is_plural) + blank + rest)

    @property
    def is_of_people(self) -> bool:
        """Tell whether its object can only be a person."""
        said = [word for word in self.words.split() if word not in AUXILIARIES and word not in PREPOSITIONS]
        if self.possessed:
            return self.possessed.split()[-1] in KIN
        if self.is_noun:
            return is_person_noun(self.words)
        agent = self.preposition == "by" or (len(said) == 1 and said[0] in OF_PERSONS)
        return agent and bool(OF_PEOPLE & {stem(word) for word in said})


@lru_cache(maxsize=1 << 14)
def key_of(words: str) -> str:
    """Return the stems of a predicate's words without auxiliaries and articles."""
    kept = [stem(word) for word in words.lower().split() if word not in AUXILIARIES and word not in ("the", "a", "an")]
    return " ".join(kept)
