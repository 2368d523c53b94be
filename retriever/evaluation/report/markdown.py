"""The report of an evaluation for people, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from retriever.evaluation.misses import FATES, FOUND, worst
from retriever.evaluation.report.summary import of_rankings

Records = Sequence[dict[str, Any]]


def markdown(report: dict[str, Any], records: dict[str, Records], plots: Sequence[str]) -> str:
    """Return the report: figures with intervals, differences, what was lost where, and the worst questions."""
    ranked = of_rankings(report)
    sections = [_head(report)]
    if ranked["methods"]:
        ks = cut_offs(ranked)
        sections += [_measures(ranked, ks), _differences(ranked, ks), _types(ranked, ks), _losses(ranked, ks)]
        sections += [_importances(ranked), _earlier(ranked, records), _plots(plots), _times(ranked), _check(ks)]
        sections += [_worst(method, each) for method, each in records.items()]
    if report["methods"]:
        sections += [_stages(report), _everything(report)]
    return "\n".join(line for section in sections for line in section)


def cut_offs(report: dict[str, Any]) -> list[int]:
    """Return the k of a report's measures."""
    names: dict[str, Any] = next(iter(report["methods"].values()), {})
    return sorted(int(name.removeprefix("recall@")) for name in names if name.startswith("recall@"))


def headlines(ks: Sequence[int]) -> list[str]:
    """Return the measures that a reader looks at first."""
    return [*(f"recall@{k}" for k in ks), f"set_coverage@{ks[-1]}", f"ndcg@{ks[-1]}", "mrr", "map"]


def _head(report: dict[str, Any]) -> Iterator[str]:
    n = report["questions"] - report["unjudged"]
    yield "# Evaluation\n"
    yield (f"{report['questions']:,} questions, {n:,} of them with gold; unit {report['unit']}; "
           f"{report['unresolved']:,} gold items are not in the SKB and count as missed.")  # fmt: skip
    if n:
        drawn = report["resampling"]
        yield (f"Brackets hold {drawn['level']:.0%} intervals: percentile bootstrap over the {n:,} questions, "
               f"{drawn['resamples']:,} resamples, seed {drawn['seed']}.\n")  # fmt: skip
    else:
        yield f"There is nothing to measure{' of rankings' * bool(report['methods'])}.\n"


def _measures(report: dict[str, Any], ks: Sequence[int]) -> Iterator[str]:
    names = [*headlines(ks), "pool_recall"]
    yield "## Measures\n"
    yield from _table(
        ["method", *names],
        ([method, *(_with_interval(each, name) for name in names)] for method, each in report["methods"].items()),
    )


def _with_interval(measured: dict[str, Any], name: str) -> str:
    low, high = measured["ci"][name]
    return f"{measured[name]:.3f} [{low:.3f}, {high:.3f}]"


def _differences(report: dict[str, Any], ks: Sequence[int]) -> Iterator[str]:
    if not report["paired"]:
        return
    names = headlines(ks)
    yield "## Paired differences\n"
    yield "On the same questions; p is of the two-sided randomisation test.\n"
    yield from _table(
        ["methods", *names],
        ([pair, *(_difference(entry[name]) for name in names)] for pair, entry in report["paired"].items()),
    )


def _difference(entry: dict[str, float]) -> str:
    return f"{entry['difference']:+.3f} [{entry['low']:+.3f}, {entry['high']:+.3f}] p {entry['p']:.4f}"


def _types(report: dict[str, Any], ks: Sequence[int]) -> Iterator[str]:
    if not report["types"]:
        return
    name = f"recall@{ks[-1]}"
    yield f"## By question type: {name}\n"
    yield from _table(
        ["type", "questions", *report["methods"]],
        ([kind, entry["questions"], *(f"{each[name]:.3f}" for each in entry["methods"].values())]
         for kind, entry in report["types"].items()),
    )  # fmt: skip


def _losses(report: dict[str, Any], ks: Sequence[int]) -> Iterator[str]:
    yield "## What became of the gold items\n"
    yield (f"Found: among the first {ks[-1]} hits. Ranked low: further down in what the method returned, its pool. "
           "The pool's recall is the ceiling of every reordering.\n")  # fmt: skip
    yield from _table(
        ["method", *FATES, "pool recall"],
        ([method, *(each["gold"][fate] for fate in FATES), f"{each['pool_recall']:.3f}"]
         for method, each in report["methods"].items()),
    )  # fmt: skip


def _importances(report: dict[str, Any]) -> Iterator[str]:
    for method, entry in report.get("importances", {}).items():
        yield f"## Features of {method}\n"
        yield "Importance in a random forest, and area under the ROC curve lost when the column is shuffled.\n"
        yield from _table(
            ["feature", "forest", "permutation"],
            ([name, f"{each['forest']:.3f}", f"{each['permutation']:+.3f}"] for name, each in entry.items()),
        )


