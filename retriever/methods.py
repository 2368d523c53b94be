"""Methods: expressions that name how a question is answered, and their parser.

`[EXPANSION>]RANKER[+RERANKER]`, each with `(key=value,...)`. The string is the
name: what is parsed prints as it was written, but for blanks.

>>> method = parse_method("kar(h=2,graph=no) > vector")
>>> str(method), method.expansion.options["h"]
('kar(h=2,graph=no)>vector', 2)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from retriever.registry import ENTRIES, RANKING, Kind, Option, Value, known, offered
from weft.errors import WeftError

NO_OPTIONS: Mapping[str, Value] = MappingProxyType({})
# A name and, in parentheses that do not nest, its options.
PART = re.compile(r"\s*([0-9A-Za-z][A-Za-z0-9-]*)\s*(?:\(([^()]*)\))?\s*")
OPTION = re.compile(r"\s*([a-z][a-z0-9_]*)\s*=\s*([^\s,=]+)\s*")
PLACES: Mapping[Kind, str] = {
    "expansion": "is an expansion, which stands before a ranker; write {0}>hybrid or {0}>bm25",
    "reranker": "is a reranker, which stands behind a ranker; write hybrid+{0} or bm25+{0}",
}
"""What to say of a part that stands where a ranker belongs."""
WORDS: dict[str, bool] = {"yes": True, "no": False}


class Part(NamedTuple):
    """One step of a method with its options, in the order in which they were written."""

    name: str
    options: Mapping[str, Value] = NO_OPTIONS

    def __str__(self) -> str:
        if not self.options:
            return self.name
        return f"{self.name}({','.join(f'{key}={_written(value)}' for key, value in self.options.items())})"


class Method(NamedTuple):
    """A ranker, what widens the question before it, and what reorders its hits."""

    ranker: Part
    expansion: Part | None = None
    reranker: Part | None = None

    def __str__(self) -> str:
        before = f"{self.expansion}>" if self.expansion else ""
        after = f"+{self.reranker}" if self.reranker else ""
        return f"{before}{self.ranker}{after}"


def parse_method(text: str) -> Method:
    """Return the method that an expression names; raise WeftError telling which part is wrong."""
    first, arrow, rest = text.partition(">")
    expansion = _part(first, "expansion", text) if arrow else None
    ranked, plus, last = (rest if arrow else first).partition("+")
    reranker = _part(last, "reranker", text) if plus else None
    return Method(_part(ranked, "ranker", text), expansion, reranker)


def _part(text: str, kind: Kind, whole: str) -> Part:
    found = PART.fullmatch(text)
    if found is None:
        raise WeftError(f"{whole}: {text.strip() or 'nothing'} is no {kind}; write name or name(key=value,...)")
    name, options = found.groups()
    kinds = RANKING if kind == "ranker" else (kind,)
    if kind == "ranker" and name in ENTRIES and (place := PLACES.get(ENTRIES[name].kind)):
        raise WeftError(f"{whole}: {name} {place.format(name)}")
    if name not in known(*kinds):
        here = offered(*kinds)
        choice = f"choose one of {', '.join(here)}" if here else "there is none yet"
        raise WeftError(f"{whole}: no {kind} is named {name}; {_near(name, here)}{choice}")
    return Part(name, _options(options or "", whole))


def _near(name: str, known: Sequence[str]) -> str:
    """Return the question whether one of some names was meant, where one is alike."""
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), known, 1)
    return f"did you mean {near[0]}? " if near else ""


def _options(text: str, whole: str) -> dict[str, Value]:
    options: dict[str, Value] = {}
    for each in text.split(",") if text.strip() else ():
        found = OPTION.fullmatch(each)
        if found is None:
            raise WeftError(f"{whole}: {each.strip() or 'nothing'} is no option; write key=value")
        key, value = found.groups()
        if key in options:
            raise WeftError(f"{whole}: {key} is given twice")
        options[key] = _value(value)
    return options


def _value(text: str) -> Value:
    """Read a value such that it prints as it was written; what does not stays a text."""
    if text in WORDS:
        return WORDS[text]
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        if str(value) == text and math.isfinite(value):
            return value
    return text


def _number(value: Value) -> Value:
    """Return the float that a text writes in its own way (.5, 2e-5), else the value itself."""
    try:
        number = float(value) if isinstance(value, str) else math.inf
    except ValueError:
        return value
    return number if math.isfinite(number) else value


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def take_options(part: Part, options: Mapping[str, Option]) -> dict[str, Value]:
    """Return a part's options over their defaults.

    Raise WeftError for one that it does not have, of a wrong kind or out of its range.
    """
    taken = {key: option.default for key, option in options.items()}
    for key, written in part.options.items():
        if key not in options:
            raise WeftError(f"{part.name}: no option is named {key}; it has {', '.join(options) or 'none'}")
        expected = type(options[key].default)
        value = _number(written) if expected is float else written
        fits = isinstance(value, expected) and (expected is bool) == isinstance(value, bool)
        if not fits and not (expected is float and type(value) is int):
            raise WeftError(f"{part.name}: {key}={_written(value)} must be of type {expected.__name__}")
        _check_range(part, key, value, options[key])
        taken[key] = value
    return taken


def _check_range(part: Part, key: str, value: Value, option: Option) -> None:
    least, most = option.least, option.most
    if least is None or most is None or isinstance(value, str) or least <= value <= most:
        return
    raise WeftError(f"{part.name}: {key}={_written(part.options[key])} must be from {least:,} to {most:,}")
