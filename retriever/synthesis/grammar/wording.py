"""Wording: questions and descriptions of what a predicate relates, each in several ways.

>>> born = Predicate("was born in", False)
>>> ask_object(born, "the director of Xanadu", Asked(is_place=True))[0]
'Where was the director of Xanadu born?'
>>> subject_described(Predicate("was directed by", False), "Ann Orr", "film", is_person=False)[0]
'the film directed by Ann Orr'
"""

from __future__ import annotations

from retriever.synthesis.grammar.attributes import Asked, ask_attribute, is_several
from retriever.synthesis.grammar.nouns import PLURALS, article, is_count, is_event_noun, is_person_noun
from retriever.synthesis.grammar.predicates import AGENTS, INVERSE, Predicate
from retriever.synthesis.grammar.verbs import lemma, past_of_participle, tense, third_person

PLACED = ("in", "at", "near", "on")
PLACING = frozenset(
    """born died buried located situated lies lie lived lives live held built filmed shot found based founded educated
    recorded stationed killed set premiered opened graduated studied taught worked works resides occurs occur happened
    happens grew grows began begins took taken discovered made produced published given performed raised crowned
    headquartered placed staged married moved ended ends rises settled fought laid launched kept interred opens
    starts started released written invented established formed forms created developed""".split()
)
"""Verbs whose `in`, `at` and `near` tell where."""

OF_EVENTS = ("date", "place")
"""Attributes that one says of events by a verb."""

LONGEST_OWNER = 4
"""Words of what one can ask `What is it the capital of?` about."""

ON = frozenset(
    "rises rise founded built located situated lies lie laid fought stationed established born found".split()
)
"""Verbs whose `on` tells where, if it does not tell when."""

LEADING = ("during", "from", "under", "through", "into", "to")
"""Prepositions that stand before `which` rather than at a description's end: `the reign during which he was killed`."""

TIMES = frozenset("years year months weeks days hours minutes seconds".split())
LASTING = frozenset("owned operated kept ruled led".split())
"""Participles of what goes on as long as one says `is`; works were written, even if `is`."""

ACTS = frozenset(AGENTS) | frozenset(
    """opened maintained managed run supervised closed rebuilt restored commissioned organised organized funded
    established signed launched printed sponsored acquired bought sold hosted set
    held succeeded preceded won portrayed voiced released reprinted co-produced co-directed co-written played recorded
    licensed performed sung painted photographed taught trained hired appointed elected crowned killed murdered
    captured arrested""".split()
)
"""Participles of what somebody does, a person or a body of them."""

COMMON = frozenset(
    """includes contains used found has shows exists occurs associated related linked based comprises consists depends
    refers represents uses involves considered located situated divided composed measured varies derived known called
    comes provides affects means needs requires""".split()
)
"""Verbs whose subject nobody can tell by their object alone."""


def ask_object(predicate: Predicate, subject: str, asked: Asked) -> list[str]:
    """Return questions for a predicate's object, the plainest first."""
    if predicate.is_definition:
        return []
    subject = predicate.framed(subject)
    if predicate.is_noun:
        return ask_attribute(predicate, subject, asked)
    which = _which(predicate, asked)
    if predicate.auxiliary:
        return _ask_auxiliary(predicate, subject, asked, which)
    return _ask_main(predicate, subject, asked, which)


def ask_subject(predicate: Predicate, object_: str, asked: Asked) -> list[str]:
    """Return questions for a predicate's subject, the plainest first; none where no noun is known."""
    if predicate.frame:
        return []
    if predicate.is_definition:
        be = predicate.words.partition(" ")[0]
        return [f"What {be} {object_} called?", f"What is the name of {object_}?"]
    predicate = predicate.behind(is_plural=False)
    if predicate.is_event or predicate.words in OF_EVENTS:
        return []
    which = f"Which {asked.noun}" if asked.noun else "Who" if asked.is_person else "What"
    if predicate.is_noun:
        whose = "their" if asked.is_person else "its"
        return [f"Which {asked.noun} has {object_} as {whose} {predicate.words}?"] if asked.noun else []
    if predicate.possessed:
        who = "Who" if asked.is_person or is_person_noun(predicate.possessed) else "What"
        return [f"{who} {predicate.words} {object_}?"]
    if which == "What" and COMMON & set(predicate.words.split()[:2]):
        return []
    plain = [f"{which} {predicate.words} {object_}?"]
    if asked.is_person and asked.noun:
        plain.append(f"Who {predicate.words} {object_}?")
    if asked.noun and predicate.participle:
        who = "who" if asked.is_person else "that"
        plain.append(f"What is the name of the {asked.noun} {who} {predicate.words} {object_}?")
    return plain


