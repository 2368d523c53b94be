"""What a question asks for: the kind of answer, the words that an answer must fit, and what it offers to choose from.

`retriever.question.reader` reads a question for retrieval; here it is read once more for the answer.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.text.literals import literals_asked
from retriever.answers.text.meanings import Vectors, vectors_of
from retriever.answers.text.measures import dimension_asked, measures_asked
from retriever.answers.text.related import told_for
from retriever.answers.text.words import FUNCTION, Words, stem_of, word_spans, words_in
from retriever.index.terms import rarities
from retriever.question.reader import ASKING
from retriever.session import Session
from retriever.types import Question

KINDS = ("person", "place", "country", "time", "number", "thing", "manner")
"""What is asked for; `thing` where no word says, `manner` where the question asks how or why."""

PATTERNS = (
    ("country", r"\b(?:country|nationality|nation|citizen(?:ship)?)\b(?! (?:music|singer|song|club))"),
    ("place", r"\b(?:place|location|site) of (?:birth|death|burial|detention|residence|work|origin)|\bbirthplace\b"),
    ("time", r"\b(?:date|year|time|day) of (?:birth|death|burial|release|publication)|\bbirth ?date\b"),
)
# The question word, and the noun behind it where it has one.
WORD = re.compile(
    r"\b(who|whom|whose|when|where|why|how|what|which)\b(?:'s)?(?:\s+(?:of\s+(?:the|these)\s+)?([a-z][\w-]*))?", re.I
)
AMOUNT = re.compile(r"many|much|long|tall|old|far|high|large|big|deep|fast|heavy|wide|often|thick|hot|cold|distant")
WITHIN = re.compile(r"^\W*(?:within|for|in) (?:what|which) (?:length of )?time\b", re.I)
NUMBERS = re.compile(
    r"\b(?:percentage|percent|ratio|proportion|wingspan|distance|diameter|radius|circumference|population|height|length|depth|speed|temperature"
    r"|mass|weight|age|thickness|number|size|timeout|elevation|share|amount|angle)\b", re.I)  # fmt: skip
NOUNS = {
    "time": "year date day month century decade time era season period",
    "place": "place city town village state county region area province district location island continent street"
             " river mountain lake sea ocean valley capital hometown municipality borough",
    "person": "person man woman actor actress author director singer writer president king queen player politician"
              " composer character artist poet engineer guide speaker commander captain musician wife husband father"
              " mother son daughter brother sister founder producer performer painter scientist member",
    "country": "country nation nationality",
}  # fmt: skip
NOUN_KINDS = {noun: kind for kind, nouns in NOUNS.items() for noun in nouns.split()}
FEMALE = frozenset(
    """she her mother mother-in-law wife daughter sister queen woman actress grandmother stepmother aunt widow
    girlfriend""".split()
)
MALE = frozenset("he his father father-in-law husband son brother king man grandfather stepfather uncle".split())

KIN = {
    "mother": ("mother", "parent"), "father": ("father", "parent"), "wife": ("wif", "spous", "marri"),
    "husband": ("husband", "spous", "marri"), "spouse": ("spous", "marri"),
    "father-in-law": ("father", "marri"), "mother-in-law": ("mother", "marri"),
    "grandfather": ("father",), "grandmother": ("mother",), "child": ("child", "son", "daughter"),
    "children": ("child", "son", "daughter"), "sibling": ("brother", "sist"), "stepmother": ("marri", "father"),
    "stepfather": ("marri", "mother"), "siblings": ("brother", "sist"),
    "birthplace": ("birth",), "birthday": ("birth",), "nationality": ("citizen",), "burial": ("buri",),
}  # fmt: skip
"""What the sentence may say that answers such a word."""

CHOICE = re.compile(r"\b(?:or)\b", re.I)
POLAR = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|must|may|should)\b"
    r"|[,;.] (?:is|are|was|were|do|does|did) (?:they|both|it|he|she|the)\b", re.I)  # fmt: skip

# A noun phrase, by what follows it, with its last word.
PHRASE = (
    r"(?:[\w'-]+\s+){0,3}?([\w-]+)(?=\s+(?:of|in|for|that|which|who|whose|by|to|from|at|on|with|where|called|named|used"
    r"|is|was|are|were|do|does|did|has|have|had|can|could|may|must|will|would)\b|[?,]|$)"
)
HEAD = re.compile(rf"(?:'s)?\s+(?:is|was|are|were)\s+(?:the|an?)\s+{PHRASE}|\s+((?:kind|type|sort|form)s?)\b", re.I)
OF = re.compile(rf"\s+of\s+(?:the\s+|an?\s+)?{PHRASE}", re.I)
CALLING = frozenset("name names title kind kinds type types sort sorts form term word".split())

CALLS = re.compile(r"\b(?:called|names?|named|titles?|titled|terms?|nickname|known as|motto|word|slogan)\b", re.I)
DEFAULTS = re.compile(r"\bdefaults?\b", re.I)
REASONS = re.compile(r"\bwhy\b|\bwhat (?:was|is|were) the (?:reason|cause)|\bcause[sd]?\b|\bfor what\b", re.I)


class Asked(NamedTuple):
    """A question as its answer is looked for.

    `stems` (w,) are all that it is about. `weights` (w,) are by rarity, 0 for what
    is only named, `every` (w,) those of names too; each adds up to 1. `named` are
    the stems of the names in it, `focus` that of the noun behind which
    or what. `kind` is one of `KINDS`; `gender` is 1 for female, -1 for male, 0
    where nothing says. `is_polar`: it asks for yes or no.
    `tokens` are all its stems, `capitals` those of the words with a capital behind the first.
    `told` has the index of each of `stems`, and of what a text may say in its place.
    `meanings` (w, d) are the vectors of `stems`, zeros for names, `focus_meaning` (1, d) that of `focus`.
    `measures` are what a number must measure; `calls` and `reasons` tell that a name and that a reason is asked for,
    `defaults` that a default is. `literals` are the kinds of literals that may answer, `dimension` is the one asked
    for, "" where there is none.
    """

    text: str
    words: Words
    stems: tuple[str, ...]
    weights: NDArray[np.float64]
    every: NDArray[np.float64]
    named: frozenset[str]
    focus: str | None
    kind: str
    gender: int
    is_polar: bool
    tokens: frozenset[str]
    capitals: tuple[str, ...]
    told: dict[str, int]
    meanings: Vectors
    focus_meaning: Vectors
    measures: frozenset[str]
    calls: bool
    reasons: bool
    defaults: bool
    dimension: str
    literals: frozenset[str]


def asked_of(session: Session, question: Question) -> Asked:
    """Return what a question asks for."""
    text = question.text
    open_stems = tuple(dict.fromkeys((*question.asked, *_related(text))))
    spoken = [word for each in question.mentions for word, *_ in word_spans(each.name)]
    named = frozenset(stem_of(word) for word in spoken if word.lower() not in FUNCTION)
    stems = (*open_stems, *sorted(named - set(open_stems)))
    known = rarities(session, stems)
    rare = np.array([max(0.5, known[each]) for each in stems], np.float64)
    weights = np.where(np.arange(len(stems)) < len(open_stems), rare, 0.0)
    kind, focus = kind_of(text)
    words = words_in(text)
    return Asked(
        text, words, stems, weights / max(1e-9, weights.sum()), rare / max(1e-9, rare.sum()), named, focus, kind,
        _gender(text), _is_polar(text), frozenset(words.stems), _capitals(text), _told(stems),
        vectors_of(open_stems + ("",) * (len(stems) - len(open_stems))), vectors_of((focus or "",)),
        measures_asked(text), CALLS.search(text) is not None, REASONS.search(text) is not None,
        DEFAULTS.search(text) is not None, dimension_asked(text), literals_asked(text),
    )  # fmt: skip


def _told(stems: tuple[str, ...]) -> dict[str, int]:
    others = {other: index for index, stem in reversed(list(enumerate(stems))) for other in told_for(stem)}
    return others | {stem: index for index, stem in enumerate(stems)}


def _capitals(text: str) -> tuple[str, ...]:
    large = [word for word, start, _ in word_spans(text) if start and word[0].isupper()]
    return tuple(dict.fromkeys(stem_of(word) for word in large if word.lower() not in FUNCTION))


def _related(text: str) -> tuple[str, ...]:
    return tuple(each for word in re.findall(r"[\w-]+", text.lower()) for each in KIN.get(word, ()))


def kind_of(text: str) -> tuple[str, str | None]:
    """Return the kind of answer that a question asks for, and the stem of the noun that says it.

    >>> kind_of("Which river does the Quillon Bridge cross?")
    ('place', 'riv')
    >>> kind_of("When did the director of the film die?")[0], kind_of("how deep is the lake")[0]
    ('time', 'number')
    """
    for kind, pattern in PATTERNS:
        if re.search(pattern, text, re.I):
            return kind, None
    found = WORD.search(text)
    if found is None:
        return ("number" if NUMBERS.search(text) else "thing"), None
    word, noun = found[1].lower(), (found[2] or "").lower()
    if WITHIN.search(text):
        return "number", None
    if word in ("who", "whom", "whose"):
        return "person", None
    if word == "when":
        return "time", None
    if word == "where":
        return "place", None
    if word == "how":
        return ("number" if AMOUNT.fullmatch(noun) else "manner"), None
    if word == "why":
        return "manner", None
    if noun in FUNCTION or noun in ASKING:
        return ("number" if NUMBERS.search(text) else "thing"), _head(text[found.end(1) :])
    nouns = re.findall(r"[\w-]+", text[found.start(2) :])[:4] if noun else []
    for each in nouns:
        if each.lower() in FUNCTION:
            break
        if each.lower() in NOUN_KINDS:
            return NOUN_KINDS[each.lower()], stem_of(each)
        if NUMBERS.fullmatch(each):
            return "number", stem_of(each)
    return ("number" if NUMBERS.fullmatch(noun) else "thing"), (stem_of(noun) if noun else None)


def _head(text: str) -> str | None:
    """Return the stem of the noun that follows "what is the" or "what kind of", None where none does."""
    found = HEAD.match(text)
    while found is not None:
        noun = found[found.lastindex or 1].lower()
        if noun not in CALLING and noun not in FUNCTION:
            return stem_of(noun)
        found = OF.match(text, found.end())
    return None


def _gender(text: str) -> int:
    last = [part for part in re.findall(r"[\w-]+", text.lower()) if part in FEMALE or part in MALE]
    if not last:
        return 0
    # "X's mother" ends with who is asked for, "the mother of X" begins with it.
    chosen = last[-1] if re.search(r"'s\s+[\w\s-]+\??$", text) else last[0]
    return 1 if chosen in FEMALE else -1


def _is_polar(text: str) -> bool:
    asks_else = re.search(r"\b(?:which|what|who|when|where|how)\b", text, re.I) is not None
    return POLAR.search(text) is not None and CHOICE.search(text) is None and not asks_else
