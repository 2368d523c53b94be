"""Candidates: every run of words of the passages that could be the answer, with what the SKB knows of it.

`laid_out` numbers the words and sentences of all passages through, so that columns are computed for all candidates at
once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked
from retriever.answers.passages import Passage
from retriever.answers.text.forms import FORMS, forms_in
from retriever.answers.text.lexicon.meanings import Vectors
from retriever.answers.text.likeness import answer_tokens, normalised
from retriever.context import Cache
from retriever.session import Session
from weft.text.names import plain_name

MOST_CHUNKS = 1 << 12
Keyed = tuple[tuple[int, int, int, str, str, tuple[str, ...]], ...]
"""What in a chunk could be an answer: where it begins and ends, its form, text and key, and the words of that.

A garbage collector passes over plain tuples of these, of which there are many.
"""

WORD_BEFORE, WORD_BEHIND = re.compile(r"[^\W_]+\Z"), re.compile(r"[^\W_]+")
LONGEST_WORD = 40
"""Characters of a word that are read before a link which begins inside of one."""

ARTICLES = (" the", " a", " an", " The")
"""With what no answer ends: 'Once the "active" queue is full', 'Hall The' of a text without full stops."""

OWNS = re.compile(r"['’]s?(?![\w’'])")
"""What makes an owner of a name: "Orr's boat" says "Orr"."""

MOST_PAIRS = 1 << 18
"""Pairs of a candidate and a word that are looked at at once."""

NUMBERED = {name: index for index, name in enumerate(FORMS)}
NAMING = frozenset(NUMBERED[name] for name in ("name", "quoted", "value"))
LOOSE = frozenset(NUMBERED[name] for name in ("phrase", "clause"))


class Candidate(NamedTuple):
    """A run of characters of a passage, or its title, that may answer.

    `key` is what all spellings of one answer share. `entity` is what a link says
    it is, 0 where none does. A title stands nowhere: its span is empty, before the first sentence.
    """

    text: str
    key: str
    passage: int
    start: int
    end: int
    form: int
    entity: int


def candidates_of(session: Session, passages: Sequence[Passage], asked: Asked) -> list[Candidate]:
    """Return the candidates of all passages, passage by passage; what the question says itself is left out."""
    forms = forms_of(session, passages)
    inside = frozenset(answer_tokens(asked.text)).union(answer_tokens(OWNS.sub("", asked.text)))
    entities = _entities(passages)
    found: list[Candidate] = []
    for index, passage in enumerate(passages):
        linked = {(link.start, link.end): link.entity for link in passage.links}
        for start, end, form, text, key, tokens in forms[passage.chunk]:
            # Most first words the question does not say; a set is made only behind one that it does.
            if tokens[0] not in inside or not inside.issuperset(tokens):
                entity = linked.pop((start, end), 0) if linked else 0
                if not entity and form in NAMING:
                    entity = entities.get(key, 0)
                found.append(Candidate(text, key, index, start, end, form, entity))
        for (start, end), entity in linked.items():
            start, end = _whole_words(passage.text, start, end)
            text = passage.text[start:end]
            key = normalised(text)
            if key and not inside.issuperset(key.split()):
                found.append(Candidate(text, key, index, start, end, NUMBERED["name"], entity))
        title = plain_name(passage.title)
        key = normalised(title)
        if key and not inside.issuperset(key.split()):
            start, _ = passage.bounds[0]
            found.append(Candidate(title, key, index, start, start, NUMBERED["title"], passage.entity))
    return found


def forms_of(session: Session, passages: Sequence[Passage]) -> Mapping[int, Keyed]:
    """Return what in each passage could be an answer, by its chunk; known for MOST_CHUNKS chunks."""
    known: Cache[int, Keyed] = session.part("forms of chunks", lambda own: Cache(MOST_CHUNKS))
    texts = {passage.chunk: passage.text for passage in passages}
    return known.of(texts, lambda missing: ((each, _keyed(texts[each])) for each in missing))


def sentence_of(passages: Sequence[Passage], candidate: Candidate) -> tuple[int, int]:
    """Return the passage of a candidate, and where its sentence begins there."""
    return candidate.passage, passages[candidate.passage].sentence_at(candidate.start)[0]


def _entities(passages: Sequence[Passage]) -> dict[str, int]:
    """Return what names are known to mean: those of the pages read, and what their links are anchored on."""
    found: dict[str, int] = {}
    for passage in passages:
        for text in (passage.title, plain_name(passage.title)):
            found.setdefault(normalised(text), passage.entity)
    for passage in passages:
        for link in passage.links:
            found.setdefault(normalised(passage.text[link.start : link.end]), link.entity)
    return found


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return characters with the rest of the words in which they begin and end: "counter[clockwise]"."""
    before, behind = WORD_BEFORE.search(text, max(0, start - LONGEST_WORD), start), WORD_BEHIND.match(text, end)
    start = before.start() if before and text[start : start + 1].isalnum() else start
    return start, behind.end() if behind and text[end - 1 : end].isalnum() else end


