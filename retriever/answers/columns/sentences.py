"""What sentences say of what is asked, and how near to each candidate; a row of a table is one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import Candidate, Laid
from retriever.answers.columns.chains import Chains, left_open
from retriever.answers.columns.labels import alike_to
from retriever.answers.passages import Passage, Ways
from retriever.answers.text.words import stems_in

SAID = (
    "covers", "covers_names", "covers_with_way", "covers_passage", "covers_every", "passage_every", "covers_before",
    "covers_heading", "pairs", "rarest", "first_sentence", "has_asked", "n_sentence", "means", "means_every",
    "means_relation", "means_question",
)  # fmt: skip
BESIDE = (
    "near", "near_every", "near_with_way", "closest", "before", "after", "name_near", "near_means",
    "near_relation",
)  # fmt: skip
OVERLAP = ("said_share",)
CHAINED = ("chain", "chain_covers", "chain_near", "rest_covers", "rest_near", "leads_on")
NEAR = 4.0
"""Words at which a stem's nearness is a half."""

ELSEWHERE = 0.35
"""What a word of another sentence counts."""

Floats = NDArray[np.float64]


def said_of(
    asked: Asked, laid: Laid, ways: Ways, chains: Chains, candidates: Sequence[Candidate]
) -> dict[str, Floats]:
    """Return the columns `SAID`, `BESIDE`, `OVERLAP` and `CHAINED`, (c,) each, of candidates."""
    titles = np.array([flags(stems_in(passage.title), asked) for passage in laid.passages])
    means = means_in(asked, laid)
    said = _of_sentences(asked, laid, means, titles, ways.covered)
    near = _near_means(laid)
    return (
        {name: column[laid.sentences] for name, column in said.items()}
        | _beside(asked, laid, np.maximum(0.6 * titles, ways.covered), ways.covered)
        | {"near_means": near @ asked.weights, "near_relation": near @ asked.relation}
        | _chained(asked, laid, chains, candidates, near, means)
        | {"said_share": _said_share(asked, laid)}
    )  # fmt: skip


def said_in(asked: Asked, read: Passage | Laid) -> Floats:
    """Return which of the stems asked for each sentence says (s, w)."""
    says = np.zeros((len(read.bounds), len(asked.stems)))
    known = np.flatnonzero(read.asked >= 0)
    says[read.in_sentence[known], read.asked[known]] = 1.0
    return says


def means_in(asked: Asked, read: Passage | Laid) -> Floats:
    """Return how much of each of the stems asked for the words of each sentence mean (s, w)."""
    means = np.zeros((len(read.bounds), len(asked.stems)))
    if len(read.in_sentence):
        begins = np.flatnonzero(np.append(True, np.diff(read.in_sentence) != 0))
        means[read.in_sentence[begins]] = np.maximum.reduceat(read.means, begins, axis=0)
    return means


def _of_sentences(asked: Asked, laid: Laid, means: Floats, titles: Floats, ways: Floats) -> dict[str, Floats]:
    """Return the columns `SAID` of each sentence (s,); titles and ways (p, w) lead to their passages."""
    weights, every, own, first = asked.weights, asked.every, laid.of_passage, laid.first_sentences[:-1]
    n, width = len(laid.bounds), len(asked.stems)
    says = said_in(asked, laid)
    heads = [stems_in(passage.heading) for passage in laid.passages]
    headings = np.array([flags(stems, asked) for stems in heads])
    above = np.array([alike_to(stems, asked) for stems in heads])
    whole = np.maximum.reduceat(says, first, axis=0)
    return {
        "covers": says @ weights,
        "covers_names": _named_in(asked, laid),
        "covers_with_way": np.maximum(says, ways[own]) @ weights,
        "covers_passage": (whole @ weights)[own],
        "covers_every": np.maximum(says, np.maximum(titles, ways)[own]) @ every,
        "passage_every": (np.maximum(whole, titles) @ every)[own],
        "covers_before": np.maximum(
            np.maximum(says, 0.5 * _before(says, first)), np.maximum(titles, headings)[own]
        ) @ every,
        "covers_heading": (headings @ every)[own],
        "pairs": _pairs(asked, laid),
        "rarest": says[:, int(np.argmax(weights))] if width else np.zeros(n),
        "first_sentence": (np.arange(n) == first[own]).astype(np.float64),
        "has_asked": (says @ weights > 0).astype(np.float64),
        "n_sentence": np.minimum(1.0, np.bincount(laid.in_sentence, minlength=n) / 40),
        "means": means @ weights,
        "means_every": np.maximum(means, np.maximum(np.maximum(titles, ways), above)[own]) @ every,
        "means_relation": means @ asked.relation,
        "means_question": _answered(laid, means, above) @ every,
    }  # fmt: skip


