"""Pages that are one preformatted text, read as plain text is: a help file, a standard, a letter in HTML.

>>> from builder.documents.records import Chunk
>>> lines = "1. Oil\\n\\n" + "A lamp burns its oil until there is no more of it in the lamp,\\nand goes out.\\n\\n" * 60
>>> page = with_plain_text(Document("Lamps", (), (Chunk(-1, "code", 0, lines),)))
>>> page.sections[0].title, len(page.chunks), page.chunks[0].kind
('1. Oil', 60, 'paragraph')
"""

from __future__ import annotations

import re

from builder.documents.records import Document
from builder.readers.text.files import laid_out, plain_line
from builder.readers.text.plain_text.blocks import plain_blocks
from builder.readers.text.plain_text.runs import running_share

LEAST_LENGTH, LEAST_SHARE = 4_000, 0.9
"""The least characters of such a text, and the least share of its page that it is."""
LEAST_RUNNING, MOST_CODE = 0.08, 0.15
"""The least share of such a text that stands in paragraphs, and the greatest of its lines that are program code.

Of 136 pages of a help file nine of ten are between these, of 870 source files of five languages one in a hundred.
"""
CODE_ENDS = (";", "{", "}", "\\", "=", "(", "[")
CODE = re.compile(
    r"#|//|/?\*|[)\]}]|(?:from|import|return)\b[^.]*$"
    r"|(?:class|def|elif|else|except|fn|for|if|pub|static|try|use|while)\b.*[:({)]$"
)
"""What a line of program code, its blanks around it apart, begins with or is."""


def with_plain_text(document: Document) -> Document:
    """Return a document of one long preformatted text as its headings and paragraphs, any other as it is. Linear.

    What is no running text in it, such as an example or a table, stays preformatted.
    """
    if document.sections or not document.chunks:
        return document
    whole = max(document.chunks, key=lambda chunk: len(chunk.text))
    n_characters = sum(len(chunk.text) for chunk in document.chunks)
    if whole.kind != "code" or len(whole.text) < max(LEAST_LENGTH, LEAST_SHARE * n_characters):
        return document
    text = whole.text.expandtabs()
    if running_share(text) < LEAST_RUNNING or code_share(text) > MOST_CODE:
        return document
    place = document.chunks.index(whole)
    first, *others = plain_blocks(text, keeps_lines=True)
    # A text's first line is its title, which the page has already.
    first = first._replace(kind="paragraph") if first.kind == "heading" and first.level == 1 else first
    sections, chunks = laid_out([first, *others], plain_line)
    last = len(sections) - 1
    behind = [chunk._replace(section=last) for chunk in document.chunks[place + 1 :]]
    return document._replace(sections=tuple(sections), chunks=(*document.chunks[:place], *chunks, *behind))


def code_share(text: str) -> float:
    """Return the share of a text's lines that are program code by their ends or beginnings, blank ones apart."""
    lines = list(filter(None, map(str.strip, text.split("\n"))))
    return sum(1 for line in lines if line.endswith(CODE_ENDS) or CODE.match(line)) / max(1, len(lines))
