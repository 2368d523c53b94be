"""All facts of an SKB in a temporary SQLite file of their own, so that memory stays bounded whatever their number.

Things are one where they are one entity, or one date, year, number or name by
their name key. Predicates of one key count as one when facts are looked up.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.grammar.predicates import DEFINITIONS, Predicate, key_of
from retriever.synthesis.grammar.units import same_unit
from weft.text.names import name_key

TABLES = """
CREATE TABLE thing (id INTEGER PRIMARY KEY, key TEXT UNIQUE, kind TEXT, text TEXT, entity_id INTEGER, number REAL);
CREATE TABLE predicate (
    id INTEGER PRIMARY KEY, words TEXT, is_noun INTEGER, frame TEXT, key TEXT, UNIQUE (words, is_noun, frame)
);
CREATE TABLE fact (
    id INTEGER PRIMARY KEY, subject INTEGER, predicate INTEGER, key TEXT, object INTEGER, chunk INTEGER, said INTEGER,
    subject_text TEXT, object_text TEXT, UNIQUE (subject, key, object)
);
"""
INDEXES = """
CREATE INDEX fact_object ON fact (object, key, subject);
CREATE INDEX fact_key ON fact (key, id);
CREATE INDEX fact_chunk ON fact (chunk);
CREATE INDEX fact_from ON fact (subject, id);
CREATE INDEX fact_to ON fact (object, id);
"""
"""The last two give the first facts of a thing without a look at the others: hubs have thousands."""

MET = """
WITH asked AS (SELECT subject, object, chunk, id FROM fact WHERE said >= 0)
SELECT thing FROM (SELECT subject AS thing, chunk, id FROM asked UNION ALL SELECT object, chunk, id FROM asked) AS ends
JOIN thing ON thing.id = thing WHERE kind IN ('entity', 'name', 'phrase')
GROUP BY thing HAVING count(DISTINCT ifnull(chunk, -ends.id)) > 1 ORDER BY thing
"""
DEFINING = key_of(DEFINITIONS[0])
ADD = """
INSERT INTO fact (subject, predicate, key, object, chunk, said, subject_text, object_text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (subject, key, object) DO UPDATE SET predicate = excluded.predicate, chunk = excluded.chunk,
said = excluded.said, subject_text = excluded.subject_text, object_text = excluded.object_text
WHERE fact.said < 0 AND excluded.said >= 0
"""
"""What questions are made of takes the place of what is only known."""

UNASKED = -1
FACT = "fact.id, subject, predicate, object, chunk, said, subject_text, object_text"
ENOUGH_TO_TELL = 5
"""Facts of a predicate by which its functionality can be told."""

RARE = 50
"""Things by which it is told which of two steps leads to fewer."""

CACHE_KIB = 65_536


class Stored(NamedTuple):
    """A fact by its number; `subject` and `object` are numbers of things, texts are how the chunk calls them."""

    id: int
    subject: int
    predicate: int
    object: int
    chunk: int | None
    said: bool
    subject_text: str
    object_text: str

    def other(self, thing: int) -> int:
        """Return its end that is not this one."""
        return self.object if thing == self.subject else self.subject


class Step(NamedTuple):
    """From things to those that facts of a predicate's key relate them to, forward or against the facts' direction."""

    key: str
    forward: bool

    @property
    def ends(self) -> tuple[str, str]:
        """The end of a fact that it starts at, and the one that it leads to."""
        return ("subject", "object") if self.forward else ("object", "subject")


class FactStore:
    """Facts to write once and to look up; a resource to be closed.

    `only_said`: facts whose chunk merely has both ends are known, so that nothing
    is taken to be unique which is not, and no question is made of them.
    """

    def __init__(self, *, only_said: bool = True) -> None:
        self._least_said = int(only_said)
        # An empty name is a temporary file, which SQLite removes.
        self.connection = sqlite3.connect("")
        self.connection.executescript(f"PRAGMA journal_mode=OFF; PRAGMA cache_size=-{CACHE_KIB};" + TABLES)
        self.thing = lru_cache(maxsize=1 << 16)(self._thing)
        self.predicate = lru_cache(maxsize=1 << 14)(self._predicate)
        self._functionality = lru_cache(maxsize=1 << 14)(self._functional)
        self._reached = lru_cache(maxsize=1 << 16)(self._reach)
        self.is_mutual = lru_cache(maxsize=1 << 14)(self._holds_both_ways)
        """Tell whether most facts of a predicate's key are also there with their ends exchanged."""

        self._meeting = lru_cache(maxsize=1 << 14)(self._share_meeting)
        self._thing_ids = lru_cache(maxsize=1 << 18)(self._thing_id)
        self._predicate_ids = lru_cache(maxsize=1 << 14)(self._predicate_id)

    def close(self) -> None:
        """Drop everything."""
        self.connection.close()

    def add(self, facts: Iterable[Fact]) -> None:
        """Write facts; of those that say the same the first is kept of which questions are made."""
        rows = (
            (self._of(fact.subject), self._predicate_ids(fact.predicate), fact.predicate.key, self._of(fact.object),
             fact.chunk_id, int(fact.said) if fact.is_asked else UNASKED, fact.subject.text, fact.object.text)
            for fact in facts
            if fact.predicate.words and fact.predicate.key
        )  # fmt: skip
        self.connection.executemany(ADD, (row for row in rows if row[0] != row[3]))

    def finish(self) -> None:
        """Index what was written."""
        self.connection.executescript(INDEXES + "ANALYZE;")

    def count(self) -> int:
        """Return the number of facts."""
        return int(self.connection.execute("SELECT count(*) FROM fact").fetchone()[0])

    def facts(self, ids: Sequence[int]) -> list[Stored]:
        """Return facts in the order of their numbers."""
        found = [self._one(f"SELECT {FACT} FROM fact WHERE id = ?", each) for each in ids]
        return [Stored(*row) for row in found]

    def asked_of(self, key: str) -> list[int]:
        """Return the numbers of the facts of a predicate's key that have a value and that questions are made of."""
        rows = self.connection.execute(
            "SELECT fact.id FROM fact JOIN thing ON thing.id = object WHERE fact.key = ? AND said >= ? AND number"
            " IS NOT NULL AND kind IN ('date', 'year', 'number') ORDER BY fact.id", (key, self._least_said)
        )
        return [row[0] for row in rows]

    def every(self) -> list[int]:
        """Return the numbers of all facts that questions are made of."""
        rows = self.connection.execute("SELECT id FROM fact WHERE said >= ? ORDER BY id", (self._least_said,))
        return [row[0] for row in rows]

    def met(self) -> list[int]:
        """Return the things that facts of two chunks or more touch, ascending."""
        return [row[0] for row in self.connection.execute(MET)]

    def touching(self, thing: int, most: int) -> list[Stored]:
        """Return at most so many facts at each end of which a thing is and that are asked about, the first ones.

        What defines the thing comes before all.
        """
        defining = self.connection.execute(
            f"SELECT {FACT} FROM fact WHERE subject = ? AND key = ? ORDER BY id LIMIT ?", (thing, DEFINING, most)
        )
        others = (
            row
            for end in ("subject", "object")
            for row in self.connection.execute(
                f"SELECT {FACT} FROM fact WHERE {end} = ? AND said >= ? ORDER BY id LIMIT ?",
                (thing, self._least_said, most),
            )
        )
        return [Stored(*row) for row in dict.fromkeys((*defining, *others))]

    def reached(self, thing: int, step: Step, most: int) -> tuple[int, ...]:
        """Return at most so many of the things that a step leads to, ascending."""
        return self._reached(thing, step, most)

    def reached_by_both(self, one: tuple[int, Step], other: tuple[int, Step], most: int) -> tuple[int, ...]:
        """Return at most so many of the things that each of two steps leads to; linear in what the rarer one does."""
        (thing, step), (end, through) = sorted((one, other), key=lambda each: len(self.reached(each[0], each[1], RARE)))
        here, there = step.ends
        back, forth = through.ends
        rows = self.connection.execute(
            f"SELECT DISTINCT {there} FROM fact AS led WHERE {here} = ? AND key = ? AND EXISTS (SELECT 1 FROM fact"
            f" WHERE fact.{back} = ? AND fact.key = ? AND fact.{forth} = led.{there}) LIMIT ?",
            (thing, step.key, end, through.key, most),
        )
        return tuple(row[0] for row in rows)

    def _reach(self, thing: int, step: Step, most: int) -> tuple[int, ...]:
        here, there = step.ends
        rows = self.connection.execute(
            f"SELECT DISTINCT {there} FROM fact WHERE {here} = ? AND key = ? ORDER BY 1 LIMIT ?",
            (thing, step.key, most),
        )
        return tuple(row[0] for row in rows)

    def functionality(self, step: Step) -> float:
        """Return how near a step comes to lead to one thing alone: the share of different things that it starts at.

        It is the functionality of a relation (Galárraga et al. 2013, AMIE), from 0 to 1; 1 where facts are too few.
        """
        return self._functionality(step)

    def can_tell(self, key: str) -> bool:
        """Tell whether there are facts enough of a predicate's key to tell how functional it is."""
        row = self.connection.execute("SELECT count(*) FROM (SELECT 1 FROM fact WHERE key = ? LIMIT ?)",
                                      (key, ENOUGH_TO_TELL)).fetchone()  # fmt: skip
        return int(row[0]) >= ENOUGH_TO_TELL

    def _functional(self, step: Step) -> float:
        here = "subject" if step.forward else "object"
        row = self.connection.execute(f"SELECT count(DISTINCT {here}), count(*) FROM fact WHERE key = ?", (step.key,))
        different, every = row.fetchone()
        return float(different / every) if every >= ENOUGH_TO_TELL else 1.0

    def _holds_both_ways(self, key: str) -> bool:
        row = self.connection.execute(
            "SELECT count(*), sum(EXISTS (SELECT 1 FROM fact AS back WHERE back.subject = fact.object AND"
            " back.key = fact.key AND back.object = fact.subject)) FROM fact WHERE key = ?", (key,)
        ).fetchone()
        return bool(2 * (row[1] or 0) > row[0])

    def meeting(self, into: Step, out_of: Step) -> float:
        """Return the share of what a step leads to that another step can start at."""
        return self._meeting(into, out_of)

    def _share_meeting(self, into: Step, out_of: Step) -> float:
        there = "object" if into.forward else "subject"
        here = "subject" if out_of.forward else "object"
        row = self.connection.execute(
            f"WITH met AS (SELECT DISTINCT {there} AS thing FROM fact WHERE key = ?) SELECT count(*), sum(thing IN"
            f" (SELECT {here} FROM fact WHERE key = ?)) FROM met", (into.key, out_of.key),
        ).fetchone()
        return float((row[1] or 0) / max(1, row[0]))

    def are_related(self, one: int, other: int) -> bool:
        """Tell whether a fact relates two things directly."""
        query = "SELECT 1 FROM fact WHERE subject = ? AND object = ? LIMIT 1"
        return any(self.connection.execute(query, ends).fetchone() for ends in ((one, other), (other, one)))

    def _of(self, thing: Thing) -> int:
        return self._thing_ids(thing._replace(text="") if thing.entity_id is not None else thing)

    def _thing_id(self, thing: Thing) -> int:
        plain = thing.text.removeprefix("the ") if thing.kind == "phrase" else thing.text
        # One day and one quantity are one thing, however they are written.
        own = str(thing.number) if thing.kind == "date" else name_key(same_unit(plain))
        key = f"{thing.kind}:{own}" if thing.entity_id is None else f"e{thing.entity_id}"
        self.connection.execute(
            "INSERT OR IGNORE INTO thing (key, kind, text, entity_id, number) VALUES (?, ?, ?, ?, ?)",
            (key, thing.kind, thing.text, thing.entity_id, thing.number),
        )
        return int(self._one("SELECT id FROM thing WHERE key = ?", key)[0])

    def _predicate_id(self, predicate: Predicate) -> int:
        self.connection.execute(
            "INSERT OR IGNORE INTO predicate (words, is_noun, frame, key) VALUES (?, ?, ?, ?)",
            (*predicate, predicate.key),
        )
        query = "SELECT id FROM predicate WHERE words = ? AND is_noun = ? AND frame = ?"
        return int(self.connection.execute(query, tuple(predicate)).fetchone()[0])

    def _thing(self, identity: int) -> Thing:
        return Thing(*self._one("SELECT kind, text, entity_id, number FROM thing WHERE id = ?", identity))

    def _predicate(self, identity: int) -> Predicate:
        words, is_noun, frame = self._one("SELECT words, is_noun, frame FROM predicate WHERE id = ?", identity)
        return Predicate(words, bool(is_noun), frame)

    def _one(self, query: str, value: object) -> tuple[Any, ...]:
        row: tuple[Any, ...] = self.connection.execute(query, (value,)).fetchone()
        return row
