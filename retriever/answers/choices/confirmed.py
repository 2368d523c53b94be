"""Confirmation by words: whether a clause of a sentence says what a yes/no question asks.

It is asked last, where no row and no sentence of the same relation tells (`statements`). A clause confirms nothing that
leaves out a name or a number of the question, or much of its other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.choices.statements import Verdict
from retriever.answers.columns.labels import alike_to
from retriever.answers.columns.sentences import Floats
from retriever.answers.passages import Passage
from retriever.answers.text.measures import NUMERALS
from retriever.answers.text.words import FUNCTION, LOWER, content_in, stem_of, stems_in, word_spans

DENIES = re.compile(
    r"\b(?:not?|never|none|nobody|nothing|neither|nor|without|cannot|except|unable|refus\w*|declin\w*|reject\w*"
    r"|den(?:y|ies|ied)|lacks?|no longer|fail(?:s|ed)?|forb[ia]d\w*|prohibit\w*|banned)\b|n['’]t\b", re.I)  # fmt: skip
REFUSES = re.compile(r"\b(?:refus|declin|reject|den(?:y|ies|ied)|lack|fail|forb[ia]d|prohibit|banned)\w*", re.I)
"""Verbs that stand for the denied one: "She refused the prize" says that she did not accept it."""

OPPOSITES = tuple(
    (re.compile(rf"\b(?:{one})\b", re.I), re.compile(rf"\b(?:{other})\b", re.I))
    for one, other in (
        ("open(?:s|ed)?", "closed?|closes|shut"), ("alive|living", "dead|died"), ("empty", "full"),
        ("legal", "illegal"), ("safe", "unsafe|dangerous|poisonous"), ("possible", "impossible"),
        ("included?", "excluded?|excluding"), ("available", "unavailable"), ("present", "absent"),
        ("inside", "outside"), ("pay|paid|charge[ds]?", "free|gratis"), ("edible", "inedible|poisonous"),
        ("weekends?", "weekdays?|Mondays? (?:to|until) Fridays?"),
    )
)  # fmt: skip
"""Words of which one says that the other is not so."""

REFUSED = 0.05
"""What such a verb counts, which says nothing else of the question, beside a clause that says a little more."""

COMPARED = re.compile(r"\b((?:more|less|fewer) [a-z]+|[a-z]+er) than\b", re.I)
SUBJECT = re.compile(r"[,;:]|\b(?:and|but|while)\b")
"""What compares two things, and what ends before the first one of them."""

MOST_ELSE = 1
"""Words of such a clause that the question has not: with more of them it is about something else."""

BEGINS = re.compile(r"^\W*\w+n['’]t\b", re.I)
"""A question that begins so asks whether something is so: "Wasn't it built in 1790?" """

PARTS = re.compile(
    r";|,\s+(?=not\b)|\b(?:but|although|though|while|whereas|when|where|who|which|without)\b|\band\s+(?=[a-z]+(?:s|ed)\b)"
)
"""Where another clause of a sentence begins, with what only may be a verb."""

GOES_ON = re.compile(r"without\b|(?:but|,)\s+not\b")
"""What takes up all that was said before: "in the porch but not in the dormitory"."""

VERB = re.compile(r"\b(?:is|was|are|were|has|had|have|[a-z]+(?:s|ed))\b")
"""Where the subject of a sentence ends at the latest."""

SEVERAL = re.compile(rf"\b[^\W\d_{LOWER}]\w+(?: [^\W\d_{LOWER}]\w+)+")
"""A name of several words, of which the last one stands for the whole where it was said before."""

COUNTS = NUMERALS - {"one", "and"}
"""Numbers as words; "one" and "and" are more often none."""

YES_OR_NO = re.compile(r"\W*(yes|no)\b(?!\s+(?:one|body)\b)", re.I)
LEAVE = re.compile(r"\b(?:allowed|permitted|may|can|could|ok|okay|bring)\b", re.I)
BARRED = re.compile(r"\b(?:forbidden|prohibited|banned|barred)\b", re.I)
BARS = re.compile(
    r"(?!\W*(?:if|when|where)\b).*(?:\b(?:not|never|no) (?:be )?(?:allowed|permitted|welcome|bring|do)\b"
    rf"|{BARRED.pattern})", re.I,
)  # fmt: skip
GIVES = re.compile(r"\b(?:can|may|is allowed|are allowed|welcome)\b(?! not\b)", re.I)
"""What asks for leave, what denies it in a question, and in a heading for what stands below, and what gives it."""

ONLY = re.compile(r"\b(?:only|solely|exclusively)\b", re.I)
SAME_ASKED, SAME_WORDS = 0.8, 0.6
"""The share, by rarity, of what is asked that a text's own question means, and of its words that are asked."""

