"""`KB.skb.part`: where a build works until one atomic replace makes it the SKB."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from builder.lock import exclusive
from weft.errors import NotAKnowledgeBase, OldSchema, UnreadableSource
from weft.meta import delete_meta, get_meta, set_meta
from weft.schema import create, open_for_writing, open_skb


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
                path.unlink()
                raise NotAKnowledgeBase(
                    f"{output}: it, or what a stopped build of it left, is damaged ({error});"
                    f" try again, and remove {output.name} if that fails"
                ) from error
            delete_meta(connection, "job")
            connection.commit()
        if part.keep:
            _sync(path)
            os.replace(path, output)
        else:
            path.unlink()


def real_output(output: Path) -> Path:
    """Return where an SKB is written, links followed; raise NotAKnowledgeBase for a folder or a link to nowhere."""
    if output.is_symlink():
        output = Path(os.path.realpath(output))
        if output.is_symlink():
            raise NotAKnowledgeBase(f"{output}: a link that leads back to itself; remove it")
    if output.is_dir():
        raise NotAKnowledgeBase(f"{output}: is a folder, not a knowledge base; name a file")
    return output


def open_skb_of_any_version(path: Path) -> None:
    """Raise NotAKnowledgeBase unless `path` is an SKB of this or an earlier version."""
    with suppress(OldSchema):
        open_skb(path).close()


def _prepare(path: Path, output: Path, job: str) -> tuple[bool, tuple[str, ...]]:
    notes: tuple[str, ...] = ()
    if path.exists():
        if _job_of(path) == job:
            return True, ()
        notes = (f"{path}: what another job, stopped before its end, had done so far was thrown away",)
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
    return False, notes


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
