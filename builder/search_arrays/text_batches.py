"""The texts of chunks a batch at a time: as one string, its code points, its sentences and its words' stems."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.search_arrays.row_batches import text_batches
from builder.search_arrays.vocabulary import PlainText, Vocabulary, digits_of
from weft.arrays.blobs import starts_of
from weft.arrays.sentence_table import load_sentence_table
from weft.text.normalise import words_of

Offsets = NDArray[np.int64]
Flags = NDArray[np.bool_]

MOST_TEXTS, MOST_CHARACTERS = 4096, 1 << 21
"""At most so many texts, and about so many characters, are in memory at once; more in one batch are no faster."""

TEXTS = "SELECT id, text FROM chunk ORDER BY id"

BLANK = ord(" ")
LAST_BLANK = 0x3000
"""The greatest code point of what `str.strip` takes for a blank."""
IS_BLANK = np.array([chr(code).isspace() for code in range(LAST_BLANK + 1)] + [False])
BEYOND = 128
FOLDED = np.array([ord(chr(code).lower()) if chr(code).isalnum() else BLANK for code in range(BEYOND)] + [BLANK], "|u1")
"""What `words_of` makes of a code point of ASCII; a blank for all beyond, whose words are found apart."""


class Batch(NamedTuple):
    """Texts of the chunks `ids` (n,) in one, a line end behind each; offsets count in all of it.

    The first one's place among all is `first`. Text i stands from `starts[i]` to
    `ends[i]`. Its sentences are `counts[i]` of those (m,) that begin at `begins` and
    end at `stops`. `codes` (c,) are all code points, and `is_blank` tells which ones
    are blanks.
    """

    first: int
    ids: Offsets
    text: str
    codes: NDArray[np.uint32]
    is_blank: Flags
    starts: Offsets
    ends: Offsets
    counts: Offsets
    begins: Offsets
    stops: Offsets


class Words(NamedTuple):
    """Words (w,) from `starts` to `ends`; one that `is_piece` is all between two blanks, with letters beyond ASCII.

    `plain` is the text with small letters and digits of ASCII, but for pieces, and
    blanks for all else. Word i has the stems `stems[firsts[i] : firsts[i + 1]]`:
    one, or those of all words that the piece holds.
    """

    plain: PlainText
    starts: Offsets
    ends: Offsets
    is_piece: Flags
    firsts: Offsets
    stems: NDArray[np.int32]

    def stems_before(self, offsets: Offsets) -> Offsets:
        """Return how many stems have the words that begin before each offset."""
        found: Offsets = self.firsts[np.searchsorted(self.starts, offsets)]
        return found


def batches(connection: sqlite3.Connection) -> Iterator[Batch]:
    """Yield the texts of all chunks by id, and where their sentences end."""
    table = load_sentence_table(connection)
    first = 0
    for rows in text_batches(connection, TEXTS, MOST_TEXTS, MOST_CHARACTERS):
        ids, texts = zip(*rows, strict=True)
        last = first + len(rows)
        counts = np.diff(table.starts[first : last + 1])
        stops = table.ends[table.starts[first] : table.starts[last]]
        yield batch_of(first, np.array(ids, np.int64), texts, counts, stops)
        first = last


def batch_of(first: int, ids: Offsets, texts: Sequence[str], counts: Offsets, stops: NDArray[np.int32]) -> Batch:
    """Return a batch of texts (n,), with the `counts` (n,) of their sentences and where these end in each text (m,)."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    starts = starts_of(lengths + 1)[:-1]
    whole = np.repeat(starts, counts) + stops
    begins = np.concatenate([[0], whole])[:-1]
    begins[starts_of(counts)[:-1]] = starts
    text = "\n".join((*texts, ""))
    codes = np.frombuffer(text.encode("utf-32-le"), "<u4")
    is_blank = IS_BLANK[np.minimum(codes, LAST_BLANK + 1)]
    return Batch(first, ids, text, codes, is_blank, starts, starts + lengths, counts, begins, whole)


