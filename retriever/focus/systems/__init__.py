"""The three systems as methods: `autofocus` (AF-Retriever), `focused` (FocusedRetriever) and `fourstep` (4StepFocus).

`settings` are what each can be told, and by `making` become a system; `focus` is what they have in common: grounded
answers, then similar ones. Answers are grounded by a language model's pattern (`asked`) or by the
planner (`planned`). `renamed` has long names of relations for models.
"""