LEAST_MEANT = 0.5
"""The share, by rarity, of the words beside names and numbers that a clause has to mean."""


class Clause(NamedTuple):
    """A part of a sentence, whose number it has, and how much of each stem asked for is said there (w,)."""

    sentence: int
    text: str
    said: Floats


def denies(text: str) -> bool:
    """Tell whether a question asks whether something is not so.

    >>> denies("Was the bridge not built in 1790?"), denies("Wasn't the bridge built in 1790?")
    (True, False)
    """
    begins = BEGINS.match(text)
    return DENIES.search(text, begins.end() if begins else 0) is not None


def confirmed(asked: Asked, passages: Sequence[Passage]) -> Verdict:
    """Return how surely the clause that means most of what is asked says so, -1 to 1; 0 where it leaves out too much.

    A clause that denies speaks against it, where the question does not deny. Of what only some are ("only assistance
    dogs are allowed") a clause says nothing. First counts what the same question is answered by.
    """
    if answered := _answered(asked, passages):
        return answered
    best, found = 0.0, Verdict(0.0, 0, 0)
    denied, numbers = denies(asked.text), _numbers(asked.text)
    for index, passage in enumerate(passages):
        whole = _whole_names(asked, [each.text for each in passages if each.page == passage.page])
        for clause in _clauses(asked, passage):
            clause = clause._replace(said=_with_first_names(clause.said, whole))
            refuses = _refuses(asked, clause.text)
            worth = float(clause.said @ asked.every) + (REFUSED if refuses else 0.0)
            if worth > best:
                best = worth
                is_other = _is_denied(asked, clause.text) or _is_turned(asked.text, clause.text)
                is_other = is_other or _is_barred(asked.text, passage.heading, clause.text)
                sign = -1.0 if is_other != denied else 1.0
                least = 0.0 if refuses else LEAST_MEANT
                is_counted = numbers <= _numbers(f"{passage.title} {clause.text}")
                is_limited = ONLY.search(clause.text) is not None and ONLY.search(asked.text) is None
                is_whole = is_counted and not is_limited and _says_all(asked, clause.said, least)
                sure = max(0.0, min(1.0, 2 * best - 0.6)) if is_whole else 0.0
                found = Verdict(sign * sure, index, clause.sentence)
    return found


def _answered(asked: Asked, passages: Sequence[Passage]) -> Verdict | None:
    """Return the "Yes" or "No" with which a passage goes on behind the question that is asked, None without one."""
    if denies(asked.text):
        return None
    for index, passage in enumerate(passages):
        parts = [passage.text[slice(*bounds)] for bounds in passage.bounds]
        for number, (before, part) in enumerate(zip([passage.heading, *parts], parts, strict=False)):
            said = YES_OR_NO.match(part)
            if said and before.rstrip(' *_"”').endswith("?") and _is_asked_so(asked, before):
                return Verdict(1.0 if said[1].lower() == "yes" else -1.0, index, number)
    return None


def _is_asked_so(asked: Asked, text: str) -> bool:
    """Tell whether a question of a text asks the same, in nearly the same words."""
    own, stems = content_in(text), content_in(asked.text)
    is_said = float(alike_to(stems_in(text), asked) @ asked.every) >= SAME_ASKED
    return bool(own) and is_said and len(own & stems) >= SAME_WORDS * len(own)


def _is_denied(asked: Asked, clause: str) -> bool:
    """Tell whether a clause denies something, or says the opposite of a word of a question in its place."""
    return DENIES.search(clause) is not None or any(
        one.search(asked.text) and not one.search(clause) and other.search(clause)
        for pair in OPPOSITES for one, other in (pair, pair[::-1])
    )  # fmt: skip


def _is_barred(question: str, heading: str, clause: str) -> bool:
    """Tell whether a question asks about leave, and a heading says that there is none for what a clause below it names.

    >>> [_is_barred("Can I bring a drone?", "What is not allowed", each) for each in ("Drones.", "Dogs may come.")]
    [True, False]
    """
    is_about = LEAVE.search(question) is not None or BARRED.search(question) is not None
    return is_about and BARS.match(heading) is not None and GIVES.search(clause) is None