def words_in(batch: Batch, vocabulary: Vocabulary) -> Words:
    """Return the words that `words_of` finds in each sentence of a batch. Linear."""
    folded = FOLDED[np.minimum(batch.codes, BEYOND)]
    pieces = _pieces_apart(batch, folded)
    folded[_within(pieces, len(folded))] = BLANK
    plain = PlainText(folded.tobytes().decode("ascii"), digits_of(folded))
    words = runs(folded != BLANK)
    stems = vocabulary.of_spans(plain, *words.T)
    if not len(pieces):
        nothing = np.zeros(len(words), bool)
        return Words(plain, words[:, 0], words[:, 1], nothing, np.arange(len(words) + 1), stems)
    said = [vocabulary.of(words_of(batch.text[start:end])) for start, end in pieces.tolist()]
    order = np.argsort(np.concatenate([words[:, 0], pieces[:, 0]]))
    is_piece = order >= len(words)
    sizes = np.concatenate([np.ones(len(words), np.int64), [len(each) for each in said]])[order]
    of_piece = np.repeat(is_piece, sizes)
    merged = np.empty(len(of_piece), np.int32)
    merged[of_piece], merged[~of_piece] = np.concatenate(said), stems
    spans = np.concatenate([words, pieces])[order]
    return Words(plain, spans[:, 0], spans[:, 1], is_piece, starts_of(sizes), merged)


def _pieces_apart(batch: Batch, folded: NDArray[np.uint8]) -> Offsets:
    """Return where pieces between blanks begin and end (p, 2) that hold what is not ASCII.

    A sentence's end parts pieces; both parts of a word of ASCII that it would part come too.
    """
    inner = batch.begins[batch.begins > 0]
    parted = inner[(folded[inner - 1] != BLANK) & (folded[inner] != BLANK)]
    foreign = np.flatnonzero((batch.codes >= BEYOND) & ~batch.is_blank)
    if not len(foreign) and not len(parted):
        return np.empty((0, 2), np.int64)
    begins = np.zeros(len(folded), bool)
    begins[batch.begins] = True
    pieces = runs(~batch.is_blank, begins[1:])
    return pieces[np.unique(np.searchsorted(pieces[:, 0], np.concatenate([foreign, parted - 1, parted]), "right") - 1)]


def _within(spans: Offsets, n: int) -> Flags:
    """Tell of n offsets which lie within spans (p, 2) that do not overlap."""
    steps = np.zeros(n + 1, np.int8)
    steps[spans[:, 0]] += 1
    steps[spans[:, 1]] -= 1
    return np.cumsum(steps[:n], dtype=np.int8).astype(bool)


def runs(flags: Flags, parted: Flags | bool = False) -> Offsets:
    """Return where runs of set flags (n,) begin and end (r, 2), the last flag unset; `parted` (n - 1,) ends some."""
    starts = np.flatnonzero(flags & np.concatenate([[True], ~flags[:-1] | parted]))
    return np.stack([starts, np.flatnonzero(flags[:-1] & (~flags[1:] | parted)) + 1], 1)


class Sentences(NamedTuple):
    """Sentences that are not blank, or the whole of a blank text: `counts` (n,) by text, and where each stands (s,).

    The first character that is no blank is at `firsts`, in a blank text that of the next one.
    """

    counts: Offsets
    begins: Offsets
    ends: Offsets
    firsts: Offsets


def sentences_in(batch: Batch) -> Sentences:
    """Return the sentences of a batch as `spans` finds them in each text. Linear."""
    seen = np.flatnonzero(~batch.is_blank)
    index = np.searchsorted(seen, batch.begins)
    kept = np.searchsorted(seen, batch.stops) > index
    counts = np.add.reduceat(kept, starts_of(batch.counts)[:-1], dtype=np.int64)
    # A blank text is one sentence, its last.
    kept[(np.cumsum(batch.counts) - 1)[counts == 0]] = True
    firsts = np.append(seen, len(batch.text))[index]
    return Sentences(np.maximum(counts, 1), batch.begins[kept], batch.stops[kept], firsts[kept])
