"""What language models are asked, a module a step: the words of `template`s, and the parser of their replies.

The docstring of each says its contract: what the model is shown, what it is to reply, and what becomes of a reply
that is something else. `answer` answers from passages, `claims` compares what two answers claim, `path` chooses pages,
sections and facts of a catalogue;
`document` writes one that would answer, for hyde, rar and agr, whose own steps are `agr_keywords`, `agr_analysis` and
`agr_refine`; `kar_entities` and `kar_document` are KAR's.
`testset` has those of test sets, `rerank` those of rerankers, `focus` those of focused retrieval.
"""
