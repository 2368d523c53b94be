"""Tell what a JSON Lines file or an archive holds by its first bytes.

>>> json_format(b'{"name": "Moon", "date_modified": "2024-01-01", "in_language": {}')
'enterprise'
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from builder.streams.archives import DAMAGE, members, opened

HEAD = 1 << 16
"""Bytes in which the keys of the first record are looked for; later ones may follow a long text."""
FIRST_MEMBERS = 20
LINE_SUFFIXES = (".ndjson", ".jsonl", ".json")
# A key with its colon. Within a string of JSON its quotes would have backslashes, so a text is never taken for one.
KEY = re.compile(rb'[{,]\s*"(\w+)"\s*:')
QUESTIONS = frozenset((b"document_html", b"document_text", b"document_tokens"))
QUESTION_SIGNS = frozenset((b"question_text", b"annotations", b"long_answer_candidates", b"example_id"))
TRIPLE = frozenset((b"subject", b"predicate", b"object"))
RECORD = frozenset((b"title", b"text"))
ARTICLE_SIGNS = frozenset((b"date_modified", b"in_language", b"is_part_of", b"namespace", b"main_entity"))


def json_format(head: bytes) -> str:
    """Return `enterprise`, `nq` or `jsonl` by the keys in the first bytes of a JSON Lines file."""
    keys = set(KEY.findall(head[:HEAD]))
    if keys & QUESTIONS and keys & QUESTION_SIGNS:
        return "nq"
    if b"article_body" in keys or (b"name" in keys and len(keys & ARTICLE_SIGNS) > 1):
        return "enterprise"
    return "jsonl"


def lines_format(path: Path) -> str:
    """Return the format of a JSON Lines file, plain or packed."""
    try:
        with opened(path) as file:
            return json_format(file.read(HEAD))
    except DAMAGE:
        return "jsonl"


def is_triples(path: Path) -> bool:
    """Tell whether a JSON Lines file, plain or packed, begins as triples do, which have no text."""
    try:
        with opened(path) as file:
            keys = set(KEY.findall(file.read(HEAD)))
    except DAMAGE:
        return False
    return keys >= TRIPLE and b"text" not in keys


def is_dump(path: Path) -> bool:
    """Tell whether an XML file, plain or packed, begins as a MediaWiki dump does."""
    try:
        with opened(path) as file:
            return b"<mediawiki" in file.read(HEAD)
    except DAMAGE:
        # Its reader reports the damage.
        return True


def archive_format(path: Path) -> str:
    """Return `enterprise` when one of a tar archive's first members is a JSON Lines file of articles, else `html`."""
    try:
        for _, member in zip(range(FIRST_MEMBERS), members(path), strict=False):
            name = PurePosixPath(member.place).name.lower()
            if not name.endswith(LINE_SUFFIXES) or name.startswith(".") or name == "titles.json":
                continue
            # Of a record that is told by none of its keys the reader says what is wrong.
            head = member.file.read(HEAD)
            if json_format(head) != "jsonl" or not set(KEY.findall(head)) >= RECORD:
                return "enterprise"
    except DAMAGE:
        pass
    return "html"
