"""Texts as answers are looked for in them: `words`, `forms` (what an answer can look like), `numbers`, `dates`,
`countries`, `kinds` (what a page is about), `kind_asked` (what a question asks for), `looks` (what a name looks like),
`measures` (what numbers measure), `literals` (paths, options, identifiers), `lists` (several answers in a row),
`lexicon` (what words mean), and the `likeness` of two answers.
"""
