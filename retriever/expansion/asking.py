"""Ask the session's model for one or several replies, and tell the trace what it was asked and said."""

from __future__ import annotations

from collections.abc import Mapping

from retriever.prompts.template import Prompt
from retriever.session import Session
from retriever.types import Step
from weft.chat.base import Options

ONE = Options(temperature=0.0, seed=42)
SEVERAL = Options(temperature=0.7, seed=42)
"""Without chance all replies would be the same; the papers leave the temperature unstated."""


def replies(session: Session, prompt: Prompt, /, n: int = 1, **values: str) -> list[str]:
    """Return n replies to a prompt whose gaps are filled; empty ones are left out with a warning."""
    timer = session.trace.timer()
    given = session.samples(prompt.messages(**values), SEVERAL if n > 1 else ONE, n)
    texts = [reply.text for reply in given if reply.text.strip()]
    warnings = () if len(texts) == len(given) else (f"{prompt.step}: {len(given) - len(texts)} of the replies empty",)
    session.trace.add(
        Step(
            prompt.step, timer.seconds(), len(given), sum(reply.cached for reply in given),
            sum(reply.tokens_in for reply in given), sum(reply.tokens_out for reply in given),
            warnings=warnings, detail={"prompt": prompt.version, "replies": texts},
        )
    )  # fmt: skip
    return texts


def stand_in(session: Session, name: str, stands_in: str, detail: Mapping[str, object]) -> None:
    """Tell the trace what did a model's work."""
    session.trace.add(Step(name, 0.0, stand_in=stands_in, detail=detail))
