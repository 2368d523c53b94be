"""Expansions: what is added to a question before it is searched for (docs/expansion.md).

`feedback` (base, prf), `written` (hyde, rar), `agr` and `kar` are made for the ranker behind them; `joining` turns the
texts that they add into what is searched, `texts` are those of hits, `asking` asks the model, `structure` tells it what
documents look like. `neighbourhood`, `likeness` and `triples` are KAR's graph part, filter and text.
"""
