"""Questions to ranked evidence.

Read `types` (Question, Query, Ranking), `encodings` (their vectors), `protocols` (Signal, Ranker), `registry` (all
methods), `methods` (the grammar of their names) and `searcher` (which composes one) first.
The folders are the steps of a search, and each imports only what comes before it:
`prompts` (what language models are asked), `question`, `index`, `signals`, `candidates`, `learning`, `features`,
`fusion`, `explain`, `rankers`, `expansion`, `rerank`, `focus`;
then `datasets`, `synthesis`, `training` and `evaluation`.
`context` holds what all questions share, `session` what one needs, `explanation` and
`trace_file` show what happened, `overlap` tells when nothing fits a question.
"""
