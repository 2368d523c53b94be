"""Train what autofocus plans by: which relations the questions of one graph mean."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interfaces.output import counted, print_json, say
from weft.errors import WeftError

if TYPE_CHECKING:
    from retriever.datasets.question_files import Question

SPLIT = "train"


def train_relations(sources: Sequence[tuple[Path, ...]], output: Path, *, every: bool, as_json: bool) -> None:
    """Train on question files over one SKB, and print what was learned from."""
    from tqdm import tqdm

    from retriever.context import Context
    from retriever.focus.planner.store import Relations, Taught, save_relations
    from retriever.fusion.seen import packed
    from retriever.fusion.store import file_hash
    from retriever.session import Session
    from retriever.training.relations import PENALTY, fit_relations
    from weft.skb import Skb

    start = time.perf_counter()
    files = {path: _questions(path, every=every) for path in _files(sources)}
    questions = [question for own in files.values() for question in own]
    with Skb(sources[0][0]) as skb, Session(Context(skb)) as session:
        with tqdm(total=len(questions), desc="paths", disable=None, leave=False) as bar:
            model = fit_relations(session, questions, bar.update)
        settings = {"embedder": session.embedder_name, "penalty": PENALTY}
    taught = tuple(
        Taught(path.stem, file_hash(path), len(own), packed(each.question for each in own))
        for path, own in files.items()
    )
    save_relations(output, Relations(model, taught, settings))
    n_weights = sum(map(len, model.cues.values())) + sum(map(len, model.types.values()))
    seconds = round(time.perf_counter() - start, 3)
    if as_json:
        print_json({"output": str(output), "questions": len(questions), "weights": n_weights, "seconds": seconds})
    else:
        say(f"{output}: {counted(n_weights, 'weight')} from {counted(len(questions), 'question')}, in {seconds:.1f} s")


def _files(sources: Sequence[tuple[Path, ...]]) -> list[Path]:
    """Return the question files; raise WeftError where there is none, or they are over several SKBs."""
    if any(len(pair) < 2 for pair in sources):
        raise WeftError("--relations learns from questions with answers; give a question file behind the SKB")
    if len({pair[0].absolute() for pair in sources}) > 1:
        raise WeftError("--relations is for the relations of one graph; give question files over one SKB")
    return [pair[1] for pair in sources]


def _questions(path: Path, *, every: bool) -> list[Question]:
    """Return the questions of a file that teach; raise WeftError where there is none."""
    from retriever.datasets.question_files import read_questions

    chosen = [each for each in read_questions(path) if each.gold and (every or each.split in (None, SPLIT))]
    if not chosen:
        raise WeftError(f"{path}: no question with gold is of the split {SPLIT}; --all learns from every one")
    return chosen
