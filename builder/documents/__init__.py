"""What every reader makes: `records` (Document, Section, Chunk, Link), `chunking`, which cuts long ones, and
`collector`, which gathers sections and chunks of HTML."""
