"""Infoboxes: a row a parameter, labelled as the tables say or by the parameter's own name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from builder.readers.wikitext.links import TAGS
from builder.readers.wikitext.state import Call, Page
from builder.readers.wikitext.templates.measures import grouped
from builder.readers.wikitext.templates.tables import rows

INFOBOX = re.compile(
    r"(?:(?:infobox|infotaula|faktamall|ficha de|ficha|ficha d|info/|taxobox|geobox|chembox|automatic taxobox"
    r"|speciesbox|subspeciesbox|hybridbox|virusbox|starbox|planetbox|карточка|картка|bilgi kutusu|инфобокс|kutija"
    r"|elementbox|基礎情報)\b|.* (?:infobox|infobox/\w+|карточка)$)"
)
NO_INFOBOX = re.compile(r"infobox (?:mapframe|requested|end|footer)|.*/(?:doc|sandbox)$")
DIGITS = re.compile(r"\d+")
BARE_NUMBER = re.compile(r"[\d.,]+")
WORDLESS = re.compile(r"[\W_]*")
BOX = '<table class="infobox">'
TABLE = [(kind, value, names.split("|")) for kind, value, names in rows("infobox")]
LABELS = {name: label for kind, label, names in TABLE if kind == "label" for name in names}
# The parameter that names the row of another, both with the same number.
PAIRS = {name: naming for kind, naming, names in TABLE if kind == "labelled by" for name in names}
UNITS = [(name, symbol) for kind, symbol, names in TABLE if kind == "unit" for name in names]
NAMES = [name for kind, _, names in TABLE if kind == "name" for name in names]
SILENT = frozenset(name for kind, _, names in TABLE if kind == "hidden" for name in names)
SILENT_ENDINGS = tuple(f" {name}" for kind, _, names in TABLE if kind == "hidden ending" for name in names)
COUNTED = tuple(name for kind, _, names in TABLE if kind == "counted" for name in names)
# Only these rows gather several parameters; of others the first one is shown, and the rest each by itself.
JOINED = frozenset(("Born", "Died", "Source", "Mouth", "Authority"))
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


def is_infobox_name(name: str) -> bool:
    """Tell whether a template of this name makes an infobox."""
    return bool(INFOBOX.match(name)) and not NO_INFOBOX.match(name)


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
    joined = {label: [key for key in values if LABELS.get(key) == label] for label in JOINED}
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
            others = joined.get(label, []) if LABELS.get(key) == label else []
            others = [other for other in others if other != key]
            done.update(others)
            yield label, _with_unit(key, [value, *(values[other] for other in others)])


def _is_empty(value: str) -> bool:
    return bool(NO_VALUE.fullmatch(value) or WORDLESS.fullmatch(TAGS.sub("", value)))


def _is_silent(key: str, stem: str) -> bool:
    return (
        stem in SILENT
        or key in SILENT
        or stem in NAMES
        or (stem in LABELLING and stem != "label")
        or (stem == "label" and key != stem)
        or (key not in LABELS and key.endswith(SILENT_ENDINGS))
        or bool(CAPTION.match(key))
    )


def _with_unit(key: str, values: list[str]) -> str:
    if len(values) > 1 or not BARE_NUMBER.fullmatch(values[0]):
        return "<br>\n".join(values)
    unit = next((symbol for suffix, symbol in UNITS if key.endswith(" " + suffix)), "")
    number = grouped(values[0]) if unit or (key.startswith(COUNTED) and len(values[0]) > 4) else values[0]
    return f"{number} {unit}" if unit else number


def _parted(key: str) -> tuple[str, str]:
    """Part a parameter's name into words and number: `blank1 name` is the `blank name` of number 1."""
    number = "".join(DIGITS.findall(key))
    return (" ".join(DIGITS.sub(" ", key).split()), number) if number else (key, "")


def readable(key: str) -> str:
    """Return a parameter's name as a label: `area total km2` as `Area total`."""
    for suffix, _ in UNITS:
        key = key.removesuffix(" " + suffix)
    return key[:1].upper() + key[1:]
