"""What tells of lives: where a birth, a death, a burial, studies, a nationality or a trade is told, and asked for."""

from __future__ import annotations

import re

from retriever.answers.text.dates import MONTH
from retriever.answers.text.words import UPPER

PART = r"[^()]{0,80}\d{3,4}[^()]{0,80}?"
LIFE = re.compile(rf"\((?P<birth>{PART})\s[–—-]\s(?P<death>{PART})\)")
"""What is told of a birth, a dash, what is told of a death."""

BEGUN = re.compile(
    r"(?P<name>(?:(?!\b(?:is|was|were)\b)[^()\n|]){1,100})\((?!(?:r|fl|m)\.|reign|rul|active|married)"
    rf"(?P<birth>{PART})(?:\s?[–—]\s?|\s-\s|(?<=\d)-(?=\d{{3,4}}\b|\d\d? [{UPPER}]))(?P<death>{PART})\)"
)
"""Such a parenthesis behind the name with which a page begins. Elsewhere "1870–1931" may be years in an office."""

CALLED = re.compile(
    rf"[^()]*[;\"”»](?=[^()]*\d)|\s*(?:born|née?)\s+(?!(?:in|at|near|on)\b)[{UPPER}][^,;()\d]*,(?=[^()]*\d)"
)
"""What stands before where and when somebody was born: another name, in quotes, before a semicolon or behind "born"."""

ROWS = {
    "birth": re.compile(r"^(?:Born|Birth ?place|Place of birth)\s*\|([^\n]*)", re.I | re.M),
    "death": re.compile(r"^(?:Died|Death ?place|Place of death)\s*\|([^\n]*)", re.I | re.M),
    "study": re.compile(r"^(?:Alma mater|Education|Educated at|University|School)\s*\|([^\n]*)", re.I | re.M),
    "work": re.compile(r"^(?:Employers?|Workplaces?|Works? at|Institutions?)\s*\|([^\n]*)", re.I | re.M),
    "burial": re.compile(r"^(?:Resting place|Burial|Burial place|Buried)\s*\|([^\n]*)", re.I | re.M),
}
"""Rows that tell the place of a part of a life; DAYS are those that tell its day."""

DAYS = {
    "birth": re.compile(r"^(?:Born|Birth ?date|Date of birth)\s*\|[^\n]*", re.I | re.M),
    "death": re.compile(r"^(?:Died|Death ?date|Date of death)\s*\|[^\n]*", re.I | re.M),
}
DATED = re.compile(rf"(?:(?P<before>[^\d\n]*),\s*(?:{MONTH}\s*)?|[^\d\n]*)\d(?:[^\n]*\d)?(?P<behind>[^\d\n]*)")
"""A cell with a date: the place stands behind that, or before it and a comma."""

LARGE = re.compile(rf"\b(?!{MONTH}\b)[{UPPER}]\w+")
BEHIND = r"(?:(?!\b(?:but|buried|married|who|is|was|were)\b)[^.;\n()]){0,60}?\b"
PLACE = rf"(?:the\s+)?(?-i:(?=[{UPPER}])(?!{MONTH}\b))"
AT, DIED_AT = r"(?:in|at|near|from|of)\s+", r"(?:in|at|near)\s+(?-i:the\s+(?:[a-z]+\s+){1,2}of\s+)?"
"""What stands before a place. Somebody died "in the town of Kell", but neither "of" nor "from" that."""

ATTENDED = r"\b(?:attend(?:ed|ing)|alma mater(?:,| is| was))\s+"

GRAVE = (
    r"(?:in|at|near|beside|under|below)\s+(?:the\s+)?(?-i:(?:(?=[" + UPPER + rf"])(?!{MONTH}\b)"
    r"|(?=(?:[a-z-]+ )?(?:churchyard|cemetery|graveyard|crypt|vault|cathedral|chapel|abbey|church|mausoleum)\b)))"
)
"""The same of a grave, with where it is: a churchyard may have no name."""

EVENTS = tuple(
    (re.compile(rf"\b(?:{asks})\b", re.I), re.compile(rf"\b(?:{told})\b{BEHIND}{at}", re.I), part)
    for part, asks, told, at in (
        ("birth", "born|birth|birthplace", "born|native|came(?= from)|came into the world", AT + PLACE),
        ("death", "die|died|death|pass(?:ed)? away", "died|dying|passed away", DIED_AT + PLACE),
        ("burial", "buried|burial|grave", "buried|interred|lies|rests|laid to rest|grave (?:is|was)", GRAVE),
        ("study", "study|studied|graduate|graduated|educated|attend|attended",
         "studied|graduat(?:ed|ing)|educated|degree", rf"{AT}{PLACE}|{ATTENDED}{PLACE}"),
        ("work", r"work(?= at\b| for\b|\W*$)|worked(?= at\b| for\b)|employer|employed",
         "works?|worked|working|teaches|taught|teaching|lectur(?:es|ed|er)|professor(?:ship)?|faculty|fellow|employed"
         "|journalist|reporter|researcher|chair", rf"(?:at|for)\s+{PLACE}"),
    )
)  # fmt: skip
LIVED = (
    (re.compile(r"\b(?:born|birth|birthday)\b", re.I), re.compile(r"\b(?:born|came into the world)\b", re.I), "birth"),
    (re.compile(r"\b(?:die|died|death|pass(?:ed)? away)\b", re.I),
     re.compile(r"\b(?:died|dying|passed away)\b", re.I), "death"),
)
SAYS = {
    "birth": re.compile(r"\bborn\b|\bbirth|\bcame into the world\b|\bb\.|\b(?:bapti[sz]|christen)ed\b", re.I),
    "death": re.compile(
        r"\b(?:die[ds]?|dying|dead|deaths?|d\.|kill(?:ed)?|murder(?:ed)?|assassinat\w+|execut\w+|hanged|beheaded|shot"
        r"|drown(?:ed)?|perish(?:ed)?|suicide|passed away|succumb\w*|lost (?:at sea|his life|her life)|fell (?:in|at)"
        r"|funeral|buried|burial|obituary|outlived|survived by|until (?:his|her) death|late)\b", re.I),
}  # fmt: skip
"""What may tell in a sentence that a date or place in it is that of a birth or a death."""
SPAN = re.compile(r"(?:\d{1,2} \w{3,9} |\w{3,9} \d{1,2}, )?\d{3,4}\)?\s?[–—-]\s?(?:[^.;()]{0,40}?\b)?\d{3,4}\b")
"""From one date to another one."""

