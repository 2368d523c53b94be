"""The Python face that `weft.open`, `weft.build` and `weft.evaluate` hand out.

`records` is what a caller gets and `answers` what `ask` gives, `sessions` lends one session a call to any number of
threads, `knowledge_base` is an open SKB; `building` and `evaluating` are the two functions beside it. `arguments`
tells in one line what of a call is wrong.
"""
