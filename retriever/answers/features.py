"""What is known of each candidate: columns for the ranker, computed passage by passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from retriever.answers.asked import KINDS, Asked
from retriever.answers.candidates import Candidate
from retriever.answers.passages import Passage, Ways
from retriever.answers.sentences import BESIDE, ROWS, SAID, said_of
from retriever.answers.text.countries import is_country
from retriever.answers.text.forms import FORMS
from retriever.answers.text.kinds import NOTHING, Kind, kinds_of, roles_in
from retriever.answers.text.looks import READ, has_number, looks_of, said_before
from retriever.answers.text.meanings import alike, vectors_of
from retriever.answers.text.measures import measures_of
from retriever.answers.text.words import Spans, stem_of, words_in
from retriever.learning.table import Features
from retriever.session import Session

WHERE = (
    "chance", "chance_best", "rank", "named_page", "from_named", "reached", "back", "is_lead", "is_prose",
    "title_asked",
)  # fmt: skip
SHAPE = (
    "n_words", "n_characters", "begins", "in_parenthesis", "is_linked", "capitalised", "quote", "ends_clause",
    "begins_clause", "cut_before", "cut_behind", "article", "called", "called_asked", "because_asked", "by_asked",
)  # fmt: skip
FITS = (
    "fits", "fits_not", "focus", "focus_page", "focus_near", "is_person", "is_place", "gender", "role", "role_not",
    "country", "page_covers", "measures", "measures_else", "bare", "counts", "looks_person",
    "looks_place", "focus_means", "focus_means_last", "focus_means_near", "focus_means_page",
)  # fmt: skip
AMONG = ("said_by", "said_times", "said_on_best", "is_title", "agrees", "agrees_not")
AFTER = (*"in by of at from to on as with for the a and is was called".split(), ",", "(")
COLUMNS = (
    *WHERE, *SAID, *BESIDE, *ROWS, *SHAPE, *FITS, *AMONG, *(f"form_{each}" for each in FORMS),
    *(f"asks_{each}" for each in KINDS), *(f"behind_{each}" for each in AFTER),
)  # fmt: skip
INDEX = {name: index for index, name in enumerate(COLUMNS)}
YEAR = stem_of("year")
JOINTS = (" ", "-", "'", "’", "–", ". ")
QUOTES = ('"', "“")
OPENS, CLOSES = ("", ",", ";", "(", ":", "|"), (".", ",", ";", ")", "")
FORM = {name: index for index, name in enumerate(FORMS)}
NAMES = ("name", "title", "quoted", "value")
LOOKS_AT = [INDEX["looks_person"], INDEX["looks_place"]]
FORM_AT = INDEX[f"form_{FORMS[0]}"]
TOLD = (
    "begins", "in_parenthesis", "quote", "begins_clause", "cut_before", "article", "called", "called_asked",
    "because_asked", "by_asked", "ends_clause", "cut_behind",
)  # fmt: skip
NONE_TOLD = (False,) * len(TOLD)
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
    best = max((passage.chance for passage in passages), default=0.0)
    for index, passage in enumerate(passages):
        rows = np.flatnonzero(owners == index)
        if len(rows):
            own = [candidates[row] for row in rows.tolist()]
            part = np.zeros((len(own), len(COLUMNS)), np.float32)
            _where(part, asked, passage, ways, index, best)
            spans = passage.words.spans([each.start for each in own], [each.end for each in own])
            for name, column in said_of(asked, passage, ways, index, own, spans).items():
                part[:, INDEX[name]] = column
            _shape(part, asked, passage, own, spans)
            _fits(part, asked, passage, own, spans, pages)
            found[rows] = part
    _among(found, passages, candidates)
    found[:, INDEX[f"asks_{asked.kind}"]] = 1
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
    title = set(words_in(passage.title).stems)
    values = (
        passage.chance, passage.chance / best if best else 0.0, 1.0 / (1 + passage.rank), passage.named,
        ways.from_named[index], ways.reached[index], ways.back[index], passage.is_lead, passage.kind == "paragraph",
        len(title & asked.tokens) / max(1, len(title)),
    )  # fmt: skip
    part[:, : len(WHERE)] = values


def _shape(part: Features, asked: Asked, passage: Passage, own: Sequence[Candidate], spans: Spans) -> None:
    text, words = passage.text, passage.words
    joined = _joined(passage)
    lower = [text[start:end].lower() for start, end in zip(words.starts.tolist(), words.ends.tolist(), strict=True)]
    ends = words.ends.tolist()
    depth = np.cumsum([(sign == "(") - (sign == ")") for sign in text] or [0]).tolist()
    begins = {start for start, _ in passage.bounds}

    def told_before(start: int, first: int, quoted: bool) -> tuple[tuple[bool, ...], int]:
        word, gap = (lower[first - 1], text[ends[first - 1] : start]) if first else ("", text[:start])
        before = said_before(text[max(0, start - READ) : start], word)
        called = before.called or quoted
        told = (
            start in begins, depth[min(start, len(depth) - 1)] > 0, text[start - 1 : start] in QUOTES,
            text[max(0, start - 2) : start].strip() in OPENS, joined[first], before.article, called,
            called and asked.calls, asked.reasons and before.because, asked.kind == "person" and before.by,
        )  # fmt: skip
        return told, _behind(word, gap)

    told: list[tuple[bool, ...]] = [NONE_TOLD] * len(own)
    behind: list[tuple[int, int]] = []
    # Many candidates begin at one place.
    befores: dict[tuple[int, bool], tuple[tuple[bool, ...], int]] = {}
    for row, (each, (first, last)) in enumerate(zip(own, spans.tolist(), strict=True)):
        if each.form == FORM["title"]:
            continue
        place = each.start, each.form == FORM["quoted"]
        if place not in befores:
            befores[place] = told_before(each.start, first, each.form == FORM["quoted"])
        before, column = befores[place]
        cut = joined[last if each.end > each.start else first]
        told[row] = (*before, text[each.end : each.end + 1] in CLOSES, cut)
        if column >= 0:
            behind.append((row, column))
    part[:, TOLD_AT] = told
    part[np.arange(len(own)), [FORM_AT + each.form for each in own]] = 1
    if behind:
        part[tuple(np.array(behind).T)] = 1
    part[:, INDEX["n_words"]] = [min(8, each.text.count(" ") + 1) for each in own]
    part[:, INDEX["n_characters"]] = [min(60, len(each.text)) / 20 for each in own]
    part[:, INDEX["is_linked"]] = [each.entity > 0 for each in own]
    part[:, INDEX["capitalised"]] = [each.text[:1].isupper() for each in own]


def _behind(word: str, gap: str) -> int:
    """Return the column of the word or sign that stands right before a candidate, a quote apart; -1 where none does."""
    left = gap.rstrip()
    if left.endswith(("\"", "“", "'")):
        left = left[:-1].rstrip()
    return INDEX.get(f"behind_{left[-1:] or word}", -1)


def _joined(passage: Passage) -> list[bool]:
    """Return whether each word continues a run: it and the one before are no small words and a blank apart (n + 1)."""
    words, text = passage.words, passage.text
    found = [False] * (len(words.starts) + 1)
    starts, ends, small = words.starts.tolist(), words.ends.tolist(), words.small
    for index in range(1, len(starts)):
        if not small[index] and not small[index - 1]:
            found[index] = text[ends[index - 1] : starts[index]] in JOINTS
    return found


def _fits(
    part: Features, asked: Asked, passage: Passage, own: Sequence[Candidate], spans: Spans, pages: dict[int, Kind]
) -> None:
    weights = dict(zip(asked.stems, asked.weights.tolist(), strict=True))
    fits: list[float] = []
    for row, (each, (_, last)) in enumerate(zip(own, spans.tolist(), strict=True)):
        kind, form = pages.get(each.entity), FORMS[each.form]
        country = is_country(each.text)
        fit = _fit(asked.kind, form, kind, country, each.text)
        if asked.focus == YEAR and asked.kind == "time" and form != "year":
            fit = min(fit, 0.1)
        if asked.measures and (form == "number" or (form == "value" and has_number(each.text))):
            fit = _measured(part[row], asked, passage, each, last)
        fits.append(fit)
        if country:
            part[row, INDEX["country"]] = 1
        if form in NAMES:
            part[row, LOOKS_AT] = looks_of(each.text)
        if kind is not None:
            part[row, INDEX["is_person"]], part[row, INDEX["is_place"]] = kind.is_person, kind.is_place
            part[row, INDEX["focus_page"]] = asked.focus in kind.is_a
            part[row, INDEX["gender"]] = asked.gender * kind.gender
            part[row, INDEX["page_covers"]] = sum(weights.get(stem, 0.0) for stem in kind.is_a)
    part[:, INDEX["fits"]], part[:, INDEX["fits_not"]] = np.maximum(0, fits), np.maximum(0, np.negative(fits))
    for begin, end, sign in roles_in(passage.text, {*asked.stems, *asked.tokens}):
        inside = [begin <= each.start < end and each.end > each.start for each in own]
        part[inside, INDEX["role" if sign > 0 else "role_not"]] = 1
    if asked.focus is not None:
        _focus(part, asked, passage, own, spans, pages)


def _focus(
    part: Features, asked: Asked, passage: Passage, own: Sequence[Candidate], spans: Spans, pages: dict[int, Kind]
) -> None:
    """Fill whether a candidate says the noun asked for, and how like it its words, those beside it and its page are."""
    stems = passage.words.stems
    is_focus = [stem == asked.focus for stem in stems]
    like = alike(vectors_of(passage.words.stems), asked.focus_meaning)[:, 0].tolist()
    kinds: dict[int, float] = {}
    for row, (each, (first, last)) in enumerate(zip(own, spans.tolist(), strict=True)):
        part[row, INDEX["focus_near"]] = any(is_focus[max(0, first - 3) : first]) or any(is_focus[last : last + 2])
        if each.end > each.start:
            part[row, INDEX["focus"]] = any(is_focus[first:last])
            part[row, INDEX["focus_means"]] = max(like[first:last], default=0.0)
            part[row, INDEX["focus_means_last"]] = max(like[last - 1 : last], default=0.0)
            beside = like[max(0, first - 3) : first] + like[last : last + 2]
            part[row, INDEX["focus_means_near"]] = max(beside, default=0.0)
        if each.entity in pages:
            if each.entity not in kinds:
                is_a = vectors_of(("", *pages[each.entity].is_a))
                kinds[each.entity] = float(alike(is_a, asked.focus_meaning).max())
            part[row, INDEX["focus_means_page"]] = kinds[each.entity]


def _measured(row: Features, asked: Asked, passage: Passage, each: Candidate, last: int) -> float:
    """Fill whether a number measures what is asked for, and return how well it fits: 0 to 1."""
    own = measures_of(each.text)
    behind = measures_of("1" + passage.text[each.end : each.end + 12].split(".")[0])
    bare = not own
    row[INDEX["bare"]] = bare
    row[INDEX["measures"]] = bool(own & asked.measures)
    row[INDEX["measures_else"]] = bool(own) and not own & asked.measures
    if "count" in asked.measures:
        follower = passage.words.stems[last : last + 2]
        row[INDEX["counts"]] = any(stem in asked.told for stem in follower)
        return 1.0 if bare and not behind - {"count"} else 0.5
    if own & asked.measures:
        return 1.0
    return 0.4 if bare and not behind else 0.3


def _fit(asks: str, form: str, kind: Kind | None, country: bool, text: str) -> float:
    """Return how well what a candidate looks like, and is by its page, is what is asked for: -1 to 1."""
    is_name = form in ("name", "title", "quoted", "value")
    if asks == "time":
        return 1.0 if form == "date" else 0.8 if form == "year" else -1.0
    if asks == "number":
        if form in ("number", "date", "year"):
            return 1.0 if form == "number" else -0.5
        return 0.3 if any(sign.isdigit() for sign in text) else -1.0
    if form in ("date", "year", "number"):
        return -1.0 if asks in ("person", "place", "country") else -0.3
    if asks == "country":
        return 1.0 if country else -0.5
    if asks == "manner":
        return -0.5 if is_name else 0.3
    known = kind is not None and bool(kind.is_a)
    if asks == "person":
        return (1.0 if kind.is_person else -0.8) if kind and known else 0.4 if is_name and not country else -0.6
    if asks == "place":
        by_page = 0.0 if kind is None else -0.8 if kind.is_person else 0.7 + 0.3 * kind.is_place
        return by_page if known else 0.4 if is_name else -0.6
    return 0.2 if is_name else 0.0


def _among(found: Features, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> None:
    pages: dict[str, set[int]] = {}
    times: Counter[str] = Counter()
    for each in candidates:
        pages.setdefault(each.key, set()).add(passages[each.passage].page)
        times[each.key] += 1
    titles = {each.key for each in candidates if FORMS[each.form] == "title"}
    best = {each.key for each in candidates if each.passage == 0}
    found[:, INDEX["said_by"]] = [min(5, len(pages[each.key])) - 1 for each in candidates]
    found[:, INDEX["said_times"]] = [min(8, times[each.key]) - 1 for each in candidates]
    found[:, INDEX["said_on_best"]] = [each.key in best for each in candidates]
    found[:, INDEX["is_title"]] = [each.key in titles for each in candidates]
