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


class Member(NamedTuple):
    """A regular file of an archive, to be read before the next one is asked for."""

    place: str
    size: int
    file: IO[bytes]


class _MarkedMember(tarfile.TarInfo):
    """A member of an archive that must end with its end mark: tarfile itself takes damage for the end."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> tarfile.TarInfo:  # type: ignore[override]
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from error


def members(path: Path) -> Iterator[Member]:
    """Yield an archive's regular files in their order; raise one of DAMAGE where it breaks off."""
    with (
        opened(path) as stream,
        tarfile.open(fileobj=stream, mode="r|", tarinfo=_MarkedMember) as archive,
    ):
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                yield Member(PurePosixPath(member.name).as_posix().lstrip("/"), member.size, file)
        # The check sum stands at the end.
        while stream.read(1 << 20):
            pass


def opened(path: Path) -> IO[bytes]:
    """Open a plain, gzip, bzip2 or xz file; its first bytes say which it is."""
    with path.open("rb") as file:
        head = file.read(10)
    unpack = next((each for sign, each in UNPACKERS if sign.match(head)), open)
    return cast(IO[bytes], unpack(path, "rb"))