NATION = re.compile(r"\b(?:nationality|citizenship|(?:country|nation)\b.*\bfrom)\b", re.I)
TRADE = re.compile(
    r"\b(?:occupation|profession|job|trade|for a living)\b|^\W*what (?:do|does|did) (?:\S+ ){1,12}?do\W*$", re.I
)
FOR_WHAT = (
    (re.compile(r"\b(?:die|died) (?:of|from)\b|\bcause of death\b|\bhow did\b.*\bdie\b", re.I),
     re.compile(
        r"\b(?:died|dying)\b(?: \w+){0,2}? (?:of|from) (?:(?:an?|the) )?"
        r"|\bdied\b[^.;]{0,60}?(?:\d|\b[A-Z]\w*),? (?:of|from) (?:(?:an?|the) )?"
        r"(?=[a-z]|[A-Z][\w'’]+ (?:disease|syndrome))(?!age\b|his\b|her\b)"
        r"|\bsuffered from (?:an? form of )?(?=[a-z][^.;]{3,80}\band (?:\w+ )?died\b)"
        r"|\bdied\b[^.;]{0,80}?\bafter (?=[a-z]+ing\b)"
        r"|\b(?:caught|contracted|developed) (?:(?:an?|the) )?(?=[a-z][^.;]{3,80}\band (?:\w+ )?died\b)")),
    (re.compile(r"^\W*what(?: subject)? did\b.*\b(?:study|read)\b", re.I), re.compile(r"\b(?:studied|read) (?=[a-z])")),
)  # fmt: skip
"""What somebody died of, and what they studied."""

FROM = re.compile(
    rf"\b(?:is|was) an? [^.;()\n]{{0,80}}? from\s+{PLACE}|\b(?:home ?town|native (?:town|village|place))"
    rf"(?:,| of| is| was)? {PLACE}", re.I,
)  # fmt: skip
"""What a page says of somebody of whose birth it tells nothing: "is a painter from Kell", "his hometown Kell"."""

IS_A = re.compile(
    r"\b(?:is|was) (?:an?|the) (?:[a-z][\w-]* ){0,2}?"
    rf"(?:(?P<nation>[{UPPER}]\w*)(?:[- ]{{1,2}}(?:and )?[{UPPER}]\w*){{0,4}} )?(?P<trade>[a-z][\w-]+)"
)
"""What a page begins with about somebody: "is a retired Scottish painter"."""

APPOSED = re.compile(
    rf"(?:[ ][{UPPER}][\w-]*){{0,5}}(?: \([^()]{{0,80}}\))?, (?:an?|the) (?:(?P<nation>[{UPPER}][\w-]*) )?"
    r"(?P<trade>[a-z][\w-]*(?: [a-z][\w-]*){0,3})"
)
"""What stands behind a name: "Signe Orr, a botanist"."""

DESCRIBED = re.compile(
    rf"\b(?:an?|the) (?:(?P<nation>[{UPPER}][\w-]*) )?(?P<trade>[a-z][\w-]*(?: [a-z][\w-]*){{0,4}}),? $"
)
"""What stands before a name: "the Scottish painter "."""

CUT = re.compile(rf"['’]s\b| (?:of (?:the )?)?[{UPPER}]|(?<=\bSt)[.]? [{UPPER}]")
"""What goes on with a name that was cut."""

YEARS = (
    rf"(?: [{UPPER}][\w-]*){{0,5}}(?: of [{UPPER}]\w+)?"
    r" \((?P<birth>[^()–]{0,40}\d{3,4})\s?[–-]\s?(?P<death>[^()]{0,40}\d{3,4})\)"
)
"""Behind a name: "(1890–1968)"."""

WHERE = ("place", "country")
NARROW = re.compile(
    r"\b(?:which|what) (?:street|road|avenue|house|hospital|building|room|quarter|district|parish|county|province"
    r"|region|island|valley|camp|prison|castle|palace|abbey|monastery|cemetery)\b", re.I,
)  # fmt: skip
"""A question for more than, or less than, the town that a page tells."""
