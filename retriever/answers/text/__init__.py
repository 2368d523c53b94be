"""Texts as answers are looked for in them: `words`, `forms` (what an answer can look like), `dates`, `countries`,
`kinds` (what a page is about), and the `likeness` of two answers.
"""
