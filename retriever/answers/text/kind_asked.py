"""The kind of answer that a question asks for, and the nouns that say it: a person, a place, a time, a number.

>>> kind_of("who built it"), kind_of("which bell rings when the tide turns")
(('person', ()), ('thing', ('bell', 'rings')))
"""

from __future__ import annotations

import re
from itertools import dropwhile, takewhile

from retriever.answers.text.lexicon.hypernyms import is_person, senses_of
from retriever.answers.text.lists import COUNTS
from retriever.answers.text.measures import COST, EXTENT, TAKEN
from retriever.answers.text.words import FUNCTION
from retriever.question.reader import ASKING

KINDS = ("person", "place", "country", "time", "number", "thing", "manner")
"""What is asked for; `thing` where no word says, `manner` where the question asks how or why."""

PATTERNS = (
    ("country", r"\b(?:country|nationality|nation|citizen(?:ship)?)\b(?! (?:music|singer|song|club))"),
    ("place", r"\b(?:place|location|site) of (?:birth|death|burial|detention|residence|work|origin)|\bbirthplace\b"),
    ("time", r"\b(?:opening|visiting|office|business|working) (?:hours|times)\b"),
    ("time", r"\b(?:date|year|time|day) of (?:birth|death|burial|release|publication)|\bbirth ?date\b"),
)
# The question word, and the noun behind it where it has one.
WORD = re.compile(
    r"\b(who|whom|whose|when|where|why|how|what|which)\b(?:'s)?(?:\s+(?:of\s+(?:the|these)\s+)?([a-z][\w-]*))?", re.I
)
AMOUNT = re.compile(
    r"many|much|long|tall|old|far|high|large|big|deep|fast|heavy|wide|often|thick|hot|cold|warm|distant|quickly|soon"
)
WITHIN = re.compile(r"^\W*(?:within|for|in) (?:what|which) (?:length of )?time\b", re.I)
NUMBERS = re.compile(
    r"\b(?:percentage|percent|ratio|proportion|wingspan|distance|diameter|radius|circumference|population|height"
    r"|length|depth|speed|temperature|mass|weight|age|thickness|number|size|timeout|elevation|share|amount|angle|width"
    r"|altitude|volume|capacity|flow|price|cost|salary|duration|velocity|lifespan|frequency|budget|revenue|income"
    r"|wage|fee|fare|rent|surcharge|takings|proceeds|profit|surplus|deficit|turnover|fraction|value|magnitude|density"
    r"|(?:melting|boiling|freezing) point)\b", re.I)  # fmt: skip
NOUNS = {
    "time": "year date day month century decade time era season period night evening morning weekday weekend"
            " years dates days months times hours weekdays",
    "place": "place city town village state county region area province district location island continent street"
             " river mountain lake sea ocean valley capital hometown municipality borough",
    "person": "person man woman actor actress author director singer writer president king queen player politician"
              " composer character artist poet engineer guide speaker commander captain musician wife husband father"
              " mother son daughter brother sister founder producer performer painter scientist member builder creator"
              " climber tanner tenor",
    "country": "country nation nationality",
    # Somebody's in their first sense.
    "thing": "figurehead",
}  # fmt: skip
SEVERAL_TIMES = frozenset("years days months times hours".split())
"""Nouns for times that a phrase counts: "annual leave days"."""

NOUN_KINDS = {noun: kind for kind, nouns in NOUNS.items() for noun in nouns.split()}

CALLING = "(?:(?:names?|titles?|kinds?|types?|sorts?|forms?|terms?|words?)[ ]+(?:of|for)[ ]+(?:the[ ]+|an?[ ]+)?)"
CALLED = re.compile(CALLING, re.I)
LEFT_LAST = re.compile(r"\b(?:of|from|with|by|on|in|for|to|after|against|under|into|about|at|through)\W*$", re.I)
RELATIVE = re.compile(r"\b(?:that|which|who|whom|whose|where|you|i|we|he|she|it|they)\b", re.I)
"""A preposition left at the end of a question, and what begins a relative clause that may have left it there."""

OWNER_WORD = r"(?!(?:a|an|at|by|for|from|in|it|of|on|that|this|to|with)\b)[\w.-]+"
OWNER = rf"(?:{OWNER_WORD}[ ]+){{0,4}}?{OWNER_WORD}['’]s[ ]+"
HEAD = re.compile(
    rf"(?:'s[ ]+(?:{OWNER}|(?:the|an?)[ ]+|(?={CALLING}))"
    rf"|[ ]+(?:(?:is|was|are|were)[ ]+(?:{OWNER}|(?:the|an?)[ ]+)|(?={CALLING})))", re.I,
)  # fmt: skip
"""What stands between the question word and the noun: "is the", "was Ada Orr's"."""

