"""The links of a text by its markup: Markdown's and reStructuredText's addresses of other files of its source."""

from __future__ import annotations

import re

from builder.readers.links.labels import REF
from builder.readers.links.title_index import Pairs, TitleIndex
from builder.readers.text.names import MARKDOWN_SUFFIXES, RST_SUFFIXES, label_name

# Of Markdown: an inline link to a document, "](path.md#x)", in angle brackets or not.
ADDRESS = re.compile(
    r"\]\(\s*+<?+([^()<>\n]*?\.(?:md|markdown|mdown|mkd|txt|text|rst|html|htm|xhtml))(?=[#?)>\s])"
    # A definition of a link, whose address may stand on the next line.
    r"|^[ \t>]*+\[[^\[\]\n]++\]:[ \t]*+\n?[ \t>]*+(?:<([^<>\n#?]+)|([^\s<>#?]+))"
    # HTML's link.
    r"|<a\s(?:[^<>]*?\s)?href\s*=\s*[\"']?([^\"'<>\s#?]+)",
    re.M | re.I,
)
# In reStructuredText: `text <address>`_, .. _name: address, and :doc:`address`.
RST_ADDRESS = re.compile(
    r"<([^<>`\s]+)>`_{1,2}|^[ \t]*\.\. _[^:\n]+:[ \t]+(\S+)[ \t]*$|:doc:`(?:[^`<>]*<)?([^`<>]+)>?`", re.M
)
# The file name of a [[wiki link]], without its fragment and shown text.
WIKI_LINK = re.compile(r"\[\[([^\[\]|#\n]+)")
# Links by title rather than by path, and addresses with a host.
OUTWARD = re.compile(r"\[\[|//|wiki/", re.I)


def linked_files(text: str, place: str, index: TitleIndex) -> Pairs:
    """Return (address as written, link target) of the files that a text at `place` links to."""
    if place.lower().endswith(RST_SUFFIXES):
        return _linked_from_rst(text, place, index)
    return _linked_from_markdown(text, place, index) if place.lower().endswith(MARKDOWN_SUFFIXES) else ()


def _linked_from_rst(text: str, place: str, index: TitleIndex) -> Pairs:
    found = {}
    for match in RST_ADDRESS.finditer(text):
        path = (match[1] or match[2] or "").partition("#")[0]
        if match[3]:
            names = [match[3].strip() + suffix for suffix in (*RST_SUFFIXES, *MARKDOWN_SUFFIXES)]
            target = next((each for _, each in index.targets(place, names)), None)
            found.update({f"doc:{match[3].strip()}": target} if target else {})
        elif path:
            found.update(index.targets(place, [path]))
    return tuple(sorted((found | _labelled(text, index)).items()))


def _labelled(text: str, index: TitleIndex) -> dict[str, str]:
    """Return the file and the heading of each label that `:ref:` roles name, by `ref:` and `heading:` before it."""
    found = {}
    for name in dict.fromkeys(label_name(match[1]) for match in REF.finditer(text)):
        if label := index.labelled(name):
            found[f"heading:{name}"] = label.heading
            if target := index.target(label.place):
                found[f"ref:{name}"] = target
    return found


def _linked_from_markdown(text: str, place: str, index: TitleIndex) -> Pairs:
    addresses = map(_address, ADDRESS.finditer(text))
    found = dict(index.targets(place, addresses))
    for match in WIKI_LINK.finditer(text):
        stem = match[1].strip()
        target = index.target_of_stem(stem)
        if target is not None:
            found[stem] = target
    return tuple(sorted(found.items()))


def leads_elsewhere(place: str, text: str, files: Pairs) -> bool:
    """Tell whether a text may have links that lead to none of the `files` it links to, as a wiki's do.

    >>> leads_elsewhere("a.md", "[b](b.md#x)", (("b.md", "B"),)), leads_elsewhere("a.md", "[[b]]", (("b", "B"),))
    (False, True)
    """
    if OUTWARD.search(text) or not place.lower().endswith(MARKDOWN_SUFFIXES):
        return True
    known = dict(files)
    return any(_address(match) not in known for match in ADDRESS.finditer(text))


def _address(match: re.Match[str]) -> str:
    return next(filter(None, match.groups()), "")
