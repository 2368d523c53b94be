"""Test sets made from an SKB: `make` takes what `verify` finds nothing wrong with, by its `evidence` and
by what its texts say beyond facts (`unique`).

`records` are the lines of a set, `card` tells what is in it, `folder` writes it in other programs' formats,
`outputs` checks where all of it is to go, `judged` has a language model write over chunks, `judged_facts` over a
graph's facts, what it wrote goes through `judging`, and `review` has what people decide of each question.
"""
