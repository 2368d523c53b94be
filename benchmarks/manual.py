"""What of a manual in HTML an SKB keeps: files, links and words, beside a plain text dump of another library.

    python benchmarks/manual.py FOLDER [FOLDER ...] [--json] [--worst 5]

Each folder is built on its own. A page's words are those of its main part
(`main`, else the body without landmarks) as Beautiful Soup gives them; the
share kept is that of these words, with their numbers, that the page's title,
headings and chunks have. Lines of navigation are no words of a page.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

sys.path[0] = str(Path(__file__).parents[1])

from builder.build import build  # noqa: E402
from builder.readers.html.manuals.furniture import NEIGHBORS, SITE_PAGES  # noqa: E402
from builder.request import Request  # noqa: E402
from weft.schema import open_skb  # noqa: E402

WORD = re.compile(r"\w+")
# The SKB writes a power with a sign that the page's text has not.
POWER = re.compile(r"(?<=\d)\^(?=\s*[-−–+]?\d)")
INLINE = frozenset(
    """a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub
    sup time tt u var wbr nobr acronym rp rt ruby""".split()
)
MAIN = 'main, [role="main"]'
LEFT_OUT = """
    script, style, template, noscript, select, textarea, button, input, audio, video, object, iframe, nav, search,
    aside:not(article aside, section aside), [role="navigation"], [role="banner"], [role="contentinfo"],
    [role="complementary"], [role="search"], [hidden]:not([role="tabpanel"]), [style*="display:none" i],
    [style*="display: none" i], [style*="visibility:hidden" i], [style*="visibility: hidden" i],
    header:not(article header, main header, section header), footer:not(article footer, main footer, section footer),
    .navheader, .navfooter, div.header:not(:has(h1)) > p, div.nav,
    .toc, [class^="list-of-"], .longdesc-link, .viewcode-link, .indexdiv:has(a.indexterm),
    .sphinxsidebar, .footer-relations, #footer-text, .footer:has(a[href*="sphinx"])
"""
"""The last are the lines of navigation of DocBook, texinfo and Django's manual, DocBook's tables of contents, links to
long descriptions and index, Sphinx's links to the source, the sidebar of its themes with its links to the pages
around, and the lines in which AsciiDoc and Sphinx tell a page's age and maker. The reader leaves them out only where
they hold nothing else; here they count by name."""

SITE_LINES = "div, p, table, ul"

TEXTLESS = (("h1#index", "table.indextable"), ("#search-documentation", "#search-results, form"))
"""The heading of Sphinx's index and of its search page, and what makes them that: nothing around it is text."""


class Kept(NamedTuple):
    """What of a folder is in its SKB; shares are of words, `worst` the pages that keep least."""

    files: int
    pages: int
    links_per_page: float
    mean_share: float
    least_share: float
    worst: list[tuple[float, str]]


def words_of_page(data: bytes) -> Counter[str]:
    """Return the words of a page's main part as Beautiful Soup sees them."""
    from bs4 import BeautifulSoup, Comment, Doctype, XMLParsedAsHTMLWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup = BeautifulSoup(data, "lxml")
    for node in soup.select(LEFT_OUT):
        if not node.decomposed and not node.select(MAIN):
            node.decompose()
    for node in soup.select(SITE_LINES):
        if not node.decomposed and _leads_home(node):
            node.decompose()
    for heading, parts in TEXTLESS:
        if (found := soup.select_one(heading)) is not None and soup.select_one(parts) is not None:
            return words_of(found.get_text())
    mains = [node for node in soup.select(MAIN) if WORD.search(node.get_text())]
    text = ""
    for part in mains[:1] or [soup.body or soup]:
        for node in part.find_all(True):
            if node.name not in INLINE:
                node.insert_before(" ")
                node.insert_after(" ")
        text += "".join(each for each in part.find_all(string=True) if not isinstance(each, Comment | Doctype))
    return words_of(text.replace("\xad", "").replace("\u200b", ""))


def _leads_home(node: Any) -> bool:
    """Tell whether all words of an element are links to pages that any site has, one of them its first or its map."""
    names = [" ".join(link.get_text().lower().split()) for link in node.select("a[href]")]
    words = WORD.findall(node.get_text(" ").lower())
    is_site = not NEIGHBORS.isdisjoint(names) and SITE_PAGES.issuperset(names)
    return len(names) > 1 and is_site and words == " ".join(names).split()


def words_of(text: str) -> Counter[str]:
    """Return the words of a text; a power's sign counts as absent, so that a raised number compares as one."""
    return Counter(WORD.findall(POWER.sub("", text)))


def measure(folder: Path, output: Path, worst: int = 5) -> Kept:
    """Build a folder of HTML files and compare what the SKB has with the files."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".html", ".htm", ".xhtml"))
    build(Request((f"html:{folder}",), output, workers=1))
    with closing(open_skb(output)) as connection:
        pages = int(connection.execute("SELECT count(*) FROM page").fetchone()[0])
        links = int(connection.execute("SELECT count(*) FROM link").fetchone()[0])
        shares = sorted(_shares(connection, folder))
    return Kept(
        len(files), pages, round(links / max(pages, 1), 2),
        round(sum(share for share, _ in shares) / max(len(shares), 1), 5),
        round(shares[0][0], 5) if shares else 0.0, [(round(share, 5), place) for share, place in shares[:worst]],
    )  # fmt: skip


def _shares(connection: Any, folder: Path) -> Iterator[tuple[float, str]]:
    for page, place, title in connection.execute(
        "SELECT page.id, place, title FROM page JOIN source_item ON source_item.id = source_id"
    ).fetchall():
        texts = [title]
        for table, column in (("section", "title"), ("chunk", "text")):
            found = connection.execute(f"SELECT {column} FROM {table} WHERE page_id = ?", (page,))
            texts += [text for (text,) in found]
        expected = words_of_page((folder / place).read_bytes())
        kept = expected & words_of(" \n ".join(texts))
        yield (kept.total() / expected.total() if expected else 1.0), place


def main() -> int:
    """Print the figures of each folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="one JSON object a folder")
    parser.add_argument("--worst", type=int, default=5)
    options = parser.parse_args()
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as place:
            kept = measure(folder, Path(place) / "manual.skb", options.worst)
        if options.json:
            sys.stdout.write(json.dumps({"folder": folder.name, **kept._asdict()}) + "\n")
            continue
        sys.stdout.write(
            f"{folder.name}: {kept.files} files, {kept.pages} pages, {kept.links_per_page} links a page,"
            f" words kept: mean {kept.mean_share:.2%}, least {kept.least_share:.2%}\n"
        )
        sys.stdout.writelines(f"    {share:.2%} {place}\n" for share, place in kept.worst)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
