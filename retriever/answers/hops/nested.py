"""What a question describes without naming it: "the designer of the Quillon Bridge", "the man who built it".

>>> from retriever.types import QueryMention
>>> def found(text: str, name: str) -> list[tuple[str, str]]:
...     start = text.index(name)
...     mention = QueryMention(start, start + len(name), name, np.array([7]), np.array([1.0], np.float32), "name")
...     return [(each.asks, each.filled(text, "Y")) for each in descriptions(text, [mention])]
>>> found("In which town was the designer of the Quillon Bridge born?", "Quillon Bridge")
[('Who is the designer of the Quillon Bridge?', 'In which town was Y born?')]
>>> found("Where did Ada Orr's paternal grandmother die?", "Ada Orr")
[('Who is the father of Ada Orr?', "Where did Y's mother die?")]
>>> found("When was the school founded that taught Ada Orr?", "Ada Orr")[0]
('What is the school that taught Ada Orr?', 'When was Y founded?')
>>> found("Who coached the 1951 Kell Cup winners?", "Kell Cup")[0]
('Who is the winner of the 1951 Kell Cup?', 'Who coached Y?')
>>> found("Who is the designer of the Quillon Bridge?", "Quillon Bridge")
[]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from retriever.answers.asked import CHOICE, POLAR
from retriever.answers.hops.clauses import clauses, reduced
from retriever.answers.hops.description import NAME, NO_ENTITIES, WORDS, Description, asking, end_of, is_noun
from retriever.answers.hops.kin.steps import every_way
from retriever.answers.text.forms import CAPITAL
from retriever.answers.text.kind_asked import ORDINAL, asks_person
from retriever.answers.text.lexicon.hypernyms import is_a, senses_of
from retriever.answers.text.words import FUNCTION
from retriever.question.reader import ASKED, SURE
from retriever.types import Ids, QueryMention

OF = re.compile(
    rf"\b(?:the|an?) ((?:(?!of )(?:{NAME}) ){{1,3}})"
    r"of ((?:the )?(?:(?!of )[a-z]+ ){0,2}(?:(?:for|in|to) (?:the )?)?"
    r"|the (?:(?!of )[\w’'-]+ ){1,4}(?:film|movie|song|single|album|novel|book|play|opera|series|game|painting) )$",
    re.I,
)  # fmt: skip
"""What stands before a name that belongs to what is described: "the performer of the song ", "of the music for "."""

ASIDE = re.compile(r"\s*\([^()]*\)$")
"""What tells namesakes apart is no part of a question about a page: "Lantern (Ada Orr song)"."""

ARTICLE = re.compile(r"\bthe $", re.I)
OWNS = re.compile(r"(?:['’]s|(?<=s)['’]) ")
NAME_OWNING = re.compile(r"[^\W\d_][\w-]*(?=['’]s\b)")
"""A word that owns what follows: in "Ada Orr's wife's job" the wife."""

UNPAGED = re.compile(rf"{CAPITAL}(?: {CAPITAL})*")
MANY = re.compile(r"\ban? |[^s']s (?:of|$)", re.I)
"""What may be the name of what has no page, and what describes nobody: "a member of", "the residents of"."""

WINNING = frozenset("winner champion runner-up medalist medallist".split())
"""Nouns for somebody, or a club."""

WINNER = rf"(?P<noun>{'|'.join(sorted(WINNING))})s?"
YEAR = r"(?P<year>(?: (?:of|in|from) (?:the )?\d{4}\b)?)"
WINNERS = (
    re.compile(rf"\bthe (?P<prize>(?:[\w’'-]+ ){{1,5}}?){WINNER}\b{YEAR}", re.I),
    *(re.compile(rf"\bthe {WINNER} (?:of|in) (?:the )?(?P<prize>(?:[\w’'-]+ ){{{n}}}(?P<last>[\w’'-]+)){YEAR}", re.I)
      for n in range(6)),
)  # fmt: skip
"""Whoever won something: "the 1951 Kell Cup winners", "the winner of the honey cup in 1952"."""

PRIZES = frozenset("cup prize medal plate shield title trophy".split())
CONTESTS = senses_of("contest") | senses_of("award") | senses_of("trophy")
"""What the last word of a prize is a kind of, where it stands behind."""

DOES = re.compile(r"\b(?:did|does|do)\b", re.I)
SUBJECT = re.compile(r"\b(?:did|does|do)(?: the)? (?:[a-z]+ ){0,2}(?:of (?:the )?)?$", re.I)
"""What stands before a subject whose verb comes behind it."""

SEVERAL = re.compile(r"\b(?:both|same)\b", re.I)
"""What compares several things; so do words of `ORDERS` where there is an "and"."""

ORDERS = re.compile(r"\b(?:either|neither|first|older|younger|earlier|later)\b", re.I)
AND = re.compile(r"\band\b", re.I)
DOES_WHAT = re.compile(r" do\W*$", re.I)
LONGEST = 1_000
"""Characters of a question: more is a text, in which every "the X of Y" would be looked for."""

MOST_RUN = 3
"""Words behind "'s" of which the last is what is described."""

WITHIN = frozenset(("for", "in", "to"))
LEFT = FUNCTION | frozenset("name named give tell list find is was are were does did do s".split())
"""Words that ask for nothing beside a description."""

def descriptions(text: str, mentions: Sequence[QueryMention]) -> list[Description]:
    """Return what a question describes: who won something, what belongs to a name, the last one first, then clauses.

    Nothing where a question compares things, or asks only for what it describes, and of a text of more than LONGEST
    characters, which is none.
    """
    if len(text) > LONGEST or CHOICE.search(text) or SEVERAL.search(text) or (ORDERS.search(text) and AND.search(text)):
        return []
    sure = sorted((each for each in mentions if float(each.weights.sum()) >= SURE), key=lambda each: -each.start)
    found = list(_winners(text, sure))
    begun = list(reduced(text, sure))
    owned = [each for mention in sure for each in (*_owned(text, mention), *_of(text, mention))]
    # "The mayor of the town Ada Orr was born in" is no mayor of hers.
    found += [each for each in owned if not any(each.start < one.start < each.end <= one.end for one in begun)]
    found += [*clauses(text, sure), *begun]
    unpaged = (each for mention in _unpaged(text, sure) for each in (*_owned(text, mention), *_of(text, mention)))
    found += [each for each in unpaged if asks_person(each.noun) and not MANY.search(text, each.start, each.end)]
    if POLAR.match(text):
        # "Was the designer of A born in B?" asks it of the designer; "Is C the designer of A?" is one hop.
        found = [each for each in found if len(text[: each.start].split()) == 1]
    return [each for each in found if _asks_more(text, each) and not each.is_asked(text)]


def _unpaged(text: str, mentions: Sequence[QueryMention]) -> Iterator[QueryMention]:
    """Yield the names of a question, the last one first, that no page, or only one by a part of it, may have."""
    for found in reversed([*UNPAGED.finditer(text)]):
        start, end = found.span()
        if (start or not ASKED.match(text)) and not any(each.start < end and start < each.end for each in mentions):
            yield QueryMention(start, end, found[0], NO_ENTITIES, np.zeros(0, np.float32), "name")


def named(found: Sequence[Description]) -> list[Description]:
    """Return the descriptions that the page of something named tells."""
    return [each for each in found if len(each.anchors)]


def _owned(text: str, mention: QueryMention) -> Iterator[Description]:
    """Yield what is described as somebody's: "Ada Orr's last pupil", of "Ada Orr's husband die" the husband."""
    end, before = end_of(text, mention), text[: mention.start]
    owns = OWNS.match(text, end)
    run: list[re.Match[str]] = []
    for word in WORDS.finditer(text, owns.end()) if owns else ():
        gap = text[run[-1].end() : word.start()].strip() if run else ""
        is_done = bool(run) and is_noun(run[-1][0]) and SUBJECT.search(before) is not None
        is_verb = bool(run) and word[0].endswith(("ed", "born"))
        if word[0].lower() in FUNCTION - ORDINAL or gap or is_done or is_verb or len(run) == MOST_RUN:
            break
        owner = NAME_OWNING.match(text, word.start())
        run.append(owner or word)
        if owner:
            break
    if len(run) > 1 and not text[run[-1].end() :].strip(" ?.!") and DOES.search(before):
        run.pop()
    if run and is_noun(run[-1][0]):
        start = mention.start - (len("the ") if ARTICLE.search(before) else 0)
        said = " ".join(word[0] for word in run)
        yield from _described(ASIDE.sub("", text[start:end]), said, start, run[-1].end(), mention.entities)


