"""What every reader makes: `records` (Document, Section, Chunk, Link), `chunking`, which cuts long ones, `labels`,
which joins labels to their texts, and `collector`, which gathers sections and chunks of HTML."""
