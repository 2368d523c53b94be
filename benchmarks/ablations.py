"""Print what each part of retrieval is worth, as Markdown tables.

    python -m benchmarks.ablations FOLDER [--only signals] [--set nq_earth]... [--embedder tfidf] [--model logistic]

Every figure is leave-one-corpus-out: no question and no passage of the set that
is scored takes part in training. Figures of the thesis (Giardini 2024) stand
beside ours where it measured the like, on Natural Questions and 100 multi-hop
questions of its own: their level is not comparable, their order is. SKBs are
built in FOLDER once; the real data lies in `../shared/data` or WEFT_DATA.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.ablation_fusions import Learner, Measured, averaged, measure
from benchmarks.ablation_search import FETCHED, agreement, searches
from benchmarks.corpora import sources
from benchmarks.fusion import Prepared
from retriever.evaluation.outcomes import Rank
from retriever.features.matrix import RANKED, SECOND, SIGNALS
from retriever.fusion.shipped import reciprocal_ranks
from retriever.searcher import Searcher

METHODS = (
    "bm25", "vector", *(f"page(n={n})" for n in (1, 2, 3)), *(f"section(n={n})" for n in (1, 3, 5)),
    *(f"entity(n={n})" for n in (1, 3, 5)), "path", "graph", "naive-hybrid",
)  # fmt: skip
WHOLE = ("page", "section", "entity", "path")
"""Signals that return all chunks of what they find, as many as these are."""

THESIS_ONE = {
    "vector@1": ".398 .308 .398", "vector@3": ".241 .528 .622", "vector@5": ".175 .630 .710",
    "page(n=1)@0": ".071 .789 .789", "page(n=2)@0": ".029 .861 .861", "page(n=3)@0": ".018 .885 .885",
    "section(n=1)@0": ".207 .352 .421", "section(n=3)@0": ".113 .604 .663", "section(n=5)@0": ".058 .798 .829",
    "entity(n=1)@0": ".059 .096 .118", "entity(n=3)@0": ".046 .205 .249", "entity(n=5)@0": ".041 .248 .299",
    "path@0": ".266 .423 .512", "naive-hybrid@5": ".188 .695 .776",
    "hybrid@1": ".478 .371 .478", "hybrid@3": ".298 .662 .756", "hybrid@5": ".215 .780 .851",
}  # fmt: skip
"""Precision, recall and hit of the thesis (table 4.1)."""

THESIS_SETS = {"vector": ".090 .160 .180", "naive-hybrid": ".110 .170 .200", "hybrid": ".330 .430 .480"}
"""Set coverage at 4, 6 and 8 of the thesis (table 4.2)."""

THESIS_STEPS = {
    "vector": ".241 .528 .622", "imputed, global, balanced": ".271 .602 .693",
    "imputed, local, balanced": ".292 .648 .745", "imputed, local, hard": ".298 .662 .756",
}  # fmt: skip
"""Precision, recall and hit at 3 of the thesis (table 4.4)."""

THESIS_FEW = ".256 .560 .657"
"""The same of 200 observations (table 4.5)."""

LINKS = frozenset(
    """named cites_named bridge bridge_near linked linked_share linked_first second_hop hit_bridge hit_linked
    cites_hit distance linked_from_best bridge_from_best share_from_best cites_best joint_from_best gain_from_best
    joint_to_best gain_to_best""".split()
)
WORDS = frozenset(
    """cover asked title_cover title_share title_asked heading stems stems_asked in_page in_page_share page_best
    best_sentence gain shape rest rest_in_page leads completes""".split()
)
KIND = frozenset("lead table list infobox length position siblings has_number has_year".split())
VECTORS = frozenset("vector rank_vector vector_asked vector_asked_in_page vector_in_page".split())
GROUPS: dict[str, frozenset[str]] = {
    **{name: frozenset({name, f"rank_{name}"} if name in RANKED else {name}) for name in SIGNALS},
    "vector and its features": VECTORS,
    "names and links": LINKS,
    "words": WORDS,
    "kind of text": KIND,
    "columns of the second pass": frozenset(SECOND),
}


def row(*cells: str) -> None:
    """Print a line of a table."""
    print(f"| {' | '.join(cells)} |", flush=True)


def head(title: str, *cells: str) -> None:
    """Print a table's title and head."""
    print(f"\n**{title}**\n")
    row(*cells)
    row(*("---" for _ in cells))


def triple(found: Measured, k: int) -> str:
    """Return precision, recall and hit at a cut-off."""
    return " ".join(short(found.mean(f"{name}@{k}")) for name in ("precision", "recall", "hit"))


def short(value: float) -> str:
    """Return a share without its leading zero."""
    return f"{value:.3f}".removeprefix("0")


def within(found: Measured, name: str) -> str:
    """Return a measure with its 95% interval."""
    low, high = found.ends(name)
    return f"{short(found.mean(name))} ({short(low)} – {short(high)})"


