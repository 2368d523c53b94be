"""Contrasts: candidates that are told of something else: another page, another part of a sentence, the opposite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import NAMING, NUMBERED, Candidate, sentence_of
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.dates import MONTH
from retriever.answers.text.lexicon.adjectives import SCALES, SIZES, Scale, stems
from retriever.answers.text.measures import measures_of
from retriever.answers.text.words import content_in, stems_in
from retriever.types import Scores

LEAST_LEFT = 0.4
"""What a row of an infobox of another page leaves unsaid of a question at least, by rarity."""

PARTS, CLAUSES = re.compile(r"[,;](?=\s)| and (?=[^,;]*\d)"), re.compile(r";(?=\s)")
THAT_OF = re.compile(r"[\W_]*(?:and |but |while )?(?:that|those|the one|the ones) (?:of|in|at|on|for|from)\b", re.I)
HOURS_ASKED = re.compile(
    r"\b(?:times?|hours?|o['’]clock|early|late|open|clos|shut|leav|depart|arriv|start|begin|finish|end|sail)", re.I
)
CLOCK = re.compile(r"\d{1,2}[:.]\d{2}(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?", re.I)
DATE = re.compile(rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? {MONTH}(?![a-z])|{MONTH} \d{{1,2}}\b)")
"""What asks for a time of the day, such a time, and a date with its month."""

INSTEAD = re.compile(
    r"\b(?:instead of|in place of|rather than|no longer|unlike)(?: (?:in|on|at|by|from|the|an?))* \Z", re.I
)
READ = 40
"""Characters before a candidate that are read."""

NUMBERS = frozenset((NUMBERED["number"],))

def _ends(*scales: Scale) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what tells the one and the other end of some scales."""
    greater, lesser = stems(scales, lesser=False), stems(scales, greater=False)
    return (re.compile(rf"\b(?:{greater})est\b|\bmaximum\b", re.I),
            re.compile(rf"\b(?:{lesser})est\b|\b(?:least|minimum)\b", re.I))  # fmt: skip


ANY_ENDS = _ends(*SCALES)
ENDS = (_ends(*SIZES), *(_ends(each) for each in SCALES if each not in SIZES))


def of_another_page(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) of an infobox of what a question does not name, and much of it is unsaid."""
    found = np.zeros(len(candidates), np.float32)
    for row, each in enumerate(candidates):
        passage = passages[each.passage]
        titled = {*stems_in(passage.title)}
        if passage.kind == "infobox" and passage.named < LEAST_NAMED and titled.isdisjoint(asked.tokens):
            means = passage.means[slice(*passage.words.span(*passage.sentence_at(each.start)))].max(0, initial=0)
            found[row] = (1 - means) @ asked.every >= LEAST_LEFT
    return found


def below_another_name(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) of a table of properties below a heading that is a name and is not asked about.

    What stands below "Moon" is told of the moon, not of the planet of the page.
    """
    others = {index for index, each in enumerate(passages) if _heads_another(asked, each, passages)}
    return np.fromiter((each.passage in others for each in candidates), np.float32, len(candidates))


def _heads_another(asked: Asked, passage: Passage, passages: Sequence[Passage]) -> bool:
    """Tell whether a table of properties stands below a name that a question does not say.

    A name has a capital within sentences too.
    """
    heading = passage.heading
    rows = passage.text.split("\n") if passage.kind in ("infobox", "table") and heading[:1].isupper() else []
    if not any(" | " in row for row in rows) or any(row.count(" | ") > 1 for row in rows):
        return False
    within = re.compile(rf"(?<=[a-z,] ){re.escape(heading)}(?![\w’'-])")
    is_said = not {*stems_in(heading)}.isdisjoint(asked.tokens)
    return not is_said and any(each.kind == "paragraph" and within.search(each.text) for each in passages)


