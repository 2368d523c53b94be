"""Links, files and categories of wikitext: what stands between double brackets, as HTML."""

from __future__ import annotations

import re
from urllib.parse import quote

from builder.documents.records import Chunk
from builder.readers.wikitext.expand import resolve
from builder.readers.wikitext.state import Page
from weft.text.names import LANGUAGES, title_of

# What a title cannot hold; a link to such is no link.
NO_TITLE = re.compile(r"[<>\[\]{}\n\ufde0]|^\s*$")
TAGS = re.compile(r"<[^<>]*>")
PIPE_TRICK = re.compile(r"^(?:[^:]*:)?(.*?)\s*(?:\([^()]*\)|,\s.*)?$")
FRAMES = frozenset(
    """thumb thumbnail frame framed enframed mini miniatur gerahmt vignette cadre encadré miniatura
    miniaturadeimagen marco enmarcado miniaturadaimagem commoldura riquadro incorniciato omkaderd
    kader мини миниатюра обрамить міні мініатюра ramka miniatyr tumnagel ram náhled rám サムネイル フレーム
    缩略图 縮圖 有框""".split()
)
OPTIONS = FRAMES | frozenset(
    """frameless border right left center centre none baseline middle sub super text-top text-bottom top
    bottom upright links rechts zentriert hochkant rahmenlos gauche droite centré néant redresse
    sans_cadre bordure izquierda derecha centro ninguna centrado sinmarco borde direita esquerda
    semmoldura sinistra destra gecentreerd geen rechtop справа слева центр безрамки без lewo prawo
    centruj bez_ramki vänster höger vlevo vpravo noviewer 左 右 中央 なし 无 無""".split()
)
SETTING = re.compile(
    r"\s*(?:\d*\s*(?:x\s*\d+)?\s*(?:px)+|\d+\s*(?:пкс|tk|piks)|(?:upright|hochkant|redresse|alt|link|page"
    r"|lang|class|thumb|thumbtime|start|end|loop|muted|manualthumb|alternativtext|verweis|lien|enlace"
    r"|collegamento|альт|ссылка|классы?"
    r"|seite|sprache)\s*=.*|(?:upright|hochkant)\s+[\d.]+)\s*",
    re.I | re.S,
)
# Begins an address whose title is one as it stands: neither its first letter nor its prefix is to be judged again.
EXACT = "\ufde5"
ENGLISH_TRAIL = re.compile("[a-z]+")
TRAIL = re.compile(r"[^\W\d_A-ZÀ-ÖØ-Þ]+")
UNTRAILED = re.compile(r"(?!)")
# Languages that put no endings behind a link.
NO_TRAIL = frozenset(("zh", "ja", "th", "my", "km", "lo", "yue", "wuu"))
MORE_LANGUAGES = frozenset(
    """ab ace als ang arc bat-smg bcl be-tarask be-x-old bjn bpy bug bxr cbk-zam cdo chr chy ckb crh csb
    ext fiu-vro frp frr fur glk got hak haw hif ilo jbo kaa kab kbd koi krc ksh ltg lad lbe lez lij
    map-bms mdf mhr mrj mzn myv nds-nl nov nrm pag pam pap pcd pdc pfl pih pnt roa-rup roa-tara rue
    sah stq srn tet tpi tum tyv udm vep vls vro xal xmf yue zea zh-classical zh-min-nan zh-yue""".split()
)


def trail_of(language: str | None) -> re.Pattern[str]:
    """Return what letters behind a link belong to its anchor in a language."""
    code = (language or "en").partition("-")[0].lower()
    return UNTRAILED if code in NO_TRAIL else ENGLISH_TRAIL if code in ("en", "simple") else TRAIL


def link(parts: list[str], page: Page) -> str | None:
    """Return the HTML of a link's parts, the last of which is its trail; None where it is no link at all."""
    *parts, trail = parts
    target = parts[0].strip()
    if NO_TITLE.search(target):
        return None
    shown = target.removeprefix(":").strip()
    kind = page.site.kind_of(shown)
    if kind == "file" and not target.startswith(":"):
        return _image(parts[1:], page) + trail
    if kind == "category" and not target.startswith(":"):
        page.categories.append(page.site.title(shown.partition(":")[2]))
        return trail
    if not target.startswith(":") and len(parts) == 1 and _is_language_link(shown):
        return trail
    text = "|".join(parts[1:])
    if len(parts) > 1 and not text.strip():
        text = _piped(target)
    anchor = (text if len(parts) > 1 else shown) + trail
    return anchor if kind != "article" else anchor_to(shown, anchor, page)


def anchor_to(target: str, anchor: str, page: Page) -> str:
    """Return the HTML of a link to a title, with or without its fragment."""
    title, hash_mark, fragment = target.partition("#")
    title = page.site.title(title)
    if not title:
        return anchor
    if title.startswith("/"):
        title = page.title + title.rstrip("/")
    # Percent signs in wikitext encode a title as they do in an address.
    marked = EXACT + title if page.site.others or page.site.is_case_sensitive else title
    address = quote(marked, safe="%" if re.search("%[0-9A-Fa-f]{2}", title) else "")
    if hash_mark:
        address += "#" + quote(title_of(fragment, capital=False), safe="")
    return f'<a href="/wiki/{address}">{anchor}</a>'


def exact_links(chunk: Chunk, own: str) -> Chunk:
    """Return a chunk whose links have their titles as the wiki spells them, without those to the page itself."""
    if not any(link.target.startswith(EXACT) for link in chunk.links):
        return chunk
    links = (link._replace(target=link.target.removeprefix(EXACT)) for link in chunk.links)
    return chunk._replace(links=tuple(link for link in links if link.target != own))


def _piped(target: str) -> str:
    found = PIPE_TRICK.match(target.removeprefix(":"))
    return found[1] if found and found[1] else target


def _is_language_link(shown: str) -> bool:
    """Tell a link to the page in another language, which stands beside the page, from one to another wiki."""
    prefix, colon, rest = shown.partition(":")
    return (
        bool(colon)
        and rest[:1] not in ("", " ")
        and (prefix.lower() in LANGUAGES or prefix in MORE_LANGUAGES)
    )


def _image(parts: list[str], page: Page) -> str:
    """Return an image's caption as a box of its own; an image without a frame shows none."""
    words = [TAGS.sub("", part).strip().lower().replace(" ", "_") for part in parts]
    captions = [
        part
        for part, word in zip(parts, words, strict=True)
        if word not in OPTIONS and not SETTING.fullmatch(part) and word
    ]
    if not captions or (FRAMES.isdisjoint(words) and not any(word.startswith("thumb=") for word in words)):
        return ""
    return box_of_caption(captions[-1])


def box_of_caption(caption: str) -> str:
    """Return a caption as HTML that the extraction takes for one."""
    return f'<div class="thumb"><div class="thumbcaption">{caption.strip()}</div></div>'


def gallery(content: str, page: Page) -> str:
    """Return a gallery's captions; its lines are `File:Name.jpg|caption`."""
    items: list[str] = []
    for line in resolve(content, page).split("\n"):
        _, bar, rest = line.partition("|")
        captions = [part for part in rest.split("|") if part.strip() and not SETTING.fullmatch(part)]
        if bar and captions:
            items.append(f'<li class="gallerybox"><div class="gallerytext">{captions[-1].strip()}</div></li>')
    return f'<ul class="gallery">{"".join(items)}</ul>' if items else ""

