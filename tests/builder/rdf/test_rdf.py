"""Reading RDF dumps: the same triples on the fast path and through rdflib, and nothing lost silently."""

from __future__ import annotations

import bz2
import gzip
import io
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import rdflib
import rdflib.compare
from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

from builder.rdf.ntriples import Lines
from builder.rdf.plain_lines import PlainLines
from builder.rdf.rdflib_terms import LineParser
from builder.rdf.reader import UnknownFormat, format_of, read_triples
from builder.rdf.terms import Triple, literal_term
from builder.rdf.turtle import Statements
from builder.streams.lines import BLOCK_SIZE, Problem, is_complete, line_batches, plain_name
from tests import paths

CASES = paths.CASES / "rdf"
DATA = paths.DATA / "dbpedia"
TRIPLE = "<http://a/s> <http://a/p> <http://a/{}> .\n"


class Case(NamedTuple):
    label: str
    form: str
    text: str
    triples: list[Triple]
    problems: list[tuple[int, str]]


def cases(form: str) -> Iterator[Case]:
    for path in sorted(CASES.glob(f"*.{form}.case")):
        for part in path.read_text(encoding="utf-8").split("=== ")[1:]:
            label, _, rest = part.partition("\n")
            text, *expected = re.split(r"^--- (\w+)\n", rest, flags=re.M)
            lists = {"triples": "", "problems": ""} | dict(zip(expected[::2], expected[1::2], strict=True))
            triples = [tuple(line.split(" ", 2)) for line in _lines(lists["triples"])]
            problems = [line.split(" ", 1) for line in _lines(lists["problems"])]
            yield Case(label, form, text, triples, [(int(line), kind) for line, kind in problems])


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def parametrised(*forms: str) -> pytest.MarkDecorator:
    found = [case for form in forms for case in cases(form)]
    return pytest.mark.parametrize("case", found, ids=[f"{case.form}: {case.label}" for case in found])


def read(path: Path) -> tuple[list[Triple], list[tuple[int, str]], int, bool]:
    """Return triples, problems, the number of triples and of statements lost, and whether the file is complete."""
    batches = list(read_triples(path))
    triples = [triple for batch in batches for triple in batch.triples]
    problems = [(problem.line, problem.kind) for batch in batches for problem in batch.problems]
    n_lost = sum(kind in ("malformed", "too long") for _, kind in problems)
    return triples, problems, len(triples) + n_lost, all(batch.complete for batch in batches)


def by_rdflib(text: str, *, quads: bool = False) -> tuple[list[Triple], list[tuple[int, str]]]:
    """The slow path alone: every line through rdflib's grammar."""
    parser = LineParser(quads=quads)
    triples: list[Triple] = []
    problems: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.split("\r"):
            try:
                triples += parser.parse(part)
            except ValueError:
                problems.append((number, "malformed"))
    return triples, problems


def by_lines(text: str, lines: Lines | None = None) -> tuple[list[Triple], list[tuple[int, str]]]:
    triples, problems = (lines or Lines()).read(text, 1)
    return triples, [(problem.line, problem.kind) for problem in problems]


class SameLabels(dict[str, str]):
    """Makes rdflib keep the labels of blank nodes."""

    def get(self, key: str, default: object = None) -> str:  # type: ignore[override]
        return key


class Collected:
    def __init__(self) -> None:
        self.triples: list[Triple] = []

    def triple(self, *terms: rdflib.term.Identifier) -> None:
        self.triples.append(tuple(as_text(term) for term in terms))  # type: ignore[arg-type]


def as_text(term: rdflib.term.Identifier) -> str:
    if isinstance(term, rdflib.Literal):
        return literal_term(str(term), language=term.language, datatype=term.datatype and str(term.datatype))
    return f"<{term}>" if isinstance(term, rdflib.URIRef) else f"_:{term}"


