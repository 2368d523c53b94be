"""Bytes before anybody knows what they say: `lines` (of plain and packed files), `archives` (tar), `detect`
(which format a file has).
"""
