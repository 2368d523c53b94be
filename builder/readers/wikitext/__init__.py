"""MediaWiki dumps to documents.

Read `dump` (the XML) and `page` (one page) first: `expand` writes wikitext out as mwparserfromhell reads it, its
templates by the rules in `templates`, behind `guard`, which hides from the parser what it need not or must not
read, and `nesting`, which finds what belongs together; `to_html` makes blocks of it, which the HTML reader walks.
`state` is what a page knows while it is read; `site`, `links`, `tables` and `tags` are the parts of the language.
"""
