"""The titles of a source's text files, for links between them and for names found in them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from builder.sources.text_names import DOCUMENT_SUFFIXES, file_title
from weft.names import name_key

HEAD = 1 << 15
ADDRESS = re.compile(
    r"\]\(\s*<?([^()<>\n]*?\.(?:md|markdown|mdown|mkd|txt|text))(?=[#?)>\s])"
    r"|^ {0,3}\[[^\[\]\n]+\]:[ \t]*<?([^\s<>#?]+)",
    re.M | re.I,
)
WIKI_LINK = re.compile(r"\[\[([^\[\]|#\n]+)")
WORD = re.compile(r"\w+")

Pairs = tuple[tuple[str, str], ...]


class TitleIndex:
    """Reads a file's title when it is first asked for; `title_of_head` makes it of the file's first bytes."""

    def __init__(self, files: Sequence[tuple[str, Path]], title_of_head: Callable[[bytes, str], str]) -> None:
        self._files = dict(files)
        self._title_of_head = title_of_head
        self._titles: dict[str, str] = {}

    def title(self, place: str) -> str:
        """Return the title of the file at a place; its name says it when it cannot be read."""
        if place not in self._titles:
            try:
                with self._files[place].open("rb") as file:
                    self._titles[place] = self._title_of_head(file.read(HEAD), place)
            except OSError:
                self._titles[place] = file_title(place)
        return self._titles[place]

    def linked_from(self, place: str, text: str) -> Pairs:
        """Return (address as written, title) of the files that a text at `place` links to."""
        found: dict[str, str] = {}
        for match in ADDRESS.finditer(text):
            address = match[1] or match[2]
            target = posixpath.normpath(posixpath.join("/", posixpath.dirname(place), unquote(address)))[1:]
            if target in self._files and target.lower().endswith(DOCUMENT_SUFFIXES):
                found[address] = self.title(target)
        for match in WIKI_LINK.finditer(text):
            stem = match[1].strip()
            if stem.lower() in self._by_stem:
                found[stem] = self.title(self._by_stem[stem.lower()])
        return tuple(sorted(found.items()))

    def within(self, text: str) -> Pairs:
        """Return (name key, title) of every file whose title's first word is in the text."""
        words = set(WORD.findall(name_key(text)))
        return tuple(sorted(pair for word in words for pair in self._by_word.get(word, ())))

    @cached_property
    def _by_stem(self) -> dict[str, str]:
        places = sorted(self._files, reverse=True)
        return {posixpath.splitext(posixpath.basename(place))[0].lower(): place for place in places}

    @cached_property
    def _by_word(self) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for place in self._files:
            key = name_key(self.title(place))
            if key:
                found.setdefault(key.partition(" ")[0], []).append((key, self.title(place)))
        return found
