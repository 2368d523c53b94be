"""`KB.skb.part`: where a build works until one atomic replace makes it the SKB."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from builder.lock import exclusive
from weft.errors import NotAKnowledgeBase, OldSchema, UnreadableSource
from weft.meta import delete_meta, get_meta, set_meta
from weft.output_file import create_beside, put_in_place, real_path
from weft.schema import create, open_for_writing, open_skb

SIDE_FILES = ("-journal", "-wal", "-shm")
"""What SQLite may have beside a file, and reads when it opens that."""


@dataclass
class Part:
    """A working copy, and what becomes of it.

    `resumed`: it goes on from a stopped build; `notes`: what a user should be
    told; set `keep` to False to leave the SKB as it is.
    """

    connection: sqlite3.Connection
    resumed: bool
    notes: tuple[str, ...]
    keep: bool = True


@contextmanager
def working_copy(output: Path, job: str, *, must_exist: bool = False) -> Iterator[Part]:
    """Give a writing connection under the lock; on success put the result in place of `output`.

    `job` names what is being done: a stopped build is gone on with only by the
    same job, so that half of one is never mixed into another. On an error the
    working copy stays for the next run.
    """
    output = real_output(output)
    if not output.parent.is_dir():
        raise UnreadableSource(f"{output.parent}: no such folder to write {output.name} to")
    with exclusive(output):
        path = output.with_name(output.name + ".part")
        if must_exist or output.exists():
            open_skb_of_any_version(output)
        resumed, notes = _prepare(path, output, job)
        with closing(open_for_writing(path)) as connection:
            part = Part(connection, resumed, notes)
            try:
                yield part
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
                    raise
                # Another attempt must not go on from it.
                connection.close()
                _throw_away(path)
                raise NotAKnowledgeBase(
                    f"{output}: it, or what a stopped build of it left, is damaged ({error});"
                    f" try again, and remove {output.name} if that fails"
                ) from error
            delete_meta(connection, "job")
            connection.commit()
        if part.keep:
            put_in_place(path, output)
        else:
            _throw_away(path)


def real_output(output: Path) -> Path:
    """Return where an SKB is written, links followed; raise WeftError for a folder or a link to itself."""
    output = real_path(output)
    if output.is_dir():
        raise NotAKnowledgeBase(f"{output}: is a folder, not a knowledge base; name a file")
    return output


def open_skb_of_any_version(path: Path) -> None:
    """Raise NotAKnowledgeBase unless `path` is an SKB of this or an earlier version."""
    with suppress(OldSchema):
        open_skb(path).close()


def _prepare(path: Path, output: Path, job: str) -> tuple[bool, tuple[str, ...]]:
    """Make the working copy, or find it; return whether a stopped build is gone on with, and notes."""
    notes: tuple[str, ...] = ()
    if os.path.lexists(path):
        wrong = _why_not_resumed(path, output, job)
        if wrong is None:
            return True, ()
        notes = (f"{path}: {wrong}",)
        _throw_away(path)
    fresh = path.with_name(path.name + ".new")
    _throw_away(fresh)
    descriptor = create_beside(fresh, output)
    with os.fdopen(descriptor, "wb") as file:
        if output.exists():
            with output.open("rb") as finished:
                shutil.copyfileobj(finished, file, 1 << 20)
    if not output.exists():
        create(fresh).close()
    with closing(open_for_writing(fresh)) as connection:
        set_meta(connection, "job", job)
        connection.commit()
    os.replace(fresh, path)
    return False, notes


def _why_not_resumed(path: Path, output: Path, job: str) -> str | None:
    """Tell why what stands at a working copy's path is thrown away; None where a stopped build is gone on with."""
    for each in (path, *_side_files(path)):
        if os.path.lexists(each) and not _is_own_file(each, output):
            return f"{each.name} is not what a stopped build left but something else; it was taken away"
    if _job_of(path) != job:
        return "what another job, stopped before its end, had done so far was thrown away"
    return None


def _is_own_file(path: Path, output: Path) -> bool:
    """Tell whether a path is a file of one name, and of this user or of the owner of the SKB."""
    known = path.lstat()
    owners = {os.geteuid(), *([output.stat().st_uid] if output.exists() else ())}
    return stat.S_ISREG(known.st_mode) and known.st_nlink == 1 and known.st_uid in owners


def _throw_away(path: Path) -> None:
    """Remove a working copy and what SQLite has beside it; links and pipes go, what they lead to stays."""
    for each in (path, *_side_files(path)):
        each.unlink(missing_ok=True)


def _side_files(path: Path) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in SIDE_FILES]


def _job_of(path: Path) -> str | None:
    try:
        with closing(open_for_writing(path)) as connection:
            job = get_meta(connection, "job")
    except NotAKnowledgeBase:
        return None
    return job if isinstance(job, str) else None
