"""Entities: what a name in a passage means, where hops go on from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retriever.answers.passages import Link
from retriever.answers.text.kinds import FEMALE, MALE
from retriever.answers.text.lexicon.hypernyms import is_person
from retriever.answers.text.likeness import answer_tokens
from retriever.question.entity_linking import Linker
from retriever.session import Session

LEAST_WORDS, MOST_TITLED = 3, 20
"""Words of a name that is looked for among longer ones, and how many of these are compared with it."""


def entity_of(session: Session, text: str, start: int, end: int, links: Sequence[Link]) -> int:
    """Return the entity that a name of a passage means, which stands from `start` to `end`; 0 where it means none."""
    # "Walter IV" begins the link "Walter IV, Count of Brienne".
    if longer := [each.entity for each in links if each.start <= start < end <= each.end]:
        return longer[0]
    return next(_linked(session, text), 0) or _titled(session, text)


def _linked(session: Session, text: str) -> Iterator[int]:
    """Yield what a whole name means: one with a person's noun before it, or with a title behind it, too."""
    for each in Linker(session).mentions(text):
        # Of "King Abdullah" the mention is the last word: a king is who bears the name, but not all of "A and King B".
        before = text[: each.start].split()
        is_last = each.end == len(text) and all(map(_is_title, before[-1:])) and "and" not in before
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
