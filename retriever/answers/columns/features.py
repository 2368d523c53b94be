"""What is known of each candidate: columns for the ranker, computed passage by passage."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.columns.chains import chains_between
from retriever.answers.columns.fits import FITS, fits_of
from retriever.answers.columns.sentences import BESIDE, CHAINED, OVERLAP, ROWS, SAID, said_of
from retriever.answers.passages import Passage, Ways
from retriever.answers.text.forms import FORMS
from retriever.answers.text.kind_asked import KINDS
from retriever.answers.text.kinds import NOTHING, Kind, kinds_of
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.looks import CLOSE, NOTHING_SAID, READ, said_before
from retriever.answers.text.words import Spans, stems_in
from retriever.learning.table import Features
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
AMONG = ("said_by", "said_times", "said_on_best", "is_title", "agrees", "agrees_not")
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
FITS_AT = [INDEX[name] for name in FITS]
FORM_AT = INDEX[f"form_{FORMS[0]}"]
TOLD = (
    "begins", "in_parenthesis", "quote", "begins_clause", "cut_before", "article", "called", "called_asked",
    "because_asked", "by_asked", "default_asked", "ends_clause", "cut_behind",
)  # fmt: skip
TOLD_AT = [INDEX[name] for name in TOLD]


def features_of(
    session: Session, asked: Asked, passages: Sequence[Passage], ways: Ways, candidates: Sequence[Candidate]
) -> Features:
    """Return the columns (n, len(COLUMNS)) of candidates, which are in the order of their passages."""
    found = np.zeros((len(candidates), len(COLUMNS)), np.float32)
    if not candidates:
        return found
    pages = _kinds(session, candidates)
    owners = np.fromiter((each.passage for each in candidates), np.int64, len(candidates))
    chains = chains_between(passages, asked)
    best = max((passage.chance for passage in passages), default=0.0)
    for index, passage in enumerate(passages):
        rows = np.flatnonzero(owners == index)
        if len(rows):
            own = [candidates[row] for row in rows.tolist()]
            part = np.zeros((len(own), len(COLUMNS)), np.float32)
            _where(part, asked, passage, ways, index, best)
            spans = passage.words.spans([each.start for each in own], [each.end for each in own])
            for name, column in said_of(asked, passage, ways, chains, index, own, spans).items():
                part[:, INDEX[name]] = column
            _shape(part, asked, passage, own, spans)
            part[:, FITS_AT] = fits_of(asked, passage, own, spans, pages)
            found[rows] = part
    _among(found, passages, candidates)
    found[:, INDEX[f"asks_{asked.kind}"]] = 1
    found[:, INDEX["asks_what"]], found[:, INDEX["asks_nothing"]] = asked.asks_what, asked.is_phrase
    return found


def _kinds(session: Session, candidates: Sequence[Candidate]) -> dict[int, Kind]:
    """Return what each candidate's entity is, by its page."""
    entities = np.unique(np.fromiter((each.entity for each in candidates), np.int64, len(candidates)))
    entities = entities[entities > 0]
    pages = session.chunk_table.pages_of(entities)
    known = kinds_of(session, [page for page in pages.tolist() if page])
    own = zip(entities.tolist(), pages.tolist(), strict=True)
    return {entity: known.get(page, NOTHING) for entity, page in own if page}


def _where(part: Features, asked: Asked, passage: Passage, ways: Ways, index: int, best: float) -> None:
    title = set(stems_in(passage.title))
    values = (
        passage.chance, passage.chance / best if best else 0.0, 1.0 / (1 + passage.rank), passage.named,
        ways.from_named[index], ways.reached[index], ways.back[index], passage.is_lead, passage.kind == "paragraph",
        len(title & asked.tokens) / max(1, len(title)),
    )  # fmt: skip
    part[:, : len(WHERE)] = values


