"""What is known of each candidate: columns for the ranker, computed passage by passage."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from retriever.answers.asked import KINDS, Asked
from retriever.answers.candidates import Candidate
from retriever.answers.passages import Passage, Ways
from retriever.answers.text.countries import is_country
from retriever.answers.text.dates import PARENTHESIS, dates_in
from retriever.answers.text.forms import FORMS
from retriever.answers.text.kinds import NOTHING, Kind, kinds_of
from retriever.answers.text.words import stem_of, words_in
from retriever.learning.table import Features
from retriever.session import Session

WHERE = (
    "chance", "chance_best", "rank", "named_page", "from_named", "reached", "back", "is_lead", "is_prose",
    "title_asked",
)  # fmt: skip
SENTENCE = (
    "covers_every", "near_every", "passage_every", "covers", "covers_names", "covers_with_way", "covers_passage",
    "first_sentence", "has_asked",
)  # fmt: skip
SPAN = ("near", "near_with_way", "before", "after", "closest", "name_near")
SHAPE = ("n_words", "n_characters", "begins", "in_parenthesis", "is_linked", "capitalised", "quote", "ends_clause")
FITS = (
    "fits", "fits_not", "focus", "focus_page", "focus_near", "is_person", "is_place", "gender", "role", "role_not",
    "country", "page_covers",
)  # fmt: skip
AMONG = ("said_by", "said_times", "said_on_best", "is_title", "agrees", "agrees_not")
AFTER = (*"in by of at from to on as with for the a and is was called".split(), ",", "(")
COLUMNS = (
    *WHERE, *SENTENCE, *SPAN, *SHAPE, *FITS, *AMONG, *(f"form_{each}" for each in FORMS),
    *(f"asks_{each}" for each in KINDS), *(f"behind_{each}" for each in AFTER),
)  # fmt: skip
INDEX = {name: index for index, name in enumerate(COLUMNS)}
YEAR = stem_of("year")
NEAR = 4.0
"""Words at which a stem's nearness is a half."""

KIN_ROLES = re.compile(r"\b(?:son|daughter|child|born|children)\b(?:\s+\w+){0,3}?\s+(?:of|to)\s+([^.;]{3,160})")
AND = re.compile(r"\band\b|\bby\b|\bwith\b")
BEFORE = re.compile(r"(?:([^\W_]+)\s*|([(,]))\s*[\"“']?\s*$")
FORM = {name: index for index, name in enumerate(FORMS)}


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
            _said(part, asked, passage, ways, index, own)
            _shape(part, passage, own)
            _fits(part, asked, passage, own, pages)
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


