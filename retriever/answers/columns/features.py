"""What is known of each candidate: columns for the ranker, computed for those of all passages at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked
from retriever.answers.candidates import NUMBERED, Candidate, Laid, laid_out
from retriever.answers.columns.cells import ROWS, rows_of
from retriever.answers.columns.chains import chains_between
from retriever.answers.columns.fits import FITS, fits_of, fitting_rows
from retriever.answers.columns.lives import told_of_lives
from retriever.answers.columns.sentences import BESIDE, CHAINED, OVERLAP, SAID, said_of
from retriever.answers.passages import Passage, Ways
from retriever.answers.text.forms import FORMS
from retriever.answers.text.kind_asked import KINDS
from retriever.answers.text.kinds import NOTHING, Kind, kinds_of
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.looks import CLOSE, NOTHING_SAID, READ, said_before
from retriever.answers.text.words import stems_in
from retriever.learning.table import Features, Rows
from retriever.session import Session

WHERE = (
    "chance", "chance_best", "rank", "named_page", "from_named", "reached", "back", "is_lead", "is_prose",
    "title_asked",
)  # fmt: skip
SHAPE = (
    "n_words", "n_characters", "begins", "in_parenthesis", "is_linked", "capitalised", "quote", "ends_clause",
    "begins_clause", "cut_before", "cut_behind", "article", "called", "called_asked", "because_asked", "by_asked",
    "default_asked", "in_title",
)  # fmt: skip
AMONG = ("said_by", "said_times", "said_on_best", "is_title", "agrees", "agrees_not", "told_of_life", "cell_best")
AHEAD = ("of", "in", "and", "from", "for", "to", "a", "per", "by", "on", "at", "with", "who", "which", "is", "was",
          ",", ".", ";", "(", ")", "|")  # fmt: skip
BEHIND = (*"in by of at from to on as with for the a and is was called".split(), ",", "(")
COLUMNS = (
    *WHERE, *SAID, *BESIDE, *ROWS, *OVERLAP, *CHAINED, *SHAPE, *FITS, *AMONG, *(f"form_{each}" for each in FORMS),
    *(f"asks_{each}" for each in (*KINDS, "what", "nothing")), *(f"behind_{each}" for each in BEHIND),
    *(f"ahead_{each}" for each in AHEAD),
)  # fmt: skip
INDEX = {name: index for index, name in enumerate(COLUMNS)}
JOINTS = (" ", "-", "'", "’", "–", ". ")
NEXT = re.compile(r"[\"”’']?\s?([^\W\d_]+|[,.;()|])")
QUOTES = ('"', "“")
OPENS, CLOSES = ("", ",", ";", "(", ":", "|"), (".", ",", ";", ")", "")
TOLD_ALIKE = 1e-6
"""How near to what most is told in a cell as much is told."""

FITS_AT = [INDEX[name] for name in FITS]
FORM_AT = INDEX[f"form_{FORMS[0]}"]
TOLD = (
    "begins", "in_parenthesis", "quote", "begins_clause", "cut_before", "article", "called", "called_asked",
    "because_asked", "by_asked", "default_asked", "ends_clause", "cut_behind",
)  # fmt: skip
TOLD_AT = [INDEX[name] for name in TOLD]


def features_of(
    session: Session, asked: Asked, passages: Sequence[Passage], ways: Ways, candidates: Sequence[Candidate],
    strict: bool = False,
) -> tuple[Rows, Features]:  # fmt: skip
    """Return which candidates are kept (m,), and their columns (m, len(COLUMNS)).

    Candidates are in the order of their passages. Where `strict`, those are kept that fit best by what they look like,
    if any fits at all; else all.
    """
    if not candidates:
        return np.zeros(0, np.int64), np.zeros((0, len(COLUMNS)), np.float32)
    laid = laid_out(passages, candidates)
    fits = fits_of(asked, laid, candidates, _kinds(session, candidates))
    among = _among(asked, laid, candidates)
    rows = fitting_rows(asked, fits) if strict else np.arange(len(candidates))
    if len(rows) < len(candidates):
        candidates = [candidates[row] for row in rows.tolist()]
        laid = laid_out(passages, candidates)
    found = np.zeros((len(rows), len(COLUMNS)), np.float32)
    found[:, FITS_AT] = fits[rows]
    for name, column in among.items():
        found[:, INDEX[name]] = column[rows]
    for name, column in said_of(asked, laid, ways, chains_between(passages, asked), candidates).items():
        found[:, INDEX[name]] = column
    found[:, : len(WHERE)] = _where(asked, passages, ways)[laid.owners]
    _shape(found, asked, laid, candidates)
    found[:, INDEX[f"asks_{asked.kind}"]] = 1
    found[:, INDEX["asks_what"]], found[:, INDEX["asks_nothing"]] = asked.asks_what, asked.is_phrase
    return rows, found


def _kinds(session: Session, candidates: Sequence[Candidate]) -> dict[int, Kind]:
    """Return what each candidate's entity is, by its page."""
    entities = np.unique(np.fromiter((each.entity for each in candidates), np.int64, len(candidates)))
    entities = entities[entities > 0]
    pages = session.chunk_table.pages_of(entities)
    known = kinds_of(session, [page for page in pages.tolist() if page])
    own = zip(entities.tolist(), pages.tolist(), strict=True)
    return {entity: known.get(page, NOTHING) for entity, page in own if page}


