"""The links of a text by its markup: Markdown's and reStructuredText's addresses of other files of its source."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
# An inline link without a suffix, as sites have them: "](./setup)", "](docs/)".
BARE_ADDRESS = re.compile(r"\]\(\s*+<?+([^()<>\n#?:\s]++)(?=[#?)>\s])")
IN_FOLDER = ("/index.md", "/README.md", "/readme.md")
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
    found: dict[str, str | None] = dict(index.targets(place, addresses))
    for match in BARE_ADDRESS.finditer(text):
        path = match[1].rstrip("/")
        if match[1] not in found and "." not in path.rpartition("/")[2]:
            names = [path + end for end in (*(".md",) * (path == match[1]), *IN_FOLDER)]
            found[match[1]] = _first(index, place, names)
    for match in WIKI_LINK.finditer(text):
        name = match[1].strip()
        found[name] = _of_name(index, place, name)
    return tuple(sorted((address, target) for address, target in found.items() if target is not None))


def _first(index: TitleIndex, place: str, names: Sequence[str]) -> str | None:
    """Return the target of the first of these addresses that leads to a file, None where none does."""
    known = dict(index.targets(place, names))
    return next((known[name] for name in names if name in known), None)


def _of_name(index: TitleIndex, place: str, name: str) -> str | None:
    """Return the target of a wiki link: a file by its name, or by its path from the folder of the text or of all."""
    target = index.target_of_stem(name)
    return _first(index, place, [f"{name}.md", f"/{name}.md"]) if target is None and "/" in name else target


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
