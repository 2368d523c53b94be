"""Replies from any OpenAI-compatible endpoint: paced, retried, within a budget, and one line where none can be had."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Any, NoReturn

from weft.chat.base import Message, Options, Reply
from weft.chat.budget import TokenBudget
from weft.chat.many import CONCURRENCY
from weft.chat.payload import Form, N, other_form, payload_of, replies_in, tokens_counted
from weft.chat.tokens import tokens_read, tokens_written
from weft.errors import ModelBusy, ModelError, ModelRefused, ModelUnreachable, UnusableReply
from weft.http.limits import Limits, is_offline
from weft.http.rate import Rate
from weft.http.retrying import RETRYABLE_STATUS, Retry, RetryableError, wait_in
from weft.http.service import opened_client, reason_of, safe_line, service_host
from weft.http.stopping import go_on

DEFAULT_RETRY = Retry()
DEFAULT_LIMITS = Limits(32_000_000, 120.0)
NO_QUOTA = "insufficient_quota"
"""The code of a refusal that looks like one for a while and does not pass."""

TO_DO = {
    401: "check OPENAI_API_KEY", 403: "check OPENAI_API_KEY, and whether it may use this model",
    404: "check the model's name and OPENAI_BASE_URL",
}  # fmt: skip
REFUSING = frozenset({400, 422})
"""HTTP states of a request whose form is refused."""

LONGEST_REFUSAL = 10_000
"""Characters of a refusal in which the name of a parameter is looked for."""

GOES_ON = "run it again later: what was answered is kept and not asked again"


class Unreachable(RetryableError):
    """No whole answer came."""


class TimedOut(Unreachable):
    """A request was sent, and may be paid for, but no whole answer came in time."""


class Garbled(RetryableError):
    """An answer came that is none."""


class Adapted(Exception):
    """The service refused the form of a request and may take another one."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form


