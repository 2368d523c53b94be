"""Verbs: which words are forms of one, and how a verb is inflected.

>>> lemma("directed"), past("write"), participle("write"), third_person("carry")
('direct', 'wrote', 'written', 'carries')
"""

from __future__ import annotations

from functools import cache

AUXILIARIES = {"is": "is", "are": "are", "was": "was", "were": "were", "has": "has", "have": "have", "had": "had",
               "can": "can", "may": "may", "must": "must", "will": "will"}  # fmt: skip
BE = frozenset(("is", "are", "was", "were"))

PLURALS = {"is": "are", "was": "were", "has": "have"}

REGULAR = frozenset(
    """absorb accelerate accompany accumulate achieve acquire act adapt address adjust adopt affect allow alter amplify
    announce appear appoint approach arrive assist attach attack attend attract attribute award balance base belong
    bombard border bound call capture carry cause cease celebrate change chart charter circulate claim climb coincide
    collaborate collect collide combine command commission compare compete complete compose compress comprise
    compute concern condense conduct connect conquer consist construct contain continue contribute control convert
    convey cool correspond count cover craft create cross crown crystallize damage date deal decay decide declare
    decrease dedicate defeat defend define deflect deform delineate deliver depart depend depict deposit derive
    descend describe design destroy detect determine develop devise die differ differentiate dilute direct disappear
    discover discuss displace display dissolve distribute divide document dominate donate double drain drop earn
    edit educate elect elevate eliminate emerge emit employ enable enclose encompass encounter end engrave enhance
    enrich enter envelop equal erode erupt establish estimate evaporate evolve examine exceed exchange exert exhibit
    expand expel explain explore export express extend facilitate feature fill film finance finish fire flood flow
    fluctuate follow form formulate found function gain generate govern graduate guard happen head heat help honor
    honour host house identify illustrate impede import improve include increase indicate induct influence inform
    inhabit inherit inhibit initiate injure inspire install interact intersect introduce invade invent invite
    involve ionize issue join kill label land last launch leave license lie limit link list live locate lower
    maintain manage manufacture map mark marry measure melt mention merge migrate mine mix modify modulate move
    murder name narrate need nominate note observe obtain occupy occur open operate oppose orbit order organise organize
    originate oscillate oversee own oxidize paint participate pass penetrate perform photograph place plan plant
    play portray pose possess power precede precipitate predict prefer premiere prepare present preserve preside
    presume prevail prevent print proclaim produce project promote propose protect prove provide publish pull
    purchase pursue push qualify quantify race radiate raise rank reach react realize receive recognise recognize
    record recycle reduce refer reflect refract regard regulate reign reject relate release relieve relocate remain
    remove rename render repair repeat replace replenish report represent require rescue resemble reside resign
    resolve respond restore restrict result retire return reveal revise rotate rule sail save scatter score scout
    screen separate serve settle shape share shift show sign simulate situate slow solidify span sponsor stabilize
    star start state stay stem stop store stretch study subdivide subduct submit substitute succeed suffer suggest
    supply support surround survive sustain target teach tilt tour trade train transfer transform translate
    transport trap travel treat trigger turn unite use value vaporize vary ventilate vibrate visit visualize voice
    vote want warm wash weaken widen witness work wound yield""".split()
)
"""Verbs that a fact is read from, but for those of `IRREGULAR`; a word that is often a noun is one behind a subject."""

IRREGULAR = {
    "bear": ("bore", "born"), "become": ("became", "become"), "begin": ("began", "begun"), "bring": ("brought",) * 2,
    "build": ("built",) * 2, "rebuild": ("rebuilt",) * 2, "buy": ("bought",) * 2, "choose": ("chose", "chosen"),
    "come": ("came", "come"),
    "cut": ("cut",) * 2, "draw": ("drew", "drawn"), "drive": ("drove", "driven"), "fall": ("fell", "fallen"),
    "fight": ("fought",) * 2, "find": ("found",) * 2, "fly": ("flew", "flown"), "give": ("gave", "given"),
    "grow": ("grew", "grown"), "hold": ("held",) * 2, "keep": ("kept",) * 2, "know": ("knew", "known"),
    "lead": ("led",) * 2, "lose": ("lost",) * 2, "make": ("made",) * 2, "meet": ("met",) * 2, "run": ("ran", "run"),
    "sell": ("sold",) * 2, "send": ("sent",) * 2, "set": ("set",) * 2, "sing": ("sang", "sung"),
    "speak": ("spoke", "spoken"), "spend": ("spent",) * 2, "split": ("split",) * 2, "stand": ("stood",) * 2,
    "take": ("took", "taken"), "teach": ("taught",) * 2, "tell": ("told",) * 2, "wear": ("wore", "worn"),
    "win": ("won",) * 2, "write": ("wrote", "written"), "leave": ("left",) * 2, "lie": ("lay", "lain"),
    "see": ("saw", "seen"), "rise": ("rose", "risen"), "weave": ("wove", "woven"), "put": ("put",) * 2,
    "lay": ("laid",) * 2, "light": ("lit",) * 2,
    "carve": ("carved", "carved"), "cast": ("cast",) * 2, "co-write": ("co-wrote", "co-written"),
    "break": ("broke", "broken"), "strike": ("struck",) * 2, "spread": ("spread",) * 2, "bend": ("bent",) * 2,
    "sink": ("sank", "sunk"), "shrink": ("shrank", "shrunk"), "ride": ("rode", "ridden"),
    "overlie": ("overlay", "overlain"), "underlie": ("underlay", "underlain"), "undergo": ("underwent", "undergone"),
}  # fmt: skip
DOUBLING = frozenset(("map", "plan", "stop", "star", "drop", "refer", "transfer", "commit", "submit", "stem", "control",
                      "travel", "label", "channel", "compel", "trap", "emit", "expel"))  # fmt: skip
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


def in_number(form: str, *, is_plural: bool) -> str:
    """Return a finite form as it stands behind a subject in the singular or the plural.

    >>> in_number("are", is_plural=False), in_number("drives", is_plural=True), in_number("drove", is_plural=True)
    ('is', 'drive', 'drove')
    """
    if is_plural:
        return PLURALS.get(form) or (lemma(form) if tense(form) == "third" else None) or form
    singular = next((one for one, several in PLURALS.items() if several == form), None)
    return singular or (third_person(form) if tense(form) == "plain" else form)


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
