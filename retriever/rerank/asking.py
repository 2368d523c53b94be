"""Ask a prompt many times at once, and tell the trace of all of it in one step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from retriever.expansion.asking import ONE, stand_in
from retriever.prompts.template import Prompt
from retriever.session import Session
from retriever.types import Ranking, Step
from weft.chat.base import Options
from weft.errors import WeftError

EFFORTS = ("", "none", "low", "medium", "high")
"""How much a model may think; empty leaves it to the model."""

NO_MODEL = "the order of the ranking, which a language model would change"


class Settings(NamedTuple):
    """What all rerankers have: docs/methods.md."""

    k: int
    relations: bool
    tokens: int
    effort: str
    llm: str

    @property
    def options(self) -> Options:
        """How the model samples."""
        return ONE._replace(reasoning_effort=self.effort or None, model=self.llm or None)


def checked(name: str, settings: Settings) -> Settings:
    """Return the settings of a reranker; raise WeftError for an effort that there is not."""
    if settings.effort not in EFFORTS:
        raise WeftError(f"{name}: effort={settings.effort} is none of {', '.join(filter(None, EFFORTS))}")
    return settings


class Asked:
    """What one reranking asks: the replies to a prompt, and what the trace is told when it is done."""

    def __init__(self, session: Session, prompt: Prompt, options: Options) -> None:
        self.session = session
        self.prompt = prompt
        self.options = options
        self._timer = session.trace.timer()
        self._cached = self._read = self._written = 0
        self._replies: list[str] = []

    def replies(self, values: Iterable[Mapping[str, str]]) -> list[str]:
        """Return the reply to each filling of the prompt's gaps, asked at once as far as the settings allow."""
        conversations = [self.prompt.messages(**each) for each in values]
        given = self.session.each(conversations, self.options)
        for reply in given:
            self._cached += reply.cached
            self._read += reply.tokens_in
            self._written += reply.tokens_out
        self._replies += [reply.text for reply in given]
        return [reply.text for reply in given]

    def done(self, n_odd: int, detail: Mapping[str, object]) -> None:
        """Tell the trace what was asked, and how many replies could not be read."""
        warnings = (f"{self.prompt.step}: {n_odd} of {len(self._replies)} replies not understood",) if n_odd else ()
        own = {"prompt": self.prompt.version, "replies": self._replies, **detail}
        counts = len(self._replies), self._cached, self._read, self._written
        self.session.trace.add(Step(self.prompt.step, self._timer.seconds(), *counts, None, warnings, own))


def unchanged(session: Session, name: str, found: Ranking, why: str = NO_MODEL) -> Ranking:
    """Return a ranking as it is, and tell the trace why."""
    stand_in(session, name, why, {"hits": len(found.ids)})
    return found
