"""Practice: questions whose answer is known because they are made of a sentence that it was taken out of.

Real answers over a corpus are few. A sentence loses one of its dates, numbers, names or phrases and becomes a question
for it, by the words that are left, with the page's title or, over a link, with that of a page that leads there.
Rankers learn from these; nothing is ever measured on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from retriever.answers.text.forms import Form, forms_in
from retriever.answers.text.kinds import kind_of_text
from retriever.answers.text.literals import kinds_of_literal
from retriever.answers.text.measures import DIMENSIONS, dimension_told, is_way, measures_of
from retriever.answers.text.words import FUNCTION, word_spans
from retriever.index.terms import written_sentences
from retriever.session import Session
from retriever.types import Ids
from weft.rows import Chunk
from weft.text.names import plain_name

OFTEN = {"date": 1.0, "year": 0.7, "number": 1.2, "name": 1.2, "quoted": 0.5, "phrase": 0.6, "literal": 1.5,
         "clause": 0.25}
FEWEST, MOST = 3, 8
TRIES = 12
SHORTEST = 60
PHRASE_BEFORE = re.compile(r"(?:\b(?:an?|the|of|by|with|in|as|for|from|called|into|to)|[,;:])[ ]$", re.I)
WAYS = "how long, how far, what length, at what distance"
OPENINGS = {
    "length": "how long, how far, how tall, how high, how deep, how wide, what length, at what distance",
    "time": "how long, for how long, how old, how many years, within what time",
    "mass": "how heavy, how much, what weight", "speed": "how fast, at what speed", "money": "how much, at what price",
    "temperature": "how hot, how cold, at what temperature", "area": "how large, how big, what area",
    "volume": "how much, how large, what volume", "share": "what share, what percentage, how much, in what ratio",
    "frequency": "how often", "energy": "how much, what power",
}  # fmt: skip
LITERALS = {
    "option": "which option, what option, which flag", "path": "which file, which directory, where, in which file",
    "variable": "which environment variable, which variable, which setting",
    "name": "which setting, which function, which parameter, which field, what, what is the name of the",
    "address": "what is the address, at which url",
}  # fmt: skip
TOLD = (
    (re.compile(r"\b(?:because(?: of)?|due to|caused by|so that|in order to)[ ]+(?:(?:an?|the)[ ]+)?$", re.I),
     "why, for what reason"),
    (re.compile(r"\b(?:by|used to)[ ]+$", re.I), "how, in what way"),
    (re.compile(
        r"\b(?:is|are|was|were|consists? of|made (?:up )?of|composed of|means?|refers? to|used (?:for|as))[ ]+"
        r"(?:(?:an?|the)[ ]+)?$", re.I), "what is, what"),
)
"""What is asked for a clause, by the words before it."""

PERSONS = frozenset("by wife husband son daughter mother father president king queen mr dr".split())
PLACES = frozenset(("in", "at", "near", "from"))


class PracticeQuestion(NamedTuple):
    """A question, its answer, and the sorted ids of the chunks that answer it together."""

    text: str
    answer: str
    gold: Ids


def practice_questions(session: Session, n: int, seed: int = 0) -> Iterator[PracticeQuestion]:
    """Yield at most n questions, every second one over a link where there is one; same SKB and seed, same ones."""
    random = np.random.default_rng([seed, 7])
    table = session.chunk_table
    usable = table.chunk_ids[table.lengths >= SHORTEST]
    if not len(usable):
        return
    for number in range(n):
        for _ in range(TRIES):
            (chunk,) = session.skb.chunks([int(random.choice(usable))])
            made = _made(session, chunk, random, linked=number % 2 == 1)
            if made is not None:
                yield made
                break


def _made(session: Session, chunk: Chunk, random: np.random.Generator, *, linked: bool) -> PracticeQuestion | None:
    (page,) = session.skb.pages([chunk.page_id])
    title = plain_name(page.title)
    way = _way(session, chunk, title, random) if linked else None
    if linked and way is None:
        return None
    sentences = [each for each in written_sentences(session, chunk) if len(each) >= SHORTEST]
    if not sentences:
        return None
    sentence = str(random.choice(sentences[:4]))
    form = _drawn(_whole(sentence), random)
    answer = sentence[form.start : form.end] if form else ""
    if form is None or answer.lower() in title.lower() or len(answer) < 2:
        return None
    kept = _kept(sentence, form, title, random, MOST if way is None else MOST - 3)
    if len(kept) < (FEWEST if way is None else 1):
        return None
    gold = [chunk.id]
    named = [title] if random.random() < 0.7 else []
    if way is not None:
        words, there, start = way
        named = ["of the", *words, there]
        gold.append(start)
    text = " ".join([_opening(sentence, form, answer, random), *kept, *named])
    return PracticeQuestion(text + ("?" if random.random() < 0.7 else ""), answer, np.array(sorted(set(gold))))


def _way(session: Session, chunk: Chunk, title: str, random: np.random.Generator) -> tuple[list[str], str, int] | None:
    """Return words of a sentence that leads to a chunk's page, the title of its own page, and its chunk."""
    (entity,) = session.chunk_table.entities_of(np.array([chunk.page_id])).tolist()
    citing = [each.chunk_id for each in session.skb.cited_in(entity)]
    if not citing:
        return None
    (start,) = session.skb.chunks([int(random.choice(citing))])
    if start.page_id == chunk.page_id:
        return None
    (page,) = session.skb.pages([start.page_id])
    for sentence in written_sentences(session, start):
        place = sentence.find(title)
        if place >= 0:
            form = Form(place, place + len(title), "name")
            words = _kept(sentence, form, page.title, random, 3)
            return (words, page.title, start.id) if words else None
    return None


