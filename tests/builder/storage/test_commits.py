"""Work is committed as often as commits are cheap, and at least every two seconds."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from builder.storage.commits import Commits
from tests.clock import Clock


@pytest.mark.parametrize(
    ("seconds_of_a_commit", "kept"),
    [(0.01, [0, 2, 2, 4, 4, 6, 6, 8, 8, 10]), (0.02, [0, 2, 2, 2, 2, 6, 6, 6, 6, 10]),
     (1.0, [0, 2, 2, 2, 2, 2, 2, 2, 9, 9])],
)  # fmt: skip
def test_work_is_kept_often_where_commits_are_cheap(
    tmp_path: Path, seconds_of_a_commit: float, kept: list[int]
) -> None:
    clock = Clock()

    class Slow(sqlite3.Connection):
        def commit(self) -> None:
            super().commit()
            clock.sleep(seconds_of_a_commit)

    with sqlite3.connect(tmp_path / "a", factory=Slow) as connection, sqlite3.connect(tmp_path / "a") as other:
        connection.execute("CREATE TABLE work (n INTEGER)")
        connection.commit()
        commits, found = Commits(connection, clock), []
        for n in range(10):
            clock.sleep(0.3)
            connection.execute("INSERT INTO work VALUES (?)", (n,))
            commits.commit_when_due()
            found.append(other.execute("SELECT count(*) FROM work").fetchone()[0])
    assert found == kept
