"""Identifiers in questions: options, variables, functions, paths and versions, which texts say as they are written.

What is quoted and nothing else counts as one too.

>>> identifiers_in("What does --keep do where `timeout` or $REMOTE_USER is set in /etc/fstab?")
('--keep', 'timeout', '$REMOTE_USER', '/etc/fstab')
>>> identifiers_in("radians"), identifiers_in("Was Ada Orr born at 10:30 in St. Gall and/or on 1.5.1902?")
(('radians',), ())
"""

from __future__ import annotations

import re
from functools import lru_cache

from weft.text.normalise import STOP_WORDS

QUOTED, WHOLE = re.compile(r"`([^`\s]{1,80})`"), re.compile(r"\s*[\"“]([^\"“”?]{2,80})[\"”]\s*")
AROUND = "\"'`“”‘’?!,;.:<>[]"
CALLED = re.compile(r"(?<=\w)\(\)\Z")
SHAPES = re.compile(r"""(?x)
    --?[A-Za-z][\w-]*                                           # --keep, -v
    | \$?[^\W_]+(?:_+[^\W_]+)+ | __\w+__ | \$[A-Za-z]\w*        # REMOTE_USER, __init__, $timeout
    | [\w.:]+\(\)                                              # len()
    | [A-Za-z]\w*(?:::[A-Za-z][\w-]+)+                         # std::map
    | (?:~|\.{1,2})?(?:/[\w.-]+)+/?                             # /etc/fstab, ./configure
    | (?=[^._]*[._])(?=[^a-z]*[a-z])[\w-]+(?:/[\w.-]+){2,}      # src/lib/main.c
    | [A-Za-z][\w-]+(?:\.[a-z][\w-]+)+(?:\.[A-Z]\w+)?          # os.path, pg_hba.conf
    | v?\d{1,3}(?:\.\d{1,3}){2,3}(?:-?(?:a|b|rc|alpha|beta)\d*)?  # 1.2.4, v2.0.1rc2
""")
SURE = re.compile(r"--[A-Za-z][\w-]+|\$?[^\W_]+(?:_+[^\W_]+)+|\$[A-Za-z]\w*|\w+(?:::\w+)+")
"""Identifiers that nothing else than an identifier is written like."""

HUMPED = re.compile(r"[A-Za-z]*[a-z][A-Z]\w*|[A-Za-z]\w*(?::[A-Za-z][\w-]+)+")
"""camelCase, also of names such as McCartney, and colons: identifiers in what is hardly a sentence alone."""

FEW = 3
"""Words of a question that is hardly a sentence."""

KINDS = frozenset(
    """argument attribute class command constant directive error field file flag function key keyword macro method
    module option parameter property setting switch variable a an the""".split()
)
"""What may stand beside an identifier that is all that is asked for: "the timeout parameter"."""

OTHER_OPTIONS = r"(?:--?\w[\w-]*[^\n,|/-]{0,30}(?:,|[ ]or|[ ]?[|/])[ ]?){0,3}"
"""What may stand before an option in the term of a list of definitions: options, with their arguments."""

MOST = 4
"""Identifiers of a question that are looked for."""

LONGEST = 80
"""Characters of an identifier that is looked for."""


def identifiers_in(question: str) -> tuple[str, ...]:
    """Return the identifiers of a question, each once: what has their shape, stands in backticks or is all of it.

    >>> identifiers_in('"the tide bell"'), identifiers_in("What is new in 1.2.4?")
    (('the tide bell',), ('1.2.4',))
    """
    if whole := WHOLE.fullmatch(question):
        return (" ".join(whole[1].split()),)
    words = _words(question)
    quoted = {*QUOTED.findall(question)}
    named = (CALLED.sub("", word) for word in words if word in quoted or _has_shape(word, len(words)))
    return tuple(dict.fromkeys(each for each in named if 1 < len(each) <= LONGEST))[:MOST]


def is_alone(question: str) -> bool:
    """Tell whether a question is an identifier and nothing else, but for the noun that says its kind.

    >>> is_alone("--keep"), is_alone("the timeout parameter"), is_alone("What does --keep do?")
    (True, True, False)
    """
    return len(identifiers_in(question)) == 1 and (WHOLE.fullmatch(question) is not None or len(_words(question)) == 1)


def sure_identifiers(question: str) -> tuple[str, ...]:
    """Return those identifiers of a question that can be nothing else.

    >>> sure_identifiers("Does fail_under of Node.js need --keep on 11.9.01?")
    ('fail_under', '--keep')
    """
    return tuple(each for each in identifiers_in(question) if SURE.fullmatch(each))


def _words(question: str) -> list[str]:
    """Return the words of a question, without nouns of kinds where one other word is left."""
    words = [word for each in question.split() if (word := _bare(each))]
    others = [word for word in words if word.lower() not in KINDS]
    return others if len(others) == 1 else words


def _bare(word: str) -> str:
    """Return a word without what stands around it; of parentheses those stay that it opens and closes itself."""
    word = word.rstrip(AROUND).lstrip(AROUND.replace(".", "") + "(")
    further = max(0, word.count(")") - word.count("("))
    return word[: len(word) - further].rstrip(AROUND) if word.endswith(")" * further) else word


def _has_shape(word: str, n_words: int) -> bool:
    if word.strip("-").lower() in STOP_WORDS:
        return False
    if n_words == 1 and any(map(str.isalpha, word)):
        return True
    return SHAPES.fullmatch(word) is not None or (n_words <= FEW and HUMPED.fullmatch(word) is not None)


@lru_cache(maxsize=256)
def written(identifier: str) -> re.Pattern[str]:
    """Return what finds an identifier in a text where it is no part of a longer one."""
    return re.compile(_whole(identifier), _flags(identifier))


@lru_cache(maxsize=256)
def defined(identifier: str) -> re.Pattern[str]:
    """Return what finds an identifier that begins a term of a list of definitions, above its indented definition.

    Options may stand before one, of which it is another way to write: "-m NUMBER, --most=NUMBER".
    """
    term, other = rf"{_begin(identifier)}[^\n]{{0,120}}\n", r"(?P=indent)\S[^\n]{0,120}\n"
    return re.compile(rf"^(?P<indent>[ ]*){term}(?:{other}){{0,3}}(?P=indent)  ", _flags(identifier) | re.M)


@lru_cache(maxsize=256)
def begun(identifier: str) -> re.Pattern[str]:
    """Return what finds an identifier with which a line begins, or that other ways to write it begin."""
    return re.compile(rf"^[ ]*{_begin(identifier)}", _flags(identifier) | re.M)


def _begin(identifier: str) -> str:
    bullet = r"(?:[^\w\s-]{1,3}[ ]?|-[ ])?"
    return bullet + (OTHER_OPTIONS if identifier.startswith("-") else "") + _whole(identifier)


def _whole(identifier: str) -> str:
    words = r"\s+".join(map(re.escape, identifier.split()))
    if identifier.startswith("-"):
        return rf"(?<![\w-]){words}(?!\w|-\w)"
    # "listen-on" is no part of "listen-on-v6", but "user" may be one of "user-defined".
    goes_on = r"|-\w" if "-" in identifier and " " not in identifier else ""
    return rf"(?<![\w$])(?<!\d\.){words}(?!\w|\.\d{goes_on})"


def _flags(identifier: str) -> re.RegexFlag:
    """Return whether case is ignored: people type long names as they like; `-v` and `-V` are two options."""
    return re.NOFLAG if identifier.startswith("-") else re.I
