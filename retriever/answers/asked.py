"""What a question asks for: the kind of answer, the words that an answer must fit, and what it offers to choose from.

`retriever.question.reader` reads a question for retrieval; here it is read once more for the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.text.lexicon.hypernyms import is_person, measured, senses_of, senses_of_kind
from retriever.answers.text.lexicon.meanings import Vectors, kin_said, told_for, vectors_of
from retriever.answers.text.literals import literals_asked
from retriever.answers.text.measures import EXTENT, TAKEN, dimension_asked, measures_asked
from retriever.answers.text.words import FUNCTION, Words, stem_of, word_spans, words_in
from retriever.index.terms import rarities
from retriever.question.reader import ASKING, sure_of
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
    r"\b(?:percentage|percent|ratio|proportion|wingspan|distance|diameter|radius|circumference|population|height"
    r"|length|depth|speed|temperature|mass|weight|age|thickness|number|size|timeout|elevation|share|amount|angle|width"
    r"|altitude|volume|capacity|flow|price|cost|salary|duration|velocity|lifespan|frequency|budget|revenue|income"
    r"|wage|fee|fraction|(?:melting|boiling|freezing) point)\b", re.I)  # fmt: skip
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

CHOICE = re.compile(r"\b(?:or)\b", re.I)
POLAR = re.compile(
    r"^(?!\w+ you\b)(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|must|may|should)(?:n['’]t)?\b"
    r"|[,;.] (?:is|are|was|were|do|does|did) (?:they|both|it|he|she|the)\b", re.I)  # fmt: skip
INDIRECT = re.compile(
    r"\b(?:know|known|say|said|tell|told|clear|recorded)\s+(?:(?:me|us)\s+)?(?:which|what|who|when|where|how)\b", re.I
)
ASKS_ELSE = re.compile(r"\b(?:which|what|who|when|where|how)\b", re.I)

CALLING = "(?:(?:names?|titles?|kinds?|types?|sorts?|forms?|terms?|words?)[ ]+(?:of|for)[ ]+(?:the[ ]+|an?[ ]+)?)"
CALLED = re.compile(CALLING, re.I)
HEAD = re.compile(
    rf"(?:'s[ ]+(?:(?:the|an?)[ ]+|(?={CALLING}))|[ ]+(?:(?:is|was|are|were)[ ]+(?:the|an?)[ ]+|(?={CALLING})))", re.I
)
BEGINNING = re.compile(
    r"\W*(?:(?:tell|give|find|name|list|say)\b(?! of| for)[ ]*)?(?:(?:me|us)[ ]+)?(?:(?:the|an?)[ ]+)?", re.I
)
ALWAYS_ASKS = re.compile(r"\b(?:what|how|why)\b", re.I)
"""Question words that begin no relative clause."""

ORDINAL = frozenset("first second third last next only most other same".split())
MOST_NOUNS = 4
"""Words behind which or what, or at the beginning, one of which is the noun that says what is asked for."""

KIND_OF_WORD = {"who": "person", "whom": "person", "whose": "person", "when": "time", "where": "place", "why": "manner"}
CALLS = re.compile(r"\b(?:called|names?|named|titles?|titled|terms?|nickname|known as|motto|word|slogan)\b", re.I)
DEFAULTS = re.compile(r"\bdefaults?\b", re.I)
REASONS = re.compile(r"\bwhy\b|\bwhat (?:was|is|were) the (?:reason|cause)|\bcause[sd]?\b|\bfor what\b", re.I)
NAMING_NUMBER = re.compile(
    r"\b(phone|telephone|fax|mobile|account|serial|registration|catalogue|inventory|reference) number\b", re.I
)
CAUSE = re.compile(
    r"^\W*(?:(?:what (?:is|was) )?(?:the )?cause of \b|what (?:did|does|had|has|is|was) (?:(?!\bwho\b).){1,200}?"
    r"\bdie[sd]? (?:of|from)\W*$|(?:of|from) what (?:(?:illness|disease) )?did (?:(?!\bwho\b).){1,200}?\bdie\b)", re.I
)


class Asked(NamedTuple):
    """A question as its answer is looked for.

    `stems` (w,) are all that it is about. `weights` (w,) are by rarity, 0 for what
    is only named, `every` (w,) those of names too; each adds up to 1. `named` are
    the stems of the names in it, `focus` those of the words that may be the
    noun behind which or what. `kind` is one of `KINDS`; `gender` is 1 for female, -1 for male, 0
    where nothing says. `is_polar`: it asks for yes or no.
    `tokens` are all its stems, `capitals` those of the words with a capital behind the first.
    `told` has the index of each of `stems`, and of what a text may say in its place.
    `meanings` (w, d) are the vectors of `stems`, zeros for names, `focus_meaning` (f, d) those of `focus`.
    `measures` are what a number must measure; `calls` and `reasons` tell that a name and that a reason is asked for,
    `defaults` that a default is. `literals` are the kinds of literals that may answer, `dimension` is the one asked
    for, "" where there is none. `senses` are those of the nouns of `focus`, `kind_senses` those of `kind`
    (`lexicon/hypernyms.py`); `counts_not` tells that a reason, or nouns that name nothing told in numbers, are asked
    for.
    """

    text: str
    words: Words
    stems: tuple[str, ...]
    weights: NDArray[np.float64]
    every: NDArray[np.float64]
    named: frozenset[str]
    focus: frozenset[str]
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
    senses: frozenset[int]
    kind_senses: frozenset[int]
    counts_not: bool


def asked_of(session: Session, question: Question) -> Asked:
    """Return what a question asks for."""
    text = question.text.replace("’", "'")
    open_stems = tuple(dict.fromkeys((*question.asked, *kin_said(text))))
    spoken = [word for each in sure_of(question.mentions) for word, *_ in word_spans(each.name)]
    named = frozenset(stem_of(word) for word in spoken if word.lower() not in FUNCTION)
    stems = (*open_stems, *sorted(named - set(open_stems)))
    known = rarities(session, stems)
    rare = np.array([max(0.5, known[each]) for each in stems], np.float64)
    weights = np.where(np.arange(len(stems)) < len(open_stems), rare, 0.0)
    kind, nouns = kind_of(text)
    reasons = REASONS.search(text) is not None or CAUSE.search(text) is not None
    words = words_in(text)
    focus = tuple(map(stem_of, nouns))
    return Asked(
        text, words, stems, weights / max(1e-9, weights.sum()), rare / max(1e-9, rare.sum()), named, frozenset(focus),
        kind, _gender(text), _is_polar(text), frozenset(words.stems), _capitals(text), _told(stems),
        vectors_of(open_stems + ("",) * (len(stems) - len(open_stems))), vectors_of(focus or ("",)),
        measures_asked(text), CALLS.search(text) is not None, reasons,
        DEFAULTS.search(text) is not None, dimension_asked(text), literals_asked(text),
        frozenset[int]().union(*map(senses_of, nouns)), senses_of_kind(kind),
        (reasons and kind in ("manner", "thing")) or (kind == "thing" and not measured(nouns)),
    )  # fmt: skip


def flags(stems: Sequence[str], asked: Asked) -> NDArray[np.float64]:
    """Return which of the stems asked for are told (w,)."""
    told = np.zeros(len(asked.stems))
    told[[asked.told[stem] for stem in stems if stem in asked.told]] = 1.0
    return told


def _told(stems: tuple[str, ...]) -> dict[str, int]:
    others = {other: index for index, stem in reversed(list(enumerate(stems))) for other in told_for(stem)}
    return others | {stem: index for index, stem in enumerate(stems)}


def _capitals(text: str) -> tuple[str, ...]:
    large = [word for word, start, _ in word_spans(text) if start and word[0].isupper()]
    return tuple(dict.fromkeys(stem_of(word) for word in large if word.lower() not in FUNCTION))


def kind_of(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind of answer that a question asks for, and the words that may be the noun that says it.

    >>> kind_of("Which river does the Quillon Bridge cross?")
    ('place', ('river',))
    >>> kind_of("which soluble material were the piers lowered with"), kind_of("Motto of the guild")
    (('thing', ('soluble', 'material')), ('thing', ('motto',)))
    >>> kind_of("What's the capital of the isle?"), kind_of("what's the name of the bell")
    (('place', ('capital',)), ('thing', ('bell',)))
    >>> kind_of("When did the director of the film die?")[0], kind_of("how deep is the lake")[0]
    ('time', 'number')
    """
    found = None if _is_phrase(text) else WORD.search(text)
    word, noun = (found[1].lower(), (found[2] or "").lower()) if found else ("", "")
    if CAUSE.search(text):
        return "manner", ()
    if naming := NAMING_NUMBER.search(text):
        return "thing", (naming[1].lower(), "number")
    if word not in ("who", "whom", "how", "why"):
        for kind, pattern in PATTERNS:
            if re.search(pattern, text, re.I):
                return kind, ()
    if any(pattern.search(text) for pattern in (WITHIN, TAKEN, EXTENT)):
        return "number", ()
    if word == "how":
        return ("number" if AMOUNT.fullmatch(noun) else "manner"), ()
    if word in KIND_OF_WORD:
        return KIND_OF_WORD[word], ()
    if found is None:
        nouns = _first_nouns(text)
        return _kind_by(nouns, nouns[::-1], text)
    if noun in FUNCTION - ORDINAL or noun in ASKING or CALLED.match(text, found.start(2)):
        nouns = _head(text[found.end(1) :])
    else:
        nouns = _run(text[found.start(2) :] if noun else "")
    return _kind_by(nouns, nouns, text)


