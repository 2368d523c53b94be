"""Spelling: words of a question that no chunk has, read as words of its best passages that are spelt nearly so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from retriever.answers.passages import Passage
from retriever.answers.text.words import FUNCTION, WORD, stem_of, word_spans
from retriever.index.terms import stem_posting
from retriever.session import Session
from weft.embedders.word_vectors import word_vectors

SHORTEST = 5
"""Letters of a word that may be misspelt: shorter ones are alike by chance."""

LEAST_ALIKE = 0.83
"""The least ratio of two words (`difflib`): a letter more, less or other among six."""

FORM = re.compile(r"(?:s|d|ing|er|or|ly|y|ion)$", re.I)
"""Ends of words that may be forms of another one, which a chunk has in place of them."""


def respelled(session: Session, text: str, passages: Iterable[Passage]) -> str:
    """Return a question with every misspelt word read as the word of some passages that is most like it.

    Misspelt is what no chunk has, not in another form either, and no English text (`weft/embedders/word_vectors.py`).
    Both words begin with the same letter. O(words of the passages), only for such words.
    """
    unknown = [(word, start) for word, start, _ in word_spans(text) if _is_unknown(session, word)]
    if not unknown:
        return text
    known: dict[str, str] = {}
    for passage in passages:
        for word in WORD.findall(f"{passage.title} {passage.heading} {passage.text}"):
            known.setdefault(word.lower(), word)
    for word, start in reversed(unknown):
        lower = word.lower()
        near = get_close_matches(lower, [each for each in known if each[0] == lower[0]], 1, LEAST_ALIKE)
        if near:
            text = text[:start] + known[near[0]] + text[start + len(word) :]
    return text


def _is_unknown(session: Session, word: str) -> bool:
    own = stem_of(word)
    if len(word) < SHORTEST or word.lower() in FUNCTION or not (word.isascii() and word.isalpha()):
        return False
    if own.encode() in word_vectors().indices:
        return False
    if not len(stem_posting(session, "chunk", own).rows):
        return True
    # "Ostrell" has the stem of "Ostrel", as "install" of "instal", and yet names nothing.
    return not FORM.search(word) and not session.postings("chunk").frequency(session.skb.connection, word)
