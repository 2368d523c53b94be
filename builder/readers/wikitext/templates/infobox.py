"""Infoboxes: a row a parameter, labelled as the tables say or by the parameter's own name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from builder.readers.wikitext.links import TAGS
from builder.readers.wikitext.state import Call, Page, Rule
from builder.readers.wikitext.templates.measures import grouped
from builder.readers.wikitext.templates.tables import by_name

DIGITS = re.compile(r"\d+")
BARE_NUMBER = re.compile(r"[\d.,]+")
WORDLESS = re.compile(r"[\W_]*")
BOX = '<table class="infobox">'
JOINED = by_name("infobox", "joined")
"""The rows that gather several parameters; of other rows the first one is shown, and the rest each by itself."""
LABELS = by_name("infobox", "label") | JOINED
# The parameter that names the row of another, both with the same number.
PAIRS = by_name("infobox", "labelled by")
UNITS = by_name("infobox", "unit")
NAMES = by_name("infobox", "name")
SILENT = by_name("infobox", "hidden")
SILENT_ENDINGS = tuple(f" {name}" for name in by_name("infobox", "hidden ending"))
COUNTED = tuple(by_name("infobox", "counted"))
LABELLING = frozenset((*PAIRS.values(), "term end"))
# An image's file, or a switch of the layout.
NO_VALUE = re.compile(
    r"[^\n<>]{1,200}\.(?:jpe?g|png|svg|gif|tiff?|ogg|oga|ogv|webm|djvu|pdf|xcf|webp)"
    r"|\d*(?:x\d+)?px|(?:yes|no|y|n)",
    re.I,
)
CAPTION = re.compile(
    r"(?:.*[ _])?caption\d*$|image[ _]?text$|légende$|pie[ _]de[ _]imagen$|bildtext$|подпись$|legenda$"
)


def show(call: Call, page: Page, value: str) -> str:
    """Return an infobox as a table: its name, its captions, then a row a parameter."""
    rows = [f'<tr><th colspan="2">{_name_of(call, page)}</th></tr>'] if _is_whole(call) else []
    values = {_key(key): value for key, value in call.named.items() if value}
    rows += [f'<tr><td colspan="2">{value}</td></tr>' for key, value in values.items() if CAPTION.match(key)]
    for label, value in _rows(values):
        # An infobox within a value goes on with rows of its own.
        value, inner, rest = value.partition(BOX)
        if label and TAGS.sub("", value).strip():
            rows.append(f"<tr><th>{label}</th><td>\n{value}\n</td></tr>")
        elif value.strip():
            rows.append(f'<tr><th colspan="2">{value}</th></tr>')
        if inner:
            rows.append(f'<tr><td colspan="2">{inner}{rest}</td></tr>')
    return f"\n{BOX}{''.join(rows)}</table>\n"


def _is_whole(call: Call) -> bool:
    return call.get("embed", "child", "subbox").lower() not in ("yes", "y", "1", "true")


def _key(key: str) -> str:
    return " ".join(key.lower().replace("_", " ").replace("-", " ").split())


def _name_of(call: Call, page: Page) -> str:
    for key in NAMES:
        name = call.get(key) or call.get(key.replace(" ", "_"))
        if name and "\n" not in name:
            return name
    return page.title.partition(" (")[0]


def _rows(values: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield labels and values; what one row shows is joined, and values with labels of their own get them."""
    numbered = {_parted(key): value for key, value in values.items()}
    done: set[str] = set()
    for key, value in values.items():
        stem, number = _parted(key)
        if BOX in value and _is_silent(key, stem):
            yield "", value[value.index(BOX) :]
            continue
        if key in done or _is_silent(key, stem) or _is_empty(value):
            continue
        if stem in PAIRS:
            label = TAGS.sub("", numbered.get((PAIRS[stem], number), "")).partition("\n")[0].strip()
            yield label or ("" if stem == "data" else readable(stem)), value
        elif stem == "header":
            yield "", value
        elif stem == "term start":
            end = numbered.get(("term end", number), "")
            yield "Term", f"{value} – {end}" if end else value
        else:
            label = LABELS.get(key) or LABELS.get(stem) or readable(stem)
            same = [other for other in values if JOINED.get(other) == label] if key in JOINED else [key]
            done.update(same)
            yield label, _with_unit(key, [value, *(values[other] for other in same if other != key)])


def _is_empty(value: str) -> bool:
    return bool(NO_VALUE.fullmatch(value) or WORDLESS.fullmatch(TAGS.sub("", value)))


def _is_silent(key: str, stem: str) -> bool:
    return (
        stem in SILENT
        or key in SILENT
        or stem in NAMES
        or (stem in LABELLING and key != "label")
        or (key not in LABELS and key.endswith(SILENT_ENDINGS))
        or bool(CAPTION.match(key))
    )


def _with_unit(key: str, values: list[str]) -> str:
    if len(values) > 1 or not BARE_NUMBER.fullmatch(values[0]):
        return "<br>\n".join(values)
    unit = next((symbol for suffix, symbol in UNITS.items() if key.endswith(" " + suffix)), "")
    number = grouped(values[0]) if unit or (key.startswith(COUNTED) and len(values[0]) > 4) else values[0]
    return f"{number} {unit}" if unit else number


def _parted(key: str) -> tuple[str, str]:
    """Part a parameter's name into words and number: `blank1 name` is the `blank name` of number 1."""
    number = "".join(DIGITS.findall(key))
    return (" ".join(DIGITS.sub(" ", key).split()), number) if number else (key, "")


def readable(key: str) -> str:
    """Return a parameter's name as a label: `area total km2` as `Area total`."""
    for suffix in UNITS:
        key = key.removesuffix(" " + suffix)
    return key[:1].upper() + key[1:]


RULES: dict[str, Rule] = {"infobox": show}
