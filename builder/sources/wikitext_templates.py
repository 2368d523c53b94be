"""Templates as a reader sees them, without their sources: rules by name, and a careful rule for all others.

Most templates of running text set off their own argument or say a fixed word;
most others (notices, navigation, references) are no text of the article. An
unknown template is left out, unless it stands within a line and its one
argument is plainly text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from builder.sources import wikitext_boxes, wikitext_dates, wikitext_functions, wikitext_numbers, wikitext_words
from builder.sources.wikitext_scan import Call, Page

Rule = Callable[[Call, Page], str]

RULES: dict[str, Rule] = {
    **wikitext_words.RULES,
    **wikitext_dates.RULES,
    **wikitext_numbers.RULES,
    **wikitext_boxes.RULES,
}
PREFIX = re.compile(r"(?:template:|vorlage:|modèle:|plantilla:|subst:|safesubst:|msg:|msgnw:|raw:)\s*", re.I)
DROPPED = re.compile(
    r"cite |cite$|citation|harv|sfn|pp-|use |r from |r to |user |infobox mapframe|.*-stub$|.*navbox|.* sidebar$|.*topics$"
    r"|.* icon$|commons|wikt|wikisource|wikiquote|wikivoyage|s-|dead link|isbn|issn|oclc|doi|better source|.*\bneeded$"
    r"|.*inline$|#invoke|expand|unreferenced|refimprove|no footnotes|more |update|clarif|who|which|when|where|by whom|why"
    r"|how|dubious|disputed|fact$|cn$|main|see also|further|details|about|for$|for2$|other |redirect|hatnote|distinguish"
    r"|not to be|listen|authority|portal|reflist|notelist|efn|refn|rp$|r$|ref |ref$|anchor|clear|toc|coord|defaultsort"
    r"|short desc|engvar|cleanup|multiple issues|merge|pov|original|verify|failed|page num|page$|pages$|self|webarchive"
    r"|wayback|in our time|imdb|youtube|gutenberg|librivox|internet archive|google books|worldcat|find a grave"
    r"|official website|official|mathworld|sep entry|iep|in lang|.*campaignbox|.*footer$|bots|nobots|display ?title"
    r"|italic title|featured article|good article|attached kml|geogroup|inflation/year|cquote/|vague|weasel|peacock"
    r"|.*portal$|.*navigation|.*navbar|.*taxonomy/|a\. ?v\.|bibleref|bibleverse ref|twitter|facebook|instagram"
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