def _earlier(report: dict[str, Any], records: dict[str, Records]) -> Iterator[str]:
    for method, own in report.get("compare", {}).items():
        yield f"## {method} against the earlier report\n"
        yield (f"{own['questions']:,} common questions; by {own['by']}, {len(own['won']):,} won and "
               f"{len(own['lost']):,} lost.\n")  # fmt: skip
        names = [name for name in own["measures"] if name.startswith(("recall@", "set_coverage@")) or "@" not in name]
        yield from _table(["measure", "now - earlier"], ([name, _difference(own["measures"][name])] for name in names))
        texts = {each["id"]: each["question"] for each in records[method]}
        for change in ("won", "lost"):
            yield from (f"- {change}: `{each}` {cell(texts[each])}" for each in own[change][:20])
        if own["won"] or own["lost"]:
            yield ""


def _plots(plots: Sequence[str]) -> Iterator[str]:
    if plots:
        yield "## Plots\n"
        yield from (f"![{name.removesuffix('.png').replace('_', ' ')}](plots/{name})\n" for name in plots)


def _times(report: dict[str, Any]) -> Iterator[str]:
    timed = {method: each["seconds"] for method, each in report["methods"].items() if "seconds" in each}
    if timed:
        yield "## Times of a question, with its whole pool\n"
        yield from _table(
            ["method", "p50 ms", "p95 ms"],
            ([method, f"{each['p50'] * 1000:.1f}", f"{each['p95'] * 1000:.1f}"] for method, each in timed.items()),
        )


def _check(ks: Sequence[int]) -> Iterator[str]:
    k = ks[-1]
    yield "## Check\n"
    yield f"```\nir_measures trec/qrels trec/run.METHOD 'P@{k} R@{k} Success@{k} nDCG@{k} AP@{k} RR AP'\n```\n"
    yield (f"gives precision@{k}, recall@{k}, hit@{k}, ndcg@{k}, map@{k}, mrr and map of this report. "
           "`per_question.jsonl` has every figure of every question.\n")  # fmt: skip


def _worst(method: str, records: Records) -> Iterator[str]:
    """Name the worst questions, a row for each gold item that is missed."""
    chosen = worst(records)
    if not chosen:
        return
    yield f"## The {len(chosen)} worst questions of {method}\n"
    yield "By average precision. Pool rank: the best place that the scores of a proposing signal give it in the pool.\n"
    yield from _table(
        ["question", "missed gold", "why", "proposed by", "pool rank", "final rank"],
        ([f"`{each['id']}` {each['question']}" if index == 0 else "", _named(gold), gold["fate"],
          ", ".join(gold["proposers"]) or "-", gold["pool_rank"] or "-", gold["rank"] or "-"]
         for each in chosen
         for index, gold in enumerate(gold for gold in each["gold"] if gold["fate"] != FOUND)),
    )  # fmt: skip


def _named(gold: dict[str, Any]) -> str:
    name = str(gold.get("uri") or gold.get("title"))
    return name + (f": {_shortened(gold['text'])}" if gold.get("text") else "")


def _stages(report: dict[str, Any]) -> Iterator[str]:
    """Tell where focused retrieval loses its questions, where that was asked for."""
    for method, own in report["methods"].items():
        if "errors" in own:
            yield f"## Where {method} loses questions\n"
            stages = ((name, stage) for name, stage in own["errors"].items() if name != "questions")
            yield from _table(
                ["stage", "reached", "lost", "of these ranked"],
                ([name, stage["reached"], stage["lost"], stage["lost_and_ranked"]] for name, stage in stages),
            )


def _everything(report: dict[str, Any]) -> Iterator[str]:
    yield "## All measures\n"
    methods = report["methods"]
    names = dict.fromkeys(name for own in methods.values() for name, value in own.items() if isinstance(value, float))
    yield from _table(
        ["measure", *methods],
        ([name, *(_measure(each, name) for each in methods.values())] for name in names),
    )


def _measure(measured: dict[str, Any], name: str) -> str:
    """Return a measure with its interval as far as it has both."""
    if name in measured.get("ci", {}):
        return _with_interval(measured, name)
    return f"{measured[name]:.3f}" if name in measured else "-"


def _table(head: Iterable[Any], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    cells = [cell(each) for each in head]
    yield f"| {' | '.join(cells)} |"
    yield f"|{'---|' * len(cells)}"
    yield from (f"| {' | '.join(cell(each) for each in row)} |" for row in rows)
    yield ""


def cell(value: object) -> str:
    """Return a value as one line without what would end a cell of a table."""
    return " ".join(str(value).split()).replace("|", "\\|")


def _shortened(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[:most].rstrip() + "…"
