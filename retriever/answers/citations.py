"""Citations: the sentences that an answer rests on, and the nearest ones where there is none."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import Candidate
from retriever.answers.columns.features import INDEX
from retriever.answers.columns.sentences import means_in, said_in
from retriever.answers.passages import Bridge, Link, Passage, leading
from retriever.answers.ranker import Ranked
from retriever.answers.reading import Reading
from retriever.answers.text.words import stems_in
from retriever.types import Citation
from weft.text.sentences import Span

MOST_CITED, MOST_SAYING = 3, 2
"""Citations of sentences that say the answer or lead there; the others are of the best hits."""

MOST_JOINED = 3
"""Sentences that are cited as one, beside the first, where a parenthesis goes on in them."""

LEAST_SAID = 0.2
"""A hit is cited beside an answer where one of its sentences says so much of what is asked, by rarity."""

NEAR_SAID = 0.01
"""A hit is near a question without an answer where it means anything of what is asked."""


def sentence_cited(reading: Reading, candidate: Candidate) -> Citation:
    """Return the sentence where a candidate stands, with both ends of its parentheses."""
    passage = reading.passages[candidate.passage]
    return Citation(passage.uri, _closed(passage, passage.sentence_at(candidate.start)))


def _closed(passage: Passage, span: Span) -> Span:
    """Return a sentence with those before and behind it in which its parentheses begin and end, MOST_JOINED at most.

    "Ada Orr (born Ada Lund; 3 May 1870 – 1931) was a painter." is two by its semicolon.
    """
    text, bounds = passage.text, passage.bounds
    first = last = bounds.index(span)
    for _ in range(MOST_JOINED):
        within = bounds[first][0], bounds[last][1]
        is_begun = text.count("(", *within) - text.count(")", *within)
        if is_begun < 0 and first:
            first -= 1
        elif is_begun > 0 and last + 1 < len(bounds):
            last += 1
        else:
            break
    return bounds[first][0], bounds[last][1]


def citations_in(found: Ranked) -> tuple[Citation, ...]:
    """Return the sentence where the answer stands, one of another passage that says it or leads there, and best hits.

    Of two things that are compared both are cited. What fills up MOST_CITED are the best hits that say something of
    what is asked.
    """
    reading, scores, best, _ = found
    key = reading.candidates[best].key
    ranking = np.argsort(-scores, kind="stable").tolist()
    compared = reading.features[best, INDEX["form_choice"]] and not reading.asked.is_polar
    own = reading.candidates[best].passage
    told = {own: sentence_cited(reading, reading.candidates[best])}
    # Of what a name led to, the sentence with that name tells why it answers.
    told.update(islice(_leads_to(reading, own, by=Bridge), 1))
    same = (reading.candidates[index] for index in ranking)
    said = ((each.passage, sentence_cited(reading, each)) for each in same if compared or each.key == key)
    for index, citation in chain(said, _leads_to(reading, own, by=Link)):
        told.setdefault(index, citation)
    cited = dict(islice(told.items(), MOST_SAYING))
    return (*cited.values(), *islice(_hits(reading, cited, said_in, LEAST_SAID), MOST_CITED - len(cited)))


def _leads_to(reading: Reading, target: int, by: type[Link | Bridge]) -> Iterator[tuple[int, Citation]]:
    """Yield the passages that lead to another one, with the sentence that does.

    Those come first whose name the other passage has, and of these the ones that say most of what is asked.
    """
    passages, asked, found = reading.passages, reading.asked, []
    for index, passage in enumerate(passages):
        for each, targets in leading(passage, {passages[target].entity: [target]}):
            if isinstance(each, by) and target in targets and index != target:
                bounds = passage.sentence_at(each.start)
                worth = float(said_in(asked, passage)[passage.bounds.index(bounds)] @ asked.every)
                is_named = passage.text[each.start : each.end] in passages[target].text
                found.append((is_named, worth, index, Citation(passage.uri, bounds)))
    for *_, index, citation in sorted(found, key=lambda each: each[:2], reverse=True):
        yield index, citation


def nearest(reading: Reading) -> tuple[Citation, ...]:
    """Return the best hits that mean anything of what is asked, each with the sentence that means most of it."""
    return tuple(islice(_hits(reading, (), means_in, NEAR_SAID), MOST_CITED))


def _hits(
    reading: Reading, cited: Container[int], told: Callable[[Asked, Passage], NDArray[np.float64]], least: float
) -> Iterator[Citation]:
    """Yield of each hit that is not cited yet, the best first, the sentence that tells most of what is asked.

    `told` gives what each sentence tells of each stem asked for (s, w). A hit of less than `least`, its title counted,
    is left out.
    """
    asked = reading.asked
    for index, passage in enumerate(reading.passages):
        if index not in cited:
            worth = np.maximum(told(asked, passage), flags(stems_in(passage.title), asked)) @ asked.every
            if worth.max() >= least:
                yield Citation(passage.uri, passage.bounds[int(worth.argmax())])


