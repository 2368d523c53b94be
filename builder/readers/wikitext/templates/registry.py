"""Templates as a reader sees them, without their sources: rules by name, and a careful rule for all others.

Most templates of running text set off their own argument or say a fixed word;
most others (notices, navigation, references) are no text of the article. An
unknown template is left out, unless it stands within a line and its one
argument is plainly text.
"""

from __future__ import annotations

import re

from builder.readers.wikitext.state import Call, Page
from builder.readers.wikitext.templates import blocks, dates, infobox, measures, phrases
from builder.readers.wikitext.templates.parser_functions import parser_function
from builder.readers.wikitext.templates.tables import by_code, rows

KINDS = {**phrases.RULES, **dates.RULES, **measures.RULES, **blocks.RULES, "infobox": infobox.show}
RULES = {
    **{code: (phrases.country, title) for code, title in by_code("countries").items()},
    **{name: (KINDS[kind], value) for kind, value, names in rows("templates") for name in names.split("|")},
}
"""The rule of a template's name, and what the rule is given beside the call."""

PREFIX = re.compile(r"(?:template:|vorlage:|modèle:|plantilla:|subst:|safesubst:|msg:|msgnw:|raw:)\s*", re.I)
PLACES = {"is": "{}$", "begins": "{}", "ends": ".*{}$", "holds": ".*{}"}
DROPPED = re.compile(
    "|".join(PLACES[place].format(re.escape(name)) for place, names in rows("dropped") for name in names.split("|"))
)
TWO_WORDS = re.compile(r"[^\W\d_]{2,}[\s\u00a0]+[^\W\d_]{2,}")
TAGS = re.compile(r"<[^<>]*>")
MAX_FALLBACK = 300


def template(call: Call, page: Page) -> str:
    """Return what a template shows, as resolved wikitext."""
    name = PREFIX.sub("", call.name) if ":" in call.name else call.name
    if ":" in name or name.startswith("#"):
        found = parser_function(call)
        if found is not None:
            return found
    if name != call.name:
        call = call._replace(name=name)
    if name in RULES:
        rule, value = RULES[name]
        return rule(call, page, value)
    return _by_pattern(call, page)


def _by_pattern(call: Call, page: Page) -> str:
    in_language = phrases.language_template(call)
    if in_language is not None:
        return in_language
    if DROPPED.match(call.name):
        return ""
    return infobox.show(call, page, "") if infobox.is_infobox_name(call.name) else _unknown(call)


def _unknown(call: Call) -> str:
    if call.alone or call.named or len(call.positional) != 1:
        return ""
    text = call.positional[0].strip()
    if len(text) > MAX_FALLBACK or "\n" in text:
        return ""
    return text if "<a " in text or TWO_WORDS.search(TAGS.sub("", text)) else ""
