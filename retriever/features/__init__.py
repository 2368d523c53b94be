"""The feature matrix of a question's candidates: `columns` and `lexical` compute the parts, `matrix` joins
them; `thesis` has the five columns of the thesis.
"""
