"""Extensions of Markdown that are read as plain Markdown before it is parsed: `mkdocs` (admonitions and tabs)."""
