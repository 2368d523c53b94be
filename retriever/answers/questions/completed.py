"""Sentences whose end is asked for, as they are typed into a search box, as questions.

>>> completed("peel of the fruit is called the"), completed("the veil was invented by")
('What is the peel of the fruit called?', 'Who was the veil invented by?')
>>> completed("kell is named after"), completed("the lake is fed by"), completed("A.B.C stands for")
('What is kell named after?', 'What is the lake fed by?', 'What does A.B.C stand for?')
>>> completed("kell used to be called"), completed("Is the peel called zest?"), completed("what is it named after")
('What was kell originally called?', 'Is the peel called zest?', 'what is it named after')
>>> completed("she left the town because"), completed("the shape of the lens is")
('Why she left the town?', 'What is the shape of the lens?')
>>> completed("the bell of kell is located in the"), completed("the water of the pond comes from where")
('Where is the bell of kell located?', 'Where does the water of the pond come from?')
>>> completed("salt is the stuff that preserves the"), completed("the fog of kell is the result of")
('What does salt preserve?', 'What causes the fog of kell?')
>>> completed("the well is in the"), completed("the bridge was built in"), completed("city in which she is")
('Where is the well?', 'the bridge was built in', 'city in which she is')
"""

from __future__ import annotations

import re

from retriever.synthesis.grammar.verbs import lemma

WHAT = (
    r"\W*(?!(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will"
    r"|would|should|name|list|tell|give)\b)(?P<what>(?:[^?.:;]|[.](?=\w))+?)"
)
CALLED = re.compile(
    rf"{WHAT} (?:(?P<be>is|are|was|were)|used to be|(?:has|have|had) been)(?: (?:also|often|formerly|originally|now))?"
    r" (?:called|known as|named|termed|referred to as)(?: an?| the)?\W*", re.I,
)  # fmt: skip
LEFT = re.compile(
    rf"{WHAT} (?P<be>is|are|was|were) (?P<verb>(?:[a-z]+ly )?[a-z]+) (?P<by>by|after|from|for|of|with|to|against|under)"
    r"(?: an?| the)?\W*", re.I,
)  # fmt: skip
STANDS_FOR = re.compile(rf"{WHAT} stands? for(?: an?| the)?\W*", re.I)
BECAUSE = re.compile(rf"{WHAT},? because\W*", re.I)
# What is asked may have a relative clause with such an end: "city in which he is".
PLAIN = r"(?!.*\b(?:which|whom?|whose|where|what)\b)"
WITHIN = re.compile(
    rf"{PLAIN}{WHAT} (?:(?P<be>is|are)|(?P<was>is|are|was|were)(?P<verb> (?:located|found|situated|stored|kept)))"
    r" (?:in|on|at)(?: an?| the)?\W*", re.I,
)  # fmt: skip
COMES_FROM = re.compile(
    rf"(?!.*\b(?:that|which|whom?|whose)\b){WHAT} (?P<s>comes?|came) from(?: where| what| an?| the)?\W*", re.I
)
EQUALS = re.compile(rf"{PLAIN}{WHAT} (?P<be>is|are|was|were)(?: an?| the)?\W*", re.I)
THAT_DOES = re.compile(
    rf"{WHAT} (?P<be>is|was) (?:an?|the) (?:[a-z]+ )?[a-z]+ (?:that|which) (?P<verb>[a-z]+)(?: an?| the)?\W*", re.I,
)  # fmt: skip
RESULT = re.compile(
    rf"{WHAT} (?:is|are|was|were) (?:an?|the) (?:product|result|effect|consequence|outcome) of\W*", re.I
)
DO = {"come": "do", "comes": "does", "came": "did"}
BY_SOMEBODY = frozenset(
    """invented written designed founded discovered directed painted composed created developed sung played owned led
    ruled killed published produced presented hosted voiced portrayed established edited drawn taught coined proposed
    described named succeeded preceded won signed recorded performed commissioned sculpted translated""".split()
)
"""What is done by somebody."""

ARTICLE = re.compile(r"(?:the|an?|its|his|her|their|this|that|these|those|one|two|it)\b|[^a-z]")
"""What something begins with that wants no article more."""

LONGEST = 200
"""Characters of a sentence that is read so."""


def completed(text: str) -> str:
    """Return a sentence whose end is asked for as a question, any other text as it is."""
    if len(text) > LONGEST:
        return text
    if found := CALLED.fullmatch(text):
        if found["be"] is None:
            return f"What was {found['what']} originally called?"
        is_bare = found["be"].lower() in ("is", "was") and ARTICLE.match(found["what"]) is None
        return f"What {found['be']} {'the ' if is_bare else ''}{found['what']} called?"
    if found := STANDS_FOR.fullmatch(text):
        return f"What does {found['what']} stand for?"
    if found := BECAUSE.fullmatch(text):
        return f"Why {found['what']}?"
    if found := LEFT.fullmatch(text):
        who = "Who" if found["by"].lower() == "by" and found["verb"].lower() in BY_SOMEBODY else "What"
        return f"{who} {found['be']} {found['what']} {found['verb']} {found['by']}?"
    return _equated(text)


def _equated(text: str) -> str:
    """Return a sentence that lacks what something is, does or results from, or where it is, as a question."""
    if found := RESULT.fullmatch(text):
        return f"What causes {found['what']}?"
    if (found := THAT_DOES.fullmatch(text)) and (verb := lemma(found["verb"])):
        return f"What {'does' if found['be'].lower() == 'is' else 'did'} {found['what']} {verb}?"
    if found := WITHIN.fullmatch(text):
        return f"Where {found['be'] or found['was']} {found['what']}{found['verb'] or ''}?"
    if found := COMES_FROM.fullmatch(text):
        return f"Where {DO[found['s'].lower()]} {found['what']} come from?"
    if found := EQUALS.fullmatch(text):
        return f"What {found['be']} {found['what']}?"
    return text