def subject_described(predicate: Predicate, object_: str, noun: str, *, is_person: bool) -> list[str]:
    """Return descriptions of a predicate's subject by its object, the plainest first; none where no noun is known."""
    if predicate.is_definition:
        return [object_]
    if predicate.frame:
        return []
    predicate = predicate.behind(is_plural=False)
    head, who = noun or ("person" if is_person else ""), "who" if is_person else "that"
    if not head and not predicate.possessed:
        return []
    if predicate.is_event or predicate.words in OF_EVENTS:
        return []
    if predicate.is_noun:
        return [f"the {head} whose {predicate.words} {'are' if is_count(predicate.words) else 'is'} {object_}"]
    if predicate.possessed:
        return [f"the {predicate.possessed} of {object_}"]
    full = f"the {head} {who} {predicate.words} {object_}"
    if predicate.participle and predicate.auxiliary in ("is", "was", "are", "were"):
        rest = predicate.words.partition(" ")[2]
        return [full] if predicate.participle == "born" else [f"the {head} {rest} {object_}", full]
    return [full]


def object_described(predicate: Predicate, subject: str, asked: Asked) -> list[str]:
    """Return descriptions of a predicate's object by its subject, the plainest first; none where none is natural."""
    if predicate.is_definition or predicate.is_event:
        return []
    subject = predicate.framed(subject)
    if predicate.is_noun:
        return _attribute_described(predicate.words, subject, asked)
    if predicate.done_by:
        return _agent(predicate, subject, asked)
    head = asked.noun or ("person" if asked.is_person or predicate.is_of_people else "")
    inverse = INVERSE.get(predicate.words)
    if inverse:
        return [f"the {head or 'actor'} who {inverse} {subject}"] if head else []
    if predicate.possessed:
        return [f"the {head} whose {predicate.possessed} is {subject}"] if head else []
    head = head or ("place" if predicate.preposition in PLACED and asked.is_place else "")
    return _relative(predicate, subject, head, is_person=asked.is_person or is_person_noun(head)) if head else []


def _attribute_described(noun: str, subject: str, asked: Asked) -> list[str]:
    """Return descriptions of what is a noun of a subject: `the mayor of`, `the city where it has its headquarters`."""
    if noun in OF_EVENTS:
        took_place = noun == "place" and is_event_noun(asked.of)
        return [f"the place where {subject} took place"] if took_place else []
    if noun == "headquarters":
        return [f"the {asked.noun or 'place'} where {subject} has its headquarters"]
    return [f"the {noun} of {subject}"]


def _relative(predicate: Predicate, subject: str, head: str, *, is_person: bool) -> list[str]:
    """Return descriptions by a relative clause: `the village where she was born`, `the river on which it lies`."""
    does, _, preposition = predicate.words.rpartition(" ")
    if predicate.preposition in LEADING and not is_person and " " in does:
        return [f"the {head} {preposition} which {subject} {does}"]
    if predicate.preposition not in PLACED or is_person_noun(head):
        return [f"the {head} {'whom' if is_person else 'that'} {subject} {predicate.words}"]
    if preposition == "on":
        return [f"the {head} on which {subject} {does}"]
    return [f"the {head} where {subject} {does}", f"the {head} in which {subject} {does}"]


def _agent(predicate: Predicate, subject: str, asked: Asked) -> list[str]:
    """Return descriptions of who did something: `the director of`, `the person who directed`."""
    doing = predicate.done_by
    agent = AGENTS.get(predicate.participle) if doing == predicate.participle else None
    person = asked.is_person or predicate.is_of_people
    head = "person" if person and (not asked.noun or agent) else asked.noun
    did = _doing(predicate, doing)
    described = [f"the {agent} of {subject}"] if agent and person else []
    return described + ([f"the {head} {'who' if person else 'that'} {did} {subject}"] if head else [])


def _stands_for_place(predicate: Predicate) -> bool:
    """Tell whether a predicate's preposition may lead to a place; what is based on something is not there."""
    return predicate.preposition in ("in", "at", "near") or (
        predicate.preposition == "on" and bool(ON & set(predicate.words.split()))
    )


def _asks_place(predicate: Predicate, asked: Asked) -> bool:
    """Tell whether one asks where: for what is known to be a place, or by a verb that tells of places."""
    told = bool(PLACING & set(predicate.words.split()))
    return (asked.is_place or told) and asked.kind in ("name", "entity", "phrase") and not asked.is_person


