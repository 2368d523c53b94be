"""Texts as answers are looked for in them: `words`, `forms` (what an answer can look like), `dates`, `countries`,
`kinds` (what a page is about), `looks` (what a name looks like), `measures` (what numbers measure), `literals`
(paths, options, identifiers), `related` (words that say what others ask), `meanings` (how alike words are),
`hypernyms` (what nouns are kinds of), and the `likeness` of two answers.
"""
