"""How methods rank on generated questions against how they rank on those of people.

    python -m benchmarks.testset_study FOLDER [--questions 200] [--real 200] [--seed 0] [--json]

SKBs, sets and the thesis's network are kept in FOLDER. Two methods tie where the
95% interval of their difference on the same questions holds 0 (normal
approximation); Kendall's tau-b compares the orders of both sets, and its interval
is that of 1,000 resamples of the questions of both.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpora import Source, data, skb_of, sources
from retriever.context import Context
from retriever.datasets.question_files import Question, questions_of, read_questions
from retriever.evaluation.outcomes import assess
from retriever.evaluation.tables import rows_of
from retriever.features.thesis import MISSING
from retriever.fusion.store import save
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.testsets.make import make
from retriever.testsets.records import numbered
from retriever.training.thesis import fit_thesis, thesis_corpus_of
from weft.skb import Skb

Values = NDArray[np.float64]
CORPORA = ("2wiki", "fixtures")
THESIS = "thesis"
METHODS = {
    "bm25": "bm25", "vector": "vector", "page": "page", "section": "section", "entity": "entity", "path": "path",
    "graph": "graph", "naive-hybrid": "naive-hybrid", "hybrid mlp": "hybrid(fusion=mlp,hops=no)",
    "hybrid logistic": "hybrid(fusion=logistic,hops=no)", "hybrid rrf": "hybrid(fusion=rrf,hops=no)", THESIS: "",
}  # fmt: skip
LINKED = frozenset(("entity", "path", "graph"))
"""Methods that follow links and facts alone."""

MEASURE = "recall@5"
DRAWS = 1_000
Z = 1.96


class Study(NamedTuple):
    """A corpus: recall@5 of each method on real and on generated questions, and tau-b with its interval.

    `without` is tau without the methods of LINKED, `plain` tau of the means without ties.
    """

    corpus: str
    real: int
    generated: dict[str, int]
    methods: dict[str, tuple[float, float]]
    tau: float
    low: float
    high: float
    plain: float
    without: float
    without_low: float
    without_high: float
    bias: float


def signs(values: Values) -> Values:
    """Return for methods' results (m, n) on n questions who is better (m, m): 1, -1, or 0 where they tie."""
    difference = values[:, None, :] - values[None, :, :]
    mean, error = difference.mean(2), difference.std(2, ddof=1) / np.sqrt(values.shape[1])
    return np.where(np.abs(mean) > Z * error, np.sign(mean), 0.0)


def tau_b(one: Values, other: Values) -> float:
    """Return Kendall's tau-b of two orders given as signs (m, m); 0 where one of them has ties alone.

    >>> order = np.array([[0, 1, 1], [-1, 0, 0], [-1, 0, 0]])
    >>> tau_b(order, order), tau_b(order, -order)
    (1.0, -1.0)
    """
    upper = np.triu_indices(len(one), 1)
    first, second = one[upper], other[upper]
    size = np.sqrt(np.abs(first).sum() * np.abs(second).sum())
    return float((first * second).sum() / size) if size else 0.0


def tau_with_interval(real: Values, generated: Values, seed: int) -> tuple[float, float, float]:
    """Return tau-b of two tables (m, n) and the middle 95% of its resamples."""
    random = np.random.default_rng(seed)
    draws = [
        tau_b(*(signs(table[:, random.integers(0, table.shape[1], table.shape[1])]) for table in (real, generated)))
        for _ in range(DRAWS)
    ]
    low, high = np.quantile(draws, (0.025, 0.975)).tolist()
    return tau_b(signs(real), signs(generated)), low, high


