"""The invented world holds together: pages, facts and questions agree, read naively from the files alone."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup
from rdflib import RDFS, Graph, Literal, URIRef
from rdflib.namespace import FOAF, RDF

from tests.paths import FIXTURES

RESOURCE = "http://facts.example/resource/"
ONTOLOGY = "http://facts.example/ontology/"
WIKI = "https://encyclopedia.example/wiki/"
REDIRECT = URIRef("http://dbpedia.org/ontology/wikiPageRedirects")
FURNITURE = ".mw-editsection, #toc, .reference, .noprint, .ambox, .navbox, .hatnote, [style*='display:none']"
NAMESPACE = re.compile(r"(?:File|Category|Help|Special):")
COMPARED = ("yes", "no")
BLOCKS = ("p", "table", "ul")
VOID = {"meta", "link", "img", "br"}
# Marks of markup, by the least number of pages that must show them.
MARKUP = {
    1: ["<figcaption", 'rowspan="2"', 'td colspan="2">League', "<pre>", "\n<ul>\n<li>", "Template-Fact"],
    2: ['class="infobox-header"', "<blockquote>", "metadata ambox", "display:none"],
    3: ["<dl>", 'class="navbox"', "%22", "%3F", "%CE%98", "%C5%A0", "_%239"],
    4: ['class="thumbcaption"', "<h4>"],
    5: ['class="reference"', 'class="references"', 'role="note" class="hatnote'],
    8: ['class="wikitable', "<caption>", "mw-redirect"],
    12: ['class="infobox-caption"'],
    15: ['class="infobox', 'id="toc"'],
    20: ["redlink=1"],
    30: ['class="catlinks"', 'class="printfooter"', "mw-editsection"],
    40: ['rel="canonical"'],
}  # fmt: skip


class Page(NamedTuple):
    title: str
    html: str
    text: str
    blocks: dict[str, list[str]]
    targets: frozenset[str]


def letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())


class Balance(HTMLParser):
    """Collect the tags that do not close in the order in which they opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.astray: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open += [tag] if tag not in VOID else []

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        elif tag not in VOID:
            self.astray.append(tag)


def target_of(href: str) -> str | None:
    """Return the title an href leads to, or None when it is no article of this wiki."""
    found = re.match(r"(?:/wiki/|\./|/w/index\.php\?title=)([^#?&]+)", href)
    if not found:
        return None
    title = unquote(found[1]).replace("_", " ")
    return None if NAMESPACE.match(title) else title[0].upper() + title[1:]


def read_page(path: Path) -> Page:
    html = path.read_text(encoding="utf-8")
    soup = BeautifulSoup(html, "lxml")
    heading = soup.select_one("h1")
    title = heading.get_text() if heading else path.stem.replace("_", " ")
    body = soup.select_one(".mw-parser-output")
    assert body is not None, path.name
    for node in body.select(FURNITURE):
        node.decompose()
    targets = (target_of(str(link["href"])) for link in body.select("a[href]"))
    blocks = {tag: [" ".join(node.get_text().split()) for node in body.select(tag)] for tag in BLOCKS}
    return Page(title, html, letters(body.get_text()), blocks, frozenset(filter(None, targets)) - {title})


@lru_cache
def pages() -> dict[str, Page]:
    read = [read_page(path) for path in sorted((FIXTURES / "encyclopedia").glob("*.html"))]
    assert len({page.title for page in read}) == len(read)
    return {page.title: page for page in read}


@lru_cache
def facts() -> Graph:
    return Graph().parse(FIXTURES / "facts.nt", format="nt")


def plain_title(uri: object) -> str:
    return unquote(str(uri).removeprefix(RESOURCE).removeprefix(WIKI)).replace("_", " ")


@lru_cache
def redirects() -> dict[str, str]:
    return {plain_title(a): plain_title(b) for a, b in facts().subject_objects(REDIRECT)}


@lru_cache
def joined() -> dict[str, str]:
    """Return the page title of each resource that a label or a primary topic joins to one."""
    graph = facts()
    titles = {plain_title(a): str(b) for a, b in graph.subject_objects(RDFS.label) if str(b) in pages()}
    titles |= {plain_title(a): plain_title(b) for a, b in graph.subject_objects(FOAF.isPrimaryTopicOf)}
    return titles | {plain_title(b): plain_title(a) for a, b in graph.subject_objects(FOAF.primaryTopic)}


