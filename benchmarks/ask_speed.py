"""Time what `weft ask` does beyond its search, without a language model: reading hits and choosing a candidate.

    python -m benchmarks.ask_speed KB.skb [KB.skb ...] [--questions 100] [--before 100]

`--before` questions are asked first. Milliseconds of one question, by the clock and of processor time. KBs of any size
come from `python -m benchmarks.generate`, as `benchmarks.search_speed` tells.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.search_questions import questions
from benchmarks.search_speed import timed
from retriever.answers.answering import HITS, Chosen, choose
from retriever.answers.ranker import load_ranker
from retriever.answers.reading import read
from retriever.context import Context
from retriever.question.reader import read_question
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb


def main() -> None:
    """Print a line an SKB."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("skbs", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--before", type=int, default=100)
    options = parser.parse_args()
    ranker = load_ranker()
    for path in options.skbs:
        with Skb(path) as skb, Session(Context(skb)) as session:
            searcher = Searcher(session, "hybrid")
            counts: list[int] = []

            def reading(text: str, searcher: Searcher = searcher, counts: list[int] = counts) -> Callable[[], object]:
                """Search now, and return what is left to do."""
                searcher.session.forget()
                query = read_question(searcher.session, text, "chunk")
                found = searcher.direct.ranker.rank(searcher.session, query, HITS)

                def answer() -> Chosen | None:
                    offered = read(searcher.session, query, found, onward=True)
                    counts.append(len(offered.candidates))
                    return choose(searcher, ranker, text, offered)

                return answer

            asked = list(questions(skb, options.before + options.questions))
            for text in asked[: options.before]:
                reading(text)()
            counts.clear()
            row = timed(reading(text) for text in asked[options.before :])
            print(f"{path}: {row}, {np.mean(counts):.0f} candidates", flush=True)


if __name__ == "__main__":
    main()
