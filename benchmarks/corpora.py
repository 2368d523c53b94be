"""The corpora that fusions are trained on and scored on: how each is built, and where its questions lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from builder.build import build
from builder.request import Request, Settings
from weft.package_data import shipped

LONG_PAGES = 1.5
"""Corpora with more chunks a page than this have synthetic questions too."""

WRITTEN = Path(__file__).parent / "written"
"""Questions written from single passages of `wikitext` and `wikitables`, in words that people use, before anything was
ranked; the gold is the passage, and others that say the same are not marked (`written/README.md`)."""

LEARNED = WRITTEN / "learned"
"""More such questions, over more corpora, and questions over two passages of linked pages: the ranker of answers learns
from them, fusions from those over two long pages, and nothing is scored by them. Over manuals some ask for facts and
some how to do something."""

INVENTED = WRITTEN / "corpora"
"""Collections of documents that were written to be asked about, a folder each: handbooks, notes, sites and the like."""

DUMPS = ("enwiki_shortened.xml.bz2", "dbpedia_minidump_en.xml.bz2")


class Source(NamedTuple):
    """A corpus: what it is built from and its question file, None where nobody has asked it anything."""

    name: str
    documents: tuple[str, ...]
    facts: tuple[str, ...] = ()
    questions: Path | None = None
    triples: tuple[str, ...] = ()
    same_as: str | None = None
    """The corpus whose passages and questions these are too."""

    @property
    def learned(self) -> Path | None:
        """The file of questions to learn from alone, None where there is none."""
        path = LEARNED / f"{self.name}.jsonl"
        return path if path.exists() else None


def data() -> Path:
    """Return the folder of the real data: WEFT_DATA, or shared/data beside the project."""
    return Path(os.environ.get("WEFT_DATA", Path(__file__).parents[1] / ".." / "shared" / "data")).resolve()


def sources() -> tuple[Source, ...]:
    """Return all corpora, the fixtures last."""
    root, fixtures = data(), shipped("fixtures")
    passages = tuple(
        Source(name, (f"jsonl:{root / name / 'corpus.jsonl'}",), questions=root / name / "questions.jsonl")
        for name in ("2wiki", "hotpotqa", "musique")
    )
    return (
        *passages,
        Source("nq_earth", (str(root / "nq_earth" / "html"),), questions=root / "nq_earth" / "questions.jsonl"),
        Source("wikitables", (str(root / "wikitables" / "pages.tar.gz"),), questions=WRITTEN / "wikitables.jsonl"),
        Source("wikitext", (*(str(root / "wikitext" / name) for name in DUMPS), str(root / "wikipedia_html")),
               questions=WRITTEN / "wikitext.jsonl"),
        Source("fixtures", (str(fixtures / "encyclopedia"),), (str(fixtures / "facts.nt"),),
               fixtures / "questions.jsonl"),
    )  # fmt: skip


def invented() -> tuple[Source, ...]:
    """Return the collections written with their questions: answers are learned from them, nothing is scored by them."""
    return tuple(Source(path.name, (str(path),)) for path in sorted(INVENTED.iterdir()) if path.is_dir())


def variants() -> tuple[Source, ...]:
    """Return corpora that are scored when asked for, and never trained on."""
    root = data()
    passages, questions = root / "musique" / "corpus.jsonl", root / "musique" / "questions.jsonl"
    triples = (str(root / "musique" / "triples_gpt35.jsonl"),)
    return (Source("musique-triples", (f"jsonl:{passages}",), (), questions, triples, same_as="musique"),)


def skb_of(source: Source, folder: Path, embedder: str) -> Path:
    """Return the SKB of a corpus, built in `folder` where it is not yet."""
    path = folder / f"{source.name}-{embedder.replace(':', '-').replace('/', '-')}.skb"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        settings = Settings(embedder=embedder)
        build(Request(source.documents, path, rdf=source.facts, triples=source.triples, settings=settings))
    return path