def is_of_another(asked: Asked, passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a row of an infobox says, of something else, all that a question asks of what it names.

    "Who is the mayor of Kell?": the mayor of Dune is nobody's answer.
    """
    if passage.kind != "infobox" or not asked.named or passage.named >= LEAST_NAMED:
        return False
    label, _, value = passage.text[slice(*passage.sentence_at(candidate.start))].partition(" | ")
    left, said = content_in(asked.text) - asked.named, {*stems_in(label)}
    return bool(left) and left <= said and asked.named.isdisjoint({*said, *stems_in(f"{value} {passage.title}")})


def of_another_part(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each number or name (n,) that is told of something else than the question asks, in its sentence.

    "Wheat has 46 percent, maize 21 percent": where one part alone says a word asked for, all other numbers of the same
    unit are of others. For "who" so are the names in other parts between semicolons.
    """
    if asked.kind not in ("number", "person"):
        return np.zeros(len(candidates), np.float32)
    forms, cuts = (NUMBERS, PARTS) if asked.kind == "number" else (NAMING, CLAUSES)
    units = [frozenset(("name",)) if each.form in NAMING else measures_of(each.text) for each in candidates]
    found = np.zeros(len(candidates), np.float32)
    names = {index for index, stem in enumerate(asked.stems) if stem in asked.named.union(asked.capitals)}
    sentences: dict[tuple[int, int], list[int]] = {}
    for row, each in enumerate(candidates):
        if each.form in forms and units[row]:
            sentences.setdefault(sentence_of(passages, each), []).append(row)
    for (index, start), rows in sentences.items():
        end = passages[index].sentence_at(start)[1]
        bounds = [start, *(each.start() for each in cuts.finditer(passages[index].text, start, end)), end]
        # What stands in no sentence counts for the first one, and there for its last part.
        starts = (min(candidates[row].start, end - 1) for row in rows)
        parts = [int(np.searchsorted(bounds, each, side="right")) for each in starts]
        for unit in {units[row] for row in rows}:
            own = [(row, part) for row, part in zip(rows, parts, strict=True) if units[row] == unit]
            said = {part: _asked_in(asked, passages[index], (bounds[part - 1], bounds[part])) for _, part in own}
            # "The barn closes at five, that of Kell at six": what is left out was said before.
            short = {part for part in said if THAT_OF.match(passages[index].text, bounds[part - 1], bounds[part])}
            telling = _telling({part: own & names if short else own for part, own in said.items()})
            found[[row for row, part in own if telling and part != telling]] = 1
    return found


def _telling(said: Mapping[int, set[int]]) -> int:
    """Return the one part of a sentence that says a stem asked for which no other part says; 0 where several do."""
    found = [part for part, own in said.items()
             if own - set[int]().union(*(other for each, other in said.items() if each != part))]  # fmt: skip
    return found[0] if len(found) == 1 else 0


def _asked_in(asked: Asked, passage: Passage, span: tuple[int, int]) -> set[int]:
    """Return which of the stems asked for some characters of a passage say, and its title does not."""
    titled = {asked.told.get(stem, -1) for stem in stems_in(passage.title)}
    return {*passage.asked[slice(*passage.words.span(*span))].tolist()} - titled - {-1}


def instead(passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) in the place of which its sentence has another one: "instead of 1 April"."""
    told = (
        each.end > each.start
        and INSTEAD.search(passages[each.passage].text, max(0, each.start - READ), each.start) is not None
        for each in candidates
    )
    return np.fromiter(told, np.float32, len(candidates))


def of_the_day(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each time of the day (n,) beside a date in its sentence or row, where "when" asks for a date."""
    found = np.zeros(len(candidates), np.float32)
    if asked.kind != "time" or HOURS_ASKED.search(asked.text) or DATE.search(asked.text):
        return found
    dated = {sentence_of(passages, each) for each in candidates if DATE.search(each.text)}
    for row, each in enumerate(candidates):
        found[row] = CLOCK.fullmatch(each.text) is not None and sentence_of(passages, each) in dated
    return found


def opposite(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) behind a superlative opposite to that asked for, if its sentence has both."""
    found, text = np.zeros(len(candidates), np.float32), asked.text
    asks = [pattern.search(text) is not None for pattern in ANY_ENDS]
    if asks[0] == asks[1]:
        return found
    # The largest town is not contrasted with the closest one.
    known = [ends for ends in ENDS if ends[not asks[0]].search(text)]
    own, other = (known[0] if len(known) == 1 else ANY_ENDS)[:: 1 if asks[0] else -1]
    for index, passage in enumerate(passages):
        for start, end in passage.bounds:
            wrong = [each.start() for each in other.finditer(passage.text, start, end)]
            right = [each.start() for each in own.finditer(passage.text, start, end)] if wrong else []
            for row, each in enumerate(candidates) if right else ():
                if each.passage == index and start <= each.start < end:
                    last = [max((at for at in places if at < each.start), default=-1) for places in (right, wrong)]
                    found[row] = last[1] > last[0]
    return found
