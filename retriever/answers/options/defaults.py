"""Defaults: what an option or a setting is without being set, by its own entry or section.

>>> texts = ("(boolean, default false) If set", "keep (default: 5d; before 2.4: 4d)", "It is 30 seconds by default.",
...          "The default is ``.log``, which is not read.", "Default value:\\n  128\\nExample:\\n  hosts 256",
...          "Defaults are read first.")
>>> [told and told[0] for told in map(default_in, texts)]
['false', '5d', '30 seconds', '.log', '128', None]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retriever.answers.asked import Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.options.usage import said_of_option
from retriever.answers.passages import Passage
from retriever.answers.ranker import Ranked, single_candidate
from retriever.answers.reading import Reading
from retriever.answers.rules.entries import entries_of
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import FUNCTION
from retriever.candidates.verbatim import without_number
from retriever.question.identifiers import written
from weft.text.sentences import Span

TOLD = 0.8
"""The chance of a default that the entry or section of an option tells."""

KIND = r"(?:(?:option|setting|parameter|variable|flag|switch|directive|field|key|property|argument)s?)"
NAME = rf"(?:the )?(?:{KIND} )?[`'\"]?([\w$.:/-]+)[`'\"]?(?: {KIND})?"
IS = r"((?:(?:turned|switched|set) )?(?:on|off|enabled|disabled|true|false|active))"
ASKS = re.compile(
    rf"\W*(?:(?:what(?:['’]s| is| are) )?(?:the )?default(?:s| value| setting)? (?:of|for) {NAME}"
    rf"|what(?:['’]s| is| are) (?:the )?default {NAME}|{NAME}(?:['’]s)? default(?: value)?"
    rf"|(?:what|how \w+) (?:is|are) {NAME}(?: set(?: to)?)?,? by default|what does {NAME} default to"
    rf"|(?:is|are) {NAME} {IS},? by default)\W*", re.I,
)
"""Questions that ask for the default of an option and for nothing else, the last one whether it is on."""

LONGEST = 200
"""Characters of such questions."""

ON, OFF = (re.compile(rf"(?:{words})\b", re.I) for words in ("yes|true|on|enabled|1", "no|false|off|disabled|none|0"))
IS_OFF = re.compile(r"\b(?:off|disabled|false)\Z", re.I)

QUOTES = " \"“”'‘’`"
VALUE = r"(?P<value>[^\s,;()\[\]|][^,;()\n|]{0,80}?)"
END = r"(?=[\"”'’`]*(?:[,;)\]\n]|\.(?:\s|$)|$|\s+(?:if|when|unless|on|for|which|that|and|but|as|in|with|since|so)\b))"
IN_BRACKETS = r"[(\[](?:[^()\[\]\n]{0,60}[,;] *)?default(?:s to|s?)(?: value| setting)?(?: is)?[:=]? *+"
UNIT = r"(?: (?:(?:milli|micro)?seconds?|minutes?|hours?|days?|weeks?|bytes?|[KMGkmg]i?B|percent|%|lines?|times))?"
STATED = tuple(
    re.compile(pattern, re.I | re.M)
    for pattern in (
        # The term of a definition list, above what it is.
        r"^(?P<indent> *)defaults?(?: value| setting)?:?\n(?P=indent) +(?P<value>[^\n]{1,80}?)(?= [(]|\. |\.?$)",
        rf"{IN_BRACKETS}(?!(?:value|setting)\b)(?P<value>[^();\]\n]{{1,80}})",
        rf"\bdefault(?:(?:s|ing)? to| of|(?: value| setting)?(?: is| of|,? ?[:=])+) *(?:the |an? )?{VALUE}{END}",
        rf"(?:\b(?:is|are|to|of) +|[:=,] *)(?P<value>[^\s,;()=]+{UNIT}),? by default\b",
        rf"\bby default,? (?:it is|this is|is)(?: set to)? +{VALUE}{END}",
        rf"^\W{{0,3}}(?P<value>[^\s,;()=]+{UNIT}) by default\b",
        r"^default(?: value)?:? [|] (?P<value>[^|\n]{1,80})",
        r"(?P<value>[^\s,;()=|]+) \(default(?: value)?\)",
    )
)  # fmt: skip
SAYS = frozenset(("no", "off", "on", "none", "all", "not", "any", "never", "always"))
"""Function words that are values all the same."""


def default(reading: Reading) -> Ranked | None:
    """Return the default of the one option that a question names, where its entry or section tells it; else None."""
    asked = reading.asked
    asks = ASKS.fullmatch(asked.text) if asked.defaults and len(asked.text) <= LONGEST else None
    if asks is None:
        return None
    *names, is_on = asks.groups()
    name = next(filter(None, names))
    for index, (start, end) in _places(reading.passages, name):
        told = default_in(reading.passages[index].text[start:end])
        text = _as_asked(asked, _without(name, told[0]), is_on) if told else None
        if told is not None and text is not None:
            begin, stop = told[1]
            only = Candidate(text, normalised(text), index, start + begin, start + stop, NUMBERED["clause"], 0)
            return single_candidate(reading, only, TOLD)
    return None


def default_in(text: str) -> tuple[str, Span] | None:
    """Return the default that a text tells, without quotes, and its characters; None where it tells none."""
    found = (match for pattern in STATED for match in pattern.finditer(text))
    for match in found:
        value = match["value"].strip(QUOTES)
        first = value.split()[0].lower() if value else ""
        if normalised(value) and (first not in FUNCTION or value.lower() in SAYS):
            start = match.start("value") + match["value"].index(value)
            return value, (start, start + len(value))
    return None


def _without(name: str, value: str) -> str:
    """Return a value without the option itself before it, as in "Default | MaxRanges 200"."""
    return value[len(name) :].strip(QUOTES + "=:") or value if value.startswith(f"{name} ") else value


def _as_asked(asked: Asked, value: str, is_on: str | None) -> str | None:
    """Return a default as a question asks for it: whether it "is on", or with a digit where a number is asked for."""
    if is_on is None:
        return value if asked.kind != "number" or any(map(str.isdigit, value)) else None
    told = next((is_told for is_told, words in ((True, ON), (False, OFF)) if words.match(value)), None)
    return None if told is None else "yes" if told != (IS_OFF.search(is_on) is not None) else "no"


def _places(passages: Sequence[Passage], name: str) -> Iterator[tuple[int, Span]]:
    """Yield what passages, by their indices, tell of an option alone: its entries and its section, then its usage."""
    for index, passage in enumerate(passages):
        yield from ((index, each) for each in _entries(passage, name))
    for index, passage in enumerate(passages):
        yield from ((index, each) for each in said_of_option(passage.text, name) if passage.kind == "code")


def _entries(passage: Passage, name: str) -> list[Span]:
    heading = without_number(passage.heading)
    is_headed = written(name).search(heading) is not None and len(heading.split()) <= len(name.split()) + 2
    if is_headed or name.lower() == passage.title.lower():
        return [(0, len(passage.text))]
    return entries_of(passage.text, name) if passage.kind == "definition" else []
