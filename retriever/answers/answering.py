"""Answering: a searcher's hits to an answer with its citations, or to none where they hold none.

Over chunks an answer is found and cites the sentence where it stands; over entities it is the names of nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retriever.answers.choices.whole_names import with_whole_name
from retriever.answers.citations import MOST_CITED, citations_in, nearest, sentence_cited
from retriever.answers.columns.cells import in_unit
from retriever.answers.columns.features import INDEX
from retriever.answers.generation import generated
from retriever.answers.hops.bridge import Ways, bridged
from retriever.answers.hops.hop import Hop
from retriever.answers.hops.kin.relatives import TOLD, UNTOLD, kin_asked, relative
from retriever.answers.hops.kin.steps import names_steps
from retriever.answers.hops.roles import SURE, told_by_role
from retriever.answers.hops.unpaged import life_of
from retriever.answers.nodes import node_answer
from retriever.answers.options.defaults import default
from retriever.answers.options.purpose import purpose
from retriever.answers.options.usage import said_in_usage
from retriever.answers.passages import HITS as READ
from retriever.answers.patterns.contacts import contact
from retriever.answers.patterns.definitions import definition, looked_up
from retriever.answers.patterns.either import LEAST, as_offered, either
from retriever.answers.patterns.facts import STATED, Fact, fact_asked, told_in
from retriever.answers.patterns.hours import opening
from retriever.answers.patterns.kin_trades import kin_trade, own_trade, trade_asked
from retriever.answers.patterns.spans import without_noun
from retriever.answers.patterns.steps import steps
from retriever.answers.patterns.succession import in_succession
from retriever.answers.patterns.whose_life import whose_life
from retriever.answers.questions.directly import asked_directly
from retriever.answers.ranker import Ranked, ranked, ranker_of, share_of, single_candidate, without_named
from retriever.answers.reading import Reading, read
from retriever.answers.rules.contrasts import is_of_another
from retriever.answers.spelling import respelled
from retriever.answers.tables.ordered import in_order
from retriever.answers.tables.placed import placed
from retriever.answers.tables.row_counts import row_count
from retriever.answers.tables.rows import said_of, selected
from retriever.answers.tables.superlatives import superlative
from retriever.answers.text.lists import listed
from retriever.answers.text.measures import without_dimension
from retriever.fusion.store import Fusion
from retriever.question.reader import query_of, question_of
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Answer, Citation, Ids, Step
from weft.text.normalise import normalized

HITS = 20
THRESHOLD = 0.4
"""Below this chance a question is not answerable (docs/answers.md)."""

LONGEST = 300
"""Characters of a question that may ask for hours or a role, or offer two words."""

DOUBTFUL = 0.1
"""The confidence below which hardly any answer is right to how or why something is so, or to a phrase."""

NEARLY_AS_SURE = 0.7
"""By way of a name without a page an answer must be so sure, as a share of how sure the flat one is."""

OF_A_LIFE = 0.5
"""The least chance of what the page about somebody says right where it tells that of a life, as the question asks."""

class Chosen(NamedTuple):
    """A reading with its best candidate, how surely what was read answers, and the hops that led there, if any.

    `fact` says the same, where there is one.
    """

    found: Ranked
    chance: float
    hops: tuple[Hop, ...] = ()
    fact: Fact | None = None

    @property
    def share(self) -> float:
        """How surely the best candidate is the right one, 0 to 1, where what was read has an answer."""
        return 1.0 if self.fact else share_of(self.found)


class Found(NamedTuple):
    """An answer, how surely it is one, and the best other candidates with their scores, a withheld one first.

    `nearest` are the best hits where there is no answer, each with the sentence that means most of what is asked.
    `hops` are the questions that were answered on the way, with their answers. `read_as` is the question where some of
    its words were taken for misspelt, "" where none was. `share` is how surely the answer is the right one, 0 to 1,
    where what was read has an answer; `least_confidence` is what an answer to the question needed.
    """

    answer: Answer
    chance: float
    others: tuple[tuple[str, float], ...] = ()
    nearest: tuple[Citation, ...] = ()
    hops: tuple[tuple[str, str], ...] = ()
    read_as: str = ""
    share: float = 1.0
    least_confidence: float = 0.0

    @property
    def confidence(self) -> float:
        """The probability that the answer is right: that what was read has one, and that this is it."""
        return self.chance * self.share


def find_answer(
    searcher: Searcher, text: str, threshold: float | None = None, least_confidence: float = 0.0
) -> Found:
    """Return the answer to a question by a method's hits.

    Its text is None where the chance is below `threshold`, or its confidence below `least_confidence`.

    The session's language model writes it, where there is one; a model tells no chance. Where its reply cannot be
    read, the answer is extracted.
    """
    if searcher.unit == "entity":
        return Found(*node_answer(searcher, text))
    text = asked_directly(normalized("NFC", text))
    session = searcher.session
    ranking = searcher if session.chat is not None else searcher.direct
    reading = reading_of(ranking, text)
    spelled = respelled(session, text, reading.passages)
    least = THRESHOLD if threshold is None else threshold, least_confidence
    if spelled != text:
        return _answered(searcher, spelled, reading_of(ranking, spelled), least)._replace(read_as=spelled)
    return _answered(searcher, text, reading, least)


def _answered(searcher: Searcher, text: str, reading: Reading, least: tuple[float, float]) -> Found:
    session = searcher.session
    if session.chat is not None and (answer := generated(session, reading)) is not None:
        withheld = answer.text is None
        return Found(answer, 0.0 if withheld else 1.0, nearest=nearest(reading) if withheld else ())
    timer = session.trace.timer()
    ranker = ranker_of(session)
    chosen = choose(searcher, ranker, text, reading)
    fact = fact_asked(session, reading.asked) if searcher.allowed is None and max(least) <= STATED else None
    if fact is not None and (chosen is None or chosen.fact is None):
        result = Found(Answer(fact.value, "extracted", (fact.cited,)), STATED)
    else:
        result = _extracted(reading, chosen, least)
    detail = {"chance": round(result.chance, 4), "others": [text for text, _ in result.others]}
    detail |= {"hops": [f"{asks} {answer}" for asks, answer in result.hops]} if result.hops else {}
    session.trace.add(Step("answer", timer.seconds(), stand_in="extracted", detail=detail))
    return result


def reading_of(searcher: Searcher, text: str, allowed: Ids | None = None, *, onward: bool = True) -> Reading:
    """Return what a method's hits offer as answers, and what names in them lead to, where `onward`.

    `allowed` takes the place of what the searcher may rank.
    """
    session = searcher.session
    query = query_of(question_of(session, text), "chunk", searcher.allowed if allowed is None else allowed)
    found = searcher.rank(text, HITS) if allowed is None else searcher.ranker.rank(session, query, HITS)
    timer = session.trace.timer()
    reading = read(session, query, found, onward=onward)
    detail = {"candidates": len(reading.candidates), "passages": len(reading.passages)}
    session.trace.add(Step("read", timer.seconds(), detail=detail))
    return reading


def choose(
    searcher: Searcher, ranker: Fusion, text: str, reading: Reading, allowed: Ids | None = None
) -> Chosen | None:
    """Return the best candidate of a reading, or that to which what the question describes leads; None without any.

    `allowed` takes the place of what the searcher may rank.
    """
    if (fact := fact_asked(searcher.session, reading.asked)) and (stated := told_in(ranked(ranker, reading), fact)):
        return Chosen(stated, stated.chance, fact=fact)
    allowed = searcher.allowed if allowed is None else allowed
    if (told := _told(searcher.session, ranker, reading, allowed)) is not None:
        return Chosen(told, told.chance)
    chances = {passage.chunk: passage.chance for passage in reading.passages[:READ]}
    ways = Ways()
    if searcher.method.ranker.options.get("hops", True):
        ways = bridged(searcher.session, searcher.direct.ranker, ranker, text, chances, allowed)
    way = ways.way
    if way is None and (life := life_of(searcher.session, ranker, reading)) is not None:
        return Chosen(life, life.chance)
    found = ranked(ranker, reading)
    if way is None or (found and not way.is_sure and way.chance < NEARLY_AS_SURE * found.chance):
        found = found and without_named(ranker, found, [hop.answer for hop in ways.described])
        found = found and as_offered(_unless_of_another(found))
        is_untold = ways.asks_kin or kin_asked(text) is not None or trade_asked(text) is not None
        is_untold = is_untold and not (found and names_steps(text, _said(found)))
        return found and Chosen(with_whole_name(found), _least_of_a_life(found) * (UNTOLD if is_untold else 1.0))
    agrees = found is not None and found.candidate.key == way.last.candidate.key
    last = with_whole_name(way.last)
    return Chosen(last, max(way.chance, found.chance if found and agrees else 0.0), way.hops, way.fact)


def _unless_of_another(found: Ranked) -> Ranked:
    """Return a reading that has no answer for sure where the best candidate is told of something else than is named."""
    passage = found.reading.passages[found.candidate.passage]
    return found._replace(chance=0.0) if is_of_another(found.reading.asked, passage, found.candidate) else found


def _least_of_a_life(found: Ranked) -> float:
    """Return the chance of a reading, OF_A_LIFE at least where the page of somebody tells the best candidate so."""
    features = found.reading.features
    is_told = found.chance > 0 and found.best < len(features) and features[found.best, INDEX["told_of_life"]]
    return max(found.chance, OF_A_LIFE) if is_told else found.chance


def _said(found: Ranked) -> str:
    """Return the sentence where the answer stands."""
    passage = found.reading.passages[found.candidate.passage]
    return passage.text[slice(*passage.sentence_at(found.candidate.start))]


def _told(session: Session, ranker: Fusion, reading: Reading, allowed: Ids | None) -> Ranked | None:
    """Return what a rule for one form of question finds; None where none does."""
    told = default(reading) or looked_up(reading) or said_in_usage(reading) or purpose(reading)
    told = told or definition(ranker, reading) or selected(reading) or said_of(reading) or steps(reading)
    if told is not None or len(reading.asked.text) > LONGEST:
        return told
    if found := opening(reading) or contact(reading):
        return found
    text, passages = reading.asked.text, reading.passages
    if trade := kin_trade(text, passages) or own_trade(text, passages):
        return single_candidate(reading, trade, TOLD)
    if kin := relative(session, text, passages):
        return single_candidate(reading, kin, TOLD)
    most = superlative(session, reading.asked, passages) or in_order(reading.asked, passages)
    most = most or row_count(session, reading.asked, passages)
    if most := most or in_succession(session, reading.asked, passages, allowed):
        return single_candidate(reading._replace(passages=most.passages), most.candidate, SURE)
    said = either(reading.asked, passages)
    chosen = said.candidate if said and said.worth >= LEAST else placed(reading.asked, passages)
    chosen = chosen or told_by_role(session, text, passages) or whose_life(session, text, passages)
    return chosen and single_candidate(reading, chosen, SURE)


def _extracted(reading: Reading, chosen: Chosen | None, least: tuple[float, float]) -> Found:
    if chosen is None:
        return Found(Answer(None, "extracted"), 0.0, nearest=nearest(reading))
    found, others = chosen.found, _others(chosen.found)
    least_chance, least_confidence = least
    asked = found.reading.asked
    if (asked.kind == "manner" or asked.is_phrase) and least_chance > 0:
        least_confidence = max(least_confidence, DOUBTFUL)
    if chosen.chance < least_chance or chosen.chance * chosen.share < least_confidence:
        withheld = found.candidate.text, float(found.scores[found.best])
        answer, others = Answer(None, "extracted"), (withheld, *others)
        return Found(
            answer, chosen.chance, others, nearest(reading), share=chosen.share, least_confidence=least_confidence
        )
    hops = tuple((hop.asks, hop.answer) for hop in chosen.hops)
    answer = Answer(_as_asked(found), "extracted", citations_of(chosen))
    return Found(answer, chosen.chance, others, hops=hops, share=chosen.share)


def _as_asked(found: Ranked) -> str:
    """Return an answer's text as a question asks for it: with its enumeration or unit, or without a dimension."""
    each, asked = found.candidate, found.reading.asked
    passage = found.reading.passages[each.passage]
    if asked.several and passage.text[each.start : each.end] == each.text:
        return without_noun(asked, passage.text[slice(*listed(passage.text, each.start, each.end))])
    text = in_unit(asked, passage, each)
    return without_dimension(text) if asked.measures else text


