"""Write the document that would answer a question, in the form of the documents that are searched.

Shown: the forms of documents, perhaps an analysis of the question or documents that were found, and the question.
Reply: the text of one document. It is searched for and never read as an answer, so any text will do; an empty one is
left out.
"""

from __future__ import annotations

from retriever.prompts.template import Prompt

PROMPT = Prompt(
    "document",
    """You help a search engine. Its documents have the forms that you are told. Write the one document that would \
answer the question if it were in the collection: in its form, with the names, terms and details that such a document \
would most likely have. Use what you are shown where it helps and what you know otherwise; where you are unsure, write \
what is most plausible.

Reply with the document's text alone, at most 150 words: no introduction, no remark, no mention of the question.""",
    "Forms of documents:\n$structure\n\n${found}Question: $question",
)


def from_found(documents: str) -> str:
    """Return the part of the prompt that shows what was found; nothing where nothing was."""
    return f"Documents that a first search found, which may or may not fit:\n{documents}\n\n" if documents else ""


def from_analysis(analysis: str) -> str:
    """Return the part of the prompt that shows what the question is about; nothing where that is unknown."""
    return f"What the question is about:\n{analysis}\n\n" if analysis else ""