def _whole(sentence: str) -> list[Form]:
    """Return what may be asked for: nothing that is a part of a longer name or of a number with its unit, no word that
    only begins the sentence, and phrases where a small word or a sign stands on both sides.
    """
    forms = [each for each in forms_in(sentence) if each.form in OFTEN]
    names = [each for each in forms if each.form == "name"]
    numbers = [each for each in forms if each.form == "number"]

    def is_whole(one: Form) -> bool:
        if one.form == "phrase":
            return PHRASE_BEFORE.search(sentence, 0, one.start) is not None and _ends(sentence, one.end)
        if one.form == "number":
            return _is_whole_number(sentence, one, numbers)
        if one.form == "clause":
            return any(before.search(sentence, 0, one.start) for before, _ in TOLD)
        if one.form != "name":
            return True
        within = (other for other in names if other.start <= one.start and one.end <= other.end)
        longest = all(other.end - other.start <= one.end - one.start for other in within)
        return longest and (one.start > 0 or " " in sentence[one.start : one.end])

    return [each for each in forms if is_whole(each)]


def _is_whole_number(sentence: str, one: Form, numbers: list[Form]) -> bool:
    """Tell whether a number stands with its unit, and without what it counts where that is no unit."""
    own = measures_of(sentence[one.start : one.end])
    longer = [other for other in numbers if other.start <= one.start and one.end < other.end]
    if own:
        return own != {"count"} and not any(measures_of(sentence[each.start : each.end]) > own for each in longer)
    return not any(measures_of(sentence[each.start : each.end]) - {"count"} for each in longer)


def _ends(sentence: str, end: int) -> bool:
    following = re.match(r"\W*[ ](\w+)", sentence[end:])
    return following is None or sentence[end : end + 1] in ",.;:" or following[1].lower() in FUNCTION


def _drawn(forms: list[Form], random: np.random.Generator) -> Form | None:
    if not forms:
        return None
    often = np.array([OFTEN[each.form] for each in forms])
    for name in {each.form for each in forms}:
        own = np.array([each.form == name for each in forms])
        often[own] /= own.sum()
    return forms[int(random.choice(len(forms), p=often / often.sum()))]


def _kept(sentence: str, form: Form, title: str, random: np.random.Generator, most: int) -> list[str]:
    """Return words beside the answer, the nearest likeliest, in their order, none of the title."""
    hidden = {word.lower() for word, *_ in word_spans(title)}
    words = [
        (min(abs(start - form.end), abs(form.start - end)), start, word)
        for word, start, end in word_spans(sentence)
        if (end <= form.start or start >= form.end) and word.lower() not in FUNCTION and word.lower() not in hidden
    ]
    near = sorted(words)[: most + 3]
    drawn = [each for each in near if random.random() < 0.7][:most]
    return [word for _, _, word in sorted(drawn, key=lambda each: each[1])]


def _opening(sentence: str, form: Form, answer: str, random: np.random.Generator) -> str:
    if form.form == "date":
        return str(random.choice(["when", "on what date", "when was"]))
    if form.form == "year":
        return str(random.choice(["when", "in which year", "what year"]))
    if form.form == "clause":
        return str(random.choice(_told(sentence[: form.start]).split(", ")))
    if form.form == "literal" and (kinds := sorted(kinds_of_literal(answer))):
        return str(random.choice(LITERALS[str(random.choice(kinds))].split(", ")))
    before = sentence[: form.start].lower().split()[-1:] or [""]
    if form.form == "number":
        measures = sorted(measures_of(answer) - {"count"})
        if not measures:
            counted = re.match(r"[ -]([^\W\d_]+)", sentence[form.end :])
            return f"how many {counted[1]}" if counted and counted[1].lower() not in FUNCTION else "how many"
        measure = str(random.choice(measures))
        openings = WAYS if measure == "length" and is_way(answer) else OPENINGS[measure]
        told = dimension_told(sentence, form.start, form.end)
        fitting = [each for each in openings.split(", ") if DIMENSIONS.get(each.split()[-1]) == told]
        return str(random.choice(fitting or openings.split(", ")))
    if form.form == "name":
        if before[0] in PERSONS or kind_of_text(f"{answer} {sentence[form.end :]}").life.birth:
            return str(random.choice(["who", "who is the"]))
        if before[0] in PLACES:
            return str(random.choice(["where", "in what place", "where was"]))
    return str(random.choice(["what", "which", "what is the", "who" if form.form == "name" else "what"]))


def _told(before: str) -> str:
    return next(openings for pattern, openings in TOLD if pattern.search(before))
