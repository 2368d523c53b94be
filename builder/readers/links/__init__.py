"""Links between the files of one source: `title_index` (the title of every file that is linked),
`file_heads` and `html_titles` (a title from a file's first bytes), `archive_titles`, `refresh` (pages that only
lead on to another file), `labels` (of reStructuredText, with their headings), and `page_links` and `text_links`, which
turn a page's and a text's addresses into titles.
"""
