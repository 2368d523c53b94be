"""The first 100 bytes of an SKB, read before SQLite opens it: what it is, how old, and whether it is all there.

<https://www.sqlite.org/fileformat2.html#the_database_header>
"""

from __future__ import annotations

import os
import stat
import struct
from pathlib import Path
from typing import NamedTuple

from weft.errors import NotAKnowledgeBase, OldSchema
from weft.file_format.lock import holder_of

APPLICATION_ID = 0x57454654
"""`WEFT` in ASCII, in the SQLite header."""

SCHEMA_VERSION = 3

MAGIC = b"SQLite format 3\0"

FIELDS = struct.Struct(">16s H B B 4x I I 28x i 4x I 20x I 4x")
"""Magic, page size, format to write and to read, change counter, pages, user_version, application_id, valid-for."""

ROLLBACK = 1
"""The format of a file in rollback-journal mode; 2 is a write-ahead log."""


class Header(NamedTuple):
    """What the header says; `changes` counts the transactions that wrote the file."""

    page_size: int
    changes: int
    version: int


def is_skb(path: Path) -> bool:
    """Tell whether a file begins as an SKB of any version does, whole or damaged."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        data = file.read(FIELDS.size)
    return data.startswith(MAGIC) and len(data) == FIELDS.size and FIELDS.unpack(data)[7] == APPLICATION_ID


def read_header(path: Path) -> Header:
    """Read and check the header; raise NotAKnowledgeBase for what is no SKB that can be read.

    That is another file, a newer version, one cut short, one with a write-ahead
    log, and one beside which something other than a file stands at a journal's
    name.
    """
    if path.is_dir():
        raise NotAKnowledgeBase(f"{path}: is a folder, not a knowledge base")
    if not path.is_file():
        if path.exists():
            raise NotAKnowledgeBase(f"{path}: is a device or a pipe, not a knowledge base; name a file")
        raise NotAKnowledgeBase(f"{path}: no such file; {_what_to_do(path)}")
    with path.open("rb") as file:
        data = file.read(FIELDS.size)
        n_bytes = os.fstat(file.fileno()).st_size
    if not data:
        raise NotAKnowledgeBase(f"{path}: an empty file, not a knowledge base; remove it and build again")
    if not data.startswith(MAGIC) or len(data) < FIELDS.size:
        raise NotAKnowledgeBase(f"{path}: not a knowledge base, or damaged; name another file")
    _, page_size, writes, reads, changes, n_pages, version, application, valid_for = FIELDS.unpack(data)
    page_size = 65536 if page_size == 1 else page_size
    _check_kind(path, application, version)
    _check_form(path, page_size, (writes, reads))
    if changes == valid_for and n_pages * page_size > n_bytes:
        raise NotAKnowledgeBase(
            f"{path}: damaged or cut short: has {n_bytes:,} of {n_pages * page_size:,} bytes; copy it again,"
            " or remove it (or name another output) and build again"
        )
    _check_side_files(path)
    return Header(page_size, changes, version)


def _what_to_do(path: Path) -> str:
    """Tell how a file that is not there comes to be: by a build, one under way, or one that was stopped going on."""
    if path.name and (holder := holder_of(path)):
        return f"it is being built by process {holder}; wait for it"
    part = path.with_name(path.name + ".part") if path.name else path
    if part.is_file():
        return f"{part.name} is of a build that was not finished; the same weft build again goes on where it was"
    return f"build one with weft build SOURCE -o {path}"


def check_present(path: Path, header: Header) -> None:
    """Raise OldSchema for a file that an earlier Weft wrote."""
    if header.version < SCHEMA_VERSION:
        raise OldSchema(f"{path}: schema version {header.version} is old; run weft build on it to bring it up")


def _check_kind(path: Path, application: int, version: int) -> None:
    if application != APPLICATION_ID:
        raise NotAKnowledgeBase(f"{path}: an SQLite file of another program, not a knowledge base")
    if version > SCHEMA_VERSION:
        raise NotAKnowledgeBase(
            f"{path}: schema version {version}, but this Weft reads up to {SCHEMA_VERSION}; upgrade Weft"
        )
    if version < 1:
        raise NotAKnowledgeBase(
            f"{path}: schema version {version}, which no Weft wrote; it is damaged: move it away and build again"
        )


def _check_form(path: Path, page_size: int, formats: tuple[int, int]) -> None:
    if page_size < 512 or page_size & (page_size - 1):
        raise NotAKnowledgeBase(f"{path}: damaged: pages of {page_size} bytes; move it away and build again")
    if formats != (ROLLBACK, ROLLBACK):
        raise NotAKnowledgeBase(
            f"{path}: not in the journal mode that Weft writes: another program changed it, or it is damaged;"
            " set PRAGMA journal_mode = DELETE with that program, or build it again"
        )


def _check_side_files(path: Path) -> None:
    """Raise NotAKnowledgeBase where SQLite would wait for, or follow, what stands at its journal's name."""
    for ending in ("-journal", "-wal", "-shm"):
        beside = path.with_name(path.name + ending)
        try:
            known = beside.lstat()
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(known.st_mode):
            raise NotAKnowledgeBase(f"{beside}: is no file of SQLite, which would read it; remove it")