def _where(asked: Asked, passages: Sequence[Passage], ways: Ways) -> Features:
    """Return the columns `WHERE` of each passage (p, len(WHERE))."""
    chances = np.array([passage.chance for passage in passages])
    best = chances.max(initial=0.0)
    titles = [set(stems_in(passage.title)) for passage in passages]
    return np.column_stack([
        chances, chances / best if best else 0.0 * chances, 1.0 / (1 + np.array([each.rank for each in passages])),
        [each.named for each in passages], ways.from_named, ways.reached, ways.back,
        [each.is_lead for each in passages], [each.kind == "paragraph" for each in passages],
        [len(title & asked.tokens) / max(1, len(title)) for title in titles],
    ]).astype(np.float32)  # fmt: skip


def _shape(found: Features, asked: Asked, laid: Laid, candidates: Sequence[Candidate]) -> None:
    passages, rows = laid.passages, np.arange(len(candidates))
    starts, forms = np.array([(each.start, each.form) for each in candidates], np.int64).T
    stands = forms != NUMBERED["title"]
    joined = [*chain.from_iterable(map(_joined, passages)), False]
    # Many candidates begin at one place.
    keys = np.column_stack([laid.owners, starts, forms == NUMBERED["quoted"]])
    _, one_each, places = np.unique(keys @ (1 << 32, 2, 1), return_index=True, return_inverse=True)
    told, columns = _before(asked, laid, joined, np.column_stack([keys, laid.spans[:, 0]])[one_each])
    found[:, TOLD_AT[:-2]] = told[places]
    found[:, TOLD_AT[-2]] = [passages[each.passage].text[each.end : each.end + 1] in CLOSES for each in candidates]
    found[:, TOLD_AT[-1]] = np.array(joined)[np.where(laid.stands, laid.spans[:, 1], laid.spans[:, 0])]
    found[np.flatnonzero(~stands)[:, None], TOLD_AT] = 0
    found[rows, FORM_AT + forms] = 1
    ahead = np.array([_ahead(passages[each.passage].text, each.end) for each in candidates], np.int64)
    for column in (columns[places], ahead):
        is_told = stands & (column >= 0)
        found[rows[is_told], column[is_told]] = 1
    found[:, INDEX["n_words"]] = np.minimum(8, np.array([each.text.count(" ") for each in candidates]) + 1)
    found[:, INDEX["n_characters"]] = np.minimum(60, np.array([len(each.text) for each in candidates])) / 20
    found[:, INDEX["is_linked"]] = [each.entity > 0 for each in candidates]
    found[:, INDEX["capitalised"]] = [each.text[:1].isupper() for each in candidates]
    titles = [{*answer_tokens(passage.title)} for passage in passages]
    found[:, INDEX["in_title"]] = [titles[each.passage].issuperset(each.key.split()) for each in candidates]


