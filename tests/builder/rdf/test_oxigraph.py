"""With pyoxigraph the same is read as without it; prefixes and base pass between the parsers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.rdf.reader import read_triples
from builder.rdf.terms import Triple
from builder.rdf.turtle import Statements
from builder.streams.lines import BLOCK_SIZE
from tests.builder.rdf.conftest import without_pyoxigraph

pytest.importorskip("pyoxigraph", reason="needs pyoxigraph: pip install 'weft[rdf-fast]'")

HEAD = "@prefix ex: <http://ex/> .\n@prefix two: <http://two/#> .\n"
NODES = (
    "ex:a", "ex:b.c", "ex:", "<http://a/x>", "_:l", "_:l.x", "<rel>", "<rel/x#y>", "<#f>", "<>", "two:x%20y", "[]",
    "ex:a\\,b", "[ ex:p 1 ]", "( 1 ex:a )", "()", "<urn:x:y>", "ex:1a", "two:é", "<http://a/é>", "<http://a/{b}>",
    "<../x>", "ex:a:b", "_:é", "ex:\\u00e9", "<http://a/\\u00e9>", "<?q>", "<//h/x>", "<http://a/b/../c>", "<#a:b>",
    "ex:-x", "<http://a/\u00a0b>", "_:c0ffee00c0ffee00c0ffee00c0ffee00",
)  # fmt: skip
PREDICATES = ("ex:p", "a", "<http://a/p>", "<rel>", "two:q", "_:p")
LITERALS = (
    '"x"', '"x"@en', '"x"@EN-gb', '"x"^^ex:t', '"""a\nb"""', "'s'", "'''l\n.\n'''", "1", "-1.5", "+1e3", ".5", "007",
    "true", '"a\\tb\\n\\"c"', '"\\u00e9\\U0001F600"', '"\\uD83D\\uDE00"', '"x" @en', '"x" ^^ex:t', '"x"^^ ex:t', "1.",
    '"x"^^<http://www.w3.org/2001/XMLSchema#string>', '"x"@a1', '"""x""""', '"\\q"', '"\x07\x7f\x85\u2028"', "5e",
    '"a"@en--ltr', "TRUE", '"x"^^<rel>', '"x"@en-x-1', '"#no" # c', '""', '""""""', "<< ex:a ex:p ex:b >>",
    '"x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>', '"x"^^_:b', '"\r"', '"""a\r\nb"""',
)  # fmt: skip
DIRECTIVES = (
    "@prefix ex: <http://ex/> .", "PREFIX two: <http://two/#>", "@base <http://base/x/y> .", "BASE <http://other/>",
    "@prefix two: <rel/> .", "@prefix : <#> .", "prefix ex: <http://ex2/é/>", "@base <rel2/> .", "@base <urn:x> .",
    "@base <http://h/a?q> .", "@prefix ex: <http://ex/>", "@prefix bad <x> .", "@PREFIX ex: <http://u/> .",
    "BASE <http://h>", "@prefix a.b: <http://ab/> .", 'VERSION "1.2"', "PREFIX ex:<http://ns/>ex:a ex:p ex:b .",
)  # fmt: skip
SLIPS = ("..", ";", "]", '"', "'", "#", "\t", "<", '"""', "\r", "\r\n", "}", "^", "!", "\x0b", "=>", ".")


def tricky_texts(count: int) -> Iterator[str]:
    """Some statements of Turtle each, a few of them wrong; always the same ones."""
    dice = random.Random(11)

    def statement() -> str:
        if dice.random() < 0.15:
            return dice.choice(DIRECTIVES)
        objects = (dice.choice(dice.choice((NODES, LITERALS))) for _ in range(dice.choice((1, 2))))
        listed = dice.choice((" , ", ",", "\n,")).join(objects)
        end = dice.choice((" .", ".", "\n.", " . # c"))
        return f"{dice.choice(NODES)} {dice.choice(PREDICATES)} {listed}{end}"

    for _ in range(count):
        base = dice.choice(("", "@base <http://base/x> .\n"))
        slips = (dice.choice(SLIPS) if dice.random() < 0.1 else "" for _ in range(dice.choice((1, 2, 4))))
        yield HEAD + base + "".join(f"{statement()}{slip}\n" for slip in slips)


