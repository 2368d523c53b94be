"""Terms: what a question wants explained, an option, a setting or a word, without what stands around it.

>>> [term_asked(text) for text in ("What does --keep do?", "What is the Toaster?", "what does 'E14' mean", "Who is it")]
['--keep', 'Toaster', 'E14', '']
>>> [term_asked(f"What {text}?") for text in ("does the dig command do", "is the keep_n option for", "is a lamp tool")]
['dig', 'keep_n', 'lamp tool']
>>> term_asked("fail_under"), is_literal("fail_under"), is_literal("toaster")
('fail_under', True, False)
"""

from __future__ import annotations

import re

from retriever.question.identifiers import identifiers_in, is_alone

TERM = re.compile(
    r"\W*what (?:do|does) (?:the )?(?P<does>[^?]{1,60}?) (?:do|mean|match|stand for|refer to)\W*"
    r"|\W*what (?:is|are) (?:the )?(?:meaning|function|purpose|effect) of (?:the )?(?P<of>[^?]{1,60}?)\W*"
    r"|\W*what (?:is|are) (?:(?:the|an?) )?(?P<is>[^?]{1,60}?)(?: (?:used )?for)?\W*"
    r"|\W*(?:(?:the )?(?:meaning|definition) of|define|explain) (?:(?:the|an?) )?(?P<name>[^?]{1,60}?)\W*", re.I,
)
NOUN = re.compile(
    r"(?:option|flag|switch|key|command|variable|setting|parameter|directive|error|code|symbol|pattern|abbreviation|term"
    r"|word|column)\s+(?=\S)", re.I,
)
"""What asks for what stands beside a term, and a noun before the term itself: "the option --keep"."""

BEHIND = frozenset(
    "option flag switch command setting parameter directive statement module function tool program".split()
)
"""What may stand behind a term of one word, "the listen-on statement", if that has a sign or it asks what it does."""

LONGEST_SAID = 200
"""Characters of a question that asks for a term alone, and of what an entry says; of longer ones the first sentence
answers."""


def term_asked(text: str) -> str:
    """Return the term that a question wants explained, without quotes and the noun before it; "" where it asks else."""
    if is_alone(text):
        return identifiers_in(text)[0]
    asks = TERM.fullmatch(text) if len(text) <= LONGEST_SAID else None
    name = next(filter(None, asks.groups()), "") if asks else ""
    bare = NOUN.sub("", name, count=1).strip(" \"“”'‘’`*")
    before, noun = bare.rpartition(" ")[::2]
    is_one = " " not in before and (is_literal(before) or bool(asks and asks["does"]))
    return before if is_one and noun.lower() in BEHIND else bare


def is_literal(term: str) -> bool:
    """Tell whether a term is a single word that has other signs than letters."""
    return term != "" and not term.isalpha() and " " not in term
