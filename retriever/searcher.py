"""Search: a method, what may be ranked, and a question's text to a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from pathlib import Path

from retriever.context import Context
from retriever.methods import Method, parse_method, take_options
from retriever.overlap import without_overlap
from retriever.question.filters import Filters, allowed_by, unrepeated
from retriever.question.reader import query_of, question_of
from retriever.rankers.composed import composed
from retriever.registry import ENTRIES, RANKING, offered
from retriever.session import Session
from retriever.types import Ids, Query, Question, Ranking, Step, Unit
from weft.errors import WeftError
from weft.rows import Chunk
from weft.show import pages_titled
from weft.skb import Skb
from weft.text.normalise import normalized

AUTO, AUTO_OF_GRAPHS = "hybrid", "autofocus"
"""What the method `auto` stands for, over the nodes of imported graphs the second."""

COLONS = (":", "：")
UNITS = ("auto", "chunk", "entity")
NO_FILTERS = Filters()


class Searcher:
    """Answers the questions of one session by one method; of a context, in a session of its own.

    `fusion` is a name or file (see `fusion_named`): short for the option of that
    name, and of no account for what does not rank by one. Raise WeftError for a method, fusion or filter that is none.
    """

    def __init__(
        self, session: Session | Context, method: str | Method = "auto", unit: Unit = "chunk",
        fusion: str | Path | None = None, filters: Filters = NO_FILTERS,
    ) -> None:  # fmt: skip
        self.session = Session(session) if isinstance(session, Context) else session
        if isinstance(method, str) and method.strip() == "auto" and unit == "entity" and self.session.skb.is_graph:
            method = AUTO_OF_GRAPHS
        self.method = with_fusion(method_named(method), unit, fusion)
        self.unit: Unit = unit
        self.filters = filters
        self.allowed = self._allowed(unit)
        self.ranker = composed(self.session, self.method, unit)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of every ranking by this method."""
        return self.ranker.warnings

    @cached_property
    def direct(self) -> Searcher:
        """The same searcher without hops: what answers goes by hops of its own."""
        part = self.method.ranker
        if part.name != AUTO:
            return self
        own = copy(self)
        method = self.method._replace(ranker=part._replace(options={**part.options, "hops": False}))
        own.ranker = composed(self.session, method, self.unit)
        return own

    @cached_property
    def _texts(self) -> list[tuple[Unit, Ids | None]]:
        """The texts that a hit may be due to: entities are ranked by those of their chunks too."""
        if self.unit == "chunk":
            return [("chunk", self.allowed)]
        return [("entity", self.allowed), ("chunk", self._allowed("chunk"))]

    def _allowed(self, unit: Unit) -> Ids | None:
        skb = self.session.skb
        pages = tuple(uri for name in self.filters.pages for uri in pages_titled(skb, name))
        allowed = allowed_by(skb, unit, self.filters._replace(pages=pages))
        return unrepeated(self.session) if allowed is None and unit == "chunk" else allowed

    def learned(self, path: Path, questions: Sequence[str]) -> dict[str, int]:
        """Return how many questions of a file taught each trained part of the method; figures on these mean nothing."""
        return self.ranker.learned(path, questions)

    def n_learned(self, path: Path, questions: Sequence[str]) -> int:
        """Return how many questions of a file the part of the method knows that was trained on most of them."""
        return max(self.learned(path, questions).values(), default=0)

    def query(self, question: str) -> Query:
        """Return a question as the method sees it; a session reads it once."""
        key = question, self.unit, id(self.allowed), self._by_words
        return self.session.memo.of("query", key, lambda: self._read(question), held=self.allowed)

    def rank(self, question: str, k: int) -> Ranking:
        """Return at most k hits, best first, ties by uri."""
        query = self.query(question)
        timer = self.session.trace.timer()
        found = self.ranker.rank(self.session, query, k)
        detail = {"method": str(self.method), "unit": self.unit, "hits": len(found.ids)}
        self.session.trace.add(Step("rank", timer.seconds(), warnings=self.warnings, detail=detail))
        return found

    def rank_anew(self, question: str, k: int) -> Ranking:
        """Return what `rank` does, with nothing known of earlier questions: what is timed so counts all work."""
        self.session.forget()
        return self.rank(question, k)

    def warnings_of(self, question: str, found: Ranking) -> tuple[str, ...]:
        """Return what the user should know of the hits of one question: that nothing fits it."""
        query = self.query(question)
        warning = without_overlap(self.session, query.question, found, self._texts)
        if warning is None and len(found.ids):
            warning = self.ranker.doubt(self.session, query)
        return () if warning is None else (warning,)

    def texts(self, found: Ranking) -> list[tuple[str, str, str]]:
        """Return each hit's uri, its page's title or its name, and its text."""
        skb = self.session.skb
        if found.unit == "entity":
            return [(entity.uri, entity.name, entity.label) for entity in skb.entities(found.ids.tolist())]
        chunks = skb.chunks(found.ids.tolist())
        pages = skb.pages([chunk.page_id for chunk in chunks])
        return [(chunk.uri, page.title, chunk.text) for chunk, page in zip(chunks, pages, strict=True)]

    def following(self, found: Ranking) -> list[str | None]:
        """Return for each hit that ends with a colon the text that it introduces: that of its section's next chunk."""
        if found.unit == "entity":
            return [None] * len(found.ids)
        chunks = self.session.skb.chunks(found.ids.tolist())
        return [self._behind(chunk) if chunk.text.endswith(COLONS) else None for chunk in chunks]

    def _behind(self, chunk: Chunk) -> str | None:
        rows = self.session.skb.connection.execute(
            "SELECT text FROM chunk WHERE page_id = ? AND position = ? AND section_id IS ?",
            (chunk.page_id, chunk.position + 1, chunk.section_id),
        )
        return next((text for (text,) in rows), None)

    def signals(self, question: str, found: Ranking) -> list[dict[str, float]]:
        """Return each hit's raw score under every signal that the method ranks by."""
        scores = self.ranker.signals(self.session, self.query(question), found)
        rows = zip(*(column.tolist() for column in scores.values()), strict=True)
        return [{name: _short(value) for name, value in zip(scores, row, strict=True)} for row in rows]

    @property
    def _by_words(self) -> bool:
        """Words alone need no encoder, which may be a network away."""
        return self.method.ranker.name == "bm25" and self.method.expansion is self.method.reranker is None

    def _read(self, text: str) -> Query:
        timer = self.session.trace.timer()
        question = Question(normalized("NFC", text)) if self._by_words else question_of(self.session, text)
        detail = {
            "mentions": [{"name": each.name, "how": each.how} for each in question.mentions],
            "asked": list(question.asked),
            "answer_type": question.answer_type,
            "allowed": None if self.allowed is None else len(self.allowed),
        }
        self.session.trace.add(Step("question", timer.seconds(), detail=detail))
        return query_of(question, self.unit, self.allowed)


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def method_named(method: str | Method) -> Method:
    """Return the method of an expression, `auto` too; raise WeftError for one that cannot be run."""
    if isinstance(method, str):
        method = parse_method(AUTO if method.strip() == "auto" else method)
    for part in (method.ranker, method.expansion, method.reranker):
        if part is not None and ENTRIES[part.name].maker is None:
            raise WeftError(f"{method}: {part.name} is not there yet; choose one of {', '.join(offered(*RANKING))}")
    return method


