"""Templates as a reader sees them, without their sources: rules by name, and a careful rule for all others.

Most templates of running text set off their own argument or say a fixed word;
most others (notices, navigation, references) are no text of the article. An
unknown template is left out, unless it stands within a line and its one
argument is plainly text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from builder.readers.wikitext.state import Call, Page
from builder.readers.wikitext.templates import countries as wikitext_countries
from builder.readers.wikitext.templates import dates as wikitext_dates
from builder.readers.wikitext.templates import infobox as wikitext_boxes
from builder.readers.wikitext.templates import measures as wikitext_numbers
from builder.readers.wikitext.templates import parser_functions as wikitext_functions
from builder.readers.wikitext.templates import phrases as wikitext_words

Rule = Callable[[Call, Page], str]

RULES: dict[str, Rule] = {
    **wikitext_countries.RULES,
    **wikitext_words.RULES,
    **wikitext_dates.RULES,
    **wikitext_numbers.RULES,
    **wikitext_boxes.RULES,
}
PREFIX = re.compile(r"(?:template:|vorlage:|modèle:|plantilla:|subst:|safesubst:|msg:|msgnw:|raw:)\s*", re.I)
DROPPED = re.compile(
    r"cite |cite$|citation|harv|sfn|pp-|use |r from |r to |user |infobox mapframe|.*-stub$|.*navbox"
    r"|.* sidebar$|.*topics$|.* icon$|commons|wikt|wikisource|wikiquote|wikivoyage|s-|dead link|isbn|issn"
    r"|oclc|doi|better source|.*\bneeded$|.*inline$|#invoke|expand|unreferenced|refimprove|no footnotes"
    r"|more |update|clarif|who|which|when|where|by whom|why|how|dubious|disputed|fact$|cn$|main|see also"
    r"|further|details|about|for$|for2$|other |redirect|hatnote|distinguish|not to be|listen|authority"
    r"|portal|reflist|notelist|efn|refn|rp$|r$|ref |ref$|anchor|clear|toc|coord|defaultsort|short desc"
    r"|engvar|cleanup|multiple issues|merge|pov|original|verify|failed|page num|page$|pages$|self"
    r"|webarchive|wayback|in our time|imdb|youtube|gutenberg|librivox|internet archive|google books"
    r"|worldcat|find a grave|official website|official|mathworld|sep entry|iep|in lang|.*campaignbox"
    r"|.*footer$|bots|nobots|display ?title|italic title|featured article|good article|attached kml"
    r"|geogroup|inflation/year|cquote/|vague|weasel|peacock|.*portal$|.*navigation|.*navbar|.*taxonomy/"
    r"|a\. ?v\.|bibleref|bibleverse ref|twitter|facebook|instagram"
)
TWO_WORDS = re.compile(r"[^\W\d_]{2,}[\s\u00a0]+[^\W\d_]{2,}")
TAGS = re.compile(r"<[^<>]*>")
MAX_FALLBACK = 300


def template(call: Call, page: Page) -> str:
    """Return what a template shows, as resolved wikitext."""
    name = PREFIX.sub("", call.name) if ":" in call.name else call.name
    if ":" in name or name.startswith("#"):
        found = wikitext_functions.function(call, page)
        if found is not None:
            return found
    if name != call.name:
        call = call._replace(name=name)
    rule = RULES.get(name)
    if rule is not None:
        return rule(call, page)
    return _by_pattern(call, page)


def _by_pattern(call: Call, page: Page) -> str:
    if wikitext_boxes.is_infobox_name(call.name):
        return wikitext_boxes.infobox(call, page)
    language = wikitext_words.language_of(call.name)
    if language is not None:
        return wikitext_words.in_language(language, call)
    if DROPPED.match(call.name):
        return ""
    return _unknown(call)


def _unknown(call: Call) -> str:
    if call.alone or call.named or len(call.positional) != 1:
        return ""
    text = call.positional[0].strip()
    if len(text) > MAX_FALLBACK or "\n" in text:
        return ""
    return text if "<a " in text or TWO_WORDS.search(TAGS.sub("", text)) else ""
