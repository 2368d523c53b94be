"""BEIR's folder layout: a corpus, queries and judgements of documents, written and read.

A judgement says that a chunk (or an entity) finds one of a question's gold
items; figures made of it count chunks, where Weft's own count items.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from retriever.datasets.question_files import GoldItem, Question
from retriever.evaluation.outcomes import Case
from retriever.types import Unit
from weft.beir import CORPUS, HEADER, QRELS, QUERIES, Judgements, document_line, query_line
from weft.errors import BadQuestionFile
from weft.skb import Skb
from weft.text.json_text import parsed_json
from weft.text.normalise import encodable

SCORE = re.compile("-?[0-9]{1,18}")
DOCUMENTS: dict[Unit, str] = {
    "chunk": "SELECT chunk.uri, page.title, chunk.text FROM chunk JOIN page ON page.id = page_id ORDER BY chunk.uri",
    "entity": "SELECT uri, name, label FROM entity ORDER BY uri",
}
"""What is ranked: uri, title and text."""
WITHIN = "beir"


def write_beir(skb: Skb, folder: Path, cases: Sequence[Case], unit: Unit) -> None:
    """Write everything that can be ranked, the judged questions, and what finds their gold."""
    (folder / "qrels").mkdir(parents=True)
    with (folder / CORPUS).open("w", encoding="utf-8", newline="") as corpus:
        for uri, title, text in skb.connection.execute(DOCUMENTS[unit]):
            corpus.write(document_line(uri, title, text, {}))
    with (folder / QUERIES).open("w", encoding="utf-8", newline="") as queries:
        queries.writelines(query_line(each.question.id, each.question.question) for each in cases)
    with (folder / QRELS).open("w", encoding="utf-8", newline="") as qrels:
        judgements = Judgements(qrels)
        for question, gold in cases:
            ids = sorted(frozenset[int]().union(*gold.items))
            judgements.write(question.id, sorted(skb.uris(unit, ids)))


def read_beir(folder: Path, skb: Skb) -> list[Question]:
    """Read the questions of a BEIR folder, with the documents judged above 0 as gold.

    A document is the uri of something in the SKB, else the title and text that
    the folder's corpus gives it. Of a folder that holds one called `beir`, as
    those of reports and test sets do, that one is read. Raises BadQuestionFile
    naming the wrong line.
    """
    if (folder / WITHIN).is_dir() and not (folder / QUERIES).exists():
        folder = folder / WITHIN
    judged: dict[str, list[str]] = defaultdict(list)
    for query, document in _judgements(folder / QRELS):
        judged[query].append(document)
    queries = list(_records(folder / QUERIES, ("_id", "text")))
    if not queries:
        raise BadQuestionFile(f"{folder / QUERIES}: holds no questions")
    wanted = {document for documents in judged.values() for document in documents if not _is_known(skb, document)}
    foreign = _foreign(folder / CORPUS, wanted)
    questions = []
    for each in queries:
        gold = tuple(foreign.get(name, GoldItem(uri=name)) for name in judged[each["_id"]])
        questions.append(Question(each["_id"], each["text"], gold))
    return questions


def _is_known(skb: Skb, uri: str) -> bool:
    return any(find(uri) is not None for find in (skb.chunk, skb.entity, skb.section))


def _foreign(corpus: Path, wanted: set[str]) -> dict[str, GoldItem]:
    if not wanted or not corpus.is_file():
        return {}
    records = _records(corpus, ("_id", "title", "text"))
    return {each["_id"]: GoldItem(title=each["title"], text=each["text"]) for each in records if each["_id"] in wanted}


def _judgements(path: Path) -> Iterator[tuple[str, str]]:
    """Yield question and document of each judgement above 0."""
    for number, line in enumerate(_lines(path), 1):
        # BEIR's loader reads csv's quoting: a uri that begins with a quotation mark needs it.
        row = _row(line, f"{path} line {number}")
        if row in ([], [*HEADER]):
            continue
        if len(row) != 3 or not SCORE.fullmatch(row[2].strip()):
            raise BadQuestionFile(f"{path} line {number}: must be query-id, corpus-id and a whole score, tab separated")
        if int(row[2]) > 0:
            yield row[0], row[1]


def _row(line: str, where: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter="\t"), [])
    except csv.Error as error:
        raise BadQuestionFile(f"{where}: is no row of a table ({error})") from error


def _records(path: Path, keys: Sequence[str]) -> Iterator[dict[str, str]]:
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            record = parsed_json(line)
        except (ValueError, RecursionError) as error:
            raise BadQuestionFile(f"{path} line {number}: not JSON ({error})") from error
        if not isinstance(record, dict) or not all(isinstance(record.get(key), str) for key in keys):
            raise BadQuestionFile(f"{path} line {number}: must be an object with the strings {', '.join(keys)}")
        yield {key: encodable(record[key]) for key in keys}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadQuestionFile(f"{path}: cannot be read ({error}); a folder of questions is BEIR's") from error
