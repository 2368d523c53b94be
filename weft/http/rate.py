"""Budgets of a minute: requests wait until a service's limits of requests and tokens allow them."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from threading import Lock

from weft.http.stopping import go_on, pause

MINUTE = 60.0
LEAST_WAIT = 0.01


class Spending:
    """One request's tokens: an estimate, until `Rate.settle` is told how many they were."""

    __slots__ = ("at", "is_past", "tokens")

    def __init__(self, at: float, tokens: int) -> None:
        self.at = at
        self.tokens = tokens
        self.is_past = False


class Rate:
    """Holds the requests of all threads back so that any minute has at most so many of them and of their tokens.

    A bucket that fills steadily would let twice as many pass in its first minute.
    """

    def __init__(
        self,
        requests: int,
        tokens: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = pause,
    ) -> None:
        """Allow `requests` and `tokens` a minute; 0 sets no bound."""
        self.requests = requests
        self.tokens = tokens
        self._clock = clock
        self._sleep = sleep
        self._lock = Lock()
        self._spent: deque[Spending] = deque()
        self._total = 0
        self._held_until = -math.inf

    def spend(self, tokens: int) -> Spending:
        """Wait until a request of so many tokens fits, and count it; a larger one than a minute's goes alone.

        Raise Stopped where nobody waits for it any more.
        """
        while True:
            go_on()
            with self._lock:
                wait_s = self._wait_s(tokens)
                if not wait_s:
                    self._spent.append(Spending(self._clock(), tokens))
                    self._total += tokens
                    return self._spent[-1]
            self._sleep(wait_s)

    def hold(self, seconds: float) -> None:
        """Let no request go for so long: the service asked one of them to wait."""
        with self._lock:
            self._held_until = max(self._held_until, self._clock() + seconds)

    def settle(self, spending: Spending, tokens: int) -> None:
        """Count a request with the tokens that it took."""
        with self._lock:
            if not spending.is_past:
                self._total += tokens - spending.tokens
                spending.tokens = tokens

    def _wait_s(self, tokens: int) -> float:
        """Return how long to wait before it is looked again whether a request fits, 0 where it does."""
        now = self._clock()
        while self._spent and self._spent[0].at <= now - MINUTE:
            past = self._spent.popleft()
            past.is_past = True
            self._total -= past.tokens
        if now < self._held_until:
            return self._held_until - now
        if not self._spent or self._fits(tokens):
            return 0.0
        return max(LEAST_WAIT, self._spent[0].at + MINUTE - now)

    def _fits(self, tokens: int) -> bool:
        few = not self.requests or len(self._spent) < self.requests
        return few and (not self.tokens or self._total + tokens <= self.tokens)
