"""Natural Questions: its pages as documents, its annotations as gold, and grouped splits."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from builder.build import build
from builder.documents.records import Document, Reject
from builder.readers.natural_questions import items, parse
from builder.readers.nq_records import field, joined_words, page_of, span_kind, span_text, tokens_html
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Source, format_of
from builder.request import Request
from interfaces.cli import main
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import read_questions
from retriever.datasets.splits import parse_parts, split_of
from tests.conftest import FIXTURES
from tests.worlds import rows, write_records
from weft.errors import BadQuestionFile
from weft.skb import Skb

ENCYCLOPEDIA = FIXTURES / "encyclopedia"
UPPER = ("Cape_Thoon_Light", "Grey_ombrel", "Marguen_Sallow", "Salt_or_the_Tide_Ledger")
NULL = {"start_byte": -1, "end_byte": -1, "start_token": -1, "end_token": -1, "candidate_index": -1}
BLOCK = re.compile(rb"<(P|TABLE|TR|UL|OL|LI|DL)\b[^>]*>.*?</\1>", re.S)
TOKEN = re.compile(r"<[^>]*>|[\w-]+|[^\w\s]")


def answer(start: int, end: int, unit: str = "byte") -> dict[str, Any]:
    return {f"start_{unit}": start, f"end_{unit}": end, "candidate_index": 0}


def annotation(
    long: dict[str, Any], short: Sequence[dict[str, Any]] = (), verdict: str = "NONE"
) -> dict[str, Any]:
    return {"annotation_id": 1, "long_answer": long, "short_answers": list(short), "yes_no_answer": verdict}


def record(number: int, title: str, html: str, *annotations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "annotations": list(annotations),
        "document_html": html,
        "document_title": title,
        "document_tokens": [{"html_token": False, "token": "x", "start_byte": 0, "end_byte": 1}],
        "document_url": f"https://en.wikipedia.org/w/index.php?title={title.replace(' ', '_')}&amp;oldid=1",
        "example_id": number,
        "question_text": f"question {number}",
        **fields,
    }


def simplified(number: int, text: str, *annotations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "annotations": list(annotations),
        "document_text": text,
        "document_url": "https://en.wikipedia.org//w/index.php?title=Veldra_(river)&amp;oldid=1",
        "example_id": number,
        "question_text": f"question {number}",
        **fields,
    }


def spot(html: str, passage: str) -> dict[str, Any]:
    """Return the answer that `passage` is, its offsets in bytes, its end exclusive."""
    data, wanted = html.encode(), passage.encode()
    assert data.count(wanted) == 1
    return answer(data.index(wanted), data.index(wanted) + len(wanted))


def entries(path: Path) -> list[Item | Reject | Cut]:
    return list(items(Source("nq", "nq", path), ReadOptions()))


def documents(path: Path) -> list[Document | Reject]:
    return [parse(entry.place, entry.payload) for entry in entries(path) if isinstance(entry, Item)]


def weft(*arguments: Path | str) -> str:
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    return result.stdout


def questions_of(path: Path, *options: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in weft("questions", path, *options).splitlines()]


HTML = (
    "<!DOCTYPE html><HTML><HEAD><TITLE>Ondrel – Wiki</TITLE></HEAD><BODY><H1>Ondrel</H1>"
    "<P>Örrin’s port, with <A HREF='/wiki/Salt'>salt</A>.<SUP CLASS='reference'>[1]</SUP></P>"
    "<P>It has 3,000 people.</P>"
    "<TABLE CLASS='wikitable'><TR><TH>Year</TH><TH>Ships</TH></TR><TR><TD>1251</TD><TD>40</TD></TR></TABLE>"
    "<UL><LI>North <B>quay</B></LI><LI>South quay</LI></UL></BODY></HTML>"
)
FIRST = "<P>Örrin’s port, with <A HREF='/wiki/Salt'>salt</A>.<SUP CLASS='reference'>[1]</SUP></P>"
SECOND = "<P>It has 3,000 people.</P>"


def test_a_page_is_a_document_once_whatever_the_number_of_its_questions_and_revisions(tmp_path: Path) -> None:
    path = write_records(
        tmp_path / "nq.jsonl",
        [
            record(1, "Ondrel", HTML),
            record(2, "Ondrel", HTML.replace("3,000", "4,000")),
            record(3, "Other", HTML),
        ],
    )
    first, other = documents(path)
    assert isinstance(first, Document) and isinstance(other, Document)
    assert (first.title, other.title) == ("Ondrel", "Other")
    assert [chunk.text for chunk in first.chunks][:2] == ["Örrin’s port, with salt.", "It has 3,000 people."]
    assert first.marks_links and first.chunks[0].links[0].target == "Salt"
    assert first.url == "https://en.wikipedia.org/w/index.php?title=Ondrel&oldid=1"


def test_lines_that_are_broken_are_named(tmp_path: Path) -> None:
    path = tmp_path / "nq.jsonl.gz"
    whole = json.dumps(record(1, "Ondrel", HTML))
    no_page = json.dumps({"question_text": "q", "example_id": 5})
    no_title = json.dumps(simplified(6, "<P> text </P>", document_url=""))
    lines = (whole, whole[: len(whole) // 2], whole[:-5], no_page, no_title)
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert [
        (entry.place, entry.reason.partition(":")[0]) for entry in entries(path) if isinstance(entry, Reject)
    ] == [
        ("nq.jsonl.gz line 2", "not JSON"),
        ("nq.jsonl.gz line 3", "not JSON"),
        ("nq.jsonl.gz line 4", "neither document_html nor document_text is a string"),
        ("nq.jsonl.gz line 5", "no title"),
    ]


def test_the_formats_of_json_lines_are_told_apart(tmp_path: Path) -> None:
    for name, line in (("a.jsonl", record(1, "Ondrel", HTML)), ("b.jsonl", simplified(2, "<P> text </P>"))):
        assert format_of(write_records(tmp_path / name, [line])) == "nq"
    notes = write_records(tmp_path / "c.jsonl", [{"title": "A", "text": ' "document_html": "annotations": '}])
    assert format_of(notes) == "jsonl"


def test_gold_is_every_annotators_long_answer_as_the_page_shows_it(tmp_path: Path) -> None:
    first, second = spot(HTML, FIRST), spot(HTML, SECOND)
    number, port = spot(HTML, "3,000"), spot(HTML, "Örrin’s port")
    path = write_records(
        tmp_path / "nq.jsonl",
        [
            record(
                1,
                "Ondrel",
                HTML,
                annotation(second, [number]),
                annotation(NULL),
                annotation(second, [number, port]),
                annotation(first, verdict="YES"),
            ),
            record(2, "Ondrel", HTML, annotation(NULL), annotation(NULL)),
        ],
    )
    judged, unjudged = questions_of(path)
    assert (judged["id"], judged["question"], judged["type"]) == ("nq-1", "question 1", "paragraph")
    assert judged["answers"] == ["3,000", "Örrin’s port", "yes"]
    assert judged["gold"] == [
        {"title": "Ondrel", "text": "It has 3,000 people."},
        {"title": "Ondrel", "text": "Örrin’s port, with salt."},
    ]
    assert (unjudged["gold"], unjudged["answers"], unjudged.get("type")) == ([], [], None)


def test_the_official_rule_takes_two_of_five(tmp_path: Path) -> None:
    second = spot(HTML, SECOND)
    path = write_records(
        tmp_path / "nq.jsonl",
        [
            record(1, "Ondrel", HTML, annotation(second), *[annotation(NULL)] * 4),
            record(2, "Ondrel", HTML, annotation(second), annotation(second), *[annotation(NULL)] * 3),
        ],
    )
    assert [len(each["gold"]) for each in questions_of(path)] == [1, 1]
    assert [len(each["gold"]) for each in questions_of(path, "--min-annotators", "2")] == [0, 1]


@pytest.mark.parametrize(
    ("fragment", "kind", "text"),
    [
        ("<TR><TD>1251</TD><TD>40</TD></TR>", "row", "1251 | 40"),
        ("<Li>North <B>quay</B></Li>", "item", "North quay"),
        ("<UL><LI>a one</LI><LI>b two</LI></UL>", "list", "a one\nb two"),
        ("<TABLE><TR><TD><P>short</P><TABLE><TR><TD>1</TD><TD>long</TD></TR><TR><TD>2</TD><TD>long</TD></TR></TABLE>"
         "</TD></TR></TABLE>", "table", "1 | long\n2 | long"),
        ("<DL><DT>Pier</DT><DD>a wall</DD></DL>", "definitions", "Pier\n  a wall"),
        ("<Dd>a wall</Dd>", "definition", "a wall"),
        ("40 &amp; more", "paragraph", "40 & more"),
        ('<DIV CLASS="navbox"><P>hidden</P></DIV>', "paragraph", "hidden"),
    ],
)  # fmt: skip
def test_spans_of_any_kind_are_read_as_in_their_page(fragment: str, kind: str, text: str) -> None:
    assert (span_kind(fragment), span_text(fragment)) == (kind, text)


@pytest.mark.parametrize("name", UPPER)
def test_gold_of_every_block_resolves_in_the_knowledge_base_of_the_same_file(
    tmp_path: Path, name: str
) -> None:
    html = (ENCYCLOPEDIA / f"{name}.html").read_text("utf-8")
    data = html.encode()
    body = data[data.index(b'id="mw-content-text"') : data.index(b'class="printfooter"')]
    offset = data.index(b'id="mw-content-text"')
    blocks = [
        block
        for block in BLOCK.finditer(body)
        if not re.search(rb"navbox|toc|cite_|reference|hatnote|display: ?none|ambox", block[0], re.I)
    ]
    title = name.replace("_", " ")
    records = [
        record(number, title, html, annotation(answer(offset + block.start(), offset + block.end())))
        for number, block in enumerate(blocks)
    ]
    path = write_records(tmp_path / "nq.jsonl", records)
    weft("questions", path, "-o", tmp_path / "questions.jsonl")
    build(Request((f"nq:{path}",), tmp_path / "kb.skb", workers=1))
    questions = read_questions(tmp_path / "questions.jsonl")
    assert len(questions) == len(blocks) > 4
    with Skb(tmp_path / "kb.skb") as skb:
        resolver = GoldResolver(skb, "chunk")
        missed = [question.gold for question in questions if resolver.gold_set(question).unresolved]
    assert missed == []


def test_simplified_tokens_become_html_and_readable_text() -> None:
    tokens = "<Table> <Tr> <Th_colspan=\"2\"> A & B </Th> </Tr> </Table> <P> 3 < 4 ( or `` so '' ) . </P>"
    assert tokens_html(tokens.split(" ")) == (
        '<Table> <Tr> <Th colspan="2"> A &amp; B </Th> </Tr> </Table> <P> 3 &lt; 4 (or “so”). </P>'
    )
    assert joined_words("the river 's bend , 40 % of it -- we ca n't say".split()) == (
        "the river's bend, 40% of it – we can't say"
    )


def test_a_simplified_page_has_its_title_from_its_address_and_no_marked_links(tmp_path: Path) -> None:
    text = (
        "Veldra ( river ) - Wikipedia <H1> Veldra ( river ) </H1> <P> The Veldra crosses Lake Obrath . </P> "
        "<H2> Name </H2> <P> It was `` Beldarra '' . </P> <Ul> <Li> one </Li> <Li> two </Li> </Ul>"
    )
    tokens = text.split(" ")
    start = tokens.index("<H2>") + 3
    long = answer(start, start + 8, "token")
    short = answer(start + 4, start + 5, "token")
    path = write_records(
        tmp_path / "nq.jsonl",
        [simplified(1, text, annotation(long, [short])), simplified(2, text, annotation(NULL))],
    )
    (page,) = documents(path)
    assert isinstance(page, Document)
    assert (page.title, page.marks_links) == ("Veldra (river)", False)
    assert [(chunk.kind, chunk.text) for chunk in page.chunks][-3:] == [
        ("paragraph", "The Veldra crosses Lake Obrath."),
        ("paragraph", "It was “Beldarra”."),
        ("list", "one\ntwo"),
    ]
    (question, _) = questions_of(path)
    assert question["gold"] == [{"title": "Veldra (river)", "text": "It was “Beldarra”."}]
    assert question["answers"] == ["Beldarra"]
    weft("questions", path, "-o", tmp_path / "questions.jsonl")
    build(Request((str(path),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb:
        resolver = GoldResolver(skb, "chunk")
        resolved = [
            [skb.chunks(sorted(ids))[0].uri for ids in resolver.gold_set(each).items]
            for each in read_questions(tmp_path / "questions.jsonl")
        ]
    assert resolved == [["Veldra (river)#Name##1"], []]


def test_names_in_simplified_pages_are_found_as_mentions(tmp_path: Path) -> None:
    river = "<H1> Veldra </H1> <P> The stream crosses Lake Obrath . </P>"
    lake = "<H1> Lake Obrath </H1> <P> A lake . </P>"
    path = write_records(
        tmp_path / "nq.jsonl", [simplified(1, river, document_url=""), simplified(2, lake, document_url="")]
    )
    build(Request((str(path),), tmp_path / "kb.skb", workers=1))
    assert rows(tmp_path / "kb.skb", "SELECT name FROM cites JOIN entity ON entity.id = entity_id") == [
        ("Lake Obrath",)
    ]


@pytest.mark.parametrize("name", UPPER)
def test_the_simplified_form_of_a_page_says_what_its_html_says(tmp_path: Path, name: str) -> None:
    html = (ENCYCLOPEDIA / f"{name}.html").read_text("utf-8")
    body = re.sub(r"<(A|/A|B|/B|I|/I|SUP|/SUP|SPAN|/SPAN)\b[^>]*>", "", html[html.index("<H1") :], flags=re.I)
    paragraphs = re.findall(r"<P>.*?</P>", body, flags=re.S)
    text = " ".join(
        re.sub(r"<(/?\w+)[^>]*>", r"<\1>", token) for token in TOKEN.findall(" ".join(paragraphs))
    )
    page = page_of(json.dumps(simplified(1, text)))
    assert page is not None
    found = parse("x", (page.html.encode(), None, False))
    whole = parse("x", (("<div>" + "".join(paragraphs) + "</div>").encode(), None, True))
    assert isinstance(found, Document) and isinstance(whole, Document)
    assert [re.sub(r"\W", "", chunk.text) for chunk in found.chunks] == [
        re.sub(r"\W", "", chunk.text) for chunk in whole.chunks
    ]


def test_a_field_is_found_behind_strings_that_look_like_it() -> None:
    line = json.dumps({"a": 'x, "title": "no"', "b": {"c": ["title"]}, "title": "yes", "n": 3})
    assert (field(line, "title"), field(line, "n"), field(line, "none")) == ("yes", 3, None)


def questions(n: int, titles: int) -> list[dict[str, Any]]:
    return [{"id": f"q{i}", "question": "x", "gold": [{"title": f"Page {i % titles}"}]} for i in range(n)]


def test_questions_that_share_a_gold_title_stay_together() -> None:
    records = [
        {"id": "1", "gold": [{"title": "Moon"}, {"title": "Earth"}]},
        {"id": "2", "gold": [{"title": "earth!"}, {"uri": "Sun#Core"}]},
        {"id": "3", "gold": [{"title": "Sun"}]},
        {"id": "4", "gold": [{"title": "Mars"}]},
        {"id": "5", "gold": []},
    ]
    parts = split_of(records, parse_parts("train=0.6,test=0.4"))
    assert parts == ["train", "train", "train", "test", "test"]


def test_shares_hold_and_no_title_stands_in_two_parts_whatever_the_order() -> None:
    records = questions(1000, 170)
    parts = parse_parts("train=0.7,dev=0.15,test=0.15")
    split = dict(zip([each["id"] for each in records], split_of(records, parts), strict=True))
    sizes = [list(split.values()).count(name) for name in ("train", "dev", "test")]
    assert [abs(size - share) <= 6 for size, share in zip(sizes, (700, 150, 150), strict=True)] == [True] * 3
    by_title: dict[str, set[str]] = {}
    for each in records:
        by_title.setdefault(each["gold"][0]["title"], set()).add(split[each["id"]])
    assert {len(names) for names in by_title.values()} == {1}
    backwards = records[::-1]
    assert split == dict(zip([each["id"] for each in backwards], split_of(backwards, parts), strict=True))


def test_grouping_by_path_ties_questions_with_a_common_step() -> None:
    records = [
        {"id": "1", "gold": [{"title": "A"}], "path": ["A", "B"]},
        {"id": "2", "gold": [{"title": "C"}], "path": ["B", "C"]},
        {"id": "3", "gold": [{"title": "D"}], "path": ["D"]},
    ]
    assert split_of(records, parse_parts("train=0.6,test=0.4"), "path") == ["train", "train", "test"]


@pytest.mark.parametrize("wrong", ["train", "train=a", "train=0.5,test=0.6", "=1", "train=1.5,test=-0.5",
                                   "train=nan,test=0.5", "test=0.5,train=nan"])  # fmt: skip
def test_shares_that_do_not_add_up_are_refused(wrong: str) -> None:
    with pytest.raises(BadQuestionFile):
        parse_parts(wrong)


def test_splitting_a_question_file_keeps_its_other_keys_and_prints_counts(tmp_path: Path) -> None:
    path = write_records(tmp_path / "q.jsonl", [{**each, "own": 1} for each in questions(10, 10)])
    printed = weft(
        "questions", path, "--split", "train=0.5,test=0.5", "-o", tmp_path / "split.jsonl", "--json"
    )
    counts = json.loads(printed)
    assert (counts["questions"], counts["unjudged"], counts["splits"]) == (10, 0, {"test": 5, "train": 5})
    lines = [json.loads(line) for line in (tmp_path / "split.jsonl").read_text("utf-8").splitlines()]
    assert {(each["own"], each["split"] in ("train", "test")) for each in lines} == {(1, True)}
    assert [question.split for question in read_questions(tmp_path / "split.jsonl")] == [
        each["split"] for each in lines
    ]
