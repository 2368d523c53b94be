"""Relatives: who is somebody's father, wife or daughter, by the page of either that a question names.

What an answer names is looked for here too, where hops go on from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.hops.kinship import KINDS, relatives_in
from retriever.answers.passages import LEAST_NAMED, Link, Passage
from retriever.answers.text.kinds import FEMALE, MALE, NOTHING, Kind, kinds_of
from retriever.answers.text.lexicon.hypernyms import is_person
from retriever.answers.text.likeness import answer_tokens
from retriever.question.entity_linking import Linker
from retriever.session import Session
from weft.text.names import short_name

KIN = "|".join(KINDS)
ASKS = re.compile(
    rf"\W*who(?:'s|’s| is| was| are| were) (?:(?:the )?(?P<kin>{KIN}) of (?P<of>.+?)"
    rf"|(?P<owner>.+?)(?:['’]s|(?<=s)['’]) (?P<own>{KIN})|(?P<married>.+?) married to)\W*"
    r"|\W*who did (?P<marries>.+?) marry\W*", re.I,
)  # fmt: skip
"""A question for somebody's kin."""


LEAST_WORDS, MOST_TITLED = 3, 20
"""Words of a name that is looked for among longer ones, and how many of these are compared with it."""


def kin_asked(text: str) -> tuple[str, str]:
    """Return which kin a question asks for, and whose; "" where it asks for none.

    >>> kin_asked("Who was the mother of Ada Orr?"), kin_asked("Who did Bo Lund marry?"), kin_asked("Who is Ada Orr?")
    (('mother', 'Ada Orr'), ('spouse', 'Bo Lund'), ('', ''))
    """
    asks = ASKS.fullmatch(text)
    if asks is None:
        return "", ""
    kin = asks["kin"] or asks["own"] or "spouse"
    return kin.lower(), asks["of"] or asks["owner"] or asks["married"] or asks["marries"]


def relative(session: Session, text: str, passages: Sequence[Passage]) -> Candidate | None:
    """Return whom a question for kin asks for, by a page of the name in it; None where none tells.

    The answer has the name of its page, where it has one.
    """
    kin, whom = kin_asked(text)
    if not kin:
        return None
    own = [index for index, each in enumerate(passages) if _is_named(each.title, whom, each.named >= LEAST_NAMED)]
    kinds = kinds_of(session, {passages[index].page for index in own})
    for index in own:
        passage = passages[index]
        gender = kinds.get(passage.page, NOTHING).gender
        for start, end in relatives_in(passage.text, short_name(passage.title) or passage.title, gender, kin):
            if found := _relative(session, passage, index, start, end, KINDS[kin].gender):
                return found
    return None


def _relative(session: Session, passage: Passage, index: int, start: int, end: int, gender: int) -> Candidate | None:
    """Return who bears a name, None where the page of that is of nobody, of somebody else, or the passage's own."""
    text = passage.text[start:end]
    entity = entity_of(session, text, start, end, passage.links)
    if entity:
        title, kind = _page(session, entity)
        if not kind.is_person or kind.gender * gender < 0 or entity == passage.entity:
            return None
        text = short_name(title) or title
    return Candidate(text, " ".join(answer_tokens(text)), index, start, end, NUMBERED["name"], entity)


def _is_named(title: str, whom: str, is_linked: bool) -> bool:
    """Tell whether a page is of that name: one has all words of the other, at least two where nothing links them."""
    mine, other = {*answer_tokens(short_name(title) or title)}, {*answer_tokens(whom)}
    return (mine <= other or other <= mine) and (is_linked or min(len(mine), len(other)) > 1)


def _page(session: Session, entity: int) -> tuple[str, Kind]:
    """Return the title of an entity's page, and what that is about; no title where it has none."""
    (number,) = session.chunk_table.pages_of(np.array([entity])).tolist()
    titles = [page.title for page in session.skb.pages([number])] if number else [""]
    return titles[0], kinds_of(session, [number]).get(number, NOTHING) if number else NOTHING


def entity_of(session: Session, text: str, start: int, end: int, links: Sequence[Link]) -> int:
    """Return the entity that a name of a passage means, which stands from `start` to `end`; 0 where it means none."""
    # "Walter IV" begins the link "Walter IV, Count of Brienne".
    if longer := [each.entity for each in links if each.start <= start < end <= each.end]:
        return longer[0]
    return next(_linked(session, text), 0) or _titled(session, text)


def _linked(session: Session, text: str) -> Iterator[int]:
    """Yield what a whole name means: one with a person's noun before it, or with a title behind it, too."""
    for each in Linker(session).mentions(text):
        # Of "King Abdullah" the mention is the last word: a king is who bears the name.
        is_last = each.end == len(text) and all(map(_is_title, text[: each.start].split()[-1:]))
        if is_last or (not each.start and text[each.end : each.end + 1] == ","):
            yield int(each.entities[0])


def _titled(session: Session, text: str) -> int:
    """Return the only entity whose name has all words of a name and more: "Walter IV, Count of Brienne"; 0 for none."""
    words = {*answer_tokens(text)}
    if len(words) < LEAST_WORDS:
        return 0
    ids, _ = session.skb.search_text("entity", text, MOST_TITLED)
    found = [each.id for each in session.skb.entities(ids.tolist()) if words <= {*answer_tokens(each.name)}]
    return found[0] if len(found) == 1 else 0


def _is_title(word: str) -> bool:
    return is_person(word) or bool(FEMALE.fullmatch(word) or MALE.fullmatch(word))
