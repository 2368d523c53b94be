"""Verbs: which words are forms of one, and how a verb is inflected.

>>> lemma("directed"), past("write"), participle("write"), third_person("carry")
('direct', 'wrote', 'written', 'carries')
"""

from __future__ import annotations

from functools import cache

AUXILIARIES = {"is": "is", "are": "are", "was": "was", "were": "were", "has": "has", "have": "have", "had": "had",
               "can": "can", "may": "may", "must": "must", "will": "will"}  # fmt: skip
BE = frozenset(("is", "are", "was", "were"))

REGULAR = frozenset(
    """absorb accompany achieve acquire act address adopt affect allow announce appear appoint approach arrive assist
    attack attend attract award base belong border call capture carry cause celebrate change chart charter claim
    climb collaborate collect collide combine command commission compare compete complete compose comprise compute
    concern conduct connect conquer consist construct contain continue contribute control convert cool count cover
    craft create cross crown damage date deal declare decide dedicate defeat defend define deflect deliver depart
    depend depict derive descend describe design destroy detect determine develop devise die differ direct disappear
    discover discuss display dissolve distribute divide document dominate donate double drain drop earn edit educate
    elect emerge employ enable encounter end engrave enter erupt establish estimate examine exhibit expand explain
    explore export express extend feature film fill finance finish fire flood flow follow form formulate found
    function gain generate govern graduate guard happen head help honour honor host house identify illustrate
    import improve include increase induct influence inform inhabit inherit initiate injure inspire install
    interact introduce invade invent invite involve issue join kill label land last launch leave license lie limit link
    list live locate lower maintain manage manufacture map mark marry measure mention merge migrate mine modify
    move murder name narrate nominate note observe occupy occur open operate oppose orbit order organise organize
    originate oversee own paint participate pass perform photograph place plan plant play portray possess power
    predict premiere prepare present preserve preside prevent print proclaim produce promote propose protect prove
    provide publish purchase pursue qualify race raise rank reach receive recognise recognize record reduce refer
    reflect regard reign reject relate release relocate remain remove rename repair replace report represent require
    rescue resemble reside resign result retire return reveal revise rotate rule sail save score scout screen
    separate serve settle share show sign situate sponsor star start state stay stem stop store stretch study
    subduct submit succeed suggest supply support surround survive target teach tour trade train transfer translate
    transport travel treat turn unite use value visit voice vote want wash witness work wound yield""".split()
)
"""Verbs that a fact is read from, but for those of `IRREGULAR`; a word that is often a noun is one behind a subject."""

IRREGULAR = {
    "bear": ("bore", "born"), "become": ("became", "become"), "begin": ("began", "begun"), "bring": ("brought",) * 2,
    "build": ("built",) * 2, "buy": ("bought",) * 2, "choose": ("chose", "chosen"), "come": ("came", "come"),
    "cut": ("cut",) * 2, "draw": ("drew", "drawn"), "drive": ("drove", "driven"), "fall": ("fell", "fallen"),
    "fight": ("fought",) * 2, "find": ("found",) * 2, "fly": ("flew", "flown"), "give": ("gave", "given"),
    "grow": ("grew", "grown"), "hold": ("held",) * 2, "keep": ("kept",) * 2, "know": ("knew", "known"),
    "lead": ("led",) * 2, "lose": ("lost",) * 2, "make": ("made",) * 2, "meet": ("met",) * 2, "run": ("ran", "run"),
    "sell": ("sold",) * 2, "send": ("sent",) * 2, "set": ("set",) * 2, "sing": ("sang", "sung"),
    "speak": ("spoke", "spoken"), "spend": ("spent",) * 2, "split": ("split",) * 2, "stand": ("stood",) * 2,
    "take": ("took", "taken"), "teach": ("taught",) * 2, "tell": ("told",) * 2, "wear": ("wore", "worn"),
    "win": ("won",) * 2, "write": ("wrote", "written"), "leave": ("left",) * 2, "lie": ("lay", "lain"),
    "see": ("saw", "seen"), "rise": ("rose", "risen"), "weave": ("wove", "woven"), "put": ("put",) * 2,
    "lay": ("laid",) * 2, "carve": ("carved", "carved"), "cast": ("cast",) * 2, "co-write": ("co-wrote", "co-written"),
}  # fmt: skip
DOUBLING = frozenset(("map", "plan", "stop", "star", "drop", "refer", "transfer", "commit", "submit", "stem", "control",
                      "travel", "label", "channel", "compel"))  # fmt: skip
VOWELS = frozenset("aeiou")


def third_person(verb: str) -> str:
    """Return the form behind he, she and it."""
    if verb.endswith("y") and verb[-2:-1] not in VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def past(verb: str) -> str:
    """Return the past form."""
    return IRREGULAR[verb][0] if verb in IRREGULAR else _ed(verb)


def participle(verb: str) -> str:
    """Return the past participle."""
    return IRREGULAR[verb][1] if verb in IRREGULAR else _ed(verb)


def _ed(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in VOWELS:
        return verb[:-1] + "ied"
    return verb + verb[-1] + "ed" if verb in DOUBLING else verb + "ed"


@cache
def _forms() -> dict[str, dict[str, str]]:
    """Return the lemmas of all forms, by the kind of form."""
    verbs = sorted(REGULAR | set(IRREGULAR))
    kinds = {"third": third_person, "past": past, "participle": participle}
    forms = {kind: {form(verb): verb for verb in verbs} for kind, form in kinds.items()}
    forms["plain"] = {verb: verb for verb in verbs}
    for kind in ("past", "participle"):
        # "found" is a form of find before it is one of found, and both spellings of "travelled" are met.
        forms[kind]["found"], forms[kind]["founded"] = "find", "found"
    return forms


def lemma(word: str) -> str | None:
    """Return the verb that a word is a form of, None for no verb that is known."""
    return next((forms[word] for forms in _forms().values() if word in forms), None)


def tense(word: str) -> str | None:
    """Return `third`, `past` or `plain` for a main verb's form, None where it is none."""
    return next((kind for kind in ("third", "past", "plain") if word in _forms()[kind]), None)


def is_participle(word: str) -> bool:
    """Tell whether a word can follow a form of be in the passive; verbs that no list has are told by their ending.

    >>> [is_participle(word) for word in ("written", "terraced", "red")]
    [True, True, False]
    """
    return word in _forms()["participle"] or (len(word) > 5 and word.endswith("ed") and not word.endswith("eed"))


def past_of_participle(word: str) -> str:
    """Return the past form that goes with a participle: `written` gives `wrote`."""
    verb = _forms()["participle"].get(word)
    return past(verb) if verb else word
