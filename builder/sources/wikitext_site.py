"""What a dump says about its wiki, and what a link's words before a colon mean there.

>>> site = read_namespaces(Site(language="de"), {0: "", 6: "Datei", 14: "Kategorie"})
>>> site.kind_of("Datei:Mond.jpg"), site.kind_of("Kategorie:Mond"), site.kind_of("Mond: Reise")
('file', 'category', 'article')
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from weft.names import is_other_namespace, title_of

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


class Site(NamedTuple):
    """A wiki: its language, the address of one of its pages, and its namespaces' names, folded."""

    language: str | None = None
    base: str = ""
    files: frozenset[str] = FILE_NAMES
    categories: frozenset[str] = CATEGORY_NAMES
    others: frozenset[str] = frozenset()

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
        return "other" if word in self.others or is_other_namespace(title) else "article"

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


def redirect_target(text: str) -> str | None:
    """Return the title that a redirect page's text leads to, or None for other pages."""
    found = REDIRECT.match(text)
    if not found or found[1].lower().replace(" ", "_").partition("_")[0] not in REDIRECT_WORDS:
        return None
    return title_of(found[2].partition("#")[0].lstrip(": ")) or None
