"""Every reply that was ever paid for, in a SQLite file of its own: by model, conversation, options and sample number.

Any number of threads and processes may use one file at once. A reply is written
before it is handed out, so that a killed run pays for none a second time.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from weft.chat.base import Message, Options, Reply
from weft.chat.payload import hidden, valid
from weft.chat.replies import plain
from weft.errors import WeftError
from weft.http.cache_folder import cache_folder, private_file, private_folder

FILE = "replies.sqlite"
APPLICATION = 0x57464C4C
VERSION = 1
FRACTIONS = ("temperature", "frequency_penalty")
CUT_OFF = ("length", "content_filter")
"""Why a reply ended that might have gone on."""

WAIT_S = 30.0
"""How long to wait for other processes that write."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS conversation (
    hash TEXT PRIMARY KEY, model TEXT NOT NULL, messages TEXT NOT NULL, options TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reply (
    id INTEGER PRIMARY KEY, conversation TEXT NOT NULL, sample INTEGER NOT NULL, text TEXT NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, finish_reason TEXT NOT NULL, seconds REAL NOT NULL,
    time TEXT NOT NULL, UNIQUE (conversation, sample)
);
"""
LOG = """
SELECT time, model, sample, messages, options, text, tokens_in, tokens_out, finish_reason, seconds
FROM reply JOIN conversation ON hash = conversation
WHERE :model IS NULL OR model = :model ORDER BY id DESC LIMIT :most
"""
TOTALS = """
SELECT model, count(DISTINCT hash), count(*), sum(tokens_in), sum(tokens_out), sum(seconds), min(time), max(time)
FROM reply JOIN conversation ON hash = conversation GROUP BY model ORDER BY model
"""


class Conversation(NamedTuple):
    """What a model was or will be asked."""

    model: str
    messages: tuple[Message, ...]
    options: Options

    @property
    def hash(self) -> str:
        """What the conversation is known by: equal for equal model, messages and options that are set."""
        return sha256(_json([self.model, _turns(self.messages), _set(self.options)]).encode()).hexdigest()


def conversation_of(name: str, messages: Sequence[Message], options: Options) -> Conversation:
    """Return what the model `name` is asked, or the one that the options name, as if that were asked by its own name.

    >>> conversation_of("openai:large", (), Options(model="small")) == Conversation("openai:small", (), Options())
    True
    """
    asked = name if options.model is None else f"{name.partition(':')[0]}:{options.model}"
    return Conversation(asked, tuple(messages), options._replace(model=None))


class Entry(NamedTuple):
    """A reply that is kept, with what it was the reply to; `time` is when it came, in UTC."""

    time: str
    model: str
    sample: int
    messages: list[list[str]]
    options: dict[str, object]
    text: str
    tokens_in: int
    tokens_out: int
    finish_reason: str
    seconds: float


class Totals(NamedTuple):
    """What one model was asked and answered; `seconds` are those of its requests, one after the other."""

    model: str
    conversations: int
    replies: int
    tokens_in: int
    tokens_out: int
    seconds: float
    first: str
    last: str


class ReplyStore:
    """The replies in one file, which is made when the first is looked for."""

    def __init__(self, path: Path | None = None) -> None:
        """Name the file, `replies.sqlite` in the cache folder by default."""
        self._given = path
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None

    @property
    def path(self) -> Path:
        """Where the file is or will be."""
        return self._given or cache_folder() / FILE

    def replies(self, conversation: Conversation, n: int) -> dict[int, Reply]:
        """Return what is known of the first n samples, by their number, as the model wrote them."""
        with self._used() as connection:
            rows = connection.execute(
                "SELECT sample, text, tokens_in, tokens_out, finish_reason FROM reply"
                " WHERE conversation = ? AND sample < ? ORDER BY sample",
                (conversation.hash, n),
            ).fetchall()
        return {sample: Reply(text, read, written, end, True) for sample, text, read, written, end in rows}

    def put(self, conversation: Conversation, first: int, replies: Sequence[Reply], seconds: float) -> None:
        """Keep samples from the number `first` on; what another process kept meanwhile stays.

        One that was cut off before its answer began is not kept, so that it is asked for again.
        """
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        turns = [[role, hidden(content)] for role, content in _turns(conversation.messages)]
        known = conversation.hash, conversation.model, _json(turns), _json(_set(conversation.options))
        rows = [
            (known[0], sample, valid(reply.text), reply.tokens_in, reply.tokens_out, reply.finish_reason,
             seconds / len(replies), moment)
            for sample, reply in enumerate(replies, first) if not _is_cut_off(reply)
        ]  # fmt: skip
        if not rows:
            return
        with self._used() as connection, connection:
            connection.execute("INSERT OR IGNORE INTO conversation VALUES (?, ?, ?, ?)", known)
            connection.executemany(
                "INSERT OR IGNORE INTO reply (conversation, sample, text, tokens_in, tokens_out, finish_reason,"
                " seconds, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def log(self, most: int, model: str | None = None) -> list[Entry]:
        """Return the newest replies, the newest first; none where there is no file yet."""
        if not self.path.exists():
            return []
        with self._used() as connection:
            rows = connection.execute(LOG, {"most": most, "model": model}).fetchall()
        return [Entry(*row[:3], *map(json.loads, row[3:5]), *row[5:]) for row in rows]

    def totals(self) -> list[Totals]:
        """Return what each model was asked; none where there is no file yet."""
        if not self.path.exists():
            return []
        with self._used() as connection:
            return [Totals(*row) for row in connection.execute(TOTALS)]

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection to one thread; raise WeftError where the file cannot be used."""
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = _opened(self.path)
                yield self._connection
            except sqlite3.Error as error:
                raise WeftError(
                    f"{self.path}: cannot keep replies ({error}); move it away, or name another folder as WEFT_CACHE"
                ) from error


def _opened(path: Path) -> sqlite3.Connection:
    private_folder(path.parent)
    os.close(private_file(path))
    deadline = time.monotonic() + WAIT_S
    while True:
        connection = sqlite3.connect(path, timeout=WAIT_S, check_same_thread=False)
        try:
            return _prepared(connection, path)
        except sqlite3.OperationalError as error:
            connection.close()
            # Two processes that turn a new file to write-ahead logging at once do not wait for each other.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        except (sqlite3.Error, WeftError):
            connection.close()
            raise


def _prepared(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    connection.execute("PRAGMA trusted_schema = OFF")
    # Tables before versions: another process writes both at once, perhaps between the two looks.
    with closing(connection.execute("SELECT count(*) FROM sqlite_schema")) as tables:
        (n_tables,) = tables.fetchone()
    (application,), (version,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    if (application, version) != (APPLICATION, VERSION):
        if n_tables or application:
            raise WeftError(f"{path}: holds no replies of this version; move it away, or set another WEFT_CACHE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(
            f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
        )
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _is_cut_off(reply: Reply) -> bool:
    """Tell whether a reply ended before anything but reasoning was written, and not by the model's will."""
    return reply.finish_reason in CUT_OFF and not plain(reply.text)


def _turns(messages: Sequence[Message]) -> list[list[str]]:
    return [[message.role, message.content] for message in messages]


def _set(options: Options) -> dict[str, object]:
    given = {name: value for name, value in options._asdict().items() if value is not None}
    # 0 asks for the same as 0.0, and is another text.
    return {name: float(value) if name in FRACTIONS else value for name, value in given.items()}


def _json(value: object) -> str:
    # Escapes make lone surrogates harmless; sorted keys make equal options equal texts.
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
