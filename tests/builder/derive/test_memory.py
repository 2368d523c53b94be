"""Key tables go to disk when they would be too large, and nothing else changes."""

from __future__ import annotations

import random
import sqlite3
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.derive.entity_index import EntityResolver
from builder.derive.workspace import create_functions, empty
from tests.conftest import FIXTURES
from tests.worlds import ONTOLOGY, RESOURCE, dumped, link, page, rows, triple, write_pages
from weft.schema import create
from weft.text.names import name_key, resource_title, uri_part, uri_text

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TOPIC_OF = "http://xmlns.com/foaf/0.1/isPrimaryTopicOf"


def test_key_tables_on_disk_give_the_same_knowledge(
    tmp_path: Path, world: Path, weave: Callable[..., object]
) -> None:
    weave(FIXTURES / "encyclopedia", rdf=(str(FIXTURES / "facts.nt"),), memory_mb=0.01)
    assert dumped(tmp_path / "kb.skb") == dumped(world)


def _about(resource: str, *labels: str, topic: str | None = None) -> str:
    """Return what a fact file says of an opaque resource: its names, its page and its code."""
    term = f"<{RESOURCE}{resource}>"
    said = [f'{term} <{LABEL}> "{label}"@en .\n' for label in labels]
    said += [f"{term} <{TOPIC_OF}> <http://en.wikipedia.org/wiki/{topic}> .\n"] if topic else []
    return "".join(said) + f'{term} <{ONTOLOGY}code> "{resource}" .\n'


def test_labels_and_topics_on_disk_join_as_in_memory(tmp_path: Path, weave: Callable[..., object]) -> None:
    linked = " and ".join(map(link, ("Ford", "St. Anne", "The Lock", "the lock")))
    pages = write_pages(tmp_path / "pages", {"a.html": page("Mill Weir", f"By {linked}.")})
    facts = tmp_path / "f.nt"
    facts.write_text(
        _about("Q1", "Mill Weir")                        # exactly
        + _about("Q2", "st anne!")                       # by the key of one name
        + _about("Q3", "THE LOCK")                       # by a key of two: nothing
        + _about("Q4", "Zzz", "Ford", "Mill Weir")       # the first that joins
        + _about("Q5", "Mill Weir", topic="Ford")        # a topic comes first
        + _about("Q6", "Mill Weir", topic="Nowhere")     # a topic of nothing
        + _about("Ford", "Mill Weir")                    # a title comes before a label
        + _about("Q7", topic="Mill_Weir")
        + triple("Q1", "near", "Q2"),
        encoding="utf-8",
    )  # fmt: skip
    weave(pages, rdf=(str(facts),))
    in_memory = dumped(tmp_path / "kb.skb")
    codes = "SELECT value, uri FROM attribute JOIN entity ON entity.id = entity_id ORDER BY 1"
    assert rows(tmp_path / "kb.skb", codes) == [
        ("Ford", "Ford"), ("Q1", "Mill Weir"), ("Q2", "St. Anne"), ("Q4", "Ford"), ("Q5", "Ford"),
        ("Q6", "Mill Weir"), ("Q7", "Mill Weir"),
    ]  # fmt: skip
    for memory_mb in (0.0, 0.0005, 0.001, 0.0015):
        (tmp_path / "kb.skb").unlink()
        weave(pages, rdf=(str(facts),), memory_mb=memory_mb)
        assert dumped(tmp_path / "kb.skb") == in_memory


@pytest.fixture
def names(tmp_path: Path) -> sqlite3.Connection:
    """Open an empty SKB with the tables that the names of fact files are written to."""
    connection = create(tmp_path / "names.skb")
    create_functions(connection)
    empty(connection, "redirect", "topic", "label")
    return connection


def _fill(connection: sqlite3.Connection, entities: list[str], labels: list[tuple[str, str]]) -> None:
    connection.executemany(
        "INSERT INTO entity (uri, name, label) VALUES (?1, ?1, ?1)", ((uri_part(each),) for each in entities)
    )
    connection.executemany(
        "INSERT INTO temp.label VALUES (1, ?, ?, ?)",
        ((f"<{RESOURCE}{own}>", resource_title(RESOURCE + own), name) for own, name in labels),
    )


def test_labels_and_topics_take_no_more_memory_than_is_given(names: sqlite3.Connection) -> None:
    many = range(15_000)
    _fill(names, [f"Weir {n}" for n in many], [(f"Q{n}", f"weir {n * 7}") for n in many])
    names.executemany(
        "INSERT INTO temp.topic VALUES (?, ?)", ((f"<{RESOURCE}T{n}>", f"Weir {n * 5}") for n in many)
    )
    tracemalloc.start()
    entity_of = EntityResolver(names, 0.5)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2e6
    found = [entity_of[f"<{RESOURCE}{each}>"] for each in ("Q3", "T3", "Weir_3", "Q14999", "T14999")]
    assert found == [22, 16, 4, None, None]


@pytest.mark.parametrize("seed", range(30))
def test_random_names_join_as_by_hand(names: sqlite3.Connection, seed: int) -> None:
    choose = random.Random(seed)
    words = ["Weir", "weir", "WEIR!", "Ford", "ford", "Lock 1", "lock_1", "100%", "Mill"]
    entities = choose.sample(words, choose.randrange(1, 6))
    labels = [(choose.choice(["Q1", "Q2", "Q3", "Mill", "Ford"]), choose.choice(words)) for _ in range(6)]
    _fill(names, entities, labels)
    names.executemany(
        "INSERT INTO temp.redirect VALUES (?, ?)",
        ((title, choose.choice(words)) for title in choose.sample(words, 3) if title not in entities),
    )
    names.executemany(
        "INSERT INTO temp.topic VALUES (?, ?)",
        ((f"<{RESOURCE}{own}>", choose.choice(words)) for own in choose.sample(["Q1", "Q2", "Ford"], 2)),
    )
    terms = [f"<{RESOURCE}{own}>" for own in ("Q1", "Q2", "Q3", "Q4", "Mill", "Ford", "Weir")]
    expected = {term: _by_hand(names, term) for term in terms}
    for memory_mb in (0.0, 0.0005, 0.001, 1.0):
        entity_of = EntityResolver(names, memory_mb)
        assert {term: entity_of[term] for term in terms} == expected


def _by_hand(connection: sqlite3.Connection, term: str) -> int | None:
    """Return the entity of a resource: by topic, title, redirect, then by its first label that joins."""
    titles: dict[str, int] = {uri_text(uri): own for own, uri in connection.execute("SELECT id, uri FROM entity")}
    entities = dict(titles)
    for title, target in connection.execute("SELECT title, target FROM temp.redirect"):
        if target in entities:
            titles.setdefault(title, entities[target])
    for (title,) in connection.execute("SELECT title FROM temp.topic WHERE term = ?", (term,)):
        if title in titles:
            return titles[title]
    own_title = resource_title(term[1:-1])
    if own_title in titles:
        return titles[own_title]
    for (name,) in connection.execute("SELECT name FROM temp.label WHERE term = ? ORDER BY name", (term,)):
        sharing = {own for title, own in titles.items() if name_key(title) == name_key(name)}
        if name in titles or len(sharing) == 1:
            return titles.get(name, min(sharing))
    return None