def by_untouched_rdflib(line: str) -> list[Triple] | None:
    """What rdflib's own parser, with its own terms, makes of a line; None when it refuses."""
    sink = Collected()
    try:
        W3CNTriplesParser(sink, bnode_context=SameLabels()).parse(io.StringIO(line, newline=""))
    except (rdflib.exceptions.ParserError, ValueError, OverflowError):
        return None
    return sink.triples


@parametrised("nt", "nq", "ttl")
@pytest.mark.usefixtures("parser")
def test_case_file(case: Case, tmp_path: Path) -> None:
    path = tmp_path / f"facts.{case.form}"
    path.write_text(case.text, encoding="utf-8", newline="")
    lost = len(case.problems)
    assert read(path) == (case.triples, case.problems, len(case.triples) + lost, True)


@parametrised("nt", "nq")
def test_case_file_through_rdflib_alone(case: Case) -> None:
    assert by_rdflib(case.text, quads=case.form == "nq") == (case.triples, case.problems)


@parametrised("nt", "nq", "ttl")
@pytest.mark.usefixtures("parser")
def test_case_file_with_windows_line_ends(case: Case, tmp_path: Path) -> None:
    if '"""' in case.text:
        pytest.skip("line ends within a literal are part of it")
    path = tmp_path / f"facts.{case.form}"
    path.write_text(case.text.replace("\n", "\r\n"), encoding="utf-8", newline="")
    assert read(path)[:2] == (case.triples, case.problems)


@parametrised("ttl")
@pytest.mark.usefixtures("parser")
def test_turtle_says_what_a_graph_of_rdflib_says(case: Case, tmp_path: Path) -> None:
    if case.problems:
        pytest.skip("rdflib's graph refuses the whole file")
    ours = rdflib.Graph()
    text = "".join(f"{' '.join(triple)} .\n" for triple in case.triples)
    ours.parse(data=text.replace("_:weft.anonymous.", "_:n"), format="nt")
    assert rdflib.compare.isomorphic(ours, rdflib.Graph().parse(data=case.text, format="turtle"))


@parametrised("ttl")
@pytest.mark.usefixtures("parser")
def test_turtle_is_the_same_line_by_line(case: Case) -> None:
    statements = Statements()
    triples: list[Triple] = []
    problems: list[Problem] = []
    for number, line in enumerate(case.text.removesuffix("\n").split("\n"), 1):
        found, wrong = statements.read(line, number)
        triples, problems = triples + found, problems + wrong
    found, wrong = statements.finish()
    assert triples + found == case.triples
    assert [(problem.line, problem.kind) for problem in problems + wrong] == case.problems


@parametrised("nt")
@pytest.mark.usefixtures("parser")
def test_n_triples_are_turtle(case: Case) -> None:
    if case.problems:
        pytest.skip("Turtle allows more, for example several statements on a line")
    triples, problems = Statements().read(case.text, 1)
    assert (triples, problems) == (case.triples, [])


def tricky_lines(count: int) -> Iterator[str]:
    """Plain lines with a few random mutations, always the same ones."""
    dice = random.Random(7)
    subjects = ["<http://a/s>", "_:b0", "<urn:x>", "<http://a/Ö>", "<relative>"]
    objects = ["<http://a/o>", "_:b1", '"text"', '"a b"@en', '"1"^^<http://a/t>', r'"q\"q\\"', '"é"@de-x1', '""']
    bits = [
        " ", "  ", "\t", '"', "\\", "<", ">", ".", " .", "@", "@e", "-", "^^", "^", "#", "_:", ":", "_", "a", "1",
        "\u00a0", "\u3000", "\u2028", "\x85", "\x1c", "\x0b", "\x00", "\x7f", "\u200b", "\ufeff", "\r", "é", "😀",
        r"\u00e9", r"\n", r"\t", r"\q", r"\u12", r"\U0001F600", r"\UFFFFFFFF", r"\uD83D", "{", "}", "|", "`", "'",
        "<http://a/x>", '"x"', "@en", "^^<http://www.w3.org/2001/XMLSchema#string>",
    ]  # fmt: skip
    for _ in range(count):
        line = f"{dice.choice(subjects)} <http://a/p> {dice.choice(objects)} ."
        for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
            place = dice.randrange(len(line) + 1)
            line = line[:place] + dice.choice(bits) + line[place + dice.choice((0, 0, 1, 2)) :]
        yield line


