"""Name the key words of a question, the first step of agr.

Shown: the question. Reply: key words, one a line. They are shown again in the next step as they are.
"""

from __future__ import annotations

from retriever.prompts.template import Prompt

PROMPT = Prompt(
    "agr_keywords",
    """You prepare a search. List the key words of the question: names, technical terms, and the words that say which \
thing is wanted and by which relation it is tied to the names.

Reply with the key words alone, one a line, at most ten, the most telling first.""",
    "Question: $question",
)
