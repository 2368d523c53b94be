"""English for questions: forms of `verbs`, `predicates` between two things, `nouns` and names, `noun_phrases`, `units`,
`wording`, and `comparing`.
"""
