"""Templates of running text: fixed signs, set-off arguments, languages, names of ships and countries."""

from __future__ import annotations

import re
from collections.abc import Callable

from builder.readers.wikitext.links import anchor_to
from builder.readers.wikitext.state import Call, Page
from builder.readers.wikitext.templates.parser_functions import VARIABLES

Rule = Callable[[Call, Page], str]


def names_of(text: str) -> list[str]:
    """Return the names that bars part."""
    return [" ".join(name.split()) for name in text.split("|")]


SIGNS = {
    "nbsp": " ", "space": " ", "spaces": " ", "thinsp": " ", "thin space": " ", "hair space": "", "hsp": "",
    "zwsp": "", "zwj": "", "zwnj": "", "shy": "", "wbr": "", "snd": " – ", "spnd": " – ",
    "spaced ndash": " – ", "snds": " – ", "spaced en dash": " – ", "spaced en dash space": " – ",
    "dash": " – ", "ndash": "–", "en dash": "–", "nsndns": "–", "mdash": "—", "em dash": "—", "mdashb": "—",
    "spaced mdash": " — ", "·": " · ", "dot": " · ", "middot": " · ", "•": " • ", "bull": " • ",
    "bullet": " • ", "pipe": "|", "'": "'", "\"'": "\"'", "'\"": "'\"", "' \"": "' \"", "'s": "'s",
    "(": "{", ")": "}", "((": "{{", "))": "}}", "[": "[", "]": "]", "lbrace": "{", "rbrace": "}",
    "\\": " / ", "-'": "'", "'-": "'", "ellipsis": "...", "...": "...", "minus": "−", "times": "×",
    "x": "×", "deg": "°", "prime": "′", "pprime": "″", "okina": "ʻ", "hamza": "ʾ", "ayin": "ʿ",
    "sharp": "♯", "flat": "♭", "natural": "♮", "male": "♂", "female": "♀", "dagger": "†",
    "double-dagger": "‡", "section-sign": "§", "asterisk": "*", "numero": "No.", "crlf": "<br>",
    "br": "<br>", "hr": "<hr>", "break": "<br>", "euro": "€", "infinity": "∞", "pi": "π", "gamma": "γ",
    "tick": "✓", "check mark": "✓", "cross": "✗",
}  # fmt: skip
CELLS = {
    "yes": "Yes", "no": "No", "won": "Won", "nom": "Nominated", "nominated": "Nominated", "n/a": "N/A",
    "na": "N/A", "tba": "TBA", "tbd": "TBD", "partial": "Partial", "maybe": "Maybe", "pending": "Pending",
    "unknown": "Unknown", "dunno": "?", "sho": "Shortlisted", "draw": "Draw", "optional": "Optional",
    "free": "Free", "any": "Any", "proprietary": "Proprietary", "included": "Included",
    "dropped": "Dropped", "ya": "Yes", "some": "Some", "planned": "Planned", "runner-up": "Runner-up",
    "active": "Active", "inactive": "Inactive", "depends": "Depends", "nonfree": "Non-free",
    "usually": "Usually", "rarely": "Rarely", "sometimes": "Sometimes", "terminated": "Terminated",
    "sold": "Sold", "in process": "In process", "cancelled": "Cancelled", "failure": "Failure",
    "cmain": "Main", "crecurring": "Recurring", "cguest": "Guest",
    "success": "Success", "table-experimental": "Experimental", "beta": "Beta", "scheduled": "Scheduled",
}  # fmt: skip
# Those that show an argument as it is: the first, the second, and none.
FIRST = names_of("""
    small|smaller|smallsup|big|bigger|large|larger|nowrap|nobr|nobreak|nowr|no wrap|nowraplinks|noitalic
    |no italic|nobold|no bold|normal|bold|italic|sc|smallcaps|small caps|sc1|sc2|smallcaps2|all caps
    |allcaps|strong|em|emphasis|abbr|abbrlink|tooltip|hover title|math|bigmath|mvar|var|texmath|music
    |center|left|right|align|longitem|resize|size|font|monospace|mono|code|kbd|key|codes|samp|tt|xt|mxt
    |!xt|vanchor|visible anchor|vis anchor|ipa|ipalink|ipa link|api|unicode|script|hebrew|script/hebrew
    |script/arabic|script/nastaliq|polytonic|grc|hbo|nastaliq|rtl-para|rtl-lang|lang-unknown|spell out
    |not a typo|notatypo|typo|proper name|native phrase|bdi|as written|citation needed span|cnspan
    |clarify span|dubious span|update span|strikethrough|strike|text|text highlight|background color
    |nihongo2|jpn|underline|double underline|u|overline|overbar|overarrow|vec|avoid wrap|avoid wrapping
    |short name|given name|page link|glossterm|gli|pslink|glossary link|noflip|block center|block left
    |stack|verse text|inline|line-height|big bold|screen reader-only|snamei|plain text|keyboard
    |key top|button|menu|prose|container|vr|char|tq|full name|flagu|fbu|flagathlete|flagmedalist|flagioc
    |nihongo foot|lower|upper|runic|hanja|hangul|cuneiform|linear-gradient|white-space|wbr text|fontcolor2
    |ruby|sans-serif|serif|shadow|raised|lowercase|uppercase
""")
SECOND = names_of("""
    lang|font color|fontcolor|font colour|color|colour|color box|colored text|colored link|text color
    |color sample|background colour|sort|native name|unichar|bg
""")
HIDDEN = names_of("""
    hs|hidden sort|sortkey|citation needed|rp|flagicon|flag icon|flagicon image|flagdeco|flagg|refn|efn
    |sfn|r|ref|note|notetag|steady|increase|decrease|increasenegative|decreasepositive|increaseneutral
    |decreaseneutral|profit|loss|gain|up|down|clear|-|fix|portal|coord|s|end|top|bottom|mid|col-begin
    |col-end|col-2|col-3|col-4|col-break|anchor|anchors|inflation|dtsh|ntsh|yes2|no2|legend2|flag country2
""")