class OpenAiChat:
    """A model behind `OPENAI_BASE_URL`, asked by any number of threads, `concurrency` at a time.

    Every request is kept to `rate` and `budget`, and made again as `retry` says. `CachedChat` gives as many replies as
    are wanted, of as many requests as these take.
    """

    def __init__(
        self, model: str, *, retry: Retry = DEFAULT_RETRY, rate: Rate | None = None,
        budget: TokenBudget | None = None, limits: Limits = DEFAULT_LIMITS, concurrency: int = CONCURRENCY,
    ) -> None:  # fmt: skip
        """Prepare; nothing is connected before the first request."""
        self.name = f"openai:{model}"
        self.model = model
        self._retry = retry
        self._rate = rate or Rate(0, 0)
        self._budget = budget or TokenBudget(sys.maxsize)
        self._limits = limits
        self._free = BoundedSemaphore(concurrency)
        self._lock = Lock()
        self._idle: list[Any] = []
        self._has_answered = False
        self._forms: dict[str, Form] = {}

    def ask(self, messages: Sequence[Message], *, n: int, first: int, options: Options) -> list[Reply]:
        """Return the replies of one request, tried again while its failure may pass; raise ModelError."""
        try:
            return self._retry.run(lambda: self._attempt(messages, n, first, options))
        except RetryableError as failure:
            self._give_up(failure)

    def _attempt(self, messages: Sequence[Message], n: int, first: int, options: Options) -> list[Reply]:
        """Return the replies of one request, in whatever form the model takes it; that form is taken for the next."""
        model = options.model or self.model
        form = self._forms.get(model, Form())
        while True:
            try:
                replies = self._answer(messages, n, first, options, form)
            except Adapted as refusal:
                form = form.plus(refusal.form)
            else:
                with self._lock:
                    self._forms[model] = self._forms.get(model, Form()).plus(form)
                return replies

    def _answer(self, messages: Sequence[Message], n: int, first: int, options: Options, form: Form) -> list[Reply]:
        n = 1 if N in form.refused else n
        tokens_in, most = tokens_read(messages), n * tokens_written(options)
        with self._budget.reserved(tokens_in + most) as taken:
            spending = self._rate.spend(tokens_in + most)
            try:
                body = self._sent(payload_of(self.model, messages, n, first, options, form))
            except (TimedOut, UnusableReply):
                taken.tokens = tokens_in + most
                raise
            # An answer was paid for whether or not it can be used.
            taken.tokens = tokens_counted(body, tokens_in)
            try:
                replies = replies_in(body, messages)
            except ValueError as error:
                raise Garbled(safe_line(str(error))) from error
            taken.tokens = sum(reply.tokens_in + reply.tokens_out for reply in replies)
            self._rate.settle(spending, taken.tokens)
        return replies

    def _sent(self, payload: dict[str, Any]) -> bytes:
        """Return the body of one answer; raise RetryableError, or ModelError where asking again is of no use."""
        from openai import APIConnectionError, APIStatusError, OpenAIError

        if is_offline():
            raise ModelUnreachable(f"{self.name}: WEFT_OFFLINE is set, so {service_host()} is not asked")
        try:
            with self._client() as client:
                body = bytes(client.chat.completions.with_raw_response.create(**payload).content)
        except APIStatusError as error:
            self._has_answered = True
            self._refused(error, payload)
        except APIConnectionError as error:
            self._lost(error)
        except OpenAIError as error:
            raise ModelRefused(self._line(reason_of(error))) from error
        self._has_answered = True
        return body

    @contextmanager
    def _client(self) -> Iterator[Any]:
        """Lend a client, whose transport serves one request at a time, to one thread."""
        from openai import OpenAIError

        with self._free:
            go_on()
            with self._lock:
                client = self._idle.pop() if self._idle else None
            try:
                client = client or opened_client(self._limits, retries=0)
            except OpenAIError as error:
                raise ModelRefused(self._line(f"{reason_of(error)}; a local service takes any key")) from error
            try:
                yield client
            finally:
                with self._lock:
                    self._idle.append(client)

    def _refused(self, error: Any, payload: dict[str, Any]) -> NoReturn:
        """Raise what follows from an answer with an error's state."""
        state, reason = error.status_code, reason_of(error)
        if state in RETRYABLE_STATUS and error.code != NO_QUOTA:
            after_s = wait_in(error.response.headers)
            if state == 429 and after_s is not None and after_s <= self._retry.patience_s:
                # No wait at all is asked for by a service whose clock or counter is wrong.
                self._rate.hold(max(after_s, self._retry.first_s))
            raise RetryableError(reason, after_s)
        # The body says more where a service has another form of errors than OpenAI's.
        said = f"{error} {error.body}"[:LONGEST_REFUSAL]
        other = other_form(payload, error.param, said) if state in REFUSING else None
        if other is not None:
            raise Adapted(other) from error
        to_do = "pay for more, or name another model" if error.code == NO_QUOTA else TO_DO.get(state)
        raise ModelRefused(self._line(f"{reason}; {to_do}" if to_do else reason)) from error

    def _lost(self, error: Any) -> NoReturn:
        """Raise what follows from no answer; a service that nobody has ever reached is not there at all."""
        import httpx

        from weft.http.bounded import TooLarge, was_sent

        if isinstance(error.__cause__, TooLarge):
            raise UnusableReply(self._line(reason_of(error))) from error
        if isinstance(error.__cause__, httpx.ConnectError) and not self._has_answered:
            raise ModelUnreachable(self._line(f"{reason_of(error)}; check OPENAI_BASE_URL")) from error
        raise (TimedOut if was_sent(error.__cause__) else Unreachable)(reason_of(error)) from error

    def _give_up(self, failure: RetryableError) -> NoReturn:
        kinds: dict[type[RetryableError], type[ModelError]] = {
            Unreachable: ModelUnreachable, TimedOut: ModelUnreachable, Garbled: UnusableReply,
        }  # fmt: skip
        kind = kinds.get(type(failure), ModelBusy)
        too_long = failure.after_s is not None and failure.after_s > self._retry.patience_s
        asked = f"; it asks to wait {failure.after_s:,.0f} seconds" if too_long else ""
        raise kind(self._line(f"{failure}{asked}; {GOES_ON}")) from failure

    def _line(self, reason: str) -> str:
        return f"{self.name} at {service_host()}: {reason}"
