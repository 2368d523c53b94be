"""Templates as a reader sees them, without their sources: rules by name, and a careful rule for all others.

Most templates of running text set off their own argument or say a fixed word;
most others (notices, navigation, references) are no text of the article. An
unknown template is left out, unless it stands within a line and its one
argument is plainly text.
"""

from __future__ import annotations

import re

from builder.readers.wikitext.links import TAGS
from builder.readers.wikitext.state import Call, Page
from builder.readers.wikitext.templates import blocks, dates, infobox, measures, parser_functions, phrases
from builder.readers.wikitext.templates.tables import by_name, rows

KINDS = phrases.RULES | dates.RULES | measures.RULES | blocks.RULES | infobox.RULES | parser_functions.RULES
RULES = {
    **{code: (phrases.country, title) for code, title in by_name("countries").items()},
    **{name: (KINDS[kind], value) for kind, value, names in rows("templates") for name in names.split("|")},
}
"""The rule of a template's name, and what the rule is given beside the call."""

PREFIX = re.compile(r"^(?:(?:template|vorlage|modèle|plantilla|subst|safesubst|msg|msgnw|raw):\s*)+", re.I)
PLACES = {"is": "{}$", "begins": "{}", "begins as a word": r"{}\b", "ends": ".*{}$", "holds": ".*{}"}
TWO_WORDS = re.compile(r"[^\W\d_]{2,}[\s\u00a0]+[^\W\d_]{2,}")
MAX_FALLBACK = 300


def _pattern(table: str) -> re.Pattern[str]:
    """Return what matches the names that a table of places is about."""
    places = [(PLACES[place], names.split("|")) for place, names in rows(table)]
    return re.compile("|".join(place.format(re.escape(name)) for place, names in places for name in names))


DROPPED, BOXES = _pattern("dropped"), _pattern("boxes")


def template(call: Call, page: Page) -> str:
    """Return what a template shows, as resolved wikitext."""
    if ":" in call.name:
        call = _without_colon(call)
    if call.name in RULES:
        rule, value = RULES[call.name]
        return rule(call, page, value)
    in_language = phrases.language_template(call)
    if in_language is not None:
        return in_language
    if DROPPED.match(call.name):
        return ""
    return infobox.show(call, page, "") if BOXES.match(call.name) else _unknown(call)


def _without_colon(call: Call) -> Call:
    """Return a call without a namespace before its name; what stands behind `#if:` is its first argument."""
    call = call._replace(name=PREFIX.sub("", call.name, 1), head=PREFIX.sub("", call.head, 1))
    function, colon, _ = call.name.partition(":")
    name = function.rstrip() + colon
    if not colon or name not in RULES:
        return call
    first = call.head.partition(":")[2].strip()
    return call._replace(name=name, positional=[first, *call.positional], arguments=[(None, first), *call.arguments])


def _unknown(call: Call) -> str:
    text = "".join(call.positional).strip()
    if call.alone or call.named or len(call.positional) != 1 or len(text) > MAX_FALLBACK or "\n" in text:
        return ""
    return text if "<a " in text or TWO_WORDS.search(TAGS.sub("", text)) else ""
