"""What a name looks like, and what the words before it say that it is.

>>> looks_of("Ada M. Orr"), looks_of("Quillon Bridge")
((True, False), (False, True))
>>> said_before("a pool called ", "called") == Said(article=False, called=True, because=False, by=False, default=False)
True
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from retriever.answers.text.numbers import NUMBER_WORD

CALLED = re.compile(r"\b(?:call(?:s|ed)?|named|titled|known as|nicknamed|termed|dubbed|entitled|name of|title|motto)"
                    r"[ ,:]*(?:the |an? )?[\"“'(]*$", re.I)  # fmt: skip
BECAUSE = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|on account of|since|as|when|for|by|from|after|caused by)[ ]+"
    r"(?:the |an? )?$", re.I)  # fmt: skip
DEFAULT = re.compile(
    r"\bdefaults?\b[^.;|]*?\b(?:is|are|to|of|as)[ ]+(?:[a-z]+ly |the |an? )?[\"“'(]*$"
    r"|\bdefaults?(?: value)?[:=|]? ?[|]? ?[\"“'(]*$", re.I)  # fmt: skip
BY = re.compile(r"\bby[ ]+(?:the |an? )?(?:[\w-]+ ){0,2}(?:[\w-]+, )?$", re.I)
ARTICLE = re.compile(r"\b(?:an?|the)[ ]+$", re.I)
CLOSE = frozenset(
    "call calls called named titled as nicknamed termed dubbed entitled of title motto the a an because to since for by"
    " from after when as".split()
)
"""What the last word before is where anything but `BY` and `DEFAULT` is said."""

READ = 40
"""Characters before a name that are looked at."""

NUMERIC = re.compile(rf"\d|\b{NUMBER_WORD}\b", re.I)
PLACE_WORDS = frozenset(
    """city county town village island isle islands river lake mount mountain mountains hill hills bay gulf sea ocean
    strait province district street road avenue square park castle palace port harbor harbour valley coast north south
    east west university college school hospital church cathedral abbey station airport bridge theatre theater hall
    house""".split()
)
NO_PERSON = PLACE_WORDS | frozenset(
    """company guild society league union party war battle treaty act prize award medal club band army navy order
    council court committee association institute museum festival championship championships cup game film album song
    opera railway line corporation records press times the january february march april may june july august september
    october november december""".split()
)
"""Words that a person's name does not have."""

PARTICLES = frozenset("da de del della den der di do dos du ibn la le ten ter van von zu zur".split())
"""Small words inside a person's name."""

WHOLE = re.compile(r"\w+")
NO_NAME = re.compile(r"[\d,&]")


class Said(NamedTuple):
    """What the words right before a name say of it: an article, what something is called, a reason, who did it, a
    default.
    """

    article: bool
    called: bool
    because: bool
    by: bool
    default: bool


NOTHING_SAID = Said(article=False, called=False, because=False, by=False, default=False)


def said_before(text: str, word: str) -> Said:
    """Return what the end of a text, whose last `word` is given in lower case, says of what follows."""
    text, close = text[-READ:], word in CLOSE
    lower = text.lower()
    return Said(
        close and ARTICLE.search(text) is not None, close and CALLED.search(text) is not None,
        close and BECAUSE.search(text) is not None, "by" in lower and BY.search(text) is not None,
        "default" in lower and DEFAULT.search(text) is not None,
    )  # fmt: skip


def has_number(text: str) -> bool:
    """Tell whether a text has a digit or a numeral."""
    return NUMERIC.search(text) is not None


@lru_cache(maxsize=1 << 15)
def looks_of(text: str) -> tuple[bool, bool]:
    """Tell whether a name looks like a person's, and whether it has a word of places in it.

    A person's has two to four capitalised words, none of which says another thing.
    """
    words = WHOLE.findall(text.lower())
    return _may_be_person(text) and NO_PERSON.isdisjoint(words), not PLACE_WORDS.isdisjoint(words)


def _may_be_person(text: str) -> bool:
    first, *others = text.split() or [""]
    words = [first, *(word for word in others[:-1] if word not in PARTICLES), *others[-1:]]
    return 2 <= len(words) <= 4 and all(word[0].isupper() for word in words) and not NO_NAME.search(text)
