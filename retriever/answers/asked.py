"""What a question asks for: the kind of answer, the words that an answer must fit, and what it offers to choose from.

`retriever.question.reader` reads a question for retrieval; here it is read once more for the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.text.kind_asked import CAUSE, WORD, asks_person, is_phrase, kind_of
from retriever.answers.text.lexicon.hypernyms import is_thing, measured, senses_of, senses_of_kind
from retriever.answers.text.lexicon.meanings import Vectors, kin_said, told_for, vectors_of
from retriever.answers.text.lists import several_asked
from retriever.answers.text.literals import literals_asked
from retriever.answers.text.measures import dimension_asked, measures_asked
from retriever.answers.text.words import FUNCTION, Words, stem_of, stems_in, word_spans, words_in
from retriever.index.terms import rarities
from retriever.question.reader import sure_of
from retriever.session import Session
from retriever.types import Question

FEMALE = frozenset(
    """she her mother mother-in-law wife daughter sister queen woman actress grandmother stepmother aunt widow
    girlfriend""".split()
)
MALE = frozenset("he his father father-in-law husband son brother king man grandfather stepfather uncle".split())

CHOICE = re.compile(r"\bor\b", re.I)
POLAR = re.compile(
    r"^(?!(?:could|would|will) you\b)"
    r"(?!\w+ you (?:\w+ ){0,2}(?:tell|say|name|list|give|show|explain|describe|find|know|check|provide|recommend"
    r"|suggest|remember|remind|recall|help|mind|think|believe|happen|look)\b)"
    r"(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|must|may|should)(?:n['’]t)?\b"
    r"|[,;.] (?:is|are|was|were|do|does|did) (?:they|both|it|he|she|the)\b", re.I)  # fmt: skip
LEAD = re.compile(
    r"\A\W{0,8}(?:In|On|At|By|For|During|Before|After|Since|Among|According to) [^,?]{1,60}, "
    r"(?=(?:what|who|where|which|when|how|why|is|are|was|were|do|does|did|has|have|had|can)\b)", re.I,
)  # fmt: skip
"""A phrase before a question: "In 1994, were there more?"."""

INDIRECT = re.compile(
    r"\b(?:know|known|say|said|tell|told|clear|recorded)\s+(?:(?:me|us)\s+)?(?:which|what|who|when|where|how)\b", re.I
)
YOU = re.compile(r"^\w+ you\b", re.I)
ASKS_ELSE = re.compile(r"\b(?:which|what|who|when|where|how)\b", re.I)
CALLS = re.compile(
    r"\b(?:called|names?|named|titles?|titled|terms?|nickname|known as|motto|word|slogan)\b"
    r"|\bwhat (?:do|does|did) [^?]{1,60} call\b", re.I,
)  # fmt: skip
DEFAULTS = re.compile(r"\bdefaults?\b", re.I)
REASONS = re.compile(
    r"\bwhy\b|\bhow come\b|\bwhat (?:(?:was|is|were) the (?:reason|cause)|made|led)\b|\bcause[sd]?\b|\bfor what\b", re.I
)

DEFINES = re.compile(
    r"\W*(?:(?P<asks>who|what|where)(?:'s| is| are| was| were)(?: the (?:meaning|definition) of)?|define|describe"
    r"|explain|tell (?:me|us) about|what (?:do|can) you (?:know|tell (?:me|us)) about)\s+"
    r"(?:(?P<article>an?|the)\s+)?(?P<name>.+?)(?:\s+(?:located|situated|found))?\W*"
    r"|\W*what (?:do|does) (?P<means>.+?) mean\W*", re.I,
)  # fmt: skip
"""What asks only who, what or where something is."""

WHO_WHERE = ("who", "where")
LONGEST_DEFINED = 200
"""Characters of a question that may ask only who, what or where something is."""

MOST_DEFINED = 3
"""Words of what may be defined that is no name."""


class Asked(NamedTuple):
    """A question as its answer is looked for.

    `stems` (w,) are all that it is about. `weights` (w,) are by rarity, 0 for what
    is only named, `every` (w,) those of names too, `relation` (w,) those of neither
    names nor the nouns of `focus`, where there are others; each adds up to 1. `named` are the stems of the names in it,
    `focus` those of the words that may be the noun behind which or what. `kind` is one of `KINDS`; `gender` is 1 for
    female, -1 for male, 0 where nothing says. `is_polar`: it asks for yes or no.
    `tokens` are all its stems, `capitals` those of the words with a capital behind the first.
    `open_stems` (w,) are `stems`, "" for those of names.
    `told` has the index of each of `stems`, and of what a text may say in its place.
    `meanings` (w, d) are the vectors of `stems`, zeros for names, `focus_meaning` (f, d) those of `focus`.
    `measures` are what a number must measure; `calls` and `reasons` tell that a name and that a reason is asked for,
    `defaults` that a default is. `literals` are the kinds of literals that may answer, `dimension` is the one asked
    for, "" where there is none. `senses` are those of the nouns of `focus`, `kind_senses` those of `kind`
    (`lexicon/hypernyms.py`); `counts_not` tells that a reason, or nouns that name nothing told in numbers, are asked
    for.
    `asks_what`: "what" alone asks, without a noun; `is_phrase`: no question word does. `defines` is what the question
    asks nothing else of than what, who or where it is, "" where there is none. `several` is the plural of what it asks
    for several of, "" where it does not.
    """

    text: str
    words: Words
    stems: tuple[str, ...]
    weights: NDArray[np.float64]
    every: NDArray[np.float64]
    relation: NDArray[np.float64]
    named: frozenset[str]
    focus: frozenset[str]
    kind: str
    gender: int
    is_polar: bool
    tokens: frozenset[str]
    capitals: tuple[str, ...]
    open_stems: tuple[str, ...]
    told: dict[str, int]
    meanings: Vectors
    focus_meaning: Vectors
    measures: frozenset[str]
    calls: bool
    reasons: bool
    defaults: bool
    dimension: str
    literals: frozenset[str]
    senses: frozenset[int]
    kind_senses: frozenset[int]
    counts_not: bool
    asks_what: bool
    is_phrase: bool
    defines: str = ""
    several: str = ""


def asked_of(session: Session, question: Question) -> Asked:
    """Return what a question asks for."""
    text = question.text.replace("’", "'")
    about = tuple(dict.fromkeys((*question.asked, *kin_said(text))))
    spoken = [word for each in sure_of(question.mentions) for word, *_ in word_spans(each.name)]
    named = frozenset(stem_of(word) for word in spoken if word.lower() not in FUNCTION)
    stems = (*about, *sorted(named - set(about)))
    open_stems = about + ("",) * (len(stems) - len(about))
    weights, every = _weights(session, stems, len(about))
    kind, nouns = kind_of(text)
    word, is_polar = None if is_phrase(text) else WORD.search(text), _is_polar(text)
    reasons = REASONS.search(text) is not None or CAUSE.search(text) is not None
    words, focus = words_in(text), tuple(map(stem_of, nouns))
    return Asked(
        text, words, stems, weights, every, _relation(stems, weights, focus), named,
        frozenset(focus), kind, _gender(text), is_polar, frozenset(words.stems), _capitals(text),
        open_stems, _told(stems), vectors_of(open_stems), vectors_of(focus or ("",)),
        measures_asked(text), CALLS.search(text) is not None, reasons,
        DEFAULTS.search(text) is not None, dimension_asked(text), literals_asked(text),
        _senses(nouns), senses_of_kind(kind),
        (reasons and kind in ("manner", "thing")) or (kind == "thing" and word is not None and not measured(nouns)),
        word is not None and word[1].lower() == "what" and not nouns, word is None and not is_polar,
        _defines(text, [each.name for each in sure_of(question.mentions)]),
        several_asked(text),
    )  # fmt: skip


def _senses(nouns: Sequence[str]) -> frozenset[int]:
    """Return the senses of nouns, without those of people where two of them name a thing."""
    pairs = zip(("", *nouns), nouns, strict=False)
    return frozenset[int]().union(*(senses_of(word) for before, word in pairs if not is_thing(before, word)))


def _weights(session: Session, stems: Sequence[str], n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weights (w,) of stems by rarity, of the first n alone and of all; each adds up to 1."""
    known = rarities(session, stems)
    rare = np.array([max(0.5, known[each]) for each in stems], np.float64)
    own = np.where(np.arange(len(stems)) < n, rare, 0.0)
    return own / max(1e-9, own.sum()), rare / max(1e-9, rare.sum())