def _shape(part: Features, asked: Asked, passage: Passage, own: Sequence[Candidate], spans: Spans) -> None:
    text, joined = passage.text, _joined(passage)
    starts, ends, forms = np.array([(each.start, each.end, each.form) for each in own], np.int64).T
    rows, is_quoted, stands = np.arange(len(own)), forms == NUMBERED["quoted"], forms != NUMBERED["title"]
    # Many candidates begin at one place.
    _, one_each, places = np.unique(2 * starts + is_quoted, return_index=True, return_inverse=True)
    firsts = zip(starts[one_each].tolist(), spans[one_each, 0].tolist(), is_quoted[one_each].tolist(), strict=True)
    before, columns = _before(asked, passage, joined, list(firsts))
    part[:, TOLD_AT[:-2]] = before[places]
    part[:, TOLD_AT[-2]] = [text[each.end : each.end + 1] in CLOSES for each in own]
    part[:, TOLD_AT[-1]] = np.array(joined)[np.where(ends > starts, spans[:, 1], spans[:, 0])]
    part[np.ix_(~stands, TOLD_AT)] = 0
    part[rows, FORM_AT + forms] = 1
    is_behind = stands & (columns[places] >= 0)
    part[rows[is_behind], columns[places][is_behind]] = 1
    ahead = np.array([_ahead(text, each.end) for each in own], np.int64)
    is_ahead = stands & (ahead >= 0)
    part[rows[is_ahead], ahead[is_ahead]] = 1
    part[:, INDEX["n_words"]] = np.minimum(8, np.array([each.text.count(" ") for each in own]) + 1)
    part[:, INDEX["n_characters"]] = np.minimum(60, np.array([len(each.text) for each in own])) / 20
    part[:, INDEX["is_linked"]] = [each.entity > 0 for each in own]
    part[:, INDEX["capitalised"]] = [each.text[:1].isupper() for each in own]
    title = {*answer_tokens(passage.title)}
    part[:, INDEX["in_title"]] = [title.issuperset(each.key.split()) for each in own]


def _before(
    asked: Asked, passage: Passage, joined: Sequence[bool], places: Sequence[tuple[int, int, bool]]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return what is told (p, len(TOLD) - 2) of what begins at each place, and the column (p,) of what stands before.

    A place is a character, the number of its word, and whether a quotation begins there.
    """
    text, words = passage.text, passage.words
    starts, ends = words.starts.tolist(), words.ends.tolist()
    depth, begins = _depth(text), {start for start, _ in passage.bounds}
    of_person, says_more = asked.kind == "person", asked.kind == "person" or asked.defaults
    told, columns = [], []
    for start, first, is_quoted in places:
        word = text[starts[first - 1] : ends[first - 1]].lower() if first else ""
        gap = text[ends[first - 1] : start] if first else text[:start]
        before = said_before(text[max(0, start - READ) : start], word) if says_more or word in CLOSE else NOTHING_SAID
        called = before.called or is_quoted
        told.append((
            start in begins, depth is not None and depth[min(start, len(text) - 1)] > 0,
            text[start - 1 : start] in QUOTES, text[max(0, start - 2) : start].strip() in OPENS, joined[first],
            before.article, called, called and asked.calls, asked.reasons and before.because,
            of_person and before.by, asked.defaults and before.default,
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
    """Return whether each word continues a run: it and the one before are no small words and a blank apart (n + 1)."""
    words, text = passage.words, passage.text
    found = [False] * (len(words.starts) + 1)
    starts, ends, small = words.starts.tolist(), words.ends.tolist(), words.small
    for index in range(1, len(starts)):
        if not small[index] and not small[index - 1]:
            found[index] = text[ends[index - 1] : starts[index]] in JOINTS
    return found


def _among(found: Features, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> None:
    known: dict[str, int] = {}
    keys = np.array([known.setdefault(each.key, len(known)) for each in candidates], np.int64)
    owners = np.array([each.passage for each in candidates], np.int64)
    forms = np.array([each.form for each in candidates], np.int64)
    pages = np.unique([passage.page for passage in passages], return_inverse=True)[1][owners]
    said_on = np.unique(keys * len(passages) + pages) // len(passages)
    found[:, INDEX["said_by"]] = np.minimum(5, np.bincount(said_on)[keys]) - 1
    found[:, INDEX["said_times"]] = np.minimum(8, np.bincount(keys)[keys]) - 1
    found[:, INDEX["said_on_best"]] = _any_of(keys, owners == 0)
    found[:, INDEX["is_title"]] = _any_of(keys, forms == NUMBERED["title"])


def _any_of(keys: NDArray[np.int64], are: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether something is so of any candidate of the same key (n,)."""
    return np.asarray(np.bincount(keys, are)[keys] > 0)
