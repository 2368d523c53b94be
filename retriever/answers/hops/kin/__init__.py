"""Kin: who is somebody's father, wife or daughter.

`relations` has the words for them, `steps` takes words such as "father-in-law" apart, `kinship` finds whom a text says
to be kin (`names` where a name stands), `relatives` who that is.
"""