def change(found: Measured, base: Measured, name: str) -> str:
    """Return the difference to another method with its 95% interval."""
    return "{:+.3f} ({:+.3f} to {:+.3f})".format(*found.less(base, name))


def main_measure(each: Prepared) -> str:
    """Return what a set is mainly judged by: whether an answer, or all of several texts, are found."""
    return {"nq_earth": "hit@5", "fixtures": "set_coverage@6"}.get(each.name, "recall@5")


def alone(each: Prepared) -> dict[str, Rank]:
    """Return every signal as a method of its own."""
    return {name: Searcher(each.session, name).rank_anew for name in METHODS}


def signals(learner: Learner, options: argparse.Namespace) -> None:
    """Print each signal alone: single answers as in table 4.1, sets of answers as in table 4.2."""
    each = learner.scored
    hybrid = learner.hybrid(learner.fusion("mlp", settings={"networks": options.networks}))
    sets = main_measure(each) == "set_coverage@6" or each.name == "2wiki"
    found = measure(each, alone(each) | {"hybrid": hybrid}, (0, 4, 6, 8) if sets else (0, 1, 3, 5))
    if sets:
        _sets(each, found)
    else:
        _single(each, found)


def _sets(each: Prepared, found: Mapping[str, Measured]) -> None:
    head(f"{each.name}: set coverage", "method", "at 4", "at 6 (95%)", "at 8", "recall at 6", "thesis, 4 6 8")
    for name, own in found.items():
        row(name, short(own.mean("set_coverage@4")), within(own, "set_coverage@6"), short(own.mean("set_coverage@8")),
            short(own.mean("recall@6")), THESIS_SETS.get(name, ""))  # fmt: skip


def _single(each: Prepared, found: Mapping[str, Measured]) -> None:
    head(f"{each.name}: precision, recall and hit", "method", "first", "hits", "P R hit", "recall, 95%", "thesis")
    for name, own in found.items():
        whole = name.partition("(")[0] in WHOLE
        for k in (5, 0) if whole else (1, 3, 5):
            hits = f"{own.mean('hits@0'):.1f}" if k == 0 else ""
            low, high = own.ends(f"recall@{k}")
            row(name, "all" if k == 0 else str(k), hits, triple(own, k), f"{short(low)} – {short(high)}",
                THESIS_ONE.get(f"{name}@{k}", ""))  # fmt: skip


STEPS: tuple[tuple[str, float | None, bool, Any], ...] = (
    ("imputed, global, balanced", 0.75, False, "random"),
    ("imputed, local, balanced", 0.75, True, "random"),
    ("imputed, local, hard", 0.75, True, "hard"),
    ("imputed, local, mixed", 0.75, True, "mixed"),
    ("imputed at 0.5, local, balanced", 0.5, True, "random"),
    ("imputed at 0.5, local, hard", 0.5, True, "hard"),
    ("true, global, balanced", None, False, "random"),
    ("true, local, balanced", None, True, "random"),
    ("true, local, hard", None, True, "hard"),
    ("true, local, mixed", None, True, "mixed"),
)


def thesis(learner: Learner, options: argparse.Namespace) -> None:
    """Print the thesis's five features under its choices and others (table 4.4)."""
    each = learner.scored
    name = main_measure(each)
    for model in ("thesis", "logistic"):
        methods = {"vector": Searcher(each.session, "vector").rank_anew} | {
            step: learner.thesis(model, missing, local, sampling) for step, missing, local, sampling in STEPS
        }
        found = measure(each, methods, (3, 5, 6))
        head(f"{each.name}: five features, {model}", "choice", "P R hit at 3", f"{name} (95%)", "to vector (95%)",
             "thesis, P R hit at 3")  # fmt: skip
        for step, own in found.items():
            row(step, triple(own, 3), within(own, name), change(own, found["vector"], name),
                THESIS_STEPS.get(step, ""))  # fmt: skip


def few(learner: Learner, options: argparse.Namespace) -> None:
    """Print what 200 observations teach, the mean of three draws, against all (table 4.5)."""
    each = learner.scored
    name = main_measure(each)
    head(f"{each.name}: observations", "fusion", "observations", "P R hit at 3", f"{name} (95%)", "thesis")
    makers: dict[str, Callable[..., Rank]] = {
        "five features, thesis": lambda **own: learner.thesis("thesis", 0.75, True, "random", **own),
        "five features, logistic": lambda **own: learner.thesis("logistic", 0.75, True, "random", **own),
        "all features, logistic": lambda **own: learner.hybrid(learner.fusion("logistic", **own)),
    }
    for label, make in makers.items():
        drawn = {str(seed): make(seed=seed, limit=200) for seed in range(3)}
        found = measure(each, {"all": make(), **drawn}, (3, 5, 6))
        some = averaged([found[seed] for seed in drawn])
        of_thesis = label == "five features, thesis"
        row(label, "200", triple(some, 3), within(some, name), THESIS_FEW if of_thesis else "")
        row(label, "all", triple(found["all"], 3), within(found["all"], name), ".298 .662 .756" if of_thesis else "")


