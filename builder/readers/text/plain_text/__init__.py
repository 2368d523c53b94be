"""Plain text: `blocks` finds its paragraphs, lists, tables and headings, `page_breaks` joins printed pages before."""
