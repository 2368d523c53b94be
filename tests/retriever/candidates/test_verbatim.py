"""Identifiers as they are written: what asks for one, and which chunks it finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request
from retriever.candidates.verbatim import DEFINED, FIRST, HEADED, SAID, gained, proposed
from retriever.context import Context
from retriever.explanation import explain
from retriever.question.identifiers import begun, defined, identifiers_in, written
from retriever.question.reader import read_question
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

MANUAL = """<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"""
PAGES = {
    "Variables": "<h2>Requests</h2><dl><dt>THE_REQUEST</dt><dd>The whole line that a client sent, with its method."
    "</dd></dl><p>All of these are set for each request.</p><h2>Others</h2><p>See the request for THE_REQUESTS.</p>",
    "The request": "<p>The request is read first. The request is parsed then, and the request is answered.</p>"
    "<h2>The request line</h2><p>The request has a line. The request line is the first of the request.</p>",
    "Logging": "<h2>Format</h2><p>A format may have THE_REQUEST in it, and the time that the request took.</p>"
    "<h2>timeout</h2><p>After so many seconds a connection ends.</p>"
    "<h2>connect_timeout</h2><p>After so many seconds no timeout is waited for.</p>",
    "Options": "<dl><dt>--keep</dt><dd>Leaves files where they are.</dd><dt>--keep-all</dt>"
    "<dd>Leaves all files.</dd><dt>-k</dt><dt>--kind KIND</dt><dd>Takes one kind of file.</dd></dl>",
    "Keeping": "<p>To keep files, keep a copy. Whoever keeps what others keep keeps much.</p>",
}


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manual")
    for title, body in PAGES.items():
        (folder / f"{title}.html").write_text(MANUAL.format(title=title, body=body), encoding="utf-8")
    build(Request((str(folder),), folder / "kb.skb", workers=1))
    return folder / "kb.skb"


@pytest.fixture
def session(manual: Path) -> Iterator[Session]:
    with Skb(manual) as opened:
        yield Session(Context(opened))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("THE_REQUEST", ["THE_REQUEST"]),
        ("What does --keep do, and what -k?", ["--keep", "-k"]),
        ("Is `timeout` or $connect_timeout longer?", ["timeout", "$connect_timeout"]),
        ("What is log2()?", ["log2"]),
        ("see (max_size())", ["max_size"]),
        ("std::map or os.path?", ["std::map", "os.path"]),
        ("Octave:lu:sparse_input", ["Octave:lu:sparse_input"]),
        ("Which file is /etc/fstab, ./configure or src/lib/main.c?", ["/etc/fstab", "./configure", "src/lib/main.c"]),
        ("SSLUseStapling Directive", ["SSLUseStapling"]),
        ("Which directive did Ian McCartney of YouTube and AC/DC write?", []),
        ("Was it 10:30 or 3.5 on 1.5.1902, and/or a well-known high-rise at -5 degrees?", []),
        ("What is new in v1.2.4, what in 2.0.1rc2?", ["v1.2.4", "2.0.1rc2"]),
        (' "the tide  bell" ', ["the tide bell"]), ('Who wrote "The Tide Bell"?', []), ('"', []), ('""', []),
        ("The capital is ____.", []), ("Who wrote _The_Tide_Bell_?", []),
        ("Who founded St.Petersburg on 9/11/2001?", []), ("What is iron(III)?", []), ("len(x)", ["len(x)"]),
        ("Was it --the singer/songwriter/actor, say:nothing?", []), ('"What is the bell?"', []),
        ("Octave:empty-index", ["Octave:empty-index"]), ("the of", []), ("x", []), ("42", []), ("?", []), ("", []),
        (":)", []), ("a" * 90, []),
        ("a_b c_d e_f g_h i_j", ["a_b", "c_d", "e_f", "g_h"]),
    ],
)  # fmt: skip
def test_identifiers_are_told_by_their_shape(question: str, expected: list[str]) -> None:
    assert list(identifiers_in(question)) == expected


def test_an_identifier_is_no_part_of_a_longer_one() -> None:
    assert written("--keep").search("use --keep.") and written("--keep").search("(--keep=yes)")
    assert not written("--keep").search("--keep-all") and not written("--keep").search("a--keep")
    assert written("timeout").search("$timeout") is None and written("timeout").search("connect_timeout") is None
    assert written("the_request").search("THE_REQUEST") and written("THE_REQUEST").search("the_request")
    assert written("1.2.4").search("Version 1.2.4.") and not written("1.2.4").search("1.2.40, 11.2.4, 0.1.2.4, 1.2.4.1")
    assert written("lamp-on").search("set lamp-on, then") and not written("lamp-on").search("lamp-on-v6")
    assert written("the tide bell").search("The tide\nbell rings") and not written("the tide bell").search("tide bells")
    assert written("-v").search("-v") and not written("-v").search("-V")


def test_a_term_stands_above_its_indented_definition() -> None:
    text = "-k\n--kind KIND\n  Takes one kind.\n--all\n  Takes all of --none."
    assert all(defined(each).search(text) for each in ("-k", "--kind", "--all"))
    nested = "reject\n  One of:\n    --all-of\n      All.\n    --none, --no\n      None.\n"
    assert all(defined(each).search(nested) for each in ("reject", "--all-of", "--none"))
    assert not defined("--none").search(text) and not defined("KIND").search(text)


def test_an_option_may_stand_behind_other_ways_to_write_it() -> None:
    terms = ("-m NUMBER, --most=NUMBER", "-m | --most N", "-m or --most", "-m, -n/--most", "* -m, --most", "- --most")
    for term in terms:
        assert defined("--most").search(f"{term}\n  At most so many.") and begun("--most").search(f"{term}\n  At most")
    usage = "lamps [OPTIONS]\n         --least |\n          --most |\n          --none |\n"
    assert not defined("--most").search(usage) and not defined("--none").search(usage + "          -v\n")
    assert not begun("--most").search("not used where -m and --most are given")
    assert not begun("--most").search("--mostly")


def _first(session: Session, question: str, k: int = 1) -> list[str]:
    return session.uris("chunk", Searcher(session, "hybrid").rank(question, k).ids.tolist())


def test_what_defines_an_identifier_comes_first(session: Session) -> None:
    first, *others = _first(session, "THE_REQUEST", 4)
    assert first == "Variables#Requests##1" and "Logging#Format##1" in others
    assert _first(session, "the_request") == ["Variables#Requests##1"]
    assert _first(session, "What does --keep do?") == ["Options##1"]
    for question in ("timeout", "TIMEOUT", "the timeout parameter", "Timeout setting?"):
        assert _first(session, question) == ["Logging#timeout##1"]


def test_what_is_gained_is_told(session: Session) -> None:
    chunks = {row[1]: row[0] for row in session.skb.connection.execute("SELECT id, uri FROM chunk ORDER BY id")}
    ids = np.array(list(chunks.values()), np.int64)
    found = gained(session, "What sets THE_REQUEST?", ids)
    assert found is not None
    assert {uri: each for uri, each in zip(chunks, found.tolist(), strict=True) if each} == {
        "Variables#Requests##1": SAID + DEFINED, "Logging#Format##1": SAID,
    }  # fmt: skip
    headed = gained(session, "timeout", ids)
    assert headed is not None and headed.max() == SAID + HEADED + FIRST
    assert gained(session, "What sets the request?", ids) is None
    assert gained(session, "THE_REQUEST", ids[:0]) is None


def test_what_no_signal_ranks_high_is_proposed(session: Session) -> None:
    query = read_question(session, "Which of --keep-all and THE_REQUEST is set?", "chunk")
    assert {*session.uris("chunk", proposed(session, query).tolist())} == {
        "Options##1", "Variables#Requests##1", "Logging#Format##1"
    }  # fmt: skip
    assert {*session.uris("chunk", proposed(session, read_question(session, "connect_timeout", "chunk")).tolist())} == {
        "Logging#connect_timeout##1"
    }  # fmt: skip
    assert not len(proposed(session, read_question(session, "Which request is it?", "chunk")))
    assert not len(proposed(session, read_question(session, "--no-such", "chunk")))


def test_an_explanation_names_the_identifier(session: Session) -> None:
    searcher = Searcher(session, "hybrid")
    found = searcher.rank("THE_REQUEST", 4)
    reasons = explain(searcher, "THE_REQUEST", found)
    told = [each for own in reasons for each in own if each.name == "verbatim"]
    assert [each.evidence[0].text for each in told] == ["defines “THE_REQUEST”", "has as written “THE_REQUEST”"]
    assert [each.contribution for each in told] == [SAID + DEFINED, SAID]
    (headed,) = explain(searcher, "timeout", searcher.rank("timeout", 1))
    (told,) = [each for each in headed if each.name == "verbatim"]
    assert told.evidence[0].text == "has as written in its title or a heading “timeout”"
