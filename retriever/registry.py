"""The one table of what a method is made of: signals, other rankers, expansions and rerankers, each with its options.

A maker is found by its name when it is needed, so that this module imports none of them. What has no maker is known
to the grammar and not there yet.

>>> ENTRIES["page"].options["n"].default, "kar" in offered("expansion")
(3, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from retriever.types import Unit
from weft.errors import WeftError

Value = bool | int | float | str
Kind = Literal["expansion", "signal", "ranker", "reranker"]
RANKING: tuple[Kind, ...] = ("signal", "ranker")
"""What a method can rank by: a signal alone is a ranker too."""


class Option(NamedTuple):
    """What an option is when it is not given, the least and greatest number that it may be, and what it is about."""

    default: Value
    least: float | None = None
    most: float | None = None
    about: str = ""


NO_OPTIONS: Mapping[str, Option] = MappingProxyType({})


class Fused(NamedTuple):
    """How `hybrid` takes a signal: what people are told of it, and whether it has a column of ranks.

    `embedded` is a signal that follows from the embedder, `wide` one that brings all that a container holds,
    `expanded` one that an expansion reaches.
    """

    told: str
    ranked: bool = True
    embedded: bool = False
    wide: bool = False
    expanded: bool = False


class Entry(NamedTuple):
    """A part of methods: its kind, what makes it, its options, and in a line what it does.

    `maker` is `module:name` or a callable, None where there is none yet. A signal is made of (unit, **options), a
    ranker of (session, unit, **options), an expansion of (session, unit, ranker, **options), where the ranker is the
    one behind it, a reranker of (session, unit, **options). `fused` is how `hybrid` takes a signal, None where it does
    not. `units` are what a ranker ranks. `asks` is what asks a language model whatever its options.
    """

    name: str
    kind: Kind
    maker: str | Callable[..., Any] | None = None
    about: str = ""
    options: Mapping[str, Option] = NO_OPTIONS
    fused: Fused | None = None
    units: tuple[Unit, ...] = ("chunk", "entity")
    asks: bool = False

    def made(self, *given: object, **options: Value) -> Any:
        """Return what the maker makes."""
        maker = self.maker
        if isinstance(maker, str):
            module, _, name = maker.partition(":")
            maker = getattr(import_module(module), name)
        if maker is None:
            raise WeftError(f"{self.name} is not there yet")
        return maker(*given, **options)


MOST_CONTAINERS = 10_000
"""Bounds what a method expression may ask for."""

ENTRIES: dict[str, Entry] = {}


def register(entry: Entry) -> None:
    """Enter a part; raise WeftError where another one has its name and can be made."""
    known = ENTRIES.get(entry.name)
    if known is not None and known.maker is not None:
        article = "an" if known.kind == "expansion" else "a"
        raise WeftError(f"{entry.name}: names {article} {known.kind} already")
    ENTRIES[entry.name] = entry


def unregister(name: str) -> None:
    """Take a part out again."""
    ENTRIES.pop(name, None)


def known(*kinds: Kind) -> tuple[str, ...]:
    """Return the names of some kinds, those included that are not there yet."""
    return tuple(name for name, entry in ENTRIES.items() if entry.kind in kinds)


def offered(*kinds: Kind) -> tuple[str, ...]:
    """Return the names of some kinds that can be made."""
    return tuple(name for name in known(*kinds) if ENTRIES[name].maker is not None)


def fused() -> dict[str, Fused]:
    """Return the signals that `hybrid` fuses, in the order of their columns."""
    return {name: entry.fused for name, entry in ENTRIES.items() if entry.fused is not None}


def _containers(n: int, about: str) -> Mapping[str, Option]:
    return {"n": Option(n, 1, MOST_CONTAINERS, about)}


BY_MODEL = Option(False, about="whether a language model selects")
RELATIONS = Option(False, about="whether documents tell relations")
JOIN = Option("text", about="one text with the question, or vectors: mean, half or each")
SAMPLES = Option(3, 1, 100, "how many documents are added")
STRUCTURE = Option(True, about="whether the model is told what documents look like")
TOKENS = Option(4_000, 100, 1_000_000, "the most tokens of documents that the model is shown")
AUTOFOCUS: Mapping[str, Option] = {
    "k": Option(20, 1, 1_000, "of how many places relations get a share"),
    "alpha": Option(0.65, 0.0, 1.0, "which share of these"),
    "strand": Option("hybrid", about="what ranks by similarity: hybrid, vss or bm25"),
    "types": Option(True, about="whether nodes of the type asked for come first by similarity"),
    "rel6": Option(False, about="whether documents tell relations where answers of one group are compared"),
    "rel7": Option(True, about="whether they do where vss looks for more"),
    "model": Option(False, about="whether a language model says what is asked for"),
    "hops": Option(3, 1, 4, "without a model: how long paths are"),
    "relations": Option("", about="without a model: a file of weft train --relations"),
    "effort": Option("", about="how much the model thinks: none, low, medium or high; by step: low|high"),
    "llm": Option("", about="another model of the service of --llm; by step: one|another"),
    "before": Option(True, about="whether the type is asked for before the query"),
    "names": Option(True, about="whether the model is shown names of some nodes of each type"),
    "concealed": Option("", about="types that the model is not told, parted by |"),
    "dialect": Option("weft", about="how queries are read: weft, or as published: reference"),
    "lmax": Option(100, 1, 1_000_000, "how many candidates of a name count at most"),
    "near": Option(0.95, 0.5, 1.0, "how alike names must be to be the same"),
    "similar": Option(True, about="whether nodes that are like a name may be it"),
    "cutoff": Option(0.0, 0.0, 1.0, "how like it they are at least"),
    "rel4": Option(False, about="whether they are compared by documents with relations"),
    "nodes": Option(True, about="whether nodes must have the types that the query says"),
    "edges": Option(True, about="whether edges must be of its relations"),
    "directions": Option(False, about="whether they must go its way"),
    "exact": Option(False, about="whether cycles must hold as a whole"),
    "distinct": Option(False, about="whether different variables are different nodes"),
    "overwriting": Option(False, about="whether the last scope alone counts"),
    "cull": Option(0, 0, 1_000, "among how many nodes of a name the model chooses, if any"),
    "renamed": Option("", about="long names of relations for the model: prime, mag, amazon or a file"),
}
FOCUSED: Mapping[str, Option] = {
    **AUTOFOCUS, "alpha": Option(0.6, 0.0, 1.0, "which share of these"), "before": Option(False, about="as autofocus"),
    "names": Option(False, about="as autofocus"), "lmax": Option(10_000, 1, 1_000_000, "as autofocus"),
}  # fmt: skip
FOURSTEP: Mapping[str, Option] = {
    **FOCUSED, "alpha": Option(1.0, 0.0, 1.0, "which share of these"), "lmax": Option(1, 1, 1_000_000, "as autofocus"),
    "edges": Option(False, about="as autofocus"),
}  # fmt: skip
RERANKED: Mapping[str, Option] = {
    "k": Option(20, 2, 100, "how many of the first hits"),
    "relations": Option(True, about="whether documents of entities are shown with relations"),
    "tokens": Option(16_000, 500, 1_000_000, "the most tokens of a prompt"),
    "effort": Option("", about="how much the model thinks: none, low, medium or high"),
    "llm": Option("", about="another model of the service of --llm"),
}
TABLE: Iterable[Entry] = (
    Entry("bm25", "signal", "retriever.signals.bm25:Bm25Signal", "the question's words, by BM25",
          fused=Fused("the words that it contains", expanded=True)),
    Entry("related", "signal", "retriever.signals.related:RelatedSignal", "words of a like meaning too, by BM25",
          fused=Fused("words of a like meaning that it contains")),
    Entry(
        "vector", "signal", "retriever.signals.vector:VectorSignal", "the cosine of the question with the text",
        {"ann": Option(False, about="whether an approximate index proposes")},
        Fused("the similarity of its text to the question", embedded=True, expanded=True),
    ),
    Entry(
        "page", "signal", "retriever.signals.page:PageSignal", "the label of the page; all chunks of the best",
        _containers(3, "how many pages"),
        Fused("the similarity of its page to the question", embedded=True, wide=True),
    ),
    Entry(
        "section", "signal", "retriever.signals.section:SectionSignal", "the heading path; all chunks of the best",
        _containers(5, "how many sections and pages"),
        Fused("the similarity of its section to the question", embedded=True, wide=True),
    ),
    Entry(
        "entity", "signal", "retriever.signals.entity:EntitySignal", "the labels of the entities that a chunk cites",
        _containers(5, "how many entities"), Fused("what it mentions", embedded=True, wide=True),
    ),
    Entry(
        "graph", "signal", "retriever.signals.pagerank.signal:GraphSignal", "personalised PageRank from what is named",
        {"stop": Option(0.35, 0.01, 1.0, "how likely a walk ends at a step"),
         "least": Option(2e-5, 1e-9, 1.0, "what is too little to be carried on")},
        Fused("its connections in the graph"),
    ),
    Entry(
        "path", "signal", "retriever.signals.path.signal:PathSignal", "what a walk through pages and relations selects",
        {"pages": Option(3, 1, 1_000, "how many pages are offered"),
         "seeds": Option(3, 1, 100, "from how many entities paths go"),
         "size": Option(5, 1, 100, "how many entities a subgraph has"),
         "single": Option(False, about="whether a path gives its most similar chunk alone"),
         "model": BY_MODEL},
        Fused("the path search", ranked=False, embedded=True, wide=True),
    ),
    Entry(
        "naive-hybrid", "ranker", "retriever.rankers.single_signal:naive_hybrid", "chunks by paths, then by vectors",
        {"paths": Option(3, 0, 10_000, "how many chunks paths bring"), "model": BY_MODEL},
    ),
    Entry(
        "hybrid", "ranker", "retriever.answers.hops.ranking:hybrid", "a fusion of all signals, and what hops lead to",
        {"fusion": Option("", about="ensemble (default), mlp, logistic, rrf, or a file of weft train"),
         "features": Option("all", about="all, or the five of the thesis: thesis"),
         "hops": Option(True, about="whether what a question describes is looked for first"),
         "missing": Option(0.75, 0.0, 1.0, "thesis: the score of a chunk that a signal did not return"),
         "standardise": Option("local", about="thesis: within the question, local, or over the training set, global")},
    ),
    Entry("vss", "ranker", "retriever.rankers.node_documents:vss", "entities by their documents",
          {"relations": RELATIONS}, units=("entity",)),
    Entry(
        "multi-vss", "ranker", "retriever.rankers.node_documents:multi_vss", "vss, again by pieces of documents",
        {"relations": RELATIONS, "n": Option(50, 1, 1_000, "how many are compared by pieces"),
         "size": Option(256, 16, 100_000, "characters of a piece"),
         "join": Option("top3", about="which pieces count: top3, max or mean")},
        units=("entity",),
    ),
    Entry(
        "4step", "ranker", "retriever.focus.systems.fourstep:fourstep", "nodes that fit triplets, then similar ones",
        FOURSTEP, units=("entity",),
    ),
    Entry(
        "focused", "ranker", "retriever.focus.systems.focused:focused", "nodes that fit a query of the graph",
        FOCUSED, units=("entity",),
    ),
    Entry(
        "autofocus", "ranker", "retriever.focus.systems.autofocus:autofocus", "what a question's relations lead to",
        AUTOFOCUS, units=("entity",),
    ),
    Entry(
        "cypher", "ranker", "retriever.focus.by_pattern.method:cypher", "what fits a query that a model writes",
        {"model": Option(True, about="whether a language model writes the query"),
         "dialect": Option("cypher", about="what it writes: cypher, triplets, or cypher read as published, reference"),
         "lmax": Option(100, 1, 1_500_000, "the most candidates of a name"),
         "k": Option(20, 1, 1_000_000, "how many hits are enough"),
         "nodes": Option(True, about="whether types must fit"),
         "edges": Option(True, about="whether relations must fit"),
         "directions": Option(False, about="whether directions must fit"),
         "exact": Option(False, about="whether cycles are joined exactly"),
         "distinct": Option(False, about="whether symbols are distinct entities"), "relations": RELATIONS},
    ),
    Entry("base", "expansion", "retriever.expansion.feedback:base", "nothing: the question itself"),
    Entry(
        "prf", "expansion", "retriever.expansion.feedback:prf", "the texts of the first hits",
        {"n": Option(3, 1, 100, "how many hits"), "join": JOIN},
    ),
    Entry(
        "hyde", "expansion", "retriever.expansion.written:hyde", "documents that a language model writes",
        {"n": SAMPLES, "structure": STRUCTURE, "join": JOIN}, asks=True,
    ),
    Entry(
        "rar", "expansion", "retriever.expansion.written:rar", "documents that a model writes from the first hits",
        {"n": SAMPLES, "k": Option(3, 1, 100, "how many hits it is shown"), "structure": STRUCTURE, "join": JOIN},
        asks=True,
    ),
    Entry(
        "agr", "expansion", "retriever.expansion.agr:agr", "the best of documents that a model writes by analysis",
        {"n": SAMPLES, "k": Option(3, 1, 100, "how many hits each document finds"), "tokens": TOKENS,
         "structure": STRUCTURE, "join": JOIN},
        asks=True,
    ),
    Entry(
        "kar", "expansion", "retriever.expansion.kar:kar", "documents that a model writes from what the graph relates",
        {"h": Option(2, 1, 4, "how many hops"), "k": Option(10, 1, 1_000, "how many neighbours of each entity"),
         "n": SAMPLES, "graph": Option(True, about="whether neighbours are told"),
         "links": Option(True, about="whether links between documents are relations"),
         "filter": Option("document", about="what neighbours are chosen by: document or name"),
         "docs": Option("lead", about="what of a page is told: lead, or its k likest chunks"), "tokens": TOKENS,
         "structure": STRUCTURE, "model": Option(True, about="whether a language model is asked"), "join": JOIN},
    ),
    Entry(
        "pointwise", "reranker", "retriever.rerank.pointwise:pointwise", "hits by the grades that a model gives each",
        {**RERANKED, "weight": Option(0.0, 0.0, 1.0, "what the place in the ranking adds to a grade at most")},
        asks=True,
    ),
    Entry(
        "listwise", "reranker", "retriever.rerank.listwise:listwise", "hits in the order that a model lists them",
        RERANKED, asks=True,
    ),
    Entry(
        "pairwise", "reranker", "retriever.rerank.pairwise:pairwise", "hits sorted by a model's comparisons of two",
        {**RERANKED, "both": Option(False, about="whether pairs are shown in both orders")}, asks=True,
    ),
)  # fmt: skip
for _entry in TABLE:
    register(_entry)