def _kind_by(nouns: tuple[str, ...], order: tuple[str, ...], text: str) -> tuple[str, tuple[str, ...]]:
    """Return what the first of the nouns that says a kind says, taken in an order, and which it is, else all."""
    for each in order:
        if each in NOUN_KINDS:
            return NOUN_KINDS[each], (each,)
        if NUMBERS.fullmatch(each):
            return "number", (each,)
    if any(map(is_person, nouns)):
        return "person", nouns
    is_number = NUMBERS.search(text) is not None if not nouns else NUMBERS.fullmatch(" ".join(nouns[-2:])) is not None
    return ("number" if is_number else "thing"), nouns


def _is_phrase(text: str) -> bool:
    """Tell whether a question is a noun phrase, so that its "who" or "which" begins a relative clause."""
    if text.rstrip().endswith("?") or ALWAYS_ASKS.search(text):
        return False
    start = BEGINNING.match(text)
    words = re.findall(r"[\w'’-]+", text[start.end() if start else 0 :])
    return bool(words) and words[0].lower() not in FUNCTION and WORD.fullmatch(words[0]) is None


def _run(text: str) -> tuple[str, ...]:
    """Return the words before the first function word, at most four, names apart where there are others."""
    words = dropwhile(lambda each: each.lower() in ORDINAL, re.findall(r"[\w'’-]+", text)[: MOST_NOUNS + 1])
    run = list(takewhile(lambda each: each.lower() not in FUNCTION, words))[:MOST_NOUNS]
    plain = [each for each in run if each.islower() and not each.endswith(("'s", "’s"))]
    return tuple(each.lower() for each in plain or run)


