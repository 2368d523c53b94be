"""Pages that only lead on to another file, by a refresh at once, as generators leave them where a page has moved.

>>> page = b"<title>Redirecting</title><meta http-equiv=refresh content='0; url=../new/'><a href='../new/'>Go on</a>."
>>> refresh_address(page), refresh_address(page + b"A sentence that says something. " * 10)
('../new/', None)
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

MOST_BYTES = 4096
MOST_SECONDS = 3
MOST_TEXT = 200
"""Characters that a page which only leads on may show, such as "This page has moved" and where to."""
UNSEEN = re.compile(r"<!--.*?-->|<(script|style|title|template)\b.*?</\1\s*>", re.I | re.S)
NOSCRIPT = re.compile(r"<noscript\b.*?</noscript\s*>", re.I | re.S)
META = re.compile(r"<meta\b[^<>]*>", re.I)
ANCHOR = re.compile(r"<a\b[^<>]*>", re.I)
TAG = re.compile(r"<[^<>]*>")
ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]++))""")
# <https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps>
REFRESH = re.compile(r"""\s*([0-9]{1,3})(?:\.[0-9]*)?\s*[;,]\s*(?:url\s*=\s*)?(["']?)(.*)""", re.I | re.S)


def refresh_address(data: bytes) -> str | None:
    """Return the address that a page leads on to at once; None for one that shows more than that."""
    if len(data) > MOST_BYTES or b"refresh" not in data.lower():
        return None
    text = UNSEEN.sub(" ", data.decode("utf-8", "replace"))
    shown = NOSCRIPT.sub(" ", text)
    words = html.unescape(TAG.sub(" ", shown)).split()
    if len(" ".join(words)) > MOST_TEXT or len(set(ANCHOR.findall(shown))) > 1:
        return None
    return next(filter(None, map(_address, META.findall(text))), None)


def _address(meta: str) -> str | None:
    values = {name.lower(): html.unescape(a or b or c) for name, a, b, c in ATTRIBUTE.findall(meta)}
    found = REFRESH.fullmatch(values.get("content", ""))
    if values.get("http-equiv", "").lower() != "refresh" or not found or int(found[1]) > MOST_SECONDS:
        return None
    return (found[3].partition(found[2])[0] if found[2] else found[3]).strip() or None


def ends_of(leads: Mapping[str, str]) -> dict[str, str]:
    """Return where each place leads in the end, without those that lead round in a circle.

    Linear in the places.

    >>> ends_of({"a": "b", "b": "c", "x": "y", "y": "x", "z": "x"})
    {'b': 'c', 'a': 'c'}
    """
    ends: dict[str, str | None] = {}
    for start in leads:
        path: dict[str, None] = {}
        place = start
        while place in leads and place not in ends and place not in path:
            path[place] = None
            place = leads[place]
        end = None if place in path else ends.get(place, place)
        ends.update(dict.fromkeys(reversed(path), end))
    return {place: end for place, end in ends.items() if end is not None}
