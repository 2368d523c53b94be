"""Names without any visible character never stop a build, and name nothing in the SKB."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from builder.request import Settings, Summary
from tests.builder.readers.test_enterprise import article, as_lines
from tests.builder.readers.test_natural_questions import record
from tests.worlds import ONTOLOGY, RESOURCE, link, page, rows, write_pages, write_records
from weft.text.normalise import is_visible

INVISIBLE = {
    "zero width space": "\u200b",
    "joiners": "\u200c\u200d\u2060",
    "byte order mark": "\ufeff",
    "soft hyphens": "\u00ad\u00ad",
    "directions": "\u202a\u2067\u2069\u202c",
    "combining accent": "\u0301",
    "combining vowel sign": "\u093f",
    "variation selectors": "\ufe0f\U000e0100",
    "combining grapheme joiner": "\u034f",
    "Hangul fillers": "\u115f\u1160\u3164\uffa0",
    "braille blank": "\u2800",
    "tags": "\U000e0041\U000e007f",
    "blanks": "\u00a0\u2003\u3000\u2028",
    "C1 controls": "\u0085\u009b",
    "Mongolian vowel separator": "\u180e",
    "musical and Khmer": "\U0001d173\u17b4",
    "entities": "&#8203;&shy;",
}
VISIBLE = ("a", "-", "\u00b7", "1", "\u200b\u0627", "\u4e2d", "\U0001f600", "e\u0301", "\u0915\u093f", "\ue000", "?")
PLAIN = "A weir by the Good Lock of old."


@pytest.mark.parametrize("name", [name for key, name in INVISIBLE.items() if key != "entities"])
def test_a_name_of_blanks_marks_and_format_signs_is_invisible(name: str) -> None:
    assert not is_visible(name)


@pytest.mark.parametrize("name", VISIBLE)
def test_a_name_with_a_letter_a_digit_or_a_sign_is_visible(name: str) -> None:
    assert is_visible(name)


def _html_titles(folder: Path, name: str) -> None:
    write_pages(folder, {"a.html": page(name, f"By {link('Good Lock')}."), "\u200b.html": page("", PLAIN)})


def _html_links(folder: Path, name: str) -> None:
    anchors = f"<a href='/wiki/{quote(name)}'>seen</a> and <a href='/wiki/Good_Lock'>{name}</a>"
    write_pages(folder, {"a.html": page("Weir", PLAIN, f"Here {anchors}.", f"== {name}", PLAIN)})


def _json_lines(folder: Path, name: str) -> None:
    folder.mkdir()
    text = f"See {name} there."
    links = [{"start": 4, "end": 4 + len(name), "target": name}, {"start": 0, "end": 3, "target": f"Good Lock#{name}"}]
    records: list[dict[str, object]] = [
        {"title": name, "text": PLAIN},
        {"title": "Weir", "text": text, "links": links},
        {"title": f"{name} (weir)", "text": PLAIN},
        {"title": "Good Lock", "text": PLAIN},
    ]
    write_records(folder / "a.jsonl", records)


def _markdown(folder: Path, name: str) -> None:
    text = f"# {name}\n\n{PLAIN}\n\n## {name}\n\nSee [{name}](b.md) and [there](/wiki/{quote(name)}).\n"
    write_pages(folder, {"a.md": text, "b.md": "# Good Lock\n\nA lock.\n", f"{name}.md": PLAIN})


def _front_matter(folder: Path, name: str) -> None:
    write_pages(folder, {"a.txt": f"---\ntitle: {name}\naliases: [{name}, Old lock]\n---\n{PLAIN}\n"})


def _wikitext(folder: Path, name: str) -> None:
    folder.mkdir()
    text = f"== {name} ==\n{PLAIN} [[{name}]] and [[Good Lock|{name}]], [[Good Lock#{name}]], [[Category:{name}]]"
    pages = [(name, PLAIN), ("Weir", text), ("Old lock", f"#REDIRECT [[{name}]]"), (name, "#REDIRECT [[Weir]]")]
    said = "".join(
        f"<page><title>{title}</title><ns>0</ns><revision><text>{own}</text></revision></page>" for title, own in pages
    )
    escaped = said.replace("&shy;", "&#173;")
    (folder / "a.xml").write_text(f"<mediawiki>{escaped}</mediawiki>", encoding="utf-8")


def _enterprise(folder: Path, name: str) -> None:
    folder.mkdir()
    said = {"redirects": [{"name": name}], "categories": [{"name": f"Category:{name}"}]}
    (folder / "a.ndjson").write_bytes(as_lines([article(name, PLAIN), article("Weir", PLAIN, **said)]))


def _natural_questions(folder: Path, name: str) -> None:
    folder.mkdir()
    html = f"<html><body><h1>{name}</h1><p>{PLAIN}</p></body></html>"
    records = [record(1, name, html, document_url=None), record(2, "Weir", html)]
    (folder / "a.jsonl").write_bytes(as_lines(records))


def _graph(folder: Path, name: str) -> None:
    folder.mkdir()
    nodes: list[dict[str, object]] = [
        {"uri": "n1", "name": name, "type": name, "text": PLAIN, "attributes": {name: name}},
        {"uri": name, "name": "Weir"},
        {"uri": "n3", "name": "Good Lock", "text": PLAIN},
    ]
    write_records(folder / "nodes.jsonl", nodes)
    lines = f"subject\tpredicate\tobject\nn1\tnear\tn3\nn1\t{name}\tn3\n{name}\tnear\tn3\n"
    (folder / "edges.tsv").write_text(lines.replace("\u2028", ""), encoding="utf-8")


SOURCES = {
    "html titles": _html_titles, "html links": _html_links, "json lines": _json_lines, "markdown": _markdown,
    "front matter": _front_matter, "wikitext": _wikitext, "enterprise": _enterprise, "nq": _natural_questions,
    "graph": _graph,
}  # fmt: skip


def _assert_every_name_is_seen(skb: Path) -> None:
    for column in ("title FROM page", "name FROM entity", "name FROM alias", "target FROM link", "target FROM mention",
                   "name FROM relation_type", "type FROM entity_type"):  # fmt: skip
        assert [name for (name,) in rows(skb, f"SELECT {column}") if not is_visible(str(name))] == []


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=list(INVISIBLE))
def test_no_document_names_anything_invisible(tmp_path: Path, weave: Callable[..., Summary], name: str) -> None:
    for source, write in SOURCES.items():
        write(tmp_path / source, name)
    facts = tmp_path / "facts.nt"
    facts.write_text(
        "".join(
            f"<{RESOURCE}{one}> <{predicate}> {other} .\n"
            for one, predicate, other in (
                ("Weir", "http://www.w3.org/2000/01/rdf-schema#label", f'"{name}"@en'),
                (name, "http://www.w3.org/2000/01/rdf-schema#label", '"Weir"@en'),
                (name, "http://dbpedia.org/ontology/wikiPageRedirects", f"<{RESOURCE}Weir>"),
                ("Old_lock", "http://dbpedia.org/ontology/wikiPageRedirects", f"<{RESOURCE}{name}>"),
                (name, "http://xmlns.com/foaf/0.1/isPrimaryTopicOf", "<http://en.wikipedia.org/wiki/Weir>"),
                ("Weir", "http://xmlns.com/foaf/0.1/isPrimaryTopicOf", f"<http://en.wikipedia.org/wiki/{name}>"),
                ("Weir", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", f"<{ONTOLOGY}{name}>"),
                ("Weir", ONTOLOGY + name, f"<{RESOURCE}Good_Lock>"),
                ("Weir", ONTOLOGY + name, '"a value"'),
                ("Weir", ONTOLOGY + "near", f"<{RESOURCE}{name}>"),
            )
        ),
        encoding="utf-8",
    )
    triples = tmp_path / "triples.jsonl"
    parts = ("subject", "predicate", "object")
    triples.write_text(
        "".join(
            json.dumps({part: name if part == own else "Weir" for part in parts} | {"title": name}) + "\n"
            for own in (*parts, "none")
        ),
        encoding="utf-8",
    )
    sources = [tmp_path / source for source in SOURCES]
    weave(*sources, rdf=(str(facts),), triples=(str(triples),), settings=Settings(all_relations=True))
    _assert_every_name_is_seen(tmp_path / "kb.skb")


def test_a_document_with_an_invisible_title_is_rejected_or_has_its_file_s_name(
    tmp_path: Path, weave: Callable[..., Summary]
) -> None:
    for source, write in SOURCES.items():
        write(tmp_path / source, "\u200b")
    weave(*(tmp_path / source for source in SOURCES))
    reasons = "SELECT source, reason FROM source_item WHERE state = 'rejected' ORDER BY source, place"
    assert rows(tmp_path / "kb.skb", reasons) == [
        ("enterprise", "name is missing or no string"),
        ("graph (graph)", "a column has no visible character"),
        ("graph (graph)", "a column has no visible character"),
        ("graph (graph)", "uri has no visible character"),
        ("html titles", "its title has no visible character"),
        ("json lines", "title has no visible character"),
        ("nq", "no title: document_title, document_url and the heading are missing"),
        ("wikitext", "the page has no title"),
        ("wikitext", "the page has no title"),
    ]
    titles = [title for (title,) in rows(tmp_path / "kb.skb", "SELECT title FROM page")]
    assert {"A", "\u200b.md", "Good Lock", "Weir", "n1"} <= set(titles)
