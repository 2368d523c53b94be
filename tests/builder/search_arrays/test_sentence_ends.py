"""Where the sentences of chunks end: what the builder finds, stores, finds anew and checks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from builder.check import problems
from builder.request import Summary
from builder.search_arrays.sentence_ends import sentence_ends, write_sentence_ends
from weft.arrays.sentence_table import BLOCK, load_sentence_table, write_block
from weft.schema import create
from weft.skb import Skb
from weft.sparse.sparse_rows import load_sparse
from weft.text.sentences import spans

Weave = Callable[..., Summary]

ENGLISH = [
    "It was built by Dr. Orrin Tasker. | He came from Ghasmont.",
    "John R. R. Quill of the U.S. Navy wrote it. | It sold.",
    "She left for the U.S. | In 1290 she came back.",
    "He chose plan B. | The others did not.",
    "See No. 5 and vol. 3 on p. 12. | Then read on.",
    "Mr. Will met Mrs. May and Prof. The.",
    "It fell, e.g. Mary's, i.e. Lady Thorn's.",
    "It cost 3.5 crowns. approx. half.",
    "The guild took a toll; | Old Marsh paid.",
    'He said: "Stop." | Then he left.',
    'She called ("Who?") and went. | (Nobody heard.) | “Late,” she said.',
    '"Duck, You Sucker!" (1971) is a film.',
    "What?! | Yes... | No matter…",
    "Tamsiderre is old. | 1290 was dry.",
    "First line | \nSecond line. | \n\nThird",
    "Dr. Fred Dale | \nActor: J. Reed; | Crew",
    "Ghasmont e. V. is one",
]
OTHER_LANGUAGES = [
    ("ru", "Мост старый. | Его построил А. С. Орлов. | Он жил в Туле."),
    ("hi", "पुल पुराना है। | इसे किसने बनाया?"),
    ("hy", "Կամուրջը հին է։ | Ով է կառուցել։"),
    ("ar", "الجسر قديم. | من بناه؟ | لا أحد"),
    ("zh", "桥很旧。| 谁建的？| 没有人"),
    ("ja", "これは橋。| 古い！| 石造り"),
    ("de", "Er wohnt z. B. in Köln. | Ärger gab es nie."),
    ("es", "Dijo que no. | María calló."),
    ("en-GB", "Dr. Hill came. | He left."),
    ("tlh", "Qapla is old. | Élan is new."),
    ("../en", "It is old. | Who built it?"),
]


def _split(text: str, language: str) -> str:
    (ends,) = sentence_ends([text], [language], [False], {})
    return "|".join(text[start:end] for start, end in zip([0, *ends], ends, strict=False))


@pytest.mark.parametrize("language", ["", "en"])
@pytest.mark.parametrize("marked", ENGLISH)
def test_english_sentences(marked: str, language: str) -> None:
    marked = marked.replace(" | ", "| ").replace("| \n", "|\n")
    assert _split(marked.replace("|", ""), language) == marked


@pytest.mark.parametrize(("language", "marked"), OTHER_LANGUAGES)
def test_sentences_of_other_languages(language: str, marked: str) -> None:
    marked = marked.replace(" | ", "| ").replace("。| ", "。|").replace("？| ", "？|").replace("！| ", "！|")
    assert _split(marked.replace("|", ""), language) == marked


def test_texts_have_the_ends_that_each_has_alone() -> None:
    texts = [text.replace(" |", "") for text in ENGLISH] + [text.replace(" |", "") for _, text in OTHER_LANGUAGES]
    languages = ["en"] * len(ENGLISH) + [language for language, _ in OTHER_LANGUAGES]
    by_line = [len(text) % 3 == 0 for text in texts]
    alone = [sentence_ends(*([each] for each in one), {})[0] for one in zip(texts, languages, by_line, strict=True)]
    known: dict[str, dict[str, bool]] = {}
    assert sentence_ends(texts, languages, by_line, known) == alone
    assert sentence_ends(texts, languages, by_line, known) == alone


def test_a_row_is_one_sentence(weave: Weave, tmp_path: Path) -> None:
    rows = ["Place | Open", "Library | Tue 10 am to 5 pm; Sat 10 am to 1 pm. Ring. | 550 118", "Baths | No. Never."]
    cells = ["".join(f"<td>{cell}</td>" for cell in row.split(" | ")) for row in rows]
    table = f"<table>{''.join(f'<tr>{each}</tr>' for each in cells)}</table>"
    source = tmp_path / "hours.html"
    source.write_text(f"<h1>Hours</h1><p>It is open. Ring twice.</p>{table}", encoding="utf-8")
    weave(source)
    with Skb(tmp_path / "kb.skb") as skb:
        chunks = skb.chunks(load_sparse(skb.connection, "chunk").ids.tolist())
        found = {each.kind: [each.text[slice(*span)] for span in spans(each.text, skb.sentence_table.of(each.id) or [])]
                 for each in chunks}  # fmt: skip
    assert found == {"paragraph": ["It is open.", "Ring twice."], "table": rows}


@pytest.mark.parametrize(
    ("unit", "times"),
    [("!", 300_000), (". ", 100_000), ("a.", 100_000), (" ", 300_000), ("\n", 300_000), (".) ", 100_000),
     ('."', 100_000), ("(", 200_000), ("A. ", 100_000), ("।", 100_000), ("w" * 50 + "1. X ", 5_000)],
)  # fmt: skip
def test_long_texts_end_at_their_length(unit: str, times: int) -> None:
    text = unit * times
    (ends,) = sentence_ends([text], [""], [False], {})
    assert ends[-1] == len(text) and ends == sorted(set(ends))


def test_no_chunk_is_missing_and_equal_files_have_equal_ends(weave: Weave, tmp_path: Path) -> None:
    source, path = tmp_path / "pages.jsonl", tmp_path / "kb.skb"
    records = [{"title": f"T{number}", "text": f"Dr. A is {number}. He left."} for number in range(BLOCK + 3)]
    source.write_text("\n".join(map(json.dumps, records[:9])))
    weave(source)
    source.write_text("\n".join(map(json.dumps, records)))
    assert "sentence ends" in weave(source).seconds
    assert not weave(source).changed
    with Skb(path) as skb:
        ids = load_sparse(skb.connection, "chunk").ids
        table = skb.sentence_table
        assert table.ids.tolist() == ids.tolist() and skb.count("sentence_end") == 2
        for chunk in (ids[0], ids[BLOCK - 1], ids[BLOCK], ids[-1]):
            (row,) = skb.chunks([int(chunk)])
            found = [row.text[start:end] for start, end in spans(row.text, table.of(int(chunk)) or [])]
            assert found == [row.text.removesuffix(" He left."), "He left."]
        assert table.of(int(ids[-1]) + 1) is None and list(problems(skb.connection, path)) == []


def test_a_file_without_chunks_has_no_ends(tmp_path: Path) -> None:
    with closing(create(tmp_path / "kb.skb")) as connection:
        write_sentence_ends(connection)
        table = load_sentence_table(connection)
        assert (len(table.ids), len(table.ends), table.of(1)) == (0, 0, None)


@pytest.mark.parametrize(
    ("ids", "ends", "told"),
    [
        ([1], [[8, 18]], "of 1 chunks, but there are 2"),
        ([2, 1], [[9], [8, 18]], "not in order"),
        ([1, 2], [[8, 17], [9]], "last is not its text's"),
        ([1, 2], [[8, 18], []], "has none"),
        ([1, 2], [[12, 8, 18], [9]], "not ascending"),
        ([1, 2], [[-1, 8, 18], [9]], "not ascending"),
        ([1, 2], [[8, 18], [9]], None),
    ],
)
def test_ends_of_other_texts_are_found(
    weave: Weave, tmp_path: Path, ids: list[int], ends: list[list[int]], told: str | None
) -> None:
    source = tmp_path / "pages.jsonl"
    source.write_text('{"title": "A", "text": "A is old. B is new"}\n{"title": "B", "text": "B is new."}\n')
    weave(source)
    with closing(sqlite3.connect(tmp_path / "kb.skb")) as connection:
        (first, second) = [id for (id,) in connection.execute("SELECT id FROM chunk ORDER BY id")]
        assert [load_sentence_table(connection).of(each) for each in (first, second)] == [[9, 18], [9]]
        connection.execute("DELETE FROM sentence_end")
        write_block(connection, [(first, second)[each - 1] for each in ids], ends)
        found = [line for line in problems(connection) if line.startswith("ends of sentences")]
        assert len(found) == (told is not None) and all(told in line for line in found if told)
