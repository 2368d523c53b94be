"""The second program that judges the co-mention filter must itself be right."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.naive_comention import kept_by_hand, violations
from tests.paths import ROOT

SCHEMA = ROOT / "schemas" / "skb.sql"


def test_relation_is_kept_when_one_page_cites_both_ends() -> None:
    links = {"P": {"A", "B"}, "Q": {"C"}, "R": set()}
    relations = {
        ("A", "knows", "B"),  # both cited by P
        ("P", "about", "A"),  # P itself and what it cites
        ("A", "knows", "C"),  # cited by different pages
        ("Q", "about", "Q"),  # a page cites itself
        ("A", "knows", "D"),  # D is cited by none
    }
    assert kept_by_hand(links, relations) == {("A", "knows", "B"), ("P", "about", "A"), ("Q", "about", "Q")}


def test_violations_are_named_by_uri_and_type(tmp_path: Path) -> None:
    path = tmp_path / "world.skb"
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA.read_text(encoding="utf-8"))
    connection.executescript(
        """
        INSERT INTO source_item (id, source, place, state) VALUES (1, 's', 'p', 'ok');
        INSERT INTO page (id, uri, title, source_id) VALUES (1, 'P', 'P', 1), (2, 'Q', 'Q', 1);
        INSERT INTO chunk (id, uri, page_id, position, kind, part, marks_links, text)
            VALUES (7, 'P##1', 1, 1, 'paragraph', 0, 1, 'A B'), (8, 'Q##1', 2, 1, 'paragraph', 0, 1, 'C');
        INSERT INTO entity (id, uri, name, label, page_id)
            VALUES (1, 'P', 'P', 'P', 1), (2, 'A', 'A', 'A', NULL), (3, 'B', 'B', 'B', NULL), (4, 'C', 'C', 'C', NULL);
        INSERT INTO cites VALUES (7, 2, 1), (7, 3, 1), (8, 4, 1);
        INSERT INTO relation_type VALUES (5, 'knows'), (6, 'about');
        INSERT INTO relation (subject_id, type_id, object_id) VALUES (2, 5, 3), (1, 6, 2), (2, 5, 4), (1, 6, 4);
        """
    )
    connection.close()
    assert violations(path) == [("A", "knows", "C"), ("P", "about", "C")]
