"""Answers by a language model: from what was read alone, with quotes that are looked up before they are cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from retriever.answers.hops.nested import descriptions
from retriever.answers.passages import Passage
from retriever.answers.reading import Reading
from retriever.answers.text.forms import FORMS
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import FUNCTION, stem_of, word_spans
from retriever.prompts import answer as prompt
from retriever.question.reader import linked_question
from retriever.session import Session
from retriever.types import Answer, Citation, Step
from weft.chat.base import Options

OPTIONS = Options(temperature=0.0, max_tokens=600)
OWN = FUNCTION.union(
    "yes no one two three four five six seven eight nine ten year years month months day days".split()
)
"""Words that a model may say by itself: small words, yes, no, and what it has reckoned."""

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
    asked = prompt.REASON if is_multi_hop(session, reading) else prompt.EXTRACT
    passages = reading.passages
    shown = prompt.listing([(each.title, each.text) for each in passages])
    reply = session.complete(asked.messages(passages=shown, question=reading.asked.text), OPTIONS)
    written = prompt.read_reply(reply.text, len(passages))
    checked = check(written, passages, reading.asked.text, copied=asked is prompt.EXTRACT)
    detail = {"prompt": asked.version, "reply": reply.text, "passages": len(passages)}
    step = Step("answer", timer.seconds(), 1, int(reply.cached), reply.tokens_in, reply.tokens_out)
    session.trace.add(step._replace(warnings=checked.warnings, detail=detail))
    return checked.answer


def is_multi_hop(session: Session, reading: Reading) -> bool:
    """Tell whether an answer needs several passages: things are compared, or something is described, not named."""
    text = reading.asked.text
    choices = any(FORMS[each.form] == "choice" for each in reading.candidates)
    return choices or bool(descriptions(text, linked_question(session, text).mentions))


def check(written: prompt.Written, passages: Sequence[Passage], question: str, *, copied: bool) -> Checked:
    """Return an answer with the quotes that stand in their passages; without any it is withheld.

    Where it is to be `copied` it must stand in a passage that it quotes, else these and the question have its words.
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
    quoted = [passages[index] for index in found.values()]
    if foreign := _foreign(written.answer, [question, *(f"{each.title} {each.text}" for each in quoted)]):
        warnings.append(f"no passage that it quotes says {foreign!r} of the answer; it is withheld")
        return Checked(Answer(None, "generated"), tuple(dict.fromkeys(warnings)))
    return Checked(Answer(written.answer, "generated", tuple(found)), tuple(dict.fromkeys(warnings)))


def _foreign(answer: str, texts: Sequence[str]) -> str:
    """Return the first word of an answer that no text says in any form; numbers may be reckoned, small words added."""
    said = {stem_of(each) for text in texts for each, *_ in word_spans(text)}
    words = (each for each, *_ in word_spans(answer) if each.lower() not in OWN and not any(map(str.isdigit, each)))
    return next((each for each in words if stem_of(each) not in said), "")


def span_of(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands in a text, blanks and case apart; None where it does not."""
    words = quote.split()
    if sum(map(len, words)) < SHORTEST:
        return None
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.I)
    return None if found is None else found.span()
