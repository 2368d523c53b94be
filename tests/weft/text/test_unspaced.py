"""Chinese, Japanese, Thai and the other scripts without blanks: what is cut how, and what is found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.build import build
from builder.request import Request
from interfaces.cli import main
from retriever.context import Context
from retriever.features.lexical import LexicalFeatures
from retriever.question.reader import asked_stems, question_of
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.signals.bm25 import best
from retriever.types import Unit
from tests.asking import CHUNK_RANKERS
from tests.worlds import write_records
from weft.arrays.full_text import match_expression, search_full_text, searched_words, write_full_text
from weft.arrays.postings import Postings
from weft.skb import Skb
from weft.text.normalise import words_of, written_words
from weft.text.pairs import indexed, paired, rejoined
from weft.text.stems import stems_of

RECORDS = [
    ("霧ヶ峰灯台", "霧ヶ峰灯台は北の岬に立つ石造りの灯台である。一八九三年に大工の森川清が建てた。"),
    ("森川清", "森川清は港町の大工で、木橋と灯台で知られる。妻は歌手の千代であった。"),
    ("ソラリア号", "ソラリア号は三本の帆柱をもつ商船で、茶と絹を運んだ。"),
    ("ABC研究所", "ABC研究所は潮の満ち引きを測る施設で、観測船を二隻もつ。"),
    ("青石城", "青石城位于银河北岸，城墙由蓝色石头砌成。每年春天举行风筝节。"),
    ("银河", "银河发源于雪山，流经青石城，最后注入东海。"),
    ("陆文清", "陆文清是青石城的钟表匠，他修好了钟楼的大钟。"),
    ("น้ำตกแสงดาว", "น้ำตกแสงดาวอยู่บนภูเขาทางเหนือ มีสะพานไม้ข้ามลำธาร"),
    ("ប្រាសាទទឹក", "ប្រាសាទទឹកស្ថិតនៅលើកោះតូចមួយ"),
    ("ຫໍຄອຍລົມ", "ຫໍຄອຍລົມຕັ້ງຢູ່ເທິງພູ"),
    ("လေမျှော်စင်", "လေမျှော်စင်သည်တောင်ပေါ်တွင်ရှိသည်"),
    ("Harbour of Ostwick", "The harbour of Ostwick is called 東港 by sailors of the Ｓｔａｒ line."),
    ("Bell tower", "The bell tower was mended by a clockmaker."),
]
"""Titles and texts of an invented world."""

CUT = [
    ("", []),
    ("Veldra's harbour", ["Veldra", "s", "harbour"]),
    ("한국어 검색", ["한국어", "검색"]),
    ("江", ["江"]),
    ("東京", ["東京"]),
    ("東京都", ["東京", "京都"]),
    ("東京・大阪", ["東京", "大阪"]),
    ("東京、大阪。", ["東京", "大阪"]),
    ("NHK交響楽団2024年", ["NHK", "交響", "響楽", "楽団", "2024", "年"]),
    ("ＮＨＫと２０２４", ["NHK", "と", "2024"]),
    ("ｶﾞﾗｽ", ["ガラ", "ラス"]),
    ("ガラス", ["ガラ", "ラス"]),
    ("カ\u3099ラス", ["ガラ", "ラス"]),
    ("タワー", ["タワ", "ワー"]),
    ("人々", ["人々"]),
    ("𠮷野家", ["𠮷野", "野家"]),
    ("豈更", ["豈更"]),
    ("Kyō東京é", ["Kyō", "東京", "é"]),
    ("น้ำตก", ["นา", "าต", "ตก"]),
    ("ភាសា", ["ភស"]),
    ("ພາສາລາວ", ["ພາ", "າສ", "ສາ", "າລ", "ລາ", "າວ"]),
    ("မြန်မာ", ["မန", "နမ"]),
]


@pytest.mark.parametrize(("text", "words"), CUT)
def test_runs_without_blanks_are_cut_into_pairs(text: str, words: list[str]) -> None:
    assert written_words(text) == words
    assert written_words(paired(text)) == words, "what is cut is not cut again"


@pytest.mark.parametrize("text", [text for text, _ in CUT] + [" ".join(record) for record in RECORDS])
def test_every_reader_of_words_cuts_alike(text: str) -> None:
    own = [word for each in written_words(text) for word in words_of(each)]
    assert words_of(text) == own
    assert [word for word in stems_of(text) if not word.isascii()] == [word for word in own if not word.isascii()]


def test_full_text_holds_the_same_words() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (text, tokenize='unicode61 remove_diacritics 2')")
    connection.execute("CREATE VIRTUAL TABLE w USING fts5vocab(t, instance)")
    cut = [text for text, _ in CUT if "한" not in text]  # Hangul is decomposed by words_of alone
    for text in cut + [" ".join(record) for record in RECORDS]:
        connection.execute("DELETE FROM t")
        connection.execute("INSERT INTO t VALUES (?)", (indexed(text),))
        held = {word for (word,) in connection.execute("SELECT term FROM w")}
        assert set(words_of(text)) <= held and all(any(own.endswith(each) for own in words_of(text)) for each in held)


@pytest.mark.parametrize("marks", ["\u0e48\u0e38", "\u3099\u309a", "\uff9e\uff9f", "\u17d2\u17dd", "\u1037\u1039"])
def test_long_runs_of_marks_are_read_in_linear_time(marks: str) -> None:
    assert paired("東" + marks * 200_000 + "京") == " 東京 "


def test_pairs_are_shown_joined() -> None:
    assert rejoined(written_words("東京都のNHK塔")) == ["東京都の", "NHK", "塔"]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unspaced")
    records = ({"title": title, "text": text} for title, text in RECORDS)
    source = write_records(folder / "world.jsonl", records)
    build(Request((str(source),), folder / "kb.skb", workers=1))
    return folder / "kb.skb"


@pytest.fixture
def session(path: Path) -> Iterator[Session]:
    with Skb(path) as opened:
        yield Session(Context(opened))


FOUND = [
    ("灯台", {"霧ヶ峰灯台", "森川清"}),
    ("茶と絹", {"ソラリア号"}),
    ("商船は何を運んだか", {"ソラリア号"}),
    ("ﾎﾟ帆柱", {"ソラリア号"}),
    ("ｿﾗﾘｱ", {"ソラリア号"}),
    ("ソラリア", {"ソラリア号"}),
    ("風筝节", {"青石城"}),
    ("风筝", {"青石城"}),
    ("钟楼", {"陆文清"}),
    ("雪山", {"银河"}),
    ("东海", {"银河"}),
    ("ABC研究所の観測船", {"ABC研究所"}),
    ("ＡＢＣ", {"ABC研究所"}),
    ("star 東港", {"Harbour of Ostwick"}),
    ("สะพานไม้", {"น้ำตกแสงดาว"}),
    ("កោះតូច", {"ប្រាសាទទឹក"}),
    ("ຢູ່ເທິງພູ", {"ຫໍຄອຍລົມ"}),
    ("တောင်ပေါ်", {"လေမျှော်စင်"}),
    ("茶", {"ソラリア号"}),
    ("岬", {"霧ヶ峰灯台"}),
    ("城", {"青石城", "银河", "陆文清"}),
]
"""What is asked, and the only pages that may come first."""


def _titles(searcher: Searcher, question: str, k: int) -> list[str]:
    found = searcher.rank(question, k)
    skb = searcher.session.skb
    if found.unit == "entity":
        return [entity.name for entity in skb.entities(found.ids.tolist())]
    return [page.title for page in skb.pages([chunk.page_id for chunk in skb.chunks(found.ids.tolist())])]


@pytest.mark.parametrize(("method", "unit"), [("bm25", "chunk"), ("bm25", "entity"), ("hybrid", "chunk")])
@pytest.mark.parametrize(("question", "titles"), FOUND)
def test_words_without_blanks_are_found(
    session: Session, question: str, titles: set[str], method: str, unit: Unit
) -> None:
    assert _titles(Searcher(session, method, unit), question, 1)[0] in titles


NAMING = {
    "霧ヶ峰灯台は誰が建てたか": "霧ヶ峰灯台",
    "青石城的城墙是什么颜色": "青石城",
    "What is measured at ABC研究所?": "ABC研究所",
    "น้ำตกแสงดาวอยู่ที่ไหน": "น้ำตกแสงดาว",
}
MENTIONED = [question for question, name in NAMING.items() if name == "青石城"]
"""Questions about what other pages mention: `entity` ranks nothing else."""


@pytest.mark.parametrize(
    ("method", "question"),
    [(method, question) for method in CHUNK_RANKERS for question in (MENTIONED if method == "entity" else NAMING)],
)
def test_every_ranker_finds_pages_without_blanks(session: Session, method: str, question: str) -> None:
    found = Searcher(session, method).rank(question, 1)
    (chunk,) = session.skb.chunks(found.ids.tolist())
    assert NAMING[question] in chunk.text


@pytest.mark.parametrize("table", ["chunk_fts", "entity_fts"])
@pytest.mark.parametrize("question", [question for question, _ in FOUND])
def test_scores_are_those_of_the_index(path: Path, table: str, question: str) -> None:
    with Skb(path) as skb:
        ids, scores = search_full_text(skb.connection, table, question, 1000)
        own, own_scores = best(Postings(skb.connection, table).scores(skb.connection, question), 1000)
        assert len(ids) and ids.tolist() == own.tolist() and scores.tolist() == own_scores.tolist()


@pytest.mark.parametrize("letter", ["岬", "絹", "城", "あ"])
def test_features_know_a_single_letter_wherever_it_stands(session: Session, letter: str) -> None:
    texts = [chunk.text for chunk in session.skb.chunks(session.chunk_table.chunk_ids.tolist())]
    features = LexicalFeatures(session, question_of(session, letter), session.chunk_table.chunk_ids)
    assert features.stems == (letter,)
    assert features.said[:, 0].tolist() == [float(letter in text) for text in texts]


@pytest.mark.parametrize(
    ("question", "named", "asked"),
    [
        ("霧ヶ峰灯台は誰が建てたか", ["霧ヶ峰灯台"], ["は誰", "誰が", "が建", "建て", "てた", "たか"]),
        ("青石城在银河的哪边", ["青石城", "银河"], ["在", "的哪", "哪边"]),
        ("Who works at ABC研究所?", ["ABC研究所"], ["work"]),
        ("Ｗｈｏ works at ＡＢＣ研究所?", ["ＡＢＣ研究所"], ["work"]),
        ("ｿﾗﾘｱ号の色", ["ｿﾗﾘｱ号"], ["の色"]),
        ("น้ำตกแสงดาวสวยไหม", ["น้ำตกแสงดาว"], ["สว", "วย", "ยไ", "ไห", "หม"]),
        ("ソラリア", [], ["ソラ", "ラリ", "リア"]),
    ],
)
def test_names_without_blanks_are_linked(session: Session, question: str, named: list[str], asked: list[str]) -> None:
    read = question_of(session, question)
    assert [mention.name for mention in read.mentions] == named
    assert list(read.asked) == asked == list(asked_stems(question, read.mentions))


def test_titles_without_blanks_are_mentions(tmp_path: Path) -> None:
    records = [
        {"title": "青石城", "text": "青石城位于银河北岸。"},
        {"title": "银河", "text": "流经青石城的河。"},
        {"title": "城", "text": "有墙的地方。"},
        {"title": "ロマン", "text": "ロマンスとロマンは違う。"},
        {"title": "夢", "text": "夢とロマンの話。"},
    ]
    build(Request((str(write_records(tmp_path / "r.jsonl", records)),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb:
        found = skb.connection.execute(
            "SELECT chunk.uri, anchor, target FROM mention JOIN chunk ON chunk.id = chunk_id ORDER BY 1, start"
        ).fetchall()
    assert found == [("夢##1", "ロマン", "ロマン"), ("银河##1", "青石城", "青石城"), ("青石城##1", "银河", "银河")]


def test_a_single_letter_is_no_name_within_a_word(tmp_path: Path) -> None:
    records = [{"title": "川", "text": "川は流れる水である。"}, {"title": "ロマン", "text": "ロマンは夢である。"}]
    build(Request((str(write_records(tmp_path / "r.jsonl", records)),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb:
        session = Session(Context(skb))
        for question, names in (("森川清とは", []), ("「川」とは", ["川"]), ("川", ["川"]), ("ロマンス", []),
                                ("ロマンとは", ["ロマン"])):  # fmt: skip
            assert [each.name for each in question_of(session, question).mentions] == names, question


def test_a_plain_query_of_the_index_needs_pairs(path: Path) -> None:
    connection = sqlite3.connect(path)
    query = "SELECT title, text FROM chunk_fts WHERE chunk_fts MATCH ? ORDER BY rank"
    found = connection.execute(query, ('"石造 造り"',)).fetchall()
    assert found == [(RECORDS[0][0], RECORDS[0][1])], "the columns are the text as it was written"
    assert connection.execute(query, ("石造り",)).fetchall() == []
    assert match_expression("石造り") == '"石造" OR "造り"' and searched_words("茶") == ["茶"]
    assert match_expression("茶") == '"茶"*'


def test_an_skb_built_before_is_brought_up_to_date(path: Path, tmp_path: Path) -> None:
    source = write_records(tmp_path / "world.jsonl", ({"title": title, "text": text} for title, text in RECORDS))
    build(Request((str(source),), tmp_path / "kb.skb", workers=1))
    connection = sqlite3.connect(tmp_path / "kb.skb")
    with connection:
        for table in ("chunk_fts", "entity_fts"):
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")
        connection.execute("UPDATE meta SET value = '\"before\"' WHERE key IN ('stage full text', 'stage vectors')")
    connection.close()
    assert _bm25(tmp_path / "kb.skb", "钟楼") == []
    build(Request((str(source),), tmp_path / "kb.skb", workers=1))
    assert _bm25(tmp_path / "kb.skb", "钟楼") == ["陆文清##1"] == _bm25(path, "钟楼")


def test_the_index_can_be_written_again_within_a_transaction(path: Path, tmp_path: Path) -> None:
    (tmp_path / "kb.skb").write_bytes(path.read_bytes())
    connection = sqlite3.connect(tmp_path / "kb.skb")
    before = connection.execute("SELECT id, sz FROM chunk_fts_docsize").fetchall()
    for _ in range(2):
        write_full_text(connection)
    assert connection.execute("SELECT id, sz FROM chunk_fts_docsize").fetchall() == before
    connection.execute("INSERT INTO chunk_fts (chunk_fts) VALUES ('integrity-check')")


def _bm25(path: Path, question: str) -> list[str]:
    done = CliRunner().invoke(main, ["search", str(path), question, "-m", "bm25", "--json"])
    return [hit["uri"] for hit in json.loads(done.stdout)["hits"]]


def test_an_explanation_shows_words_and_not_pairs(path: Path) -> None:
    done = CliRunner().invoke(main, ["search", str(path), "石造りの灯台", "-m", "bm25", "-k", "1", "--explain"])
    assert "contains the word “石造りの灯台”" in done.stdout
    done = CliRunner().invoke(main, ["search", str(path), "茶", "-m", "bm25", "-k", "1", "--explain"])
    assert "“茶”" in done.stdout
