"""Definitions: what something is, who somebody is or where it lies, of which a question asks nothing else.

"Who is Orrin Tasker?" is answered by how the page of that name begins, "What is lamp-lung?" by a sentence that says so,
"Where is the Glass Theatre?" by a row or the first name of a place on its page. "What does --keep do?" is answered by
the list of definitions or the table that has it, or by the section below it as its heading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from retriever.answers.asked import Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.questions.terms import LONGEST_SAID, is_literal, term_asked
from retriever.answers.ranker import Ranked, ranked, single_candidate
from retriever.answers.reading import Reading
from retriever.answers.rules.entries import INLINE, OPTIONS, entries_of
from retriever.answers.text.dates import MONTHS
from retriever.answers.text.kinds import kind_of_text
from retriever.answers.text.likeness import answer_tokens, normalised
from retriever.answers.text.looks import looks_of
from retriever.answers.text.words import FUNCTION, UPPER, WORD, stems_in, word_spans
from retriever.candidates.verbatim import without_number
from retriever.fusion.store import Fusion
from retriever.question.identifiers import is_alone
from weft.text.names import plain_name
from weft.text.sentences import Span

IS = re.compile(r"\b(?:is|are|was|were)\s++(?!born\b|not\b)|\s[–—]\s+")
LIES = re.compile(rf"{IS.pattern}|\b(?:stands|lies|sits|stood|lay)\b")
PARENTHESIS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
ASIDE = re.compile(r",[^,]*,|[\"“][^\"“”]*[\"”]")
"""What stands between a subject and its verb and is no part of either, as parentheses are."""

DONE = r"(?:[a-z]+ly )?(?!based\b|used\b)[a-z]+ed (?:at|by|from|in|into|on|onto|to|with|within|when|if|as|so)\b"
"""What is done to something, which does not say what it is: "is deployed on"."""

SAYS = rf"(?:is|are|was|were|means?|refers? to|represents?|denotes?|stands? for)\s+(?!not\b|{DONE})"
SENTENCE = re.compile(r"(?:\S+\s+){3,}\S+[.!?:][\"”’')\]]*", re.S)
WHO, WHERE = re.compile(r"\W*who\b", re.I), re.compile(r"\W*where\b", re.I)
ROWS = tuple(
    re.compile(rf"^(?:{labels})\s+\|\s+([^|\n]+)$", re.I | re.M)
    for labels in (
        "location|locale|address|situated|located(?: in)?|place",
        "city|town|village|municipality|region|province|county|district|state", "country|countries",
    )
)  # fmt: skip
LARGE = rf"[{UPPER}](?=[’'-]?\w)\w*+(?:[’'-]\w++)*+"
RUN = rf"{LARGE}(?: (?:(?:of|de|du|von|van|the) )*{LARGE})*+"
# Of "Old Street 12" no part is a name, but of "Kell, Ohio 12" one is.
NAMED = rf"(?:[Tt]he |\d+[a-z]? )?{RUN}(?:, (?:(?:of|de|du|von|van|the) )*{RUN})*"
IN, OF = (
    re.compile(rf"\b(?:{words}) ({NAMED}(?: and {NAMED})?)(?! [0-9])")
    for words in ("in|on|at|near|off|above|below|beside|between|along", "of")
)
WITHIN = re.compile(
    rf"\b(?:in|on|at|near|beside|below|above) (the (?:[a-z][a-z-]* ){{1,4}}?(?:of|in|at|on|by) {NAMED})(?! [0-9])"
)
"""What a page's first sentences say that it lies in or near, else what it is of, else within what of a named place."""

CELLS = " | "
BODY = re.compile(r"(?P<indent> *)\S.*\n(?:(?P=indent)\S.*\n)*(?P=indent) +\S")
ENTRY = re.compile(r"^(?P<terms>(?:\S[^\n]*\n)+)(?P<said>(?:  [^\n]*(?:\n|\Z))+)", re.M)
EXPLAINS = re.compile(
    r"\W*(?:mean(?:ing|s)|descriptions?|definition|explanation|function|purpose|effect|what (?:it|this) \w+|does)\W*",
    re.I,
)
"""An entry of a list of definitions, and labels of columns that explain a first cell."""

SAID = 0.8
"""The chance of a definition by a page, sentence or heading that has the name."""


class Defined(NamedTuple):
    """Characters of a passage that define, and the chance that they define what is meant."""

    passage: int
    span: Span
    chance: float


