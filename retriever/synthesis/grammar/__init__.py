"""English for questions: forms of `verbs`, `predicates` between two things, `nouns` and names, `noun_phrases`, `units`,
`labels` of facts and their `participles`, `attributes` that are asked for, `wording`, and `comparing`.
"""
