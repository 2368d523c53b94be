"""Plain text and Markdown files, one document a file.

Text that has no links to other documents gets its mentions from the builder:
titles and aliases by `weft.text.mentions`, five times as fast as spaCy's
PhraseMatcher over a blank pipeline, and stricter about what is a name. With a
trained spaCy pipeline its named entities are links of the document as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import cast

from builder.documents.chunking import Line, join_lines, line_chunks
from builder.documents.records import Chunk, Document, Reject, Section, Statement
from builder.readers.links.file_heads import HEAD, read_head
from builder.readers.links.text_links import leads_elsewhere, linked_files
from builder.readers.links.title_index import Pairs, TitleIndex
from builder.readers.registry import ReadOptions
from builder.readers.source import TEXT_SUFFIXES, Cut, Item, Source, files_below, place_of, too_large, unread
from builder.readers.text.block import VERBATIM, Block
from builder.readers.text.front_matter import FrontMatter, split_front_matter
from builder.readers.text.links import TextLinks
from builder.readers.text.markdown import markdown_blocks
from builder.readers.text.named_entities import check_pipeline, with_named_entities
from builder.readers.text.names import MARKDOWN_SUFFIXES, RST_SUFFIXES, file_title
from builder.readers.text.plain_text.blocks import plain_blocks
from builder.streams.encodings import text_encoding, windows_1252
from builder.streams.foreign import foreign_kind
from weft.text.names import name_key, title_of

EXTRACTION = b"15"
RELEASE = re.compile(r"\[?(?:(?:version |release )?v?\d+(?:\.\d+)+|\d{4}-\d\d-\d\d|unreleased)\b", re.I)
"""What the heading of a release begins with: its number or date."""
READ_FIELDS = frozenset({
    "title", "url", "lang", "language", "categories", "category", "tags", "aliases", "modified", "lastmod", "updated",
    "date",
})  # fmt: skip
"""The fields of front matter that say something which an SKB has a place for."""
HAS_TEXT = str.isalnum
NO_LINKS = TextLinks({}, "")
# Whatever follows it: with a "|" it could be the first row of a table, with a bracket a link that is defined below.
PLAIN_HEADING = re.compile(r"#{1,6}[ \t]+(\w[^\x00-\x1f\ufdd0-\ufdef#&*<\[\\_`{|~]{0,200})(?=\n|\Z)")
NO_TEXT = tuple(map(chr, (*range(1, 9), *range(14, 27), *range(28, 32), 127)))
"""Control characters other than tabs, ends of lines and pages, and the escapes of terminals."""


def items(source: Source, options: ReadOptions) -> Iterator[Item | Reject | Cut]:
    """Yield the files of a folder, by place, or the one file; raise UnreadableSource for a wrong pipeline."""
    check_options(options)
    if source.path.is_file():
        found: list[tuple[str, Path] | Reject | Cut] = [(place_of(source.path.name), source.path)]
    else:
        found = list(files_below(source.path, TEXT_SUFFIXES))
    files = [each for each in found if not isinstance(each, (Reject, Cut))]
    index = TitleIndex(files, map_heads=options.map_heads, max_page_bytes=options.max_page_bytes)
    with closing(index):
        yield from file_items(found, index, options)


def check_options(options: ReadOptions) -> None:
    """Raise UnreadableSource for a wrong pipeline."""
    if options.spacy_model:
        check_pipeline(options.spacy_model)


def file_items(
    found: Iterable[tuple[str, Path] | Reject | Cut], index: TitleIndex, options: ReadOptions
) -> Iterator[Item | Reject | Cut]:
    """Yield these files of a source as documents; `index` has the titles of all files of the source."""
    for each in found:
        yield each if isinstance(each, (Reject, Cut)) else _item(*each, index, options)


def parse(place: str, payload: tuple[object, ...]) -> Document | Reject:
    """Make a document of a file's bytes."""
    data, titles, own, names, model = payload
    assert isinstance(data, bytes) and isinstance(own, str | None)
    text, note = decode(data)
    if "\0" in text or is_binary(text):
        kind = foreign_kind(data)
        characters = "null characters" if "\0" in text else "control characters"
        return Reject(place, f"not text: it is {kind}" if kind else f"not text: it has {characters}")
    if place.lower().endswith(RST_SUFFIXES) and text.lstrip().startswith(("{{", "{%")):
        return Reject(place, "a template, not a text: it begins with what a template engine fills in")
    title = head_title(read_head(BytesIO(data), HEAD), place) if len(data) > HEAD else None
    document = _document_of(text, place, dict(cast(Pairs, titles)), own, title)
    if not document.chunks and not document.sections:
        if not text.strip():
            return Reject(place, "the file is empty")
        has_text = any(map(HAS_TEXT, text))
        return Reject(place, "the file has no text" if has_text else "the file has no letter and no digit")
    if isinstance(model, str):
        document = with_named_entities(document, model, cast(Pairs, names))
    notes = [each for each in (note, document.note) if each]
    return document._replace(note="; ".join(notes) or None)


