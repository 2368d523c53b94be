"""`KB.skb.part`: where a build works until one atomic replace makes it the SKB."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from builder.lock import exclusive
from weft.errors import NotAKnowledgeBase, UnreadableSource
from weft.meta import delete_meta, get_meta, set_meta
from weft.schema import create, open_for_writing, open_skb


class Part(NamedTuple):
    """A working copy: its connection, and whether it goes on from a stopped build."""

    connection: sqlite3.Connection
    resumed: bool


class _Unchanged(Exception):
    """Leave the SKB as it is."""


def leave_unchanged() -> None:
    """End the writing of `working_copy` without replacing the SKB."""
    raise _Unchanged


@contextmanager
def working_copy(output: Path, job: str, *, must_exist: bool = False) -> Iterator[Part]:
    """Give a writing connection under the lock; on success put the result in place of `output`.

    `job` names what is being done: a stopped build is gone on with only by the
    same job, so that half of one is never mixed into another. On an error the
    working copy stays for the next run.
    """
    if not output.parent.is_dir():
        raise UnreadableSource(f"{output.parent}: no such folder to write {output.name} to")
    with exclusive(output):
        path = output.with_name(output.name + ".part")
        if must_exist or output.exists():
            open_skb_of_any_version(output)
        resumed = _prepare(path, output, job)
        with closing(open_for_writing(path)) as connection:
            try:
                yield Part(connection, resumed)
            except _Unchanged:
                connection.close()
                path.unlink()
                return
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
                    raise
                # Another attempt must not go on from it.
                connection.close()
                path.unlink()
                raise NotAKnowledgeBase(
                    f"{output}: it, or what a stopped build of it left, is damaged ({error});"
                    f" try again, and remove {output.name} if that fails"
                ) from error
            delete_meta(connection, "job")
            connection.commit()
        _sync(path)
        os.replace(path, output)


def open_skb_of_any_version(path: Path) -> None:
    """Raise NotAKnowledgeBase unless `path` is an SKB of this or an earlier version."""
    try:
        open_skb(path).close()
    except NotAKnowledgeBase as error:
        if "is old" not in str(error):
            raise


def _prepare(path: Path, output: Path, job: str) -> bool:
    if path.exists():
        if _job_of(path) == job:
            return True
        path.unlink()
        path.with_name(path.name + "-journal").unlink(missing_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    if output.exists():
        shutil.copyfile(output, fresh)
    else:
        create(fresh).close()
    with closing(open_for_writing(fresh)) as connection:
        set_meta(connection, "job", job)
        connection.commit()
    os.replace(fresh, path)
    return False


def _job_of(path: Path) -> str | None:
    try:
        with closing(open_for_writing(path)) as connection:
            job = get_meta(connection, "job")
    except NotAKnowledgeBase:
        return None
    return job if isinstance(job, str) else None


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
