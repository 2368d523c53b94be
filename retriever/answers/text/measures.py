"""Measures: what a question asks to be measured in, and what the unit of a number measures.

>>> sorted(measures_asked("How tall is the light?")), sorted(measures_of("2.6 tonnes"))
(['length'], ['mass'])
>>> sorted(measures_asked("how many islands are there?")), sorted(measures_of("seven islands"))
(['count'], ['count'])
"""

from __future__ import annotations

import re
from collections.abc import Set
from itertools import dropwhile

from retriever.answers.text.lexicon.adjectives import GRADED, OF_QUALITY

UNITS = {
    "length": "m km cm mm metre meter kilometre kilometer centimetre millimetre centimeter millimeter mile foot feet ft"
    " inch inches yard yd league fathom mi nm nautical light-year",
    "time": "year month week day night hour minute second decade century centuries s ms sec min h hr",
    "mass": "kg g tonne ton gram gramme kilogram kilogramme pound lb ounce oz stone mg",
    "speed": "km/h mph m/s kph knot kn",
    "money": "dollar euro pound cent crown franc yen mark rupee peso rouble ruble shilling penny pence p usd eur gbp"
    " florin guilder guinea thaler krone kroner kronor zloty",
    "temperature": "degree °c °f k kelvin celsius fahrenheit",
    "area": "hectare acre ha square km² m² mi² sq",
    "volume": "litre liter gallon cubic barrel m³ ml",
    "share": "percent % per",
    "frequency": "time daily weekly monthly yearly annually",
    "energy": "watt kw mw gw kwh mwh gwh kilowatt megawatt gigawatt volt joule kilojoule hz hertz khz mhz ghz",
}  # fmt: skip
BY_UNIT: dict[str, set[str]] = {}
for _measure, _units in UNITS.items():
    for _unit in _units.split():
        BY_UNIT.setdefault(_unit, set()).add(_measure)

HOW = {
    "tall": "length", "high": "length temperature", "deep": "length", "wide": "length", "thick": "length",
    "far": "length", "distant": "length", "long": "length time", "old": "time", "fast": "speed", "heavy": "mass",
    "hot": "temperature", "cold": "temperature", "warm": "temperature",
    "big": "area length volume mass money share energy",
    "large": "area length volume mass money share energy", "often": "frequency share",
    "quickly": "time speed", "soon": "time",
    "much": "money mass volume share area length energy", "many": "count",
}  # fmt: skip
NOUNS = {
    "distance": "length", "length": "length", "height": "length", "depth": "length", "width": "length",
    "diameter": "length", "radius": "length", "circumference": "length", "elevation": "length", "altitude": "length",
    "wingspan": "length", "span": "length", "thickness": "length", "speed": "speed", "velocity": "speed",
    "weight": "mass", "mass": "mass", "temperature": "temperature", "population": "count", "number": "count",
    "percentage": "share", "percent": "share", "share": "share", "proportion": "share", "ratio": "share",
    "fraction": "share", "price": "money", "cost": "money", "salary": "money", "revenue": "money", "income": "money",
    "budget": "money", "wage": "money", "fee": "money", "turnover": "money", "profit": "money",
    "fare": "money", "rent": "money", "surcharge": "money", "takings": "money", "proceeds": "money",
    "surplus": "money", "deficit": "money", "amount": HOW["much"],
    "area": "area", "volume": "volume", "capacity": "volume count",
    "age": "time", "duration": "time", "frequency": "frequency energy",
}  # fmt: skip
HOW_WORD = re.compile(r"\bhow\s+([a-z]+)(?:\s+([a-z-]+))?", re.I)
NONE: frozenset[str] = frozenset()
PAID = re.compile(r"\b(?:costs?|pays?|paying|paid|earn(?:s|ed)?|charged?|spen[dt]|sells? for|sold for|worth)\b")
COST = re.compile(r"\bwhat (?:did|does|do|will|would) [^?]*\bcosts?\b(?! (?:him|her|them|us|me)\b)", re.I)
WEIGHS = re.compile(r"\bweigh(?:s|ed)?\b")
PRICE = re.compile(
    r"\bhow much (?:is|are|was|were) (?:(?:an?|the|one|it|they) )?"
    r"(?!.*\b(?:left|needed|known|used|made|produced|lost|grown)\b)", re.I,
)  # fmt: skip
"""What asks for a price without saying so: "How much is a bag?"."""

SPELLINGS = tuple(
    frozenset(units.split())
    for units in (
        "km kilometre kilometer", "m metre meter", "cm centimetre centimeter", "mm millimetre millimeter", "mi mile",
        "ft foot feet", "inch inches", "yd yard", "kg kilogram kilogramme", "g gram gramme", "lb lbs pound",
        "t tonne", "ton", "second sec s", "minute min", "hour hr h", "day", "week", "month", "year yr",
        "century centuries", "hectare ha", "acre", "litre liter", "gallon", "celsius °c", "fahrenheit °f", "kelvin k",
        "km/h kph", "mph", "m/s", "mw megawatt", "kw kilowatt",
    )
)  # fmt: skip
"""How a unit may be spelt."""

