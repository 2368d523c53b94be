"""Answering: a searcher's hits to an answer with its citations, or to none where they hold none.

Over chunks an answer is found and cites the sentence where it stands; over entities it is the names of nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.features import INDEX
from retriever.answers.generation import generated
from retriever.answers.nodes import node_answer
from retriever.answers.passages import Passage
from retriever.answers.ranker import best_of, chance, load_ranker, score
from retriever.answers.reading import Reading, read
from retriever.answers.sentences import means_in, said_in
from retriever.answers.text.measures import without_dimension
from retriever.answers.text.words import stems_in
from retriever.fusion.store import Fusion
from retriever.question.reader import query_of, question_of
from retriever.searcher import Searcher
from retriever.types import Answer, Citation, Ids, Scores, Step

HITS = 20
THRESHOLD = 0.45
"""Below this chance a question is not answerable (docs/answers.md)."""

MOST_CITED = 3
MOST_SAYING = 2
"""Citations of sentences that say the answer or lead there; the others are of the best hits."""

LEAST_SAID = 0.2
"""A hit is cited beside an answer where one of its sentences says so much of what is asked, by rarity."""

NEAR_SAID = 0.01
"""A hit is near a question without an answer where it means anything of what is asked."""


class Found(NamedTuple):
    """An answer, how surely it is one, and the best other candidates with their scores, a withheld one first.

    `nearest` are the best hits where there is no answer, each with the sentence that means most of what is asked.
    """

    answer: Answer
    chance: float
    others: tuple[tuple[str, float], ...] = ()
    nearest: tuple[Citation, ...] = ()


def find_answer(searcher: Searcher, text: str, threshold: float | None = None) -> Found:
    """Return the answer to a question by a method's hits; its text is None where the chance is below `threshold`.

    The session's language model writes it, where there is one; a model tells no chance.
    """
    if searcher.unit == "entity":
        return Found(*node_answer(searcher, text))
    session = searcher.session
    reading = reading_of(searcher, text)
    if session.chat is not None:
        answer = generated(session, reading)
        withheld = answer.text is None
        return Found(answer, 0.0 if withheld else 1.0, nearest=_nearest(reading) if withheld else ())
    timer = session.trace.timer()
    ranker = session.part("ranker of answers", lambda own: load_ranker())
    result = _extracted(ranker, reading, THRESHOLD if threshold is None else threshold)
    detail = {"chance": round(result.chance, 4), "others": [text for text, _ in result.others]}
    session.trace.add(Step("answer", timer.seconds(), stand_in="extracted", detail=detail))
    return result


def reading_of(searcher: Searcher, text: str, allowed: Ids | None = None) -> Reading:
    """Return what a method's hits offer as answers; `allowed` takes the place of what the searcher may rank."""
    session = searcher.session
    query = query_of(question_of(session, text), "chunk", searcher.allowed if allowed is None else allowed)
    found = searcher.rank(text, HITS) if allowed is None else searcher.ranker.rank(session, query, HITS)
    timer = session.trace.timer()
    reading = read(session, query, found)
    detail = {"candidates": len(reading.candidates), "passages": len(reading.passages)}
    session.trace.add(Step("read", timer.seconds(), detail=detail))
    return reading


def _extracted(ranker: Fusion, reading: Reading, threshold: float) -> Found:
    if not len(reading.candidates):
        return Found(Answer(None, "extracted"), 0.0, nearest=_nearest(reading))
    scores = score(ranker, reading)
    best = best_of(reading, scores)
    sure = chance(ranker, reading, scores)
    others = _others(reading, scores, best)
    if sure < threshold:
        withheld = (reading.candidates[best].text, float(scores[best]))
        return Found(Answer(None, "extracted"), sure, (withheld, *others), _nearest(reading))
    text = reading.candidates[best].text
    text = without_dimension(text) if reading.asked.measures else text
    return Found(Answer(text, "extracted", citations_of(reading, scores, best)), sure, others)


def _others(reading: Reading, scores: Scores, best: int) -> tuple[tuple[str, float], ...]:
    found: dict[str, tuple[str, float]] = {}
    for index in np.argsort(-scores, kind="stable").tolist():
        each = reading.candidates[index]
        if each.key != reading.candidates[best].key:
            found.setdefault(each.key, (each.text, float(scores[index])))
        if len(found) == 3:
            break
    return tuple(found.values())


def citations_of(reading: Reading, scores: Scores, best: int) -> tuple[Citation, ...]:
    """Return the sentence where the answer stands, one of another passage that says it or leads there, and best hits.

    Of two things that are compared both are cited. What fills up MOST_CITED are the best hits that say something of
    what is asked.
    """
    key = reading.candidates[best].key
    ranked = np.argsort(-scores, kind="stable").tolist()
    compared = reading.features[best, INDEX["form_choice"]] and not reading.asked.is_polar
    order = [best, *(index for index in ranked if compared or reading.candidates[index].key == key)]
    found: dict[int, Citation] = {}
    for index in order:
        each = reading.candidates[index]
        passage = reading.passages[each.passage]
        found.setdefault(each.passage, Citation(passage.uri, passage.sentence_at(each.start)))
    if reading.ways.reached[reading.candidates[best].passage] > 0:
        for index, passage in enumerate(reading.passages):
            target = reading.passages[reading.candidates[best].passage].entity
            for link in passage.links:
                if link.entity == target and passage.entity != target:
                    found.setdefault(index, Citation(passage.uri, passage.sentence_at(link.start)))
    cited = dict(islice(found.items(), MOST_SAYING))
    return (*cited.values(), *islice(_hits(reading, cited, said_in, LEAST_SAID), MOST_CITED - len(cited)))


def _nearest(reading: Reading) -> tuple[Citation, ...]:
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