def read(text: str, n_lines: int) -> tuple[list[Triple], list[tuple[int, str]]]:
    """Read a text in blocks of lines."""
    statements = Statements()
    lines = text.removesuffix("\n").split("\n")
    found = [statements.read("\n".join(lines[n : n + n_lines]), n + 1) for n in range(0, len(lines), n_lines)]
    found.append(statements.finish())
    problems = [(problem.line, problem.kind) for _, some in found for problem in some]
    return [triple for triples, _ in found for triple in triples], problems


@pytest.mark.parametrize("n_lines", [1, 3, 1_000])
def test_tricky_turtle_is_the_same_without_pyoxigraph(n_lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = list(tricky_texts(700))
    with_it = [read(text, n_lines) for text in texts]
    without_pyoxigraph(monkeypatch)
    for text, found in zip(texts, with_it, strict=True):
        assert (text, found) == (text, read(text, n_lines))


@pytest.mark.parametrize(
    "text",
    [
        "ex:a ex:p ex:b . # comment\rex:c ex:p ex:d .\n",
        "@base # comment\n <http://h/a?q> .\n<x> ex:p <y> .\n",
        "# @base <http://h/> .\n@base <http://h/a/> .\n<x> ex:p <y> .\n",
        "ex:a ex:p 'x'\n @en .\n",
        " version '1.2'\nex:a ex:p ex:b .\n",
        "@version '1.2' .\nex:a ex:p ex:b .\n",
    ],
)
def test_what_pyoxigraph_alone_reads_otherwise(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_it = read(HEAD + text, 100)
    without_pyoxigraph(monkeypatch)
    assert with_it == read(HEAD + text, 100)


@pytest.mark.usefixtures("parser")
def test_prefixes_and_base_hold_whichever_parser_reads_them() -> None:
    text = """
@prefix ex: <http://ex/> .
@base <http://base/> .
ex:a ex:p <b> .
ex:c ex:p [] .
PREFIX ex: <http://é/>
@base <http://base/two/> .
ex:a ex:p "open .
ex:a ex:p <b> .
@prefix ex: <sub/> .
ex:a ex:p <b> .
"""
    ex, base = "http://ex/", "http://base/"
    for n_lines in (1, 2, 4, 100):
        assert read(text, n_lines) == (
            [
                (f"<{ex}a>", f"<{ex}p>", f"<{base}b>"),
                (f"<{ex}c>", f"<{ex}p>", "_:weft.anonymous.1"),
                ("<http://é/a>", "<http://é/p>", f"<{base}two/b>"),
                (f"<{base}two/sub/a>", f"<{base}two/sub/p>", f"<{base}two/b>"),
            ],
            [(8, "malformed")],
        )


@pytest.mark.usefixtures("parser")
def test_statements_across_blocks_are_whole_and_in_order(tmp_path: Path) -> None:
    path = tmp_path / "facts.ttl"
    count = 20_000
    statements = [f"ex:s{n}\n  ex:p ex:o ;\n  a ex:C .\n" for n in range(count)]
    statements[7] = "ex:s7\n  ex:p ex:o , ;\n  a ex:C .\n"
    path.write_text(HEAD + "".join(statements))
    assert path.stat().st_size > 2 * BLOCK_SIZE
    batches = list(read_triples(path))
    subjects = [triple[0] for batch in batches for triple in batch.triples]
    assert subjects == [f"<http://ex/s{n}>" for n in range(count) if n != 7 for _ in (0, 1)]
    assert [problem.line for batch in batches for problem in batch.problems] == [25]
