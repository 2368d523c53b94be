"""Templates that make blocks: infoboxes, lists, quotations, captions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from builder.readers.wikitext.links import TAGS, box_of_caption
from builder.readers.wikitext.state import Call, Page
from builder.readers.wikitext.templates.labels import LABELS, PAIRS, SILENT, UNITS
from builder.readers.wikitext.templates.measures import grouped
from builder.readers.wikitext.templates.phrases import names_of

Rule = Callable[[Call, Page], str]

INFOBOX = re.compile(
    r"(?:(?:infobox|infotaula|faktamall|ficha de|ficha|info/|taxobox|geobox|chembox|drugbox"
    r"|automatic taxobox|speciesbox|subspeciesbox|hybridbox|virusbox|speciesbox|starbox|planetbox|карточка"
    r"|картка|bilgi kutusu|инфобокс|kutija|ship infobox|elementbox|protein|enzyme|geography infobox|ficha d"
    r"|基礎情報)\b|.* (?:infobox|infobox/\w+|карточка)$)"
)
NO_INFOBOX = re.compile(r"infobox (?:mapframe|requested|end|footer)|.*/(?:doc|sandbox)$")
DIGITS = re.compile(r"\d+")
BARE_NUMBER = re.compile(r"[\d.,]+")
WORDLESS = re.compile(r"[\W_]*")
BOX = '<table class="infobox">'
# Only these rows gather several parameters; of others the first one is shown, and the rest each by itself.
JOINED = frozenset(("Born", "Died", "Source", "Mouth", "Authority"))
SILENT_ENDINGS = (
    " size",
    " link",
    " width",
    " alt",
    " footnotes",
    " ref",
    " style",
    " color",
    " colour",
    " map",
)
COUNTED = (
    "population total",
    "population urban",
    "population metro",
    "population estimate",
    "population census",
)
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
NAMES = names_of(
    "name|title|nom|nombre|nome|naam|namn|nazwa|название|имя|officialname|official name"
    "|conventional long name|native name|ship name|fullname|above"
)


def is_infobox_name(name: str) -> bool:
    """Tell whether a template of this name makes an infobox."""
    return bool(INFOBOX.match(name)) and not NO_INFOBOX.match(name)


def infobox(call: Call, page: Page) -> str:
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


def bullets(items: list[str], kind: str = "plainlist") -> str:
    """Return a list of items without signs."""
    shown = "".join(f"<li>{item.strip()}</li>" for item in items if item.strip())
    return f'<div class="{kind}"><ul>{shown}</ul></div>' if shown else ""


def _items(call: Call, page: Page) -> str:
    return bullets(call.positional)


def _block(call: Call, page: Page) -> str:
    """Keep a block of wikitext, such as a list, on lines of its own."""
    text = call.get("1", "content", "items", "text")
    return f"<div>\n{text}\n</div>" if "\n" in text or text[:1] in "*#:;" else text


def _titled_list(call: Call, page: Page) -> str:
    title = call.get("title")
    inner = bullets(call.positional) if len(call.positional) != 1 else _block(call, page)
    return (f"<div>{title}</div>" if title else "") + inner


def _ordered(call: Call, page: Page) -> str:
    return "<ol>" + "".join(f"<li>{item.strip()}</li>" for item in call.positional if item.strip()) + "</ol>"


def _quote(call: Call, page: Page) -> str:
    text = call.get("text", "quote", "1", "content", "quotetext")
    if not text:
        return ""
    said = [call.get(*keys) for keys in (("author", "sign", "by", "2"), ("title",), ("source", "3"))]
    source = ", ".join(part for part in said if part)
    return f"<blockquote>\n{text}\n" + (f"<p>— {source}</p>" if source else "") + "</blockquote>\n"


def _captions(call: Call, page: Page) -> str:
    captions = [value for key, value in call.named.items() if re.match(r"caption\d*$|footer$", key) and value]
    return "".join(map(box_of_caption, captions))


def _wide_image(call: Call, page: Page) -> str:
    return box_of_caption(call.get("3", "caption")) if call.get("3", "caption") else ""


def _gallery(call: Call, page: Page) -> str:
    return "".join(box_of_caption(value) for value in call.positional[1::2] if value.strip())


def _legend(call: Call, page: Page) -> str:
    return f"<div>{call.get('2')}</div>" if call.get("2") else ""


def _description(call: Call, page: Page) -> str:
    return "<dd>" + call.get("1", "text") + "</dd>"


def _term(call: Call, page: Page) -> str:
    return "<dt>" + call.get("1", "text") + "</dt>"


BLOCKS = names_of("""
    plainlist|plain list|flatlist|flat list|div col|columns list|columns|block indent|startplainlist|indent
    |in5|blockindent|center block|align block|indented
""")
LISTS = names_of("""
    ubl|unbulleted list|hlist|horizontal list|ublist|vunblist|blist|bulleted list|unbullet|hlist-comma|ubli
    |comma separated entries|csv|cslist|pagelist|flowlist|hlist2
""")
QUOTATIONS = names_of("""
    quote|blockquote|bquote|cquote|quotation|quote box|quotebox|rquote|centered pull quote|pull quote
    |poem quote|poemquote|quote frame|gquote|longquote|block quote
""")
IMAGES = names_of(
    "multiple image|double image|auto images|image stack|triple image|css image crop|photomontage"
)

RULES: dict[str, Rule] = {
    **dict.fromkeys(BLOCKS, _block),
    **dict.fromkeys(LISTS, _items),
    **dict.fromkeys(QUOTATIONS, _quote),
    **dict.fromkeys(IMAGES, _captions),
    "columns-list": _titled_list,
    "collapsible list": _titled_list,
    "ordered list": _ordered,
    "wide image": _wide_image,
    "panorama": _wide_image,
    "gallery": _gallery,
    "legend": _legend,
    "defn": _description,
    "term": _term,
}