def is_binary(text: str) -> bool:
    """Tell whether more than one in a hundred characters is a control character that no text has."""
    return 100 * sum(map(text.count, NO_TEXT)) > len(text)


def _document_of(text: str, place: str, titles: Mapping[str, str], own: str | None, title: str | None) -> Document:
    if not place.lower().endswith(RST_SUFFIXES):
        return document_of(text, place, titles, own, title)
    from builder.readers.text.rst.document import NotReadable, rst_document

    try:
        return rst_document(text, place, titles, own)
    except NotReadable as error:
        return document_of(text, place, titles, own)._replace(note=f"read as plain text: {error}")


def decode(data: bytes) -> tuple[str, str | None]:
    """Return a file's text, lines ended by newlines, and a note when it is no UTF-8."""
    note = None
    try:
        text = data.decode(text_encoding(data))
    except UnicodeDecodeError:
        text, note = windows_1252(data)
    return text.replace("\r\n", "\n").replace("\r", "\n"), note


def document_of(
    text: str, name: str, titles: Mapping[str, str], own: str | None = None, title: str | None = None
) -> Document:
    """Return the document that a text says.

    `name` is its file's, `titles` the link targets of the files it links to, by
    address, `own` its own where that is not its title. `title` is given where
    links to the file found its title without reading all of it.
    """
    front = split_front_matter(text)
    blocks = list(_blocks(front, name))
    found, heading = _title(blocks, front, name)
    title = found if title is None else title
    if heading is not None and found == title:
        del blocks[heading]
    sections, chunks = laid_out(blocks, _line_of(name, TextLinks(titles, own or title)))
    head = front.values
    return Document(
        title, tuple(sections), tuple(chunks), tuple(_statements(head, title)),
        url=next((url for url in head.get("url", []) if url.startswith("http")), None),
        language=next(iter(head.get("lang") or head.get("language") or []), None),
        modified=_date(head), marks_links=any(chunk.links for chunk in chunks),
        named_by_title=False, note=front.problem or None,
    )  # fmt: skip


def head_title(data: bytes, name: str) -> str:
    """Return the title of the document that begins with `data`, without reading the rest."""
    text = decode(data)[0]
    if name.lower().endswith(RST_SUFFIXES):
        from builder.readers.text.rst.document import heading_title

        return heading_title(text)
    front = split_front_matter(text)
    return _title(_blocks(front, name), front, name)[0]


def title_at_sight(data: bytes, name: str) -> str:
    """Return the title of a Markdown text whose first line is a heading without any markup, else an empty string.

    It is the one of `head_title`, found without a parser.
    """
    found = PLAIN_HEADING.match(decode(data)[0]) if _is_markdown(name) else None
    title = _title_of_heading(found[1].strip(), name) if found else ""
    return "" if RELEASE.match(title) else title


def _title_of_heading(text: str, name: str) -> str:
    return title_of(_line_of(name, NO_LINKS)(text).text, capital=False, underscores=True)


def _blocks(front: FrontMatter, name: str) -> Iterator[Block]:
    """Yield the blocks of a text, front matter that cannot be read as code."""
    if front.unread:
        yield Block("code", front.unread.split("\n"))
    yield from markdown_blocks(front.filled()) if _is_markdown(name) else plain_blocks(front.body)


def _is_markdown(name: str) -> bool:
    return name.lower().endswith(MARKDOWN_SUFFIXES)


