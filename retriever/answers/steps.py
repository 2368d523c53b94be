"""Steps: the list below a heading that says what a question asks how to do.

"How do I load the kiln?" is answered by all steps below "How to load the kiln".
"""

from __future__ import annotations

import re

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.ranker import Ranked, alone
from retriever.answers.reading import Reading
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.words import FUNCTION, WORD, stem_of, stems_in

HOW = re.compile(r"\W*(?:how (?:do|can|could|should|must|would|does|to)\b|what are the steps\b)", re.I)
ASKING = frozenset(map(stem_of, ("step", "steps", "properly", "correctly", "best")))
TOLD = 0.8
"""The chance of steps below a heading that says all that is asked, with its page's title."""


def steps(reading: Reading) -> Ranked | None:
    """Return the list below a heading that says what a question asks how to do, as one answer; None without one."""
    asked = reading.asked
    if not HOW.match(asked.text):
        return None
    wanted = {stem_of(word) for word in WORD.findall(asked.text) if word.lower() not in FUNCTION} - ASKING
    for index, passage in enumerate(reading.passages):
        heading = {*stems_in(passage.heading)}
        if passage.kind == "list" and wanted & heading and wanted <= heading | {*stems_in(passage.title)}:
            lines = [line.strip() for line in passage.text.split("\n") if line.strip()]
            text = " ".join(line if line[-1] in ".!?;:" else f"{line};" for line in lines).rstrip(";")
            key = " ".join(answer_tokens(text))
            return alone(reading, Candidate(text, key, index, *passage.bounds[0], NUMBERED["clause"], 0), TOLD)
    return None
