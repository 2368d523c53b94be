"""Question files: JSON Lines with one schema for imported, generated, training and evaluation sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from weft.errors import BadQuestionFile
from weft.overwriting import json_lines
from weft.text.json_text import parsed_json
from weft.text.normalise import encodable

STRINGS = ("id", "question")
LISTS = ("answers", "path")
KIND = json_lines("question file", "id", "question", "gold")


class GoldItem(NamedTuple):
    """What must be found: a `uri`, or a `title`, or a `title` and a `text` on its page."""

    uri: str | None = None
    title: str | None = None
    text: str | None = None


class Question(NamedTuple):
    """One line of a question file; `gold` is empty where nothing was judged, `id` the line's number where none is."""

    id: str
    question: str
    gold: tuple[GoldItem, ...]
    answers: tuple[str, ...] = ()
    hops: int | None = None
    type: str | None = None
    path: tuple[str, ...] = ()
    split: str | None = None


def read_questions(path: Path) -> list[Question]:
    """Read a question file; raise BadQuestionFile naming the first wrong line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise BadQuestionFile(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadQuestionFile(f"{path}: cannot be read ({error})") from error
    questions = _distinct(
        (number, f"{path} line {number}", _record(line, f"{path} line {number}"))
        for number, line in enumerate(lines, 1)
        if line.strip()
    )
    if not questions:
        raise BadQuestionFile(f"{path}: holds no questions")
    return questions


def questions_of(records: Iterable[Any]) -> list[Question]:
    """Return questions of mappings like the lines of a question file; raise BadQuestionFile naming the first wrong."""
    return _distinct((number, f"question {number}", record) for number, record in enumerate(records, 1))


def completed(record: Mapping[str, Any], question: Question) -> dict[str, Any]:
    """Return a line's record with the keys that may be left out, as its question has them.

    >>> completed({"question": "?", "answers": ["A"]}, Question("7", "?", ()))
    {'question': '?', 'answers': ['A'], 'id': '7', 'gold': []}
    """
    return {**record, "id": record.get("id", question.id), "gold": record.get("gold", [])}


def _distinct(records: Iterable[tuple[int, str, Any]]) -> list[Question]:
    """Return the questions of records, each with its number and where it stands; the number names one without an id."""
    given: set[str] = set()
    questions: list[tuple[int, Question]] = []
    for number, where, record in records:
        question = _question(record, where)
        if question.id in given:
            raise BadQuestionFile(f"{where}: id {question.id} was used before")
        given.update([question.id] if question.id else [])
        questions.append((number, question))
    return [each if each.id else each._replace(id=_name(number, given)) for number, each in questions]


def _name(number: int, given: set[str]) -> str:
    name = str(number)
    while name in given:
        name = f"line {name}"
    return name


def _record(line: str, where: str) -> Any:
    try:
        return parsed_json(line)
    except (ValueError, RecursionError) as error:
        raise BadQuestionFile(f"{where}: not JSON ({error})") from error


def _question(record: Any, where: str) -> Question:
    """Return a record's question, its id empty where it has none; raise BadQuestionFile saying what is wrong."""
    if not isinstance(record, Mapping):
        raise BadQuestionFile(f"{where}: not an object")
    if "question" not in record:
        raise BadQuestionFile(f"{where}: question is missing")
    if "gold" not in record and "answers" not in record:
        raise BadQuestionFile(f"{where}: gold is missing, and so are answers; give either")
    record = {"gold": [], **record}
    for key in STRINGS:
        if key in record and not (isinstance(record[key], str) and record[key].strip()):
            raise BadQuestionFile(f"{where}: {key} must be a string that is not empty")
    for key in LISTS:
        if not _is_strings(record.get(key, [])):
            raise BadQuestionFile(f"{where}: {key} must be a list of strings")
    if not isinstance(record["gold"], list):
        raise BadQuestionFile(f"{where}: gold must be a list")
    return Question(
        encodable(record.get("id", "")), encodable(record["question"]),
        tuple(_gold(item, where) for item in record["gold"]),
        _texts(record, "answers"), _optional(record, "hops", int, where), _text(record, "type", where),
        _texts(record, "path"), _text(record, "split", where),
    )  # fmt: skip


def _gold(item: Any, where: str) -> GoldItem:
    if isinstance(item, Mapping) and isinstance(item.get("uri"), str):
        return GoldItem(uri=encodable(item["uri"]))
    if isinstance(item, Mapping) and isinstance(item.get("title"), str):
        text = item.get("text")
        if text is None or isinstance(text, str):
            return GoldItem(title=encodable(item["title"]), text=text if text is None else encodable(text))
    raise BadQuestionFile(f"{where}: a gold item must have a uri, a title, or a title and a text")


def _is_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _texts(record: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(map(encodable, record.get(key, [])))


def _text(record: Mapping[str, Any], key: str, where: str) -> str | None:
    text = _optional(record, key, str, where)
    return text if text is None else encodable(text)


def _optional(record: Mapping[str, Any], key: str, kind: type, where: str) -> Any:
    value = record.get(key)
    if value is not None and not isinstance(value, kind):
        raise BadQuestionFile(f"{where}: {key} must be of type {kind.__name__}")
    return value
