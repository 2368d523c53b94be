"""A file found under the name of the working copy: resumed where a stopped build left it, else replaced."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

from weft.errors import NotAKnowledgeBase
from weft.file_format.checksums import identity
from weft.file_format.structure import ADVICE
from weft.meta import get_meta, set_meta
from weft.output_file import create_beside
from weft.schema import create, open_for_writing

SIDE_FILES = ("-journal", "-wal", "-shm")
"""What SQLite may have beside a file, and reads when it opens that."""


def why_not_resumed(path: Path, output: Path, job: str) -> str | None:
    """Return why the file at `path` is deleted; None where it is a stopped build of the same job, to be resumed.

    Only a copy of the SKB that `output` still is can be resumed, and only an
    undamaged one: all of `path` is read, in time linear in its size.
    """
    for each in (path, *_side_files(path)):
        if os.path.lexists(each) and not _is_own_file(each, output):
            return f"{each.name} is not what a stopped build left but something else; it was taken away"
    try:
        _roll_back(path)
        with closing(open_for_writing(path)) as connection:
            own_job, copied_from = get_meta(connection, "job"), get_meta(connection, "copied_from")
            is_same = own_job == job and copied_from == identity(output)
            wrong = _first_problem(connection) if is_same else None
    except (NotAKnowledgeBase, sqlite3.DatabaseError, ValueError):
        return "what a stopped build left is damaged; it was thrown away"
    if own_job is None:
        return "a build was stopped after its end, before it could put this in place; it is built again"
    if own_job != job:
        return "what another job, stopped before its end, had done so far was thrown away"
    if not is_same:
        return f"what a stopped build did on another knowledge base was thrown away: {output.name} was replaced since"
    return wrong and f"what a stopped build left is damaged ({wrong}); it was thrown away"


def own_files(output: Path) -> frozenset[Path]:
    """Return the real paths of an SKB and of all that a build may have beside it."""
    real = Path(os.path.realpath(output))
    working = [real, *(real.with_name(real.name + ending) for ending in (".part", ".part.new"))]
    beside = (side for each in working for side in _side_files(each))
    return frozenset((real.with_name(f"{real.name}.lock"), *working, *beside))


def copy_afresh(path: Path, output: Path, job: str) -> None:
    """Make a working copy of the SKB, or an empty one, for a job; its mode is no wider than the SKB's.

    Copied under another name and renamed, so that a killed copy is never taken for a working copy.
    """
    fresh = path.with_name(path.name + ".new")
    throw_away(fresh)
    is_copy = output.exists()
    with os.fdopen(create_beside(fresh, output), "wb") as file:
        if is_copy:
            with output.open("rb") as finished:
                shutil.copyfileobj(finished, file, 1 << 20)
    with closing(open_for_writing(fresh) if is_copy else create(fresh)) as connection:
        set_meta(connection, "job", job)
        if is_copy:
            set_meta(connection, "copied_from", identity(output))
        connection.commit()
    os.replace(fresh, path)


def check_copy(connection: sqlite3.Connection, output: Path) -> None:
    """Raise NotAKnowledgeBase where an SKB without valid checksums is damaged, as far as SQLite can tell."""
    if wrong := _first_problem(connection):
        raise NotAKnowledgeBase(f"{output}: damaged, and left as it is: {wrong}; {ADVICE}")


def throw_away(path: Path) -> None:
    """Remove a working copy and SQLite's files beside it; of links, the link and not its target."""
    for each in (path, *_side_files(path)):
        each.unlink(missing_ok=True)


def _roll_back(path: Path) -> None:
    """Let SQLite take back what a killed process had not committed; until then the header may tell of pages to come."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def _first_problem(connection: sqlite3.Connection) -> str | None:
    (line,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return None if line == "ok" else str(line)


def _is_own_file(path: Path, output: Path) -> bool:
    """Tell whether a path is a file of one name, and of this user or of the owner of the SKB."""
    known = path.lstat()
    owners = {os.geteuid(), *([output.stat().st_uid] if output.exists() else ())}
    return stat.S_ISREG(known.st_mode) and known.st_nlink == 1 and known.st_uid in owners


def _side_files(path: Path) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in SIDE_FILES]