def _item(place: str, path: Path, index: TitleIndex, options: ReadOptions) -> Item | Reject | Cut:
    try:
        size = path.stat().st_size
        if size > options.max_page_bytes:
            return Reject(place, too_large(size, options.max_page_bytes))
        data = path.read_bytes()
    except OSError as error:
        return unread(place, error)
    text = data.decode("utf-8", "replace")
    titles = linked_files(text, place, index)
    own = index.target(place) if titles else None
    names = index.within(text) if options.spacy_model else ()
    digest = blake2b(data, digest_size=16, key=EXTRACTION)
    # Copies whose links all lead to files are equal, whatever each is called.
    called = (own,) if own is not None and leads_elsewhere(place, text, titles) else ()
    shown = (titles, *called, names, options.spacy_model)
    digest.update(repr(shown).encode("utf-8", "backslashreplace"))
    return Item(place, digest.hexdigest(), (data, titles, own, names, options.spacy_model))


def _title(blocks: Iterable[Block], front: FrontMatter, name: str) -> tuple[str, int | None]:
    """Return the title, by front matter, first heading or the file's name, and which block says it."""
    headings = ((i, each) for i, each in enumerate(blocks) if each.kind == "heading")
    first, block = next(headings, (0, None))
    heading = _title_of_heading(block.text, name) if block else ""
    given = title_of(" ".join(front.values.get("title", [])), capital=False, underscores=True)
    if given and name_key(heading) != name_key(given):
        return given, None
    leads = first == 0 and _is_markdown(name)
    if block and RELEASE.match(heading) and any(each.level <= block.level for _, each in headings):
        # A list of releases is not called as the first of them.
        return file_title(name) or name, None
    if block is None or not heading or not (given or leads or block.level == 1):
        return file_title(name) or name, None
    return given or heading, first


def laid_out(blocks: list[Block], line: Callable[[str], Line]) -> tuple[list[Section], list[Chunk]]:
    """Return the sections and chunks of blocks; `line` makes a line of a block's text."""
    sections: list[Section] = []
    chunks: list[Chunk] = []
    open_sections: list[int] = []
    for block in blocks:
        above = open_sections[-1] if open_sections else -1
        if block.kind != "heading":
            chunks.extend(chunk for chunk in _chunks(block, above, line) if any(map(HAS_TEXT, chunk.text)))
            continue
        title = line(block.text).text
        if not title:
            continue
        while open_sections and sections[open_sections[-1]].level >= block.level:
            open_sections.pop()
        sections.append(Section(title, block.level, open_sections[-1] if open_sections else -1))
        open_sections.append(len(sections) - 1)
    return sections, chunks


def _chunks(block: Block, section: int, line: Callable[[str], Line]) -> Iterator[Chunk]:
    if block.kind == "code":
        yield Chunk(section, "code", 0, "\n".join(block.lines).strip("\n"))
    elif block.kind == "table":
        rows = [join_lines([line(cell) for cell in row.split("\t")], " | ") for row in block.lines]
        yield from line_chunks(section, "table", rows, header=block.header)
    elif block.kind in ("list", "definition"):
        yield from line_chunks(section, block.kind, [_indented(own, line) for own in block.lines])
    else:
        text, links = line(block.text)
        yield Chunk(section, block.kind, 0, text, links)


def _indented(text: str, line: Callable[[str], Line]) -> Line:
    if text.startswith(VERBATIM):
        return Line(text.removeprefix(VERBATIM))
    blanks = text[: len(text) - len(text.lstrip())]
    return join_lines((Line(blanks), line(text)), "")


def _line_of(name: str, links: TextLinks) -> Callable[[str], Line]:
    """Return what makes a line of a block's text."""
    return links.line if _is_markdown(name) else plain_line


def plain_line(text: str) -> Line:
    """Return a text as a line, its blanks single."""
    return Line(" ".join(text.split()))


def _statements(head: Mapping[str, list[str]], title: str) -> Iterator[Statement]:
    names = [name for key in ("categories", "category", "tags") for name in head.get(key, [])]
    for name in dict.fromkeys(names):
        yield Statement("category", "", name)
    for alias in dict.fromkeys(head.get("aliases", [])):
        # Sites keep old addresses under this key.
        if alias and "/" not in alias and alias != title:
            yield Statement("redirect", alias, title)
    for key in sorted(head.keys() - READ_FIELDS):
        yield Statement("front matter", key, "; ".join(head[key]))


def _date(head: Mapping[str, list[str]]) -> str | None:
    for key in ("modified", "lastmod", "updated", "date"):
        for value in head.get(key, []):
            try:
                datetime.fromisoformat(value)
            except ValueError:
                continue
            return value
    return None
