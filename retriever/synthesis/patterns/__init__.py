"""Patterns of questions over facts: `bridge`, `intersection`, `comparison` and `single`.

Each proposes `draft`s, which nobody has verified, with names by `naming`.
"""