def _relation(stems: Sequence[str], weights: NDArray[np.float64], focus: Sequence[str]) -> NDArray[np.float64]:
    """Return the weights (w,) of what is asked of an answer: "bought" where "which company bought it" is asked."""
    found = np.where([stem in focus for stem in stems], 0.0, weights)
    return found / found.sum() if found.any() else weights


def _defines(text: str, names: Sequence[str]) -> str:
    """Return what a question asks nothing else of than what, who or where it is, "" where it asks more.

    One of `names`, or what says no more than one of them; or without "the" a few words that may be a term, or with it
    one that is no English noun; behind "who is" with capitals.
    """
    if len(text) > LONGEST_DEFINED:
        return ""
    text = LEAD.sub("", text, count=1)
    found = DEFINES.fullmatch(text)
    name = (found["name"] or found["means"]) if found else text.strip()
    words = [word for word, *_ in word_spans(name)]
    content = [word for word in words if word.lower() not in FUNCTION]
    if any(name.lower() == each.lower() for each in names):
        return name
    if not content or not {words[0], words[-1]} <= {*content}:
        # "What is the bridge made of?", "Who is in the guild?", "What is that?"
        return ""
    if any({*map(stem_of, content)} <= {*stems_in(each)} for each in names):
        return name
    is_unknown = len(words) == 1 and not senses_of(words[0])
    if found is None or (found["article"] == "the" and not is_unknown) or len(content) != len(words) or "'" in name:
        return ""
    # "Who is Chairman?" asks for somebody's name.
    is_name = all(word[0].isupper() for word in words) and not asks_person(words[-1].lower())
    return name if len(words) <= MOST_DEFINED and (is_name or (found["asks"] or "").lower() not in WHO_WHERE) else ""


