"""The formats that documents come in: a row each, from which the command line, its errors and all readers follow.

>>> FORMATS["html"].module, FORMATS["html"].suffixes
('builder.readers.html.files', ('.html', '.htm', '.xhtml'))
"""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """What there is to know about a format before any of its files is read."""

    about: str
    """What it is, in a few words; `weft build --help` prints them."""
    module: str
    """Has its `items` and `parse`; it is imported when the first source of the format is read."""
    suffixes: tuple[str, ...] = ()
    """Of the files that are of this format by their names alone; `source` looks into others."""
    parallel: bool = True
    """Whether parsing is worth other processes."""
    is_path: bool = True
    """Whether its sources are files or folders."""
    is_distributed: bool = True
    """Whether a Spark build can read it."""


FORMATS = {
    "mixed": Format("a folder of several formats", "builder.readers.mixed_folder"),
    "html": Format("pages of a wiki or of any other maker", "builder.readers.html.files", (".html", ".htm", ".xhtml")),
    "text": Format(
        "plain text, Markdown, reStructuredText", "builder.readers.text.files",
        (".txt", ".text", ".md", ".markdown", ".mdown", ".mkd", ".rst"),
    ),
    "wikitext": Format("a dump of MediaWiki in XML", "builder.readers.wikitext.dump"),
    "enterprise": Format("a dump of Wikimedia Enterprise", "builder.readers.enterprise"),
    "nq": Format("the pages of Natural Questions", "builder.readers.natural_questions"),
    "jsonl": Format("a title and a text a line", "builder.readers.jsonl", parallel=False),
    "graph": Format(
        "a folder of nodes.jsonl and edges.tsv", "builder.readers.graphs.documents",
        parallel=False, is_distributed=False,
    ),
    "stark": Format(
        "a folder of STaRK", "builder.readers.graphs.documents", parallel=False, is_distributed=False
    ),
    "stark-compat": Format(
        "the same, its edges as STaRK's own loader merges them", "builder.readers.graphs.documents",
        parallel=False, is_distributed=False,
    ),
    "wikipedia": Format(
        "a page by the API, as in wikipedia:TITLE", "builder.readers.wikipedia.pages",
        is_path=False, is_distributed=False,
    ),
}  # fmt: skip
"""In the order in which a folder of several formats is read."""


def format_by_name(name: str) -> str | None:
    """Return the format that a file's name alone tells, None where it is to be looked into.

    >>> format_by_name("Oil.HTML"), format_by_name("dump.xml.bz2")
    ('html', None)
    """
    lowered = name.lower()
    return next((each for each, form in FORMATS.items() if form.suffixes and lowered.endswith(form.suffixes)), None)
