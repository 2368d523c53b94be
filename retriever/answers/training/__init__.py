"""Training of the ranker of answers: `practice` makes questions, `listwise` trains networks, `signs` keeps what teaches
abstention, `fit` trains both parts.
"""
