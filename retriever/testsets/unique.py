"""What texts say beyond the facts that were read: a sentence by which a question may have a second answer.

Whoever asks what was designed by somebody is answered by every sentence that has
his name, or is on his page, and says `designed` of something else. Such a sentence
need not be understood to tell that the question may have two answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from retriever.synthesis.facts.store import Stored
from retriever.synthesis.grammar.nouns import is_person_noun, is_place_noun
from retriever.synthesis.grammar.predicates import DEFINITIONS, KIN, PREPOSITIONS, Predicate
from retriever.synthesis.grammar.verbs import AUXILIARIES
from retriever.testsets.evidence import Evidence, worded
from weft.text.normalise import STOP_WORDS, words_of
from weft.text.sentences import sentences
from weft.text.stems import stem, stems_of

MOST_READ = 60
"""Chunks that name one thing of which the sentences are read."""

NAMED = ("entity", "name", "phrase")

PERSONAL = KIN | {"born", "married"}
SPATIAL = frozenset("bordered borders border located situated lies flows capital headquartered county".split())
"""Words of predicates of which one end at least must be a person, or a place."""

SURE = 5
"""Facts that a thing's noun counts for in telling what it is."""


def has_rival(evidence: Evidence, start: int, fact: Stored) -> bool:
    """Tell whether a sentence says a fact's predicate of what a question names, and does not name its other end.

    Dates and numbers are not looked for: what one is told to have measured or when it began stands beside many others.
    """
    end, predicate = fact.other(start), evidence.store.predicate(fact.predicate)
    kinds = [evidence.store.thing(each).kind for each in (start, end)]
    is_row = predicate.is_noun and start == fact.subject
    if predicate.words in DEFINITIONS or is_row or not set(kinds) <= set(NAMED):
        return False
    wanted = _content(predicate)
    return bool(wanted) and any(
        wanted <= set(stems_of(sentence)) and not _names(evidence, sentence, end)
        for sentence in _of(evidence, start, fact)
    )


def has_likeness(evidence: Evidence, thing: int, description: str) -> bool:
    """Tell whether a page of another thing begins with all that a description says, so that it may describe both."""
    own = evidence.page(thing)
    wanted = {stem(word) for word in words_of(description) if word not in STOP_WORDS}
    return any(
        chunk.page_id != own and wanted <= set(stems_of(_first(chunk.text)))
        for chunk in map(evidence.chunk, evidence.having_all(words_of(description), MOST_READ))
        if chunk.kind == "paragraph" and not _names(evidence, _first(chunk.text), thing)
    )


def may_be_two(evidence: Evidence, thing: int, facts: Sequence[Stored]) -> bool:
    """Tell whether some facts may be of another thing of the same name: a sister Virginia is no state."""
    touching = evidence.store.touching(thing, MOST_READ)
    counts = Counter(kind for fact in touching for kind in _kinds(evidence, thing, fact))
    noun = evidence.naming.noun(thing)
    counts["person"] += SURE * is_person_noun(noun)
    counts["place"] += SURE * is_place_noun(noun)
    other = {"person": "place", "place": "person"}
    told = {kind for fact in facts for kind in _kinds(evidence, thing, fact)}
    return any(counts[other[kind]] >= counts[kind] for kind in told)


def _kinds(evidence: Evidence, thing: int, fact: Stored) -> Iterator[str]:
    """Yield what a thing must be by a fact: a person, or a place; what is somewhere may be anything."""
    words = set(evidence.store.predicate(fact.predicate).words.split())
    if words & PERSONAL and (thing == fact.subject or not words & {"in", "on", "at", "near"}):
        yield "person"
    if words & SPATIAL or (words & PERSONAL and words & {"in", "at"} and thing == fact.object):
        yield "place"


def _first(text: str) -> str:
    spans = sentences(text)
    return text[spans[0][0] : spans[0][1]] if spans else ""


def _content(predicate: Predicate) -> set[str]:
    """Return the stems of what a predicate says, without auxiliaries and prepositions."""
    words = f"{predicate.frame} {predicate.words}".split()
    return {stem(word) for word in words if word not in AUXILIARIES and word not in PREPOSITIONS | STOP_WORDS}


def _of(evidence: Evidence, start: int, fact: Stored) -> Iterator[str]:
    """Yield the sentences of chunks that speak of a thing, but of the fact's own one and of its other end's page."""
    page, other = evidence.page(start), evidence.page(fact.other(start))
    for chunk in evidence.naming_one(start, MOST_READ):
        row = evidence.chunk(chunk)
        if row.kind not in ("paragraph", "list") or chunk == fact.chunk or (other is not None and row.page_id == other):
            continue
        for begin, end in sentences(row.text):
            sentence = row.text[begin:end]
            if row.page_id == page or _names(evidence, sentence, start):
                yield sentence


def _names(evidence: Evidence, sentence: str, thing: int) -> bool:
    """Tell whether a sentence has a name of a thing, its last word, or its noun behind `the`."""
    said = worded(sentence)
    title = evidence.naming.title(thing).partition(" (")[0].split()
    last = title[-1] if title and title[-1][:1].isupper() else ""
    noun = evidence.naming.noun(thing).split()[-1:]
    short = [worded(last)] if last else []
    return any(name in said for name in (*evidence.names(thing), *short, *(f" the {each} " for each in noun)))