def _said(part: Features, asked: Asked, passage: Passage, ways: Ways, index: int, own: Sequence[Candidate]) -> None:
    """Fill what the sentences say of what is asked, and how near to each candidate."""
    words, weights, width = passage.words, asked.weights, len(asked.stems)
    spans = np.array([words.span(each.start, max(each.end, each.start + 1)) for each in own], np.int64)
    first, last = spans[:, 0], spans[:, 1]
    n = len(words.starts)
    at = np.minimum(first, max(0, n - 1))
    sentence = passage.in_sentence[at] if n else np.zeros(len(own), np.int64)
    n_sentences = len(passage.bounds)
    says = np.zeros((n_sentences, width))
    known = np.flatnonzero(passage.asked >= 0)
    says[passage.in_sentence[known], passage.asked[known]] = 1.0
    names = np.zeros(n_sentences)
    named_at = np.array([i for i, stem in enumerate(words.stems) if stem in asked.named], np.int64)
    if asked.named:
        for number in range(n_sentences):
            own_names = {words.stems[i] for i in named_at.tolist() if passage.in_sentence[i] == number}
            names[number] = len(own_names) / len(asked.named)
    way = ways.covered[index]
    own_title = set(words_in(passage.title).stems)
    title = np.array([float(stem in own_title) for stem in asked.stems])
    part[:, INDEX["covers"]] = (says @ weights)[sentence]
    part[:, INDEX["covers_names"]] = names[sentence]
    part[:, INDEX["covers_with_way"]] = (np.maximum(says, way) @ weights)[sentence]
    part[:, INDEX["covers_passage"]] = says.max(0, initial=0.0) @ weights
    part[:, INDEX["first_sentence"]] = sentence == 0
    part[:, INDEX["has_asked"]] = (says @ weights > 0)[sentence]
    part[:, INDEX["covers_every"]] = (np.maximum(says, np.maximum(title, way)) @ asked.every)[sentence]
    part[:, INDEX["passage_every"]] = np.maximum(says.max(0, initial=0.0), title) @ asked.every
    near = np.zeros((len(own), width))
    if len(known):
        places = known[np.argsort(passage.asked[known], kind="stable")]
        stems, begins = np.unique(passage.asked[places], return_index=True)
        gap = np.maximum(first[:, None] - places, places - last[:, None] + 1)
        same = sentence[:, None] == passage.in_sentence[places]
        outside = gap > 0
        value = np.where(outside, np.where(same, 1.0, 0.35) / (1.0 + np.maximum(0, gap - 1) / NEAR), 0.0)
        near[:, stems] = np.maximum.reduceat(value, begins, axis=1)
        own_weights = weights[passage.asked[places]]
        told = same & outside & (own_weights > 0)
        part[:, INDEX["closest"]] = np.where(told, 1.0 / np.maximum(1, gap), 0.0).max(1)
        is_before = told & (first[:, None] > places) & (gap <= 4)
        part[:, INDEX["before"]] = np.where(is_before, own_weights, 0.0).max(1)
        part[:, INDEX["after"]] = np.where(told & (last[:, None] <= places) & (gap <= 3), own_weights, 0.0).max(1)
    part[:, INDEX["near"]] = near @ weights
    part[:, INDEX["near_every"]] = np.maximum(near, np.maximum(0.6 * title, way)) @ asked.every
    part[:, INDEX["near_with_way"]] = np.maximum(near, way) @ weights
    if len(named_at):
        gap = np.maximum(first[:, None] - named_at, named_at - last[:, None] + 1)
        beside = (sentence[:, None] == passage.in_sentence[named_at]) & (gap > 0)
        part[:, INDEX["name_near"]] = np.where(beside, 1.0 / np.maximum(1, gap), 0.0).max(1)


def _shape(part: Features, passage: Passage, own: Sequence[Candidate]) -> None:
    text = passage.text
    depth = np.cumsum([(sign == "(") - (sign == ")") for sign in text] or [0])
    begins = {start for start, _ in passage.bounds}
    for row, each in enumerate(own):
        part[row, INDEX[f"form_{FORMS[each.form]}"]] = 1
        if each.form == FORM["title"]:
            continue
        part[row, INDEX["begins"]] = each.start in begins
        part[row, INDEX["in_parenthesis"]] = depth[min(each.start, len(depth) - 1)] > 0
        part[row, INDEX["quote"]] = text[each.start - 1 : each.start] in ('"', "“")
        part[row, INDEX["ends_clause"]] = text[each.end : each.end + 1] in (".", ",", ";", ")", "")
        behind = BEFORE.search(text, max(0, each.start - 24), each.start)
        if behind and (name := f"behind_{(behind[1] or behind[2]).lower()}") in INDEX:
            part[row, INDEX[name]] = 1
    part[:, INDEX["n_words"]] = [min(8, each.text.count(" ") + 1) for each in own]
    part[:, INDEX["n_characters"]] = [min(60, len(each.text)) / 20 for each in own]
    part[:, INDEX["is_linked"]] = [each.entity > 0 for each in own]
    part[:, INDEX["capitalised"]] = [each.text[:1].isupper() for each in own]


