"""The README's examples give what they show; of the explanation, every sentence, whatever it weighs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from interfaces.explanation_text import explanation_lines
from retriever.context import Context
from retriever.explain.attribution import ABOUT
from retriever.explanation import REST, explain, why
from retriever.rankers.hybrid import Hybrid
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Attribution
from tests.examples import run_console, shown_by
from tests.paths import ROOT
from weft.skb import Skb

README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.S)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_console_example(folder: Path) -> None:
    (block,) = _blocks("console")
    run_console(block)


def test_the_explanation_shown(world: Path) -> None:
    (block,) = _blocks("text")
    command, *lines = block.splitlines()
    question = shlex.split(command)[4]
    with Skb(world) as skb, Session(Context(skb)) as session:
        searcher = Searcher(session, "hybrid")
        plain = searcher.direct.ranker
        assert isinstance(plain, Hybrid)
        query, signals = searcher.query(question), plain.features.signals
        groups = plain.evidence(session, query)
        hops = [each for own in explain(searcher, question, searcher.rank(question, 2)) for each in own]
        rows = [row for row in why(hops, "") if row["kind"] == "hop"]
        told = {line.split("  ")[-1] for line in explanation_lines({"why": rows, "signals": {}})}
        known: set[str] = set()
        scores: dict[str, float] = {}
        for line in lines:
            if found := re.fullmatch(r"[0-9]+\. (.*)  -?[0-9.]+", line):
                chunk = skb.chunk(found[1])
                assert chunk is not None
                evidence = {signal.name: signal.evidence(session, query, chunk.id) for signal in signals}
                reasons = [Attribution(name, 1.0, own) for name, own in {**evidence, **groups.of(chunk.id)}.items()]
                lines = explanation_lines({"why": why(reasons, found[1]), "signals": {}})
                known = {line.split("  ")[-1] for line in lines}
                known |= {*map(str.strip, chunk.text.splitlines()), *told, REST}
                scores = {
                    # As they are in JSON.
                    signal.name: float(f"{signal.score(session, query, np.array([chunk.id])).item():.6g}")
                    for signal in signals
                }
            elif "ranked lower because of " in line:
                against = re.sub(r" \(−[0-9.]+\)", "", line.split("ranked lower because of ")[1]).split(" and ")
                assert set(against) <= set(ABOUT.values())
            elif "signals: " in line:
                assert set(line.split("signals: ")[1].split(", ")) == {f"{name} {n:.4g}" for name, n in scores.items()}
            else:
                assert line.split("  ")[-1].strip() in known, line


def test_the_python_example(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = _blocks("python")
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == shown_by(block) != []