def definition(fusion: Fusion, reading: Reading) -> Ranked | None:
    """Return what defines what a question asks only to be defined; None where it asks else, or nothing does.

    Where nothing says who somebody is, or what a name means, the best candidate has no chance: it is something else.
    """
    asked = reading.asked
    term = term_asked(asked.text) if is_alone(asked.text) else ""
    if is_literal(term) and not _has_page(reading, term):
        # An identifier alone asks what it is, as `looked_up` has not told.
        best = ranked(fusion, reading)
        return best and best._replace(chance=0.0)
    if not asked.defines:
        return None
    found = (*_places(reading),) if WHERE.match(asked.text) else (*_on_own_page(reading), *_said(reading))
    for index, span, chance in sorted(found, key=lambda each: -each.chance):
        text = reading.passages[index].text[slice(*span)].rstrip(" .;:")
        key, words = normalised(text), WORD.findall(text)
        # What may be several things is told in the list behind: "The Lantern is the name of:".
        is_whole = bool(words) and words[-1].lower() not in FUNCTION
        if key and is_whole and not asked.tokens.issuperset(stems_in(text)):
            only = Candidate(text, key, index, span[0], span[0] + len(text), NUMBERED["clause"], 0)
            return single_candidate(reading, only, chance)
    small = (stem for stem in stems_in(asked.defines) if stem not in asked.named and stem not in FUNCTION)
    is_name = WHO.match(asked.text) or not (WHERE.match(asked.text) or any(small))
    other = ranked(fusion, reading) if is_name else None
    return other and other._replace(chance=0.0)


def looked_up(reading: Reading) -> Ranked | None:
    """Return what is said of a term without a page, if nothing else is asked: by a list of definitions or a table.

    Of an identifier that none of them has, the section tells of which it is the heading.
    """
    term = term_asked(reading.asked.text)
    has_page = _has_page(reading, term)
    for index, passage in enumerate(reading.passages) if term and not has_page else ():
        found = next(filter(None, (_in_entries(passage, term), _in_rows(passage, term))), None)
        if found is not None:
            text, start = passage.text[slice(*found)].rstrip("\n .;:"), found[0]
            return _single(reading, index, start, text)
    return _below_heading(reading, term) if is_literal(term) and not has_page else None


def _has_page(reading: Reading, term: str) -> bool:
    """Tell whether a term is the title of a page that is read."""
    own = answer_tokens(term)
    return any(answer_tokens(plain_name(each.title)) == own for each in reading.passages)


def _single(reading: Reading, passage: int, start: int, text: str) -> Ranked:
    only = Candidate(text, normalised(text), passage, start, start + len(text), NUMBERED["clause"], 0)
    return single_candidate(reading, only, SAID)


def _below_heading(reading: Reading, term: str) -> Ranked | None:
    """Return the first whole sentence of the section of which a term is the heading."""
    for index in sorted(range(len(reading.passages)), key=lambda each: reading.passages[each].chunk):
        passage = reading.passages[index]
        heading = OPTIONS.split(without_number(passage.heading))
        is_below = passage.kind == "paragraph" and term.lstrip("$") in heading
        for start, end in passage.bounds if is_below else ():
            if SENTENCE.fullmatch(passage.text, start, end):
                return _single(reading, index, start, passage.text[start:end].rstrip(" .;:"))
    return None


def _in_entries(passage: Passage, term: str) -> Span | None:
    """Return what a list of definitions says of a term, cut to a sentence where it is long."""
    if passage.kind != "definition":
        return None
    for begin, end in entries_of(passage.text, term) if is_literal(term) else ():
        body = BODY.match(passage.text, begin, end) or INLINE.match(passage.text, begin, end)
        if body is not None:
            start = body.end() - 1 if body.re is BODY else body.end()
            return start, _cut(passage, start, end)
    for entry in ENTRY.finditer(passage.text):
        if any(_is_term(line, term) for line in entry["terms"].splitlines()):
            start = entry.start("said") + 2
            return start, _cut(passage, start, start + len(entry["said"][2:].rstrip()))
    return None


def _in_rows(passage: Passage, term: str) -> Span | None:
    """Return the cell that explains the first cell of a row, where that is a term."""
    lines = [each for each in passage.bounds if passage.kind == "table" and CELLS in passage.text[slice(*each)]]
    head = passage.text[slice(*lines[0])].split(CELLS) if lines else []
    column = next((at for at, label in enumerate(head) if at and EXPLAINS.fullmatch(label)), 0)
    for start, end in lines[1:] if column else ():
        cells = passage.text[start:end].split(CELLS)
        if len(cells) > column and cells[column].strip() and _is_term(cells[0], term):
            begin = start + len(CELLS.join((*cells[:column], "")))
            return begin, begin + len(cells[column].rstrip())
    return None


def _is_term(text: str, term: str) -> bool:
    """Tell whether an entry is of a term: it says nothing else, or is a list of options with it."""
    if is_literal(term):
        return term in OPTIONS.split(text.strip())
    return stems_in(text.partition(" (")[0]) == stems_in(term) != ()


def _cut(passage: Passage, start: int, end: int) -> int:
    """Return where what is said from a place on ends: behind a line that is a sentence, of long texts the first one."""
    line = passage.text.find("\n", start, end)
    if line >= 0 and passage.text[line - 1] != ":" and SENTENCE.fullmatch(passage.text, start, line):
        end = line
    return end if end - start <= LONGEST_SAID else min(end, passage.sentence_at(start)[1])


