"""HTML pages to documents.

Read `files` (which files are pages) and `page` (one page, from its markup to a Document) first, then in
the order of work: `tree`, `parsing_cost`, `head` (maker, title, address, language), `boilerplate`
and `landmarks` (what is left out), `passages` (the walk through the blocks), `lists`, `tables`, `inline`;
`flat` reads what no tree is made of.
"""
