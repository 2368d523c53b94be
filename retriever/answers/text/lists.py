"""Lists: what stands beside an answer in the same enumeration, for a question that asks for several things.

>>> text = "Notable works | Veldra, The Reed Bride, Nine Lamps"
>>> text[slice(*listed(text, 16, 22))]
'Veldra, The Reed Bride, Nine Lamps'
>>> text = "It flows past Ghasmont, Dray Hollin and Pell Ordway to the sea."
>>> text[slice(*listed(text, 14, 22))]
'Ghasmont, Dray Hollin and Pell Ordway'
>>> text = "They are A. Orr and Maud. Her dog is old."
>>> text[slice(*listed(text, 20, 24))]
'A. Orr and Maud'
>>> text = "In Kell, Dune and Leith it is sold in moss green, slate and brick red."
>>> [text[slice(*listed(text, start, start + n))] for start, n in ((9, 4), (50, 5))]
['Kell, Dune and Leith', 'moss green, slate and brick red']
>>> [several_asked(f"{text}?") for text in ("Which bridges did he build", "What bird breeds there", "Who are his sons")]
['bridges', '', 'sons']
>>> text = "Two kinds are known: seams, where it grows; and folds, where it shrinks. It is old."
>>> text[slice(*listed(text, 21, 26))]
'seams, where it grows; and folds, where it shrinks'
>>> text = "Symptoms, which include a dry cough, loss of the sense of smell and blue gums, come late."
>>> text[slice(*listed(text, 24, 33))]
'a dry cough, loss of the sense of smell and blue gums'
>>> [several_asked(text) for text in ("what are the 5 layers of air", "all seven hills of Kell", "What are the dues?")]
['layers', 'hills', 'dues']
"""

from __future__ import annotations

import re
from itertools import chain

from retriever.answers.text.lexicon.hypernyms import senses_of
from retriever.answers.text.words import FUNCTION
from weft.text.sentences import Span

CELL = re.compile(r"[^|\n]+")
PARTS = re.compile(r"\s*[,;]\s*")
JOINTS = re.compile(r"(?<!\s)\s*[,;]\s*(?:(?:and|or|&)\s+)?|(?<!\s)\s+(?:and|or|&)\s+")
LONGEST_PART = 60
"""Characters of what is one of several things in a cell; a longer part is a clause."""

SMALL = rf"(?!(?:{'|'.join(sorted(FUNCTION))})\b)[\w’'-]+"
ITEM = rf"{SMALL}(?: {SMALL}){{0,2}}"
SMALL_RUN = re.compile(rf"(?<![\w’'-]){ITEM}(?:, {ITEM})+,? (?:and|or|&) {ITEM}", re.I)
"""At least three things in a row, of at most three words each: "moss green, slate and brick red"."""

PARTED = re.compile(r":\s+([^.:\n|;]{3,150}(?:;[^.:\n|;]{3,150})+)")
"""Things parted by semicolons behind a colon."""

INCLUDED = re.compile(
    r"\b(?:includ(?:e|es|ed|ing)|namely|such as|termed) "
    r"((?:[^.;:,|\n]{3,60}, )+[^.;:,|\n]{3,60},? and [^.;:,|\n]{3,60})"
)
"""Three things and more behind "include" and the like, of several words each."""

AROUND = 300
"""Characters before and behind a name in which others stand in a row with it."""

WORD = r"(?:[A-Z]\.|[A-Z][\w’'-]*\b)"
PART = rf"(?:the |The )?{WORD}(?: (?:(?:of|the|de|du|von|van|der|den|del|di|da|la|le|for) )*{WORD})*"
RUN = re.compile(rf"{PART}(?:, {PART})*,? (?:and|&) {PART}")
"""Names in a row of which the last one stands behind "and"."""

