"""Front matter: the lines between `---` that many Markdown files begin with.

Only what files of notes and sites use is read, `key: value` and lists; it is
no YAML. Lines between `+++` are TOML.

>>> split_front_matter("---\\ntitle: Ondrel\\ntags: [port, strait]\\n---\\nText.")
({'title': ['Ondrel'], 'tags': ['port', 'strait']}, 'Text.')
"""

from __future__ import annotations

import re
import tomllib

YAML = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
TOML = re.compile(r"\+\+\+[ \t]*\n(.*?\n)?\+\+\+[ \t]*(?:\n|\Z)", re.S)
ENTRY = re.compile(r"([A-Za-z][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$")
LIST_ENTRY = re.compile(r"[ \t]*-[ \t]+(.*)$")
# tomllib copies a key for every part of it.
MANY_PARTS = re.compile(r"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){50}")
COMMENT = re.compile(r"(?:^|\s)#.*$")


def split_front_matter(text: str) -> tuple[dict[str, list[str]], str]:
    """Return a text's front matter, keys in lower case, and the rest; a rule that opens a text is none."""
    toml = TOML.match(text)
    if toml and not MANY_PARTS.search(toml[1] or ""):
        # Beside its own error tomllib raises RecursionError for deep arrays, ValueError for huge numbers.
        try:
            table = tomllib.loads(toml[1] or "")
            return {key.lower(): _strings(value) for key, value in table.items()}, text[toml.end() :]
        except (ValueError, RecursionError):
            return {}, text
    yaml = YAML.match(text)
    entries = _entries((yaml[1] or "").split("\n")) if yaml else None
    return ({}, text) if yaml is None or entries is None else (entries, text[yaml.end() :])


def _strings(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def _entries(lines: list[str]) -> dict[str, list[str]] | None:
    """Return the entries of lines, or None when they are text: a line that is neither key, item nor inner."""
    entries: dict[str, list[str]] = {}
    values: list[str] = []
    for line in lines:
        entry, item = ENTRY.match(line), LIST_ENTRY.match(line)
        if entry:
            values = _values(entry[2] or "")
            entries[entry[1].lower()] = values
        elif item and entries:
            values.append(_unquoted(item[1]))
        elif line.strip() and not line.startswith((" ", "\t", "#")):
            return None
    return entries


def _values(text: str) -> list[str]:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [value for each in text[1:-1].split(",") if (value := _unquoted(each))]
    return [value] if (value := _unquoted(text)) and value not in ("|", ">", "null", "~") else []


def _unquoted(text: str) -> str:
    text = text.strip()
    for quote in "\"'":
        if text.startswith(quote) and text.find(quote, 1) > 0:
            return text[1 : text.find(quote, 1)]
    return COMMENT.sub("", text).strip()
