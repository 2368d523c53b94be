"""What a dump says about its wiki, and what a link's words before a colon mean there.

>>> site = read_namespaces(Site(language="de"), {0: "", 6: "Datei", 14: "Kategorie"})
>>> site.kind_of("Datei:Mond.jpg"), site.kind_of("Kategorie:Mond"), site.kind_of("Mond: Reise")
('file', 'category', 'article')
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from weft.text.names import NAMESPACES, is_other_namespace, title_of

FILE, CATEGORY = 6, 14
FILE_NAMES = frozenset(("file", "image"))
CATEGORY_NAMES = frozenset(("category",))
REDIRECT = re.compile(r"\s*#\s*([^\W\d_]+(?: [^\W\d_]+)?)\s*:?\s*\[\[([^\[\]|\n]+)")
REDIRECT_WORDS = frozenset(
    """redirect weiterleitung redirection redirección rinvia rinvio doorverwijzing redirecionamento
    перенаправление перенапр перенаправлення patrz przekieruj omdirigering omdiriger ohjaus uudelleenohjaus
    přesměruj átirányítás yönlendirme yönlendi تحويل الطريق هدایة تغییر_مسیر הפניה
    重定向 轉址 転送 リダイレクト 넘겨주기
    ดเปลี่ยนทาง đổi redirige redirecció ανακατευθυνση пренасочване преусмери preusmjeri alih""".split()
)


# Names that every wiki knows, beside those in its own language.
CANONICAL = frozenset(
    "media special talk user project file image mediawiki template help category".split()
)


class Site(NamedTuple):
    """A wiki: its language, the address of one of its pages, and its namespaces' names, folded.

    `others` are empty where the dump lists no namespaces; then those of the
    English Wikipedia are taken. Where `is_case_sensitive` the first letter of a
    title has a case that counts, as in Wiktionaries.
    """

    language: str | None = None
    base: str = ""
    files: frozenset[str] = FILE_NAMES
    categories: frozenset[str] = CATEGORY_NAMES
    others: frozenset[str] = frozenset()
    is_case_sensitive: bool = False

    @property
    def key(self) -> str:
        """What of a site decides how its pages are read, as one text."""
        names = (sorted(self.files), sorted(self.categories), sorted(self.others))
        return repr((self.language, self.base, *names, self.is_case_sensitive))

    def title(self, text: str) -> str:
        """Return the title that a link or a redirect of this wiki spells."""
        return title_of(text, capital=not self.is_case_sensitive)

    def kind_of(self, title: str) -> str:
        """Return what a link's target is: `article`, `file`, `category` or `other`."""
        prefix, colon, rest = title.partition(":")
        if not colon or not rest.strip():
            return "article"
        word = folded(prefix)
        if word in self.files:
            return "file"
        if word in self.categories:
            return "category"
        if word in self.others:
            return "other"
        subject = word.removesuffix(" talk")
        if self.others and subject.replace(" ", "_") in NAMESPACES:
            return "other" if subject in CANONICAL else "article"
        return "other" if is_other_namespace(title) else "article"

    def is_article(self, title: str, namespace: int | None) -> bool:
        """Tell whether a page is an article: by its namespace's number, else by its title's prefix."""
        return namespace == 0 if namespace is not None else self.kind_of(title) == "article"

    def url_of(self, title: str) -> str | None:
        """Return a page's address, where the dump says any page's."""
        folder = self.base.rpartition("/")[0]
        return f"{folder}/{quote(title.replace(' ', '_'), safe='/:,()!*@$;~')}" if "://" in folder else None


def folded(prefix: str) -> str:
    """Return what all spellings of a namespace's name share."""
    return " ".join(prefix.replace("_", " ").split()).lower()


def read_namespaces(site: Site, names: dict[int, str]) -> Site:
    """Return the site with the namespaces that its dump lists, by number."""
    return site._replace(
        files=FILE_NAMES | {folded(names.get(FILE, "file"))},
        categories=CATEGORY_NAMES | {folded(names.get(CATEGORY, "category"))},
        others=frozenset(
            folded(name) for number, name in names.items() if name and number not in (0, FILE, CATEGORY)
        ),
    )


def redirect_target(text: str, site: Site | None = None) -> str | None:
    """Return the title that a redirect page's text leads to, or None for other pages."""
    found = REDIRECT.match(text)
    if not found or found[1].lower().replace(" ", "_").partition("_")[0] not in REDIRECT_WORDS:
        return None
    return (site or Site()).title(found[2].partition("#")[0].lstrip(": ")) or None
