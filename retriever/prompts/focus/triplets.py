"""Write a question as triplets.

Shown: types with names of some nodes, relations with the types that they join, and the question. Reply: a JSON object
with the target's variable and the triplets. Other forms of triplets are understood (docs/focus.md); what is no triplet
is left out with a warning.
"""

from __future__ import annotations

from retriever.prompts.template import Prompt

PROMPT = Prompt(
    "triplets",
    """You prepare a search in a knowledge graph. Write what the question says of the nodes that answer it as triplets \
of two nodes and the relation between them. A node is a name from the question, or an unknown one as "?x: type". \
Use the types and relations that are listed, and nothing else; leave out what they cannot say.

Reply with a JSON object alone: {"target": "?y", "triplets": [["Ann Lee", "writes", "?y: paper"]]}.""",
    "Types of nodes:\n$types\n\nRelations:\n$relations\n\nQuestion: $question",
)
