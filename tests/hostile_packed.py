"""Hostile containers: tar, gzip, bzip2, XML dumps, pickles and the archives that torch writes."""

# ruff: noqa: E501 (a row of the table is a line)

from __future__ import annotations

import bz2
import gzip
import io
import pickle
import struct
import tarfile
import zipfile
from collections.abc import Callable
from typing import Any

from tests.hostile_markup import text
from tests.hostile_readers import built, built_as, built_facts, read_pickle, read_stark_nodes, read_tensor_file

Make = Callable[[int], bytes]
OPENED = "<mediawiki><siteinfo></siteinfo>"
ARTICLE = "<page><title>A</title><ns>0</ns><revision><model>wikitext</model><text>Words.</text></revision></page>"
HTML = b"<h1>A</h1><p>A word.</p>"


def _tar(name: str, size: int, make: Make, memory_mb: float = 64) -> tuple[Any, ...]:
    return f"tar: {name}", "a.tar", size, make, built, memory_mb


def _xml(name: str, size: int, make: Make, file: str = "a.xml") -> tuple[Any, ...]:
    return f"xml: {name}", file, size, make, built_as("wikitext"), 64


def _pickle(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"pickle: {name}", "a.pkl", size, make, read_pickle, 64


def _tensor(name: str, size: int, make: Make) -> tuple[Any, ...]:
    return f"tensor: {name}", "a.pt", size, make, read_tensor_file, 64


def member(name: str, data: bytes = b"", **fields: Any) -> bytes:
    """Return a member of a tar archive, whose header may say anything."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    form = fields.pop("format", tarfile.GNU_FORMAT)
    for key, value in fields.items():
        setattr(info, key, value)
    return info.tobuf(form) + data + b"\0" * (-len(data) % 512)


def sparse_member(data: bytes, blocks: int = 0) -> bytes:
    """Return the sparse file `b.html` in GNU's own format, its map followed by further blocks of it."""
    header = bytearray(member("b.html", data, type=tarfile.GNUTYPE_SPARSE)[:512])
    header[386:410] = b"%011o\0%011o\0" % (4096, len(data))
    header[482] = blocks > 0
    header[483:495] = b"%011o\0" % (4096 + len(data))
    header[148:156] = b"%06o\0 " % (sum(header[:148]) + sum(header[156:]) + 256)
    more = b"".join(b"\0" * 504 + bytes([number < blocks]) + b"\0" * 7 for number in range(1, blocks + 1))
    return bytes(header) + more + data + b"\0" * (-len(data) % 512)


END = b"\0" * 1024
GOOD = member("a.html", HTML)


def _sized(n: int) -> bytes:
    """Return a member whose header tells a size that it has not."""
    return GOOD + member("b.html", HTML, size=10**15 * n) + END


def _pax(n: int, key: str, value: str) -> bytes:
    return GOOD + member("b.html", HTML, pax_headers={key: value * n}, format=tarfile.PAX_FORMAT) + END


def _raw_header(kind: bytes, data: bytes) -> bytes:
    return member("././@LongLink", data, type=kind)


def _negative(n: int) -> bytes:
    data = bytearray(member("b.html", HTML))
    data[124:136] = b"\xff" * 12
    data[148:156] = b"%06o\0 " % (sum(data[:148]) + sum(data[156:512]) + 256)
    return (GOOD + bytes(data)) * n + END


def _sparse(n: int) -> bytes:
    """Return members of a few bytes that say to be sparse files of terabytes."""
    headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "c.html",
               "GNU.sparse.realsize": str(10**13)}  # fmt: skip
    data = b"1\n0\n10000000000000\n".ljust(512, b"\0")
    return GOOD + member("b.html", data, pax_headers=headers, format=tarfile.PAX_FORMAT) * n + END


def _in_gzip(data: Make) -> Make:
    return lambda n: gzip.compress(data(n), 1, mtime=0)


def _in_bzip2(data: bytes) -> Make:
    """Return a maker of a file of equal streams, which is one line where the data is one without an end."""
    stream = bz2.compress(data)
    return lambda n: stream * n


