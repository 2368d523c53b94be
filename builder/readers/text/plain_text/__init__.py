"""Plain text: `blocks` finds its paragraphs, lists, tables and headings."""