def _first_nouns(text: str) -> tuple[str, ...]:
    """Return the nouns that a question begins with which has no question word: "Title of the book", "lake in Kent"."""
    start = BEGINNING.match(text)
    begins = start.end() if start else 0
    return _called(text[begins : begins + 1].lower() + text[begins + 1 :])


def _head(text: str) -> tuple[str, ...]:
    """Return the nouns that follow "what is the" or "what kind of", nothing where none does."""
    found = HEAD.match(text)
    return _called(text[found.end() :]) if found else ()


def _called(text: str) -> tuple[str, ...]:
    """Return the nouns that a text begins with; of "name of the river" the last."""
    start = 0
    while (found := CALLED.match(text, start)) is not None:
        start = found.end()
    return _run(text[start:])


def _gender(text: str) -> int:
    last = [part for part in re.findall(r"[\w-]+", text.lower()) if part in FEMALE or part in MALE]
    if not last:
        return 0
    # "X's mother" ends with who is asked for, "the mother of X" begins with it.
    chosen = last[-1] if re.search(r"'s\s+[\w\s-]+\??$", text) else last[0]
    return 1 if chosen in FEMALE else -1


def _is_polar(text: str) -> bool:
    """Tell whether a question asks for yes or no; behind its verb "when" and the like begin clauses.

    >>> _is_polar("Did anyone die when it sank?"), _is_polar("Is it known who sank it?"), _is_polar("When did it sink?")
    (True, False, False)
    """
    found = POLAR.search(text)
    if found is None or CHOICE.search(text) or INDIRECT.search(text):
        return False
    return found.start() == 0 or ASKS_ELSE.search(text) is None
