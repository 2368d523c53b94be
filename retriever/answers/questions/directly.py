"""Questions without what only says that something is asked, and phrases as questions."""

from __future__ import annotations

import re

from retriever.answers.questions.completed import completed
from retriever.answers.questions.kin_questions import asked_for_kin
from retriever.answers.text.kind_asked import is_phrase, kind_of
from retriever.answers.text.lists import is_plural, several_asked

OPENING = re.compile(
    r"\W*(?:please,?\s+)?(?:(?:can|could|would|will) (?:you|anyone|someone|somebody) (?:please )?(?:tell (?:me|us)|say)"
    r"|(?:tell|inform) (?:me|us)|i(?:['’]d| would) like to (?:know|find out)|i(?:['’]m| am) (?:wondering|looking for)"
    r"|i (?:want|need|wish) to (?:know|find out)|i wonder"
    r"|(?:do you|does (?:anyone|anybody|someone)) (?:happen to )?know),?\s+"
    r"(?=(?:who|whom|whose|what|when|where|which|why|how)\b)", re.I,
)  # fmt: skip
"""What only says that something is asked: "Could you tell me where ...?"."""

PHRASE = re.compile(
    r"(?:the )?(?!(?:name|list|give|tell|all|number|how|time|date|year)\b)(?:[a-z][\w-]* ){0,3}?(?P<noun>[a-z][\w-]*)"
    r" (?:of|in|on|for|at) (?!(?:which|whom?|whose|what|where)\b)"
)
"""A noun and what it is of, with which a phrase begins that asks: "side effects of sorrel"."""

PLURALS = frozenset("children people men women feet teeth".split())
ALL = re.compile(r"\W*all (?:of )?(?:the )?")
WHY = re.compile(
    r"\W*(?:for (?:what|which) reasons?|how come"
    r"|on (?:what|which) grounds(?! (?:is|are|was|were) .*\b(?:played|held|fought)\b)"
    r"|what(?:['’]s| is| was| were| are) the reasons? (?:that|why))\s+", re.I,
)  # fmt: skip
"""What asks why in other words."""

WHAT_IS = r"\W*(?:what(?:['’]s| is| was) )?"
NO_NAME = (
    r"(?!(?:the )?(?:who|whom|whose|which|what|when|where|why|how|an?|his|her|its|their|my|your|this|that|leading|main"
    r"|chief|commonest|common|most|usual|biggest|major|first|second|top|number|official|exact|probable|likely|real|true"
    r"|highest|lowest|greatest|total|cause|death|did|does|do|is|was|are|were|has|have|can|list|give|name|tell)\b)"
)
"""What a phrase that names somebody or something does not begin with."""

DEATH_OF = re.compile(
    r"\W*cause of death (?!(?:of|for|in|at|among|by|during|on|from|was|is|statistics|rates?|certificates?|recorded"
    r"|listed|given)\b)(?P<of>[^?,]+)", re.I,
)  # fmt: skip
DEATH = re.compile(
    rf"{WHAT_IS}(?:(?:the )?cause of (?:the )?death (?:of|for) (?P<of>.+?)"
    rf"|(?P<whose>{NO_NAME}[^?]+?)(?:['’]s?)? cause of death)\W*", re.I,
)  # fmt: skip
KILLED = re.compile(
    r"\W*(?:of )?what (?:disease|illness|ailment|sickness)"
    r" (?:did (?P<who>.+?) die(?: of| from)?|killed (?P<whom>.+?))\W*", re.I,
)  # fmt: skip
TOLL = re.compile(
    rf"{WHAT_IS}(?:(?:the )?death toll (?:of|in|from|at|for) (?P<of>.+?)"
    rf"|(?P<whose>{NO_NAME}[^?]+?)(?:['’]s?)? death toll)\W*", re.I,
)  # fmt: skip
"""What asks of what somebody died, and how many died."""

