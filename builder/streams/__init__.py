"""Bytes of files before their format is known: `compression` (gzip, bzip2 and xz), `lines` (of plain and packed
files), `archives` (tar), `detect` (which format a file has),
`encodings` (of texts), `foreign` (kinds that are not read).
"""