def thesis_network(folder: Path) -> Path:
    """Return the thesis's network, trained on musique, a corpus that the study does not ask."""
    path = folder / "thesis.json"
    if not path.exists():
        source = next(each for each in sources() if each.name == "musique")
        with Skb(skb_of(source, folder, "tfidf")) as skb, Session(Context(skb)) as session:
            questions = read_questions(data() / "musique" / "questions.jsonl")
            corpus = thesis_corpus_of("musique", "-", session, questions, MISSING, lambda n: None)
            save(path, fit_thesis([corpus], "thesis", missing=MISSING, standardise="local", sampling="random",
                                  limit=None, seed=0))  # fmt: skip
    return path


def results(skb: Skb, session: Session, questions: Sequence[Question], network: Path) -> Values:
    """Return the measure of each method (m, n) for each judged question."""
    named = METHODS | {THESIS: f"hybrid(features=thesis,fusion={network})"}
    ranks = {name: Searcher(session, method, "chunk").rank for name, method in named.items()}
    assessment = assess(skb, questions, ranks, (5,), "chunk")
    return np.array([[row[MEASURE] for row in rows_of(assessment, assessment.outcomes[name])] for name in METHODS])


def study(source: Source, folder: Path, n: int, n_real: int, seed: int) -> Study:
    """Make a set over one corpus, and compare the orders of methods on it and on the corpus's own questions."""
    network = thesis_network(folder)
    with Skb(skb_of(source, folder, "tfidf")) as skb, Session(Context(skb)) as session:
        judged = [each for each in read_questions(source.questions or Path()) if each.gold]
        chosen = np.sort(np.random.default_rng(seed).permutation(len(judged))[:n_real])
        made = make(session, n, seed=seed)
        drafts = questions_of(numbered(made.evidence, made.drafts))
        real = results(skb, session, [judged[index] for index in chosen.tolist()], network)
        generated = results(skb, session, drafts, network)
    linked = np.array([name in LINKED for name in METHODS])
    tau = tau_with_interval(real, generated, seed)
    without = tau_with_interval(real[~linked], generated[~linked], seed)
    means = [table.mean(1) for table in (real, generated)]
    plain = tau_b(*(np.sign(each[:, None] - each[None, :]) for each in means))
    gained = means[1] - means[0]
    return Study(
        source.name, real.shape[1], dict(Counter(each.type or "" for each in drafts)),
        {name: (float(a), float(b)) for name, a, b in zip(METHODS, *means, strict=True)}, *tau, plain, *without,
        float(gained[linked].mean() - gained[~linked].mean()),
    )  # fmt: skip


def show(found: Study) -> str:
    """Return a study as Markdown."""
    counts = ", ".join(f"{kind} {n}" for kind, n in sorted(found.generated.items()))
    orders = [sorted(found.methods, key=lambda each: -found.methods[each][side]) for side in (0, 1)]
    ranks = [{name: rank for rank, name in enumerate(order, 1)} for order in orders]
    lines = [
        f"**{found.corpus}**: {found.real} real questions, {sum(found.generated.values())} generated ({counts})",
        "",
        f"| method | {MEASURE}, real | rank | {MEASURE}, generated | rank |", "|---|---|---|---|---|",
        *(f"| {name} | {a:.3f} | {ranks[0][name]} | {b:.3f} | {ranks[1][name]} |"
          for name, (a, b) in found.methods.items()),
        "",
        f"tau-b {found.tau:.2f} ({found.low:.2f} to {found.high:.2f}); of the means without ties {found.plain:.2f};"
        f" without {', '.join(sorted(LINKED))} {found.without:.2f} ({found.without_low:.2f} to"
        f" {found.without_high:.2f})."
        f" Generated less real, the linked methods against the others: {found.bias:+.3f}.",
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    """Print the study of each corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=200, help="how many are generated")
    parser.add_argument("--real", type=int, default=200, help="how many real ones are asked at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for source in sources():
        if source.name in CORPORA:
            found = study(source, options.folder, options.questions, options.real, options.seed)
            print(json.dumps(found._asdict()) if options.json else show(found) + "\n", flush=True)


if __name__ == "__main__":
    main()
