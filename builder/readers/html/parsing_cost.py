"""Markup that takes an HTML parser time or memory quadratic in its length, detected or taken out before it is parsed.

>>> too_costly("<p " + " ".join(f"a{number}" for number in range(5_000)) + ">x</p>")
'an element has more than 1000 attributes'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# A parser compares every attribute of a tag with all before it: quadratic. Real tags have some tens.
MAX_ATTRIBUTES = 1_000
# It opens every unclosed formatting element again in each block that follows.
MAX_REOPENED = 200_000
REOPENED_PER_CHARACTER = 0.5
FEW = 4  # open elements, below which even reopening all of them in every block is linear
# It looks at all options of a select for each one that is added.
MAX_OPTIONS = 5_000

# Elements whose content is no markup: a "<" in a script begins no tag.
RAW_TEXT = r"<!--.*?(?:-->|\Z)|<(script|style|textarea|title|xmp|iframe)\b.*?(?:</\1|\Z)"
# A quote begins a value behind an equals sign only.
TAG = r"""<[a-zA-Z](?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+"""
# First without looking for scripts and comments, which is faster; a hit is confirmed with MARKUP.
ANY_TAG = re.compile(TAG)
MARKUP = re.compile(f"{RAW_TEXT}|({TAG})", re.S | re.I)
QUOTED = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")
FORMATTING = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
FORMAT_TAG = re.compile(rf"<(/?)({FORMATTING})\b([^>]*)", re.I)
# With every other start tag, at which the open formatting elements may be opened again.
BLOCK_OR_FORMAT = re.compile(rf"<(/?)({FORMATTING})\b([^>]*)|<([a-z])", re.I)
OPTION_START = re.compile("<opt", re.I)
# Start and end tags alone: the text between them stays.
OPTION = re.compile(r"</?opt(?:ion|group)\b[^>]*>", re.I)

# What Python's own parser takes quadratic time for is left open: comments, tags, declarations. Here every attempt
# succeeds and takes what it has looked at: a tag ends at ">", before the next "<", or with the page.
TOKEN = re.compile(
    r"<!--.*?(?:--!?>|\Z)|<(script|style)\b.*?(?:</\1\b[^<>]*>?|\Z)|<[!?][^<>]*>?"
    r"""|<(/?)([a-zA-Z][^\s/<>]*)((?:[^<>=]++|=\s*+(?:"[^"]*+"?|'[^']*+'?)?+)*+)>?|<""",
    re.S | re.I,
)
ATTRIBUTE = re.compile(r"""([^\s=/"'<>]++)(?:\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s"'>][^\s>]*+)?))?""")
READ = frozenset("class id href style hidden role lang rel name property content accesskey title".split())


def too_costly(text: str) -> str | None:
    """Return why a page would take its parser more than linear time, or None. Linear in the page."""
    if _has_crowded_tag(text):
        return f"an element has more than {MAX_ATTRIBUTES} attributes"
    if _reopened(text):
        return "too many formatting elements are left open"
    return None


def without_crowds_of_options(text: str) -> str:
    """Return the page without the tags of its options, which show no text, where there are very many."""
    found = sum(1 for _ in OPTION_START.finditer(text))
    return OPTION.sub(" ", text) if found > MAX_OPTIONS else text


def simplified(text: str) -> str:
    """Return a page's text and tags, each complete and with the attributes alone that a flat reading looks at.

    Scripts, styles, comments and declarations are left out. Linear in the page.

    >>> simplified("<!-- x --><p id=a onclick='b()'>1 < 2 <a href='c\\"d'>c</a")
    '<p id="a">1 &lt; 2 <a href="c&quot;d">c</a>'
    """
    return TOKEN.sub(_simple_token, text)


def _simple_token(token: re.Match[str]) -> str:
    _, slash, name, rest = token.groups()
    if not name:
        return "&lt;" if token[0] == "<" else ""
    name = re.split(r"[^\w:.-]", name.lower(), maxsplit=1)[0]
    if slash:
        return f"</{name}>"
    values: dict[str, str] = {}
    for key, double, single, bare in ATTRIBUTE.findall(rest):
        if key.lower() in READ:
            values.setdefault(key.lower(), (double or single or bare).replace('"', "&quot;"))
    attributes = "".join(f' {key}="{value}"' for key, value in values.items())
    return f"<{name}{attributes}>"


def _has_crowded_tag(text: str) -> bool:
    if not any(_attributes(tag) > MAX_ATTRIBUTES for tag in ANY_TAG.findall(text) if len(tag) > MAX_ATTRIBUTES):
        return False
    # What looks like a tag may stand in a script.
    return any(_attributes(tag) > MAX_ATTRIBUTES for _, tag in MARKUP.findall(text))


def _attributes(tag: str) -> int:
    return len(QUOTED.sub(" ", tag).replace("/", " ").split()) - 1


def _reopened(text: str) -> bool:
    """Tell whether elements that are left open would be opened again very often."""
    if max(_open_formats(FORMAT_TAG.findall(text)), default=0) <= FEW:
        return False
    limit = MAX_REOPENED + REOPENED_PER_CHARACTER * len(text)
    return sum(_open_formats(BLOCK_OR_FORMAT.findall(text), at_blocks=True)) > limit


def _open_formats(tags: Iterable[tuple[str, ...]], at_blocks: bool = False) -> Iterator[int]:
    """Yield how many formatting elements are open, of equal ones three at most, as a parser keeps them."""
    unclosed: dict[str, list[str]] = {}
    count = 0
    for slash, name, attributes, *_ in tags:
        own = unclosed.setdefault(name.lower(), []) if name else []
        if not name:
            yield count
        elif slash:
            count -= bool(own)
            del own[-1:]
        elif own[-3:] != [attributes] * 3:
            own.append(attributes)
            count += 1
        if name and not at_blocks:
            yield count