LANGUAGES = dict(
    pair.split("=")
    for pair in """
    af=Afrikaans ang=Old~English ar=Arabic arc=Aramaic ast=Asturian az=Azerbaijani be=Belarusian
    bg=Bulgarian bn=Bengali bo=Tibetan br=Breton bs=Bosnian ca=Catalan cs=Czech cy=Welsh da=Danish
    de=German el=Greek en=English eo=Esperanto es=Spanish et=Estonian eu=Basque fa=Persian fi=Finnish
    fil=Filipino fr=French fy=West~Frisian ga=Irish gd=Scottish~Gaelic gl=Galician got=Gothic
    grc=Ancient~Greek gu=Gujarati haw=Hawaiian he=Hebrew hi=Hindi hr=Croatian hu=Hungarian hy=Armenian
    id=Indonesian is=Icelandic it=Italian ja=Japanese ka=Georgian kk=Kazakh km=Khmer kn=Kannada ko=Korean
    ku=Kurdish ky=Kyrgyz la=Latin lb=Luxembourgish lo=Lao lt=Lithuanian lv=Latvian mi=Māori mk=Macedonian
    ml=Malayalam mn=Mongolian mr=Marathi ms=Malay mt=Maltese my=Burmese nah=Nahuatl ne=Nepali nl=Dutch
    nn=Norwegian~Nynorsk no=Norwegian oc=Occitan pa=Punjabi pl=Polish ps=Pashto pt=Portuguese qu=Quechua
    rm=Romansh ro=Romanian ru=Russian sa=Sanskrit sco=Scots se=Northern~Sami sh=Serbo-Croatian si=Sinhala
    sk=Slovak sl=Slovene so=Somali sq=Albanian sr=Serbian sv=Swedish sw=Swahili syc=Syriac ta=Tamil
    te=Telugu tg=Tajik th=Thai tk=Turkmen tl=Tagalog tr=Turkish tt=Tatar ug=Uyghur uk=Ukrainian ur=Urdu
    uz=Uzbek vi=Vietnamese yi=Yiddish zh=Chinese zu=Zulu non=Old~Norse enm=Middle~English gsw=Swiss~German
    sux=Sumerian akk=Akkadian egy=Egyptian cop=Coptic hbo=Biblical~Hebrew am=Amharic xh=Xhosa
    """.split()
)
IPA_QUALIFIERS = frozenset("lang local pron us uk uklang also audio small alsouk alsous".split())
PRONUNCIATION = re.compile(r"ipa-([a-z]{2,3})(?:-.*)?$")
LANG = re.compile(r"lang-([a-z]{2,3})(?:-.*)?$")


