"""Focused retrieval without a language model: metaqa by hops, and a part of PrimeKG beside its baselines.

    python -m benchmarks.focus FOLDER [--sets metaqa,primekg_ibd] [--embedder tfidf] [--first 900] [--renamed]

FOLDER holds metaqa.skb and primekg_ibd.skb, of `weft build DATA/SET --node-documents` (metaqa needs no documents; for
another embedder metaqa-EMBEDDER.skb and so on); what is trained is written there. The data is looked for in WEFT_DATA.

metaqa: the planner's round weights were chosen on the first 100 questions of each file, with both embedders; these
teach `--relations` too. All that is printed is of the other 900 of each. `answers` judge, `type` and `hops` are never
read. primekg_ibd: relations are learned from split train; what is printed is of split val.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from interfaces.commands.train_relations import train_relations
from retriever.context import Context
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import Question, read_questions
from retriever.evaluation.intervals import interval, resampled_means
from retriever.evaluation.measures import judge, measures_at, reciprocal_rank
from retriever.searcher import Searcher
from retriever.session import Session
from weft.chat.base import Chat
from weft.skb import Skb

DATA = Path(os.environ.get("WEFT_DATA", "../shared/data"))
TAUGHT = 100
"""Questions of each file of metaqa that teach."""

COLUMNS = ("hit@1", "hit@5", "recall@20", "recall_capped@20", "mrr")
SYNONYMS = {
    "directed_by": "filmmaker", "written_by": "author", "starred_actors": "cast_member", "release_year": "published_in",
    "in_language": "spoken_tongue", "has_genre": "category", "has_tags": "keyword", "has_imdb_rating": "score",
    "has_imdb_votes": "ballots",
}  # fmt: skip
"""Names that metaqa's relations might as well have."""

Table = np.ndarray[tuple[int, int], np.dtype[np.float64]]


def measured(skb: Skb, method: str, questions: Sequence[Question], chat: Chat | None = None) -> Table:
    """Return the measures (n, 5) of each question."""
    resolver = GoldResolver(skb, "entity")
    rows = []
    with Session(Context(skb), chat) as session:
        searcher = Searcher(session, method, "entity")
        for question in questions:
            found = searcher.rank_anew(question.question, 100)
            judged = judge(found.ids.tolist(), resolver.gold_set(question))
            values = measures_at(judged, 1) | measures_at(judged, 5) | measures_at(judged, 20)
            rows.append([values.get(name, reciprocal_rank(judged)) for name in COLUMNS])
    return np.array(rows)


def told(name: str, values: Table) -> str:
    """Return a row of Markdown with the means, and the interval of the first."""
    low, high = interval(resampled_means(values[:, :1], 0))
    means = " | ".join(f"{each:.3f}" for each in values.mean(0))
    return f"| {name} | {means} | {low[0]:.3f} to {high[0]:.3f} |"


def head() -> str:
    """Return the head of such a table."""
    return f"| | {' | '.join(COLUMNS)} | hit@1, 95% |\n|---|{'---|' * (len(COLUMNS) + 1)}"


def written(path: Path, questions: Sequence[Question], lines: Sequence[str]) -> Path:
    """Write the lines of some questions as a file of their own."""
    own = {each.id for each in questions}
    path.write_text("".join(f"{line}\n" for line in lines if line and json.loads(line)["id"] in own), encoding="utf-8")
    return path


def renamed(path: Path) -> Path:
    """Copy an SKB, its relations named by synonyms; nothing else of it holds their names but the full text of nodes."""
    copy = path.with_name(f"{path.stem}-renamed.skb")
    shutil.copyfile(path, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        for name, other in SYNONYMS.items():
            connection.execute("UPDATE relation_type SET name = ? WHERE name = ?", (other, name))
    return copy


def metaqa(folder: Path, skb_path: Path, first: int) -> None:
    """Print hits@1 and more by hops, with the default weights and with trained ones."""
    files = [DATA / "metaqa" / f"{hops}-hop.jsonl" for hops in (1, 2, 3)]
    questions = [read_questions(path) for path in files]
    taught = [
        written(folder / f"taught-{path.name}", own[:TAUGHT], path.read_text(encoding="utf-8").split("\n"))
        for path, own in zip(files, questions, strict=True)
    ]
    relations = folder / f"{skb_path.stem}-relations.json"
    train_relations([(skb_path, path) for path in taught], relations, every=True, as_json=False)
    print(head())
    with Skb(skb_path) as skb:
        for method in ("autofocus", f"autofocus(relations={relations})"):
            for hops, own in enumerate(questions, 1):
                values = measured(skb, method, own[TAUGHT : TAUGHT + first])
                print(told(f"{method.replace(str(relations), 'FILE')}, {hops} hops", values), flush=True)


def primekg(folder: Path, skb_path: Path) -> None:
    """Print baselines and autofocus on split val, and the paired differences to the better baseline."""
    path = DATA / "primekg_ibd" / "questions.jsonl"
    questions = read_questions(path)
    lines = path.read_text(encoding="utf-8").split("\n")
    taught = written(folder / "taught-primekg.jsonl", [each for each in questions if each.split == "train"], lines)
    relations = folder / f"{skb_path.stem}-relations.json"
    train_relations([(skb_path, taught)], relations, every=False, as_json=False)
    own = [each for each in questions if each.split == "val"]
    methods = [
        "bm25", "vss", "vss(relations=yes)", "multi-vss", "hybrid", "autofocus", "autofocus(strand=vss,RELATIONS)",
        "autofocus(strand=bm25,RELATIONS)", "autofocus(RELATIONS)",
    ]  # fmt: skip
    print(head())
    tables = {}
    with Skb(skb_path) as skb:
        for name in methods:
            tables[name] = measured(skb, name.replace("RELATIONS", f"relations={relations}"), own)
            print(told(name, tables[name]), flush=True)
    for name in methods[-4:]:
        differences(name, tables)


def differences(name: str, tables: dict[str, Table]) -> None:
    """Print by how much a method differs from the better of vss and bm25, measure by measure."""
    for column, measure in enumerate(COLUMNS):
        best = max(("bm25", "vss", "vss(relations=yes)"), key=lambda each: float(tables[each][:, column].mean()))
        paired = tables[name][:, column : column + 1] - tables[best][:, column : column + 1]
        low, high = interval(resampled_means(paired, 0))
        print(f"{name} - {best}, {measure}: {paired.mean():+.3f} ({low[0]:+.3f} to {high[0]:+.3f})")


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", default="metaqa,primekg_ibd")
    parser.add_argument("--embedder", default="tfidf")
    parser.add_argument("--first", type=int, default=900)
    parser.add_argument("--renamed", action="store_true", help="name metaqa's relations by synonyms")
    given = parser.parse_args()
    ending = "" if given.embedder == "tfidf" else f"-{given.embedder}"
    for name in given.sets.split(","):
        path = given.folder / f"{name}{ending}.skb"
        if name == "metaqa":
            metaqa(given.folder, renamed(path) if given.renamed else path, given.first)
        else:
            primekg(given.folder, path)


if __name__ == "__main__":
    main()