def _is_turned(question: str, clause: str) -> bool:
    """Tell whether a clause compares the two things of a question the other way round.

    >>> _is_turned("Are male hares heavier than the females?", "It is small, and females are heavier than males.")
    True
    """
    asked, told = COMPARED.search(question), COMPARED.search(clause)
    if asked is None or told is None or asked[1].lower() != told[1].lower():
        return False
    one, other = content_in(question[: asked.start()]), content_in(question[asked.end() :])
    before, behind = content_in(SUBJECT.split(clause[: told.start()])[-1]), content_in(clause[told.end() :])
    return bool((other - one) & before) and bool((one - other) & behind) and not (one - other) & before


def _refuses(asked: Asked, clause: str) -> bool:
    """Tell whether a clause refuses what is asked: it has such a verb, and MOST_ELSE other words of its own at most."""
    if REFUSES.search(clause) is None:
        return False
    own = (word for word, *_ in word_spans(REFUSES.sub("", clause)) if word.lower() not in FUNCTION)
    return sum(stem_of(word) not in asked.tokens for word in own) <= MOST_ELSE


def _clauses(asked: Asked, passage: Passage) -> Iterator[Clause]:
    """Yield the clauses of a passage; title, heading, its sentence's subject and earlier names there count as said."""
    names = _names(asked)
    # A row below a heading need not be about all that it says: "not out" denies no match.
    heading = passage.heading if passage.kind == "paragraph" else ""
    title = flags(stems_in(f"{passage.title} {heading}"), asked)
    for number, (start, end) in enumerate(passage.bounds):
        verb = VERB.search(passage.text, start, end)
        first, last = passage.words.span(start, verb.start() if verb else start)
        before, begin = np.maximum(title, passage.means[first:last].max(0, initial=0.0)), start
        for stop in (*(found.start() for found in PARTS.finditer(passage.text, start, end)), end):
            first, last = passage.words.span(begin, stop)
            said = np.maximum(passage.means[first:last].max(0, initial=0.0), before)
            yield Clause(number, passage.text[begin:stop], said)
            # What is done without something is said before that, and not denied by it.
            goes_on = GOES_ON.match(passage.text, stop)
            before, begin = said if goes_on else np.where(names, said, before), stop


def _whole_names(asked: Asked, texts: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the names of several words that a question and any of some texts say, by the indices of their stems.

    A last word that stands behind another first one too may mean either, and is left out.
    """
    found = []
    for match in SEVERAL.finditer(asked.text):
        words = [*dropwhile(lambda word: word.lower() in FUNCTION, match[0].split())]
        is_said = any(" ".join(words) in text for text in texts)
        others = re.compile(rf"\b([^\W\d_{LOWER}]\w+) {re.escape(words[-1])}\b") if is_said and len(words) > 1 else None
        before = {word for text in texts for word in others.findall(text)} if others else set()
        if others and {word for word in before if word.lower() not in FUNCTION} <= {words[-2]}:
            found.append(tuple(asked.told[each] for each in map(stem_of, words) if each in asked.told))
    return [each for each in found if len(each) > 1]


def _with_first_names(said: Floats, names: Sequence[tuple[int, ...]]) -> Floats:
    """Return what is said of each stem (w,) where the last word of a name stands for the whole."""
    for *first, last in names:
        if said[last] >= 1:
            said = said.copy()
            said[first] = 1.0
    return said


def _names(asked: Asked) -> NDArray[np.bool_]:
    """Return which of the stems asked for are of names (w,)."""
    names = asked.named.union(asked.capitals)
    return np.array([stem in names for stem in asked.stems], np.bool_)


def _says_all(asked: Asked, said: Floats, least: float) -> bool:
    """Tell whether what is said of each stem (w,) has the names of a question, and this share of the rest."""
    own = np.array([stem in asked.tokens for stem in asked.stems])
    exact = own & _names(asked)
    rest = np.where(own & ~exact, asked.every, 0.0)
    return bool((said[exact] >= 1).all()) and float(said @ rest) >= least * float(rest.sum())


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text, in digits or as words."""
    words = (word.lower() for word, *_ in word_spans(text))
    return frozenset(word for word in words if word in COUNTS or word[0].isdigit())
