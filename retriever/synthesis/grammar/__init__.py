"""English for questions: forms of `verbs`, `predicates` between two things, `nouns` and names, `wording`, and
`comparing`.
"""
