"""What the sentences of a passage say of what is asked, and how near to each candidate; a row of a table is one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import Candidate
from retriever.answers.columns.chains import Chains, left_open
from retriever.answers.passages import Passage, Ways, row_start
from retriever.answers.text.lexicon.meanings import meant, vectors_of
from retriever.answers.text.words import Spans, stems_in

SAID = (
    "covers", "covers_names", "covers_with_way", "covers_passage", "covers_every", "passage_every", "covers_before",
    "covers_heading", "pairs", "rarest", "first_sentence", "has_asked", "n_sentence", "means", "means_every",
    "means_relation", "means_question",
)  # fmt: skip
BESIDE = (
    "near", "near_every", "near_with_way", "closest", "before", "after", "name_near", "near_means",
    "near_relation",
)  # fmt: skip
ROWS = ("label", "label_share", "in_row", "label_means", "in_line")
OVERLAP = ("said_share",)
CHAINED = ("chain", "chain_covers", "chain_near", "rest_covers", "rest_near", "leads_on")
NEAR = 4.0
"""Words at which a stem's nearness is a half."""

ELSEWHERE = 0.35
"""What a word of another sentence counts."""

LINE = re.compile(r"\W*(\w[^:.|\n]{0,60}?)\s*:\s")
"""What stands before a colon at the beginning of a sentence labels the rest: "Home port: Orse"."""

LABEL = re.compile(r"\W*\w[^:.|\n]{0,60}:")
"""A sentence that labels the next one: "Opening hours:"."""

REPORTS = re.compile(r"\b(?:said|says|asked|asks|answered|wrote|replied|added|reads?)$", re.I)
"""How the words end that report a speech, and label nothing."""

Floats = NDArray[np.float64]


class Label(NamedTuple):
    """What a label of a row or column says (w,) and means (w,) of what is asked, how many of its n words are asked."""

    says: Floats
    means: Floats
    told: int
    n: int


def said_of(
    asked: Asked, passage: Passage, ways: Ways, chains: Chains, index: int, own: Sequence[Candidate], spans: Spans
) -> dict[str, Floats]:
    """Return the columns `SAID` to `CHAINED`, (n,) each, of a passage's candidates, which are words `spans`."""
    n = len(passage.words.starts)
    at = np.minimum(spans[:, 0], max(0, n - 1))
    sentence = passage.in_sentence[at] if n else np.zeros(len(own), np.int64)
    title = flags(stems_in(passage.title), asked)
    way = ways.covered[index]
    named = np.array([i for i, stem in enumerate(passage.words.stems) if stem in asked.named], np.int64)
    found = {name: column[sentence] for name, column in _of_sentences(asked, passage, named, title, way).items()}
    near = _near_means(passage, spans, sentence)
    found |= _beside(asked, passage, named, spans, sentence, np.maximum(0.6 * title, way), way)
    found |= {"near_means": near @ asked.weights, "near_relation": near @ asked.relation}
    found |= _chained(asked, passage, chains, index, own, near, sentence)
    return found | _rows(asked, passage, own, sentence) | {"said_share": _said_share(asked, passage, own, spans)}


def said_in(asked: Asked, passage: Passage) -> Floats:
    """Return which of the stems asked for each sentence of a passage says (s, w)."""
    says = np.zeros((len(passage.bounds), len(asked.stems)))
    known = np.flatnonzero(passage.asked >= 0)
    says[passage.in_sentence[known], passage.asked[known]] = 1.0
    return says


def means_in(asked: Asked, passage: Passage) -> Floats:
    """Return how much of each of the stems asked for the words of each sentence of a passage mean (s, w)."""
    means = np.zeros((len(passage.bounds), len(asked.stems)))
    if len(passage.words.starts):
        begins = np.flatnonzero(np.append(True, np.diff(passage.in_sentence) != 0))
        means[passage.in_sentence[begins]] = np.maximum.reduceat(passage.means, begins, axis=0)
    return means


def _alike(stems: Sequence[str], asked: Asked) -> Floats:
    """Return how much of each of the stems asked for words like it say (w,)."""
    own = ("", *stems)
    means = meant(own, vectors_of(own), asked.open_stems, asked.meanings).max(0)
    return np.asarray(np.maximum(flags(stems, asked), means), np.float64)