IN_UNIT = re.compile(r"\bin (?:degrees )?([a-z]+(?:/[a-z])?)\W*$|\bhow many ([a-z]+)\b|\b([a-z]+) per hour\W*$", re.I)
FALLS = "length volume mass money share"
VERBS = frozenset("did does do is was are were has have had will would can could must may should".split())
"""Words behind "how much" where no noun says of what."""

SUBJECTS = frozenset("the a an it they this that these those one my your his her its our their".split())
"""Words with which the subject of "how much the club costs" begins."""

LASTING = frozenset("notice warning time leave holiday sleep rest practice".split())
FALLING = frozenset("rain rainfall snow snowfall precipitation".split())
COMPARED = re.compile(
    rf"more|less|fewer|better|worse|(?:{GRADED}|{OF_QUALITY})er", re.I
)
LASTS = re.compile(
    r"\bhow long\s+(?:ago|after|before|until|till|(?:did|do|does|has|have|had|will|would|can|could|may|must|should)\b"
    r"(?!.*\b(?:measure|extend|stretch|reach|span|grow))|for (?:[^?]{1,60} )?to\b)", re.I)  # fmt: skip
"""How something lasts: what does something for long is no length, unless it extends so far."""
WITHIN = re.compile(r"\b(?:within|in|for|during) (?:what|which|how much) (?:length of )?time\b", re.I)
TAKEN = re.compile(
    r"\btime (?:(?:that )?(?:it|they|one|is|was) )?(?:takes?|took|taken|needs?|needed|required|elapsed|passe[sd])\b"
    r"(?! place)|\b(?:how much|amount of|length of) time\b", re.I)  # fmt: skip
"""How long something takes, asked without "how long": no point in time."""

EXTENT = re.compile(
    r"\b(?:surface|land|floor|total|drainage|catchment) area\b|\bwhat(?:'s| is| was) the area of\b", re.I
)
"""An area that is measured, and none that is a place."""

PERCENT = re.compile(r"\bper ?cent(?:age)?s?\b|%", re.I)
"""What asks for a percentage, and what tells one."""

POINT = re.compile(r"\b(?:melting|boiling|freezing) point\b", re.I)
ASKED = re.compile(r"\b(?:what|which)\b(?:'s)?((?:\s+[\w'-]+){0,5})", re.I)
DOES = frozenset("do does did will would".split())
BEFORE_NOUN = frozenset("is was are were the a an its".split())
BEHIND_NUMBER = re.compile(r"light-years?|[^\W\d_]+(?:[/²³][^\W\d_]*)?|[%°]\s?[CF]?\b|[%°]")
NEXT = re.compile(r"\s?(?:%|°\s?[CF]?\b)|[ -](?:light-years?|[^\W\d_]+(?:[/²³][^\W\d_]*)?)")
AN = re.compile(r"\b(?:an?|per|each|every) (?:second|minute|hour)\b", re.I)
DIMENSIONS = {
    word: name
    for name, words in {
        "height": "high tall height elevation altitude", "depth": "deep depth", "width": "wide width across diameter",
        "length": "long length", "thickness": "thick thickness", "way": "far away distant distance off",
        "age": "old age ago",
    }.items()
    for word in words.split()
}  # fmt: skip
UPRIGHT = frozenset(("height", "depth"))
"""Dimensions told in metres, and in kilometres only of what is very high or deep."""

BEFORE = 40
TOLD_WITHIN = re.compile(r"[ ](high|tall|deep|wide|across|long|thick|away|old|ago)$", re.I)
TOLD_BEHIND = re.compile(
    r"(?:[ ]\([^()]{1,30}\))?[ -](?:in )?(high|tall|deep|wide|across|long|thick|away|off|old|ago|height|depth|width"
    r"|diameter|length|thickness|distance)\b", re.I)  # fmt: skip
TOLD_BEFORE = re.compile(
    r"\b(height|elevation|altitude|depth|width|diameter|length|thickness|distance|age)(?:[ ](?:of|is|was|[|])|[ ]?:)"
    r"[^.;,\d]{0,16}$", re.I)  # fmt: skip
SIZE = re.compile(
    r"(?:\b|\d)(?:c?m|mm|ft|met(?:re|er)s?|feet|foot|centimet(?:re|er)s?|inch(?:es)?|yards?)\b(?![²³/])", re.I
)
WAY = re.compile(r"(?:\b|\d)(?:km|mi|nmi?|kilomet(?:re|er)s?|miles?|leagues?|nautical|light-years?)\b(?![²³/])", re.I)
EVERY = re.compile(r"\b(?:every|once|twice|each)\b|\btimes\b", re.I)
SHARE = re.compile(r"%|\bper ?cent\b|\b(?:in|to|of|out of) (?:\w+)$|\b(?:half|third|quarter|fifth|tenth)s?\b", re.I)


