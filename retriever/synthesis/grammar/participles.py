"""Labels that begin with a past form: whether it is done to their subject, or by it.

`Located in` is what a thing is, `received independence from` what it did; of
`performed in` nothing tells whether a singer or an opera did it.
"""

from __future__ import annotations

from retriever.synthesis.grammar.predicates import PARTICLES, PREPOSITIONS
from retriever.synthesis.grammar.verbs import BE, is_participle, tense

STATES = frozenset(
    """located situated based headquartered spoken found used bordered known made composed named connected associated
    related married linked tagged dedicated""".split()
)
"""Participles that tell how something is, not what was once done to it."""

DOING = frozenset(
    """acted appeared arrived attended belonged competed consisted contributed depended died differed emerged existed
    flowed graduated grew happened hailed interacted lasted lived lost migrated moved occurred originated participated
    reigned resided resigned resulted retired returned sailed served settled specialized starred stayed studied
    traveled travelled voted worked""".split()
)
"""Past forms of which the subject does it, whatever preposition follows but `by`."""

EITHER = frozenset("played performed received taught trained scored recorded fought won toured ran run changed".split())
"""Past forms whose subject may do it or have it done, so that a label alone does not tell."""

APPOINTING = frozenset(
    "elected appointed named crowned chosen made called declared selected considered proclaimed".split()
)
"""Participles behind which stands what their subject became."""

BARE = frozenset("born released founded established opened built published completed formed created held".split())
"""Participles that need a preposition before what they lead to: `was born` is followed by a date or a place."""

ADVERBS = frozenset("also first originally mainly mostly largely primarily now later formerly currently".split())
ADJECTIVAL = frozenset(
    """estimated combined registered installed proposed planned listed enrolled wounded killed completed established
    founded built opened closed unified united advanced limited mixed paved detailed preferred recommended""".split()
)
"""Participles that may stand before a noun of a label: `installed capacity`."""


def voice(words: list[str]) -> str:
    """Return `passive` or `active` for a label that begins with a past form and ends with a preposition, else nothing.

    >>> [voice(label.split()) for label in ("located in", "received independence from", "performed in", "lived in")]
    ['passive', 'active', '', 'active']
    """
    first, *between, last = words
    behind = next((word for word in between if word not in PARTICLES and word not in ADVERBS), last)
    if last == "by" and behind in ("and", "or"):
        return "passive"
    if behind not in PREPOSITIONS and first not in STATES:
        acts = tense(first) == "past" and first not in APPOINTING and last != "by"
        return "active" if acts and not _is_cut(between) else ""
    if "by" in (behind, last) or first in STATES:
        return "passive"
    if first in DOING:
        return "active" if tense(first) == "past" else ""
    return "" if first in EITHER else "passive"


def is_bare(words: list[str]) -> bool:
    """Tell whether a predicate needs a preposition before what it leads to."""
    return len(words) == 2 and words[0] in BE and words[1] in BARE


def on_a_day(words: str, kind: str) -> str:
    """Return a predicate with the preposition that it needs before a date or a year.

    >>> on_a_day("was born", "date"), on_a_day("was born", "year"), on_a_day("was named", "name")
    ('was born on', 'was born in', 'was named')
    """
    needs = kind in ("date", "year") and is_bare(words.split())
    return f"{words} {'on' if kind == 'date' else 'in'}" if needs else words


def begins_clause(words: list[str]) -> bool:
    """Tell whether a label of several words is no noun, since it begins with a verb: `chosen to host`.

    >>> [begins_clause(label.split()) for label in ("chosen to host", "installed capacity", "capital")]
    [True, False, False]
    """
    first = words[0]
    is_verb = (is_participle(first) or tense(first) == "past") and first not in ADJECTIVAL
    return len(words) > 1 and ("to" in words[1:] or is_verb)


def _is_cut(between: list[str]) -> bool:
    """Tell whether what stands between a verb and a preposition is no object by itself: a verb, or another's object."""
    return any(is_participle(word) or tense(word) == "past" or word in ("to", "and", "or") for word in between)
