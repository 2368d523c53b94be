"""Rules: what speaks for candidates and against them beyond what a ranker has learned of their columns.

`added` has what all of them add to log-odds. `identities` are what sentences say that something is, `abbreviations`
what short forms stand for, `causes` what they give as causes, `aspects` what something is made of, comes from,
serves for or proved to be, `prepositions` what stands behind the one asked by, `objects` what stands behind the verb
asked for, `subjects` who stands before it, `entries` which option or setting is told of, `beside` what stands in and
beside names, `contrasts` what is told of something else than is asked, `unlikely` what hardly answers anything.
"""
