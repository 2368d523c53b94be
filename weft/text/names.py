"""Names: from links, resources and typed text to titles and lookup keys.

A *title* is the name of a page as written, `Page#Heading` style fragments
apart; a *name key* is what two spellings of one name have in common.

>>> link_target("/wiki/Caf%C3%A9_au_lait#History")
LinkTarget(title='Café au lait', fragment='History')
>>> name_key("Café_au  Lait!")
'café au lait'
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

from weft.text.normalise import is_visible, normalized

BLANKS = re.compile(r"[\s_]+")
# MediaWiki takes these out of every title; people paste them with names.
DIRECTION_MARKS = re.compile("[\u200e\u200f\u202a-\u202e]")
# Only with its semicolon: "&copy" and "&not" begin words of real titles.
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
NOT_WORD = re.compile(r"[\W_]+")
WIKI_HOST = re.compile(r"(?:https?:)?//([^/?#]+)", re.I)
# The language, also of the mobile host.
WIKIPEDIA = re.compile(r"([a-z-]+)(?:\.m)?\.wikipedia\.org")
# What stands before a title in the addresses of articles: absolute, or relative in mirrored pages.
ARTICLE = re.compile(r"/wiki/|(?:\.\./)+wiki/|\./")
# An address of MediaWiki's script, the title behind a slash or in the query.
SCRIPT = re.compile(r"(?:.*?/)?index\.php(?:/(.*))?", re.S)
# What is no `key=value` behind a question mark is the rest of a title that nobody encoded.
QUERY = re.compile(r"\?(?=[A-Za-z]\w*=)")
TITLE_KEY = re.compile(r"(?:^|[&;])title=([^&]*)")
# Parameters that ask for something other than the article: an edit, an old version, a difference.
ACTION_KEY = re.compile(r"(?:^|[&;])(?:\w*action=(?!view\b)|oldid=|diff=)")
# Between a lower-case and an upper-case letter (zero width, so nothing is lost), and at "_" and "-".
WORD_STARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]")
# "is part of", "capital of": the subject is this of its object.
OF_ITS_OBJECT = re.compile(r"(?:is )?(.+) of")
# A title without its last parenthesis, which must follow a blank: "Iron(III)" has none.
LAST_PARENTHESIS = re.compile(r"(.*\S)\s+\([^()]*\)", re.S)
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
UNSAFE = re.compile(r"[%#;\x00-\x1f\x7f-\x9f]")

# English MediaWiki's namespaces and their talk pages; a colon after any other
# word is part of the title ("2001: A Space Odyssey").
NAMESPACES = frozenset(
    """media special talk user wikipedia wp wt project file image mediawiki template help category portal draft
    book module timedtext gadget topic mos education_program gadget_definition""".split()
)
INTERWIKI = frozenset(
    """wikt wiktionary wikiquote q wikisource s wikibooks b wikinews n wikiversity v wikivoyage voy commons c
    meta m mw mediawikiwiki species wikispecies wikidata d wmf foundation incubator phab doi arxiv isbn""".split()
)
LANGUAGES = frozenset(
    """aa ab af ak am an ar arz as ast av ay az azb ba bar be bg bh bi bm bn bo br bs ca ce ceb ch co cr cs cu cv
    cy da de diq dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gan gd gl gn gu gv ha he hi hr hsb ht hu hy
    ia id ie ig ik io is it iu ja jv ka kg ki kk kl km kn ko ks ku kv kw ky la lb lg li lmo ln lo lt lv mg mh mi
    mk ml mn mr ms mt mwl my na nah nap nds ne ng nl nn no nv ny oc om or os pa pl pms pnb ps pt qu rm rn ro ru rw
    sa sc scn sco sd se sg sh si simple sk sl sm sn so sq sr ss st su sv sw szl ta te tg th ti tk tl tn to tr ts
    tt tw ty ug uk ur uz ve vec vi vo wa war wo wuu xh yi yo yue za zh zu""".split()
)

EXPORTED_ENTITY = "https://weft.example/entity/"
# Names that no rule changes but the underscore: most of a dump, and quicker to see than to rewrite.
PLAIN_RESOURCE = re.compile(r"[A-Za-z0-9(),.'!*-]+(?:_[A-Za-z0-9(),.'!*-]+)*")


class LinkTarget(NamedTuple):
    """A title that a link leads to and the fragment within it."""

    title: str
    fragment: str


def title_of(text: str, *, capital: bool = True, underscores: bool = False) -> str:
    """Return the title that `text` spells: entities decoded, blanks single, NFC, first letter upper-case.

    It is empty where no character of it could be seen. `capital` is for
    MediaWiki sources, where the first letter's case never counts. An underscore
    is a blank, as in MediaWiki's titles and in file names, unless `underscores`
    keeps it.
    """
    title = _without_entities(text)
    if not title.isascii():
        title = normalized("NFC", DIRECTION_MARKS.sub("", title))
    title = " ".join(title.split()) if underscores else BLANKS.sub(" ", title).strip()
    if not is_visible(title):
        return ""
    return _capitalised(title) if capital else title


def _without_entities(text: str) -> str:
    return ENTITY.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


def _capitalised(title: str) -> str:
    """Upper-case the first letter where that is one letter and used in titles (not so Georgian's capitals)."""
    first = title[:1]
    upper = first.upper()
    return title if len(upper) != 1 or first.title() == first else upper + title[1:]


@lru_cache(maxsize=65536)
def link_target(href: str, home: str | None = None) -> LinkTarget | None:
    """Return the title and fragment that a wiki page's `href` leads to, or None.

    None is for what is no article of the same wiki: external and interwiki
    links, other namespaces, and links within the page. `home` is the page's own
    host (`en.wikipedia.org`); when it is None every Wikipedia host is home.
    """
    address, _, fragment = href.strip().partition("#")
    page = _page_of(address, home)
    title = title_of(_decoded(page)) if page else ""
    if title.startswith(":"):
        title = title_of(title[1:])
    if not title or is_other_namespace(title) or CONTROL.search(title):
        return None
    return LinkTarget(title, BLANKS.sub(" ", _without_entities(_decoded(fragment))).strip())


def _page_of(address: str, home: str | None) -> str | None:
    """Return the part of an address that names an article, still encoded; None when the link leads elsewhere."""
    host = WIKI_HOST.match(address)
    if host and not _is_home(host[1].lower(), home):
        return None
    path, query = _parted(address[host.end() :] if host else address)
    # A red link is an edit link that says so.
    if ACTION_KEY.search(query) and "redlink=1" not in query:
        return None
    script = SCRIPT.fullmatch(path) if "index.php" in path else None
    if script:
        title = TITLE_KEY.search(query)
        return title[1] if title else script[1]
    prefix = ARTICLE.match(path)
    return path[prefix.end() :] if prefix else None


def _decoded(part: str) -> str:
    """Percent-decode once; what is no UTF-8 is Windows-1252, as MediaWiki takes it."""
    text = unquote(part) if "%" in part else part
    return unquote(part, "cp1252") if "\ufffd" in text and "%EF%BF%BD" not in part.upper() else text


def _parted(address: str) -> tuple[str, str]:
    mark = QUERY.search(address) if "?" in address else None
    return (address[: mark.start()], address[mark.end() :]) if mark else (address, "")


def _is_home(host: str, home: str | None) -> bool:
    if home is not None:
        return host.replace(".m.", ".") == home.lower().replace(".m.", ".")
    return WIKIPEDIA.fullmatch(host) is not None


def is_other_namespace(title: str) -> bool:
    """Tell whether a title's prefix names a namespace other than the articles', or another wiki.

    Before another wiki's title nobody writes a blank: "V: The Series" is a title, "v:Physics" is none.
    """
    prefix, colon, rest = title.removeprefix(":").partition(":")
    if not colon or not rest.strip():
        return False
    word = prefix.strip().lower().replace(" ", "_")
    if word in NAMESPACES or word.removesuffix("_talk") in NAMESPACES:
        return True
    return not rest.startswith(" ") and (word in INTERWIKI or word in LANGUAGES)


def resource_title(uri: str) -> str:
    """Return the title form of an RDF resource: what follows `/resource/`, `/wiki/` or the last `#` or `/`."""
    if uri.startswith(EXPORTED_ENTITY):
        return uri_text(unquote(uri[len(EXPORTED_ENTITY) :]))
    for prefix in ("/resource/", "/wiki/", "/entity/"):
        _, found, rest = uri.partition(prefix)
        if found and rest:
            break
    else:
        tail = uri.rstrip("/#")
        rest = tail[max(tail.rfind("/"), tail.rfind("#")) + 1 :]
    # Most names of a dump are ASCII words joined by underscores, which need no more than this.
    if PLAIN_RESOURCE.fullmatch(rest):
        return rest.replace("_", " ")
    return title_of(unquote(rest), capital=False)


def name_key(name: str) -> str:
    """Return what all spellings of one name share: NFKC, folded, punctuation as single blanks.

    A name of nothing but punctuation keeps it, so that it still has a key.
    """
    folded = normalized("NFKC", _without_entities(name)).casefold()
    if folded.isascii():
        return NOT_WORD.sub(" ", folded).strip() or BLANKS.sub(" ", folded).strip()
    folded = normalized("NFKC", folded)
    return " ".join(NOT_WORD.sub(_marks_kept, folded).split()) or BLANKS.sub(" ", folded).strip()


def _marks_kept(run: re.Match[str]) -> str:
    return "".join(map(_mark_or_blank, run[0]))


def _mark_or_blank(sign: str) -> str:
    """Return a blank for punctuation; vowel signs are letters of their words, accents and joiners come to nothing."""
    kind = unicodedata.category(sign)
    if kind not in ("Mn", "Mc"):
        return "" if kind == "Cf" else " "
    position = unicodedata.combining(sign)
    # Hebrew's and Arabic's points, and what stands above or below a letter.
    is_accent = 10 <= position <= 36 or position >= 200 or "\ufe00" <= sign <= "\ufe0f"
    return "" if is_accent else sign


def short_name(name: str) -> str | None:
    """Return the name without its last parenthesis ("Mercury (planet)": "Mercury"), or None.

    Only a parenthesis behind a blank tells things apart: "Iron(III)" has no other name.
    """
    match = LAST_PARENTHESIS.fullmatch(name)
    return match[1] if match and is_visible(match[1]) else None


def plain_name(name: str) -> str:
    """Return the name without its last parenthesis, where it has one."""
    return short_name(name) or name


def uri_part(text: str) -> str:
    """Percent-encode what separates the parts of a uri: `%`, `#`, `;` and control characters."""
    return UNSAFE.sub(lambda found: quote(found[0], safe=""), text)


def uri_text(part: str) -> str:
    """Return the title or heading that `uri_part` encoded."""
    return unquote(part)


def predicate_name(uri: str) -> str:
    """Return a predicate's local name: what follows its last `#` or `/`, or all of a uri where that cannot be seen."""
    tail = uri.rstrip("/#")
    name = unquote(tail[max(tail.rfind("/"), tail.rfind("#")) + 1 :])
    return name if is_visible(name) else uri


def relation_words(name: str) -> str:
    """Return a predicate's name as words: `birthPlace` is "birth place"."""
    return WORD_STARTS.sub(" ", name).strip().lower()


def backward_words(name: str) -> str:
    """Return a predicate's name as words that are read from its object to its subject.

    >>> [backward_words(name) for name in ("isPartOf", "hasPart", "capital_of", "designer")]
    ['has part', 'is part of', 'has capital', 'is designer of']
    """
    words = relation_words(name)
    if told := OF_ITS_OBJECT.fullmatch(words):
        return f"has {told[1]}"
    return f"is {words.removeprefix('has ')} of"
