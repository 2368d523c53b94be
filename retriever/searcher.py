"""Search: a method, what may be ranked, and a question's text to a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from retriever.context import Context
from retriever.fusion.seen import n_seen
from retriever.fusion.shipped import fusion_named
from retriever.fusion.store import file_hash
from retriever.methods import Method, parse_method, take_options
from retriever.overlap import without_overlap
from retriever.question.filters import Filters, allowed_by
from retriever.question.reader import read_question
from retriever.rankers import single_signal as single
from retriever.rankers.entity_hybrid import EntityHybrid
from retriever.rankers.hybrid import Hybrid
from retriever.signals.registry import SIGNALS
from retriever.types import Ids, Query, Ranker, Ranking, Step, Unit
from weft.errors import WeftError
from weft.skb import Skb

AUTO = "hybrid"
"""What the method `auto` stands for."""

RANKERS = (*single.NAMES, "hybrid")
NO_FILTERS = Filters()


class Searcher:
    """Answers questions by one method; the method is parsed and arrays are loaded once, for all questions.

    `fusion` is a name or file (see `fusion_named`) and counts for what
    `ranks_by_fusion`. Raise WeftError for a method, fusion or filter that is none.
    """

    def __init__(
        self, context: Context, method: str | Method = "auto", unit: Unit = "chunk", fusion: str | Path | None = None,
        filters: Filters = NO_FILTERS,
    ) -> None:  # fmt: skip
        self.context = context
        self.method = method_named(method)
        self.unit: Unit = unit
        self.filters = filters
        self.allowed = allowed_by(context.skb, unit, filters)
        self.ranker = _ranker(context, self.method, unit, fusion)
        self._asked: Query | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of every ranking by this method."""
        if isinstance(self.ranker, Hybrid) and not self.ranker.knows_embedder:
            own = self.context.skb.meta("embedder", "tfidf")
            known = ", ".join(self.ranker.fusion.head.embedders) or "none"
            return (f"the fusion was trained for other embedders ({known}) than {own}, whose signals it leaves out",)
        return ()

    @cached_property
    def _texts(self) -> list[tuple[Unit, Ids | None]]:
        """The texts that a hit may be due to: entities are ranked by those of their chunks too."""
        if self.unit == "chunk":
            return [("chunk", self.allowed)]
        return [("entity", self.allowed), ("chunk", allowed_by(self.context.skb, "chunk", self.filters))]

    def n_learned(self, path: Path, questions: Sequence[str]) -> int:
        """Return how many questions of a file the method's fusion was trained on; figures on these mean nothing.

        A fusion without hashes of its questions knows a whole file only.
        """
        if not isinstance(self.ranker, Hybrid):
            return 0
        sets = self.ranker.fusion.head.trained_on
        if path.is_file() and file_hash(path) in {each.sha256 for each in sets if not each.texts}:
            return len(questions)
        return n_seen(questions, (each.texts for each in sets))

    def query(self, question: str) -> Query:
        """Return a question as the method sees it; the last one is kept, so that it is read once."""
        if self._asked is None or self._asked.text != question:
            timer = self.context.trace.timer()
            self._asked = self._read(question)
            detail = {
                "mentions": [{"name": each.name, "how": each.how} for each in self._asked.mentions],
                "asked": list(self._asked.asked),
                "target_type": self._asked.answer_type,
                "allowed": None if self.allowed is None else len(self.allowed),
            }
            self.context.trace.add(Step("question", timer.seconds(), detail=detail))
        return self._asked

    def rank(self, question: str, k: int) -> Ranking:
        """Return at most k hits, best first, ties by uri."""
        query = self.query(question)
        timer = self.context.trace.timer()
        found = self.ranker(query, k)
        detail = {"method": str(self.method), "unit": self.unit, "hits": len(found.ids)}
        self.context.trace.add(Step("rank", timer.seconds(), warnings=self.warnings, detail=detail))
        return found

    def warnings_of(self, question: str, found: Ranking) -> tuple[str, ...]:
        """Return what the user should know of the hits of one question: that nothing fits it."""
        warning = without_overlap(self.context, self.query(question), found, self._texts)
        return () if warning is None else (warning,)

    def signals(self, question: str, found: Ranking) -> list[dict[str, float]]:
        """Return each hit's raw score under every signal that the method ranks by."""
        query = self.query(question)
        names = [name for name in found.columns if name in SIGNALS]
        scores = {name: found.features[:, found.columns.index(name)] for name in names}
        if isinstance(self.ranker, Hybrid):
            # A fusion reads the walk's logarithm.
            (graph,) = (signal for signal in self.ranker.features.signals if signal.name == "graph")
            scores["graph"] = graph.score(query, found.ids)
        rows = zip(*(column.tolist() for column in scores.values()), strict=True)
        return [{name: _short(value) for name, value in zip(scores, row, strict=True)} for row in rows]

    def _read(self, question: str) -> Query:
        if self.method.ranker.name == "bm25":
            # Words alone need no encoder, which may be a network away.
            return Query(question, (), np.empty((0, 0), np.float32), None, self.unit, allowed=self.allowed)
        return read_question(self.context, question, self.unit, self.allowed)


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def method_named(method: str | Method) -> Method:
    """Return the method of an expression, `auto` too; raise WeftError for one that cannot be run."""
    if isinstance(method, str):
        method = parse_method(AUTO if method.strip() == "auto" else method)
    later = method.expansion or method.reranker
    if method.ranker.name not in RANKERS:
        later = method.ranker
    if later is not None:
        raise WeftError(f"{method}: {later.name} is not there yet; choose one of {', '.join(RANKERS)}")
    return method


def ranks_by_fusion(method: str | Method, unit: Unit) -> bool:
    """Tell whether a method ranks by a fusion: `hybrid` does over chunks."""
    return unit == "chunk" and method_named(method).ranker.name == "hybrid"


def unit_named(unit: str, skb: Skb) -> Unit:
    """Return what is ranked where `auto` takes entities of imported graphs and chunks of all else."""
    return "entity" if unit == "entity" or (unit == "auto" and skb.is_graph) else "chunk"


def _ranker(context: Context, method: Method, unit: Unit, fusion: str | Path | None) -> Ranker:
    if method.ranker.name != "hybrid":
        return single.ranker_alone(context, method.ranker, unit)
    take_options(method.ranker, {})
    if unit == "entity":
        return EntityHybrid(context)
    return Hybrid(context, fusion_named(fusion, context.skb.meta("embedder", "tfidf")))