def _before(told: Floats, first: NDArray[np.int64]) -> Floats:
    """Return what is told by the sentence before each (s, w), by none before those that passages begin with."""
    found = np.roll(told, 1, axis=0)
    found[first] = 0.0
    return found


def _named_in(asked: Asked, laid: Laid) -> Floats:
    """Return the share of the words of what is named that each sentence says (s,)."""
    told: list[set[str]] = [set() for _ in laid.bounds]
    for word in _named(asked, laid).tolist():
        told[laid.in_sentence[word]].add(laid.stems[word])
    return np.array([len(each) / max(1, len(asked.named)) for each in told])


def _named(asked: Asked, laid: Laid) -> NDArray[np.int64]:
    """Return the words of what is named."""
    return np.array([index for index, stem in enumerate(laid.stems) if stem in asked.named], np.int64)


def _answered(laid: Laid, means: Floats, above: Floats) -> Floats:
    """Return what the question before each sentence, or the heading if it is one, means of what is asked (s, w)."""
    asks = [
        passage.text[start:end].rstrip(' *_"”').endswith("?")
        for passage in laid.passages for start, end in passage.bounds
    ]  # fmt: skip
    found = _before(means * np.array(asks)[:, None], laid.first_sentences[:-1])
    headed = np.array([passage.heading.rstrip().endswith("?") for passage in laid.passages])
    return np.asarray(np.maximum(found, (above * headed[:, None])[laid.of_passage]), np.float64)


def _pairs(asked: Asked, laid: Laid) -> Floats:
    """Return the share of neighbouring words of the question that stand within three words in each sentence (s,)."""
    order = [asked.told[stem] for stem in asked.words.stems if stem in asked.told]
    wanted = {pair for pair in pairwise(order) if pair[0] != pair[1]}
    found: list[set[tuple[int, int]]] = [set() for _ in laid.bounds]
    places = np.flatnonzero(laid.asked >= 0)
    near = (np.diff(places) <= 3) & (np.diff(laid.in_sentence[places]) == 0)
    told = laid.asked[places]
    for one, other, number in np.column_stack([told[:-1], told[1:], laid.in_sentence[places][1:]])[near].tolist():
        found[number] |= {(one, other), (other, one)} & wanted
    return np.array([len(each) / max(1, len(wanted)) for each in found])


def _beside(asked: Asked, laid: Laid, led: Floats, ways: Floats) -> dict[str, Floats]:
    """Return the columns `BESIDE`: how near to each candidate stands what is asked for."""
    weights, n = asked.weights, len(laid.owners)
    found = {name: np.zeros(n) for name in BESIDE}
    near = np.zeros((n, len(asked.stems)))
    named = _named(asked, laid)
    for rows, words in laid.blocks():
        known = words.start + np.flatnonzero(laid.asked[words] >= 0)
        if len(known):
            places = known[np.argsort(laid.asked[known], kind="stable")]
            stems, begins = np.unique(laid.asked[places], return_index=True)
            gap, same, value = _nearness(laid, rows, places)
            near[rows, stems] = np.maximum.reduceat(value, begins, axis=1)
            own = weights[laid.asked[places]]
            told = same & (gap > 0) & (own > 0)
            is_ahead = laid.spans[rows, :1] > places
            found["closest"][rows] = np.where(told, 1.0 / np.maximum(1, gap), 0.0).max(1)
            found["before"][rows] = np.where(told & is_ahead & (gap <= 4), own, 0.0).max(1)
            found["after"][rows] = np.where(told & ~is_ahead & (gap <= 3), own, 0.0).max(1)
        beside = named[(words.start <= named) & (named < words.stop)]
        if len(beside):
            gap, same, _ = _nearness(laid, rows, beside)
            found["name_near"][rows] = np.where(same & (gap > 0), 1.0 / np.maximum(1, gap), 0.0).max(1)
    found["near"] = near @ weights
    found["near_every"] = np.maximum(near, led[laid.owners]) @ asked.every
    found["near_with_way"] = np.maximum(near, ways[laid.owners]) @ weights
    return found


