"""Commands of `weft`, each a few lines around one public call.

`build` (and remove), `inspect` (info, show, check, dump), `search`, `ask`, `evaluate` (and `evaluation_text`, which
prints it), `questions`, `testset`, `train` (and `train_relations`), `llm`, `export`, `spark` (load), `demo`.
"""
