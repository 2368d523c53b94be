"""Passages that names in the hits lead to, for questions that no passage answers alone.

A further passage has to name what a sentence of a hit names, or be of its page, and to say, together with that
sentence, nearly as much of the question as any sentence that was read does alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from retriever.answers.asked import CHOICE, Asked
from retriever.answers.bridges.names import Name, bridging_names, mentions_of, said_below_titles
from retriever.answers.columns.sentences import means_in
from retriever.answers.passages import Bridge, Passage, passages_of
from retriever.session import Session
from retriever.types import Ids, Query
from weft.arrays.full_text import searched_words

DESCRIBES = re.compile(
    r"\A(?:\S++\s++){3}.*\b(?:who|whom|whose|which|that|where)\b|(?:(?<=\w{3})\.|[;:?!]) ++\w", re.I | re.S
)
"""What describes something without naming it: a clause, or a sentence more. Points behind two letters abbreviate."""

ENOUGH = 0.75
"""The share of a question, by rarity, that a sentence with its title must mean so that no further passages are read."""

MOST_EACH, MOST_LOOKED_AT, MOST = 4, 8, 4
"""Chunks of one name, and of all, that are looked at, and passages that are read onward."""

LESS, LEAST_OWN = 0.1, 0.04
"""How much less of a question two sentences may mean together than the best one alone, and what the second one must."""

OWN = 0.5
"""What the share that the second sentence means alone counts beside that of both."""

LEFT = 0.02
"""The share of a question from which on a word is looked for."""

LED = 0.5
"""The chance of a passage that is read onward, as a share of that of the passage which leads there."""


class Lead(NamedTuple):
    """A name, a passage that it leads to, and the shares of a question that the sentences of both mean `together`, and
    that of the passage `alone`."""

    name: Name
    passage: Passage
    together: float
    alone: float


def read_onward(session: Session, query: Query, asked: Asked, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages of a question with those that names in them lead to, which stand last.

    None where a sentence says ENOUGH, or the question describes nothing, compares things or asks for yes or no. Where a
    name leads is told by `Passage.bridges`, also between passages that are hits. O(names x chunks of each).
    """
    found = list(passages)
    if not found or asked.is_polar or CHOICE.search(asked.text) or not DESCRIBES.search(asked.text):
        return found
    said = said_below_titles(found, asked)
    alone = max(float((own @ asked.every).max(initial=0.0)) for own in said)
    if alone >= ENOUGH:
        return found
    names = bridging_names(session, found, said, asked)
    leads = _leads(session, query, asked, found, names)
    return _joined(found, [each for each in leads if each.together >= alone - LESS and each.alone >= LEAST_OWN])


def _leads(
    session: Session, query: Query, asked: Asked, passages: Sequence[Passage], names: Sequence[Name]
) -> list[Lead]:
    """Return which names lead to which passages, those of the hits among them, the best first."""
    wanted: dict[int, list[Name]] = {}
    scores: dict[int, float] = {}
    for name in names:
        for chunk, score in _chunks_with(session, query, asked, name, passages[name.passage].chunk).items():
            wanted.setdefault(chunk, []).append(name)
            scores[chunk] = max(score, scores.get(chunk, 0.0))
    read = {each.chunk for each in passages}
    fresh = sorted((each for each in wanted if each not in read), key=lambda each: -scores[each])[:MOST_LOOKED_AT]
    made = passages_of(session, query, asked, np.array(fresh, np.int64), np.zeros(len(fresh)))
    leads = (_lead(name, each, asked) for each in (*passages, *made) for name in wanted.get(each.chunk, ()))
    return sorted(filter(None, leads), key=lambda each: -(each.together + OWN * each.alone))


def _chunks_with(session: Session, query: Query, asked: Asked, name: Name, own: int) -> Mapping[int, float]:
    """Return chunks but its own that have a name or are of its page, with the BM25 of what its sentence leaves open."""
    chunks = chunks_with_words(session, name.text)
    chunks = np.union1d(chunks, session.chunks_of_entity(name.entity)) if name.entity else chunks
    chunks = chunks[chunks != own].astype(np.int64)
    if query.allowed is not None:
        chunks = chunks[np.isin(chunks, query.allowed)]
    scores = session.postings("chunk").scores_of(session.skb.connection, _left(asked, name), chunks)
    best = np.argsort(-scores, kind="stable")[:MOST_EACH]
    return dict(zip(chunks[best].tolist(), scores[best].tolist(), strict=True))


def chunks_with_words(session: Session, name: str) -> Ids:
    """Return the chunks that have all words of a name."""
    postings, connection = session.postings("chunk"), session.skb.connection
    # The rarest word first: what it has not, no other one needs to be looked for in.
    rows = sorted((postings.of(connection, word).rows for word in searched_words(name)), key=len)
    own = rows[0] if rows else np.zeros(0, np.int64)
    for each in rows[1:]:
        own = own[each[np.minimum(np.searchsorted(each, own), len(each) - 1)] == own]
    return own.astype(np.int64)


def _left(asked: Asked, name: Name) -> str:
    """Return the words of a question that the sentence of a name does not say."""
    rest = asked.every * (1.0 - name.said)
    left = {stem for stem, weight in zip(asked.stems, rest.tolist(), strict=True) if weight > LEFT}
    words = zip(asked.words.stems, asked.words.starts.tolist(), asked.words.ends.tolist(), strict=True)
    return " ".join(asked.text[start:end] for stem, start, end in words if stem in left)


def _lead(name: Name, passage: Passage, asked: Asked) -> Lead | None:
    """Return how much of a question a name's sentence and the best one of a passage mean together and alone.

    On the page of the name any sentence counts, on others one with the name, or the next one; None where there is none.
    """
    means = means_in(asked, passage)
    if not (name.entity and passage.entity == name.entity):
        begins = [begin for begin, _ in passage.bounds]
        found = mentions_of(name.text).finditer(passage.text)
        near = {max(0, bisect_right(begins, each.start()) - 1) for each in found}
        means = means[sorted(near | {at + 1 for at in near if at + 1 < len(means)})]
    if not len(means):
        return None
    together = float((np.maximum(means, name.said) @ asked.every).max())
    return Lead(name, passage, together, float((means @ asked.every).max()))


def _joined(passages: list[Passage], leads: Sequence[Lead]) -> list[Passage]:
    """Return passages with those that leads lead to, MOST new ones, and with the bridges to all of them."""
    indices = {each.chunk: index for index, each in enumerate(passages)}
    n = len(passages)
    for name, passage, *_ in leads:
        if passage.chunk not in indices and len(passages) < n + MOST:
            chance = LED * passages[name.passage].chance
            indices[passage.chunk] = len(passages)
            passages.append(passage._replace(rank=len(passages), chance=chance))
        if (target := indices.get(passage.chunk)) is not None:
            source = passages[name.passage]
            bridge = Bridge(name.start, name.end, target)
            passages[name.passage] = source._replace(bridges=(*source.bridges, bridge))
    return passages
