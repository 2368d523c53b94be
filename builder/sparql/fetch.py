"""Fetch the triples about the entities at hand from a live SPARQL endpoint, also as a fact file.

What is fetched is what a dump would have contributed: the redirects, topics
and labels that lead to the entities, their types with the classes above, their
literals, and the relations between two of them.

>>> fetch_to_file("https://dbpedia.org/sparql", ["Ada Lovelace"], Path("ada.nt"))      # doctest: +SKIP
118
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from builder.http.throttle import Throttle, pause_or
from builder.rdf.predicates import FATE_OF_PREDICATE, REDIRECT, SUBCLASS, TOPIC, TOPIC_OF, TYPE
from builder.rdf.terms import Triple
from builder.sparql.answer_cache import Answers
from builder.sparql.client import ANSWER_SECONDS, Endpoint, TooMuch
from builder.sparql.queries import (
    facts_query,
    is_uri,
    names_query,
    redirects_query,
    superclasses_query,
    uris_of,
)
from builder.storage.lock import exclusive
from weft.errors import UnreadableSource
from weft.http.addresses import shown
from weft.http.limits import Limits
from weft.text.names import resource_title

DBPEDIA = "http://dbpedia.org/resource/"
WIKIPEDIA_PAGES = ("http://en.wikipedia.org/wiki/", "https://en.wikipedia.org/wiki/")
MOST_ROUNDS = 10
"""So many redirects in a row, or classes above one another, are followed."""

MOST_BYTES = 20_000_000
MOST_RESOURCES = 10_000
MOST_RESOURCES_A_TITLE = 100
"""Bounds of the resources found, together: so many, and so many a title. Beyond them the answers are wrong."""


class FetchOptions(NamedTuple):
    """How an endpoint is asked; `pause_s` is in seconds, None: as the environment says.

    A title's resource is `resource_prefix` with the title, or has as its topic
    a page of that title under one of `page_prefixes`, or has the title as its
    label. One query is about `batch` titles or resources; one answer has at
    most `page_rows` rows and `most_bytes` bytes.
    """

    languages: Sequence[str] = ("en",)
    resource_prefix: str = DBPEDIA
    page_prefixes: Sequence[str] = WIKIPEDIA_PAGES
    pause_s: float | None = None
    batch: int = 40
    page_rows: int = 5_000
    attempts: int = 6
    sleep: Callable[[float], None] = time.sleep
    most_bytes: int = MOST_BYTES


DEFAULTS = FetchOptions()


def fetch_triples(
    url: str, titles_or_uris: Iterable[str], options: FetchOptions = DEFAULTS, *, answers: Answers | None = None
) -> Iterator[list[Triple]]:
    """Yield the endpoint's triples about these entities, in canonical terms; a triple may come more than once.

    `answers` caches answers. Raise UnreadableSource when the endpoint cannot be
    reached, refuses, or answers no SPARQL results.
    """
    pause_s = pause_or(1.0) if options.pause_s is None else options.pause_s
    throttle = Throttle(shown(url), pause_s=pause_s, attempts=options.attempts, sleep=options.sleep)
    limits = Limits(options.most_bytes, ANSWER_SECONDS)
    with closing(Endpoint(url, throttle, page_rows=options.page_rows, limits=limits)) as endpoint:
        at_hand = _AtHand(_Talk(endpoint, answers, options.batch), options)
        yield from at_hand.names(titles_or_uris)
        yield from at_hand.facts()


def fetch_to_file(
    url: str,
    titles: Iterable[str],
    path: Path,
    options: FetchOptions = DEFAULTS,
    *,
    progress: Callable[[int], None] = lambda n: None,
) -> int:
    """Write the endpoint's triples about these titles as sorted N-Triples, and return their number.

    `progress` is called with the number of triples of each answer. Answers are
    kept in `path` + ".part" until the file is whole, and not asked for again
    after a break. Errors are those of `fetch_triples`, and BeingBuilt while
    another process fetches the same file; `path` is then as before.
    """
    part = path.with_name(path.name + ".part")
    with exclusive(path):
        with Answers(part, shown(url)) as answers:
            found = fetch_triples(url, titles, options, answers=answers)
            n_triples = _write_sorted(path, _with_progress(found, progress))
        part.unlink(missing_ok=True)
    return n_triples


def _with_progress(found: Iterator[list[Triple]], progress: Callable[[int], None]) -> Iterator[list[Triple]]:
    for triples in found:
        yield triples
        progress(len(triples))


def _write_sorted(path: Path, found: Iterable[list[Triple]]) -> int:
    """Write each triple once, by code point; SQLite sorts what does not fit into memory."""
    with closing(sqlite3.connect("")) as sorter:
        sorter.execute("CREATE TABLE line (text TEXT PRIMARY KEY) WITHOUT ROWID")
        for triples in found:
            sorter.executemany(
                "INSERT OR IGNORE INTO line VALUES (?)", ((" ".join((*triple, ".")),) for triple in triples)
            )
        (n_triples,) = sorter.execute("SELECT count(*) FROM line").fetchone()
        whole = path.with_name(path.name + ".new")
        whole.unlink(missing_ok=True)
        with whole.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{text}\n" for (text,) in sorter.execute("SELECT text FROM line ORDER BY text"))
            file.flush()
            os.fsync(file.fileno())
    whole.replace(path)
    return int(n_triples)


class _Talk:
    """Sends one kind of query about many things, a batch at a time; answered ones are not sent again."""

    def __init__(self, endpoint: Endpoint, answers: Answers | None, batch: int) -> None:
        self._endpoint = endpoint
        self._answers = answers
        self._batch = max(1, batch)
        self.shown = endpoint.shown

    def ask(self, query: Callable[[Sequence[str]], str], about: Iterable[str]) -> Iterator[list[Triple]]:
        """Yield the answers about all of `about`, sorted, so that equal batches find their cached answers."""
        things = sorted(set(about))
        for start in range(0, len(things), self._batch):
            yield from self._ask(query, things[start : start + self._batch])

    def _ask(self, query: Callable[[Sequence[str]], str], things: list[str]) -> Iterator[list[Triple]]:
        """Ask about some things, about half of them where all are too much."""
        text = query(things)
        triples = self._answers.get(text) if self._answers else None
        if triples is None:
            try:
                triples = self._answer(text, things[0] if len(things) == 1 else None)
            except TooMuch:
                middle = len(things) // 2
                yield from self._ask(query, things[:middle])
                yield from self._ask(query, things[middle:])
                return
            if self._answers:
                self._answers.put(text, triples)
        yield triples

    def _answer(self, text: str, only: str | None) -> list[Triple]:
        """Return an answer; about the `only` thing also from an endpoint that cannot sort it."""
        try:
            return list(chain.from_iterable(self._endpoint.triples(text)))
        except TooMuch:
            if only is None:
                raise
        try:
            return list(chain.from_iterable(self._endpoint.triples(text, ordered=False)))
        except TooMuch as failure:
            reason = f"{self._endpoint.shown}: cannot answer what is asked of {only} ({failure})"
            raise UnreadableSource(reason) from failure


class _AtHand:
    """The resources that are, or lead to, the entities at hand."""

    def __init__(self, talk: _Talk, options: FetchOptions) -> None:
        self.talk = talk
        self.languages = tuple(options.languages)
        self.prefix = options.resource_prefix
        self.page_prefixes = tuple(options.page_prefixes)
        self.titles: set[str] = set()
        self.uris: set[str] = set()

    def names(self, titles_or_uris: Iterable[str]) -> Iterator[list[Triple]]:
        """Find the resources of the titles, by topic, label and redirects, both ways and to their ends."""
        given = set(titles_or_uris)
        most = MOST_RESOURCES + MOST_RESOURCES_A_TITLE * len(given)
        uris = {name for name in given if is_uri(name)}
        titles = given - uris - {""}
        for _ in range(MOST_ROUNDS):
            self.titles |= titles
            uris.update(uri for title in titles for uri in uris_of(title, self.prefix))
            for triples in self.talk.ask(self._names_query, titles):
                uris.update(_named(triple) for triple in triples)
                yield triples
            uris -= self.uris
            self.uris |= uris
            if len(self.uris) > most:
                raise UnreadableSource(f"{self.talk.shown}: more than {most:,} resources for {len(given):,} titles")
            ends: set[str] = set()
            targets: set[str] = set()
            for triples in self.talk.ask(redirects_query, uris):
                for subject, _, object_ in triples:
                    ends.update(term[1:-1] for term in (subject, object_) if term[0] == "<")
                    targets.add(object_)
                yield triples
            titles = {resource_title(term[1:-1]) for term in targets if term[0] == "<"} - self.titles - {""}
            uris = ends - self.uris
            if not uris and not titles:
                return

    def facts(self) -> Iterator[list[Triple]]:
        """Find the facts about the resources; of the relations those that end at one of them."""
        classes: set[str] = set()
        for triples in self.talk.ask(self._facts_query, self.uris):
            kept = [triple for triple in triples if self._is_kept(triple)]
            classes.update(
                object_[1:-1]
                for _, predicate, object_ in kept
                if FATE_OF_PREDICATE.get(predicate) == TYPE and object_[0] == "<"
            )
            yield kept
        yield from self._superclasses(classes)

    def _superclasses(self, classes: set[str]) -> Iterator[list[Triple]]:
        asked: set[str] = set()
        for _ in range(MOST_ROUNDS):
            if not classes:
                return
            asked |= classes
            above: set[str] = set()
            for triples in self.talk.ask(superclasses_query, classes):
                kept = [triple for triple in triples if triple[1] == SUBCLASS and triple[2][0] == "<"]
                above.update(object_[1:-1] for _, _, object_ in kept)
                yield kept
            classes = above - asked

    def _is_kept(self, triple: Triple) -> bool:
        _, predicate, object_ = triple
        if object_[0] == '"' or FATE_OF_PREDICATE.get(predicate) in (TYPE, REDIRECT, TOPIC):
            return True
        return object_[1:-1] in self.uris

    def _names_query(self, titles: Sequence[str]) -> str:
        return names_query(titles, self.page_prefixes, self.languages)

    def _facts_query(self, uris: Sequence[str]) -> str:
        return facts_query(uris, self.languages)


def _named(triple: Triple) -> str:
    """Return the resource that a topic or label triple is about."""
    subject, predicate, object_ = triple
    about_object = FATE_OF_PREDICATE.get(predicate) == TOPIC and predicate != TOPIC_OF
    return (object_ if about_object else subject)[1:-1]
