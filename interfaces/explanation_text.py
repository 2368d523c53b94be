"""Tell people why a hit is one: a sentence for each piece of evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

STEP = re.compile(r"#([^:#]+):")
SENTENCES = {
    ("bm25", "words"): "contains the {noun} {words}",
    ("related", "words"): "contains, by stem or meaning, the {noun} {words}",
    ("vector", "text"): "its text has a cosine of {score:z.2f} with the question",
    ("vector", "label"): "its label, {text}, has a cosine of {score:z.2f} with the question",
    ("page", "page"): "its page, {text}, has a cosine of {score:z.2f} with the question",
    ("section", "page"): "is in the introduction of {text}, which has a cosine of {score:z.2f} with the question",
    ("section", "section"): "its section, {text}, has a cosine of {score:z.2f} with the question",
    ("entity", "entity"): "mentions {text}, which has a cosine of {score:z.2f} with the question",
    ("graph", "entity"): "is directly connected to {text}, which the question names",
    ("path", "page"): "the path search selected the page {text}",
    ("path", "section"): "the path search selected the section {text}",
    ("path", "path"): "is on the path {steps}",
    ("relations", "words"): "contains the {noun} {words}",
    ("similar", "words"): "contains the {noun} {words}",
    ("named", "page"): "the question names its page, {text}",
    ("named", "entity"): "the question names {text}",
    ("linked", "link"): "{text} [{uri}]",
    ("second_hop", "link"): "{text} [{uri}]",
    ("hits", "link"): "{text} [{uri}]",
    ("cites", "entity"): "mentions {text}, which the question names",
    ("words", "words"): "contains the {noun} asked about: {words}",
    ("title", "words"): "its title or heading contains the {noun} {words}",
    ("hops", "hop"): "tells on the way: {text}",
}
OF_ITSELF = "is an entity that the question names, where the search of the graph begins"
POSSESSIVE = "s"
"""What is left of `bridge's` beside `bridge`: it is searched for, but says nothing to people."""

WITHOUT_EVIDENCE = "is ranked by {text}"


def explanation_lines(hit: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that explain a hit, nothing where it was not asked why."""
    against, rest = [], []
    last = None
    for row in hit["why"]:
        if row["kind"] == "against":
            against.append(f"{row['text']} ({_signed(row['contribution'])})")
            continue
        if row["kind"] == "rest":
            rest.append(f"{_signed(row['contribution']):>6}  {row['text']}")
            continue
        lead = _signed(row["contribution"]) if row["signal"] != last and row["contribution"] else ""
        last = row["signal"]
        yield f"{lead:>6}  {sentence(row, hit.get('uri'))}"
    if against:
        yield f"{'':>6}  ranked lower because of {' and '.join(against)}"
    yield from rest
    if hit["why"]:
        yield f"{'':>6}  signals: {', '.join(f'{name} {score:.4g}' for name, score in hit['signals'].items())}"


def _signed(value: float) -> str:
    return f"{value:+.{2 if abs(value) >= 0.1 else 3}f}".replace("-", "−")


def sentence(row: dict[str, Any], uri: str | None) -> str:
    """Return in words what one row of `why` says of the hit with a uri."""
    form = WITHOUT_EVIDENCE if row["kind"] == "score" else SENTENCES.get((row["signal"], row["kind"]), "{text}")
    if (row["signal"], row["kind"]) == ("graph", "entity") and row["uri"] == uri:
        form = OF_ITSELF
    words = [word for word in row["text"].split(", ") if word not in ("", POSSESSIVE)] or [row["text"]]
    quoted = ", ".join(" for ".join(f"“{part}”" for part in word.split(" for ")) for word in words)
    noun = "word" if len(words) == 1 else "words"
    text = form.format(**row | {"words": quoted, "noun": noun, "steps": STEP.sub(r" –\1→ ", row["text"])})
    mention = None if row["kind"] == "words" else row["mention"]
    named = mention is None or all(word in text.casefold() for word in mention.casefold().split())
    return text if named else f"{text} (“{mention}” in the question)"
