"""Labels of facts, columns and rows as predicates: `birthPlace`, `starred_actors`, `Max. depth`.

>>> predicate_of("birthPlace").words, predicate_of("capital").words, predicate_of("directed_by").key
('was born in', 'capital', 'direct by')
"""

from __future__ import annotations

import re
from functools import lru_cache

from retriever.synthesis.grammar.nouns import is_count, singular
from retriever.synthesis.grammar.participles import STATES, begins_clause, is_bare, voice
from retriever.synthesis.grammar.predicates import PARTICLES, PREPOSITIONS, Predicate
from retriever.synthesis.grammar.verbs import AUXILIARIES, is_participle, lemma, tense
from weft.text.names import relation_words

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
    "location": "is located in", "locale": "is located in", "place": "place", "location country": "is located in",
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
    "acquaintance": "knew", "date": "date", "in service": "entered service in",
    "entered service": "entered service in", "chartered": "was chartered in",
    "developed": "was developed in", "occupation": "", "type": "", "website": "", "nationality": "", "image": "",
    "music by": "was scored by", "music": "was scored by",
    "editing by": "was edited by", "screenplay by": "was written by",
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

INTRANSITIVE = frozenset("ceased ended started began expired premiered retired sank disappeared vanished".split())
"""Past forms of which the subject is what ended or began by itself."""

AS_NOUNS = frozenset(
    """awards dates films works records labels ranks scores names tours exports imports sponsors guards hosts stops
    links changes repairs transfers matches tests controls heads members results visits signs releases shares""".split()
)
"""Forms of verbs that are nouns where they stand alone."""

NO_NOUNS = frozenset(
    """active dead alive homeless aboard injured missing wounded imprisoned open closed free old new current former
    present available inclusive approximate together here there""".split()
)
"""Last words of labels that are no nouns, so that nothing is asked by them."""

CLAUSAL = frozenset(("if", "its", "their", "when", "until", "since", "whose", "that", "which", "than"))
COPULA = re.compile(r"(?<=\w) (?:is|are|was|were)$")
OWNED = re.compile(r"has (?:an? |the )?([a-z]+(?: [a-z]+){0,3}?)(?: of)?")
NAMED = re.compile(r"[a-z] [A-Z]")
LABEL = re.compile(r"[a-z][A-Za-z0-9' /-]{1,40}")
SHORTEST = 4
"""Letters of a label that nobody has told what it means; shorter ones are abbreviations."""


def dated(predicate: Predicate, label: str, kind: str) -> Predicate:
    """Return a predicate as its object has it: what opened on a day opened in a year, and one of genres is a genre.

    >>> dated(predicate_of("launched"), "launched", "year").words
    'was launched in'
    """
    if kind == "number" and not predicate.is_noun and is_count(label):
        return Predicate(label, True)
    if predicate.is_noun and kind != "number" and is_count(predicate.words):
        predicate = predicate._replace(words=singular(predicate.words))
    if kind not in ("date", "year"):
        return predicate
    right, wrong = (" in", " on") if kind == "year" else (" on", " in")
    if predicate.words.endswith(wrong):
        return predicate._replace(words=predicate.words.removesuffix(wrong) + right)
    plain = relation_words(label).strip().lower()
    if plain in INTRANSITIVE:
        return Predicate(f"{plain}{right}", False)
    if _is_done(plain.split()):
        return Predicate(f"was {plain}{right}", False)
    return predicate


def _is_done(words: list[str]) -> bool:
    """Tell whether a label is a participle: `opened`, `laid down`."""
    return bool(words) and is_participle(words[0]) and (len(words) == 1 or (len(words) == 2 and words[1] in PARTICLES))


@lru_cache(maxsize=1 << 14)
def predicate_of(label: str) -> Predicate:
    """Return the predicate of a label; its words are empty where nobody would ask for it."""
    plain = _without_copula(relation_words(label).strip().lower())
    known = LABELS.get(plain)
    plain = plain if known is None else known
    if not LABEL.fullmatch(plain) or (known is None and len(plain) < SHORTEST):
        return Predicate("", True)
    words = plain.split()
    is_alone = len(words) == 1 and is_participle(words[0]) and tense(words[0]) is None
    if known is None and (is_alone or is_bare(words) or not _says_something(words)):
        return Predicate("", True)
    if known is None and words[0] not in AUXILIARIES and words[-1] not in PREPOSITIONS and begins_clause(words):
        return Predicate("", True)
    is_told = known is not None and tense(words[0]) in ("third", "past")
    if is_told or (words[0] in AUXILIARIES and len(words) > 1 and words[0] != "has"):
        return Predicate(plain, False)
    if words[0] == "has":
        return Predicate(" ".join(words[1:]) if words[-1] not in PREPOSITIONS else "", True)
    if words[-1] in PREPOSITIONS and len(words) > 1:
        predicate = _with_preposition(words)
        # What was received or explored may be a name, of which only the label has the capitals.
        return Predicate("", True) if predicate.words == plain and NAMED.search(label) else predicate
    is_verb = len(words) == 1 and tense(words[0]) in ("third", "past") and not words[0].endswith(("rs", "ists"))
    return Predicate(plain, not is_verb or plain in AS_NOUNS)


def _says_something(words: list[str]) -> bool:
    """Tell whether a label can be a noun or a verb: neither `for union with Hask` nor `laid down` without a date."""
    is_open = words[0] in PREPOSITIONS or words[-1] in NO_NOUNS or (len(words) > 1 and words[-1] in PARTICLES)
    return not is_open and not CLAUSAL & set(words)


def _without_copula(label: str) -> str:
    """Return a label without what only joins a noun to its value: `see city is`, `has a population of`."""
    noun = COPULA.sub("", label)
    owned = OWNED.fullmatch(noun)
    return f"has {owned[1]}" if owned else noun


def _with_preposition(words: list[str]) -> Predicate:
    plain = " ".join(words)
    if is_participle(words[0]):
        be = "is" if words[0] in STATES and words[-1] != "by" else "was"
        return {"passive": Predicate(f"{be} {plain}", False), "active": Predicate(plain, False)}.get(
            voice(words), Predicate("", True)
        )
    if tense(words[0]) in ("third", "past") or (lemma(words[0]) and words[0].endswith("s")):
        return Predicate(plain, False)
    if words[-1] == "of":
        return Predicate(f"is the {plain}", False)
    return Predicate("", True)
