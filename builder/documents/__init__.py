"""What every reader makes: `records` (Document, Section, Chunk, Link), `chunking`, which cuts long ones, `labels`,
which joins labels to their texts, `collector`, which gathers sections and chunks of HTML, `manual_page`, which finds
them in preformatted text, `paragraphs`, which cuts a record's text at blank lines, and `contents`, which leaves a
page's table of contents out."""
