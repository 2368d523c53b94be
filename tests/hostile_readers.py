"""How hostile inputs are read: by the functions that the commands call, into an SKB where that is what they make."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from builder.build import build
from builder.request import Request
from builder.source_layer import ingest as reading
from weft.schema import open_skb

PAGE = "<h1>Lamp</h1><p>A lamp of brass.</p>"
MEMORY_MB = 64.0


class InProcess(nullcontext[Any]):
    """Takes the part of workers, so that parsing is done in the process that is measured."""

    def __init__(self, count: int, seconds: float) -> None:
        super().__init__(self)

    def map(self, function: Callable[[Any], Any], inputs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield (input, function(input))."""
        return ((each, function(each)) for each in inputs)


def built(path: Path) -> list[str]:
    """Build an SKB of one source; return what is on record as wrong with it."""
    return _build(path.parent, (str(path),))


def built_as(form: str) -> Callable[[Path], list[str]]:
    """Return a reader that names the format."""
    return lambda path: _build(path.parent, (f"{form}:{path}",))


def read_heading_and_roles(path: Path) -> list[str]:
    """Find what is looked for in a reStructuredText before docutils parses it."""
    from builder.readers.text.rst.document import heading_title
    from builder.readers.text.rst.parsing import ROLES

    text = path.read_text("utf-8")
    heading_title(text)
    ROLES.findall(text)
    return []


def built_folder(path: Path) -> list[str]:
    """Build an SKB of the folder that the file stands in."""
    return _build(path.parent.parent, (str(path.parent),), name=f"{path.parent.name}.skb")


def built_facts(path: Path) -> list[str]:
    """Build an SKB of a page and a file of RDF."""
    return _build(path.parent, (_page(path),), rdf=(str(path),))


def built_triples(path: Path) -> list[str]:
    """Build an SKB of a page and a triples file."""
    return _build(path.parent, (_page(path),), triples=(str(path),))


def read_address(path: Path) -> list[str]:
    """Look for secrets in an address, and in a message that repeats it."""
    from weft.http.addresses import line_without_secrets, secrets_in, shown, without_secrets

    text = path.read_text()
    shown(text)
    without_secrets(text)
    line_without_secrets(text, secrets_in(text)[:3])
    return []


def read_question_file(path: Path) -> list[str]:
    """Read a question file."""
    from retriever.datasets.question_files import read_questions

    read_questions(path)
    return []


def read_run_file(path: Path) -> list[str]:
    """Read an outsider's rankings."""
    from retriever.datasets.trec import read_run

    read_run(path, ["q1"])
    return []


def read_fusion(path: Path) -> list[str]:
    """Read a fusion."""
    from retriever.fusion.store import load

    load(path)
    return []


def read_pickle(path: Path) -> list[str]:
    """Read a pickle of plain data."""
    from builder.readers.graphs.restricted_pickle import load_file

    load_file(path)
    return []


def read_tensor_file(path: Path) -> list[str]:
    """Read a tensor."""
    from builder.readers.graphs.torch_tensor import read_tensor

    read_tensor(path)
    return []


def read_stark_nodes(path: Path) -> list[str]:
    """Read the nodes of a STaRK folder whose `node_info.pkl` the file is."""
    from builder.readers.graphs.records import GraphProblem
    from builder.readers.graphs.stark import read_nodes
    from tests.stark_folder import SMALL, write_stark

    folder = write_stark(path.parent / "stark", SMALL)
    path.rename(folder / "node_info.pkl")
    return [each.reason for each in read_nodes(folder) if isinstance(each, GraphProblem)]


def read_table_pages(path: Path) -> list[str]:
    """List the pages of a table of an SKB whose pages the file is."""
    from weft.file_format.checksums import _pages_of

    with path.open("rb") as file:
        _pages_of(file.fileno(), 2, 512)
    return []


def _page(path: Path) -> str:
    page = path.parent / "lamp.html"
    page.write_text(PAGE)
    return str(page)


def _build(
    folder: Path, sources: tuple[str, ...], *, name: str = "kb.skb", rdf: tuple[str, ...] = (),
    triples: tuple[str, ...] = (),
) -> list[str]:  # fmt: skip
    output = folder / name
    reading.Workers = InProcess  # type: ignore[assignment,misc]
    build(Request(sources, output, rdf=rdf, triples=triples, workers=1, memory_mb=MEMORY_MB))
    with closing(open_skb(output)) as connection:
        return _reasons(connection)


def _reasons(connection: sqlite3.Connection) -> list[str]:
    return [
        reason
        for (reason,) in connection.execute(
            "SELECT DISTINCT reason FROM source_item WHERE reason IS NOT NULL ORDER BY length(reason) DESC LIMIT 20"
        )
    ]
