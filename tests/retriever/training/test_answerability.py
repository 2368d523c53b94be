"""Whether anything fits a question: what is learned of it, how it is kept, and what a search says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from builder.build import build
from builder.request import Request
from interfaces.cli import main
from retriever.context import Context
from retriever.datasets.question_files import questions_of
from retriever.features.answerability import COLUMNS
from retriever.fusion.store import BadFusionFile, Fusion, dumps, loads, save
from retriever.overlap import UNFIT
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.training.answerability import FEWEST, threshold_of
from retriever.training.dataset import Corpus, corpus_of, fit
from tests.worlds import page, write_pages
from weft.skb import Skb

THINGS = ("wheel", "sluice", "stone", "hopper", "axle", "ladder", "lantern", "rope")
TOPICS = {
    "mill": "grinds barley for the miller and turns in the river",
    "ship": "carries salted herring across the bay before the storm",
    "forge": "glows red under bellows while iron is hammered flat",
    "farm": "stands beside cattle that graze on clover until dusk",
    "mine": "goes down the shaft where copper lies in wet galleries",
}


def corpus(folder: Path, topic: str) -> Corpus:
    """Eight pages about things of one topic, each asked for in the words of its text."""
    pages = {
        f"{thing}.html": page(f"{topic.title()} {thing}", f"The {thing} of the {topic} {TOPICS[topic]}.",
                              f"It was mended in the year {1200 + number} by a {topic} hand.")
        for number, thing in enumerate(THINGS)
    }  # fmt: skip
    build(Request((str(write_pages(folder / topic, pages)),), folder / f"{topic}.skb", workers=1))
    questions = questions_of([
        {"id": thing, "question": f"when was the {thing} of the {topic} mended, that {TOPICS[topic]}?",
         "gold": [{"title": f"{topic.title()} {thing}"}]} for thing in THINGS
    ])  # fmt: skip
    return corpus_of(topic, "file", Session(Context(Skb(folder / f"{topic}.skb"))), questions)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Corpus]]:
    folder = tmp_path_factory.mktemp("topics")
    yield [corpus(folder, topic) for topic in TOPICS]


@pytest.fixture(scope="module")
def fusion(corpora: list[Corpus]) -> Fusion:
    return fit(corpora, "logistic")


def test_what_is_asked_elsewhere_is_doubted_and_what_has_an_answer_is_not(
    corpora: list[Corpus], fusion: Fusion, tmp_path: Path
) -> None:
    path = tmp_path / "fusion.json"
    save(path, fusion)
    here, other = corpora[0], corpora[1]
    searcher = Searcher(here.session, f"hybrid(fusion={path})")

    def warned(each: Corpus) -> list[tuple[str, ...]]:
        texts = [own.candidates.query.question.text for own in each.judged]
        return [searcher.warnings_of(text, searcher.rank(text, 3)) for text in texts]

    assert warned(here) == [()] * len(THINGS)
    assert all(len(lines) == 1 and lines[0].startswith("perhaps nothing fits: ") for lines in warned(other))
    assert len(searcher.rank("when was the wheel of the ship mended?", 3).ids) == 3
    (unknown,) = searcher.warnings_of("zzyzx", searcher.rank("zzyzx", 3))
    assert unknown == UNFIT


def test_every_way_to_ask_says_it(corpora: list[Corpus], fusion: Fusion, tmp_path: Path) -> None:
    path, trace = tmp_path / "fusion.json", tmp_path / "trace.jsonl"
    save(path, fusion)
    text = corpora[1].judged[0].candidates.query.question.text
    skb = str(corpora[0].session.skb.path)
    found = CliRunner().invoke(main, ["search", skb, text, "--fusion", str(path), "--json", "--trace", str(trace)])
    (line,) = json.loads(found.stdout)["warnings"]
    assert line.startswith("perhaps nothing fits: ") and found.stderr == f"{line}\n"
    assert len(json.loads(found.stdout)["hits"]) == 5
    (step,) = [each for each in map(json.loads, trace.open(encoding="utf-8")) if each["name"] == "fusion"]
    answerable = fusion.head.answerable
    assert answerable is not None
    assert step["warnings"] == [line] and step["detail"]["answerable"] < answerable.threshold


def test_fewer_corpora_teach_nothing_of_it(corpora: list[Corpus]) -> None:
    assert fit(corpora[: FEWEST - 1], "logistic").head.answerable is None
    assert fit([*corpora[1:], corpora[0]._replace(sha256="")], "logistic").head.answerable is None


def test_it_is_kept_in_the_file_and_files_without_it_are_read(fusion: Fusion) -> None:
    assert loads(dumps(fusion), "f").head.answerable == fusion.head.answerable
    record = json.loads(dumps(fusion))
    assert record["answerable"]["columns"] == list(COLUMNS)
    older = {key: value for key, value in record.items() if key != "answerable"}
    assert loads(json.dumps(older), "f").head.answerable is None
    newer = record | {"answerable": record["answerable"] | {"columns": ["other"]}}
    assert loads(json.dumps(newer), "f").head.answerable is None
    for damage in ({"weights": [1.0]}, {"weights": "1"}, {"bias": None}, {"threshold": 10**400}, {"columns": 1}):
        with pytest.raises(BadFusionFile):
            loads(json.dumps(record | {"answerable": record["answerable"] | damage}), "f")


def test_the_threshold_is_the_greatest_that_doubts_so_few() -> None:
    one, two = np.arange(1, 11) / 10, np.arange(1, 6) / 10
    threshold = threshold_of([one, two], 0.25)
    assert np.mean([(one < threshold).mean(), (two < threshold).mean()]) <= 0.25
    above = np.nextafter(threshold, 1)
    assert np.mean([(one < above).mean(), (two < above).mean()]) > 0.25
