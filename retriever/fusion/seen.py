"""Which questions a fusion was trained on: short hashes of their texts, which tell a subset of a file too."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from hashlib import blake2b

WIDTH = 8
"""Bytes of a hash: among a million questions two share one with a chance of 1 in 30 million."""


def packed(texts: Iterable[str]) -> str:
    """Return the sorted hashes of questions, one after the other, in base64; case and blanks do not count."""
    return base64.b64encode(b"".join(sorted({_hash(text) for text in texts}))).decode("ascii")


def unpacked(hashes: str) -> frozenset[bytes]:
    """Take back what `packed` gave; raise ValueError for anything else."""
    found = base64.b64decode(hashes, validate=True)
    if len(found) % WIDTH:
        raise ValueError(f"{len(found)} bytes are no hashes of {WIDTH}")
    return frozenset(found[start : start + WIDTH] for start in range(0, len(found), WIDTH))


def n_seen(texts: Iterable[str], hashes: Iterable[str]) -> int:
    """Return how many of some questions are among those of packed hashes."""
    known: frozenset[bytes] = frozenset().union(*map(unpacked, hashes))
    return sum(_hash(text) in known for text in texts)


def question_key(text: str) -> int:
    """Return a number for a question, the same for texts that differ in case and blanks alone; not negative."""
    return int.from_bytes(_hash(text), "little") >> 1


def _hash(text: str) -> bytes:
    plain = " ".join(text.casefold().split())
    return blake2b(plain.encode("utf-8", "replace"), digest_size=WIDTH).digest()
