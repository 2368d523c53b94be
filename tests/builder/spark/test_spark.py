"""A build by Apache Spark gives what a build on one machine gives."""

from __future__ import annotations

import gzip
import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from builder.build import build
from builder.check import problems
from builder.rdf.predicates import DBO, FATES, FOAF, RDF, RDFS
from builder.request import Progress, Request
from builder.spark.fact_lines import Classified, classify_triple
from builder.spark.inputs import inputs_for
from builder.spark.job import build_tables
from builder.spark.load.knowledge_base import load
from builder.spark.load.parquet_tables import NoTables
from builder.spark.places import on_disk, piece_on_disk, pieces_of, place_of_path
from builder.spark.session import SparkFailed, why_not
from interfaces.cli import main
from tests.builder.readers.wikitext.test_wikitext import dump as wiki_dump
from tests.builder.readers.wikitext.test_wikitext import page as wiki_page
from tests.conftest import FIXTURES
from tests.worlds import dumped, link, page, write_pages, write_records
from weft.errors import UnreadableSource
from weft.meta import get_meta
from weft.schema import open_skb

MASTER = "local[2]"
LACKING = why_not()
needs_spark = pytest.mark.skipif(LACKING is not None, reason=f"no Spark here: {LACKING}")
RESOURCE = "http://facts.example/resource/"
RECORDED = ("facts", "settings", "sources", "source_formats", "superclasses")

QUICK_SETTINGS = """\
spark.sql.codegen.wholeStage false
spark.sql.codegen.factoryMode NO_CODEGEN
spark.sql.adaptive.enabled false
spark.driver.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
    -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote
"""
"""Small worlds gain nothing from queries that are compiled, or planned anew while they run, and pay for it.

Most of a small build is classes being loaded; those of a release need not be verified.
"""


