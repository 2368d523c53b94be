"""What Markdown is extended by, read as plain Markdown.

`sites` (site generators and hosts) and `mkdocs` (admonitions and tabs) before it is parsed, `html` (blocks of HTML)
then.
"""
