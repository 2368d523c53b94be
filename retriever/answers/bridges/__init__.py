"""Bridges: names in what is read that lead to further passages, where no sentence says all that is asked.

`names` finds the names beside what is asked, `onward` the passages that they lead to.
"""
