"""English for questions: forms of `verbs`, `predicates` between two things, `nouns` and names, and `wording`."""
