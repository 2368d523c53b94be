"""Rules: what speaks for candidates and against them beyond what a ranker has learned of their columns.

`causes` are what sentences give as causes, `contrasts` what is told of something else than is asked, `unlikely` what
hardly answers anything.
"""
