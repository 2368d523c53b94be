"""Answers out of what was ranked: found, not written, where no language model is named.

`questions` reads questions as they are asked, `asked` what one asks for, `passages` what is read for it, `bridges`
what names in that lead to. `candidates` are what could answer, `fitting` leaves those of the kind that is asked for,
`choices` are what a question offers to choose from; `columns` and `reading` put them into a table. `ranker` chooses by
them and by `rules`, or `patterns` and `tables` do for questions of one pattern and `options` for those about one;
`abstention` tells how surely that answers. `hops` answers first what a question describes, `answering` puts it
together, `citations` are the sentences that it rests on, `spelling` reads what is misspelt; `nodes` answers over
entities; `generation` asks a language model in its place. `text` reads texts, `training` trains.
"""
