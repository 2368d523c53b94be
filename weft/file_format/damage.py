"""Tell an error that a damaged file causes from a mistake of Weft's own."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from traceback import walk_tb

from weft.errors import NotAKnowledgeBase, WeftError
from weft.file_format.checksums import differences, edit_of
from weft.file_format.structure import ADVICE

CERTAIN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""What SQLite says of pages that it cannot read."""

SURROUNDINGS = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT,
}  # fmt: skip
"""What SQLite says of disks, of memory and of other programs."""

OWN = {"weft", "builder", "retriever", "interfaces"}
"""The packages of Weft."""


def may_be_damage(error: BaseException | None) -> bool:
    """Tell whether what a file holds may have caused an error: any but a user's mistake and what the system refuses."""
    if not isinstance(error, Exception) or isinstance(error, (WeftError, OSError, MemoryError)):
        return False
    return _code(error) not in SURROUNDINGS


def is_certain(error: BaseException | None) -> bool:
    """Tell whether SQLite itself found that what it reads is damaged."""
    return error is not None and _code(error) in CERTAIN


def damage_behind_use(error: BaseException | None, path: Path) -> NotAKnowledgeBase | None:
    """Return what to raise in place of an error that ended the use of an SKB by any program; None where it stands.

    A mistake of the program itself, which did not come up within Weft, is never
    the file's, and the file is not read for it. An error of SQLite that did not
    come up within Weft may be that of another database, so it is the file's only
    where the file differs from what was built.
    """
    if error is None:
        return None
    modules = [frame.f_globals.get("__name__", "").partition(".")[0] for frame, _ in walk_tb(error.__traceback__)]
    within = bool(OWN.intersection(modules))
    if not within and not isinstance(error, (sqlite3.DatabaseError, UnicodeError)):
        return None
    return damage_behind(error, path, by_weft=bool(modules) and modules[0] in OWN, within=within)


def damage_behind(
    error: BaseException | None, path: Path, *, by_weft: bool = True, within: bool = True
) -> NotAKnowledgeBase | None:
    """Return what to raise in place of an error that came up while an SKB was used; None where it is not to blame.

    The file is to blame when it is not, byte for byte, what was built; that is
    read only after an error. Where another program changed it, which its
    checksums tell from damage, it is to blame for what Weft's own commands
    come upon, not for what others ask of it. `within` tells whether the error
    came up within Weft, so that what SQLite says is said of this file. A file
    that cannot be opened any more is to blame for nothing.
    """
    if error is None or not may_be_damage(error):
        return None
    certain = within and is_certain(error)
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    try:
        edit = edit_of(path)
        if edit and not certain:
            return NotAKnowledgeBase(f"{path}: cannot be read ({reason}); {edit}; {ADVICE}") if by_weft else None
        found = edit or next(differences(path), None)
    except NotAKnowledgeBase as worse:
        return worse
    except (OSError, sqlite3.Error):
        return None
    if found is None and not certain:
        return None
    return NotAKnowledgeBase(f"{path}: damaged ({reason}){'; ' + found if found else ''}; {ADVICE}")


def _code(error: BaseException) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
