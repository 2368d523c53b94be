"""Where the sentences of chunks end: line ends, full stops, and what spaCy's blank pipelines know of them.

A row of a table or an infobox is one sentence, whatever stops its cells hold.

spaCy's pipelines read 0.5 MB a second, so that a build over whole texts would take 1.7 times as long. But whether the
full stop behind a word is the word's own (`U.S.`, `Dr.`) they decide by the word alone. So each word before a full stop
is asked about once, and those are left out of which it is certain (`builder.search_arrays.plain_words`): texts that
hold no others never load spaCy.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from builder.search_arrays.plain_words import ends_sentence
from builder.search_arrays.row_batches import text_batches
from weft.arrays.sentence_table import BLOCK, write_block
from weft.text.sentences import UNSPACED_STOPS
from weft.text.tokens import ABBREVIATIONS, word_set

if TYPE_CHECKING:
    from spacy.language import Language

RULES = 2
"""Part of the stage's fingerprint: a new number makes an update find the ends of all chunks again."""

TEXTS = """
SELECT chunk.id, ifnull(page.language, ''), chunk.kind IN ('table', 'infobox'), chunk.text
FROM chunk JOIN page ON page.id = chunk.page_id
ORDER BY chunk.id
"""

MOST_CHARACTERS = 4_000_000
"""At most about this many characters of text are in memory at once."""

LONGEST_WORD, MOST_WORDS = 60, 10_000
"""Of a word this many characters are asked about, its last, and so many words at once.

Together they stay below `Language.max_length`, and the tokeniser's time below the square of a hostile word.
"""

MOST_KEPT = 500_000
"""Answers kept of one language."""

NEXT_WORD = "Next"
LANGUAGE = re.compile(r"[a-z]{2,3}")
ANY_LANGUAGE = "xx"
ENGLISH = ("en", ANY_LANGUAGE)
"""Where English abbreviations are looked for: without a language they hardly are other words, in others they may be."""

STOPS = ".!?;…\u0589-\u1fff‼‽⁇⁈⁉⸮\ua4ff-\uabff﹒﹖﹗！．？"
"""Signs and ranges of signs that may end a sentence; the ranges hold the full stops from Armenian to Meetei Mayek."""

END = re.compile(rf"[\n{UNSPACED_STOPS}{STOPS}](?:(?<=\n)|(?<=[{UNSPACED_STOPS}])|(?<=[^\n\w])[\"'”’»)\]]*(?=[^\S\n]))")
"""A line end; a full stop that needs no blank; a sign before a blank: of these a rule or spaCy tells which is one.

One class of characters comes first, so that letters are skipped: five times as fast.
"""

LINE_END = re.compile("\n")
OPENING = "\"'“‘«(["
FOLLOWING = re.compile(rf"[^\S\n]+[{re.escape(OPENING)}]*(\w+)")

OPENERS = word_set(
    """After Although An As At Before But By During For From He Her His However If In It Its On She Since That The
    Their There These They This Those Though Until We When While With"""
)
"""What hardly goes on a name or a number, so that the full stop of an abbreviation before it ends a sentence too."""

NEVER_LAST = word_set(
    """approx c ca capt cf col cpl dr e.g fig gen gov hon i.e lt mlle mme mr mrs ms mt no nos op pres prof rep rev sen
    sgt st v vol vs"""
)
"""Abbreviations that need a word behind them."""

ALWAYS = (";", "...", "…")
"""What ends a sentence behind any word."""


class Stop(NamedTuple):
    """A sign that may end a sentence: the text's number in its batch, the word up to the sign, and the word behind."""

    text: int
    end: int
    word: str
    following: str


def write_sentence_ends(connection: sqlite3.Connection) -> None:
    """Write the ends of every chunk's sentences anew, in one pass; memory holds a block of texts."""
    connection.execute("DELETE FROM sentence_end")
    known: dict[str, dict[str, bool]] = {}
    for rows in text_batches(connection, TEXTS, BLOCK, MOST_CHARACTERS):
        ids, languages, by_line, texts = zip(*rows, strict=True)
        write_block(connection, ids, sentence_ends(texts, languages, by_line, known))


