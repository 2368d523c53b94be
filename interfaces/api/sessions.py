"""Sessions for any number of threads: each call borrows one, and only as many exist as ran at once."""

from __future__ import annotations

from threading import Lock
from types import TracebackType

from retriever.context import Context
from retriever.session import Session
from weft.chat.base import Chat
from weft.errors import WeftError
from weft.file_format.damage import damage_behind_use
from weft.skb import Skb


class SessionPool:
    """Lends the sessions of one SKB, each to one thread at a time; closing it closes the SKB.

    `chat` answers the steps of all of them that ask a language model.
    """

    def __init__(self, skb: Skb, chat: Chat | None = None) -> None:
        self.skb = skb
        self._chat = chat
        self._context = Context(skb)
        self._lock = Lock()
        self._idle: list[Session] = []
        self._closed = False

    def borrowed(self) -> Loan:
        """Return what gives a session that no other thread has, as a context manager."""
        return Loan(self)

    def take(self) -> Session:
        """Return an idle session, or a new one; raise WeftError once the pool is closed."""
        with self._lock:
            if self._closed:
                raise WeftError(f"{self.skb.path}: was closed; open it again")
            return self._idle.pop() if self._idle else Session(self._context, self._chat)

    def put_back(self, session: Session) -> None:
        """Take a session back, without the steps that it went through."""
        session.trace.steps.clear()
        with self._lock:
            if self._closed:
                session.close()
            else:
                self._idle.append(session)

    def close(self) -> None:
        """Close what is idle now, and each other session when it comes back."""
        with self._lock:
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            self.skb.close()


class Loan:
    """A session for the length of a `with`; what ends it is blamed on the file where the file is damaged."""

    def __init__(self, pool: SessionPool) -> None:
        self._pool = pool

    def __enter__(self) -> Session:
        self._session = self._pool.take()
        return self._session

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.put_back(self._session)
        if (blame := damage_behind_use(error, self._pool.skb.path)) is not None:
            raise blame from error
