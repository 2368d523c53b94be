"""Roles and deeds: who is "the technician of the studio" or "invented Fog", as that person's page alone may tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set

import numpy as np

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.hops.kin.names import SUBJECTS, name_at
from retriever.answers.hops.terms import term_holder
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.kinds import NOTHING, Kind, kinds_of
from retriever.answers.text.lexicon.hypernyms import is_person
from retriever.answers.text.likeness import answer_tokens, normalised
from retriever.answers.text.words import UPPER, content_in, stem_of
from retriever.session import Session
from retriever.types import Ids

ASKS = re.compile(
    r"\W*who(?:'s| is| was| are| were) (?:the|our|your) (?P<role>[a-z][\w-]*(?: [a-z][\w-]*){0,3}?)"
    r"(?:\s+(?:of|at|for|in) (?P<of>[^,;]+?))?\W*", re.I,
)  # fmt: skip
SAYS = re.compile(
    r"(?P<subject>[^.;:]{2,60}?),? (?:is|was|(?:has|had) been) (?:an? [^,.;]{2,40} and )?the "
    r"(?P<role>[a-z][\w-]*(?: [a-z][\w-]*){0,4}?)"
    r"(?= (?:of|at|for|in|since|from|until|who|which|and|by)\b|[,.;]|$)"
)
DID = re.compile(r"\W*who (?:first |also )?(?P<deed>[a-z]+) (?P<what>[^?]+?)\W*", re.I)
DOES = re.compile(
    rf"\W*(?P<subject>[{UPPER}][\w’'-]*(?: [{UPPER}][\w’'-]*){{0,4}})(?: \([^()]{{0,80}}\)|, [^,]{{2,60}},)? "
    r"(?:(?:also|first|has|had|herself|himself|later|once|soon|then) )*(?P<deed>[a-z]+) (?P<what>.+)", re.S,
)  # fmt: skip
MADE = re.compile(
    r"\b(?:is|was) (?:an?|the) [^.;]{0,60}?(?P<kind>[a-z]+)(?:,? | in [^.;,]{1,20} )"
    r"(?:(?P<deed>[a-z]+(?:ed|en|wn|ilt)) )?by "
)
"""What a page about a work begins with: "is an opera by", "is a 1955 film directed by"."""

MAKERS = {
    kind: tuple(map(stem_of, makers.split()))
    for kinds, makers in (
        ("opera operetta symphony musical ballet cantata concerto sonata", "composer"),
        ("novel book poem story play novella essay memoir", "author writer novelist poet playwright"),
        ("song single album track", "performer singer artist band musician"),
        ("film movie", "director filmmaker"), ("painting portrait mural", "painter artist"),
        ("statue sculpture", "sculptor"),
    )
    for kind in kinds.split()
}  # fmt: skip
CREDITED = {
    stem_of(noun): re.compile(rf"\b(?:{told}) (?:[\w-]+ ){{0,6}}?by (?:the )?", re.I)
    for noun, told in {
        "composer": "music|score|soundtrack|tune|melody|composed|scored",
        "lyricist": "lyrics|words", "librettist": "libretto|words",
    }.items()
}  # fmt: skip
"""What stands before the name of who did a part of a work: "with music by"."""

WROTE = "writer author screenwriter composer lyricist songwriter novelist poet playwright"
DID_IT = {
    stem_of(deed): frozenset(map(stem_of, nouns.split()))
    for deed, nouns in {
        "directed": "director filmmaker", "produced": "producer", "composed": "composer", "scored": "composer",
        "written": WROTE, "wrote": WROTE, "performed": "performer singer artist band musician",
        "recorded": "performer singer artist band musician", "sung": "performer singer artist band musician",
        "edited": "editor", "designed": "designer architect", "published": "publisher",
    }.items()
}  # fmt: skip
ROLES = frozenset().union(*DID_IT.values())
BY = re.compile(rf"\b([a-z]+)(?:,? and ([a-z]+))?(?: in \d{{4}})? by (?:the )?(?:[{UPPER}][\w.’'-]* ){{0,2}}\Z")
BEFORE = 60
"""Characters before a name in which stands by whom something was done."""

ARTICLE = re.compile(r"(?:the|an?) ", re.I)
NO_DEEDS = frozenset("are can could did do does had has have is may might must should was were will would".split())
SURE = 0.8
"""The chance of what a sentence says in the words of a question."""

MOST_LINKING = 200
"""Chunks that link to what is named, the first ones, which may say who has a role there."""


def role_asked(text: str) -> str:
    """Return the noun of the role whose holder a question asks for, "" where it asks for none.

    >>> role_asked("Who is the senior technician of the studio?"), role_asked("Who is Ada Orr?")
    ('technician', '')
    """
    asks = ASKS.fullmatch(text)
    noun = asks["role"].split()[-1] if asks else ""
    return noun if noun and is_person(noun) else ""


def told_by_role(session: Session, text: str, passages: Sequence[Passage]) -> Candidate | None:
    """Return who has the role, did the deed or held the role in the years that a question asks for, if one alone."""
    return holder(session, text, passages) or doer(session, text, passages) or term_holder(text, passages)


def holder(session: Session, text: str, passages: Sequence[Passage]) -> Candidate | None:
    """Return who has the role that a question asks for, by a page about somebody; None where several are said to."""
    asks = ASKS.fullmatch(text) if role_asked(text) else None
    if asks is None:
        return None
    role, of = asks["role"], asks["of"] or ""
    # An inventor is who invented.
    found = (*_holders(role, of, passages), *_doers(stem_of(role.split()[-1]), content_in(of), passages))
    return _only(session, passages, found)


def doer(session: Session, text: str, passages: Sequence[Passage]) -> Candidate | None:
    """Return who a sentence of a page about somebody says to have done what a question asks; None where several did."""
    asks = DID.fullmatch(text)
    if asks is None or asks["deed"].lower() in NO_DEEDS:
        return None
    return _only(session, passages, _doers(stem_of(asks["deed"]), content_in(asks["what"]), passages))


def maker(text: str, passages: Sequence[Passage]) -> Candidate | None:
    """Return by whom a page says that what it is about was made, as a question asks: "Who is the composer of X?"."""
    asks = ASKS.fullmatch(text) if role_asked(text) else None
    noun = stem_of(asks["role"].split()[-1]) if asks else ""
    for index, passage in enumerate(passages):
        if not noun or passage.named < LEAST_NAMED:
            continue
        said = CREDITED[noun].search(passage.text) if noun in CREDITED else None
        if said is None:
            said = MADE.search(passage.text, *passage.bounds[0])
            said = said if said and noun in _makers(said) else None
        if said and (name := name_at(passage.text, said.end())):
            link = next((each.entity for each in passage.links if each.start <= name[0] and name[1] <= each.end), 0)
            own = passage.text[slice(*name)]
            return Candidate(own, normalised(own), index, *name, NUMBERED["name"], link)
    return None


def has_other_role(noun: str, text: str, start: int) -> bool:
    """Tell whether who is named from `start` on did something else than a noun says: "directed by" for a composer.

    >>> text = "directed by Bo Lund and scored by Ada Orr"
    >>> [has_other_role("composer", text, text.index(name)) for name in ("Bo", "Lund", "Ada")]
    [True, True, False]
    """
    stem = stem_of(noun)
    said = BY.search(text, max(0, start - BEFORE), start) if stem in ROLES else None
    told = [DID_IT[each] for deed in said.groups() if deed and (each := stem_of(deed)) in DID_IT] if said else []
    return bool(told) and all(stem not in each for each in told)


def _makers(said: re.Match[str]) -> Sequence[str]:
    """Return the stems of what they are called by whom something is said to be made."""
    return [stem_of(said["deed"])] if said["deed"] else MAKERS.get(said["kind"].lower(), ())


def _only(session: Session, passages: Sequence[Passage], found: Iterable[Candidate]) -> Candidate | None:
    """Return the only one that is found, if its page is about somebody whom the words there may mean."""
    every = [*found]
    kinds = kinds_of(session, {passages[each.passage].page for each in every})
    somebody = {
        passage.page: each
        for each in every
        if _may_mean(passage := passages[each.passage], each, kinds.get(passage.page, NOTHING))
    }
    return next(iter(somebody.values())) if len(somebody) == 1 else None


def _may_mean(passage: Passage, found: Candidate, kind: Kind) -> bool:
    """Tell whether a page is about somebody, of the sex of the pronoun that stands there, if one does."""
    sex = SUBJECTS.get(passage.text[found.start : found.end].lower(), 0)
    # "The canteen" is run by somebody, of whom "he" tells.
    return kind.is_person and sex * kind.gender >= 0 and not ARTICLE.match(passage.title)


def _doers(deed: str, what: Set[str], passages: Sequence[Passage]) -> Iterator[Candidate]:
    for index, passage in enumerate(passages):
        for start, end in passage.bounds:
            said = DOES.match(passage.text, start, end)
            if said is None or stem_of(said["deed"]) != deed or not what or not what <= content_in(said["what"]):
                continue
            if found := _subject(passage, index, *said.span("subject")):
                yield found


def _subject(passage: Passage, index: int, start: int, end: int) -> Candidate | None:
    """Return whom a page is about, where a part of that name or a pronoun stands."""
    text, title = passage.text[start:end], answer_tokens(passage.title)
    if text.lower() not in SUBJECTS and not {*answer_tokens(text)} <= {*title}:
        return None
    return Candidate(passage.title, " ".join(title), index, start, end, NUMBERED["title"], passage.entity)


def linking(session: Session, entities: Ids, noun: str) -> Ids:
    """Return the chunks that link to any of some entities and say a noun behind "the", or a verb of its stem.

    O(links), and of the first MOST_LINKING chunks the text is read.
    """
    table = session.link_table
    named = np.searchsorted(session.adjacency.entity_ids, entities)
    links = np.concatenate([np.flatnonzero(table.entities == each) for each in named.tolist()])
    indices = np.unique(np.searchsorted(table.starts, links, side="right") - 1)[:MOST_LINKING]
    says, found = _saying(noun), []
    for chunk in session.chunk_table.chunk_ids[indices].tolist():
        (text,) = session.skb.connection.execute("SELECT text FROM chunk WHERE id = ?", (chunk,)).fetchone()
        found += [chunk] if says.search(text) else []
    return np.array(found, np.int64)


def _saying(noun: str) -> re.Pattern[str]:
    """Return what finds a noun behind "the", or a verb of its stem.

    >>> [bool(_saying("co-founder").search(text)) for text in ("the co-founder", "She co-founded", "a co-founder")]
    [True, True, False]
    """
    deed, ending = stem_of(noun), noun[len(stem_of(noun)) :]
    verb = rf"\b{re.escape(deed)}(?!{re.escape(ending)}\b)\w*"
    return re.compile(rf"\bthe (?:[a-z][\w-]* ){{0,3}}{re.escape(noun)}\b|{verb}", re.I)


def _holders(role: str, of: str, passages: Sequence[Passage]) -> Iterator[Candidate]:
    """Yield the subjects of sentences that say them to have a role, if their page is about somebody of that name."""
    wanted = content_in(role)
    for index, passage in enumerate(passages):
        for start, end in passage.bounds:
            said = SAYS.match(passage.text, start, end)
            if said is None or stem_of(said["role"].split()[-1]) != stem_of(role.split()[-1]):
                continue
            is_whole = wanted <= content_in(said["role"]) and content_in(of) <= content_in(passage.text[start:end])
            if is_whole and (found := _subject(passage, index, *said.span("subject"))):
                yield found
