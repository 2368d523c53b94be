"""Chains: what the passages that lead to a passage have already said of what is asked.

"When was the school founded that published the Herald" names the Herald. The page of the Herald says "published" beside
a link to the school, whose page is left with "founded".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.passages import Bridge, Link, Passage, leading, words_beside
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import stems_in

HOPS = 2
"""Links that are followed one after the other: questions over more than three pages are rare."""

Floats = NDArray[np.float64]


class Chains(NamedTuple):
    """What chains of links and bridges say before each passage (p, w), and what the passages mean (w,) that an entity
    leads on to, or a name, by its key and their indices."""

    led: Floats
    onward: Mapping[int, Floats]
    by_name: Mapping[str, Mapping[int, Floats]]


def chains_between(passages: Sequence[Passage], asked: Asked) -> Chains:
    """Return the chains between the passages of a question."""
    return Chains(led_between(passages, asked), _onward(passages), _by_name(passages))


def led_between(passages: Sequence[Passage], asked: Asked) -> Floats:
    """Return how much of each stem asked for is said on the best chain of links to each passage (p, w), 0 to 1.

    A chain begins with a passage's title, and each link adds what stands beside it. O(hops x links).
    """
    titles = np.array([flags(stems_in(passage.title), asked) for passage in passages])
    led = titles.reshape(len(passages), len(asked.stems))
    owners: dict[int, list[int]] = {}
    for index, passage in enumerate(passages):
        owners.setdefault(passage.entity, []).append(index)
    links = [
        (source, targets, _meant_beside(passage, link))
        for source, passage in enumerate(passages)
        for link, targets in leading(passage, owners)
    ]
    for _ in range(HOPS):
        led = _followed(led, titles, links, asked)
    return led


def _followed(
    led: Floats, titles: Floats, links: Sequence[tuple[int, Sequence[int], Floats]], asked: Asked
) -> Floats:
    """Return what is said on the best chain to each passage that is one link longer than those of `led`."""
    found, worth = titles.copy(), titles @ asked.every
    for source, targets, beside in links:
        said = np.maximum(led[source], beside)
        for target in targets:
            own = np.maximum(said, titles[target])
            if (total := float(own @ asked.every)) > worth[target]:
                found[target], worth[target] = own, total
    return found


def _meant_beside(passage: Passage, link: Link | Bridge) -> Floats:
    """Return how much of each stem asked for the words beside a link mean (w,)."""
    words, near = words_beside(passage, link)
    return np.asarray((passage.means[words] * near[:, None]).max(0, initial=0.0), np.float64)


def left_open(led: Floats, asked: Asked) -> Floats:
    """Return the share of each stem (w,) in what a chain has not said; they add up to 1, or to 0 where all is said."""
    rest = asked.every * (1.0 - led)
    return np.asarray(rest / max(1e-9, rest.sum()) if rest.sum() > 0.02 else 0.0 * rest, np.float64)


def _onward(passages: Sequence[Passage]) -> dict[int, Floats]:
    """Return by entity how much of each stem asked for the passages of its page mean (w,)."""
    found: dict[int, Floats] = {}
    for passage in passages:
        if passage.entity and len(passage.words.starts):
            own = passage.means.max(0).astype(np.float64)
            found[passage.entity] = np.maximum(found.get(passage.entity, own), own)
    return found


def _by_name(passages: Sequence[Passage]) -> dict[str, dict[int, Floats]]:
    """Return by the key of a name how much of each stem asked for each passage means (w,) that it bridges to."""
    found: dict[str, dict[int, Floats]] = {}
    for passage in passages:
        for start, end, target in passage.bridges:
            own = passages[target].means.max(0, initial=0.0).astype(np.float64)
            found.setdefault(normalised(passage.text[start:end]), {})[target] = own
    return found
