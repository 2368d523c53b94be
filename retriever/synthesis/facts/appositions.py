"""What texts call the things that they link to, in passing: `the mineral olivine, a silicate of ...`.

>>> said_of("hot rock called [magma] rises", 16, 21), said_of("gases such as [argon]", 14, 19)
('rock', 'gas')
>>> said_of("the [asthenosphere], a weak layer of the mantle", 4, 19)
'layer'
"""

from __future__ import annotations

import re

from retriever.synthesis.grammar.nouns import singular

BEFORE = re.compile(r"([a-z]{3,})\s+(?:called|named|known as)\s+(?:the\s+|an?\s+)?[\[\"“]?$")
SUCH = re.compile(r"([a-z]{3,})s,?\s+(?:such as|including|like)\s+(?:the\s+)?\[?$")
OF = r"(?=\s(?:of|in|that|which|from|with|on|for|where|by|at)\b|[,.;)])"
AFTER = re.compile(r"[\]\"”]?(?:\s*\(|,\s)(?:an?|the)\s+((?:[a-z-]+\s+){0,3}[a-z-]+)" + OF)
IS = re.compile(r"\]?\s+(?:is|are|was|were)\s+(?:an?|one of the)\s+((?:[a-z-]+\s+){0,3}[a-z-]+)" + OF)
NEAR = 60


def said_of(text: str, start: int, end: int) -> str:
    """Return the noun by which a text tells what it links to at a place is, or nothing."""
    before, after = text[max(0, start - NEAR) : start], text[end : end + NEAR]
    such = SUCH.search(before)
    if such:
        return singular(such[1] + "s")
    called = BEFORE.search(before)
    told = AFTER.match(after) or IS.match(after)
    return called[1] if called else told[1].split()[-1] if told else ""