def _which(predicate: Predicate, asked: Asked) -> str:
    if asked.noun and not asked.is_person:
        return f"Which {asked.noun}"
    acts = predicate.done_by and asked.is_named and asked.kind in ("entity", "name") and predicate.participle in ACTS
    return "Who" if asked.is_person or acts else "What"


def _ask_auxiliary(predicate: Predicate, subject: str, asked: Asked, which: str) -> list[str]:
    rest = predicate.words.partition(" ")[2]
    bare, be = rest.removesuffix(f" {predicate.preposition}"), predicate.auxiliary
    if asked.kind == "number" and asked.unit in TIMES and predicate.preposition == "for":
        return [f"How long {be} {subject} {bare}?"]
    if asked.kind in ("date", "year") and predicate.preposition in PLACED:
        dated = "In which year" if asked.kind == "year" else "On what date"
        return [f"When {be} {subject} {bare}?", f"{dated} {be} {subject} {bare}?"]
    if predicate.done_by:
        did, agent = _doing(predicate, bare), AGENTS.get(bare)
        if not predicate.is_of_people:
            return [f"{which} {did} {subject}?", f"{which} {be} {subject} {rest}?"]
        named = [f"Who is the {agent} of {subject}?"] if agent else []
        return [f"Who {did} {subject}?", f"By whom {be} {subject} {bare}?", *named]
    if _stands_for_place(predicate) and _asks_place(predicate, asked):
        asking = [f"Where {be} {subject} {bare}?"]
        return [*asking, f"In which {asked.noun} {be} {subject} {bare}?"] if asked.noun else asking
    if predicate.possessed:
        if len(subject.split()) > LONGEST_OWNER:
            return []
        who = "Who" if predicate.is_of_people or asked.is_person else which
        return [f"{who} {be} {subject} {rest}?"]
    return [f"{which} {be} {subject} {rest}?"]


def _ask_main(predicate: Predicate, subject: str, asked: Asked, which: str) -> list[str]:
    if INVERSE.get(predicate.words):
        who = "Who" if asked.is_person or predicate.is_of_people else which
        return [f"{who} {INVERSE[predicate.words]} {subject}?"]
    first, _, rest = predicate.words.partition(" ")
    verb = lemma(first) or first
    do = {"past": "did", "third": "do" if is_several(subject) else "does"}.get(tense(first) or "", "do")
    asks_place = _stands_for_place(predicate) and _asks_place(predicate, asked)
    asks_place = asks_place and not (predicate.preposition == "on" and asked.noun)
    if (asked.kind in ("date", "year") and predicate.preposition in PLACED) or asks_place:
        bare = rest.rpartition(" ")[0]
        word = "Where" if asks_place else "When"
        return [" ".join(f"{word} {do} {subject} {verb} {bare}".split()) + "?"]
    if asked.kind == "number":
        return [f"How many {asked.unit} {do} {subject} {verb}?"] if not rest and asked.unit.endswith("s") else []
    who = "Who" if predicate.is_of_people or asked.is_person else which
    return [" ".join(f"{who} {do} {subject} {verb} {rest}".split()) + "?"]


def clause(predicate: Predicate, other: str, *, is_subject: bool, is_person: bool = False) -> str:
    """Return what can be said of a predicate's subject, else of its object, behind `who` or `which`; perhaps nothing.

    >>> clause(Predicate("was directed by", False), "Xanadu", is_subject=False)
    'directed Xanadu'
    """
    if predicate.frame:
        return ""
    if predicate.words in OF_EVENTS:
        return ""
    if is_subject:
        whose = "their" if is_person else "its"
        return f"has {other} as {whose} {predicate.words}" if predicate.is_noun else f"{predicate.words} {other}"
    if predicate.is_event or (predicate.is_noun and predicate.words == "country"):
        return ""
    if predicate.is_noun:
        noun = predicate.words
        return f"is {f'the {noun}' if noun in PLURALS else article(noun)} of {other}"
    if INVERSE.get(predicate.words):
        return f"{INVERSE[predicate.words]} {other}"
    return f"{_doing(predicate, predicate.done_by)} {other}" if predicate.done_by else ""


def _doing(predicate: Predicate, doing: str) -> str:
    """Return what one does by whom something is done: `is caused by` gives causes; works were written, even if `is`."""
    active = past_of_participle(predicate.participle)
    lasts = predicate.participle not in AGENTS or predicate.participle in LASTING
    if predicate.auxiliary in ("is", "are") and lasts:
        verb = lemma(predicate.participle)
        active = third_person(verb) if verb else active
    return doing.replace(predicate.participle, active)
