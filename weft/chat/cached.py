"""A language model that is asked nothing twice: what it once replied is read from a file.

>>> CachedChat(ScriptedChat(["Veldra"]), ReplyStore()).complete([Message("user", "Which river?")])   # doctest: +SKIP
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from weft.chat.base import DEFAULT, Message, Options, Reply, Requested
from weft.chat.replies import plain
from weft.chat.store import Conversation, ReplyStore, conversation_of


class CachedChat:
    """Replies of a model, kept as each arrives, for any number of threads.

    Of several threads that ask the same at once one sends it, and all get its reply.
    """

    def __init__(self, chat: Requested, store: ReplyStore) -> None:
        self.name = chat.name
        self.store = store
        self._chat = chat
        self._turns = _Turns()

    def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
        """Return the first n samples without reasoning and fences; those that were known are marked as cached.

        Raise ModelError where the model gives none; what it gave before that is kept.
        """
        conversation = conversation_of(self.name, messages, options)
        with self._turns.of(conversation.hash):
            found = self.store.replies(conversation, n)
            while len(found) < n:
                first = next(sample for sample in range(n) if sample not in found)
                missing = next((sample for sample in range(first, n) if sample in found), n) - first
                found |= self._asked(conversation, options, first, missing)
        return [found[sample]._replace(text=plain(found[sample].text)) for sample in range(n)]

    def _asked(self, conversation: Conversation, options: Options, first: int, n: int) -> dict[int, Reply]:
        """Return what one request gives, kept already, by sample number."""
        start = time.perf_counter()
        given = self._chat.ask(conversation.messages, n=n, first=first, options=options)
        self.store.put(conversation, first, given, time.perf_counter() - start)
        return dict(enumerate(given[:n], first))


class _Turns:
    """One lock for each thing that is being asked, which is forgotten when nobody waits for it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._held: dict[str, tuple[Lock, int]] = {}

    @contextmanager
    def of(self, key: str) -> Iterator[None]:
        """Let one thread at a time in."""
        with self._lock:
            turn, waiting = self._held.get(key, (Lock(), 0))
            self._held[key] = turn, waiting + 1
        try:
            with turn:
                yield
        finally:
            with self._lock:
                turn, waiting = self._held.pop(key)
                if waiting > 1:
                    self._held[key] = turn, waiting - 1