def sentence_ends(
    texts: Sequence[str], languages: Sequence[str], by_line: Sequence[bool], known: dict[str, dict[str, bool]]
) -> list[list[int]]:
    """Return the ends of each text's sentences, ascending, the last its length.

    `languages` are as documents give them, `en` or `pt-BR` or empty; `by_line` are the texts whose lines alone are
    sentences; `known` keeps by language whether a word's full stop ends a sentence. Linear.
    """
    ends: list[list[int]] = []
    asked: dict[str, list[Stop]] = {}
    for number, (text, language, is_by_line) in enumerate(zip(texts, languages, by_line, strict=True)):
        found, stops = (_line_ends(text), []) if is_by_line else _ends_and_stops(number, text)
        ends.append(found)
        if stops:
            asked.setdefault(_code(language), []).extend(stops)
    for code, stops in asked.items():
        judged = known.setdefault(code, {})
        _judge(judged, code, [stop.word for stop in stops])
        for stop in stops:
            if _ends_sentence(stop, code, judged[stop.word]):
                ends[stop.text].append(stop.end)
    return [_without_blank(text, found) for text, found in zip(texts, ends, strict=True)]


def _line_ends(text: str) -> list[int]:
    return [*(match.end() for match in LINE_END.finditer(text)), len(text)]


def _ends_and_stops(number: int, text: str) -> tuple[list[int], list[Stop]]:
    """Return the ends that are certain, and other stops before a capital, a digit or a letter of neither case."""
    ends, stops = [len(text)], []
    for match in END.finditer(text):
        start, end = match.span()
        if text[start] == "\n" or text[start] in UNSPACED_STOPS:
            ends.append(start if text[start] == "\n" else end)
            continue
        following = FOLLOWING.match(text, end)
        if following and not following[1][0].islower() and not _is_title(match[0], following[0]):
            (word,) = text[max(0, start + 1 - LONGEST_WORD) : start + 1].split()[-1:]
            if word.endswith(ALWAYS):
                ends.append(end)
            else:
                stops.append(Stop(number, end, word.lstrip(OPENING), following[1]))
    return ends, stops


def _is_title(stop: str, following: str) -> bool:
    """Tell whether a stop and a quotation mark behind it end a name: `"Who?" (1985)`, `"Low;" "High"`."""
    return len(stop) > 1 and (stop[0] == ";" or following.lstrip()[0] in "([")


def _ends_sentence(stop: Stop, code: str, judged: bool) -> bool:
    """Tell whether a stop ends a sentence; `judged` is what the pipeline says of its word."""
    word = stop.word.removesuffix(".").lower()
    abbreviates = not judged or (code in ENGLISH and stop.word[-1] == "." and word in ABBREVIATIONS)
    return not abbreviates or (stop.following in OPENERS and word not in NEVER_LAST)


def _judge(known: dict[str, bool], code: str, words: Iterable[str]) -> None:
    """Add to `known` whether the last sign of each word ends a sentence."""
    new = list(dict.fromkeys(word for word in words if word not in known))
    if len(known) + len(new) > MOST_KEPT:
        known.clear()
        new = list(dict.fromkeys(words))
    known.update((word, judged) for word in new if (judged := ends_sentence(word, code)) is not None)
    asked = [word for word in new if word not in known]
    for start in range(0, len(asked), MOST_WORDS):
        batch = asked[start : start + MOST_WORDS]
        known.update(zip(batch, ended_by(batch, code), strict=True))


def ended_by(words: Sequence[str], code: str) -> Iterator[bool]:
    """Yield of each word whether a sentence begins behind it.

    Some tokenisers leave signs of other scripts on the word, where the sentencizer does not see them.
    """
    from spacy.pipeline import Sentencizer

    signs = {sign for sign in Sentencizer.default_punct_chars if sign != "."}
    nlp = _pipeline(code)
    behind = list(accumulate(len(word) + len(NEXT_WORD) + 2 for word in words))
    with nlp.memory_zone():
        first = {sentence.start_char for sentence in nlp("".join(f"{word} {NEXT_WORD} " for word in words)).sents}
    for word, end in zip(words, behind, strict=True):
        yield word[-1] in signs or end - len(NEXT_WORD) - 1 in first


def _code(language: str) -> str:
    """Return the language whose pipeline finds the sentences, as spaCy calls it."""
    code = re.split("[-_]", language.strip().lower())[0]
    if code in ENGLISH:
        return code
    return code if LANGUAGE.fullmatch(code) and _pipeline(code) is not _pipeline(ANY_LANGUAGE) else ANY_LANGUAGE


@cache
def _pipeline(code: str) -> Language:
    """Return spaCy's blank pipeline of a language with its sentencizer, that of no language where it has none."""
    import spacy

    try:
        nlp = spacy.blank(code)
    except ImportError:  # a language that spaCy does not know, or whose words another library cuts
        return _pipeline(ANY_LANGUAGE)
    nlp.add_pipe("sentencizer")
    return nlp


def _without_blank(text: str, ends: Iterable[int]) -> list[int]:
    """Return ends in order, those left out that nothing but blanks stands before, the last kept."""
    kept, start = [], 0
    for end in sorted(set(ends)):
        if end == len(text) or text[start:end].strip():
            kept.append(end)
        start = end
    return kept