def left_out(learner: Learner, options: argparse.Namespace) -> None:
    """Print what is lost without each group of features."""
    each = learner.scored
    name = main_measure(each)
    settings = {"networks": options.networks} if options.model == "mlp" else {}

    def learn(**own: Any) -> Any:
        return learner.fusion(options.model, settings=settings, **own)

    whole = learn()
    first = whole._replace(model=whole.model.first)
    methods = {"nothing": learner.hybrid(whole), "the second pass": learner.hybrid(first)}
    methods["synthetic questions"] = learner.hybrid(learn(synthetic=False))
    for group, columns in GROUPS.items():
        methods[group] = learner.hybrid(learn(columns=columns), columns)
    found = measure(each, methods, (1, 2, 3, 5, 6))
    head(f"{each.name}: left out of the fusion, {options.model}", "left out", "recall@2", f"{name} (95%)",
         "change (95%)")  # fmt: skip
    for group, own in found.items():
        row(group, short(own.mean("recall@2")), within(own, name), change(own, found["nothing"], name))


def coarse(learner: Learner, options: argparse.Namespace) -> None:
    """Print what a search that fetches 100 and keeps k loses against exact search."""
    each, ks = learner.scored, (1, 3, 5, 10)
    rows = len(each.session.chunk_table.chunk_ids)
    head(f"{each.name}: {rows} chunks, {FETCHED} fetched", "search", *(f"of the exact {k}" for k in ks),
         "recall@5 (95%)")  # fmt: skip
    exact = measure(each, {"exact": Searcher(each.session, "vector").rank_anew}, (5,))["exact"]
    row("exact", *("1.000" for _ in ks), within(exact, "recall@5"))
    for name, search in searches(each.session).items():
        same = agreement(each, search, ks)
        found = measure(each, {name: search}, (5,))[name]
        row(name, *(short(same.mean(f"same@{k}")) for k in ks), within(found, "recall@5"))


def models(learner: Learner, options: argparse.Namespace) -> None:
    """Print the models of fusion beside each other."""
    each = learner.scored
    name = main_measure(each)
    ranked = reciprocal_ranks(each.session.embedder_name)
    methods = {
        "vector": Searcher(each.session, "vector").rank_anew,
        "rrf of the signals": learner.hybrid(ranked),
        "logistic": learner.hybrid(learner.fusion("logistic")),
        "mlp, one network": learner.hybrid(learner.fusion("mlp", settings={"networks": 1})),
        "mlp": learner.hybrid(learner.fusion("mlp")),
        "thesis": learner.hybrid(learner.fusion("thesis", ratio=1.0)),
    }
    found = measure(each, methods, (1, 2, 3, 5, 6))
    head(f"{each.name}: models", "model", "hit@1", "recall@2", f"{name} (95%)", "to mlp (95%)")
    for model, own in found.items():
        row(model, short(own.mean("hit@1")), short(own.mean("recall@2")), within(own, name),
            change(own, found["mlp"], name))  # fmt: skip


Table = Callable[[Learner, argparse.Namespace], None]
TABLES: dict[str, tuple[Table, tuple[str, ...]]] = {
    "signals": (signals, ("nq_earth", "2wiki", "fixtures")),
    "coarse": (coarse, ("nq_earth", "musique", "2wiki")),
    "left-out": (left_out, ("nq_earth", "musique")),
    "thesis": (thesis, ("nq_earth", "musique")),
    "models": (models, ("nq_earth", "musique")),
    "few": (few, ("nq_earth", "musique")),
}
"""The tables with the sets that they are told on where none are named."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", action="append", dest="sets")
    parser.add_argument("--only", action="append", choices=tuple(TABLES))
    parser.add_argument("--embedder", default="tfidf")
    parser.add_argument("--model", default="logistic", choices=("logistic", "mlp"), help="of the groups left out")
    parser.add_argument("--networks", type=int, default=1, help="of an mlp; the one that ships has 4")
    parser.add_argument("--practice", type=int, default=150)
    parser.add_argument("--most", type=int, help="questions of a set that are learned from; all by default")
    options = parser.parse_args(arguments)
    prepared = [Prepared(each, options.folder, options.embedder, options.practice) for each in sources()]
    for name, (table, sets) in TABLES.items():
        for each in prepared:
            if each.questions and each.name in (options.sets or sets) and name in (options.only or TABLES):
                start = time.perf_counter()
                table(Learner(prepared, each, options.most), options)
                print(f"{name}, {each.name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
