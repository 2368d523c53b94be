"""Files of text: which they are, and what a file's name says as a title."""

from __future__ import annotations

import re

from weft.text.names import title_of

MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")
RST_SUFFIXES = (".rst",)
DOCUMENT_SUFFIXES = (*MARKDOWN_SUFFIXES, ".txt", ".text", *RST_SUFFIXES)
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")


def file_title(path: str) -> str:
    """Return the title that a file's name spells: `_` as blanks, and `-` too in names of lower case.

    >>> file_title("notes/cape-thoon-light.md"), file_title("Lathe-root.md")
    ('Cape thoon light', 'Lathe-root')
    """
    name = re.split(r"[/\\]", path)[-1]
    suffix = next((each for each in DOCUMENT_SUFFIXES if name.lower().endswith(each)), "")
    stem = name.removesuffix(name[len(name) - len(suffix) :]) if suffix else name
    return title_of(stem.replace("-", " ") if SLUG.fullmatch(stem) else stem)


def label_name(written: str) -> str:
    """Return a label's name as references compare it: in lower case, with single blanks."""
    return " ".join(written.strip("`").split()).lower()