def language_of(name: str) -> str | None:
    """Return the language code that a template of its own names (`lang-fr`, `ipa-de`)."""
    found = LANG.match(name)
    if found:
        return found[1]
    found = PRONUNCIATION.match(name)
    return "ipa-" + found[1] if found else None


def in_language(code: str, call: Call) -> str:
    """Return a word in another language behind the language's name."""
    text = call.get("1")
    if not text:
        return ""
    name = LANGUAGES.get(code.removeprefix("ipa-"), "").replace("~", " ")
    if code.startswith("ipa-"):
        shown = text if text[0] in "[/" else f"[{text}]"
        return f"{name} pronunciation: {shown}" if name and call.get("2") != "" else shown
    latin, meaning = call.get("translit", "2"), call.get("lit", "translation", "3")
    shown = ", ".join(
        [text, *([f"romanized: {latin}"] if latin else []), *([f"lit. '{meaning}'"] if meaning else [])]
    )
    return f"{name}: {shown}" if name and call.get("label") not in ("none", "no") else shown


def _lang_x(call: Call, page: Page) -> str:
    return in_language(call.get("1").partition("-")[0].lower(), call._replace(positional=call.positional[1:]))


def _last(call: Call, page: Page) -> str:
    return call.positional[-1] if call.positional else call.get("text")


def _lang(call: Call, page: Page) -> str:
    return call.get("2", "text")


def _ipac(call: Call, page: Page) -> str:
    sounds = [value.strip() for value in call.positional if value.strip().lower() not in IPA_QUALIFIERS]
    sounds = [value for value in sounds if not value.lower().endswith((".ogg", ".oga", ".wav"))]
    return f"/{''.join(sounds)}/" if sounds else ""


def _respell(call: Call, page: Page) -> str:
    return (
        "-".join(value.strip() for value in call.positional if value.strip())
        .replace("-'-", "'")
        .replace("-_-", " ")
    )


def _nihongo(call: Call, page: Page) -> str:
    english, native, latin, extra = (call.get(str(number)) for number in range(1, 5))
    if not english:
        english, latin = latin, ""
    inner = ", ".join(part for part in (native, latin, extra) if part)
    return f"{english} ({inner})" if inner else english


def _chinese(call: Call, page: Page) -> str:
    labels = (
        ("c", "Chinese"), ("s", "simplified Chinese"), ("t", "traditional Chinese"), ("p", "pinyin"),
        ("w", "Wade–Giles"), ("j", "Jyutping"), ("y", "Cantonese Yale"), ("poj", "Pe̍h-ōe-jī"),
    )  # fmt: skip
    given = [f"{label}: {call.named[key]}" for key, label in labels if call.named.get(key)]
    literal = call.named.get("l")
    return "; ".join([*given, *([f"lit. '{literal}'"] if literal else [])]) or call.get("1")


def _link_elsewhere(call: Call, page: Page) -> str:
    target = call.get("1")
    return anchor_to(target, call.get("lt", "display") or target, page) if target else ""


def _flag(call: Call, page: Page) -> str:
    name = call.get("name") or call.get("1")
    return name if "<a " in name or not name else anchor_to(name, name, page)


