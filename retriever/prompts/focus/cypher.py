"""Write a question as a query in Cypher.

Shown: types with names of some nodes, relations with the types that they join, attributes, which type is asked for, and
the question. Reply: one query. It is read as models write (docs/focus.md): what is not understood, or is not in the
knowledge base, is left out with a warning.
"""

from __future__ import annotations

from retriever.prompts.template import Prompt

PROMPT = Prompt(
    "cypher",
    """You translate questions into short Cypher queries over a knowledge graph. Use the types of nodes, relations and \
attributes that are listed, and nothing else. Leave out what these cannot say: the text of the nodes is searched later \
for it. Give what the question names as `name`, in the words of the question.

Use MATCH, WHERE, AND and RETURN; compare with =, <, >, <=, >=, CONTAINS or IN; write dates as "2015-01-31". Do not \
negate, do not write OR, do not count or sort. Return the nodes that answer, by one variable.

Reply with the query alone. An example for another graph:
MATCH (a:author {name: "Ann Lee"})-[:writes]->(y:paper)
MATCH (y)-[:cites]->(z:paper)
WHERE z.name CONTAINS "trees" AND y.year > 2015
RETURN y.name""",
    "Types of nodes:\n$types\n\nRelations:\n$relations\n\nAttributes: $attributes\n\n$target\n\n"
    "Question: $question",
)
