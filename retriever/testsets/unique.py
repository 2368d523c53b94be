"""What texts say beyond the facts that were read: a sentence by which a question may have a second answer.

Whoever asks what was designed by somebody is answered by every sentence that has
his name, or is on his page, and says `designed` of something else. Such a sentence
need not be understood to tell that the question may have two answers.
"""

from __future__ import annotations

from collections.abc import Iterator

from retriever.synthesis.facts.store import Stored
from retriever.synthesis.grammar.predicates import DEFINITIONS, PREPOSITIONS, Predicate
from retriever.synthesis.grammar.verbs import AUXILIARIES
from retriever.testsets.evidence import Evidence, worded
from weft.text.normalise import STOP_WORDS, words_of
from weft.text.sentences import sentences
from weft.text.stems import stem, stems_of

MOST_READ = 60
"""Chunks that name one thing of which the sentences are read."""

NAMED = ("entity", "name", "phrase")


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
