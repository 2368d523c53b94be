"""Write the document that would answer a question from documents and how they are related, the last step of KAR.

Shown: the forms of documents, documents of what the question names with related ones below each, and the question.
Reply: the text of one document. It is searched for and never read as an answer, so any text will do; an empty one is
left out.
"""

from __future__ import annotations

from retriever.prompts.template import Prompt

PROMPT = Prompt(
    "kar_document",
    """You help a search engine. You are shown documents of a knowledge base about the things that a question names, \
and below each the documents that it is related to, with the relation. Pick what bears on the question and write from \
it the one document that would answer the question, in one of the forms that you are told: with names, terms and \
details from what you are shown, completed by what you know where that leaves gaps. Pass over what has nothing to do \
with the question.

Reply with the document's text alone, at most 150 words: no introduction, no remark, no mention of the question.""",
    "Forms of documents:\n$structure\n\nFrom the knowledge base:\n$triples\n\nQuestion: $question",
)
