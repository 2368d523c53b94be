"""Answers by a language model: from what was read alone, with quotes that are looked up before they are cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from retriever.answers.passages import Passage
from retriever.answers.reading import Reading
from retriever.answers.text.forms import FORMS
from retriever.answers.text.likeness import normalised
from retriever.prompts import answer as prompt
from retriever.session import Session
from retriever.types import Answer, Citation, Step
from weft.chat.base import Options

OPTIONS = Options(temperature=0.0, max_tokens=600)
SHORTEST = 3
"""Characters of a quote that can be looked up."""


class Checked(NamedTuple):
    """An answer of which nothing is left that does not stand in a passage, and what was left out.

    There is none where the reply cannot be read as one.
    """

    answer: Answer | None
    warnings: tuple[str, ...]


def generated(session: Session, reading: Reading) -> Answer | None:
    """Return what the session's model answers from the passages; raise WeftError where it cannot be asked.

    Its text is None where the passages hold no answer, or nothing that the model quotes stands in them; it is None
    where the reply cannot be read.
    """
    timer = session.trace.timer()
    asked = prompt.REASON if is_multi_hop(reading) else prompt.EXTRACT
    passages = reading.passages
    shown = prompt.listing([(each.title, each.text) for each in passages])
    reply = session.complete(asked.messages(passages=shown, question=reading.asked.text), OPTIONS)
    checked = check(prompt.read_reply(reply.text, len(passages)), passages, copied=asked is prompt.EXTRACT)
    detail = {"prompt": asked.version, "reply": reply.text, "passages": len(passages)}
    step = Step("answer", timer.seconds(), 1, int(reply.cached), reply.tokens_in, reply.tokens_out)
    session.trace.add(step._replace(warnings=checked.warnings, detail=detail))
    return checked.answer


def is_multi_hop(reading: Reading) -> bool:
    """Tell whether an answer needs several passages: things are compared, or one leads to another that is not named."""
    choices = any(FORMS[each.form] == "choice" for each in reading.candidates)
    ways = zip(reading.ways.reached, reading.passages, strict=True)
    return choices or any(reach > 0 and each.named == 0 for reach, each in ways)


def check(written: prompt.Written, passages: Sequence[Passage], *, copied: bool) -> Checked:
    """Return an answer with the quotes that stand in their passages; without any it is withheld.

    Where it is to be `copied` it must stand in a passage that it quotes.
    """
    if written.answer is None:
        return Checked(Answer(None, "generated") if written.is_formed else None, written.warnings)
    warnings = list(written.warnings)
    found: dict[Citation, int] = {}
    for quote in written.quotes:
        span = span_of(quote.text, passages[quote.passage].text)
        if span is None:
            warnings.append("the model quotes words that do not stand in the passage; they are ignored")
        else:
            found[Citation(passages[quote.passage].uri, span)] = quote.passage
    if not found:
        warnings.append("nothing that the model quotes stands in a passage; its answer is withheld")
        return Checked(Answer(None, "generated"), tuple(dict.fromkeys(warnings)))
    texts = [f" {normalised(passages[index].text)} " for index in found.values()]
    if copied and not any(f" {normalised(written.answer)} " in text for text in texts):
        warnings.append("the answer does not stand in a passage that it quotes; it is withheld")
        return Checked(Answer(None, "generated"), tuple(dict.fromkeys(warnings)))
    return Checked(Answer(written.answer, "generated", tuple(found)), tuple(dict.fromkeys(warnings)))


def span_of(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands in a text, blanks and case apart; None where it does not."""
    words = quote.split()
    if sum(map(len, words)) < SHORTEST:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.I)
    return None if found is None else found.span()