OWNERS = {"he": "his", "she": "her", "they": "their", "i": "my", "you": "your", "we": "our"}
LIVING = re.compile(
    r"\W*(?:what (?P<does>does|did) (?P<who>.+?) (?:do (?:for a living|for work|professionally)|work as)"
    r"|how (?P<how>does|did) (?P<whose>.+?) (?:earn|make) (?:a|his|her|their) living)\W*", re.I,
)  # fmt: skip
"""What asks for somebody's job."""

LONGEST = 200
"""Characters of a question that may ask for a death or a job."""

STRESSED = re.compile(
    r"(\W*(?:who|what|when|where|which|why)(?:['’]s)?) (?:exactly|precisely|actually|really|on earth) ", re.I
)
"""A question word with an adverb that adds nothing."""

SHORT = re.compile(r"(\W*(?:what|who|where|when|how))s (?=\w)", re.I)
"""A question word and "is" without an apostrophe: "whats the use of it"."""

MADE_OF = re.compile(
    r"\W*what(?:['’]s| is| was| are| were) (?:the )?"
    r"(?:(?:chemical|mineral|overall|average|approximate|exact|general|main|basic|typical|normal|probable|likely) )?"
    r"(?:composition|make-?up) of (?P<of>[^?]+)", re.I,
)  # fmt: skip
"""What asks of what something is made."""

HELD = re.compile(
    r"(\W*(?:who|what) (?:is|was|are|were)) (?:(?:generally|widely|often|usually) )?(?:considered|regarded"
    r"|recogni[sz]ed|seen|thought|believed|said)(?: to be| as(?: being)?)? (?=the\b)", re.I,
)  # fmt: skip
"""What asks who is held to be something, which texts say in any of these ways, or without."""

COUNTS_AS = re.compile(r"(\W*what) (?:counts?|qualif(?:y|ies)) as ", re.I)
PLAIN = {
    "dad": "father", "daddy": "father", "mum": "mother", "mom": "mother", "mummy": "mother", "mommy": "mother",
    "grandad": "grandfather", "granddad": "grandfather", "grandpa": "grandfather", "grandma": "grandmother",
    "granny": "grandmother", "grown-ups": "adults", "grown-up": "adult", "kids": "children", "fridge": "refrigerator",
}  # fmt: skip
COLLOQUIAL = re.compile(rf"(?<![\w'’\"-])(?:{'|'.join(PLAIN)})(?![\w-])")
"""Words of everyday speech that texts hardly say; with a capital they are names."""

FREE = re.compile(
    r"^(\W{0,8}(?:can|could|may|must|will|would|do|does|did|is|are|should)\b.*)"
    r"\bwithout (?:charging|charge|paying|cost)(?: (?:me|us|you|anything))?(?=\W*$| (?:for|to|at|on|in)\b)", re.I,
)  # fmt: skip
DEFAULT = re.compile(r"\b(default) (?:value|setting)s?(?= (?:of|for)\b)", re.I)
"""What asks for a default, whose label is no more than that."""

BOTH_FROM = re.compile(
    r"(\W*)(?:do|does|did) (?P<both>[^?]+? and [^?]+?) both (?:come|hail) from (?P<place>[^?]+)", re.I
)
"""What asks of two whether they were born somewhere."""

OR_NOT = re.compile(r",? or not(\W*)$", re.I)
"""What adds nothing to a yes/no question."""