def _members(n: int) -> bytes:
    return b"".join(gzip.compress(b"", 1, mtime=0) for _ in range(n)) + gzip.compress(_line("B"), mtime=0)


def _line(object_: str) -> bytes:
    return f"<http://f.example/resource/Lamp> <http://f.example/ontology/made> <http://f.example/resource/{object_}> .\n".encode()


def _zip(description: bytes, numbers: bytes = b"", compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression, compresslevel=1) as archive:
        archive.writestr("a/data.pkl", description)
        archive.writestr("a/data/0", numbers)
    return file.getvalue()


def _tensor_of(numbers: int, size: str, stride: str) -> bytes:
    """Return the pickle of a tensor of 8-byte numbers."""
    storage = f"(Vstorage\nctorch\nLongStorage\nV0\nVcpu\nI{numbers}\ntQ"
    return f"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n({storage}I0\n({size}t({stride}tI00\nccollections\nOrderedDict\n)RtR.".encode("latin-1")


def _shared_lists(n: int) -> bytes:
    value: Any = ["a"]
    for _ in range(n):
        value = [value, value]
    return pickle.dumps({0: {"name": "A", "details": value}}, 2)


def _shared_records(n: int) -> bytes:
    value: Any = {"a": "b"}
    for _ in range(n):
        value = {"x": value, "y": value}
    return pickle.dumps({0: {"name": "A", "details": value}}, 2)


def _frame(opcode: bytes, form: str, length: int) -> Make:
    return lambda n: b"\x80\x05" + (opcode + struct.pack(form, length) + b"a") * n + b"."


