"""Usage texts, such as `--help` prints them: what their lines say of an option.

>>> text = "Options:\\n  -p, --parallel  Add a suffix\\n                  to the name.\\n  -h              Help."
>>> [text[start:end].split() for start, end in said_of_option(text, "--parallel")]
[['Add', 'a', 'suffix', 'to', 'the', 'name.']]
>>> next(said_of_option("--keep=N   How many.", "keep"))
(11, 20)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.questions.terms import term_asked
from retriever.answers.ranker import Ranked, single_candidate
from retriever.answers.reading import Reading
from retriever.answers.rules.entries import OPTIONS
from retriever.answers.text.likeness import normalised
from weft.text.sentences import Span

TOLD = 0.8
"""The chance of what a usage text says of an option."""

LINE = re.compile(
    r"^(?P<indent> *)(?P<terms>-[^\n]{0,100}?\S)(?: {2,}|\n(?P=indent) {2,}(?=[^\s-]))"
    r"(?P<said>\S[^\n]*(?:\n(?P=indent) {2,}(?!-)\S[^\n]*)*)", re.M,
)
"""Options with what is said of them, in the same line or indented below, and in deeper lines."""


def said_in_usage(reading: Reading) -> Ranked | None:
    """Return what a usage text says of the option that a question asks about and nothing else; None where none does."""
    term = term_asked(reading.asked.text)
    for index, passage in enumerate(reading.passages) if term.startswith("-") else ():
        for start, end in said_of_option(passage.text, term) if passage.kind == "code" else ():
            text = " ".join(passage.text[start:end].split()).rstrip(" .;:")
            only = Candidate(text, normalised(text), index, start, end, NUMBERED["clause"], 0)
            return single_candidate(reading, only, TOLD)
    return None


def said_of_option(text: str, option: str) -> Iterator[Span]:
    """Yield the characters that a usage text says of an option, which may be named without its dashes."""
    for line in LINE.finditer(text):
        terms = OPTIONS.split(line["terms"])
        if option in terms or f"--{option}" in terms:
            yield line.span("said")
