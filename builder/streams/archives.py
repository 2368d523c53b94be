"""Tar archives as streams of members; damage of every kind is an error, never taken for the end."""

from __future__ import annotations

import io
import lzma
import posixpath
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

from builder.streams.compression import OF_TAR, decompressed

DAMAGE = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError)
"""What reading a damaged archive or its members raises."""

READS_BEHIND_THE_END = 2
"""tarfile meets the end of a whole archive once or twice; more reads follow a stated size that is false."""
MOST_EXTENSIONS = 10
"""Headers in a row that extend the one of the same member; archivers write three at most."""
MOST_RECORDS = 1000
"""Records of PAX that hold for all members; archivers write a few."""
MOST_EXTENSION = 1 << 15
"""Most bytes of a header that extends another one (a long name, records of PAX); paths have at most 4096."""
SPARSE = "a sparse file of an archive, which is not read; pack it without --sparse"
SPARSE_SIZES = frozenset(("GNU.sparse.size", "GNU.sparse.realsize"))
EXTENSIONS = (
    tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE,
)  # fmt: skip


class Member(NamedTuple):
    """A regular file of an archive, or a hard or symbolic link, to be read before the next one is asked for.

    `problem` is the reason why it cannot be read; `file` is empty then, and for a link.
    """

    place: str
    size: int
    file: IO[bytes]
    problem: str = ""
    is_link: bool = False


class _Bytes:
    """The bytes of an archive; without it tarfile reads on at the end until it has a member's whole stated size."""

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
    """An archive that counts the consecutive headers that only extend the header of a member."""

    extensions = 0


class _MarkedMember(tarfile.TarInfo):
    """A member of an archive that must end with its end mark: tarfile itself takes damage for the end.

    Headers that extend the header of a member are limited, since tarfile reads
    each whole and recurses. Sparse files, which state any size in a few bytes,
    have the size that is stored, and no map.
    """

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> tarfile.TarInfo:  # type: ignore[override]
        assert isinstance(archive, _Archive)
        if archive.extensions > MOST_EXTENSIONS or len(archive.pax_headers) > MOST_RECORDS:
            raise tarfile.ReadError("too many headers extend the header of a member")
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
        member: tarfile.TarInfo = super()._proc_member(archive)  # type: ignore[misc]
        if member.size < 0:
            raise tarfile.ReadError("a member of a negative size")
        return member

    def _proc_sparse(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        """Pass over a sparse file of GNU's own format, whose map may go on in further blocks."""
        _, goes_on, _ = self._sparse_structs  # type: ignore[attr-defined]
        del self._sparse_structs  # type: ignore[attr-defined]
        while goes_on:
            block = archive.fileobj.read(tarfile.BLOCKSIZE)
            if len(block) < tarfile.BLOCKSIZE:
                raise tarfile.ReadError("it ends within a header")
            # The byte of an extension block of GNU's sparse header that tells whether another one follows.
            goes_on = bool(block[504])
        self.sparse = b""
        self.offset_data = archive.fileobj.tell()
        archive.offset = self.offset_data + self._block(self.size)  # type: ignore[attr-defined]
        return self

    def _proc_gnusparse_00(self, member: tarfile.TarInfo, *_: object) -> None:
        member.sparse = b""

    _proc_gnusparse_01 = _proc_gnusparse_10 = _proc_gnusparse_00

    def _apply_pax_info(self, records: Mapping[str, str], encoding: str, errors: str) -> None:
        stored = {key: value for key, value in records.items() if key not in SPARSE_SIZES}
        super()._apply_pax_info(stored, encoding, errors)  # type: ignore[misc]


def members(path: Path) -> Iterator[Member]:
    """Yield an archive's regular files and its links in their order; raise one of DAMAGE where it breaks off.

    Memory holds one header; time is linear in the archive, unpacked.
    """
    with opened(path) as stream, _opened_archive(stream) as archive:
        while (member := archive.next()) is not None:
            # tarfile keeps every member for a search by name: memory would grow with the archive.
            archive.members.clear()  # type: ignore[attr-defined]
            place = _inside(member.name)
            if member.issparse():
                yield Member(place, member.size, io.BytesIO(), SPARSE)
            elif member.issym() or member.islnk():
                yield Member(place, 0, io.BytesIO(), is_link=True)
            elif member.isfile() and (file := archive.extractfile(member)) is not None:
                yield Member(place, member.size, file)
        # Read to the end: the checksum of the compressed file comes last.
        while stream.read(1 << 20):
            pass


def _inside(name: str) -> str:
    """Return a member's path below the root of its archive, where `..` leads no higher.

    >>> _inside("./a.html"), _inside("../a/../b.html"), _inside("/home/c.html")
    ('a.html', 'b.html', 'home/c.html')
    """
    return posixpath.normpath(f"/{name}").lstrip("/")


def is_archive(path: Path) -> bool:
    """Tell whether a file begins as a tar archive does, compressed or not."""
    try:
        with opened(path) as stream, _opened_archive(stream):
            return True
    except DAMAGE:
        return False


def _opened_archive(stream: IO[bytes]) -> tarfile.TarFile:
    return _Archive.open(fileobj=cast(IO[bytes], _Bytes(stream)), mode="r|", tarinfo=_MarkedMember)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a plain, gzip, bzip2 or xz file; its first bytes tell which.

    Raises OSError where it cannot be opened; damage shows in reading only.
    """
    with path.open("rb") as file, decompressed(file, OF_TAR) as stream:
        yield stream
