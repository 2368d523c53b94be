"""What a language model is asked for test sets: to `write` a question that goes over a bridge, to `phrase` a chain of
facts as one, and to `judge` one.
"""
