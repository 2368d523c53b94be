"""Questions as people ask, over any SKB: a name or none, and words as frequent as those of real questions.

Sentences that are cut from chunks would be easier: their words meet in one
text, and few of them are frequent.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from math import exp, log

from weft.skb import Skb

STARTS = ("Who was the", "In which year did the", "What is the name of the", "Where is the", "How many of the", "Which")
NAMED_PAGE, NAMED_ENTITY = 0.5, 0.7
"""Half of the questions name a page, a fifth another entity, the rest nothing."""

SHARES = (
    (0.0, 2e-5), (0.1, 0.001), (0.25, 0.004), (0.5, 0.015), (0.75, 0.058), (0.9, 0.15), (0.95, 0.25), (0.99, 0.30),
    (1.0, 0.36),
)  # fmt: skip
"""In what share of all chunks a question's word stands: quantiles, between those of hotpotqa's and of 2wiki's."""


def questions(skb: Skb, n: int, seed: int = 0) -> Iterator[str]:
    """Yield n questions of 8 to 14 words, the same for the same SKB and seed."""
    draw = random.Random(seed)
    words, frequencies = _vocabulary(skb)
    titles = _column(skb, "SELECT title FROM page ORDER BY id LIMIT 100000")
    names = _column(skb, "SELECT name FROM entity WHERE page_id IS NULL ORDER BY id LIMIT 100000") or titles
    (n_chunks,) = skb.connection.execute("SELECT count(*) FROM chunk").fetchone()
    for number in range(n):
        place = draw.random()
        name = draw.choice(titles) if place < NAMED_PAGE else draw.choice(names) if place < NAMED_ENTITY else ""
        asked = [_word(words, frequencies, n_chunks, draw) for _ in range(draw.randint(4, 7))]
        half = len(asked) // 2
        yield " ".join(filter(None, [STARTS[number % len(STARTS)], *asked[:half], "of", name, *asked[half:]])) + "?"


def _word(words: list[str], frequencies: list[int], n_chunks: int, draw: random.Random) -> str:
    """Return a word that is as frequent as a real question's."""
    at = draw.random()
    (low, few), (high, many) = next(pair for pair in pairwise(SHARES) if at <= pair[1][0])
    share = exp(log(few) + (at - low) / (high - low) * (log(many) - log(few)))
    place = bisect_left(frequencies, share * n_chunks) + draw.randint(-3, 3)
    return words[max(0, min(place, len(words) - 1))]


def _vocabulary(skb: Skb) -> tuple[list[str], list[int]]:
    """Return all words of letters that two chunks have, the rarest first, and in how many chunks each stands."""
    connection = skb.connection
    connection.execute("PRAGMA query_only = OFF")
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word USING fts5vocab('main', 'chunk_fts', 'row')")
    connection.execute("PRAGMA query_only = ON")
    rows = connection.execute("SELECT term, doc FROM temp.word WHERE doc > 1 ORDER BY doc, term").fetchall()
    kept = [(word, count) for word, count in rows if word.isalpha()]
    return [word for word, _ in kept], [count for _, count in kept]


def _column(skb: Skb, query: str) -> list[str]:
    return [value for (value,) in skb.connection.execute(query)]
