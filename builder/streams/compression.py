"""Compressed files: which compression a file's first bytes say it has, whatever its name, and its bytes without it.

>>> import io
>>> with decompressed(io.BytesIO(gzip.compress(b"plain"))) as file:
...     file.read()
b'plain'
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections.abc import Callable
from typing import IO, Any, NamedTuple, cast

HEAD_BYTES = 10


class Compression(NamedTuple):
    """How a compressed file begins, and what reads it; closing the reader leaves the file itself open."""

    signature: re.Pattern[bytes]
    reader: Callable[[IO[bytes]], Any]


GZIP = Compression(re.compile(rb"\x1f\x8b"), lambda file: gzip.GzipFile(fileobj=file))
BZIP2 = Compression(re.compile(rb"BZh[0-9]"), bz2.BZ2File)
XZ = Compression(re.compile(rb"\xfd7zXZ\0"), lzma.LZMAFile)

OF_TEXT = (GZIP, BZIP2)
"""Compressions of lines and of XML."""
# A plain archive begins with its first member's name, which may be "BZh1": the header of a block must follow.
OF_TAR = (GZIP, BZIP2._replace(signature=re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")), XZ)
"""Compressions of tar archives."""


def compression_of(file: IO[bytes], known: tuple[Compression, ...] = OF_TEXT) -> Compression | None:
    """Return the compression of a file, None for a plain one; `file` must be seekable and is left at its beginning."""
    head = file.read(HEAD_BYTES)
    file.seek(0)
    return next((each for each in known if each.signature.match(head)), None)


def decompressed(file: IO[bytes], known: tuple[Compression, ...] = OF_TEXT) -> IO[bytes]:
    """Return a reader of a file's decompressed bytes, for a plain one the file itself.

    Reading a damaged file raises EOFError, OSError, zlib.error or lzma.LZMAError.
    """
    compression = compression_of(file, known)
    return cast(IO[bytes], compression.reader(file)) if compression else file
