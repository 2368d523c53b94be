"""Say which type of node a question asks for.

Shown: the types, with names of some nodes, and the question. Reply: one type. Prose around it, a label before it,
quotes and brackets are understood; a reply that names no type, or several in prose, counts as none, and nodes of all
types may answer then.
"""

from __future__ import annotations

from retriever.prompts.template import Prompt

PROMPT = Prompt(
    "target_type",
    """You prepare a search in a knowledge graph. Its nodes have types. Decide of which type the nodes are that answer \
the question, not those that it only mentions.

Reply with that type alone, exactly as it is listed.""",
    "Types:\n$types\n\nQuestion: $question",
)
