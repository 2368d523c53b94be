"""Verification: deterministic checks, declared by each pattern, every one with the reason that it rejects by.

A draft passes or is rejected by the first check that finds something wrong.
Questions over text and questions over facts alone have checks of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from retriever.synthesis.patterns.draft import Draft
from retriever.testsets.evidence import SEVERAL, Evidence, worded
from retriever.testsets.unique import has_likeness, has_rival, may_be_two
from weft.text.normalise import STOP_WORDS, words_of

Check = Callable[[Evidence, Draft], bool]
"""Tells whether a draft is in order."""

RUN = 5
SHORTEST_ANSWER = 2
LONGEST_QUESTION = 220
NUMERALS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty""".split()
LONG_NAME = 6
"""Letters of a name, with the blanks around it, whose beginning of another word cannot be chance."""



def rejection(evidence: Evidence, draft: Draft) -> str | None:
    """Return why a draft is rejected, None where every check of its pattern finds it in order."""
    checks = CHECKS[draft.pattern] if draft.chunks else FACT_CHECKS[draft.pattern]
    return next((reason for reason, check in checks if not check(evidence, draft)), None)


def is_readable(evidence: Evidence, draft: Draft) -> bool:
    """A question has a bounded length, an answer of more than one sign, and no word twice in a row."""
    words = words_of(draft.question)
    doubled = any(one == other and len(one) > 1 for one, other in pairwise(words))
    return len(draft.question) <= LONGEST_QUESTION and not doubled and all(
        SHORTEST_ANSWER <= len(text) <= 80 for text in draft.answers
    )


def answer_stands_in_gold(evidence: Evidence, draft: Draft) -> bool:
    """The chunk of the last fact, or of either in an intersection, has the answer."""
    chunks = draft.chunks if draft.pattern == "intersection" else draft.chunks[-1:]
    return all(evidence.holds(chunk, draft.answers) for chunk in chunks)


def has_enough_gold(evidence: Evidence, draft: Draft) -> bool:
    """Every fact has a chunk of its own."""
    return len(draft.chunks) == len(draft.facts)


def is_unique(evidence: Evidence, draft: Draft) -> bool:
    """Every path of the question leads to its answer and to nothing else."""
    return all(evidence.results(path) == {draft.answer} for path in draft.paths)


def bridges_are_unique(evidence: Evidence, draft: Draft) -> bool:
    """Every step up to a bridge leads to that bridge alone, so that `the director of` is one."""
    path = draft.paths[0]
    return all(
        evidence.results(path._replace(steps=path.steps[:n])) == {bridge} for n, bridge in enumerate(draft.bridges, 1)
    )


def bridge_is_hidden(evidence: Evidence, draft: Draft) -> bool:
    """The question has no name of a bridge, alone or as a word begins, nor a word of it that is a name and no word of
    what it names anyway."""
    asked, answer = worded(draft.question), " ".join(map(worded, draft.answers))
    named = set(words_of(" ".join(evidence.naming.title(each) for each in draft.named)))
    for bridge in draft.bridges:
        if any(_leaks(name, asked) or _leaks(name, answer) for name in evidence.names(bridge)):
            return False
        title = evidence.naming.title(bridge)
        telling = {word.casefold() for word in title.split() if word[:1].isupper() and len(word) > 3} - STOP_WORDS
        if len(telling) > 1 and (telling - named) & (set(words_of(draft.question)) | set(answer.split())):
            return False
    return True


def _leaks(name: str, text: str) -> bool:
    """Tell whether words have a name, or one that begins so where the name is long: `Kellumbran`."""
    return name in text or (len(name) > LONG_NAME and name[:-1] in text)


def evidence_touches_bridges(evidence: Evidence, draft: Draft) -> bool:
    """Both chunks on either side of a bridge touch it."""
    sides = zip(draft.bridges, draft.facts, draft.facts[1:], strict=False)
    return all(
        fact.chunk is not None and evidence.cites(fact.chunk, bridge) for bridge, *facts in sides for fact in facts
    )


def answer_is_hidden(evidence: Evidence, draft: Draft) -> bool:
    """No answer stands in the question, nor a number of it in words."""
    asked = worded(draft.question)
    numerals = (NUMERALS[int(text)] for text in draft.answers if text.isdecimal() and int(text) < len(NUMERALS))
    return not any(worded(text) in asked for text in (*draft.answers, *numerals))


def no_chunk_suffices(evidence: Evidence, draft: Draft) -> bool:
    """No chunk of the SKB, by its text, headings and title, has both what the question names and the answer."""
    return not evidence.saying_both(_plain_names(evidence, draft.named[0]), draft.answers)


def no_gold_has_both_named(evidence: Evidence, draft: Draft) -> bool:
    """No gold chunk has all that the question names, so that neither suffices."""
    return not any(
        all(any(name in evidence.chunk(chunk).words for name in evidence.names(thing)) for thing in draft.named)
        for chunk in draft.chunks
    )


def no_fact_shortcut(evidence: Evidence, draft: Draft) -> bool:
    """No fact relates the answer to what the question names, and no bridge but the last to the answer."""
    ends = (*draft.named, *draft.bridges[:-1])
    return not any(evidence.store.are_related(end, draft.answer) for end in ends)


def each_alone_is_ambiguous(evidence: Evidence, draft: Draft) -> bool:
    """Each fact alone has more than one answer."""
    return all(len(evidence.results(path)) > 1 for path in draft.paths)


def together_one(evidence: Evidence, draft: Draft) -> bool:
    """The facts together have one answer, of all that each has."""
    one, other = ((path.start, path.steps[0]) for path in draft.paths)
    return evidence.store.reached_by_both(one, other, SEVERAL) == (draft.answer,)


