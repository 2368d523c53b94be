"""Words, sentences and what stands around links, found by whole arrays, against text by text and word by word."""

from __future__ import annotations

import random
from itertools import accumulate, chain, pairwise

import numpy as np

from builder.search_arrays.links import NEAR, Links, link_arrays
from builder.search_arrays.text_batches import Batch, Sentences, Words, batch_of, sentences_in, words_in
from builder.search_arrays.vocabulary import LONGEST, Vocabulary
from weft.text.normalise import words_of
from weft.text.sentences import spans
from weft.text.stems import stem, stems_of

PIECES = (
    "a", "The", "built", "2019", "Straße", "café", "e\u0301te\u0301", "Ärzte-Haus", "東京駅。", "1939–45", "ﬁn", "İx",
    "x" * 30, "z" * LONGEST, "Z" * (LONGEST + 1), "_", "A_b", "—", "?!", "K", "\u0345", "мост", "ไทย",
)  # fmt: skip
BLANKS = (" ", " ", " ", "", "\n", "\u00a0", "\u3000", "\x1c", ". ", "(", ", ")


def _said(vocabulary: Vocabulary, numbers: list[int]) -> list[str]:
    """Return the stems that have some numbers."""
    parts = dict(vocabulary.arrays())
    stems = parts["stem.text"].tobytes().decode().split("\n")
    by_number = dict(zip(parts["stem.number"].tolist(), stems[:-1], strict=True))
    return [by_number[number] for number in numbers]


def _drawn(seed: int) -> tuple[list[str], list[list[int]]]:
    """Return texts, some of them blank, and ends of sentences, which part no letters of one word of ASCII."""
    draw = random.Random(seed)
    texts, ends = [], []
    for _ in range(draw.randint(1, 9)):
        parts = [draw.choice((*PIECES, *BLANKS)) + draw.choice(BLANKS) for _ in range(draw.choice((0, 1, 9, 40)))]
        text = "".join(parts)
        texts.append(text)
        fit = {at for at in accumulate(map(len, parts)) if not (text[at - 1 : at + 1].isalnum() and at < len(text))}
        ends.append([*sorted(draw.sample(sorted(fit - {len(text)}), k=len(fit - {len(text)}) // 3)), len(text)])
    return texts, ends


def _read(texts: list[str], ends: list[list[int]], vocabulary: Vocabulary) -> tuple[Batch, Words, Sentences]:
    ids, counts = np.arange(7, 7 + len(texts)), np.array([len(row) for row in ends])
    batch = batch_of(0, ids, texts, counts, np.fromiter(chain.from_iterable(ends), np.int32))
    return batch, words_in(batch, vocabulary), sentences_in(batch)


def test_words_and_sentences_are_those_of_each_text() -> None:
    for seed in range(300):
        texts, ends = _drawn(seed)
        vocabulary = Vocabulary()
        _, words, sentences = _read(texts, ends, vocabulary)
        found = [spans(text, own) or [(0, len(text))] for text, own in zip(texts, ends, strict=True)]
        stems = [
            [stems_of(text[start:end]) for start, end in own] for text, own in zip(texts, found, strict=True)
        ]
        assert sentences.counts.tolist() == [len(own) for own in found]
        counts = words.stems_before(sentences.ends) - words.stems_before(sentences.begins)
        assert counts.tolist() == [len(own) for row in stems for own in row]
        assert _said(vocabulary, words.stems.tolist()) == [each for row in stems for own in row for each in own]


def test_what_stands_around_links_is_what_their_neighbourhood_says() -> None:
    for seed in range(300):
        texts, ends = _drawn(seed)
        draw, vocabulary = random.Random(seed), Vocabulary()
        batch, words, sentences = _read(texts, ends, vocabulary)
        places = [(i, *sorted(draw.choices(range(len(text) + 1), k=2))) for i, text in enumerate(texts) for _ in "abc"]
        places.sort()
        own, starts, stops = np.array(places, np.int64).T
        links = Links(own, own, batch.starts[own] + starts, batch.starts[own] + stops)
        parts = dict(link_arrays(batch, words, sentences, links, vocabulary))
        firsts = np.cumsum(np.append(0, parts["context.size"])).tolist()
        around = [_said(vocabulary, parts["context.stem"][first:last].tolist()) for first, last in pairwise(firsts)]
        for (text, start, end), sentence, stems in zip(places, parts["link.sentence"].tolist(), around, strict=True):
            # A sentence parts letters of scripts without blanks; no other word goes on behind it.
            near = [*_near(texts[text], ends[text], max(0, start - NEAR), start),
                    *_near(texts[text], ends[text], end, end + NEAR // 2)]  # fmt: skip
            assert sorted(stems) == sorted({stem(word) for piece in near for word in words_of(piece)})
            begins = [first for first, _ in spans(texts[text], ends[text]) or [(0, 0)]]
            assert sentence == max(0, sum(first <= start for first in begins) - 1)


def _near(text: str, ends: list[int], start: int, end: int) -> list[str]:
    """Return what a text has between two offsets, parted where sentences end."""
    inner = [at for at in ends if start < at < min(end, len(text))]
    return [text[first:last] for first, last in pairwise([start, *inner, max(start, min(end, len(text)))])]


def test_words_are_learnt_anew_where_too_many_are_known() -> None:
    vocabulary, again = Vocabulary(most_words=3), Vocabulary()
    texts = ["one two three four five six", "two four six eight ten", "one three five"]
    for text in texts:
        _, words, _ = _read([text], [[len(text)]], vocabulary)
        assert words.stems.tolist() == _read([text], [[len(text)]], again)[1].stems.tolist()