@pytest.fixture(scope="module", autouse=True)
def quick_spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Start Spark with settings that suit small worlds."""
    folder = tmp_path_factory.mktemp("conf")
    (folder / "spark-defaults.conf").write_text(QUICK_SETTINGS)
    before = os.environ.get("SPARK_CONF_DIR")
    os.environ["SPARK_CONF_DIR"] = str(folder)
    yield
    if before is None:
        del os.environ["SPARK_CONF_DIR"]
    else:
        os.environ["SPARK_CONF_DIR"] = before


def _both(folder: Path, request: Request, **options: Any) -> tuple[Path, Path]:
    """Build on one machine and by Spark."""
    local, loaded = folder / "local.skb", folder / "loaded.skb"
    build(request._replace(output=local, workers=1))
    build_tables(request._replace(output=folder / "world.tables"), MASTER, **options)
    load(folder / "world.tables", loaded)
    return local, loaded


def _on_record(path: Path, key: str) -> Any:
    with closing(open_skb(path)) as connection:
        return get_meta(connection, key)


def _assert_equal(local: Path, loaded: Path, keys: Sequence[str] = (*RECORDED, "origins")) -> None:
    assert dumped(loaded, vectors=True) == dumped(local, vectors=True)
    for key in keys:
        assert _on_record(loaded, key) == _on_record(local, key), key


class ByCommand(NamedTuple):
    """What the commands are told to build, the tables that they made of it, and what one machine makes of it.

    Facts are named to the commands by addresses, so that their origins differ.
    """

    request: Request
    tables: str
    local: Path
    pages: int


@pytest.fixture(scope="module")
def by_command(tmp_path_factory: pytest.TempPathFactory) -> ByCommand:
    """Write the tables of the fixtures and a rough world by the command, with all relations, once."""
    folder = tmp_path_factory.mktemp("spark")
    rough = rough_world(folder)
    request = rough._replace(
        sources=(str(FIXTURES / "encyclopedia"), *rough.sources), rdf=(str(FIXTURES / "facts.nt"), *rough.rdf),
        settings=rough.settings._replace(all_relations=True), output=folder / "local.skb", workers=1,
    )  # fmt: skip
    pages = build(request).counts["page"]
    tables = str(folder / "world.tables")
    facts = [part for path in request.rdf for part in ("--rdf", Path(path).as_uri())]
    command = ["build", *request.sources, *facts, "--all-relations", "-o", tables]
    built = CliRunner().invoke(main, [*command, "--engine", "spark", "--master", MASTER, "--json"])
    assert built.exit_code == 0, built.output
    assert json.loads(built.stdout)["counts"]["page"] == pages
    return ByCommand(request, tables, request.output, pages)


@needs_spark
@pytest.mark.slow
def test_the_commands_make_what_one_machine_makes(tmp_path: Path, by_command: ByCommand) -> None:
    output = tmp_path / "world.skb"
    loaded = CliRunner().invoke(main, ["load", by_command.tables, "-o", str(output), "--json"])
    assert loaded.exit_code == 0, loaded.output
    assert json.loads(loaded.stdout)["documents"]["read"] == by_command.pages > 57
    _assert_equal(by_command.local, output, RECORDED)
    assert not build(by_command.request._replace(output=output)).changed


@needs_spark
@pytest.mark.slow
def test_a_stopped_load_goes_on_and_replaces_what_was_there(tmp_path: Path, by_command: ByCommand) -> None:
    output = tmp_path / "kb.skb"
    pages = write_pages(tmp_path / "pages", {"a.html": page("Other", link("Alpha"), "== Notes", "Text.")})
    build(Request((str(pages),), output, workers=1))
    before = output.read_bytes()

    def stop_at_full_text(stage: str) -> None:
        if stage == "full text":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(by_command.tables, output, progress=Progress(stop_at_full_text, lambda n: None))
    assert output.read_bytes() == before
    summary = load(by_command.tables, output)
    assert summary.resumed
    assert "graph" not in summary.seconds
    _assert_equal(by_command.local, output, RECORDED)
    assert list(problems(open_skb(output))) == []


@needs_spark
@pytest.mark.slow
def test_real_pages_and_facts_make_what_one_machine_makes(
    tmp_path: Path, real_data: Callable[[str], Path]
) -> None:
    facts = tuple(str(path) for path in sorted(real_data("dbpedia").glob("*.nt*")))
    request = Request((str(real_data("wikitables/pages.tar.gz")),), tmp_path, rdf=facts)
    _assert_equal(*_both(tmp_path, request))


PAGES = {
    "alpha.html": page("Alpha", f"Near {link('Beta')} and {link('Old Delta')}.", "== Notes", link("Gamma")),
    "beta.html": page("Beta (river)", f"It joins {link('Gamma')} at {link('X2', 'the bend')}."),
    "gamma.html": page("Gamma", f"A town by {link('Beta (river)', 'Beta')}, as {link('Alpha')} is.", "== Notes", "No."),
    "other/gamma.html": page("Gamma", f"Another page of the title, by {link('Nowhere')}."),
    "empty.html": "",
    **{
        f"{n}.html": page(f"Place {n}", f"By {link(f'Place {n * 7 % 12}')}, {link(f'Red {n % 5}')}.")
        for n in range(12)
    },
}
RECORDS: list[dict[str, object]] = [
    {"title": "Alpha", "text": "A second Alpha."},
    {"title": "Epsilon", "text": "Beta (river) runs past Gamma Town to the Bend of X."},
    {"title": "Epsilon", "text": "Old Delta is dry.", "url": "http://e.example/"},
    {"text": "no title"},
]
NAMES = (
    "Alpha", "Beta", "Beta_(river)", "Gamma", "Old_Delta", "Delta_Two", "Delta", "X1", "X2", "Nowhere", "Q1", "Q2",
    "Unknown", "Gone", *(f"Place_{n}" for n in range(12)), *(f"Red_{n}" for n in range(8)),
)  # fmt: skip
REDIRECTS, NEAR = f"<{DBO}wikiPageRedirects>", f"<{DBO}near>"
RARE = (REDIRECTS, f"<{FOAF}isPrimaryTopicOf>", f"<{FOAF}primaryTopic>")
COMMON = (
    f"<{RDFS}label>", f"<{RDF}type>", f"<{RDFS}subClassOf>", f"<{DBO}wikiPageID>", NEAR, f"<{DBO}joins>", NEAR,
)  # fmt: skip
LITERALS = ('"Gamma"', '"gamma town"@en', '"Beta (river)"@en', '"Delta"@de', '"12"^^<http://www.w3.org/2001/XMLSchema#integer>')


def _facts(seed: int, n_lines: int) -> str:
    """Return lines of every kind about names known, red, redirected, opaque and unknown, some of them broken."""
    choose = random.Random(seed)
    terms = [f"<{RESOURCE}{name}>" for name in NAMES] + ["_:b0", "_:b1"]
    fixed = (("Beta", "Beta_(river)"), ("Old_Delta", "Delta_Two"), ("Delta_Two", "Delta"), ("X1", "X2"), ("X2", "X1"))
    lines = [f"<{RESOURCE}{a}> {REDIRECTS} <{RESOURCE}{b}> ." for a, b in fixed]
    for _ in range(n_lines):
        predicate = choose.choice(RARE if choose.random() < 0.03 else COMMON)
        object_ = choose.choice(LITERALS if choose.random() < 0.3 else terms)
        end = " ." if choose.random() < 0.97 else ""
        lines.append(f"{choose.choice(terms)} {predicate} {object_}{end}")
        if choose.random() < 0.02:
            lines.append(f"{choose.choice(terms)} {NEAR} <{RESOURCE}Stranger> .")
    return "\n".join(lines) + "\n"


def rough_world(folder: Path) -> Request:
    """Write pages, records, dumps and facts that need every rule.

    Duplicates, rejects, chains, cycles, labels, topics.
    """
    pages = folder / "pages"
    (pages / "other").mkdir(parents=True)
    write_pages(pages, PAGES)
    records = write_records(folder / "records.jsonl", RECORDS)
    dumps, facts = _redirecting(folder)
    first, second, cut = folder / "first.nt", folder / "second.nt.gz", folder / "cut.nq.gz"
    first.write_text(_facts(1, 400), encoding="utf-8")
    second.write_bytes(gzip.compress(_facts(2, 300).encode()))
    cut.write_bytes(gzip.compress(_facts(3, 3000).encode())[:-2000])
    rdf = (first, second, cut, facts)
    return Request((str(pages), str(records), *dumps), folder, rdf=tuple(map(str, rdf)))


def _redirecting(folder: Path) -> tuple[tuple[str, str], Path]:
    """Write two dumps and facts whose redirects need every rule.

    A chain that leaves the dump, two readings of one title, a cycle, and redirects that wait behind the page P.
    """
    def wiki(name: str, titles: str, redirects: str) -> str:
        pages = [wiki_page(title, f"To [[{title.lower()}]] and [[Y]].") for title in titles]
        pages += [wiki_page(each[0], f"#REDIRECT [[{each[1]}]]") for each in redirects.split()]
        return str(wiki_dump(folder / name, *pages).path)

    facts = folder / "redirecting.nt"
    lines = [
        f"<{RESOURCE}{each[0]}> {predicate} <{RESOURCE}{each[1]}> .\n"
        for predicate, pairs in ((REDIRECTS, "DI RS ST AU UV KL PM"), (NEAR, "AB AI AQ FA HF PY XA LA"))
        for each in pairs.split()
    ]
    facts.write_text("".join(lines), encoding="utf-8")
    return (wiki("one.xml", "AP", "BC CD EF GH XZ ZX"), wiki("two.xml", "Q", "EG PR")), facts


@needs_spark
@pytest.mark.slow
def test_rough_pages_redirects_facts_and_triples_make_what_one_machine_makes(tmp_path: Path) -> None:
    triples = write_records(
        tmp_path / "triples.jsonl",
        [
            {"subject": "gamma", "predicate": "near", "object": "Omega", "title": "Gamma"},
            {"subject": "omega", "predicate": "near", "object": "Q1"},
            {"subject": "Old Delta", "predicate": "feeds", "object": "X1"},
            {"subject": "i", "predicate": "near", "object": "H"},
            {"subject": "no object"},
        ],
    )
    local, loaded = _both(tmp_path, rough_world(tmp_path)._replace(triples=(str(triples),)), piece_bytes=4000)
    _assert_equal(local, loaded)
    assert {fate for record in _on_record(loaded, "facts") for fate in record["fates"]} == set(FATES)


@needs_spark
def test_what_needs_one_machine_is_refused(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"a.html": page("A", "Text.")})
    request = Request((str(pages),), tmp_path / "tables")
    with pytest.raises(UnreadableSource, match="--add is for builds on one machine"):
        build_tables(request._replace(add=True), MASTER)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("Dear all")
    with pytest.raises(UnreadableSource, match=r"holds letter.txt, which is no table of Weft"):
        build_tables(request._replace(output=tmp_path / "full"), MASTER)


@needs_spark
def test_a_master_that_is_none_is_told_in_one_line(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages", {"a.html": page("A", "Text.")})
    with pytest.raises(SparkFailed, match=r"Spark on local\[x\]: .*Could not parse Master URL"):
        build_tables(Request((str(pages),), tmp_path / "tables"), "local[x]")


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="no pyarrow here")
    with pytest.raises(NoTables, match="no tables of a finished build"):
        load(tmp_path, tmp_path / "kb.skb")


def test_every_line_is_in_one_piece(tmp_path: Path) -> None:
    lines = [b"x" * length for length in (0, 3, 40, 1, 0, 0, 17, 90, 2, 5)]
    path = tmp_path / "lines.nt"
    for end in (b"", b"\n"):
        path.write_bytes(b"\n".join(lines) + end)
        for size in (1, 7, 16, 50, 1000):
            pieces = pieces_of(4, str(path), divisible=True, size=size)
            parts = [part for piece in pieces if (part := _bytes_of(piece))]
            assert b"".join(parts) == path.read_bytes()
            assert all(part.endswith(b"\n") for part in parts[:-1])


def test_files_of_a_store_are_inputs_like_others(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="no pyarrow here")
    dump = write_records(tmp_path / "dump.jsonl", RECORDS)
    (tmp_path / "facts.nt").write_text(_facts(1, 3), encoding="utf-8")
    request = Request((f"file://{dump}",), tmp_path / "tables", rdf=(f"file://{tmp_path}/facts.nt",))
    inputs = inputs_for(request)
    assert inputs.documents == [(0, "dump.jsonl", "jsonl", f"file://{dump}")]
    assert inputs.facts == [(0, "facts.nt", "rdf", f"file://{tmp_path}/facts.nt")]
    with on_disk(inputs.documents[0].place) as copy:
        assert (copy.name, copy.read_bytes()) == ("dump.jsonl", dump.read_bytes())
    with pytest.raises(UnreadableSource, match="no such file"):
        inputs_for(request._replace(sources=(f"file://{tmp_path}/other.jsonl",)))


@pytest.mark.parametrize(
    ("path", "place"),
    [("s3a:/bucket/world", "s3a://bucket/world"), ("/data/a:/b", "/data/a:/b"), ("world.tables", "world.tables")],
)
def test_a_uri_taken_for_a_path_is_a_uri_again(path: str, place: str) -> None:
    assert place_of_path(Path(path)) == place


def _bytes_of(piece: Any) -> bytes:
    with piece_on_disk(piece) as (path, n_lines):
        data = path.read_bytes()
    assert piece.end < 0 or n_lines == data.count(b"\n")
    return data


@pytest.mark.parametrize(
    ("triple", "said"),
    [
        ("<http://e/resource/A_b> <http://e/near> <http://e/resource/C>",
         Classified("relation", {"subject_title": "A b", "object_title": "C"})),
        ("<http://e/resource/A> <http://e/near> _:b0",
         Classified("relation", {"subject_title": "A", "object_title": None})),
        ('<http://e/resource/A> <http://e/height> "12"', Classified("attribute", {"subject_title": "A"})),
        ('<http://e/resource/A> <http://e/motto> "nie"@de', Classified("other language", None)),
        (f"<http://e/resource/A> <{DBO}wikiPageRedirects> <http://e/resource/A>", Classified("redirect", None)),
        (f"<http://e/resource/A> <{DBO}wikiPageID> <http://e/1>", Classified("ignored predicate", None)),
        (f'<http://e/Q1> <{RDFS}label> "The  Town"@en',
         Classified("label", {"term": "<http://e/Q1>", "name": "The Town", "subject_title": "Q1",
                              "name_key": "the town"})),
    ],
)  # fmt: skip
def test_a_line_says_by_itself(triple: str, said: Classified) -> None:
    subject, predicate, object_ = triple.split(" ", 2)
    assert classify_triple((subject, predicate, object_), ("en",)) == said


def test_what_spark_needs_is_told_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    pages = write_pages(tmp_path / "pages", {"A.html": page("A", "A lamp.")})
    tables = str(tmp_path / "tables")
    built = CliRunner().invoke(main, ["build", str(pages), "-o", tables, "--engine", "spark"])
    assert built.stderr == "Error: pyspark is not installed: pip install 'weft[spark]'\n"
    loaded = CliRunner().invoke(main, ["load", tables, "-o", str(tmp_path / "kb.skb")])
    assert loaded.stderr == "Error: pyarrow is not installed: pip install 'weft[spark]'\n"
