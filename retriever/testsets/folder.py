"""A set as a folder of other programs' formats: BEIR's layout, and TREC judgements of items and of documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from retriever.datasets.gold import GoldResolver, unit_of
from retriever.datasets.question_files import Question
from retriever.datasets.trec import qrels_lines, token
from retriever.evaluation.beir import write_beir
from retriever.evaluation.outcomes import Case
from weft.output_file import replacing_folder
from weft.overwriting import check_folder
from weft.skb import Skb

BEIR, ITEMS, DOCUMENTS = "beir", "qrels.items.trec", "qrels.trec"


def check_output(path: Path) -> None:
    """Raise WeftError where the folder of a set cannot be written, or would take something else away."""
    check_folder(path, (BEIR, ITEMS, DOCUMENTS), "an export of a set")


def write_folder(skb: Skb, folder: Path, questions: Sequence[Question]) -> None:
    """Write `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv` as BEIR has them, and two files of TREC judgements.

    `qrels.trec` judges chunks (or entities) by uri, for the runs of any program;
    `qrels.items.trec` judges gold items, for the runs that `weft evaluate -o` writes.
    Raises WeftError as `check_output` does.
    """
    check_output(folder)
    unit = unit_of(questions, skb)
    resolver = GoldResolver(skb, unit)
    cases = [Case(question, resolver.gold_set(question)) for question in questions if question.gold]
    with replacing_folder(folder) as made:
        write_beir(skb, made / BEIR, cases, unit)
        with (made / ITEMS).open("w", encoding="utf-8", newline="") as file:
            file.writelines(qrels_lines((each.question.id, len(each.gold.items)) for each in cases))
        with (made / DOCUMENTS).open("w", encoding="utf-8", newline="") as file:
            for question, gold in cases:
                ids = sorted(frozenset[int]().union(*gold.items))
                names = sorted(map(token, skb.uris(unit, ids)))
                file.writelines(f"{token(question.id)} 0 {name} 1\n" for name in names)
