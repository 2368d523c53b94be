"""Clauses that describe: "the man who built it", "the town where Ada Orr was born"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from retriever.answers.asked import POLAR
from retriever.answers.hops.description import NAME, NO_ENTITIES, WORDS, Description, asking, end_of, is_noun
from retriever.answers.text.kind_asked import ORDINAL, is_phrase
from retriever.answers.text.words import FUNCTION
from retriever.question.reader import ASKED
from retriever.types import QueryMention

PREPOSITION = "(?:(?:at|in|on|to|from|by|for|of|with|under|beneath|into|through|over|near|behind|after) )?"
INTRANSITIVE = (
    "come|belong|die|live|work|stay|go|grow up|study|teach|play|marry|serve|retire|move|stand|fight|begin|end|start"
    "|lead|rule"
)
CLAUSE = re.compile(
    rf"\b(?:the|an?) ((?:{NAME} ){{1,3}}?)(?:({NAME}(?:ed|en|rn|lt|de|nt)|(?<!the )(?:{INTRANSITIVE})) )?"
    rf"({PREPOSITION}(?:who|whom|whose|which|that|where)\b(?:(?!(?<=[a-z]{{3}})\.\s)[^?;])*)", re.I,
)  # fmt: skip
"""A noun, perhaps a verb of what is asked ("was the captain born who ..."), and the clause that describes it."""

IS = re.compile(r"\b(?:is|was|are|were)\b", re.I)
PARTICIPLE = re.compile(r" (?:born|built|buried|founded|opened|educated|raised|married|published|made)$", re.I)
# The same before a clause: in "did trains reach the town where ..." it is none.
CLAUSE_SUBJECT = re.compile(r"\b(?:did|does|do) (?:(?:the|an?) (?:[a-z]+ ){1,2}of )?$", re.I)

AUXILIARY = "is|are|was|were|am|did|does|do|has|have|had|will|would|can|could|may|might|must|should"
# By their endings.
PAST_PARTICIPLE = "(?:[a-z]*(?:ed|en|rn|ilt|und|eld|old|aid|ught|set|shot|cut))"
VERBS = re.compile(
    rf" (?:(?:is|was|are|were)(?: (?:(?:first|originally|later|also) )?(?:{PAST_PARTICIPLE}|given|an? [a-z]+)\b)?"
    rf"|(?:took|takes|take) place|(?!(?:{AUXILIARY})\b)[a-z]+)"
    r"(?= |,)"
)
"""What a clause says of its subject: "is located", "was a citizen", "died"."""

CONTINUING = frozenset(
    """in on at of from to for with by during before after since until till and or but as than then now who whom whose
    which that when where while because not also still under over near into onto through between against about around
    along among across beside behind within without called named known""".split()
)
"""Words with which a clause goes on."""

# A verb is to come behind the clause.
SUBJECTS = re.compile(
    r"\b(?:did|does|do|when|while|until)"
    r" (?:(?:the|an?) (?:[a-z]+ ){1,2}(?:of|where|(?:in|at|on|from) which) )*$", re.I
)  # fmt: skip
COPULA = re.compile(r"\b(?:is|was|are|were) $", re.I)
NEXT = re.compile(rf",? (?:(?:{AUXILIARY})\b|({PAST_PARTICIPLE})(?= |\W*$)|([a-z]+))|, (?:what|how|why)\b")
RELATIVE = re.compile(rf"{PREPOSITION}(?:who|whom|whose|which|that|where)\b(?: the| an?)?", re.I)
RELATIVE_PRONOUN = re.compile(r"\b(?:who|whom|whose|which|that|where)\b")
OF_NAME = re.compile(r" (?:[a-z]+ ){1,2}(?:of|in|at) (?:the )?$")
"""What a name may belong to within a clause: "where [the village of] Kell"."""

ONE_NOUN = re.compile(r" [a-z]+ ")
QUOTED = re.compile(r"[\"“][^\"“”]{2,80}[\"”]")

NOUN = rf"\b(?:the|an?) ((?:(?!(?:the|an?|of|in|on|at|and)\b){NAME} ){{1,3}})"
ZERO_RELATIVE = re.compile(rf"{NOUN}(?:the )?$", re.I)
"""What stands before a name with which a clause begins that no "that" leads: "the town [Ada Orr was born in]"."""

IRREGULAR = "came|went|grew up|won|wrote|sang|made|led|fought|built|founded|held|ran|taught|sold|drew|began"
PREPOSITIONS = "from|in|at|for|to|on|by|with|of|under|near"
STRANDED_VERB = re.compile(
    r" (?:(?:is|was|are|were)(?: (?:an? )?[a-z]+)?"
    rf"|(?!(?:is|was)\b)[a-z]+(?:ed|s)|{IRREGULAR}|{INTRANSITIVE})"
    rf" (?:{PREPOSITIONS})(?=\W*$| (?!the |an? |his |her |its )(?:{PREPOSITIONS}|before|after|when|until|[a-z]+)\b)",
)
"""What such a clause says, up to its preposition: "is from", "was born in", "played for"."""

PASSIVE_AT_END = re.compile(rf" (?:is|was|are|were) (?:{PAST_PARTICIPLE})(?=\W*$)")
"""The same without one, at the end of a question that has a verb before: "the mayor of the city Ada Orr was born"."""

TRANSITIVE = re.compile(rf" (?:[a-z]+ed|{IRREGULAR})(?= ([a-z]+)|\W*$)")
"""A verb of which what is described is the object: "the song Ada Orr sang"."""

ASKED_OF = re.compile(r"\W*(?:who|(?:what|which) [a-z]+)(?: first| later| also)? [a-z]+ ", re.I)
"""A verb right behind the word that asks: "Who wrote the song ..."."""

VERB_BEFORE = re.compile(rf"\b(?:{AUXILIARY})\b", re.I)
PARTICIPLES = re.compile(
    rf"{NOUN}((?!(?:named|called|titled|entitled|nicknamed|including|following|regarding|during|using)\b)"
    rf"(?:[a-z]+(?:ed|ing)|known|written|born|built|held|led|made|set|sung|won|founded)"
    rf"(?: (?:by|in|on|at|for|from|after|to|with|as|into))? )(?:the )?$"
)
"""A participle before a name: "the film [directed by] Ada Orr", "the river [crossing] Kell"."""

MOST_RUN = 3
"""Words of a clause that are left to it where its verb is none of it."""


def clauses(text: str, mentions: Sequence[QueryMention]) -> Iterator[Description]:
    """Yield what clauses describe, the last one first: on the pages of what a clause names, then on all."""
    for article in reversed(list(re.finditer(r"\b(?:the|an?) ", text, re.I))):
        found = CLAUSE.match(text, article.start())
        if not found or not _is_described_by(found[1]):
            continue
        inside = [each for each in mentions if each.start >= found.start(3)]
        end = found.end() if found[2] else _clause_end(text, found, inside)
        if not (ASKED.search(text[: found.start()] + text[end:]) or POLAR.match(text) or is_phrase(text)):
            continue
        noun = found[1].split()[-1].lower()
        asks = f"{asking(noun)} is the {found[1].strip()} {text[found.start(3) : end].rstrip(' ,')}?"
        behind = f" {found[2]}" if found[2] else ""
        made = Description(found.start(), end, noun, asks, NO_ENTITIES, behind, is_clause=True)
        if named := [each.entities for each in inside if each.end <= end]:
            yield made._replace(anchors=np.unique(np.concatenate(named)))
        yield made


def reduced(text: str, mentions: Sequence[QueryMention]) -> Iterator[Description]:
    """Yield what reduced clauses about names describe: "the town Ada Orr was born in", "the film starring Ada Orr"."""
    for each in mentions:
        before, end = text[: each.start], end_of(text, each)
        found, said = PARTICIPLES.search(before), ""
        if found:
            said = text[found.start(2) : end]
        elif found := ZERO_RELATIVE.search(before):
            says = _reduced_verb(text, end, before[: found.start()])
            if says:
                said, end = f"that {text[found.end(1) : says.end()]}", says.end()
        if found and said and _is_described_by(found[1]) and ASKED.search(text[: found.start()] + text[end:]):
            noun = found[1].split()[-1].lower()
            asks = f"{asking(noun)} is the {found[1].strip()} {said}?"
            yield Description(found.start(), end, noun, asks, each.entities, is_clause=True)


def _reduced_verb(text: str, end: int, before: str) -> re.Match[str] | None:
    """Return what a reduced clause says behind its subject, which ends at `end`; None where nothing is such a clause.

    `before` stands before what it describes.
    """
    says = STRANDED_VERB.match(text, end) or (VERB_BEFORE.search(before) and PASSIVE_AT_END.match(text, end))
    if says is None and (verb := TRANSITIVE.match(text, end)):
        is_subject = SUBJECTS.search(before) is not None and verb[1] is not None and verb[1] not in CONTINUING
        is_last = verb[1] is None and (VERB_BEFORE.search(before) or ASKED_OF.match(before))
        says = verb if is_subject or is_last else None
    # "Was the ship Kell used for ..." asks of the ship.
    is_done = says is not None and COPULA.search(before) is not None and IS.match(says[0].strip()) is None
    return None if is_done else says


def _is_described_by(words: str) -> bool:
    """Tell whether the last of some words is a noun that may be described, and the others stand before it."""
    said = [each for each in words.split() if each.lower() not in ORDINAL]
    return bool(said) and is_noun(said[-1]) and not said[-1][0].isupper() and not {*map(str.lower, said)} & FUNCTION


def _clause_end(text: str, found: re.Match[str], inside: Sequence[QueryMention]) -> int:
    """Return where a clause ends whose noun is the subject of what stands behind it.

    In "did the man who built it die" that is a verb, in "was the man who built it born" a participle.
    """
    before, clause = text[: found.start()], found[3].rstrip()
    if (end := _verb_end(text, found, inside)) is not None:
        return end
    if IS.search(before) and not IS.search(clause) and PARTICIPLE.search(clause):
        return found.start(3) + clause.rindex(" ")
    if not CLAUSE_SUBJECT.search(before):
        return found.end()
    last = max((end_of(text, each) for each in inside), default=0)
    if text[last : found.end()].strip() and last:
        return last
    words = list(WORDS.finditer(text, found.start(3), found.end()))
    while len(words) > MOST_RUN + 1 and words[-1][0].lower() in FUNCTION:
        words.pop()
    return words[-2].end() if len(words) > MOST_RUN else found.end()


def _verb_end(text: str, found: re.Match[str], inside: Sequence[QueryMention]) -> int | None:
    """Return where the verb of a clause ends before another one, which is said of its noun; None where none is.

    "did the state where Kell is located become", "of the sea where Kell lies did", "did the man who left Kell die".
    """
    # "The man who built it died when?" begins with what it describes.
    is_subject = SUBJECTS.search(text[: found.start()]) is not None or not found.start()
    is_done = COPULA.search(text[: found.start()]) is not None
    opening = RELATIVE.match(text, found.start(3))
    start = opening.end() if opening else found.start(3)
    has_article = opening is not None and opening[0].endswith(("the", "a", "an"))
    names = [(each.start, end_of(text, each)) for each in inside]
    for first, end in sorted([*names, *(each.span() for each in QUOTED.finditer(text, start))]):
        before = text[start:first]
        if RELATIVE_PRONOUN.search(before):
            return None
        if not before.strip() or OF_NAME.fullmatch(before) or (has_article and ONE_NOUN.fullmatch(before)):
            says = VERBS.match(text, end)
            if says is None:
                continue
            end = says.end()
        behind = NEXT.match(text, end, found.end())
        if behind is None:
            continue
        participle, other = behind.groups()
        if not (participle or other) or (is_done and participle):
            return end
        if is_subject and (participle or other) not in CONTINUING:
            return end + (text[end] == ",")
    return None
