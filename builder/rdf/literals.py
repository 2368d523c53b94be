"""Read the value of literals: text, language, number and date.

`builder.values` does the same for values written for people.

>>> literal('"3862.5"^^<http://dbpedia.org/datatype/kilometre>').number
3862.5
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from builder.rdf.terms import XSD, without_surrogates
from builder.values import is_day

UNITS = "http://dbpedia.org/datatype/"
# An eight-digit escape up to U+10FFFF only: `chr` would raise for more.
ESCAPE = re.compile(r"\\(?:([tbnrf\"'\\])|u([0-9A-Fa-f]{4})|U(0010[0-9A-Fa-f]{4}|000[0-9A-Fa-f]{5}))")
ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}

# The lexical forms of XSD, which are stricter than `int` and `float`: no "_", no "inf".
INTEGER = re.compile(r"[+-]?[0-9]+")
DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
FLOAT = re.compile(DECIMAL.pattern + r"(?:[eE][+-]?[0-9]+)?")
# Of the integer types, the smallest and the largest value.
BOUNDS = {
    "integer": (-math.inf, math.inf),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-128, 127),
    "nonNegativeInteger": (0, math.inf),
    "positiveInteger": (1, math.inf),
    "nonPositiveInteger": (-math.inf, 0),
    "negativeInteger": (-math.inf, -1),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 255),
}

ZONE = r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
# As XSD: four digits, more only without a leading zero; negative years count.
YEAR = r"-?(?:[1-9][0-9]{4,}|[0-9]{4})"
TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?"
# Groups: the date that is kept, its year, and month and day where there are some; zone and time are dropped.
DATE_FORMS = {
    XSD + "date": re.compile(rf"(({YEAR})-([0-9]{{2}})-([0-9]{{2}})){ZONE}"),
    XSD + "dateTime": re.compile(rf"(({YEAR})-([0-9]{{2}})-([0-9]{{2}}))T{TIME}{ZONE}"),
    XSD + "dateTimeStamp": re.compile(rf"(({YEAR})-([0-9]{{2}})-([0-9]{{2}}))T{TIME}{ZONE}"),
    XSD + "gYearMonth": re.compile(rf"(({YEAR})-([0-9]{{2}})){ZONE}"),
    XSD + "gYear": re.compile(rf"(({YEAR})){ZONE}"),
}


class Literal(NamedTuple):
    """A literal's text and what its datatype makes of it; `datatype` is an IRI without brackets."""

    value: str
    language: str | None
    datatype: str | None
    number: float | None
    date: str | None


def literal(term: str) -> Literal:
    """Return the value of an N-Triples literal; ValueError for a term that is no literal.

    `number` is for XSD's numeric types and DBpedia's units, `date` for XSD's
    dates and years, as ISO text without time and zone. A value that its type
    does not allow keeps its text and has neither.
    """
    end = term.rfind('"')
    if end < 1 or term[0] != '"':
        raise ValueError(f"not a literal: {term[:80]}")
    value, tail = unescaped(term[1:end]), term[end + 1 :]
    if tail.startswith("@"):
        return Literal(value, tail[1:], None, None, None)
    if not tail.startswith("^^<"):
        return Literal(value, None, None, None, None)
    datatype = tail[3:-1]
    return Literal(value, None, datatype, _typed_number(value, datatype), _typed_date(value, datatype))


def language_of(term: str) -> str | None:
    """Return a literal's language tag, or None, without reading the rest of it."""
    if term[-1] in ('"', ">"):
        return None
    _, mark, language = term.rpartition('"@')
    return language if mark else None


def unescaped(text: str) -> str:
    """Return a literal's text with its escapes decoded; an unknown escape stays as it is."""
    if "\\" not in text:
        return text
    return without_surrogates(ESCAPE.sub(_character, text))


def _character(found: re.Match[str]) -> str:
    letter, *codes = found.groups()
    if letter:
        return ESCAPED.get(letter, letter)
    return chr(int(codes[0] or codes[1], 16))


def _typed_number(value: str, datatype: str) -> float | None:
    form = FLOAT
    low, high = -math.inf, math.inf
    if datatype.startswith(XSD):
        name = datatype[len(XSD) :]
        if name in BOUNDS:
            form, (low, high) = INTEGER, BOUNDS[name]
        elif name == "decimal":
            form = DECIMAL
        elif name not in ("float", "double"):
            return None
    elif not datatype.startswith(UNITS):
        return None
    text = value.strip(" \t\n\r")
    number = float(text) if form.fullmatch(text) else math.nan
    return number if math.isfinite(number) and low <= number <= high else None


def _typed_date(value: str, datatype: str) -> str | None:
    form = DATE_FORMS.get(datatype)
    found = form.fullmatch(value.strip(" \t\n\r")) if form else None
    if found is None:
        return None
    date, year, *rest = found.groups()
    return date if is_day(int(year), *map(int, rest)) else None
