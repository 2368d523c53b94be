"""Links in the running text of files: what a reader marks, and the document that each address leads to.

>>> line = TextLinks({}, "Ondrel").line(f"See the {marked_link('cape_thoon.md#Lamp', 'harbour')}.")
>>> line.text, line.links[0].target, line.links[0].fragment
('See the harbour.', 'Cape thoon', 'Lamp')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from builder.documents.chunking import Line
from builder.readers.html.inline import CLOSE, OPEN, finish
from builder.readers.text.names import DOCUMENT_SUFFIXES, file_title
from weft.text.names import LinkTarget, link_target, title_of

# Between a link's address and its anchor; Unicode promises that this code point is never a character.
ADDRESS_END = "\ufdd5"
LINK = re.compile(f"{OPEN}([^{ADDRESS_END}]*){ADDRESS_END}([^{CLOSE}]*){CLOSE}")
WIKI = "[["
"""What the address of a link begins with that gives a title or a file's name, as in `[[Cape Thoon]]`."""
EXTERNAL = re.compile(r"https?://|//|(?:\.\./)*/?wiki/", re.I)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def marked_link(address: str, anchor: str) -> str:
    """Return an anchor marked with its address, for `TextLinks.line`."""
    return f"{OPEN}{address}{ADDRESS_END}{anchor}{CLOSE}"


class TextLinks:
    """Resolves the links of one document.

    `titles` are the link targets of the files that its relative links lead to,
    by address without fragment, `own` is its own target: a link to itself is none.
    """

    def __init__(self, titles: Mapping[str, str], own: str) -> None:
        self.titles, self.own = titles, own

    def line(self, text: str) -> Line:
        """Return the plain text of one whose links are marked, blanks single, and the links that lead to documents."""
        targets: list[LinkTarget] = []
        if OPEN in text:
            text = LINK.sub(lambda found: self._link(found, targets), text)
        return finish([text], targets)

    def _link(self, found: re.Match[str], targets: list[LinkTarget]) -> str:
        address, anchor = found.groups()
        if not anchor.strip():
            return str(anchor)
        is_wiki = address.startswith(WIKI)
        target = self._wiki_target(address.removeprefix(WIKI)) if is_wiki else self.target_of(address)
        if target is None:
            return str(anchor)
        targets.append(target)
        return f"{OPEN}{anchor}{CLOSE}"

    def _wiki_target(self, address: str) -> LinkTarget | None:
        page, _, fragment = address.partition("#")
        title = self.titles.get(page.strip()) or title_of(page, capital=False)
        is_own = title in (self.own, title_of(self.own, capital=False))
        return LinkTarget(title, fragment.strip()) if title and not is_own else None

    def target_of(self, address: str) -> LinkTarget | None:
        """Return the document that an address leads to: another file's, or a wiki's article."""
        address = address.strip()
        if EXTERNAL.match(address):
            target = link_target(address)
        else:
            path, _, fragment = address.partition("#")
            path = path.partition("?")[0]
            known = self.titles.get(path)
            if SCHEME.match(path) or not (known or path.lower().endswith(DOCUMENT_SUFFIXES)):
                return None
            target = LinkTarget(known or file_title(unquote(path)), unquote(fragment))
        return target if target and target.title and target.title != self.own else None