def _before(
    asked: Asked, laid: Laid, joined: Sequence[bool], places: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return what is told (m, len(TOLD) - 2) of what begins at each place, and the column (m,) of what stands before.

    A place (m, 4) is a passage, a character of it, whether a quotation begins there, and the number of the word.
    """
    of_person, says_more = asked.kind == "person", asked.kind == "person" or asked.defaults
    told, columns = [], []
    for owner, group in groupby(places.tolist(), itemgetter(0)):
        passage, before_all = laid.passages[owner], int(laid.first_words[owner])
        text, ends = passage.text, passage.words.ends.tolist()
        starts = passage.words.starts.tolist()
        depth, begins = _depth(text), {begin for begin, _ in passage.bounds}
        for _, start, is_quoted, index in group:
            first = index - before_all
            word = text[starts[first - 1] : ends[first - 1]].lower() if first else ""
            gap = text[ends[first - 1] : start] if first else text[:start]
            said = said_before(text[max(0, start - READ) : start], word) if says_more or word in CLOSE else NOTHING_SAID
            called = said.called or is_quoted
            told.append((
                start in begins, depth is not None and depth[min(start, len(text) - 1)] > 0,
                text[start - 1 : start] in QUOTES, text[max(0, start - 2) : start].strip() in OPENS, joined[index],
                said.article, called, called and asked.calls, asked.reasons and said.because,
                of_person and said.by, asked.defaults and said.default,
            ))  # fmt: skip
            columns.append(_behind(word, gap))
    return np.array(told), np.array(columns, np.int64)


def _depth(text: str) -> list[int] | None:
    """Return how many parentheses are open behind each character, None where there is none; "a)" closes none."""
    if "(" not in text and ")" not in text:
        return None
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    depth = np.cumsum((codes == ord("(")).astype(np.int64) - (codes == ord(")")))
    return list((depth - np.minimum(0, np.minimum.accumulate(depth))).tolist())


def _behind(word: str, gap: str) -> int:
    """Return the column of the word or sign that stands right before a candidate, a quote apart; -1 where none does."""
    left = gap.rstrip()
    if left.endswith(("\"", "“", "'")):
        left = left[:-1].rstrip()
    return INDEX.get(f"behind_{left[-1:] or word}", -1)


def _ahead(text: str, end: int) -> int:
    """Return the column of the word or sign that stands right behind a candidate, a quote apart; -1 where none does."""
    found = NEXT.match(text, end)
    return INDEX.get(f"ahead_{found[1].lower()}", -1) if found else -1


def _joined(passage: Passage) -> list[bool]:
    """Return whether each word continues a run: it and the one before are no small words and a blank apart (n,)."""
    words, text = passage.words, passage.text
    found = [False] * len(words.starts)
    starts, ends, small = words.starts.tolist(), words.ends.tolist(), words.small
    for index in range(1, len(starts)):
        if not small[index] and not small[index - 1]:
            found[index] = text[ends[index - 1] : starts[index]] in JOINTS
    return found


def _among(asked: Asked, laid: Laid, candidates: Sequence[Candidate]) -> dict[str, NDArray[Any]]:
    """Return what depends on the other candidates: who else says the same, and which row and life is told of (n,)."""
    known: dict[str, int] = {}
    keys = np.array([known.setdefault(each.key, len(known)) for each in candidates], np.int64)
    forms = np.array([each.form for each in candidates], np.int64)
    pages = np.unique([passage.page for passage in laid.passages], return_inverse=True)[1][laid.owners]
    said_on = np.unique(keys * len(laid.passages) + pages) // len(laid.passages)
    rows = rows_of(asked, laid, candidates)
    told = rows["cell_told"].astype(np.float32)
    return rows | {
        "said_by": np.minimum(5, np.bincount(said_on)[keys]) - 1,
        "said_times": np.minimum(8, np.bincount(keys)[keys]) - 1,
        "said_on_best": _any_of(keys, laid.owners == 0),
        "is_title": _any_of(keys, forms == NUMBERED["title"]),
        "cell_best": (told > 0) & (told >= told.max() - TOLD_ALIKE),
        "told_of_life": told_of_lives(asked, laid.passages, candidates),
    }


def _any_of(keys: NDArray[np.int64], are: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether something is so of any candidate of the same key (n,)."""
    return np.asarray(np.bincount(keys, are)[keys] > 0)
