"""Nouns: what kind of thing something is called, and how its name stands in a sentence.

>>> spoken("Dark River (1990 film)"), spoken("Veldra (river)"), spoken("Crust (geology)")
('the 1990 film Dark River', 'the river Veldra', 'Crust')
"""

from __future__ import annotations

import re

from retriever.synthesis.grammar.verbs import is_participle
from weft.text.names import relation_words

PARENTHESIS = re.compile(r"(.+\S) \(([^()]+)\)")
FIELD = ("ics", "logy", "graphy", "nomy", "istry", "computing", "law", "medicine", "music", "metry")
"""Ends of names of sciences and arts, which tell where a name is used, not what has it."""

PERSONS = frozenset(
    """person actor actress director singer politician player footballer cricketer writer novelist poet author artist
    painter musician composer journalist bishop archbishop emperor empress king queen prince princess duke duchess
    count countess baron baroness nobleman noblewoman member son daughter filmmaker producer screenwriter officer
    general lawyer scientist engineer professor rapper songwriter model chef coach philosopher businessman
    physician explorer ruler driver wrestler boxer swimmer athlete fencer soldier judge priest monk nun saint
    historian architect cartographer printer naturalist navigator soprano tenor maker philosopher peer skater
    gymnast guitarist drummer pianist violinist dramatist playwright critic editor comedian presenter broadcaster
    activist diplomat economist mathematician astronomer chemist physicist biologist botanist geologist theologian
    scholar pope cardinal senator governor mayor minister president officeholder scholar surgeon nurse teacher
    astronaut pilot sculptor photographer cinematographer cyclist golfer rider jockey manager referee umpire
    monarch royalty cleric merchant banker sailor admiral soccerplayer racewalker wife husband mother father
    brother sister entrepreneur spouse coach captain leader commander champion winner chairman keeper owner rider
    author parent child sibling student pupil successor predecessor mentor president chancellor nephew niece
    cousin uncle aunt grandson grandfather grandmother granddaughter teacher friend lover consort regent heir
    founder inventor discoverer designer builder narrator conductor librettist ambassador engraver illustrator
    translator surveyor rector principal mediator dean provost abbot abbess prior steward warden master
    headmaster schoolmaster secretary treasurer curator librarian midwife weaver potter carpenter mason
    blacksmith baker miller fisherman ferryman farmer shepherd hunter gardener apothecary herbalist healer
    alchemist astrologer bookseller innkeeper shopkeeper outlaw pirate smuggler thief spy clerk notary
    magistrate deputy delegate speaker envoy general colonel major sergeant knight squire lord lady sir dancer
    acrobat juggler minstrel bard puppeteer tailor shoemaker jeweller goldsmith silversmith glassblower
    printmaker typographer cook butler servant orphan widow widower hermit prophet preacher missionary pastor
    vicar rabbi imam scribe chronicler antiquary collector patron tutor lecturer researcher naturalist
    ornithologist entomologist zoologist linguist lexicographer grammarian geographer meteorologist""".split()
)
PERSON_ENDS = ("maker", "smith", "wright", "monger", "keeper", "writer", "woman", "ologist", "grapher", "ician",
               "master")  # fmt: skip
EVENTS = frozenset(
    """fair exhibition festival flood battle war siege mutiny strike revolt uprising rebellion election plebiscite
    referendum wedding coronation race games tournament match expedition voyage congress conference fire
    earthquake storm wreck shipwreck massacre ceremony concert riot campaign raid surge eruption trial regatta
    event disaster famine plague epidemic duel contest championship derby parade celebration funeral collision
    crash""".split()
)
"""What takes place and is over, by the last word of its noun."""

PLACES = frozenset(
    """village town city municipality country state county province district river mountain lake island region suburb
    borough parish territory peninsula hamlet capital settlement place continent ocean sea valley desert volcano
    range bay station airport bridge castle park stadium building""".split()
)
ARTICLED = frozenset(
    """guild museum theatre theater canal railway strait sea ocean desert observatory institute orchestra expedition
    tunnel conservatory archipelago peninsula isles islands heights mountains hills highlands marshes alps
    federation republic empire confederation commonwealth treaty mutiny exhibition""".split()
)
"""Last words of names that stand behind `the`, in lower case."""

INSTITUTIONS = frozenset(
    """guild museum theatre observatory institute orchestra conservatory festival university college hospital company
    society academy library choir""".split()
)
"""Last words of names that tell what has the name; a film may be directed, and so is an observatory."""

ARTICLED_OF = frozenset(
    """academy act archbishopric archive archives bank bay battle bishopric bureau city college commission committee
    commonwealth company congress council court crown department duchy exhibition faculty federation fire
    flood guild gulf house institute isle isles kingdom league library massacre ministry museum office order
    parliament peace plebiscite principality province raid republic sack sea siege society sound strait synod
    temple tower town treaty union university valley wreck""".split()
)
"""First words of names that stand behind `the` where `of` follows: the Treaty of Gull Rock."""

HEADS = PLACES | frozenset(
    """layer zone plate belt field wave cycle theory effect system model method radiation wind current rock mineral
    gas acid particle reaction expedition probe telescope war treaty law act calendar hypothesis index scale process
    convention agreement orbit period age era epoch eclipse atmosphere circulation anomaly breccia discontinuity
    boundary ridge trench sheet map year tree bird fish plant language dynasty battle railway road line""".split()
)
"""Last words of names by which one asks for what has the name."""

ING = frozenset("building painting recording king ring spring wing string meeting crossing landing fishing".split())
"""Nouns that end as present participles do."""

