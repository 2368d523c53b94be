"""The W3C's test suites of N-Triples, N-Quads and Turtle 1.1 (2014), unchanged, of which rdflib's sdist has a copy.

`tests/cases/rdf/w3c-rdf-1.1.LICENSE` is their licence. Relative IRIs need a base, which the suites
say: the address of the file. It is given as the directive that a file would have.
"""

from __future__ import annotations

import tarfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import rdflib
from rdflib.collection import Collection
from rdflib.compare import isomorphic

from builder.rdf.reader import read_triples
from builder.rdf.terms import Triple
from builder.streams.lines import Problem
from tests import paths

ARCHIVE = paths.CASES / "rdf" / "w3c-rdf-1.1.tar.xz"
MANIFEST = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
BASES = {
    "ntriples": "http://www.w3.org/2013/N-TriplesTests/",
    "nquads": "http://www.w3.org/2013/N-QuadsTests/",
    "turtle": "http://www.w3.org/2013/TurtleTests/",
}
# Files that are to be refused, and why Weft reads them.
READ_ALL_THE_SAME = {
    "turtle-eval-bad-04.ttl": "published dumps have IRIs with braces",
    "turtle-syntax-bad-string-06.ttl": "a long literal whose text ends with a quote has one meaning only",
    "turtle-syntax-bad-string-07.ttl": "a long literal whose text ends with a quote has one meaning only",
    "turtle-syntax-bad-ln-dash-start.ttl": "a local name that begins with a dash has one meaning only",
}


class W3cTest(NamedTuple):
    name: str
    path: str
    is_negative: bool
    result: str | None

    @property
    def base(self) -> str:
        suite, name = self.path.split("/")
        return BASES[suite] + name


@cache
def files() -> dict[str, bytes]:
    with tarfile.open(ARCHIVE) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}  # type: ignore[union-attr]


def w3c_tests() -> list[W3cTest]:
    """Return the tests that the suites' manifests list."""
    found = []
    for suite, base in BASES.items():
        graph = rdflib.Graph().parse(data=files()[f"{suite}/manifest.ttl"], format="turtle", publicID=base)
        (head,) = graph.objects(None, MANIFEST.entries)
        for test in Collection(graph, head):
            kind, action = graph.value(test, rdflib.RDF.type), graph.value(test, MANIFEST.action)
            result = graph.value(test, MANIFEST.result)
            path, expected = (str(iri).replace(base, f"{suite}/") if iri else None for iri in (action, result))
            found.append(W3cTest(str(graph.value(test, MANIFEST.name)), path or "", "Negative" in str(kind), expected))
    return found


TESTS = w3c_tests()
pytestmark = pytest.mark.usefixtures("parser")


def parametrised(tests: list[W3cTest]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("test", tests, ids=[test.path for test in tests])


def read(name: str, folder: Path, base: str | None = None) -> tuple[list[Triple], list[Problem]]:
    path = folder / Path(name).name
    directive = f"@base <{base}> .\n".encode() if base and path.suffix == ".ttl" else b""
    path.write_bytes(directive + files()[name])
    batches = list(read_triples(path))
    return (
        [triple for batch in batches for triple in batch.triples],
        [problem for batch in batches for problem in batch.problems],
    )


def graph_of(triples: list[Triple]) -> rdflib.Graph:
    """Return triples as a graph, their blank nodes by numbers: rdflib reads labels of ASCII only."""
    blanks = {term: f"_:b{number}" for number, term in enumerate({t for triple in triples for t in triple})}
    lines = [" ".join(blanks[term] if term[0] == "_" else term for term in triple) for triple in triples]
    return rdflib.Graph().parse(data="".join(f"{line} .\n" for line in lines), format="nt")


@pytest.fixture(autouse=True)
def lexical_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare literals as they are written."""
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)


def test_the_suites_are_whole() -> None:
    assert [sum(test.path.startswith(suite) for test in TESTS) for suite in BASES] == [68, 85, 291]
    assert [sum(test.is_negative for test in TESTS), sum(test.result is not None for test in TESTS)] == [141, 132]


@parametrised([test for test in TESTS if not test.is_negative])
def test_what_is_to_be_read_is_read(test: W3cTest, tmp_path: Path) -> None:
    triples, problems = read(test.path, tmp_path, test.base)
    assert problems == []
    if test.result:
        assert isomorphic(graph_of(triples), graph_of(read(test.result, tmp_path)[0]))


@parametrised([test for test in TESTS if test.is_negative])
def test_what_is_to_be_refused_is_malformed(test: W3cTest, tmp_path: Path) -> None:
    problems = read(test.path, tmp_path, test.base)[1]
    expected = set() if Path(test.path).name in READ_ALL_THE_SAME else {"malformed"}
    assert {problem.kind for problem in problems} == expected