def _others(scored: Ranked) -> tuple[tuple[str, float], ...]:
    reading, scores, best, _ = scored
    found: dict[str, tuple[str, float]] = {}
    for index in np.argsort(-scores, kind="stable").tolist():
        each = reading.candidates[index]
        if each.key != reading.candidates[best].key:
            found.setdefault(each.key, (each.text, float(scores[index])))
        if len(found) == 3:
            break
    return tuple(found.values())


def citations_of(chosen: Chosen) -> tuple[Citation, ...]:
    """Return the sentence where the answer stands, those of the hops that led there, then others of `citations_in`.

    At most MOST_CITED, each once. Where a fact says the same, it is cited in the place of those others, and first where
    the answer stands in no passage.
    """
    reading, candidate = chosen.found.reading, chosen.found.candidate
    ways = [hop.fact.cited if hop.fact else sentence_cited(hop.found.reading, hop.found.candidate)
            for hop in reversed(chosen.hops)]  # fmt: skip
    if chosen.fact is not None:
        stands = candidate.end > candidate.start
        told = (sentence_cited(reading, candidate), *ways, chosen.fact.cited) if stands else (chosen.fact.cited, *ways)
        return tuple(dict.fromkeys(told))[:MOST_CITED]
    first, *others = citations_in(chosen.found)
    return tuple(dict.fromkeys((first, *ways, *others)))[:MOST_CITED]