def names_both(evidence: Evidence, draft: Draft) -> bool:
    """The question has a name of all that it compares."""
    asked = worded(draft.question)
    return all(any(name in asked for name in evidence.names(thing)) for thing in draft.named)


def values_stand_in_gold(evidence: Evidence, draft: Draft) -> bool:
    """Each chunk has its fact's value."""
    return all(
        fact.chunk is not None and evidence.holds(fact.chunk, (fact.object_text,)) for fact in draft.facts
    )


def values_differ(evidence: Evidence, draft: Draft) -> bool:
    """Each thing has one value, and the two can be put in order."""
    values = [evidence.results(path) for path in draft.paths]
    if any(len(each) != 1 for each in values):
        return False
    numbers = [evidence.store.thing(next(iter(each))).number for each in values]
    return None not in numbers and numbers[0] != numbers[1]


def named_stand_in_gold(evidence: Evidence, draft: Draft) -> bool:
    """Each chunk is of the page of what it is about, or has its name."""
    return all(
        fact.chunk is not None and evidence.cites(fact.chunk, thing)
        for fact, thing in zip(draft.facts, draft.named, strict=True)
    )


def answer_is_elsewhere_nowhere(evidence: Evidence, draft: Draft) -> bool:
    """The answer stands in its gold chunk and in no other."""
    return evidence.saying(draft.answers) == list(draft.chunks)


def says_it_otherwise(evidence: Evidence, draft: Draft) -> bool:
    """The question has no `RUN` words in a row from its gold chunk."""
    words = words_of(draft.question)
    runs = (f" {' '.join(words[start : start + RUN])} " for start in range(len(words) - RUN + 1))
    return not any(run in evidence.chunk(draft.chunks[0]).words for run in runs)


def no_sentence_rivals(evidence: Evidence, draft: Draft) -> bool:
    """No sentence gives a step another end, and no other page begins as what describes a thing."""
    begins = (*draft.named[:1], *draft.bridges)
    if any(has_rival(evidence, start, fact) for start, fact in zip(begins, draft.facts, strict=True)):
        return False
    first = draft.facts[0]
    described = evidence.store.predicate(first.predicate).is_definition and first.object == begins[0]
    return not described or not has_likeness(evidence, first.subject, first.object_text)


def is_one_thing(evidence: Evidence, draft: Draft) -> bool:
    """What two facts meet in is one thing, not two of one name, as a person and a state may be."""
    if draft.pattern == "intersection":
        return not may_be_two(evidence, draft.answer, draft.facts)
    meeting = zip(draft.bridges, draft.facts, draft.facts[1:], strict=False)
    return not any(may_be_two(evidence, bridge, facts) for bridge, *facts in meeting)


READABLE = ("unreadable: too long, a word twice in a row, or an answer of one sign", is_readable)
GOLD = ("the answer stands in no gold chunk", answer_stands_in_gold)
UNIQUE = ("another path gives another answer", is_unique)
HIDDEN = ("the answer stands in the question", answer_is_hidden)
LEAKED = ("the bridge is named in the question or the answer", bridge_is_hidden)
ONE_BRIDGE = ("the bridge is not the only one that is described so", bridges_are_unique)
SHORTCUT = ("one fact leads to the answer at once", no_fact_shortcut)
AMBIGUOUS = ("one fact alone has a single answer", each_alone_is_ambiguous)
TOGETHER = ("both facts together have another answer too", together_one)
NAMED = ("not both are named", names_both)
DIFFERENT = ("the values do not differ, or one has several", values_differ)
RIVAL = ("a sentence may give another answer", no_sentence_rivals)
ONE_THING = ("two things of one name may be taken for one", is_one_thing)
SEPARATE = ("two facts share a chunk", has_enough_gold)

CHECKS: dict[str, Sequence[tuple[str, Check]]] = {
    "bridge": (
        READABLE, SEPARATE, HIDDEN, LEAKED, GOLD, ("evidence does not touch the bridge", evidence_touches_bridges),
        ONE_BRIDGE, ONE_THING, UNIQUE, SHORTCUT, ("one chunk has what is named and the answer", no_chunk_suffices),
        RIVAL,
    ),
    "intersection": (
        READABLE, SEPARATE, HIDDEN, GOLD, AMBIGUOUS, TOGETHER, ONE_THING,
        ("one chunk has all that is named", no_gold_has_both_named),
    ),
    "comparison": (
        READABLE, SEPARATE, NAMED, DIFFERENT, ("evidence does not hold its value", values_stand_in_gold),
        ("evidence is not about what is named", named_stand_in_gold),
        ("one chunk has all that is named", no_gold_has_both_named),
    ),
    "single": (
        READABLE, HIDDEN, GOLD, UNIQUE, ("the answer stands in another chunk too", answer_is_elsewhere_nowhere),
        ("five words in a row are its chunk's", says_it_otherwise), RIVAL,
    ),
}  # fmt: skip
"""What must hold of a question over text, by pattern: the reason to reject it, and the check."""

FACT_CHECKS: dict[str, Sequence[tuple[str, Check]]] = {
    "bridge": (READABLE, HIDDEN, LEAKED, ONE_BRIDGE, ONE_THING, UNIQUE, SHORTCUT),
    "intersection": (READABLE, HIDDEN, AMBIGUOUS, TOGETHER, ONE_THING),
    "comparison": (READABLE, NAMED, DIFFERENT),
    "single": (READABLE, HIDDEN, UNIQUE),
}
"""What must hold of a question over facts that no text says."""


def _plain_names(evidence: Evidence, thing: int) -> tuple[str, ...]:
    return tuple(sorted(evidence.names(thing)))