def flags(stems: Sequence[str], asked: Asked) -> NDArray[np.float64]:
    """Return which of the stems asked for are told (w,)."""
    told = np.zeros(len(asked.stems))
    told[[asked.told[stem] for stem in stems if stem in asked.told]] = 1.0
    return told


def _told(stems: tuple[str, ...]) -> dict[str, int]:
    others = {other: index for index, stem in reversed(list(enumerate(stems))) for other in told_for(stem)}
    return others | {stem: index for index, stem in enumerate(stems)}


def _capitals(text: str) -> tuple[str, ...]:
    large = [word for word, start, _ in word_spans(text) if start and word[0].isupper()]
    return tuple(dict.fromkeys(stem_of(word) for word in large if word.lower() not in FUNCTION))


def _gender(text: str) -> int:
    said = [part for part in re.findall(r"[\w-]+", text.lower()) if part in FEMALE or part in MALE]
    # "His wife" is a woman.
    said = [part for part in said if part not in ("his", "her")] or said
    if not said:
        return 0
    # "X's mother" ends with who is asked for, "the mother of X" begins with it.
    chosen = said[-1] if re.search(r"'s\s+[\w\s-]+\??$", text) else said[0]
    return 1 if chosen in FEMALE else -1


def _is_polar(text: str) -> bool:
    """Tell whether a question asks for yes or no; behind its verb "when" and the like begin clauses.

    >>> _is_polar("Did anyone die when it sank?"), _is_polar("Is it known who sank it?"), _is_polar("When did it sink?")
    (True, False, False)
    >>> _is_polar("Are you open on Sunday?"), _is_polar("Can you name its owner?"), _is_polar("Do you know its owner?")
    (True, False, False)
    >>> _is_polar("In 1994, were there more?"), _is_polar("Am I allowed to swim?")
    (True, True)
    """
    text = LEAD.sub("", text, count=1)
    found = POLAR.search(text)
    if found is None or CHOICE.search(text) or INDIRECT.search(text):
        return False
    return (found.start() == 0 and YOU.match(text) is None) or ASKS_ELSE.search(text) is None
