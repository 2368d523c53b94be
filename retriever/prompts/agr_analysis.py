"""Say what a question asks for without answering it, the second step of agr.

Shown: the question and its key words. Reply: a short text. It is shown again in later steps as it is.
"""

from __future__ import annotations

from retriever.prompts.template import Prompt

PROMPT = Prompt(
    "agr_analysis",
    """You prepare a search. Say in a few sentences what the question asks for: the kind of thing that is wanted, the \
conditions that it has to meet, what the key words mean, and which facts would have to be known first. Do not answer \
the question and name no candidate.

Reply with this analysis alone, at most 100 words.""",
    "Key words:\n$keywords\n\nQuestion: $question",
)