def _keyed(text: str) -> Keyed:
    found = []
    for form in forms_in(text):
        own = text[form.start : form.end]
        if (tokens := answer_tokens(own)) and not own.endswith(ARTICLES):
            found.append((form.start, form.end, NUMBERED[form.form], own, " ".join(tokens), tuple(tokens)))
    return tuple(found)


class Laid(NamedTuple):
    """Candidates (c,) over their passages (p,), the words (n,) and sentences (s,) of all of which are numbered through.

    `owners` (c,) is the passage of each candidate, in ascending order, `spans` (c, 2) its first word and that behind
    its last, at least one character taken, `sentences` (c,) the sentence that it begins in; `stands` (c,): it is no
    title. `first_words` and `first_sentences` (p + 1,) are where passages begin, `of_passage` (s,) is whose each
    sentence is. The others are those of `Passage`.
    """

    passages: Sequence[Passage]
    owners: NDArray[np.int64]
    spans: NDArray[np.int64]
    sentences: NDArray[np.int64]
    stands: NDArray[np.bool_]
    first_words: NDArray[np.int64]
    first_sentences: NDArray[np.int64]
    of_passage: NDArray[np.int64]
    stems: tuple[str, ...]
    asked: NDArray[np.int64]
    in_sentence: NDArray[np.int64]
    bounds: tuple[tuple[int, int], ...]
    means: Vectors

    def rows(self, passage: int) -> slice:
        """Return the candidates of a passage."""
        return slice(*np.searchsorted(self.owners, (passage, passage + 1)).tolist())

    def blocks(self) -> Iterator[tuple[slice, slice]]:
        """Yield candidates and the words of their passages, as many passages at once as MOST_PAIRS allows."""
        rows = np.searchsorted(self.owners, np.arange(len(self.passages) + 1))
        first = 0
        for last in range(1, len(rows)):
            if last + 1 == len(rows) or self._pairs(rows, first, last + 1) > MOST_PAIRS:
                if rows[last] > rows[first]:
                    yield slice(rows[first], rows[last]), slice(self.first_words[first], self.first_words[last])
                first = last

    def _pairs(self, rows: NDArray[np.int64], first: int, last: int) -> int:
        return int((rows[last] - rows[first]) * (self.first_words[last] - self.first_words[first]))


def laid_out(passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Laid:
    """Return candidates, which are in the order of their passages, over the words of all passages."""
    owners, starts, ends = np.array([(each.passage, each.start, each.end) for each in candidates], np.int64).T
    first_words = _begins([len(passage.words.starts) for passage in passages])
    first_sentences = _begins([len(passage.bounds) for passage in passages])
    # One character apart, no run reaches into the next passage.
    offsets = _begins([len(passage.text) + 1 for passage in passages])
    begun = starts + offsets[owners]
    until = np.maximum(ends + offsets[owners], begun + 1)
    word_ends = _shifted([passage.words.ends for passage in passages], offsets)
    word_starts = _shifted([passage.words.starts for passage in passages], offsets)
    first = np.searchsorted(word_ends, begun, side="right")
    spans = np.column_stack([first, np.maximum(first, np.searchsorted(word_starts, until))])
    in_sentence = _shifted([passage.in_sentence for passage in passages], first_sentences)
    last = first_words[owners + 1] - 1
    sentences = np.append(in_sentence, 0)[np.minimum(first, last)]
    sentences = np.where(last < first_words[owners], first_sentences[owners], sentences)
    return Laid(
        passages, owners, spans, sentences, ends > starts, first_words, first_sentences,
        np.repeat(np.arange(len(passages)), np.diff(first_sentences)),
        tuple(chain.from_iterable(each.words.stems for each in passages)),
        np.concatenate([each.asked for each in passages]), in_sentence,
        tuple(chain.from_iterable(each.bounds for each in passages)),
        np.concatenate([each.means for each in passages]),
    )  # fmt: skip


def _begins(lengths: Sequence[int]) -> NDArray[np.int64]:
    """Return where each of some things of such lengths begins, one behind another, and the end (n + 1,)."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _shifted(numbers: Sequence[NDArray[np.int64]], begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what counts from the beginning of each of some things, counted from that of the first."""
    return np.concatenate(numbers) + np.repeat(begins[:-1], list(map(len, numbers)))
