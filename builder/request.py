"""Records of a build: the request, its settings, the summary, and where progress goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class FactInput(NamedTuple):
    """A file or folder of facts; `kind` is rdf, triples, graph or stark."""

    label: str
    kind: str
    path: Path


class Settings(NamedTuple):
    """Settings that the derived layer depends on, beside its inputs."""

    languages: tuple[str, ...] = ("en",)
    all_relations: bool = False
    embedder: str = "tfidf"
    vector_dtype: str = "float32"
    node_documents: bool = False


class Request(NamedTuple):
    """The options of `weft build`; sizes are in 10**6 bytes, `document_seconds` is processor time."""

    sources: tuple[str, ...]
    output: Path
    rdf: tuple[str, ...] = ()
    triples: tuple[str, ...] = ()
    format: str = "auto"
    settings: Settings = Settings()
    add: bool = False
    limit: int | None = None
    workers: int | None = None
    max_page_mb: float = 20.0
    spacy_model: str | None = None
    sparql: tuple[str, ...] = ()
    resource_prefix: str | None = None
    memory_mb: float = 1024.0
    document_seconds: float = 60.0

    @property
    def keeps_others(self) -> bool:
        """Tell whether inputs that are not named stay; a limited reading does not show what is gone."""
        return self.add or self.limit is not None


class Summary(NamedTuple):
    """What a build did; `documents` counts those read, unchanged, duplicates and rejected.

    `left_out` counts what is not in the SKB, or without text, by kind. `notes`
    are lines that the user should see; `failure` is the reason why nothing was read.
    `unread` names the files and folders that the system does not let us read, and
    `broken_off` those of the `incomplete` inputs that end too early.
    """

    output: Path
    changed: bool
    resumed: bool
    documents: dict[str, int]
    removed: int
    facts_removed: int
    facts_retained: int
    incomplete: list[str]
    counts: dict[str, int]
    seconds: dict[str, float]
    notes: tuple[str, ...] = ()
    left_out: Mapping[str, int] | None = None
    failure: str | None = None
    unread: Sequence[str] = ()
    broken_off: Sequence[str] = ()


class Progress(NamedTuple):
    """Callbacks: `stage` gets the name of each stage that begins, `advance` the number of things done since."""

    stage: Callable[[str], None]
    advance: Callable[[int], None]


SILENT = Progress(lambda name: None, lambda n: None)
