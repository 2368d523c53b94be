"""Ask a language model ahead of an evaluation, by many sessions at once: what is measured then finds its replies."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from retriever.context import Context
from retriever.question.filters import Filters
from retriever.searcher import NO_FILTERS, Searcher, asks_model
from retriever.session import Session
from retriever.types import Unit
from weft.chat.base import Chat
from weft.chat.many import concurrency
from weft.http.stopping import Stop


def ask_ahead(
    context: Context, chat: Chat, methods: Sequence[str], unit: Unit, questions: Sequence[str], k: int,
    filters: Filters = NO_FILTERS,
) -> None:  # fmt: skip
    """Rank questions by those methods that ask a model, which must keep its replies.

    Where one of the sessions fails the others end with the requests that are under
    way, and its error is raised.
    """
    asking = [method for method in methods if asks_model(method)]
    n_sessions = min(concurrency(), len(questions))
    if not asking or not n_sessions:
        return
    stop = Stop()

    def ask(own: Sequence[str]) -> None:
        with Session(context, chat) as session:
            searchers = [Searcher(session, method, unit, filters=filters) for method in asking]
            for question in own:
                for searcher in searchers if not stop.is_set() else ():
                    searcher.rank_anew(question, k)

    with ThreadPoolExecutor(n_sessions, "ask", stop.heed) as pool, stop:
        sessions = [pool.submit(ask, questions[first::n_sessions]) for first in range(n_sessions)]
        ended, _ = wait(sessions, return_when=FIRST_EXCEPTION)
    # What the others end with is no cause of anything.
    for session in sessions:
        if session in ended:
            session.result()