ROWS: tuple[tuple[Any, ...], ...] = (
    _tar("a size that no disk has", 1, _sized),
    _tar("negative sizes", 1000, _negative),
    _tar("tiny members", 500, lambda n: b"".join(member(f"{k}.txt", b"a") for k in range(n)) + GOOD + END),
    _tar("tiny pages", 47, lambda n: b"".join(member(f"{k}.html", HTML) for k in range(n)) + END),
    _tar("members of one name", 50, lambda n: GOOD * n + END),
    _tar("a deep name", 100_000, lambda n: GOOD + member("a/" * n + "b.html", HTML) + END),
    _tar("long names after each other", 2000, lambda n: GOOD + _raw_header(b"L", b"a" * 600) * n + GOOD + END),
    _tar("a huge header of a long name", 1, lambda n: GOOD + member("././@LongLink", b"a", type=b"L", size=10**13) + END),
    _tar("a huge PAX header", 100_000, lambda n: _pax(n, "comment", "a")),
    _tar("a PAX header that tells a size that it has not", 1, lambda n: GOOD + member("./PaxHeaders", b"9 a=b\n", type=b"x", size=10**13) + END),
    _tar("many PAX records", 10_000, lambda n: GOOD + _raw_header(b"x", b"".join(b"%d k=v\n" % 6 for k in range(n))) + GOOD + END),
    _tar("a PAX record of many digits", 100_000, lambda n: GOOD + _raw_header(b"x", b"1" * n + b" a=b\n") + GOOD + END),
    _tar("PAX headers after each other", 2000, lambda n: GOOD + _raw_header(b"x", b"6 k=v\n") * n + GOOD + END),
    _tar("global PAX headers", 2000, lambda n: GOOD + b"".join(_raw_header(b"g", b"%d k%08d=v\n" % (14, k)) for k in range(n)) + GOOD + END),
    _tar("sparse members", 300, _sparse),
    _tar("links in a circle", 370, lambda n: (member("a.html", type=b"1", linkname="b.html") + member("b.html", type=b"1", linkname="a.html")) * n + GOOD + END),
    _tar("zeros", 1, lambda n: GOOD + b"\0" * 512 * 2000 * n),
    _tar("a bomb", 20, _in_gzip(lambda n: GOOD + member("b.html", b"\0" * 10**6 * n) + END)),
    ("gzip: members", "f.nt.gz", 1500, _members, built_facts, 64),
    ("gzip: garbage behind the end", "f.nt.gz", 10**6, lambda n: gzip.compress(_line("B"), mtime=0) + b"a" * n, built_facts, 64),
    ("gzip: zeros behind the end", "f.nt.gz", 61_000, lambda n: gzip.compress(_line("B"), mtime=0) + b"\0" * n, built_facts, 64),
    ("gzip: a bomb of one line of facts", "f.nt.gz", 20, _in_gzip(lambda n: b"a" * 10**6 * n), built_facts, 64),
    ("gzip: a bomb of one line of records", "r.jsonl.gz", 20, _in_gzip(lambda n: b'{"title": "A", "text": "A"}\n{"' + b"a" * 10**6 * n), built, 64),
    ("gzip: a bomb of blank lines", "f.nt.gz", 1, _in_gzip(lambda n: b"\n" * 20_000 * n), built_facts, 64),
    ("bzip2: streams", "f.nt.bz2", 2000, lambda n: bz2.compress(b"") * n + bz2.compress(_line("B")), built_facts, 64),
    ("bzip2: garbage behind the end", "f.nt.bz2", 10**6, lambda n: bz2.compress(_line("B")) + b"a" * n, built_facts, 64),
    ("bzip2: a bomb of one line of facts", "f.nt.bz2", 10, _in_bzip2(b"a" * 10**6), built_facts, 64),
    _xml("text without tags", 2_000_000, text("", "aaa"), "a.xml.gz"),
    _xml("packed text without tags", 4_000_000, _in_gzip(text("", "aaa")), "a.xml.gz"),
    _xml("a tag that is not closed", 1_000_000, text(OPENED + ARTICLE + "<a ", "b='c' ")),
    _xml("a tag of many attributes", 20_000, text(OPENED + ARTICLE + "<a ", "b№='c' ", "></a></mediawiki>")),
    _xml("an attribute without end", 4_000_000, text(OPENED + ARTICLE + "<redirect title='", "aaaa")),
    _xml("a comment that is not closed", 4_000_000, text(OPENED + ARTICLE + "<!-- ", "aaaa")),
    _xml("deep elements", 80_000, text(OPENED + ARTICLE, "<a>")),
    _xml("tiny elements", 38_000, text(OPENED + ARTICLE, "<a/>", "</mediawiki>")),
    _xml("tiny pages", 83, text(OPENED, ARTICLE, "</mediawiki>")),
    _xml("redirects", 340, text(OPENED + ARTICLE, "<page><title>R №</title><ns>0</ns><redirect title='A'/><revision><text>a</text></revision></page>", "</mediawiki>")),
    _xml("revisions of a page", 4200, text(OPENED + ARTICLE[:-7], "<revision><text>Words №.</text></revision>", "</page></mediawiki>")),
    _xml("a title without end", 1_000_000, text(OPENED + ARTICLE + "<page><title>", "aaaa")),
    _xml("a text without end", 3_000_000, text(OPENED + ARTICLE + "<page><title>B</title><revision><text>", "aaaa")),
    _xml("namespaces", 7000, text("<mediawiki><siteinfo><namespaces>", "<namespace key='№'>N№</namespace>", f"</namespaces></siteinfo>{ARTICLE}</mediawiki>")),
    _xml("entities in entities", 1, lambda n: ("<!DOCTYPE mediawiki [<!ENTITY a 'aaaaaaaaaa'>" + "".join(f"<!ENTITY {chr(98 + k)} '{('&' + chr(97 + k) + ';') * 10}'>" for k in range(5 + n)) + f"]><mediawiki>{ARTICLE.replace('Words', '&g;')}</mediawiki>").encode()),
    _xml("entities", 30_000, text(OPENED + ARTICLE[:ARTICLE.index('</text>')], "&amp;&#65;", "</text></revision></page></mediawiki>")),
    _pickle("a place in the memo", 1, lambda n: b"\x80\x02}r" + struct.pack("<I", 2**26 * n) + b"."),
    _pickle("nested tuples", 10_000, lambda n: b"\x80\x02)" + b"\x85" * n + b"."),
    _pickle("nested lists", 10_000, lambda n: b"\x80\x02" + b"]" * n + b"a" * (n - 1) + b"."),
    _pickle("marks", 100_000, lambda n: b"\x80\x02" + b"(" * n + b"."),
    _pickle("bytes that are not there", 1, _frame(b"\x8e", "<Q", 10**13)),
    _pickle("a text that is not there", 1, _frame(b"\x8d", "<Q", 10**13)),
    _pickle("a byte array that is not there", 1, _frame(b"\x96", "<Q", 10**10)),
    _pickle("a frame that is not there", 1, _frame(b"\x95", "<Q", 10**13)),
    _pickle("a long number", 20_000, lambda n: b"\x80\x02\x8b" + struct.pack("<I", n) + b"\x7f" * n + b"."),
    _pickle("a long number in digits", 100_000, lambda n: b"\x80\x02L" + b"1" * n + b"L\n."),
    _pickle("a line of a name", 1_000_000, lambda n: b"\x80\x02c" + b"a" * n + b"\nb\n."),
    _pickle("extensions", 1000, lambda n: b"\x80\x02" + b"\x82\x01" * n + b"."),
    _pickle("calls of a number", 13_000, lambda n: b"\x80\x02" + b"cbuiltins\nint\n)R0" * n + b"N."),
    _pickle("byte strings of a given length", 1, lambda n: b"\x80\x02cbuiltins\nbytearray\nI999999999\n\x85R."),
    _pickle("lists of bytes doubled", 7, lambda n: b"\x80\x02(K\x01K\x01t" + b"2\x86" * n + b"."),
    ("stark: lists that are shared", "a.pkl", 25, _shared_lists, read_stark_nodes, 64),
    ("stark: records that are shared", "a.pkl", 25, _shared_records, read_stark_nodes, 64),
    ("stark: nested lists", "a.pkl", 20_000, lambda n: b"\x80\x02}K\x00}X\x01\0\0\0a" + b"]" * n + b"a" * (n - 1) + b"ss.", read_stark_nodes, 64),
    ("stark: tags that are not closed", "a.pkl", 20_000, lambda n: pickle.dumps({0: {"name": "A", "abstract": "<a " * n}}), read_stark_nodes, 64),
    ("stark: comments that are not closed", "a.pkl", 6200, lambda n: pickle.dumps({0: {"name": "A", "abstract": "<!--" * n}}), read_stark_nodes, 64),
    ("stark: blanks", "a.pkl", 100_000, lambda n: pickle.dumps({0: {"name": "A", "abstract": "a" + " \n" * n}}), read_stark_nodes, 64),
    ("stark: a record of many keys", "a.pkl", 5000, lambda n: pickle.dumps({0: {"name": "A", "details": {"x": {f"k{k}": "v" for k in range(n)}}}}), read_stark_nodes, 64),
    _tensor("a description that is a bomb", 5, lambda n: _zip(b"\x80\x02" + b"N0" * 5 * 10**5 * n + b"N.")),
    _tensor("numbers that are a bomb", 20, lambda n: _zip(_tensor_of(10**6, "I5\n", "I1\n"), b"\0" * 10**6 * n)),
    _tensor("a huge shape of no numbers", 1, lambda n: _zip(_tensor_of(1, "I0\nI99999999999\nI99999999999\n", "I1\nI1\nI1\n"), b"\0" * 8)),
    _tensor("a shape over one number", 1, lambda n: _zip(_tensor_of(1, "I9999999\n", "I0\n"), b"\0" * 8)),
    _tensor("a shape of many dimensions", 1000, lambda n: _zip(_tensor_of(1, "I1\n" * n, "I1\n" * n), b"\0" * 8)),
    _tensor("entries of an archive", 500, lambda n: _zipped_entries(n)),
)  # fmt: skip


def _zipped_entries(n: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for k in range(n):
            archive.writestr(f"b/{k}", b"")
    return file.getvalue()
