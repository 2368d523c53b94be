"""HTML pages to documents.

Read `files` (which files are pages) and `page` (one page, from its markup to a Document) first, then in
the order of work: `tree`, `parsing_cost`, `head` (maker, title, address, language), `boilerplate` (what is
left out of a wiki's page) and `manuals` (what of others), `passages` (the walk through the blocks), `lists`,
`tables`, `inline`; `flat` reads what no tree is made of.
"""
