"""Links between the files of one source: `title_index` (the title of every file that is linked),
`file_heads` and `html_titles` (a title from a file's first bytes), `archive_titles`, and `page_links`, which
turns a page's addresses into titles.
"""
