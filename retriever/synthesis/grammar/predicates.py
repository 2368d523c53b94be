"""Predicates: what stands between a subject and an object, as a verb phrase or as a noun that one has of the other.

A label of a fact file, `birthPlace` or `starred_actors`, becomes one, as do the
words of a sentence. Predicates that say the same have one key.

>>> predicate_of("birthPlace").words, predicate_of("capital").words, predicate_of("directed_by").key
('was born in', 'capital', 'direct by')
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from retriever.synthesis.grammar.nouns import is_count, is_person_noun, singular
from retriever.synthesis.grammar.verbs import AUXILIARIES, BE, in_number, is_participle, lemma, tense
from weft.text.names import relation_words
from weft.text.stems import stem

PREPOSITIONS = frozenset(
    """by in at of to from with on for into as after about near between through under over within among during
    along""".split()
)
LABELS = {
    "director": "was directed by", "writer": "was written by", "author": "was written by", "starring": "stars",
    "starred actors": "stars", "screenwriter": "was written by", "composer": "was composed by",
    "music composer": "was scored by", "producer": "was produced by", "publisher": "was published by",
    "developer": "was developed by", "designer": "was designed by", "architect": "was designed by",
    "founder": "was founded by", "founded by": "was founded by", "inventor": "was invented by",
    "discoverer": "was discovered by", "builder": "was built by", "creator": "was created by",
    "birth place": "was born in", "place of birth": "was born in", "death place": "died in",
    "place of death": "died in", "birth date": "was born on", "date of birth": "was born on",
    "death date": "died on", "date of death": "died on", "birth year": "was born in", "death year": "died in",
    "resting place": "was buried in", "buried in": "was buried in", "spouse": "is married to",
    "location": "is located in", "place": "took place in", "location country": "is located in",
    "river mouth": "flows into", "mouth": "flows into", "inflow": "is fed by", "outflow": "drains into",
    "owner": "is owned by", "operator": "is operated by", "language": "language", "in language": "language",
    "genre": "genre", "has genre": "genre", "release year": "was released in", "release date": "was released on",
    "released": "was released in", "publication date": "was published in", "has tags": "is tagged with",
    "founding date": "was founded on", "founding year": "was founded in", "founded": "was founded in",
    "opened": "was opened on", "opening date": "was opened on", "built": "was built in",
    "completed": "was completed in", "established": "was established in", "is part of": "is part of",
    "part of": "is part of", "team": "plays for", "former team": "played for", "employer": "works for",
    "alma mater": "studied at", "education": "studied at", "residence": "lives in", "record label": "is signed to",
    "influenced by": "was influenced by", "influenced": "influenced", "named after": "is named after",
    "based on": "is based on", "spoken in": "is spoken in", "has imdb rating": "rating on IMDb",
    "has imdb votes": "number of votes on IMDb", "premiere place": "premiered in", "inhabitants": "population",
    "population total": "population", "area total": "area", "crosses": "crosses", "keeper": "is kept by",
    "ruler": "is ruled by", "opened by": "was opened by", "described by": "was described by", "see also": "",
    "related": "", "wiki page": "", "same as": "", "neighbour": "borders", "race": "", "origin": "comes from",
    "ground": "home ground", "headquarter": "headquarters", "known for": "is known for", "habitat": "lives in",
    "acquaintance": "knew", "date": "took place on", "chartered": "was chartered in",
    "developed": "was developed in", "occupation": "", "type": "", "website": "", "nationality": "", "image": "",
    "music by": "was scored by", "editing by": "was edited by", "screenplay by": "was written by",
    "runners up": "runner up", "preceded by": "predecessor", "succeeded by": "successor",
    "deaths": "number of deaths", "subject": "is about", "visited": "visited", "owns": "owns",
    "formed": "was formed in", "first published": "was first published in", "performer": "is performed by",
    "time zone": "", "position": "", "signatory": "was signed by", "uses instrument": "uses",
    "instrument": "plays", "invented": "was invented in", "born": "", "died": "",
    "countries": "number of countries", "children": "number of children", "member": "member",
    "spouse(s)": "is married to", "official name": "", "full name": "", "years active": "", "years": "",
    "other names": "", "died in": "died in", "died on": "died on", "lived in": "lived in", "lifespan": "",
    "title": "", "titles": "", "notes": "", "remarks": "", "results": "", "result": "", "name": "", "names": "",
    "arabic": "", "hebrew": "", "number": "", "rank": "", "score": "", "status": "", "year": "", "date from": "",
    "date until": "", "conf": "", "fips code": "", "fate": "",
    "population as of": "", "first": "", "second": "", "third": "", "no": "",
    "pos": "", "pts": "points",
}  # fmt: skip
"""How labels of facts are said; an empty one asks for nothing that a person would."""

STATES = frozenset(
    """located situated based headquartered spoken found used bordered known made composed named connected associated
    related married linked tagged dedicated""".split()
)
"""Participles that tell how something is, not what was once done to it."""

LABEL = re.compile(r"[a-z][A-Za-z0-9' /-]{1,40}")
SHORTEST = 4
"""Letters of a label that nobody has told what it means; shorter ones are abbreviations."""

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
    def possessed(self) -> str:
        """The noun of `is the NOUN of`, or nothing."""
        words = self.words.split()
        told = len(words) > 3 and words[0] in BE and words[1] == "the" and words[-1] == "of"
        return " ".join(words[2:-1]) if told else ""

    @property
    def is_definition(self) -> bool:
        """Tell whether its object describes what its subject is."""
        return self.words in DEFINITIONS

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
        if self.is_noun or self.possessed:
            return is_person_noun(self.possessed or self.words)
        agent = self.preposition == "by" or (len(said) == 1 and (not self.preposition or said[0] == "married"))
        return agent and bool(OF_PEOPLE & {stem(word) for word in said})


@lru_cache(maxsize=1 << 14)
def key_of(words: str) -> str:
    """Return the stems of a predicate's words without auxiliaries and articles."""
    kept = [stem(word) for word in words.lower().split() if word not in AUXILIARIES and word not in ("the", "a", "an")]
    return " ".join(kept)


