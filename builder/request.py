"""What a build is asked to do, what it did, and where its progress goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple


class Settings(NamedTuple):
    """What the derived layer depends on beside its inputs."""

    languages: tuple[str, ...] = ("en",)
    all_relations: bool = False
    embedder: str = "tfidf"
    vector_dtype: str = "float32"


class Request(NamedTuple):
    """What `weft build` is asked to do."""

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
        """Tell whether what is not named stays; a limited reading says nothing of the rest."""
        return self.add or self.limit is not None


class Summary(NamedTuple):
    """What a build did; `documents` counts those read, unchanged, duplicates and rejected.

    `left_out` counts what is not in the SKB, or without text, by kind. `notes`
    are lines that the user should see; `failure` says why nothing was read.
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


class Progress(NamedTuple):
    """Where progress goes: `stage` is told what begins, `advance` how many more things are done."""

    stage: Callable[[str], None]
    advance: Callable[[int], None]


SILENT = Progress(lambda name: None, lambda n: None)