@pytest.mark.usefixtures("parser")
def test_fast_path_equals_rdflib_path_on_tricky_lines() -> None:
    for quads in (False, True):
        lines = Lines(quads=quads)
        for line in tricky_lines(20_000):
            assert (line, by_lines(line, lines)) == (line, by_rdflib(line, quads=quads))


def test_fast_path_admits_nothing_that_rdflib_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    lines = PlainLines()
    plain = [(line, found) for line in tricky_lines(20_000) if (found := lines.plain(line)) is not None]
    assert len(plain) > 4_000
    assert [found for _, found in plain] == [by_untouched_rdflib(line) for line, _ in plain]


def test_nothing_that_rdflib_refuses_is_read_but_what_the_grammar_allows() -> None:
    refused = [line for line in tricky_lines(5_000) if by_untouched_rdflib(line) is None and "\r" not in line]
    assert len(refused) > 1_000
    # No blank between two terms, one within a literal's end, and letters beyond ASCII in a label.
    allowed = re.compile(r'[>"][<"_]|_:[^\s<]+<|"[ \t]+[@^]|\^\^[ \t]|_:\S*[^\x00-\x7f\s]')
    assert [line for line in refused if not allowed.search(line) and not by_lines(line)[1]] == []


@pytest.mark.parametrize("tail", [" @en", "\t @en", " ^^<http://a/t>", "^^ <http://a/t>", " ^^\t<http://a/t>"])
@pytest.mark.usefixtures("parser")
def test_blanks_may_stand_before_the_end_of_a_literal(tail: str) -> None:
    triple = ("<http://a/s>", "<http://a/p>", '"a"' + "".join(tail.split()))
    assert by_lines(f'<http://a/s> <http://a/p> "a"{tail} .') == ([triple], [])


@pytest.mark.usefixtures("parser")
def test_other_users_of_rdflib_notice_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "facts.nt"
    path.write_text(f'<http://a/s>  <http://a/{{p}}> "x"^^<{rdflib.XSD.integer}> .\n')
    assert read(path)[0] == [("<http://a/s>", "<http://a/{p}>", f'"x"^^<{rdflib.XSD.integer}>')]
    assert caplog.records == []
    assert rdflib.Literal("01", datatype=rdflib.XSD.integer).n3() == f'"1"^^<{rdflib.XSD.integer}>'
    rdflib.URIRef("http://a/{p}")
    assert [record.name for record in caplog.records] == ["rdflib.term"]


@pytest.mark.usefixtures("parser")
def test_turtle_survives_tricky_lines() -> None:
    statements = Statements()
    text = "\n".join((*tricky_lines(20_000), TRIPLE.format("last"), TRIPLE.format("very-last")))
    triples, problems = statements.read(text.removesuffix("\n"), 1)
    triples += statements.finish()[0]
    assert len(triples) > 4_000 and len(problems) > 1_000
    assert triples[-1] == ("<http://a/s>", "<http://a/p>", "<http://a/very-last>")


@pytest.mark.usefixtures("parser")
def test_plain_and_odd_lines_keep_their_order(tmp_path: Path) -> None:
    path = tmp_path / "facts.nt"
    path.write_text("".join(TRIPLE.format(n).replace(" ", "\t" if n % 3 else " ") for n in range(9_000)))
    triples, problems, n_statements, complete = read(path)
    assert [triple[2] for triple in triples] == [f"<http://a/{n}>" for n in range(9_000)]
    assert (problems, n_statements, complete) == ([], 9_000, True)


