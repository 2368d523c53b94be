"""Make the best document of several candidates, the last step of agr.

Shown: the forms of documents, what was found, candidates by number, and the question. Reply: the text of one document.
It is searched for and never read as an answer; where it is empty nothing is added.
"""

from __future__ import annotations

from retriever.prompts.template import Prompt

PROMPT = Prompt(
    "agr_refine",
    """You help a search engine. Several drafts were written of the document that would answer a question. Compare \
them with the question and with the documents that were found: which draft meets all conditions, which statements are \
wrong or contradict what was found, what is missing. Then write the best document, in one of the forms that you are \
told, with the mistakes put right.

Reply with the document's text alone, at most 150 words: no judgement, no remark, no mention of the drafts.""",
    "Forms of documents:\n$structure\n\nDocuments that were found:\n$found\n\nDrafts:\n$candidates\n\n"
    "Question: $question",
)
