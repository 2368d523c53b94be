"""Files of kinds that are not read, such as PDF, told by their first bytes.

>>> foreign_kind(b"%PDF-1.7 ...")
'a PDF file; convert it to HTML or text first'
"""

from __future__ import annotations

CONVERT = "convert it to HTML or text first"
SIGNATURES = (
    (b"%PDF-", "a PDF file", CONVERT),
    (b"{\\rtf", "an RTF document", CONVERT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document", CONVERT),
    (b"\x89PNG", "an image", CONVERT),
    (b"\xff\xd8\xff", "an image", CONVERT),
    (b"GIF8", "an image", CONVERT),
    (b"II*\0", "an image", CONVERT),
    (b"MM\0*", "an image", CONVERT),
    (b"PK\x03\x04", "a zip archive", "unpack it first"),
    (b"\x1f\x8b", "a gzip file", "unpack it, or name its format if it is JSON Lines or a dump"),
)
ZIP = b"PK\x03\x04"
NAME = 30
"""Where the name of its first member stands in a zip archive."""
FIRST_MEMBERS = (
    ((b"[Content_Types].xml", b"_rels/", b"docProps/", b"word/", b"xl/", b"ppt/"), "an Office document"),
    ((b"mimetypeapplication/vnd.oasis.opendocument",), "an OpenDocument file"),
    ((b"mimetypeapplication/epub+zip",), "an EPUB book"),
)
"""What the first member of a zip archive that is a document is called; `mimetype` is followed by what it says."""


def foreign_kind(head: bytes) -> str | None:
    """Return what a file is that is not read, and what to do with it, by its first bytes; None for any other."""
    if head.startswith(ZIP):
        for names, kind in FIRST_MEMBERS:
            if head.startswith(names, NAME):
                return f"{kind}; {CONVERT}"
    return next((f"{kind}; {advice}" for sign, kind, advice in SIGNATURES if head.startswith(sign)), None)
