"""Templates of running text: fixed signs, set-off arguments, languages, names of ships and countries."""

from __future__ import annotations

import re

from builder.readers.wikitext.links import anchor_to
from builder.readers.wikitext.state import Call, Page, Rule
from builder.readers.wikitext.templates.tables import by_name
from weft.text.names import title_of

LANGUAGES = by_name("languages")
QUALIFIERS = by_name("words", "before sounds")
SOUND_FILES = (".ogg", ".oga", ".wav")
# `lang-fr`, `ipa-de-local`: templates that name a language by its code.
LANGUAGE = re.compile(r"(lang|ipa)-([a-z]{2,3})(?:-.*)?$")
CHINESE = by_name("words", "in Chinese")
# `{1,text}` or `{1,text?(…)}`: the first of these arguments that is given, within these words.
HOLE = re.compile(r"\{([^{}?]+)\??([^{}]*)\}")


def language_template(call: Call) -> str | None:
    """Return what a template named by a language's code shows; None for other names."""
    found = LANGUAGE.match(call.name)
    return in_language(found[2], call, spoken=found[1] == "ipa") if found else None


def in_language(code: str, call: Call, *, spoken: bool = False) -> str:
    """Return a word in another language, or its sounds, behind the language's name."""
    text, name = call.get("1"), LANGUAGES.get(code, "")
    if not text:
        return ""
    if spoken:
        shown = text if text[0] in "[/" else f"[{text}]"
        return f"{name} pronunciation: {shown}" if name and call.get("2") != "" else shown
    latin, meaning = call.get("translit", "2"), call.get("lit", "translation", "3")
    shown = ", ".join([text, *[f"romanized: {latin}"] * bool(latin), *[f"lit. '{meaning}'"] * bool(meaning)])
    return f"{name}: {shown}" if name and call.get("label") not in ("none", "no") else shown


def given(call: Call) -> list[str]:
    """Return the arguments without a name that are not empty, trimmed."""
    return [value.strip() for value in call.positional if value.strip()]


def _text(call: Call, page: Page, text: str) -> str:
    return text


def _pattern(call: Call, page: Page, pattern: str) -> str:
    """Fill the holes of a pattern with the arguments that they name."""

    def filled(hole: re.Match[str]) -> str:
        text = call.get(*hole[1].split(","))
        return hole[2].replace("…", text) if hole[2] and text else text

    return HOLE.sub(filled, pattern).strip()


def _last(call: Call, page: Page, value: str) -> str:
    return call.positional[-1] if call.positional else call.get("text")


def _cell(call: Call, page: Page, word: str) -> str:
    return call.get("1") or word


def _joined(call: Call, page: Page, separator: str) -> str:
    return separator.join(given(call))


def _years(call: Call, page: Page, frame: str) -> str:
    """Show one or two years, with the words of a frame before and between them."""
    before, between, _ = frame.split("…")
    return (before + between.join(given(call)[:2])).strip()


def _title(call: Call, page: Page, part: str) -> str:
    if part == "first":
        return title_of(page.title.partition(" (")[0])
    return page.title.rpartition("/")[2] if part == "last" else page.title


def _page_date(call: Call, page: Page, part: str) -> str:
    return page.date[slice(*map(int, part.split()))]


def _ship(call: Call, page: Page, value: str) -> str:
    """Link `{{USS|Rose|CV-6}}` to `USS Rose (CV-6)`."""
    words = [word.strip() for word in ([call.name.upper()] if call.name != "ship" else []) + call.positional]
    if len(words) < 2:
        return "".join(words)
    name, number = " ".join(words[:2]).strip(), words[2] if len(words) > 2 else ""
    full = f"{name} ({number})" if number else name
    hides = (words[3:4] or [call.get("up")])[0] in ("2", "6")
    return anchor_to(full, name if hides else full, page)


def _language(call: Call, page: Page, value: str) -> str:
    return in_language(call.get("1").partition("-")[0].lower(), call._replace(positional=call.positional[1:]))


def _sounds(call: Call, page: Page, value: str) -> str:
    sounds = [sound for sound in given(call) if sound.lower() not in QUALIFIERS]
    sounds = [sound for sound in sounds if not sound.lower().endswith(SOUND_FILES)]
    return f"/{''.join(sounds)}/" if sounds else ""


def _respelling(call: Call, page: Page, value: str) -> str:
    return "-".join(given(call)).replace("-'-", "'").replace("-_-", " ")


def _nihongo(call: Call, page: Page, value: str) -> str:
    english, native, latin, extra = (call.get(str(number)) for number in range(1, 5))
    if not english:
        english, latin = latin, ""
    inner = ", ".join(part for part in (native, latin, extra) if part)
    return f"{english} ({inner})" if inner else english


def _chinese(call: Call, page: Page, value: str) -> str:
    shown = [f"{label}: {call.named[key]}" for key, label in CHINESE.items() if call.named.get(key)]
    return "; ".join([*shown, *[f"lit. '{call.get('l')}'"] * bool(call.get("l"))]) or call.get("1")


def _link(call: Call, page: Page, value: str) -> str:
    target = call.get("1")
    return anchor_to(target, call.get("lt", "display") or target, page) if target else ""


def _flag(call: Call, page: Page, value: str) -> str:
    name = call.get("name") or call.get("1")
    return name if "<a " in name or not name else anchor_to(name, name, page)


def country(call: Call, page: Page, title: str) -> str:
    """Show a country's flag, which is its linked name: `{{FRA}}`."""
    return anchor_to(title, title.partition(" (")[0], page)


def _sorted_name(call: Call, page: Page, value: str) -> str:
    name = f"{call.get('1')} {call.get('2')}".strip()
    return name if call.get("nolink") else anchor_to(call.get("3") or name, name, page)


def _address(call: Call, page: Page, value: str) -> str:
    return call.get("2") or re.sub(r"^https?://", "", call.get("1")).rstrip("/")


def _sic(call: Call, page: Page, value: str) -> str:
    return "".join(call.positional[:2]) if call.get("hide") else call.get("1") + " [sic]"


RULES: dict[str, Rule] = {
    "text": _text, "pattern": _pattern, "last": _last, "cell": _cell, "joined": _joined, "years": _years,
    "title": _title, "page date": _page_date, "ship": _ship, "language": _language, "sounds": _sounds,
    "respelling": _respelling, "nihongo": _nihongo, "chinese": _chinese, "link": _link, "flag": _flag,
    "sorted name": _sorted_name, "address": _address, "sic": _sic,
}  # fmt: skip