def asked_directly(text: str) -> str:
    """Return a question without what only says that it is one, a phrase about something and what asks why as questions.

    >>> asked_directly("Could you please tell me who built it?"), asked_directly("Is Kell old or not?")
    ('who built it?', 'Is Kell old?')
    >>> [asked_directly(text) for text in ("side effects of sorrel", "writer of Veldra", "city in which he is")]
    ['what are the side effects of sorrel?', 'who is the writer of Veldra?', 'city in which he is']
    >>> asked_directly("status of the bridge"), asked_directly("feet of the heron")
    ('what is the status of the bridge?', 'what are the feet of the heron?')
    >>> asked_directly("all 5 layers of the air"), asked_directly("what is the make-up of the air?")
    ('what are the 5 layers of the air?', 'What is the air composed of?')
    >>> asked_directly("Did Ada Orr and Bo Lund both come from Kell?")
    'Were Ada Orr and Bo Lund both born in Kell?'
    >>> asked_directly("What exactly is a comb lens?"), asked_directly("what counts as a tender?")
    ('What is a comb lens?', 'what is a tender?')
    >>> asked_directly("What was her dad's trade?"), asked_directly("Who wrote Dad and I?")
    ("What was her father's trade?", 'Who wrote Dad and I?')
    >>> asked_directly("On what grounds did she leave?"), asked_directly("Orr's cause of death")
    ('Why did she leave?', 'What did Orr die of?')
    >>> asked_directly("cause of death ada orr"), asked_directly("cause of death in 1918")
    ('What did ada orr die of?', 'what is the cause of death in 1918?')
    """
    text = OPENING.sub("", text, count=1) if OPENING.match(text) else text
    text = SHORT.sub(r"\1 is ", text, count=1) if SHORT.match(text) else text
    text = STRESSED.sub(r"\1 ", text, count=1) if STRESSED.match(text) else text
    text = HELD.sub(r"\1 ", text, count=1) if HELD.match(text) else text
    text = COUNTS_AS.sub(r"\1 is ", text, count=1) if COUNTS_AS.match(text) else text
    if len(text) <= LONGEST:
        text = BOTH_FROM.sub(r"\1Were \g<both> both born in \g<place>", FREE.sub(r"\1free of charge", text), count=1)
    text = DEFAULT.sub(r"\1", COLLOQUIAL.sub(lambda each: PLAIN[each[0]], text))
    text = WHY.sub("Why ", text, count=1) if WHY.match(text) else asked_for_kin(_of_life(text))
    text = OR_NOT.sub(r"\1", _as_question(completed(text)))
    return MADE_OF.sub(r"What is \g<of> composed of", text, count=1) if len(text) <= LONGEST else text


def _of_life(text: str) -> str:
    """Return what asks for a job, a cause of death or a death toll as a question with "job" or "die".

    >>> _of_life("What does Ida Ness do for a living?"), _of_life("How did she earn her living?")
    ("What is Ida Ness's job?", 'What was her job?')
    >>> _of_life("What did the father of Ida Ness do for a living?")
    'What was the job of the father of Ida Ness?'
    """
    if len(text) > LONGEST:
        return text
    if found := LIVING.fullmatch(text):
        who = found["who"] or found["whose"]
        is_now = (found["does"] or found["how"]).lower() == "does"
        if who.lower().startswith("the ") and " of " in who:
            # "The father of Ada Orr's job" would be the father of a job.
            return f"What {'is' if is_now else 'was'} the job of {who}?"
        return f"What {'is' if is_now else 'was'} {OWNERS.get(who.lower(), who + chr(39) + 's')} job?"
    if found := DEATH_OF.fullmatch(text):
        return f"What did {found['of']} die of?"
    if found := DEATH.fullmatch(text):
        return f"What did {found['of'] or found['whose']} die of?"
    if found := KILLED.fullmatch(text):
        return f"What did {found['who'] or found['whom']} die of?"
    found = TOLL.fullmatch(text)
    return f"How many people died in {found['of'] or found['whose']}?" if found else text


def _as_question(text: str) -> str:
    """Return a phrase such as "side effects of sorrel" with the question words that it leaves out."""
    told = f"{text[:1].lower()}{text[1:]}"
    if ALL.match(told) and several_asked(text):
        return f"what are the {ALL.sub('', told, count=1).rstrip(' ?')}?"
    phrase = PHRASE.match(told)
    # "Starch content of the root" asks for an amount, "what is the content" may ask for anything.
    if phrase is None or phrase["noun"] == "content" or text.endswith("?") or not is_phrase(text):
        return text
    noun = phrase["noun"]
    verb = "are" if noun in PLURALS or (noun.endswith("s") and is_plural(noun)) else "is"
    article = "" if told.startswith("the ") else "the "
    return f"{'who' if kind_of(text)[0] == 'person' else 'what'} {verb} {article}{told.rstrip()}?"