def _of_sentences(
    asked: Asked, passage: Passage, named: NDArray[np.int64], title: Floats, way: Floats
) -> dict[str, Floats]:
    """Return the columns `SAID` of each sentence (s,), of a passage whose words `named` are of what is named."""
    words, weights, every = passage.words, asked.weights, asked.every
    n, width = len(passage.bounds), len(asked.stems)
    says = said_in(asked, passage)
    names = np.zeros(n)
    for number in np.unique(passage.in_sentence[named]).tolist():
        names[number] = len({words.stems[i] for i in named[passage.in_sentence[named] == number]}) / len(asked.named)
    before = np.vstack([np.zeros((1, width)), says[:-1]]) if n else says
    heading = flags(stems_in(passage.heading), asked)
    means = means_in(asked, passage)
    above = _alike(stems_in(passage.heading), asked)
    led = np.maximum(np.maximum(title, way), above)
    rarest = int(np.argmax(weights)) if width else 0
    return {
        "covers": says @ weights,
        "covers_names": names,
        "covers_with_way": np.maximum(says, way) @ weights,
        "covers_passage": np.full(n, says.max(0, initial=0.0) @ weights),
        "covers_every": np.maximum(says, np.maximum(title, way)) @ every,
        "passage_every": np.full(n, np.maximum(says.max(0, initial=0.0), title) @ every),
        "covers_before": np.maximum(np.maximum(says, 0.5 * before), np.maximum(title, heading)) @ every,
        "covers_heading": np.full(n, heading @ every),
        "pairs": _pairs(asked, passage),
        "rarest": says[:, rarest] if width else np.zeros(n),
        "first_sentence": (np.arange(n) == 0).astype(np.float64),
        "has_asked": (says @ weights > 0).astype(np.float64),
        "n_sentence": np.minimum(1.0, np.bincount(passage.in_sentence, minlength=n)[:n] / 40),
        "means": means @ weights,
        "means_every": np.maximum(means, led) @ every,
        "means_relation": means @ asked.relation,
        "means_question": _answered(passage, means, above) @ every,
    }


def _answered(passage: Passage, means: Floats, above: Floats) -> Floats:
    """Return what the question before each sentence, or the heading if it is one, means of what is asked (s, w)."""
    asks = np.array([passage.text[start:end].rstrip(' *_"”').endswith("?") for start, end in passage.bounds])
    found = np.vstack([np.zeros((1, means.shape[1])), means[:-1] * asks[:-1, None]])
    return np.maximum(found, above) if passage.heading.rstrip().endswith("?") else found


def _pairs(asked: Asked, passage: Passage) -> Floats:
    """Return the share of neighbouring words of the question that stand within three words in each sentence (s,)."""
    order = [asked.told[stem] for stem in asked.words.stems if stem in asked.told]
    wanted = {pair for pair in pairwise(order) if pair[0] != pair[1]}
    found: list[set[tuple[int, int]]] = [set() for _ in passage.bounds]
    places = np.flatnonzero(passage.asked >= 0).tolist()
    for one, other in pairwise(places):
        first, second = int(passage.asked[one]), int(passage.asked[other])
        if other - one <= 3 and passage.in_sentence[one] == passage.in_sentence[other]:
            found[passage.in_sentence[one]] |= {(first, second), (second, first)} & wanted
    return np.array([len(each) / max(1, len(wanted)) for each in found])


def _beside(
    asked: Asked, passage: Passage, named: NDArray[np.int64], spans: Spans, sentence: NDArray[np.int64], led: Floats,
    way: Floats,
) -> dict[str, Floats]:  # fmt: skip
    """Return the columns `BESIDE`: how near to each candidate stands what is asked for."""
    weights, n = asked.weights, len(spans)
    found = {name: np.zeros(n) for name in BESIDE}
    first, last = spans[:, :1], spans[:, 1:]
    known = np.flatnonzero(passage.asked >= 0)
    near = np.zeros((n, len(asked.stems)))
    if len(known):
        places = known[np.argsort(passage.asked[known], kind="stable")]
        stems, begins = np.unique(passage.asked[places], return_index=True)
        gap = np.maximum(first - places, places - last + 1)
        same = sentence[:, None] == passage.in_sentence[places]
        outside = gap > 0
        value = np.where(outside, np.where(same, 1.0, ELSEWHERE) / (1.0 + np.maximum(0, gap - 1) / NEAR), 0.0)
        near[:, stems] = np.maximum.reduceat(value, begins, axis=1)
        own = weights[passage.asked[places]]
        told = same & outside & (own > 0)
        found["closest"] = np.where(told, 1.0 / np.maximum(1, gap), 0.0).max(1)
        found["before"] = np.where(told & (first > places) & (gap <= 4), own, 0.0).max(1)
        found["after"] = np.where(told & (last <= places) & (gap <= 3), own, 0.0).max(1)
    found["near"] = near @ weights
    found["near_every"] = np.maximum(near, led) @ asked.every
    found["near_with_way"] = np.maximum(near, way) @ weights
    if len(named):
        gap = np.maximum(first - named, named - last + 1)
        beside = (sentence[:, None] == passage.in_sentence[named]) & (gap > 0)
        found["name_near"] = np.where(beside, 1.0 / np.maximum(1, gap), 0.0).max(1)
    return found


def _chained(
    asked: Asked, passage: Passage, chains: Chains, index: int, own: Sequence[Candidate], near: Floats,
    sentence: NDArray[np.int64],
) -> dict[str, Floats]:  # fmt: skip
    """Return the columns `CHAINED`: what is said on the way to each candidate, and what it leads on to."""
    led, every = chains.led[index], asked.every
    rest = left_open(led, asked)
    means = means_in(asked, passage)
    unsaid = every * (1.0 - np.maximum(means, led))
    onward = np.zeros(len(own))
    for row, each in enumerate(own):
        if each.entity != passage.entity and (told := chains.onward.get(each.entity)) is not None:
            onward[row] = told @ unsaid[sentence[row]]
    return {
        "chain": np.full(len(own), led @ every),
        "chain_covers": (np.maximum(means, led) @ every)[sentence], "chain_near": np.maximum(near, led) @ every,
        "rest_covers": (means @ rest)[sentence], "rest_near": near @ rest, "leads_on": onward,
    }  # fmt: skip