def dated(predicate: Predicate, label: str, kind: str) -> Predicate:
    """Return a predicate as its object has it: what opened on a day opened in a year, and one of genres is a genre.

    >>> dated(predicate_of("launched"), "launched", "year").words
    'was launched in'
    """
    if predicate.is_noun and kind != "number" and is_count(predicate.words):
        predicate = predicate._replace(words=singular(predicate.words))
    if kind not in ("date", "year"):
        return predicate
    right, wrong = (" in", " on") if kind == "year" else (" on", " in")
    if predicate.words.endswith(wrong):
        return predicate._replace(words=predicate.words.removesuffix(wrong) + right)
    plain = relation_words(label).strip().lower()
    if " " not in plain and is_participle(plain):
        return Predicate(f"was {plain}{right}", False)
    return predicate


@lru_cache(maxsize=1 << 14)
def predicate_of(label: str) -> Predicate:
    """Return the predicate of a label; its words are empty where nobody would ask for it."""
    plain = relation_words(label).strip().lower()
    known = LABELS.get(plain)
    plain = plain if known is None else known
    if not LABEL.fullmatch(plain) or (known is None and len(plain) < SHORTEST):
        return Predicate("", True)
    words = plain.split()
    is_told = known is not None and tense(words[0]) in ("third", "past")
    if is_told or (words[0] in AUXILIARIES and len(words) > 1 and words[0] != "has"):
        return Predicate(plain, False)
    if words[0] == "has":
        return Predicate(" ".join(words[1:]), True)
    if words[-1] in PREPOSITIONS and len(words) > 1:
        return _with_preposition(words)
    is_verb = len(words) == 1 and tense(words[0]) in ("third", "past") and not words[0].endswith(("rs", "ists"))
    return Predicate(plain, not is_verb)


def _with_preposition(words: list[str]) -> Predicate:
    plain = " ".join(words)
    if is_participle(words[0]):
        return Predicate(f"{'is' if words[0] in STATES and words[-1] != 'by' else 'was'} {plain}", False)
    if tense(words[0]) in ("third", "past") or (lemma(words[0]) and words[0].endswith("s")):
        return Predicate(plain, False)
    if words[-1] == "of":
        return Predicate(f"is the {plain}", False)
    return Predicate("", True)
