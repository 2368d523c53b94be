"""Text as both sides see it: words, stems, names and the mentions of names.

Read `normalise` and `pairs` first (what a character, a word and an unspaced script are),
then `tokens` and `stems` with `irregular`, then `names` (titles, uris, name keys), and `mentions` with
`mention_context` last: they find names in text. `sentences` splits a short text, `truncation` cuts one to a budget.
`flat_words` has the words of many texts as arrays, `json_text` parses JSON.
"""
