"""Columns: what is known of each candidate, for a ranker.

Read `features` first. `sentences` has what is said and meant around a candidate, by way of `chains` of links too,
`cells` what the labels and other cells of a table say of one, `labels` what a label says, `fits` how well it is what is
asked for, `lives` where and when somebody was born, died or studied, by `life_patterns`, as `subjects` has it of
whom that is said. `populations` how many people live somewhere.
"""
