"""`KB.skb.part`: where a build works until one atomic replace makes it the SKB."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from builder.storage.leftover import check_copy, copy_afresh, throw_away, why_not_resumed
from builder.storage.lock import exclusive
from weft.errors import DiskFull, NotAKnowledgeBase, OldSchema, UnreadableSource, WeftError
from weft.file_format.checksums import differences, was_changed, write_checksums
from weft.file_format.damage import damage_behind, is_certain, may_be_damage
from weft.file_format.header import SCHEMA_VERSION, read_header
from weft.file_format.structure import ADVICE
from weft.meta import delete_meta
from weft.output_file import DISK_FULL, put_in_place, real_path
from weft.schema import open_for_writing, open_skb

UNWRITABLE = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
"""SQLite's error codes where its file, or the journal beside it, cannot be written."""


@dataclass
class WorkingCopy:
    """A working copy, and what becomes of it.

    `resumed`: it is a stopped build's; `notes`: lines for the
    user; `outdated`: the SKB is to be written anew even where nothing changed,
    since it has an old schema, or no checksums that hold; set `keep` to False
    to leave the SKB as it is.
    """

    connection: sqlite3.Connection
    resumed: bool
    notes: tuple[str, ...]
    outdated: bool = False
    keep: bool = True


@contextmanager
def working_copy(output: Path, job: str, *, must_exist: bool = False) -> Iterator[WorkingCopy]:
    """Give a writing connection under the lock; on success put the result in place of `output`.

    `job` names what is being done: only the same job on the same SKB resumes a
    stopped build, so that half of one is never mixed into another.
    On an error the working copy stays for the next run, which a note of the error
    says, unless damage caused it or it holds nothing yet.
    A damaged SKB is never replaced by what was derived from it. Raises
    NotAKnowledgeBase for one, UnreadableSource where the folder is missing,
    BeingBuilt, DiskFull, and WeftError where the copy cannot be written.
    """
    output = real_output(output)
    if not output.parent.is_dir():
        raise UnreadableSource(f"{output.parent}: no such folder to write {output.name} to")
    with _refusals(output), exclusive(output):
        path = output.with_name(output.name + ".part")
        outdated = None
        if must_exist or output.exists():
            open_skb_of_any_version(output)
            outdated = _why_outdated(output)
        resumed, notes = _prepare(path, output, job)
        with closing(open_for_writing(path)) as connection, _Suspicion(connection, path, output, resumed):
            if outdated and not resumed:
                check_copy(connection, output)
            part = WorkingCopy(connection, resumed, (*notes, *([outdated] if outdated else ())), bool(outdated))
            with _told_of(connection, path, resumed):
                yield part
            if part.keep:
                _refuse_damaged(output, path)
                _compact(connection)
                delete_meta(connection, "job")
                delete_meta(connection, "copied_from")
                write_checksums(connection, path)
        if part.keep:
            put_in_place(path, output)
        else:
            throw_away(path)


@contextmanager
def _told_of(connection: sqlite3.Connection, path: Path, resumed: bool) -> Iterator[None]:
    """Throw away a new working copy where an error came before any work, and note on any other error that it stays."""
    begun = connection.total_changes
    try:
        yield
    except WeftError as error:
        if resumed or connection.total_changes > begun:
            error.add_note(f"{path.name} keeps what was done until then, and the same command goes on from there")
        else:
            connection.close()
            throw_away(path)
        raise


def _compact(connection: sqlite3.Connection) -> None:
    """Rebuild a file of which a quarter and more are free pages; a full disk leaves it as it is, whole."""
    connection.commit()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    # VACUUM copies the whole file, which is not worth it for fewer free pages.
    if free * 4 < pages:
        return
    try:
        connection.execute("VACUUM")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_FULL:
            raise


def real_output(output: Path) -> Path:
    """Return where an SKB is written, links followed; raise WeftError for what is no file, or a link to itself."""
    real = real_path(output)
    if output.is_dir():
        raise NotAKnowledgeBase(f"{output}: is a folder, not a knowledge base; name a file")
    if output.exists() and not output.is_file():
        raise NotAKnowledgeBase(f"{output}: is a device or a pipe, not a knowledge base; name a file")
    return real


def open_skb_of_any_version(path: Path) -> None:
    """Raise NotAKnowledgeBase unless `path` is an SKB of this or an earlier version."""
    with suppress(OldSchema):
        open_skb(path).close()


def _why_outdated(output: Path) -> str | None:
    """Return why an SKB must be written again even if no source changed; None where it need not be."""
    version = read_header(output).version
    if version < SCHEMA_VERSION:
        return f"{output}: brought from schema version {version} to {SCHEMA_VERSION}"
    with closing(open_skb(output)) as connection:
        changed = was_changed(connection, output)
    return changed and f"{output}: {changed}; new ones are written"


def _prepare(path: Path, output: Path, job: str) -> tuple[bool, tuple[str, ...]]:
    """Make the working copy, or find it; return whether a stopped build is resumed, and notes."""
    notes: tuple[str, ...] = ()
    if os.path.lexists(path):
        wrong = why_not_resumed(path, output, job)
        if wrong is None:
            return True, ()
        notes = (f"{path}: {wrong}",)
    throw_away(path)
    copy_afresh(path, output, job)
    return False, notes


def _refuse_damaged(output: Path, path: Path) -> None:
    """Raise NotAKnowledgeBase where the SKB that the working copy was made of is damaged."""
    if not output.exists() or _why_outdated(output):
        return
    found = next(differences(output), None)
    if found is not None:
        throw_away(path)
        raise NotAKnowledgeBase(f"{output}: damaged, and left as it is: {found}; {ADVICE}")


class _Suspicion:
    """Attributes errors that damage explains to the file behind the working copy, and deletes the copy.

    A copy that was just made stays where the SKB is whole; one that a stopped
    build left does not, since nothing vouches for each of its bytes.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, output: Path, resumed: bool) -> None:
        self.connection, self.path, self.output, self.resumed = connection, path, output, resumed

    def __enter__(self) -> None:
        """Watch a block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not may_be_damage(error):
            return
        self.connection.close()
        blame = damage_behind(error, self.output) if self.output.exists() else None
        if blame is not None or self.resumed or is_certain(error):
            # Another attempt must not go on from it.
            throw_away(self.path)
        if blame is not None:
            raise blame from error
        if self.resumed:
            raise NotAKnowledgeBase(
                f"{self.path}: what a stopped build left is damaged ({type(error).__name__}: {error});"
                " it was thrown away, so run the same command again"
            ) from error


@contextmanager
def _refusals(output: Path) -> Iterator[None]:
    """Turn a full disk, and a folder that cannot be written, into one line; the SKB is as it was."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # The low byte of an extended error code is the primary one.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise _disk_full(output, error) from error
        if code not in UNWRITABLE:
            raise
        raise WeftError(
            f"{output}: its working copy {output.name}.part cannot be written ({error}): see whether its folder is"
            " still there, and whether a file may grow so large; the knowledge base is unchanged"
        ) from error
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise _disk_full(output, error) from error


def _disk_full(output: Path, error: Exception) -> DiskFull:
    return DiskFull(
        f"{output}: the disk is full ({error}); the knowledge base is unchanged:"
        " free space and run the same command again to go on"
    )