def _named(reading: Reading) -> Iterator[tuple[int, float]]:
    """Yield the first paragraph that is read of each page that a question names, and how surely it names the page.

    At least SAID where no other page that is read has the name.
    """
    asked, passages = reading.asked, reading.passages
    own = answer_tokens(asked.defines)
    titled = {each.page: answer_tokens(plain_name(each.title)) == own for each in passages}
    is_alone = Counter(titled.values())[True] == 1
    seen: set[int] = set()
    for index in sorted(range(len(passages)), key=lambda each: passages[each].chunk):
        passage = passages[index]
        if passage.page not in seen and (passage.named or titled[passage.page]) and _first_sentence(passage):
            seen.add(passage.page)
            yield index, max(passage.named, SAID if is_alone and titled[passage.page] else 0.0)


def _on_own_page(reading: Reading) -> Iterator[Defined]:
    """Yield what the first whole sentence of each page that a question names says that its subject is."""
    for index, chance in _named(reading):
        passage = reading.passages[index]
        if (first := _first_sentence(passage)) and (not WHO.match(reading.asked.text) or _is_somebody(passage)):
            yield Defined(index, _complement(passage, first, reading.asked) or first, chance)


def _is_somebody(passage: Passage) -> bool:
    return kind_of_text(passage.text).is_person


def _first_sentence(passage: Passage) -> Span | None:
    """Return the first sentence of a paragraph, over breaks inside of parentheses; None where it begins with none."""
    start, end = passage.bounds[0]
    for _, end in passage.bounds:
        own = passage.text[start:end]
        if own.count("(") <= own.count(")"):
            break
    is_whole = passage.kind == "paragraph" and SENTENCE.fullmatch(passage.text, start, end)
    return (start, end) if is_whole else None


def _complement(passage: Passage, sentence: Span, asked: Asked) -> Span | None:
    """Return what a sentence says that its subject is, which must be what its page is about."""
    start, end = sentence
    title = {*stems_in(plain_name(passage.title))}
    names = {*stems_in(passage.title), *asked.named}
    for found in IS.finditer(passage.text, start, end):
        before = passage.text[start : found.start()]
        if before.count("(") > before.count(")"):
            continue
        words = [word for word, *_ in word_spans(ASIDE.sub(" ", PARENTHESIS.sub(" ", before)))]
        small = [word for word in words if not word[0].isupper() and word.lower() not in FUNCTION]
        told = title.intersection(stems_in(" ".join(words)))
        is_subject = 2 * len(told) >= len(title) and names.issuperset(stems_in(" ".join(small)))
        return (found.end(), end) if is_subject else None
    return None


def _places(reading: Reading) -> Iterator[Defined]:
    """Yield where the pages that a question names say that they lie: by a row, else by their first two sentences."""
    for index, chance in _named(reading):
        passage = reading.passages[index]
        own = [each for each, other in enumerate(reading.passages) if other.page == passage.page]
        if _is_somebody(passage):
            continue
        rows = [
            Defined(each, found.span(1), chance)
            for pattern in ROWS for each in own if reading.passages[each].kind == "infobox"
            for found in pattern.finditer(reading.passages[each].text)
        ]  # fmt: skip
        yield from rows[:1]
        start, end = passage.bounds[0][0], passage.bounds[:2][-1][1]
        begins = LIES.search(passage.text, start, end)
        for pattern in (IN, OF, WITHIN):
            for found in pattern.finditer(passage.text, begins.end() if begins else start, end):
                if not (pattern is OF and looks_of(found[1])[0]) and found[1].split()[0].lower() not in MONTHS:
                    yield Defined(index, found.span(1), chance)


def _said(reading: Reading) -> Iterator[Defined]:
    """Yield what sentences, labels, appositions and headings say that something is, each kind over all passages."""
    name = r"[\s-]+".join(re.escape(word) for word in reading.asked.defines.split())
    patterns = (
        re.compile(rf"\W*(?:(?:the|an?)\s+)?{name}(?:e?s)?(?:\s+\([^()]*\))?,?\s+{SAYS}(.+)", re.I | re.S),
        re.compile(rf"\W*{name}(?:e?s)?\s*(?::|\s[–—-])\s+(.+)", re.I | re.S),
        re.compile(
            rf".*?\b((?:an?|the)\s(?:[\w’'-]+,?\s){{1,8}}?)(?:named|called|known\s+as|termed)\s(?:(?:the|an?)\s)?"
            rf"[*_“\"]*{name}\b", re.I | re.S,
        ),
        re.compile(rf".*(?<![\w-]){name}(?:e?s)?(?:,| \(| [–—])\s*((?:an?|the)\s[^,.;()–—]+)", re.I | re.S),
    )
    for pattern in patterns:
        for index, passage in enumerate(reading.passages):
            for start, end in passage.bounds:
                if found := pattern.match(passage.text, start, end):
                    yield Defined(index, found.span(1), SAID)
    own = answer_tokens(reading.asked.defines)
    for index, passage in enumerate(reading.passages):
        first = _first_sentence(passage)
        if first is not None and answer_tokens(passage.heading) == own:
            yield Defined(index, first, SAID)