def _fits(part: Features, asked: Asked, passage: Passage, own: Sequence[Candidate], pages: dict[int, Kind]) -> None:
    roles = _roles(passage, asked)
    weights = dict(zip(asked.stems, asked.weights.tolist(), strict=True))
    for row, each in enumerate(own):
        kind = pages.get(each.entity)
        form = FORMS[each.form]
        country = is_country(each.text)
        part[row, INDEX["country"]] = country
        fit = _fit(asked.kind, form, kind, country, each.text)
        if asked.focus == YEAR and asked.kind == "time" and form != "year":
            fit = min(fit, 0.1)
        part[row, INDEX["fits"]], part[row, INDEX["fits_not"]] = max(0.0, fit), max(0.0, -fit)
        if asked.focus is not None:
            first, last = passage.words.span(each.start, max(each.end, each.start + 1))
            stems = passage.words.stems
            part[row, INDEX["focus"]] = asked.focus in stems[first:last] and each.end > each.start
            part[row, INDEX["focus_near"]] = asked.focus in stems[max(0, first - 3) : first] + stems[last : last + 2]
        if kind is not None:
            part[row, INDEX["is_person"]], part[row, INDEX["is_place"]] = kind.is_person, kind.is_place
            part[row, INDEX["focus_page"]] = asked.focus in kind.is_a
            part[row, INDEX["gender"]] = asked.gender * kind.gender
            part[row, INDEX["page_covers"]] = sum(weights.get(stem, 0.0) for stem in kind.is_a)
        for begin, end, sign in roles:
            if begin <= each.start < end and each.end > each.start:
                part[row, INDEX["role" if sign > 0 else "role_not"]] = 1


def _fit(asks: str, form: str, kind: Kind | None, country: bool, text: str) -> float:
    """Return how well what a candidate looks like, and is by its page, is what is asked for: -1 to 1."""
    is_name = form in ("name", "title", "quoted", "value")
    if asks == "time":
        return 1.0 if form == "date" else 0.8 if form == "year" else -1.0
    if asks == "number":
        return 1.0 if form == "number" else 0.3 if any(sign.isdigit() for sign in text) else -1.0
    if form in ("date", "year", "number"):
        return -1.0 if asks in ("person", "place", "country") else -0.3
    if asks == "country":
        return 1.0 if country else -0.5
    known = kind is not None and bool(kind.is_a)
    if asks == "person":
        return (1.0 if kind.is_person else -0.8) if kind and known else 0.4 if is_name and not country else -0.6
    if asks == "place":
        by_page = 0.0 if kind is None else -0.8 if kind.is_person else 0.7 + 0.3 * kind.is_place
        return by_page if known else 0.4 if is_name else -0.6
    return 0.2 if is_name else 0.0


def _roles(passage: Passage, asked: Asked) -> list[tuple[int, int, int]]:
    """Return parts of a passage that tell what is asked, 1, or its counterpart, -1: birth and death, both parents."""
    found: list[tuple[int, int, int]] = []
    stems = {*asked.stems, *asked.tokens}
    birth, death = "birth" in stems, "death" in stems
    if birth != death:
        for match in PARENTHESIS.finditer(passage.text[:400]):
            dates = dates_in(match[1])
            if dates:
                begin = match.start(1)
                dash = re.search(r"[–—]|\s-\s|died|d\.", match[1])
                cut = begin + (dash.start() if dash else len(match[1]))
                starts_dead = dash is None and re.search(r"\bdied\b|\bd\.", match[1]) is not None
                found.append((begin, cut, -1 if death and not starts_dead else 1))
                found.append((cut, match.end(1), 1 if death else -1))
                break
    father, mother = "father" in stems, "mother" in stems
    if father != mother:
        for match in KIN_ROLES.finditer(passage.text):
            joint = AND.search(match[1])
            if joint:
                cut = match.start(1) + joint.start()
                found.append((match.start(1), cut, 1 if father else -1))
                found.append((cut, match.end(1), 1 if mother else -1))
    return found


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
