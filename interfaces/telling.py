"""Tell people why a hit is one: a sentence for each piece of evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from weft.pairs import is_single

STEP = re.compile(r"#([^:#]+):")
SENTENCES = {
    ("bm25", "words"): "holds the words {words}",
    ("vector", "text"): "is like the question (cosine {score:.2f})",
    ("vector", "label"): "its label, {text}, is like the question (cosine {score:.2f})",
    ("page", "page"): "its page, {text}, is like the question (cosine {score:.2f})",
    ("section", "page"): "the lead of {text}, where it stands, is like the question (cosine {score:.2f})",
    ("section", "section"): "its section, {text}, is like the question (cosine {score:.2f})",
    ("entity", "entity"): "mentions {text}, which is like the question (cosine {score:.2f})",
    ("graph", "entity"): "is one step from {text} in the graph",
    ("path", "page"): "the page {text} was selected",
    ("path", "section"): "the section {text} was selected",
    ("path", "path"): "follows the path {steps}",
    ("named", "page"): "the question names its page, {text}",
    ("named", "entity"): "the question names {text}",
    ("linked", "link"): "{text} [{uri}]",
    ("second_hop", "link"): "{text} [{uri}]",
    ("hits", "link"): "{text} [{uri}]",
    ("cites", "entity"): "cites {text}, which the question names",
    ("words", "words"): "says of what is asked: {words}",
    ("title", "words"): "its title or heading has {words}",
}


def told(hit: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that explain a hit, nothing where it was not asked why."""
    against = []
    last = None
    for row in hit["why"]:
        if row["kind"] == "against":
            against.append(f"{row['text']} ({_signed(row['contribution'])})")
            continue
        lead = _signed(row["contribution"]) if row["signal"] != last else ""
        last = row["signal"]
        yield f"{lead:>6}  {_sentence(row)}"
    if against:
        yield f"{'less':>6}  {', '.join(against)}"
    if hit["why"]:
        yield f"{'by':>6}  {', '.join(f'{name} {score:.4g}' for name, score in hit['signals'].items())}"


def _signed(value: float) -> str:
    return f"{value:+.{2 if abs(value) >= 0.1 else 3}f}".replace("-", "−")


def _sentence(row: dict[str, Any]) -> str:
    form = SENTENCES.get((row["signal"], row["kind"]), "{text}")
    words = ", ".join(f"“{word}”" for word in row["text"].split(", ") if len(word) > 1 or is_single(word))
    sentence = form.format(**row | {"words": words, "steps": STEP.sub(r" –\1→ ", row["text"])})
    mention = row["mention"]
    named = mention is None or all(word in sentence.casefold() for word in mention.casefold().split())
    return sentence if named else f"{sentence} (“{mention}”)"
