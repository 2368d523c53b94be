"""Fitting candidates: what may be an answer to a question by its kind, before any is ranked.

`filters` leaves those that fit. `named_forms` are what is told by its looks, such as telephone numbers and times of the
day; `somebody` tells which candidates are persons and places.
"""