BEGINNING = re.compile(
    r"\W*(?:(?:tell|give|find|name|list|say)\b(?! of| for)[ ]*)?(?:(?:me|us)[ ]+)?(?:(?:the|an?)[ ]+)?", re.I
)
ALWAYS_ASKS = re.compile(r"\b(?:what|how|why)\b", re.I)
"""Question words that begin no relative clause."""

ASKS_LAST = re.compile(r"\b(?:who|whom|when|where|which)\W*$", re.I)
"""Nor does one at the end: "old lighthouse built when"."""

YEAR_LAST = re.compile(r"\b(?:year|dates?)(?: [a-z]+(?:ed|en|ilt|ade))?\W*$", re.I)
"""What a phrase asks for at its end: "mill closed year", "pass year added"."""

NUMBER_LAST = re.compile(rf"({NUMBERS.pattern})\W*$", re.I)
"""A phrase that ends so asks for a number: "harbour wall total price"."""

JOINTS = frozenset("of in on at for from to by with and or who whom whose which that where when".split())
"""Words behind which a noun is not what a phrase asks for: "share of the islanders who rent"."""

MODIFIERS = frozenset("night evening morning weekday weekend day period state capital".split())
"""Nouns that say a kind of answer as the last ones alone: a night nurse is no night."""

DEEDS = frozenset("made broke brought kept gave took drove sank won sent began became grew hit held stood".split())
ARTICLES = frozenset("the a an his her its their this that these those".split())
ORDINAL = frozenset("first second third last next only most other same".split())
FIRST = ORDINAL.union(COUNTS)
MOST_NOUNS = 4
"""Words behind which or what, or at the beginning, one of which is the noun that says what is asked for."""

AUXILIARY = frozenset("is was are were did does do has have had will would can could should must".split())
"""Behind "when" one of these asks; "when he was a boy" does not."""

KIND_OF_WORD = {"who": "person", "whom": "person", "whose": "person", "when": "time", "where": "place", "why": "manner"}
NAMING_NUMBER = re.compile(
    r"\b(phone|telephone|fax|mobile|account|serial|registration|catalogue|inventory|reference) number\b", re.I
)
IN_WAY = re.compile(r"^\W*in (?:what|which) (?:manner|way|fashion)\b", re.I)
CAUSE = re.compile(
    r"^\W*(?:(?:what (?:is|was) )?(?:the )?cause of \b|what (?:did|does|had|has|is|was) (?:(?!\bwho\b).){1,200}?"
    r"\bdie[sd]? (?:of|from)\W*$|how (?:did|had) (?:(?!\bwho\b).){1,200}?\b(?:died?|perish(?:ed)?)\W*$"
    r"|(?:of|from) what (?:(?:illness|disease) )?did (?:(?!\bwho\b).){1,200}?\bdie\b)", re.I
)


