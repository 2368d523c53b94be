"""Questions made from an SKB.

For training: `compose`, reworded by `paraphrase`, and `headings`, with gold that nobody verifies. For test sets: the
`facts` that an SKB says, the `grammar` of questions, and the `patterns` that join the two to drafts, which
`retriever/testsets` verifies.
"""
