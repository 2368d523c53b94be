"""Tar archives as streams of members, where every kind of damage is an error and none an early end."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import tarfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple, cast

DAMAGE = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError)
"""What reading a damaged archive or its members raises."""

UNPACKERS: tuple[tuple[re.Pattern[bytes], Callable[..., Any]], ...] = (
    (re.compile(rb"\x1f\x8b"), gzip.open),
    # A member's name may begin with the letters alone.
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), bz2.open),
    (re.compile(rb"\xfd7zXZ\0"), lzma.open),
)


READS_BEHIND_THE_END = 2
MOST_EXTENSIONS = 10
MOST_RECORDS = 1000
MOST_EXTENSION = 1 << 15
"""The bytes of a header that extends another one: a long name, or records of PAX."""
EXTENSIONS = (
    tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE,
)  # fmt: skip


class Member(NamedTuple):
    """A regular file of an archive, to be read before the next one is asked for."""

    place: str
    size: int
    file: IO[bytes]


class _Bytes:
    """The bytes of an archive; tarfile would look for a member's announced end far behind the last of them."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._reads_behind_the_end = 0

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes; raise EOFError where the end is read on and on."""
        data = self._file.read(size)
        if not data:
            self._reads_behind_the_end += 1
            if self._reads_behind_the_end > READS_BEHIND_THE_END:
                raise EOFError("it ends within a member")
        return data


class _Archive(tarfile.TarFile):
    """An archive that counts the headers in a row that only extend a member's own."""

    extensions = 0


class _MarkedMember(tarfile.TarInfo):
    """A member of an archive that must end with its end mark: tarfile itself takes damage for the end.

    What extends a member's header is limited, since tarfile reads it whole and
    calls itself for each; sparse files, which announce any size in a few bytes,
    are not read.
    """

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> tarfile.TarInfo:  # type: ignore[override]
        assert isinstance(archive, _Archive)
        if archive.extensions > MOST_EXTENSIONS or len(archive.pax_headers) > MOST_RECORDS:
            raise tarfile.ReadError("too many headers extend a member's")
        archive.extensions += 1
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except (tarfile.HeaderError, ValueError) as error:
            raise tarfile.ReadError(" ".join(str(error).split())[:200]) from error
        finally:
            archive.extensions -= 1

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.size < 0:
            raise tarfile.ReadError("a member of a negative size")
        if self.type in EXTENSIONS and self.size > MOST_EXTENSION:
            raise tarfile.ReadError(f"a header of {self.size:,} bytes, the limit is {MOST_EXTENSION:,}")
        if self.type == tarfile.GNUTYPE_SPARSE:
            raise tarfile.ReadError("a sparse file")
        member: tarfile.TarInfo = super()._proc_member(archive)  # type: ignore[misc]
        if member.size < 0 or member.issparse():
            raise tarfile.ReadError("a sparse file or a negative size")
        return member


def members(path: Path) -> Iterator[Member]:
    """Yield an archive's regular files in their order; raise one of DAMAGE where it breaks off.

    Memory holds one header; time is linear in the archive, unpacked.
    """
    with opened(path) as stream, _opened_archive(stream) as archive:
        while (member := archive.next()) is not None:
            # They are kept for names to be found; here nothing is.
            archive.members.clear()  # type: ignore[attr-defined]
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                yield Member(PurePosixPath(member.name).as_posix().lstrip("/"), member.size, file)
        # The check sum stands at the end.
        while stream.read(1 << 20):
            pass


def is_archive(path: Path) -> bool:
    """Tell whether a file begins as a tar archive does, packed or not."""
    try:
        with opened(path) as stream, _opened_archive(stream):
            return True
    except DAMAGE:
        return False


def _opened_archive(stream: IO[bytes]) -> tarfile.TarFile:
    return _Archive.open(fileobj=cast(IO[bytes], _Bytes(stream)), mode="r|", tarinfo=_MarkedMember)


def opened(path: Path) -> IO[bytes]:
    """Open a plain, gzip, bzip2 or xz file; its first bytes say which it is."""
    with path.open("rb") as file:
        head = file.read(10)
    unpack = next((each for sign, each in UNPACKERS if sign.match(head)), open)
    return cast(IO[bytes], unpack(path, "rb"))
