"""The feature matrix of a question's candidates: `columns` declares what is no signal's score, `first_pass` and
`second_pass` compute it (`lexical`, `meaning`, `joint`, `ranks`), `matrix` joins all; `thesis` has the five columns of
the thesis, `answerability` tells from them whether any candidate answers, `keywords` what scores gain where a question
is some words alone.
"""
