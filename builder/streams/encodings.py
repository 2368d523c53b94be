"""The encoding of a text by its first bytes, or by the label that a page gives it.

>>> text_encoding("Ossay is".encode("utf-16-le")), text_encoding(b"Ossay is")
('utf-16-le', 'utf-8-sig')
"""

from __future__ import annotations

import codecs
import re

from weft.text.normalise import LONE_SURROGATE

HEAD = 32
"""Bytes that tell it, so that the first part of a file is read as all of it is."""
FEWEST_PAIRS = 4
AS_BROWSERS = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
    "utf-16": "utf-8", "utf-16-le": "utf-8", "utf-16-be": "utf-8", "utf-32": "utf-8",
}  # fmt: skip
"""What labels mean to browsers, <https://encoding.spec.whatwg.org/#names-and-labels>: the larger encoding that pages
were written in; where a label can be read, the page is in no UTF-16."""
NO_PAGES = frozenset(("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"))
"""Codecs of Python that no page is written in."""
WINDOWS_1252 = {
    code: shown for code in range(0x80, 0xA0) if (shown := bytes([code]).decode("cp1252", "ignore"))
}  # fmt: skip
"""What Windows-1252 has in the place of the control characters of Latin-1: quotation marks, dashes, the euro sign."""
BEYOND_ASCII = re.compile("[\x80-\ud7ff\ue000-\U0010ffff]")


def text_encoding(data: bytes) -> str:
    """Return the name of UTF-16 where a mark, or zeros at every second place, tell it, else that of UTF-8."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    pairs = min(len(data), HEAD) // 2
    first, second = (data[place : 2 * pairs : 2].count(0) for place in (0, 1))
    # The characters of most European texts have a zero byte; curly quotes and the like do not.
    least = max(FEWEST_PAIRS, 3 * pairs / 4)
    if second >= least and not first:
        return "utf-16-le"
    return "utf-16-be" if first >= least and not second else "utf-8-sig"


def declared_encoding(label: str) -> str | None:
    """Return the encoding that a page means by a label, as browsers read it; None for a label of none.

    >>> declared_encoding("ISO-8859-1"), declared_encoding("utf8"), declared_encoding("hex")
    ('cp1252', 'utf-8', None)
    """
    try:
        codec = codecs.lookup(label)
    except LookupError:
        return None
    if not codec._is_text_encoding or codec.name in NO_PAGES:
        return None
    return AS_BROWSERS.get(codec.name, codec.name)


def is_damaged_utf8(data: bytes) -> bool:
    """Tell whether bytes that are no UTF-8 are it but for a few: no more than there are characters beyond ASCII.

    >>> is_damaged_utf8("Größe".encode() + b"\\xff"), is_damaged_utf8("Größe".encode("cp1252"))
    (True, False)
    """
    text = data.decode("utf-8", "surrogateescape")
    return len(LONE_SURROGATE.findall(text)) <= len(BEYOND_ASCII.findall(text))


def windows_1252(data: bytes) -> tuple[str, str]:
    """Return bytes that are no UTF-8 as Windows-1252, which such texts mostly are, and a note that says so.

    >>> windows_1252(b"\\x93Gr\\xf6\\xdfe\\x94")
    ('“Größe”', 'not UTF-8; read as Windows-1252')
    """
    text = data.decode("latin-1")
    shown = text.translate(WINDOWS_1252)
    return shown, f"not UTF-8; read as {'Latin-1' if shown == text else 'Windows-1252'}"