def resolved(name: str) -> str:
    title = joined().get(name, name)
    for _ in range(3):
        title = redirects().get(title, title)
    return title


def fates() -> Counter[str]:
    cited = [{page.title} | {resolved(target) for target in page.targets} for page in pages().values()]
    known = set[str]().union(*cited)
    fate: Counter[str] = Counter()
    for subject, predicate, thing in facts():
        if not str(predicate).startswith(ONTOLOGY) or isinstance(thing, Literal):
            continue
        ends = {resolved(plain_title(subject)), resolved(plain_title(thing))}
        together = any(ends <= names for names in cited)
        fate["kept" if together else "dropped" if ends <= known else "unknown"] += 1
    return fate


def questions() -> list[dict[str, Any]]:
    lines = (FIXTURES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def of_type(kind: str) -> list[dict[str, Any]]:
    return [question for question in questions() if question["type"] == kind]


def test_there_are_pages_in_every_skin() -> None:
    # Fragments and upper-case pages carry old Vector's headline spans too.
    marks = ('class="mw-headline"', 'class="mw-heading mw-heading2"', "<section data-mw-section-id=", "<H1 ")
    assert [sum(mark in page.html for page in pages().values()) for mark in marks] == [43, 7, 4, 4]
    assert sum(page.html.startswith("<div") for page in pages().values()) == 3
    assert len(pages()) == 57


@pytest.mark.parametrize(("at_least", "mark"), [(n, mark) for n in MARKUP for mark in MARKUP[n]])
def test_markup_of_the_wild_is_present(at_least: int, mark: str) -> None:
    found = [page.title for page in pages().values() if mark in page.html.replace("<H4>", "<h4>")]
    assert len(found) >= at_least, found


@pytest.mark.parametrize(
    "title",
    [
        "Veldra", "Veldra (river)", "Veldra (opera)", "Veldra (moth)", "Opus #9", "Salt; or, the Tide Ledger",
        'The "Lantern" Mutiny', "Lanternwrights' Guild", "1187", "Θυρμαλέα", "Šavrénka Tolmi",
        "Ninefold: A Survey of the Deep Wells", "Who Feeds the Lamp?",
    ],
)  # fmt: skip
def test_awkward_titles_have_a_page_that_others_link_to(title: str) -> None:
    assert title in pages()
    assert any(title in page.targets for page in pages().values())


def test_pages_are_well_formed() -> None:
    for page in pages().values():
        balance = Balance()
        balance.feed(page.html)
        assert (balance.open, balance.astray) == ([], []), page.title


def test_disambiguation_page_leads_to_its_meanings() -> None:
    assert {"Veldra (river)", "Veldra (opera)", "Veldra (moth)"} <= pages()["Veldra"].targets


def test_equal_headings_repeat_under_one_parent_and_under_several() -> None:
    def headings(title: str) -> list[tuple[str, str]]:
        return re.findall(r'<h(\d)><span class="mw-headline" id="[^"]*">([^<]+)<', pages()[title].html)

    assert Counter(headings("Aestimetry"))["3", "History"] == 2
    ship = headings("Patient Margin")
    first = ship.index(("3", "Refit"))
    assert ship[first - 1 : first + 3] == [("2", "Service"), ("3", "Refit"), ("3", "Refit"), ("2", "Loss")]


def test_one_table_and_one_list_are_longer_than_a_chunk() -> None:
    lights = pages()["List of lighthouses of the Saffrine Strait"]
    moths = pages()["List of moths of the Korrin Heights"]
    assert max(map(len, lights.blocks["table"])) > 2000
    assert lights.html.count("<tr>") > 40
    assert max(map(len, moths.blocks["ul"])) > 2000


def test_links_fragments_and_sizes_vary() -> None:
    counts = sorted(len(page.targets) for page in pages().values())
    assert counts[0] >= 3 and counts[len(counts) // 4] >= 6 and counts[-1] >= 20
    hrefs = [href for page in pages().values() for href in re.findall(r'href="(/wiki/[^"]+)"', page.html)]
    assert sum("#" in href for href in hrefs) >= 3
    counts = [len(page.blocks["p"]) for page in pages().values()]
    assert min(counts) <= 2 and max(counts) >= 12


def test_facts_parse_and_hold_every_kind_of_term() -> None:
    lines = (FIXTURES / "facts.nt").read_text(encoding="utf-8").splitlines()
    assert len(facts()) == len([line for line in lines if not line.startswith("#")]) >= 500
    literals = [term for term in facts().objects() if isinstance(term, Literal)]
    types = Counter(str(term.datatype).rpartition("#")[2] for term in literals if term.datatype)
    languages = Counter(term.language for term in literals if term.language)
    assert types["integer"] >= 30 and types["date"] >= 20 and types["double"] >= 15
    assert languages["en"] >= 50 and languages["de"] >= 30
    assert any("\n" in term for term in literals) and any('"' in term for term in literals)
    assert any("\\u0398" in line for line in lines) and any("\t" in line for line in lines)


def test_class_tree_and_types() -> None:
    subclasses = set(facts().subjects(RDFS.subClassOf))
    typed = Counter(facts().subjects(RDF.type))
    assert len(subclasses) >= 40 and set(typed.values()) == {1, 2, 3} and len(typed) >= 60


def test_redirects_hold_a_chain_and_a_cycle() -> None:
    assert len(redirects()) >= 12
    assert redirects()[redirects()["Thyrmalea"]] == "Θυρμαλέα"
    assert redirects()[redirects()["Old Wick"]] == "Old Wick" and "Old Wick" not in pages()
    ends = {resolved(title) for title in redirects()} - {"Old Wick", "Wick Old"}
    assert ends <= set(pages())


def test_some_resources_meet_their_page_only_by_topic_or_label() -> None:
    strange = {name: title for name, title in joined().items() if name != title}
    topics = {"Q 0017": "Wenna Tarquill", "Q 0031": "Korrin Rack Railway", "Q 0044": "Lathe-root"}
    assert strange == topics | {"Q 0052": "Ondrel", "Node-7719": "Hesper Linnoway", "Node-2044": "Halmophone"}


def test_relations_by_fate() -> None:
    assert fates() == {"kept": 225, "dropped": 57, "unknown": 12}


def test_questions_keep_the_schema() -> None:
    keys = {"id", "question", "answers", "gold", "hops", "type", "path", "split"}
    asked = questions()
    assert len({question["id"] for question in asked}) == len({q["question"] for q in asked}) == len(asked)
    assert all(keys <= set(question) for question in asked)
    assert Counter(q["type"] for q in asked) == {"single": 72, "multi": 62, "unanswerable": 25}
    assert Counter(q["hops"] for q in asked if q["type"] == "multi")[3] >= 12
    assert sum(q.get("form") == "comparison" for q in asked) == 8
    assert {q["split"] for q in asked} == {"train", "dev", "test"}


@pytest.mark.parametrize("question", [q for q in questions() if q["gold"]], ids=lambda q: str(q["id"]))
def test_gold_is_on_its_page_and_holds_the_answer(question: dict[str, Any]) -> None:
    for gold in question["gold"]:
        assert letters(gold["text"]) and letters(gold["text"]) in pages()[gold["title"]].text
    if question.get("form") != "comparison" and question["answers"][0] not in COMPARED:
        assert any(letters(answer) in letters(question["gold"][-1]["text"]) for answer in question["answers"])


@pytest.mark.parametrize("question", of_type("multi"), ids=lambda q: str(q["id"]))
def test_multi_questions_need_pages_that_they_do_not_name(question: dict[str, Any]) -> None:
    assert len({gold["title"] for gold in question["gold"]}) == question["hops"] >= 2
    if question.get("form") != "comparison":
        names = [re.sub(r" \(.*\)$", "", name) for name in question["path"][1:]]
        assert not any(letters(name) in letters(question["question"]) for name in names)


def test_single_questions_also_ask_tables_lists_and_boxes() -> None:
    golds = [question["gold"][0] for question in of_type("single")]
    beside = [gold for gold in golds if gold["text"] not in pages()[gold["title"]].blocks["p"]]
    assert len(beside) == 28


def test_unanswerable_questions_are_about_both_worlds() -> None:
    unanswerable = of_type("unanswerable")
    assert all(q["gold"] == [] and q["answers"] == [] for q in unanswerable)
    inside = [q for q in unanswerable if q["path"]]
    assert len(inside) >= 12 and all(q["path"][0] in pages() for q in inside)
    assert len(unanswerable) - len(inside) >= 8