def measures_asked(question: str) -> frozenset[str]:
    """Return what a question asks for as a number: names of `UNITS` and "count"; none where it asks for no number.

    Several where the word leaves it open: "how long is it" may ask for a length or a time, "how long did it take" not.
    """
    if LASTS.search(question) or TAKEN.search(question):
        return frozenset(("time",))
    if how := HOW_WORD.search(question):
        return _measures_of_how(how[1].lower(), (how[2] or "").lower(), question)
    if WITHIN.search(question):
        return frozenset(("time",))
    if POINT.search(question):
        return frozenset(("temperature",))
    if EXTENT.search(question):
        return frozenset(("area",))
    if COST.search(question):
        return frozenset(("money",))
    asked = [found[1] for found in ASKED.finditer(question)] or [question]
    for text in asked:
        words = [*dropwhile(BEFORE_NOUN.__contains__, text.lower().split())]
        if words and words[0] in DOES:
            # "What does the fee include?" asks for no amount.
            continue
        measured = next((NOUNS[word] for word in words[:3] if word in NOUNS), None)
        if measured is not None:
            return frozenset(measured.split())
    return frozenset()


def _measures_of_how(word: str, following: str, question: str) -> frozenset[str]:
    if word == "many" and is_unit(following):
        return frozenset(BY_UNIT.get(following) or BY_UNIT[following.removesuffix("s")])
    if word == "much" and COMPARED.fullmatch(following):
        return frozenset()
    if word == "much" and following == "money":
        return frozenset(("money",))
    if word == "much" and following in LASTING:
        return frozenset(("time",))
    is_paid = PAID.search(question) is not None or PRICE.search(question) is not None
    if word == "much" and following in VERBS | SUBJECTS and is_paid != (WEIGHS.search(question) is not None):
        return frozenset(("money" if is_paid else "mass",))
    return frozenset((FALLS if word == "much" and following in FALLING else HOW.get(word, "")).split())


def measures_behind(text: str, end: int) -> frozenset[str]:
    """Return what the word or sign right behind a number makes it measure; `count` where it is no unit."""
    found = NEXT.match(text, end)
    return measures_of("1" + found[0]) if found else frozenset()


def dimension_asked(question: str) -> str:
    """Return which dimension a question asks for, "" where it says none: a height, a depth, a width, an age."""
    if LASTS.search(question):
        return ""
    if how := HOW_WORD.search(question):
        return DIMENSIONS.get(how[1].lower(), "")
    words = (word for found in ASKED.finditer(question) for word in found[1].lower().split()[:3])
    return next((DIMENSIONS[word] for word in words if word in DIMENSIONS), "")


def dimension_told(text: str, start: int, end: int) -> str:
    """Return the dimension that the words of a number, behind or before it, say that it is; "" where none does."""
    found = TOLD_BEHIND.match(text, end) or TOLD_WITHIN.search(text, start, end)
    found = found or TOLD_BEFORE.search(text, max(0, start - BEFORE), start)
    return DIMENSIONS[found[1].lower()] if found else ""


def without_dimension(text: str) -> str:
    """Return a size without the adjective of its dimension, which a question for that says already.

    >>> without_dimension("72 metres high"), without_dimension("ten years ago")
    ('72 metres', 'ten years ago')
    """
    told = TOLD_WITHIN.search(text)
    return text if told is None or told[1].lower() in ("ago", "away") else text[: told.start()]


def units_asked(question: str) -> frozenset[str]:
    """Return the spellings of the unit that a question asks for: "in km", "how many miles"; none where it names none.

    >>> sorted(units_asked("What is its length in miles?")), sorted(units_asked("How old was she in May?"))
    (['mi', 'mile'], [])
    """
    words = (next(filter(None, found.groups()), "").lower() for found in IN_UNIT.finditer(question))
    forms = ((word, word.removesuffix("s")) for word in words)
    return next((own for each in forms for own in SPELLINGS if not own.isdisjoint(each)), NONE)


def has_unit(text: str, units: Set[str]) -> bool:
    """Tell whether a number has one of some units."""
    return any(word in units or word.removesuffix("s") in units for word in map(str.lower, BEHIND_NUMBER.findall(text)))


def is_way(text: str) -> bool:
    """Tell whether the unit of a length is one of ways: kilometres, miles."""
    return WAY.search(text) is not None


def is_size(text: str) -> bool:
    """Tell whether a text has a length in a unit of things: metres, feet and smaller ones."""
    return SIZE.search(text) is not None


def measures_of(text: str) -> frozenset[str]:
    """Return what a number with what stands behind it measures; `count` where its words are no unit, none for a bare
    number.
    """
    words = [word.lower() for word in BEHIND_NUMBER.findall(text)]
    found = {measure for word in words for measure in BY_UNIT.get(word, BY_UNIT.get(word.removesuffix("s"), ()))}
    if any(sign in text for sign in "$£€"):
        found = found - {"length"} | {"money"}
    if "length" in found and AN.search(text):
        found = {"speed"}
    if EVERY.search(text):
        found = found - {"time"} | {"frequency"}
    if SHARE.search(text):
        found.add("share")
    if not found and words and not (set(words) <= NUMERALS):
        found.add("count")
    return frozenset(found)


def is_unit(word: str) -> bool:
    """Tell whether a word, in lower case, is a unit of measure or its plural."""
    return word in BY_UNIT or word.removesuffix("s") in BY_UNIT


NUMERALS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion
    dozen half and""".split()
)
