"""A stopped build's working copy is gone on with only where that is right, and is kept where it is of use."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from builder.build import remove
from builder.request import Summary
from builder.storage.lock import exclusive
from builder.storage.working_copy import working_copy
from tests.worlds import rows, write_records
from weft.errors import DiskFull, NotInKnowledgeBase, WeftError
from weft.schema import open_skb

Weave = Callable[..., Summary]


def _titles(path: Path) -> list[object]:
    return [title for (title,) in rows(path, "SELECT title FROM page ORDER BY title")]


def _records(tmp_path: Path, *titles: str) -> Path:
    return write_records(tmp_path / f"{titles[0]}.jsonl", [{"title": each, "text": f"On {each}."} for each in titles])


def _stop(skb: Path, job: str) -> None:
    """Leave what a build leaves that is stopped before its end."""
    with pytest.raises(InterruptedError), working_copy(skb, job):
        raise InterruptedError


@pytest.mark.parametrize("before", ["an SKB", "none", "an old one"])
def test_what_was_done_on_another_skb_is_thrown_away(weave: Weave, tmp_path: Path, before: str) -> None:
    skb, part, other = tmp_path / "kb.skb", tmp_path / "kb.skb.part", tmp_path / "other.skb"
    weave(_records(tmp_path, "Cedar"), output=other)
    if before != "none":
        weave(_records(tmp_path, "Alder"))
    if before == "an old one":
        with sqlite3.connect(skb) as connection:
            connection.executescript(
                "DROP VIEW relation_text; DROP VIEW attribute_text; DROP TABLE checksum; DROP TABLE sentence_end;"
                " DROP TABLE array;"
                " ALTER TABLE page DROP COLUMN named_by_title; PRAGMA user_version = 1"
            )
        connection.close()
    _stop(skb, "job")
    with working_copy(skb, "job") as found:
        assert found.resumed
        found.connection.execute("DELETE FROM page")
        found.connection.commit()
        shutil.copy(part, tmp_path / "held.part")
        found.keep = False
    os.replace(tmp_path / "held.part", part)
    shutil.copy(other, skb)
    with working_copy(skb, "job") as found:
        (note,) = found.notes
        assert not found.resumed and note.endswith(" was thrown away: kb.skb was replaced since")
    assert _titles(skb) == ["Cedar"]


def test_the_second_attempt_adds_to_the_skb_that_is_there(weave: Weave, tmp_path: Path) -> None:
    skb, birch = tmp_path / "kb.skb", _records(tmp_path, "Birch")
    weave(_records(tmp_path, "Alder"))
    weave(_records(tmp_path, "Cedar"), output=tmp_path / "other.skb")
    _stop(skb, f"add {(str(birch),)} () () None () auto")
    shutil.copy(tmp_path / "other.skb", skb)
    assert not weave(birch, add=True).resumed
    assert _titles(skb) == ["Birch", "Cedar"]


def test_what_a_killed_process_had_not_committed_is_taken_back(tmp_path: Path) -> None:
    skb, part = tmp_path / "kb.skb", tmp_path / "kb.skb.part"
    _stop(skb, "job")
    with closing(sqlite3.connect(part)) as connection:
        # The least cache there is: pages are written before they are committed, the first one too.
        connection.executescript("PRAGMA cache_size = 1; BEGIN; CREATE TABLE more (text)")
        connection.executemany("INSERT INTO more VALUES (?)", (["x" * 9000] for _ in range(40)))
        for each in (part, tmp_path / "kb.skb.part-journal"):
            shutil.copy(each, tmp_path / f"killed-{each.name}")
    killed = tmp_path / "killed-kb.skb.part"
    os.truncate(killed, killed.stat().st_size // 2)
    with killed.open("r+b") as file:
        # The header tells of all pages, as in a build with a large cache that was killed while it wrote them.
        file.seek(28)
        file.write((1000).to_bytes(4, "big"))
    for each in (part, tmp_path / "kb.skb.part-journal"):
        os.replace(tmp_path / f"killed-{each.name}", each)
    with working_copy(skb, "job") as found:
        assert found.resumed and found.notes == ()
        found.keep = False


def test_a_build_that_was_stopped_after_its_end_says_so(weave: Weave, tmp_path: Path) -> None:
    skb = tmp_path / "kb.skb"
    weave(_records(tmp_path, "Alder"))
    shutil.copy(skb, tmp_path / "kb.skb.part")
    with working_copy(skb, "job") as found:
        (note,) = found.notes
        end = "a build was stopped after its end, before it could put this in place; it is built again"
        assert not found.resumed and note.endswith(end)
        found.keep = False


class _Titles(list[str]):
    """Titles after whose first reading something happens."""

    then: Callable[[], object]

    def __iter__(self) -> Iterator[str]:
        yield from super().__iter__()
        self.then()


def test_pages_are_looked_up_in_the_skb_that_they_are_removed_from(weave: Weave, tmp_path: Path) -> None:
    skb = tmp_path / "kb.skb"
    weave(_records(tmp_path, "Acacia", "Alder"), output=tmp_path / "next.skb")
    weave(_records(tmp_path, "Alder", "Birch"))
    titles = _Titles(["Alder"])
    titles.then = lambda: shutil.copy(tmp_path / "next.skb", tmp_path / "n") and os.replace(tmp_path / "n", skb)
    assert remove(skb, titles).removed == 1
    assert _titles(skb) == ["Acacia"]


def test_a_title_of_no_page_leaves_no_working_copy(weave: Weave, tmp_path: Path) -> None:
    weave(_records(tmp_path, "Alder"))
    with pytest.raises(NotInKnowledgeBase):
        remove(tmp_path / "kb.skb", ["Alder", "Birch"])
    assert sorted(each.name for each in tmp_path.iterdir()) == ["Alder.jsonl", "kb.skb"]


def test_a_lock_that_a_full_disk_has_no_room_for_is_one_line(tmp_path: Path) -> None:
    held, ignored = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, held[1]))
    try:
        with pytest.raises(DiskFull, match=r"kb\.skb: the disk is full"), exclusive(tmp_path / "kb.skb"):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, held)
        signal.signal(signal.SIGXFSZ, ignored)
    assert os.listdir(tmp_path) == []


def _sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorcode = code
    return error


SURROUNDINGS = {
    "memory": MemoryError(),
    "i/o": _sqlite_error(sqlite3.SQLITE_IOERR),
    "read": _sqlite_error(sqlite3.SQLITE_IOERR_READ),
    "memory of SQLite": _sqlite_error(sqlite3.SQLITE_NOMEM),
    "interrupt": _sqlite_error(sqlite3.SQLITE_INTERRUPT),
}


@pytest.mark.parametrize("kind", SURROUNDINGS)
@pytest.mark.parametrize("resumed", [False, True])
def test_a_working_copy_outlives_what_the_system_refuses(
    weave: Weave, tmp_path: Path, kind: str, resumed: bool
) -> None:
    skb = tmp_path / "kb.skb"
    weave(_records(tmp_path, "Alder"))
    if resumed:
        _stop(skb, "job")
    # What SQLite could not read or write may become a line that says so.
    with pytest.raises((MemoryError, sqlite3.OperationalError, WeftError)), working_copy(skb, "job") as part:
        assert part.resumed == resumed
        raise SURROUNDINGS[kind]
    with working_copy(skb, "job") as part:
        assert part.resumed


def test_a_working_copy_outlives_a_mistake_that_damage_cannot_explain(weave: Weave, tmp_path: Path) -> None:
    weave(_records(tmp_path, "Alder"))
    with pytest.raises(KeyError), working_copy(tmp_path / "kb.skb", "job"):
        raise KeyError("no such thing")
    with working_copy(tmp_path / "kb.skb", "job") as part:
        assert part.resumed


def test_what_a_failed_build_leaves_is_told_and_nothing_is_left_of_one_that_did_nothing(
    weave: Weave, tmp_path: Path
) -> None:
    part = tmp_path / "kb.skb.part"
    with pytest.raises(WeftError, match="no spaCy pipeline") as error:
        weave(_records(tmp_path, "Alder"), format="text", spacy_model="none")
    assert not hasattr(error.value, "__notes__") and not part.exists()
    for _ in range(2):
        with pytest.raises(WeftError, match="cannot be reached") as error:
            weave(_records(tmp_path, "Alder"), sparql=("http://127.0.0.1:9/sparql",))
        assert error.value.__notes__ == [
            "kb.skb.part keeps what was done until then, and the same command goes on from there"
        ]
    assert _titles(part) == ["Alder"]
    weave(_records(tmp_path, "Alder"))
    assert not part.exists()


def test_whoever_reads_during_a_first_build_is_told_who_builds(tmp_path: Path) -> None:
    kb = tmp_path / "kb.skb"
    with exclusive(kb):
        (tmp_path / "kb.skb.part").write_bytes(b"what is built")
        for use in (lambda: open_skb(kb), lambda: remove(kb, ["A"])):
            with pytest.raises(WeftError, match=rf"kb\.skb: no such file; it is being built by process {os.getpid()};"):
                use()
    with pytest.raises(WeftError, match=r"kb\.skb\.part is of a build that was not finished"):
        open_skb(kb)
