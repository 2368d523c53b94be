"""Bytes of files before their format is known: `lines` (of plain and packed files), `archives` (tar), `detect`
(which format a file has).
"""