def _near_means(passage: Passage, spans: Spans, sentence: NDArray[np.int64]) -> Floats:
    """Return how near to each candidate stands what is like each of the stems asked for (n, w)."""
    stems, places = np.nonzero(passage.means.T)
    near = np.zeros((len(spans), passage.means.shape[1]))
    if len(stems):
        gap = np.maximum(spans[:, :1] - places, places - spans[:, 1:] + 1)
        same = sentence[:, None] == passage.in_sentence[places]
        value = np.where(gap > 0, np.where(same, 1.0, ELSEWHERE) / (1.0 + np.maximum(0, gap - 1) / NEAR), 0.0)
        known, begins = np.unique(stems, return_index=True)
        near[:, known] = np.maximum.reduceat(value * passage.means[places, stems], begins, axis=1)
    return near


def _rows(asked: Asked, passage: Passage, own: Sequence[Candidate], sentence: NDArray[np.int64]) -> dict[str, Floats]:
    """Return the columns `ROWS`: how much of what is asked the labels of a cell say, and how much of them is asked.

    Where there are no rows, what stands before a colon labels the rest of its sentence.
    """
    found = {name: np.zeros(len(own)) for name in ROWS}
    rows = [passage.text[row_start(passage.text, start) : end].split(" | ") for start, end in passage.bounds]
    if passage.kind not in ("infobox", "table") or not any(len(row) > 1 for row in rows):
        return found | _lines(passage, asked, own, sentence)
    head = next((row for row in rows if len(row) > 1), []) if passage.kind == "table" else []
    parts: dict[str, Label] = {}
    known: dict[tuple[int, int], tuple[float, float, float]] = {}
    for index, each in enumerate(own):
        number = int(sentence[index])
        if len(rows[number]) < 2 or rows[number] is head:
            continue
        start, _ = passage.bounds[number]
        cell = passage.text.count(" | ", row_start(passage.text, start), each.start + 1)
        if (number, cell) not in known:
            for text in (texts := [*(rows[number][:1] if cell else ()), *head[cell : cell + 1]]):
                if text not in parts:
                    parts[text] = _label(text, asked)
            known[number, cell] = _said_by([parts[text] for text in texts], asked)
        found["label"][index], found["label_share"][index], found["label_means"][index] = known[number, cell]
        found["in_row"][index] = 1.0
    return found


def _lines(passage: Passage, asked: Asked, own: Sequence[Candidate], sentence: NDArray[np.int64]) -> dict[str, Floats]:
    """Return the columns of `ROWS` that are told of candidates (n,) by what stands before a colon in their sentence."""
    found = {name: np.zeros(len(own)) for name in ("label", "label_share", "label_means", "in_line")}
    starts, before = np.array([each.start for each in own]), ""
    for number, (start, end) in enumerate(passage.bounds):
        line = LINE.match(passage.text, start, end)
        label = line[1] if line and not REPORTS.search(line[1]) else before
        before = passage.text[start:end][:-1] if LABEL.fullmatch(passage.text, start, end) else ""
        if label:
            inside = (sentence == number) & (starts >= (line.end() if line else start))
            told = (*_said_by([_label(label, asked)], asked), 1.0)
            for column, value in zip(found.values(), told, strict=True):
                column[inside] = value
    return found


def _said_share(asked: Asked, passage: Passage, own: Sequence[Candidate], spans: Spans) -> Floats:
    """Return the share of each candidate's content words (n,) that the question says; 0 for what stands nowhere."""
    words, n = passage.words, len(passage.words.stems)
    large = ~np.array(words.small, np.bool_)
    says = np.array([stem in asked.tokens for stem in words.stems], np.bool_) & large
    told, every = (
        np.diff(np.append(0, np.cumsum(each))[np.minimum(spans, n)], axis=1)[:, 0] for each in (says, large)
    )
    stands = np.array([each.end > each.start for each in own], np.bool_)
    return np.asarray(np.where(stands, told / np.maximum(1, every), 0.0), np.float64)


def _label(text: str, asked: Asked) -> Label:
    stems = stems_in(text)
    return Label(flags(stems, asked), _alike(stems, asked), sum(stem in asked.told for stem in stems), len(stems))


def _said_by(labels: Sequence[Label], asked: Asked) -> tuple[float, float, float]:
    """Return how much of what is asked labels say together, how much of them is asked, and what they mean of it."""
    if not labels:
        return 0.0, 0.0, 0.0
    share = sum(each.told for each in labels) / max(1, sum(each.n for each in labels))
    says = np.maximum.reduce([each.says for each in labels])
    means = np.maximum.reduce([each.means for each in labels])
    return float(says @ asked.every), share, float(means @ asked.weights)
