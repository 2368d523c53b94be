"""Typed graphs: `records` and `readers` (which folder is read by what) first; `folder` reads nodes.jsonl and
edges.tsv, `stark` with `stark_nodes` the folders of STaRK, whose pickles `restricted_pickle`
(`pickle_machine`, `pickle_calls`) and `torch_tensor` read without running anything; `documents` makes pages
of nodes that have a text.
"""