def _ship(prefix: str) -> Rule:
    def ship(call: Call, page: Page) -> str:
        parts = [prefix, *call.positional] if prefix else call.positional
        words = [part.strip() for part in parts]
        if len(words) < 2:
            return words[0] if words else ""
        name, number = " ".join(words[:2]).strip(), words[2] if len(words) > 2 else ""
        full = f"{name} ({number})" if number else name
        hides = (words[3:4] or [call.get("up")])[0] in ("2", "6")
        return anchor_to(full, name if hides else full, page)

    return ship


def _sortname(call: Call, page: Page) -> str:
    first, last, target = call.get("1"), call.get("2"), call.get("3")
    name = f"{first} {last}".strip()
    return name if call.get("nolink") else anchor_to(target or name, name, page)


def _bible(call: Call, page: Page) -> str:
    return " ".join(value.strip() for value in call.positional[:3] if value.strip())


def _cell(word: str) -> Rule:
    return lambda call, page: call.get("1") or word


def _sign(text: str) -> Rule:
    return lambda call, page: text


def _url(call: Call, page: Page) -> str:
    return call.get("2") or re.sub(r"^https?://", "", call.get("1")).rstrip("/")


def _joined(separator: str) -> Rule:
    return lambda call, page: separator.join(value.strip() for value in call.positional if value.strip())


def _argument(position: int) -> Rule:
    return lambda call, page: call.get(str(position), "text", "content")


def _wrapped(before: str, after: str) -> Rule:
    return lambda call, page: f"{before}{call.get('1')}{after}" if call.get("1") else ""


SHIPS = (
    "uss hms ss mv ms rms hmcs hmas hmnzs ins usns uscgc jds rfa hmt mt my st sy sms hnoms orp usat".split()
)

RULES: dict[str, Rule] = {
    **VARIABLES,
    **{name: _argument(1) for name in FIRST},
    **{name: _argument(2) for name in SECOND},
    **{name: _sign("") for name in HIDDEN},
    **{name: _sign(text) for name, text in SIGNS.items()},
    **{name: _cell(word) for name, word in CELLS.items()},
    **{name: _ship(name.upper()) for name in SHIPS},
    "née": _wrapped("née ", ""), "nee": _wrapped("née ", ""), "né": _wrapped("né ", ""),
    "based on": _joined(" by "), "ipaslink": _wrapped("/", "/"), "endash": _sign("–"), "emdash": _sign("—"),
    "ship": _ship(""), "lang": _lang, "transl": _last, "transliteration": _last, "script": _last,
    "langx": _lang_x, "lang-x": _lang_x, "ipac-en": _ipac, "respell": _respell,
    "pronunciation respelling": _respell, "nihongo": _nihongo, "nihongo3": _nihongo, "zh": _chinese,
    "ill": _link_elsewhere, "interlanguage link": _link_elsewhere, "link-interwiki": _link_elsewhere,
    "flag": _flag, "flagcountry": _flag, "fb": _flag, "sortname": _sortname, "url": _url, "url2": _url,
    "linktext": _joined(" "), "keypress": _joined("+"), "key press": _joined("+"),
    "angbr": _wrapped("⟨", "⟩"), "angbr ipa": _wrapped("⟨", "⟩"), "gloss": _wrapped("'", "'"),
    "lit": _wrapped("lit. '", "'"), "literal translation": _wrapped("lit. '", "'"),
    "brackets": _wrapped("[", "]"), "bracket": _wrapped("[", "]"), "sup": _wrapped("<sup>", "</sup>"),
    "sub": _wrapped("<sub>", "</sub>"), "angle bracket": _wrapped("⟨", "⟩"),
    "wikt-lang": lambda call, page: call.get("3", "2"), "see below": _wrapped("(see below)", ""),
    "sic": lambda call, page: "".join(call.positional[:2]) if call.get("hide") else call.get("1") + " [sic]",
    "isbn": _wrapped("ISBN ", ""), "bibleverse": _bible, "bibleref2": _bible, "nihongo4": _nihongo,
    "nihongo krt": _nihongo,
}  # fmt: skip
