"""Training of the ranker of answers: `practice` makes questions, `listwise` trains networks, `fit` both parts of it."""
