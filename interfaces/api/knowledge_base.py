"""An SKB that is open for questions: what `weft.open` returns."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from os import PathLike
from threading import Lock
from types import TracebackType
from typing import Any, Self

from interfaces.api.answers import AnswerRecord, answer_record
from interfaces.api.arguments import check_count, check_share, check_text, name_of, path_of, texts_of
from interfaces.api.records import EntityRecord, Hit, Hits, Neighbor, PageRecord, Passage, Reason
from interfaces.api.sessions import SessionPool
from interfaces.explanation_text import sentence
from retriever.explanation import explain, why
from retriever.question.filters import Filters, parse_condition
from retriever.searcher import Searcher, unit_named
from retriever.types import Attribution, Ranking
from weft.chat.registry import chat_named
from weft.errors import WeftError
from weft.show import aliases_of, entity_called, page_called
from weft.skb import Skb


class KnowledgeBase:
    """A knowledge base, open for reading by any number of threads.

    Arrays are loaded when a search first needs them, once for all threads, and
    kept until `close`. Methods raise `weft.WeftError`, whose message is one
    line, for what the caller can mend: a method that is none, a uri that nothing
    has, a file that was replaced or damaged.
    """

    def __init__(self, path: str | PathLike[str], llm: str | None = None, max_tokens_total: int | None = None) -> None:
        """Open `path`; raise WeftError when it is none, or `llm` names no language model."""
        self.path = path_of("path", path)
        if llm is not None:
            check_text("llm", llm)
        chat = None if llm is None else chat_named(llm, most_tokens=max_tokens_total)
        self.sessions = SessionPool(Skb(self.path), chat)

    def close(self) -> None:
        """Close the file; searches that run in other threads still end."""
        self.sessions.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"weft.open({str(self.path)!r})"

    def search(
        self,
        question: str,
        *,
        method: str = "auto",
        k: int | None = 5,
        unit: str = "auto",
        types: str | Sequence[str] = (),
        pages: str | Sequence[str] = (),
        where: str | Sequence[str] = (),
    ) -> Hits:
        """Return the k best hits for a question, best first, all there are where k is None.

        `method` is an expression such as "hybrid", "bm25", "page(n=5)" or
        "hybrid(fusion=rrf)" (docs/methods.md); "auto" is the best that the file
        allows. `unit` is "chunk", "entity", or "auto": entities where the file was
        made of graphs. `types`, `pages` and `where` ("opened>1200") restrict what is
        ranked, exactly; each is one text or several.
        """
        check_count("k", k)
        check_text("question", question)
        check_text("method", method)
        conditions = map(parse_condition, texts_of("where", where))
        filters = Filters(texts_of("types", types), texts_of("pages", pages), tuple(conditions))
        with self.sessions.borrowed() as session:
            searcher = Searcher(session, method, unit_named(unit, session.skb), filters=filters)
            found = searcher.rank(question, session.skb.count(searcher.unit) if k is None else k)
            explanation = Explanation(self.sessions, searcher, question, found)
            return Hits(
                _hits(searcher, question, found, explanation),
                str(searcher.method),
                searcher.unit,
                (*searcher.warnings, *searcher.warnings_of(question, found)),
            )

    def ask(
        self, question: str, *, method: str = "auto", unit: str = "auto", threshold: float | None = None,
        least_confidence: float = 0.0,
    ) -> AnswerRecord:  # fmt: skip
        """Return the answer to a question with its citations; its `answer` is None where the file holds none.

        It is found in the hits of `method`, as `search` has them, and cites the
        sentences that say so; over entities it is the names of nodes. An answer found
        in passages is given if its `chance` is `threshold` or more, 0 to 1, by default
        the one of docs/answers.md, and its `confidence` is `least_confidence` or more.
        """
        check_text("question", question)
        check_share("threshold", threshold)
        check_share("least_confidence", least_confidence)
        check_text("method", method)
        with self.sessions.borrowed() as session:
            searcher = Searcher(session, method, unit_named(unit, session.skb))
            return answer_record(searcher, question, threshold, least_confidence)

    def page(self, name: str) -> PageRecord:
        """Return the page of a uri or title; raise WeftError, with the nearest names, where there is none."""
        name = name_of("name", name)
        with self.sessions.borrowed() as session:
            skb = session.skb
            page = page_called(skb, name)
            sections = tuple(section.uri for section in skb.sections_of_page(page.id))
            passages = tuple(Passage(chunk.uri, chunk.kind, chunk.text) for chunk in skb.chunks_of_page(page.id))
        return PageRecord(page.uri, page.title, page.url, page.language, page.modified, sections, passages)

    def entity(self, name: str) -> EntityRecord:
        """Return the entity of a uri or name; raise WeftError, with the nearest names, where there is none."""
        name = name_of("name", name)
        with self.sessions.borrowed() as session:
            skb = session.skb
            entity = entity_called(skb, name)
            page = None if entity.page_id is None else skb.pages([entity.page_id])[0].uri
            aliases, attributes = tuple(aliases_of(skb, entity)), tuple(skb.attributes(entity.id))
        return EntityRecord(entity.uri, entity.name, entity.type, page, aliases, attributes)

    def neighbors(self, name: str) -> list[Neighbor]:
        """Return what an entity is related to, in both directions, by predicate and uri."""
        name = name_of("name", name)
        with self.sessions.borrowed() as session:
            found = session.skb.neighbours(entity_called(session.skb, name).id)
        return [Neighbor(each.type, each.entity.uri, each.entity.name) for each in found]

    def sql(self, query: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[dict[str, Any]]:
        """Return the rows of a query of one's own as dicts; docs/schema.md describes the tables.

        The file cannot be written to. Raise WeftError, with SQLite's message, for a query that it refuses.

        >>> kb.sql("SELECT kind, count(*) AS n FROM chunk GROUP BY kind")    # doctest: +SKIP
        """
        check_text("query", query)
        with self.sessions.borrowed() as session:
            try:
                return list(session.skb.database.query(query, parameters))
            except sqlite3.Error as error:
                raise WeftError(f"{' '.join(query.split())}: SQLite refuses this query ({error})") from error
            except ValueError as error:
                raise WeftError(f"{' '.join(query.split()) or 'nothing'}: is no query that returns rows") from error


class Explanation:
    """The reasons of all hits of one search, computed when the first is read."""

    def __init__(self, sessions: SessionPool, searcher: Searcher, question: str, found: Ranking) -> None:
        self._sessions = sessions
        self._search = str(searcher.method), searcher.unit, searcher.filters
        self._question = question
        self._found = found
        self._lock = Lock()
        self._reasons: list[tuple[Reason, ...]] | None = None

    def of(self, rank: int) -> tuple[Reason, ...]:
        """Return the reasons of the hit at a rank."""
        with self._lock:
            if self._reasons is None:
                self._reasons = self._computed()
            return self._reasons[rank - 1]

    def _computed(self) -> list[tuple[Reason, ...]]:
        method, unit, filters = self._search
        with self._sessions.borrowed() as session:
            searcher = Searcher(session, method, unit, filters=filters)
            explained = explain(searcher, self._question, self._found)
            uris = session.uris(unit, self._found.ids.tolist())
        hits = zip(explained, uris, self._found.scores.tolist(), strict=True)
        return [_reasons(own, uri, score) or (_by_score(method, score, uri),) for own, uri, score in hits]


def _reasons(attributions: Sequence[Attribution], uri: str, score: float) -> tuple[Reason, ...]:
    rows = why(attributions, uri, score)
    return tuple(Reason(sentence(row, uri), row["contribution"], row["signal"], row["uri"]) for row in rows)


def _by_score(method: str, score: float, uri: str) -> Reason:
    return Reason(f"is ranked by its score under {method}", score, method, uri)


def _hits(searcher: Searcher, question: str, found: Ranking, explanation: Explanation) -> list[Hit]:
    texts, behind, signals = searcher.texts(found), searcher.following(found), searcher.signals(question, found)
    rows = zip(texts, found.scores.tolist(), signals, behind, strict=True)
    return [
        Hit(rank, *text, round(score, 6), own, following, explanation.of)
        for rank, (text, score, own, following) in enumerate(rows, 1)
    ]