def _nearness(
    laid: Laid, rows: slice, places: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_], Floats]:
    """Return how many words from candidates some words stand, whether in their sentence, and how near (r, m).

    What a candidate says itself is near to nothing, as are words of other passages.
    """
    first, last, owners = laid.spans[rows, :1], laid.spans[rows, 1:], laid.owners[rows, None]
    gap = np.maximum(first - places, places - last + 1)
    same = laid.sentences[rows, None] == laid.in_sentence[places]
    counts = (gap > 0) & (owners == laid.of_passage[laid.in_sentence[places]])
    value = np.where(counts, np.where(same, 1.0, ELSEWHERE) / (1.0 + np.maximum(0, gap - 1) / NEAR), 0.0)
    return gap, same, value


def _chained(
    asked: Asked, laid: Laid, chains: Chains, candidates: Sequence[Candidate], near: Floats, means: Floats
) -> dict[str, Floats]:
    """Return the columns `CHAINED`: what is said on the way to each candidate, and what it leads on to."""
    led, every, own, at = chains.led, asked.every, laid.of_passage, laid.sentences
    rest = np.array([left_open(each, asked) for each in led])
    said = np.maximum(means, led[own])
    unsaid = every * (1.0 - said)
    onward = np.zeros(len(candidates))
    for row, each in enumerate(candidates):
        # To where it stands itself, a name leads nobody on.
        further = [own for target, own in chains.by_name.get(each.key, {}).items() if target != each.passage]
        if each.entity in chains.onward and each.entity != laid.passages[each.passage].entity:
            further = [chains.onward[each.entity]]
        if further:
            onward[row] = np.max(further, axis=0) @ unsaid[at[row]]
    return {
        "chain": (led @ every)[laid.owners], "chain_covers": (said @ every)[at],
        "chain_near": np.maximum(near, led[laid.owners]) @ every,
        "rest_covers": (means * rest[own]).sum(1)[at], "rest_near": (near * rest[laid.owners]).sum(1),
        "leads_on": onward,
    }  # fmt: skip


def _near_means(laid: Laid) -> Floats:
    """Return how near to each candidate stands what is like each of the stems asked for (c, w)."""
    near = np.zeros((len(laid.owners), laid.means.shape[1]))
    for rows, words in laid.blocks():
        stems, places = np.nonzero(laid.means[words].T)
        if len(stems):
            places = places + words.start
            known, begins = np.unique(stems, return_index=True)
            value = _nearness(laid, rows, places)[2] * laid.means[places, stems]
            near[rows, known] = np.maximum.reduceat(value, begins, axis=1)
    return near


def _said_share(asked: Asked, laid: Laid) -> Floats:
    """Return the share of each candidate's content words (c,) that the question says; 0 for what stands nowhere."""
    large = ~np.array([small for passage in laid.passages for small in passage.words.small], np.bool_)
    says = np.array([stem in asked.tokens for stem in laid.stems], np.bool_) & large
    told, every = (np.diff(np.append(0, np.cumsum(each))[laid.spans], axis=1)[:, 0] for each in (says, large))
    return np.where(laid.stands, told / np.maximum(1, every), 0.0)
