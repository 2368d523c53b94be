"""Questions of Natural Questions: records to question-file lines with gold passages.

Gold is every annotator's long answer that is not null, as text on its page;
answers are the short answers and yes or no. How a span of a page becomes text
is the page's extraction's business, so the caller brings it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

NO_ANSWER = ("", "NONE")


class Span(NamedTuple):
    """A long or short answer: bytes of the page's HTML, or tokens of a simplified page."""

    start: int
    end: int


class Rendering(NamedTuple):
    """How spans of one page are read: their text, and what they are (paragraph, table, ...)."""

    text: Callable[[Span], str]
    kind: Callable[[Span], str]
    unit: str
    """`byte` or `token`: which offsets of an annotation count."""


def question_of(
    record: dict[str, Any], title: str, rendering: Rendering, min_annotators: int = 1
) -> dict[str, Any] | None:
    """Return a record's line of a question file, or None when it asks nothing.

    Gold is empty, so that the question counts as unjudged, when fewer than
    `min_annotators` annotators have given a long answer.
    """
    text = record.get("question_text")
    if not isinstance(text, str) or not text.strip():
        return None
    annotations = [each for each in record.get("annotations") or [] if isinstance(each, dict)]
    spans = [span for each in annotations if (span := _span(each.get("long_answer"), rendering.unit))]
    judged = spans if len(spans) >= min_annotators else []
    question = {
        "id": f"nq-{record.get('example_id')}",
        "question": text.strip(),
        "answers": answers_of(annotations, rendering) if judged else [],
        "gold": [{"title": title, "text": each} for each in _distinct(map(rendering.text, judged))],
        "hops": 1,
        "path": [title],
        "annotators": len(annotations),
        "judged_by": len(spans),
    }
    if judged:
        question["type"] = most_frequent([rendering.kind(span) for span in judged])
    return question


def answers_of(annotations: Sequence[dict[str, Any]], rendering: Rendering) -> list[str]:
    """Return every short answer, each once, in the annotators' order, with yes and no."""
    found: list[str] = []
    for each in annotations:
        short = each.get("short_answers")
        spans = [_span(one, rendering.unit) for one in short] if isinstance(short, list) else []
        found += [" ".join(rendering.text(span).split()) for span in spans if span]
        verdict = each.get("yes_no_answer")
        if isinstance(verdict, str) and verdict not in NO_ANSWER:
            found.append(verdict.lower())
    return _distinct(found)


def most_frequent(kinds: Sequence[str]) -> str:
    """Return the kind that is said most often, the first said among equals."""
    return Counter(kinds).most_common(1)[0][0]


def _span(answer: Any, unit: str) -> Span | None:
    """Return an answer's span; None for a null answer, whose offsets are -1."""
    if not isinstance(answer, dict):
        return None
    start, end = answer.get(f"start_{unit}"), answer.get(f"end_{unit}")
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        return None
    return Span(start, end)


def _distinct(texts: Any) -> list[str]:
    return [*dict.fromkeys(text for text in texts if text)]