OTHER = r"(?!(?:the|an?|of|in|on|for|that|which|who|whose)\b)[\w-]+\s+"
COUNTS = {word: n for n, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)}
NUMERAL = rf"(?:\d{{1,2}}|{'|'.join(COUNTS)})\s+"
PLURAL = r"([^\W\d_]{3,}s)\b(?!['’])"
WITHIN = r"(?:of|in|at|on|from|for)\s+(?:[\w’'-]+\s+){0,4}?[\w’'-]+"
ASKS = re.compile(
    rf"\b(?:which|what)\s+(?:{OTHER}){{0,3}}?{PLURAL}(?:\s+{WITHIN})?\s+(?:did|do|does|are|were|is|was|has|have|had|can|could|will|would)\b"
    rf"|^\W*(?:please\s+)?(?:list|name|give(?:\s+me)?)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:{OTHER}){{0,3}}?{PLURAL}"
    rf"|^\W*(?:who|what)\s+(?:are|were)\s+(?:all\s+)?(?:the\s+)?(?:{NUMERAL}(?:{OTHER}){{0,2}}?|(?:{OTHER})?){PLURAL}"
    rf"|^\W*all\s+(?:the\s+)?{NUMERAL}(?:{OTHER}){{0,2}}?{PLURAL}", re.I,
)  # fmt: skip
COUNT = re.compile(rf"\b(?:\d{{1,2}}|{'|'.join(COUNTS)})\b", re.I)
LONGEST = 300
"""Characters of a question that are looked at."""

ENDS = (("ies", "y"), ("es", ""), ("s", ""))
ONE_OR_MORE = frozenset("species series means physics mathematics politics headquarters news does gas bus lens".split())


def several_asked(text: str) -> str:
    """Return the plural between "which" and a verb, or behind "list", of a question for several things, else ""."""
    found = ASKS.search(text[:LONGEST])
    noun = next(filter(None, found.groups()), "") if found else ""
    return noun if is_plural(noun) else ""


def count_asked(text: str) -> int:
    """Return how many things a question for several asks for, 0 where it does not say.

    >>> [count_asked(each) for each in ("What are the 5 layers?", "Name the three tallest towers", "Who are his sons?")]
    [5, 3, 0]
    """
    found = ASKS.search(text[:LONGEST])
    count = COUNT.search(found[0]) if found else None
    return 0 if count is None else COUNTS[count[0].lower()] if count[0].lower() in COUNTS else int(count[0])


def parts_of(text: str) -> list[str]:
    """Return the things of an enumeration.

    >>> parts_of("Ada, Bo, and Cy"), parts_of("moss green; slate or brick red"), parts_of("Ghasmont")
    (['Ada', 'Bo', 'Cy'], ['moss green', 'slate', 'brick red'], ['Ghasmont'])
    """
    return JOINTS.split(text)


def is_plural(noun: str) -> bool:
    """Tell whether a noun is a plural, or unknown, and none of `ONE_OR_MORE`."""
    lower = noun.lower()
    return bool(noun) and lower not in ONE_OR_MORE and (any(map(senses_of, singulars(noun))) or not senses_of(lower))


def singulars(noun: str) -> tuple[str, ...]:
    """Return what a plural may be the plural of, in small letters."""
    lower = noun.lower()
    return tuple(lower.removesuffix(end) + one for end, one in ENDS if lower.endswith(end) and not lower.endswith("ss"))


def listed(text: str, start: int, end: int) -> Span:
    """Return the enumeration of which some characters are one part, these characters alone where there is none."""
    cell = next((each for each in CELL.finditer(text) if each.start() <= start < end <= each.end()), None)
    if cell is not None and "|" in text[max(0, cell.start() - 1) : cell.start()]:
        own = cell[0].strip(" .")
        parts = PARTS.split(own)
        if len(parts) > 1 and text[start:end] in parts and max(map(len, parts)) <= LONGEST_PART:
            begin = cell.start() + cell[0].index(own)
            return begin, begin + len(own)
    around = max(0, start - AROUND), end + AROUND
    for parted in chain(PARTED.finditer(text, *around), INCLUDED.finditer(text, *around)):
        if parted.start(1) <= start and end <= parted.end(1):
            return parted.span(1)
    for run in chain(RUN.finditer(text, *around), SMALL_RUN.finditer(text, *around)):
        small = run[0].split(" ", 1)[0].lower() in FUNCTION - {"the"}
        begin = run.start() + (run[0].index(" ") + 1 if small else 0)
        if begin <= start and end <= run.end():
            return begin, run.end()
    return start, end