def kind_of(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind of answer that a question asks for, and the words that may be the noun that says it.

    >>> kind_of("Which river does the Quillon Bridge cross?")
    ('place', ('river',))
    >>> kind_of("which soluble material were the piers lowered with"), kind_of("Motto of the guild")
    (('thing', ('soluble', 'material')), ('thing', ('motto',)))
    >>> kind_of("What's the capital of the isle?"), kind_of("what's the name of the bell")
    (('place', ('capital',)), ('thing', ('bell',)))
    >>> kind_of("What is Ada Orr's home town?"), kind_of("what was bo's winning time")
    (('place', ('town',)), ('time', ('time',)))
    >>> kind_of("When did the country join the union?")[0], kind_of("how deep is the lake")[0]
    ('time', 'number')
    >>> kind_of("In what manner does a prince enter?")
    ('manner', ())
    >>> kind_of("Name the country that she left when she was a child?")[0]
    'country'
    """
    found = None if is_phrase(text) else WORD.search(text)
    word, noun = (found[1].lower(), (found[2] or "").lower()) if found else ("", "")
    if CAUSE.search(text) or IN_WAY.search(text):
        return "manner", ()
    if naming := NAMING_NUMBER.search(text):
        return "thing", (naming[1].lower(), "number")
    if found and word == "when" and (noun in AUXILIARY or not text[found.end(1) :].strip(" ?")):
        return KIND_OF_WORD[word], ()
    told = next((kind for kind, pattern in PATTERNS if re.search(pattern, text, re.I)), None)
    if told and word in ("", "when", "where", "whose"):
        return told, ()
    if any(pattern.search(text) for pattern in (WITHIN, TAKEN, EXTENT, COST)):
        return "number", ()
    if word == "how":
        return ("number" if AMOUNT.fullmatch(noun) else "manner"), ()
    if word in KIND_OF_WORD:
        return KIND_OF_WORD[word], ()
    if found is None:
        if YEAR_LAST.search(text):
            return "time", ()
        if (last := NUMBER_LAST.search(text)) and JOINTS.isdisjoint(text.lower().split()):
            return "number", (last[1].lower(),)
        nouns = _first_nouns(text)
        return _kind_by(nouns, nouns[::-1], text)
    if noun in FUNCTION - ORDINAL or noun in ASKING or CALLED.match(text, found.start(2)):
        nouns = _head(text[found.end(1) :])
    elif word == "what" and _is_deed(noun, text[found.end(2) :]):
        nouns = ()
    else:
        nouns = _run(text[found.start(2) :] if noun else "")
    kind, nouns = _kind_by(nouns, nouns, text)
    # "What is the population of the country" asks for a number.
    return (told, ()) if told and kind in (told, "thing") else (kind, nouns)


def asks_person(noun: str) -> bool:
    """Tell whether a noun asks for a person: "founder" does, though it names a disease of horses first."""
    return NOUN_KINDS.get(noun, "person" if is_person(noun) else "") == "person"


def _is_deed(word: str, behind: str) -> bool:
    """Tell whether a word behind "what" is a verb: "what poisoned the well" asks for no kind of well.

    A small word or a name follows: "what poisoned wells are there" asks for wells, "what keeps the bees away" not.
    """
    following = re.match(r"\W*([^\W_]+)", behind)
    goes_on = following is not None and (following[1].lower() in FUNCTION or following[1][0].isupper())
    if not goes_on or following is None:
        return False
    is_object = following[1].lower() in ARTICLES or following[1][0].isupper()
    return word in DEEDS or (word.endswith("ed") and not senses_of(word)) or (word.endswith("s") and is_object)


def _kind_by(nouns: tuple[str, ...], order: tuple[str, ...], text: str) -> tuple[str, tuple[str, ...]]:
    """Return what the first of the nouns that says a kind says, taken in an order, and which it is, else all."""
    for each in order:
        if order != nouns and each in SEVERAL_TIMES:
            continue
        if each in NOUN_KINDS and (each not in MODIFIERS or each == nouns[-1]):
            return NOUN_KINDS[each], (each,)
        if NUMBERS.fullmatch(each):
            return "number", (each,)
    pairs = [*zip(nouns, ("", *nouns), strict=False)]
    if any(is_person(*pair) for pair in (pairs[-1:] if order != nouns else pairs)):
        return "person", nouns
    is_number = NUMBERS.search(text) is not None if not nouns else NUMBERS.fullmatch(" ".join(nouns[-2:])) is not None
    return ("number" if is_number else "thing"), nouns


def is_phrase(text: str) -> bool:
    """Tell whether a question is a noun phrase, so that its "who" or "which" begins a relative clause."""
    if text.rstrip().endswith("?") or ALWAYS_ASKS.search(text) or ASKS_LAST.search(text):
        return False
    start = BEGINNING.match(text)
    words = re.findall(r"[\w'’-]+", text[start.end() if start else 0 :])
    return bool(words) and words[0].lower() not in FUNCTION and WORD.fullmatch(words[0]) is None


def _run(text: str) -> tuple[str, ...]:
    """Return the words before the first function word, at most four, names apart where there are others."""
    words = re.findall(r"[\w'’-]+", text)[: MOST_NOUNS + 1]
    words = [*dropwhile(lambda each: each.lower() in FIRST or each.isdecimal(), words)]
    run = list(takewhile(lambda each: each.lower() not in FUNCTION, words))[:MOST_NOUNS]
    plain = [each for each in run if each.islower() and not each.endswith(("'s", "’s"))]
    return tuple(each.lower() for each in plain or run)


def _first_nouns(text: str) -> tuple[str, ...]:
    """Return the nouns that a question begins with which has no question word: "Title of the book", "lake in Kent"."""
    start = BEGINNING.match(text)
    begins = start.end() if start else 0
    return _called(text[begins : begins + 1].lower() + text[begins + 1 :])


def _head(text: str) -> tuple[str, ...]:
    """Return the nouns that follow "what is the" or "what kind of", nothing where none does.

    "What is the bridge made of?" asks for no bridge.
    """
    found = HEAD.match(text)
    if found is None or (LEFT_LAST.search(text) and RELATIVE.search(text, found.end()) is None):
        return ()
    return _called(text[found.end() :])


def _called(text: str) -> tuple[str, ...]:
    """Return the nouns that a text begins with; of "name of the river" the last."""
    start = 0
    while (found := CALLED.match(text, start)) is not None:
        start = found.end()
    return _run(text[start:])
