"""For every format: an update with a second version of the input equals a new build of that version."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from builder.build import build
from builder.dump import dump
from builder.request import Request
from builder.search_arrays.all_arrays import array_problems
from weft.skb import Skb

Files = Mapping[str, str]


PAGE = "https://en.wikipedia.org/w/index.php?title=Moon"


def wiki(
    text: str = "Old, [[Sun]].", title: str = "Moon", stamp: str = "2001-05-12T10:00:00Z", lang: str = "en",
    base: str = "https://a.example/wiki/X", names: str = "Portal", case: str = "first-letter",
) -> Files:  # fmt: skip
    return {"in/dump.xml": f"""<mediawiki xml:lang="{lang}"><siteinfo><base>{base}</base><case>{case}</case>
        <namespaces>
        <namespace key="0"/><namespace key="100">{names}</namespace></namespaces></siteinfo><page><title>{title}</title>
        <ns>0</ns><revision><timestamp>{stamp}</timestamp><text>{text} [[portal:A]] [[Door:B]]
        {{{{age|1950|1|1}}}}</text></revision></page></mediawiki>"""}  # fmt: skip


def article(**changes: Any) -> Files:
    record = {"name": "Moon", "article_body": {"html": "<p>Old <a href='/wiki/Sun'>sun</a>.</p>"},
              "namespace": {"identifier": 0}, "date_modified": "2024-01-01T00:00:00Z",
              "in_language": {"identifier": "en"}, "url": "https://a.example/wiki/Moon"} | changes  # fmt: skip
    return {"in/a.ndjson": json.dumps(record)}


def question(**changes: Any) -> Files:
    record = {"document_title": "Moon", "document_html": "<h1>Moon</h1><p>Old.</p>", "question_text": "what",
              "document_url": f"{PAGE}&oldid=1", "annotations": []} | changes  # fmt: skip
    return {"in/a.jsonl": json.dumps(record)}


def record(**changes: Any) -> Files:
    return {"in/a.jsonl": json.dumps({"title": "Moon", "text": "The sun."} | changes)}


MARKDOWN = {
    "in/a.md": "---\ndate: 2001-01-01\n---\n# A\n\nSee [b](b.md).",
    "in/b.md": "# B\n\nText.",
    "in/c.md": "# C\n\nc",
}
PAGES = {
    "in/a.html": "<html lang='en'><title>A</title><body><p>See <a href='b.html'>b</a>.</p></body></html>",
    "in/b.html": "<html><title>B</title><body><p>Text.</p></body></html>",
    "in/c.html": "<p>No title.</p>",
}  # fmt: skip
TEXTS = {"in/a.txt": "Title of a\n\nA text of a few words, which ends.", "in/b.txt": "Other\n\nA text, which ends."}
NODES = {"in/nodes.jsonl": '{"uri": "n1", "name": "Moon", "type": "Body", "text": "Old."}\n'
                           '{"uri": "n2", "name": "Sun"}\n',
         "in/edges.tsv": "subject\tpredicate\tobject\nn1\tcircles\tn2\n"}  # fmt: skip

CASES: list[tuple[str, Files, Files]] = [
    ("wikitext text", wiki(), wiki("New, [[Star]].")),
    ("wikitext title", wiki(), wiki(title="Luna")),
    ("wikitext timestamp", wiki(), wiki(stamp="2024-05-12T10:00:00Z")),
    ("wikitext language", wiki(), wiki(lang="de")),
    ("wikitext address", wiki(), wiki(base="https://b.example/wiki/X")),
    ("wikitext namespaces", wiki(), wiki(names="Door")),
    ("wikitext case", wiki("[[sun]]"), wiki("[[sun]]", case="case-sensitive")),
    ("wikitext redirect", wiki(), wiki("#REDIRECT [[Sun]]")),
    ("enterprise text", article(), article(article_body={"html": "<p>New.</p>"})),
    ("enterprise title", article(), article(name="Luna")),
    ("enterprise date", article(), article(date_modified="2024-02-02T00:00:00Z")),
    ("enterprise language", article(), article(in_language={"identifier": "de"})),
    ("enterprise address", article(), article(url="https://b.example/wiki/Moon")),
    ("enterprise statements", article(), article(redirects=[{"name": "Luna"}], categories=[{"name": "Category:X"}])),
    ("nq text", question(), question(document_html="<h1>Moon</h1><p>New.</p>")),
    ("nq title", question(), question(document_title="Luna")),
    ("nq address", question(), question(document_url=f"{PAGE}&oldid=2")),
    ("nq links", question(), {"in/a.jsonl": json.dumps(
        {"document_title": "Moon", "document_text": "<H1> Moon </H1> <P> Old . </P>", "question_text": "what",
         "document_url": f"{PAGE}&oldid=1", "annotations": []})}),
    ("jsonl text", record(), record(text="New.")),
    ("jsonl title", record(), record(title="Luna")),
    ("jsonl url", record(), record(url="https://a.example/")),
    ("jsonl links", record(), record(links=[{"start": 4, "end": 7, "target": "Sun"}])),
    ("jsonl no links", record(links=[]), record()),
    ("jsonl neighbour", record(links=[{"start": 4, "end": 7, "target": "C#x"}]),
     {**record(links=[{"start": 4, "end": 7, "target": "C#x"}]), "in/b.jsonl": '{"title": "C#x", "text": "x"}'}),
    ("markdown text", MARKDOWN, MARKDOWN | {"in/a.md": "# A\n\nNew."}),
    ("markdown front matter", MARKDOWN, MARKDOWN | {"in/a.md": "---\ndate: 2002-01-01\n---\n# A\n\nSee [b](b.md)."}),
    ("markdown neighbour's title", MARKDOWN, MARKDOWN | {"in/b.md": "# New B\n\nText."}),
    ("markdown neighbour shares a title", MARKDOWN, MARKDOWN | {"in/a0.md": "# B\n\nOther."}),
    ("markdown neighbour is gone", MARKDOWN, {key: MARKDOWN[key] for key in ("in/a.md", "in/c.md")}),
    ("markdown is renamed", MARKDOWN, {"in/z.md": MARKDOWN["in/a.md"], "in/b.md": MARKDOWN["in/b.md"]}),
    ("text", TEXTS, TEXTS | {"in/a.txt": "New title\n\nA text of a few words, which ends."}),
    ("text is Markdown now", TEXTS, {"in/a.md": TEXTS["in/a.txt"], "in/b.txt": TEXTS["in/b.txt"]}),
    ("html text", PAGES, PAGES | {"in/a.html": "<title>A</title><p>New.</p>"}),
    ("html titles.json", PAGES, PAGES | {"in/titles.json": '{"c.html": "Given"}'}),
    ("html titles.json beside", PAGES, PAGES | {"titles.json": '{"c.html": "Given"}'}),
    ("html neighbour's title", PAGES, PAGES | {"in/b.html": "<title>New B</title><p>Text.</p>"}),
    ("html neighbour shares a title", PAGES, PAGES | {"in/a0.html": "<title>B</title><p>Other.</p>"}),
    ("html neighbour is gone", PAGES, {"in/a.html": PAGES["in/a.html"]}),
    ("mixed neighbour's title", PAGES | MARKDOWN, PAGES | MARKDOWN | {"in/b.md": "# B two\n\n[A](a.html)"}),
    ("mixed becomes one format", PAGES | MARKDOWN, PAGES),
    ("graph name", NODES, NODES | {"in/nodes.jsonl": NODES["in/nodes.jsonl"].replace("Moon", "Luna")}),
    ("graph type", NODES, NODES | {"in/nodes.jsonl": NODES["in/nodes.jsonl"].replace("Body", "Thing")}),
    ("graph edges", NODES, NODES | {"in/edges.tsv": "subject\tpredicate\tobject\nn2\tpulls\tn1\n"}),
]  # fmt: skip


def lay(folder: Path, files: Files) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    for place, text in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    return folder / "in"


def packed(folder: Path, files: Files) -> Path:
    source = lay(folder, files)
    with tarfile.open(folder / "pages.tar", "w") as archive:
        for path in sorted(source.iterdir()):
            member = tarfile.TarInfo(path.name)
            data = path.read_bytes()
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    shutil.rmtree(source)
    return folder / "pages.tar"


def dumped(output: Path, source: Path) -> list[str]:
    build(Request((str(source),), output, workers=1))
    with Skb(output) as skb:
        assert list(array_problems(skb.connection)) == []
        return list(dump(skb.connection))


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_an_update_equals_a_new_build(tmp_path: Path, before: Files, after: Files) -> None:
    _updated_is_rebuilt(tmp_path, lay, before, after)


@pytest.mark.parametrize(
    "after", [PAGES | {"titles.json": '{"c.html": "Given"}'}, PAGES | {"in/b.html": "<title>C</title><p>c</p>"}]
)
def test_an_update_of_an_archive_equals_a_new_build(tmp_path: Path, after: Files) -> None:
    _updated_is_rebuilt(tmp_path, packed, PAGES, after)


def _updated_is_rebuilt(
    folder: Path, prepare: Callable[[Path, Files], Path], before: Files, after: Files
) -> None:
    first = dumped(folder / "kb.skb", prepare(folder / "world", before))
    updated = dumped(folder / "kb.skb", prepare(folder / "world", after))
    assert updated == dumped(folder / "new.skb", folder / "world" / ("in" if prepare is lay else "pages.tar"))
    assert updated != first