ORDINALS = frozenset("first second third fourth fifth sixth seventh eighth ninth tenth last next".split())
SHORTEST = 3
PLURALS = frozenset(("headquarters", "colours", "colors", "species", "series", "grounds"))
ENDS_IN_SES = {"gases": "gas", "processes": "process", "masses": "mass", "classes": "class"}
VAGUE = frozenset(
    """thing force figure round representative example working result area running resident head agent concept type
    kind form list set one series part name private public small large major former minor new single double term
    work year act process topic unit people common subject configuration situation topic matter time text way area
    function event feature shape other body property study practice determination long west north south east
    annual edition""".split()
)
"""Nouns by which nobody asks."""



def noun_of_type(label: str | None) -> str:
    """Return a type as a noun: `SoccerClub` is a soccer club; nothing for one that says nothing."""
    noun = relation_words(label or "").replace("/", " or ")
    return "" if noun in VAGUE or not noun.replace(" ", "").isalpha() else noun


def plain_noun(defined: str) -> str:
    """Return what a definition calls a thing, as one asks for it: `drama film`, not `film written`.

    >>> plain_noun("film consisting"), plain_noun("drama film shot"), plain_noun("third planet"), plain_noun("in")
    ('film', 'drama film', 'planet', '')
    """
    words = [word for word in defined.split() if not is_participle(word) and not word.endswith(("ly", "est"))
             and word not in ORDINALS and word not in ("shot", "set")]  # fmt: skip
    if len(words) > 1 and words[-1].endswith("ing") and words[-1] not in ING:
        words.pop()
    return "" if not words or words[-1] in VAGUE or len(words[-1]) < SHORTEST else " ".join(words)


def is_person_noun(noun: str) -> bool:
    """Tell whether a noun is one of persons, by its last word.

    >>> is_person_noun("engraver"), is_person_noun("instrument maker"), is_person_noun("river")
    (True, True, False)
    """
    last = (noun.split() or [""])[-1]
    return last in PERSONS or last.endswith(PERSON_ENDS) or (last.endswith("ist") and len(last) > len("artist"))


def is_person_phrase(text: str) -> bool:
    """Tell whether a phrase is a person's name behind a noun.

    >>> is_person_phrase("the journalist Tad Ollery"), is_person_phrase("the voice of Tad Ollery")
    (True, False)
    """
    match = re.fullmatch(r"(?:the |an? )?([a-z][a-z -]*?)(?: [A-Z]\S*)+", text)
    return match is not None and " of" not in match[1] and is_person_noun(match[1])


def is_event_noun(noun: str) -> bool:
    """Tell whether a noun is one of what takes place, by its last word."""
    return (noun.split() or [""])[-1] in EVENTS


def is_place_noun(noun: str) -> bool:
    """Tell whether a noun is one of places, by its last word."""
    return (noun.split() or [""])[-1] in PLACES


def is_count(noun: str) -> bool:
    """Tell whether a noun is a plural that is counted: beds, members."""
    plain = noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
    return plain and not noun.startswith("number of ") and noun.split()[-1] not in PLURALS


def singular(noun: str) -> str:
    """Return the singular of a plural noun.

    >>> singular("countries"), singular("gases"), singular("layers")
    ('country', 'gas', 'layer')
    """
    last = noun.split()[-1]
    if last in ENDS_IN_SES:
        return noun.removesuffix(last) + ENDS_IN_SES[last]
    if noun.endswith(("ches", "shes", "xes", "sses")):
        return noun[:-2]
    return noun[:-3] + "y" if noun.endswith("ies") else noun.removesuffix("s")


def spoken(title: str) -> str:
    """Return a title as one says it: what stands in parentheses before the name, where that is a plain noun."""
    match = PARENTHESIS.fullmatch(title)
    if match is None:
        return title
    name, kind = match.groups()
    words = kind.split()
    is_plain = all(word.isdigit() or word.islower() or word.isupper() for word in words) and not kind.isdigit()
    if "," in kind or not is_plain or {"of", "born", "disambiguation"} & set(words):
        return title
    return name if words[-1].endswith(FIELD) else f"the {kind} {name}"


def takes_article(name: str) -> bool:
    """Tell by its words whether a proper name stands behind `the`, where no text tells.

    >>> [takes_article(name) for name in ("Treaty of Gull Rock", "Glass Theatre", "Ann of Hask", "Orrin's Museum")]
    [True, True, False, False]
    """
    words = name.lower().partition(" (")[0].split()
    if len(words) < 2 or words[0] in ("the", "a", "an", "some", "my") or words[0].endswith(("'s", "’s")):
        return False
    before_of = words[: words.index("of")] if "of" in words[1:] else []
    return (before_of or words)[-1] in (ARTICLED_OF if before_of else ARTICLED)


def institution_in(name: str) -> str:
    """Return the noun of a body or building that a name of several words ends with, nothing where it ends otherwise.

    >>> institution_in("Corrant Observatory"), institution_in("Dark River"), institution_in("Museum")
    ('observatory', '', '')
    """
    words = name.lower().split()
    return words[-1] if len(words) > 1 and words[-1] in INSTITUTIONS else ""


def noun_in_title(title: str) -> str:
    """Return what a title says in parentheses that its thing is, nothing where they tell something else.

    >>> [noun_in_title(f"Mercury ({kind})") for kind in ("singer", "1990 film", "geology", "of old")]
    ['singer', 'film', '', '']
    """
    match = PARENTHESIS.fullmatch(title)
    words = [] if match is None or spoken(title) in (title, match[1]) else match[2].split()
    return plain_noun(" ".join(word for word in words if word.islower()))


def possessive(name: str) -> str:
    """Return the genitive of a name: `Moss's`, `Kellumbra's`, `the Korrin Heights'`."""
    return name + ("'" if name.endswith("s") and name[:1].islower() else "'s")


def article(noun: str) -> str:
    """Return a noun with a or an."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
