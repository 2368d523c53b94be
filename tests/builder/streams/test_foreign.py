"""Files of kinds that are not read are told by their first bytes, with what to do."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from builder.documents.records import Reject
from builder.readers.registry import ReadOptions, items, parse
from builder.readers.source import Item, Source, format_of
from builder.streams.foreign import CONVERT
from weft.errors import UnreadableSource


def _zip(*members: tuple[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in members:
            archive.writestr(name, text)
    return packed.getvalue()


FILES = {
    "bash.pdf": (b"%PDF-1.7\n%\xb5\xb5\0", f"a PDF file; {CONVERT}"),
    "a.docx": (_zip(("[Content_Types].xml", "<Types/>"), ("word/document.xml", "")), f"an Office document; {CONVERT}"),
    "a.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", f"an Office document; {CONVERT}"),
    "a.odt": (_zip(("mimetype", "application/vnd.oasis.opendocument.text")), f"an OpenDocument file; {CONVERT}"),
    "a.epub": (_zip(("mimetype", "application/epub+zip")), f"an EPUB book; {CONVERT}"),
    "a.rtf": (b"{\\rtf1 Lamp\0}", f"an RTF document; {CONVERT}"),
    "a.png": (b"\x89PNG\r\n\x1a\n\0", f"an image; {CONVERT}"),
    "a.zip": (_zip(("a.html", "<p>Lamp</p>")), "a zip archive; unpack it first"),
    "a.txt.gz": (gzip.compress(b"A lamp."), "a gzip file; unpack it, or name its format if it is JSON Lines or a dump"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_told_at_once_what_it_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    data, kind = FILES[name]
    path.write_bytes(data)
    with pytest.raises(UnreadableSource) as raised:
        format_of(path)
    assert str(raised.value) == f"{path}: it is {kind}"


@pytest.mark.parametrize("name", ["bash.pdf", "a.docx", "a.rtf"])
@pytest.mark.parametrize("form", ["html", "text"])
def test_saying_its_format_tells_it_too(tmp_path: Path, form: str, name: str) -> None:
    path = tmp_path / name
    data, kind = FILES[name]
    path.write_bytes(data)
    (item,) = items(Source(name, form, path), ReadOptions())
    assert isinstance(item, Item)
    kind_of_text = {"html": "HTML", "text": "text"}[form]
    assert parse((form, item)) == Reject(name, f"not {kind_of_text}: it is {kind}")
