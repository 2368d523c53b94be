"""Question files and what they are compared by: `question_files`, `gold`, `splits`, `natural_questions`, `trec`."""
