"""Weft: documents and facts woven into one SQLite knowledge base, and the evidence for questions found in it.

>>> import weft
>>> weft.build(["notes/"], output="kb.skb")                                           # doctest: +SKIP
>>> with weft.open("kb.skb") as kb:                                                   # doctest: +SKIP
...     for hit in kb.search("who designed the bridge?", k=3):
...         print(hit.rank, hit.uri, hit.reasons[0].text)

`open`, `build` and `evaluate` are the Python face, `WeftError` what they raise; `help` on each, and on what `open`
returns, tells all that there is.

This package is the ground that building and retrieval share, and imports neither. Read `skb` (the reader) with
`rows` first, then `schema` and `meta`; `show` renders what is in an SKB, `documents` an entity as a text, `errors` are
what users see, `output_file` and `overwriting` keep what is written whole, `beir` writes its folders, `package_data`
finds what ships.
Folders: `text`, `arrays`, `embedders`, `chat`, `file_format`, `http`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from weft.errors import WeftError

if TYPE_CHECKING:
    from builder.request import Summary
    from interfaces.api.knowledge_base import KnowledgeBase

__all__ = ["WeftError", "build", "evaluate", "open"]


def open(
    path: str | PathLike[str], *, llm: str | None = None, max_tokens_total: int | None = None
) -> "KnowledgeBase":
    """Open a knowledge base that `weft.build` or `weft build` made, for reading.

    The result has `search`, `ask`, `page`, `entity`, `neighbors` and `sql`, and is closed
    by `with` or `close()`. Any number of threads may use it at once. `llm` names the
    language model of methods that ask one, such as "path(model=yes)", as
    "openai:MODEL" (docs/models.md), which reads and writes at most `max_tokens_total`.
    Raise weft.WeftError, whose message is one line, when `path` is no knowledge base.

    >>> with weft.open("kb.skb") as kb:                                               # doctest: +SKIP
    ...     hits = kb.search("Who designed the Quillon Bridge?", k=3)
    ...     hits[0].uri, hits[0].score, hits[0].reasons[0].text
    ...     kb.ask("Where was its designer born?").answer
    """
    from interfaces.api.knowledge_base import KnowledgeBase

    return KnowledgeBase(path, llm, max_tokens_total)


def build(
    sources: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    output: str | PathLike[str],
    rdf: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    triples: str | PathLike[str] | Iterable[str | PathLike[str]] = (),
    format: str = "auto",
    add: bool = False,
    embedder: str | None = None,
    workers: int | None = None,
    progress: Callable[[str, int], None] | None = None,
    **options: Any,
) -> "Summary":
    """Build or update a knowledge base from documents and facts, and return a summary of what was done.

    `sources` are files, folders, archives or addresses as `weft build` takes them,
    `rdf` and `triples` are fact files. What an existing `output` holds of sources
    that are not named goes, unless `add` is given; a second build of the same
    input does nothing, and one that was stopped goes on where it was. `progress` is
    called with the name of a stage and the number of things done in it, first with
    0. TypeError for an option that is none of the above and of these, whose
    defaults and meaning are those of `weft build --help`:

    `languages`: tags of literals and labels to take, "de" or ["de", "en-GB"] (`--lang`);
    `all_relations`: True keeps relations that no page co-mentions too;
    `vector_dtype`: "float32" or "float16";
    `node_documents`: True embeds every entity's document too;
    `sparql`: endpoints that are asked about every page and link target;
    `resource_prefix`: how the resources of the endpoint begin;
    `limit`: read at most so many documents;
    `max_page_mb`: larger pages, in 10**6 bytes, are rejected;
    `document_seconds`: processor time that one document may take, 0 for no limit;
    `memory_mb`: memory for key tables, in 10**6 bytes (`--memory`);
    `spacy_model`: a spaCy pipeline whose named entities plain text mentions (`--spacy`).

    What is wrong within a source never ends a build: it is counted in
    `summary.documents["rejected"]` and told by `weft info FILE --rejects`. Raise
    weft.WeftError where the request is wrong or nothing could be read.

    >>> weft.build(["notes/", "wiki.tar.gz"], rdf="facts.nt", output="kb.skb").counts     # doctest: +SKIP
    {'page': 57, 'section': 277, 'chunk': 369, ...}
    """
    from interfaces.api.arguments import path_of, paths_of
    from interfaces.api.building import build_skb

    given = {"rdf": rdf, "triples": triples, "format": format, "add": add, "embedder": embedder, "workers": workers}
    return build_skb(paths_of("sources", sources), path_of("output", output), progress, given | options)


def evaluate(
    kb: "KnowledgeBase | str | PathLike[str]",
    questions: str | PathLike[str] | Sequence[Mapping[str, Any]],
    methods: str | Sequence[str] = ("hybrid", "vector", "bm25"),
    *,
    at: Sequence[int] = (1, 2, 5),
    unit: str = "auto",
    output: str | PathLike[str] | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Score methods on questions whose gold is known, and return what `weft evaluate --json` prints.

    `questions` are a question file (docs/questions.md), a folder in BEIR's layout,
    or mappings with `id`, `question` and `gold`. `result["methods"][NAME]` has
    recall@k, hit@k, nDCG@k, ... for each k of `at`, `mrr`, `map` and 95% intervals
    under `ci`; `result["paired"]` compares the methods. `output` names a folder for
    the whole report, with plots and TREC files. `progress` is called with the
    number of questions answered since it was called before. Warn where a fusion
    was trained on these questions, and of those of whose gold nothing is in `kb`.
    Raise weft.WeftError for a bad question, method or cut-off, and where there is
    gold of no question.

    >>> weft.evaluate("kb.skb", "questions.jsonl", ["bm25"])["methods"]["bm25"]["recall@5"]   # doctest: +SKIP
    0.81
    """
    from interfaces.api.arguments import path_of, texts_of
    from interfaces.api.evaluating import evaluate_on, ignore
    from interfaces.api.knowledge_base import KnowledgeBase

    if not isinstance(kb, KnowledgeBase):
        with KnowledgeBase(path_of("kb", kb)) as opened:
            return evaluate(
                opened, questions, methods, at=at, unit=unit, output=output, seed=seed, progress=progress
            )
    named = texts_of("methods", methods)
    folder = None if output is None else path_of("output", output)
    return evaluate_on(kb.sessions, questions, named, at, unit, folder, seed, progress or ignore)


def __getattr__(name: str) -> str:
    """Return the version that is installed; it is read only where it is asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("weft")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names that are meant for others, and those that every module has."""
    return sorted({*__all__, "__version__", *(name for name in globals() if name.startswith("__"))})
