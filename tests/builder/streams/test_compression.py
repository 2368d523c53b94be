"""A file's first bytes tell its compression, the same for every reader of files."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma

import pytest

from builder.streams.compression import OF_TAR, OF_TEXT, Compression, decompressed

PLAIN = b"BZh1 is a file's name"
LETTERS = b"BZhello is text"


@pytest.mark.parametrize("known", [OF_TEXT, OF_TAR])
@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize("content", [b"", b"{}", LETTERS])
def test_first_bytes_tell_the_compression(
    known: tuple[Compression, ...], compress: type[bytes], content: bytes
) -> None:
    with io.BytesIO(compress(content)) as file:
        assert decompressed(file, known).read() == content


def test_xz_is_read_in_archives_only() -> None:
    packed = lzma.compress(b"{}")
    assert decompressed(io.BytesIO(packed), OF_TAR).read() == b"{}"
    assert decompressed(io.BytesIO(packed), OF_TEXT).read() == packed


def test_a_member_of_a_plain_archive_may_have_any_name() -> None:
    assert decompressed(io.BytesIO(PLAIN), OF_TAR).read() == PLAIN


def test_letters_without_the_digit_of_bzip2_are_text() -> None:
    assert decompressed(io.BytesIO(LETTERS), OF_TEXT).read() == LETTERS
