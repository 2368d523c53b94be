"""What every reader makes: `records` (Document, Section, Chunk, Link), and `chunking`, which cuts long ones."""