def _of(text: str, mention: QueryMention) -> Iterator[Description]:
    """Yield what is described as being of something: "the composer of the opera Veldra"."""
    found, end = OF.search(text[: mention.start]), end_of(text, mention)
    if found is not None and not OWNS.match(text, end):
        words, between = found[1].split(), {*found[2].lower().split()} - WITHIN - {"the"}
        if is_noun(words[-1]) and not {*map(str.lower, words), *between} & (FUNCTION - ORDINAL):
            named = ASIDE.sub("", text[found.start(2) : end])
            yield from _described(named, found[1].strip(), found.start(), end, mention.entities)


def _described(named: str, said: str, start: int, end: int, anchors: Ids) -> Iterator[Description]:
    for first, *others in every_way(said):
        noun = first.split()[-1].lower()
        asks = f"{asking(noun)} is the {first} of {named}?"
        behind, kin = (f"'s {others[0]}", said.lower()) if others else ("", "")
        yield Description(start, end, noun, asks, anchors, behind, kin)


def _winners(text: str, mentions: Sequence[QueryMention]) -> Iterator[Description]:
    """Yield who is described as the winner of something, on the pages of what that names, then on all."""
    told = (found for pattern in WINNERS if (found := pattern.search(text)))
    for found in islice(filter(_names_prize, told), 1):
        noun, prize = found["noun"].lower(), found["prize"].strip()
        made = Description(found.start(), found.end(), noun, f"Who is the {noun} of the {prize}{found['year']}?")
        if inside := [each.entities for each in mentions if found.start() <= each.start < found.end()]:
            yield made._replace(anchors=np.unique(np.concatenate(inside)))
        yield made


def _names_prize(found: re.Match[str]) -> bool:
    """Tell whether what somebody won is a contest or prize; before "winner" it is."""
    last = found.groupdict().get("last")
    return last is None or last.lower() in PRIZES or is_a(last.lower(), CONTESTS)


def _asks_more(text: str, each: Description) -> bool:
    """Tell whether a question asks more than who or what is described."""
    left = WORDS.findall(text[: each.start] + each.behind + " " + text[each.end :])
    # "What does Ada Orr's husband do?" asks for more than who he is.
    return any(word.lower() not in LEFT for word in left) or DOES_WHAT.match(text[each.end :]) is not None