def ranks_by_fusion(method: str | Method, unit: Unit) -> bool:
    """Tell whether a method ranks by a fusion: `hybrid` does over chunks."""
    return unit == "chunk" and "fusion" in ENTRIES[method_named(method).ranker.name].options


def asks_model(method: str | Method) -> bool:
    """Tell whether a method asks a language model, where there is one: `path(model=yes)` and `hyde>vector` do."""
    named = method_named(method)
    parts = [part for part in (named.expansion, named.ranker, named.reranker) if part is not None]
    entries = [(part, ENTRIES[part.name]) for part in parts]
    return any(entry.asks or take_options(part, entry.options).get("model") is True for part, entry in entries)


def names_fusion(method: str | Method) -> bool:
    """Tell whether an expression says itself by which fusion it ranks: `hybrid(fusion=logistic)`."""
    return "fusion" in method_named(method).ranker.options


def with_fusion(method: Method, unit: Unit, fusion: str | Path | None) -> Method:
    """Return a method that ranks by a fusion, which its name tells; raise WeftError where it names one already."""
    if fusion is None or not ranks_by_fusion(method, unit):
        return method
    if names_fusion(method):
        raise WeftError(f"{method}: names a fusion, and {fusion} is asked for too; leave one of them out")
    part = method.ranker
    return method._replace(ranker=part._replace(options={**part.options, "fusion": str(fusion)}))


def unit_named(unit: str, skb: Skb) -> Unit:
    """Return what is ranked where `auto` takes entities of imported graphs and chunks of all else."""
    if unit not in UNITS:
        raise WeftError(f"{unit}: is no unit; choose chunk, entity or auto")
    return "entity" if unit == "entity" or (unit == "auto" and skb.is_graph) else "chunk"
