"""Site generators and hosts in Markdown: their admonitions as a label and the text below it, their tags left out.

Docusaurus and VuePress (`:::tip`), GitHub and Obsidian (`> [!NOTE]`), Jekyll (`{% ... %}`), Hugo (`{{< ... >}}`), MDX,
mkdocstrings (`::: lamps.Lamp`).

>>> plain_sites(":::tip Hot oil\\nStand back.\\n:::\\n\\n> [!NOTE]\\n> Go on.\\n\\n[TOC]")
'Hot oil:\\n\\nStand back.\\n\\n\\n> Note:\\n>\\n> Go on.\\n'
"""

from __future__ import annotations

import re

from builder.readers.text.extensions.mkdocs import open_fence

MAY_OPEN = re.compile(r"^[ >]*(?::{3,}[ ]?[a-z]|\[!|\[(?:TOC|\[_?TOC_?\])\]|\{[%{/]|import[ ])", re.M | re.I)
KINDS = (
    "note|tip|info|important|warning|caution|danger|success|question|example|quote|bug|abstract|summary|todo|failure"
)
NAMED = r"\[(?P<named>[^\[\]]*)\]|[ ]+(?P<title>[^{\s].*)"
OPENS = re.compile(rf":{{3,}}[ ]?(?P<kind>[a-z][\w-]*)(?:{NAMED})?[ ]*", re.I)
KNOWN = re.compile(rf"{KINDS}|details", re.I)
DESCRIBED = re.compile(r":::[ ](?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)+)[ ]*")
"""What mkdocstrings describes in the place of this line, with options in the lines below it that are further in."""
OPTION = re.compile(r"[ ]{2,}\S|\t")
CLOSES = re.compile(r":{3,}[ ]*")
ALERT = re.compile(rf"(?P<quote>[ ]*(?:>[ ]?)+)\[!(?P<kind>{KINDS})\][+-]?[ ]*(?P<title>.*)", re.I)
LEFT_OUT = re.compile(
    r"[ ]*(?:\[TOC\]|\[\[_?TOC_?\]\]|\{%(?![ -]*(?:end)?highlight)[^%]*%\}|\{\{[<%][^<>]*[>%]\}\}|\{/\*.*\*/\})[ ]*",
    re.I,
)
IMPORT = re.compile(r"import[ ](?:[^'\"]*[ ]from[ ])?['\"][^'\"]+['\"];?[ ]*")
HIGHLIGHT = re.compile(r"[ ]*\{%[ -]*(?P<end>end)?highlight\b(?:[ ]+(?P<language>[\w+-]+))?[^%]*%\}[ ]*")
LONGEST = 300
"""Characters of a line that may be any of these."""


def plain_sites(text: str) -> str:
    """Return a Markdown text as it would be without what a site generator reads in it. Fenced code stays. Linear."""
    if MAY_OPEN.search(text) is None:
        return text
    lines: list[str] = []
    fence = ""
    n_open = 0
    before = ""
    in_options = False
    for line in text.split("\n"):
        fence, was_fenced = open_fence(line.lstrip(" "), fence), fence
        if fence or was_fenced or len(line) > LONGEST:
            lines.append(line)
        elif (described := DESCRIBED.fullmatch(line)) or (in_options and OPTION.match(line)):
            in_options = True
            lines += [f"`{described['name']}`"] if described else []
            continue
        elif n_open and CLOSES.fullmatch(line):
            n_open -= 1
            lines.append("")
        else:
            n_open += bool(_title_of(line))
            lines += _plain(line, before)
        before, in_options = line, False
    return "\n".join(lines)


def _plain(line: str, before: str) -> list[str]:
    """Return the lines that stand for one outside of code; an alert begins its quote."""
    if title := _title_of(line):
        return [_label(title), ""]
    if (alert := ALERT.fullmatch(line)) and not before.lstrip().startswith(">"):
        quote = alert["quote"].rstrip()
        return [f"{quote} {_label(alert['title'] or alert['kind'].capitalize())}", quote]
    if code := HIGHLIGHT.fullmatch(line):
        return ["```" if code["end"] else f"```{code['language'] or ''}"]
    return [] if LEFT_OUT.fullmatch(line) or IMPORT.fullmatch(line) else [line]


def _title_of(line: str) -> str:
    """Return the title of the admonition that a line opens; one of a kind that is not known has to say it."""
    opened = OPENS.fullmatch(line)
    if opened is None:
        return ""
    kind = opened["kind"].capitalize() if KNOWN.fullmatch(opened["kind"]) else ""
    return opened["title"] or opened["named"] or kind


def _label(title: str) -> str:
    title = title.strip()
    return title if title.endswith((":", ".", "!", "?")) else f"{title}:"