def test_line_numbers_hold_across_blocks(tmp_path: Path) -> None:
    path = tmp_path / "facts.nt"
    lines = [TRIPLE.format(n) for n in range(30_000)]
    for n in (0, 14_999, 29_999):
        lines[n] = "broken\n"
    path.write_text("".join(lines))
    assert path.stat().st_size > 4 * BLOCK_SIZE
    _, problems, n_statements, complete = read(path)
    assert problems == [(1, "malformed"), (15_000, "malformed"), (30_000, "malformed")]
    assert (n_statements, complete) == (30_000, True)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize("name", ["facts.nt", "facts.nt.gz", "facts.nt.bz2"])
def test_first_bytes_say_what_an_archive_is(pack: type[bytes], name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(pack(TRIPLE.format(1).encode()))
    assert read(path) == ([("<http://a/s>", "<http://a/p>", "<http://a/1>")], [], 1, True)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_archives_in_several_parts_are_read_to_their_end(pack: type[bytes], tmp_path: Path) -> None:
    path = tmp_path / "facts.nt.gz"
    path.write_bytes(pack(TRIPLE.format(1).encode()) + pack(TRIPLE.format(2).encode()))
    assert [triple[2] for triple in read(path)[0]] == ["<http://a/1>", "<http://a/2>"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_broken_archive_gives_what_could_be_read(pack: type[bytes], tmp_path: Path) -> None:
    dice = random.Random(3)
    whole = pack("".join(TRIPLE.format(dice.random()) for _ in range(40_000)).encode())
    path = tmp_path / "facts.nt.bin"
    path.write_bytes(whole[: len(whole) // 2])
    triples, problems, _, complete = read(path)
    assert 10_000 < len(triples) < 30_000
    assert [kind for _, kind in problems][-1] == "truncated"
    assert not complete


def test_damaged_archive_is_not_complete(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress(TRIPLE.format(1).encode()))
    whole[-5] ^= 0xFF
    path = tmp_path / "facts.nt.gz"
    path.write_bytes(whole)
    assert read(path) == ([("<http://a/s>", "<http://a/p>", "<http://a/1>")], [(2, "truncated")], 1, False)


def test_empty_files(tmp_path: Path) -> None:
    for name, complete in (("facts.nt", True), ("facts.ttl", True), ("facts.nt.gz", False), ("facts", True)):
        (tmp_path / name).write_bytes(b"")
        triples, problems, n_statements, whole = read(tmp_path / name)
        assert (name, triples, n_statements, whole) == (name, [], 0, complete)
        assert [kind for _, kind in problems] == ([] if complete else ["truncated"])


def test_bytes_that_are_not_utf8_are_noted_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "facts.nt"
    path.write_bytes(TRIPLE.format(1).encode() + b'<http://a/s> <http://a/p> "caf\xe9" .\n' + TRIPLE.format(2).encode())
    triples, problems, n_statements, complete = read(path)
    assert triples[1] == ("<http://a/s>", "<http://a/p>", '"caf�"')
    assert (len(triples), problems, n_statements, complete) == (3, [(2, "noted")], 3, True)


def test_line_above_the_limit_is_skipped_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "facts.nt.gz"
    long = f'<http://a/s> <http://a/p> "{"x" * 3_000_000}" .\n'
    path.write_bytes(gzip.compress((TRIPLE.format(1) + long + TRIPLE.format(2) + "broken\n").encode()))
    triples, problems, n_statements, complete = read(path)
    assert [triple[2] for triple in triples] == ["<http://a/1>", "<http://a/2>"]
    assert (problems, n_statements, complete) == ([(2, "too long"), (4, "malformed")], 4, True)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 11, 12, 1000])
def test_long_lines_are_emptied_wherever_a_block_ends(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(b"one\n12345678901\n\n1234567890\n12345678901234567890\nlast\n1234567890123")
    monkeypatch.setattr("builder.streams.lines.blocks.__kwdefaults__", {"max_line": 10, "size": size})
    batches = list(line_batches(path, max_line=10))
    lines = [line for batch in batches for line in batch.lines]
    assert lines == [b"one", b"", b"", b"1234567890", b"", b"last", b""]
    assert [problem for batch in batches for problem in batch.problems] == [
        Problem(2, "too long", "line of 11 bytes, the limit is 10"),
        Problem(5, "too long", "line of 20 bytes, the limit is 10"),
        Problem(7, "too long", "line of 13 bytes, the limit is 10"),
    ]
    starts = [batch.first_line for batch in batches]
    assert starts == [1 + sum(len(batch.lines) for batch in batches[:n]) for n in range(len(batches))]


def test_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(b"\xef\xbb\xbf{}\n[]")
    assert [line for batch in line_batches(path) for line in batch.lines] == [b"{}", b"[]"]


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("a.nt", "", "nt"),
        ("a.nq.gz", "", "nq"),
        ("a.TTL.BZ2", "", "ttl"),
        ("labels_en.tql", "", "nq"),
        ("dump", TRIPLE.format(1), "nt"),
        ("dump.gz", "# by hand\n" + TRIPLE.format(1), "nt"),
        ("dump.txt", "<http://a/s> <http://a/p> <http://a/o> <http://a/g> .\n", "nq"),
        ("dump.txt", "@prefix ex: <http://ex/> .\nex:a ex:p ex:b .\n", "ttl"),
        ("dump.txt", "<http://a/s> a <http://a/C> ;\n <http://a/p> 5 .\n", "ttl"),
    ],
)
def test_format_by_suffix_else_by_the_first_lines(name: str, text: str, form: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert format_of(tmp_path / name) == form


@pytest.mark.parametrize(("name", "text"), [("a.rdf.gz", ""), ("dump", "<?xml version='1.0'?>"), ("dump", '[{"@id"')])
def test_other_formats_are_refused(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UnknownFormat, match=re.escape(name)):
        list(read_triples(tmp_path / name))


def test_name_without_archive_suffix() -> None:
    assert [plain_name(Path(name)) for name in ("a.nt.gz", "b.bz2", "c.nt")] == ["a.nt", "b", "c.nt"]


def test_noted_problems_lose_nothing() -> None:
    assert is_complete((Problem(1, "noted", ""), Problem(2, "malformed", "")))
    assert not is_complete((Problem(1, "noted", ""), Problem(3, "truncated", "")))


@pytest.mark.usefixtures("parser")
def test_a_statement_above_the_limit_is_given_up() -> None:
    statements = Statements(max_statement=1_000)
    objects = "".join(f"   <http://a/{n}> ,\n" for n in range(100))
    text = f"<http://a/s> <http://a/p>\n{objects}   <http://a/o> .\n" + TRIPLE.format(1)
    found = [statements.read(line, number) for number, line in enumerate(text.split("\n"), 1)]
    triples, problems = ([each for pair in found for each in pair[n]] for n in (0, 1))
    assert triples == [("<http://a/s>", "<http://a/p>", "<http://a/1>")]
    assert problems[0] == Problem(1, "malformed", "statement of more than 1,000 characters")


@pytest.mark.skipif(not DATA.is_dir(), reason="needs ../shared/data/dbpedia or WEFT_DATA")
def test_real_dumps_read_the_same_on_both_paths() -> None:
    for path in sorted(DATA.iterdir()):
        lines = [line.decode() for batch in line_batches(path) for line in batch.lines]
        text = "\n".join(lines[::5])
        assert by_lines(text) == by_rdflib(text)
        triples, problems, n_statements, complete = read(path)
        assert len(triples) == n_statements == len(lines) and problems == [] and complete
