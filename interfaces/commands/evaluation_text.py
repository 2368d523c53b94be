"""An evaluation for people: a line for each method, for its answers, and for each stage where it loses questions."""

from __future__ import annotations

from typing import Any

from interfaces.output import counted, say


def print_report(report: dict[str, Any], ks: list[int]) -> None:
    """Print an evaluation for people, a line for each method and for each pair of methods."""
    from retriever.evaluation.report.summary import of_rankings

    say(f"{counted(report['questions'], 'question')}, {report['unjudged']:,} unjudged, "
        f"{counted(report['unresolved'], 'gold item')} not in the SKB, unit {report['unit']}")
    ranked = of_rankings(report)["methods"]
    if not ranked:
        say(f"no question has gold, so there is nothing to measure{' of rankings' * bool(report['methods'])}")
        return
    names = [f"recall@{k}" for k in ks] + [f"ndcg@{ks[-1]}", "mrr", "map"]
    width = max(16, *(len(method) + 2 for method in ranked))
    say("method".ljust(width) + "".join(name.rjust(12) for name in names) + "p50 ms".rjust(10))
    for method, measured in ranked.items():
        cells = "".join(f"{measured[name]:.3f}".rjust(12) for name in names)
        seconds = f"{measured['seconds']['p50'] * 1000:.1f}" if "seconds" in measured else "-"
        say(method.ljust(width) + cells + seconds.rjust(10))
    name = f"recall@{ks[-1]}"
    for pair, entry in report["paired"].items():
        say(f"{pair}: {name} {_difference(entry[name])}")
    for method, own in report.get("compare", {}).items():
        say(f"{method} against the earlier report, {counted(own['questions'], 'question')}: {len(own['won']):,} won,"
            f" {len(own['lost']):,} lost, {own['by']} {_difference(own['measures'][own['by']])}")


def _difference(entry: dict[str, float]) -> str:
    return f"{entry['difference']:+.3f} [{entry['low']:+.3f}, {entry['high']:+.3f}], p {entry['p']:.4f}"


def print_errors(lost: dict[str, dict[str, Any]]) -> None:
    """Print where each method loses its questions, a line for each stage."""
    for method, report in lost.items():
        say(f"{method}: {counted(report['questions'], 'question')}")
        for name, stage in report.items():
            if name != "questions":
                also = f", of these {stage['lost_and_ranked']:,} ranked all the same" if stage["lost"] else ""
                say(f"  {name.ljust(10)}{stage['reached']:>8,}    lost {stage['lost']:,}{also}")


def print_answers(answers: dict[str, dict[str, Any]]) -> None:
    """Print the measures of answers for people, a line for each method."""
    if not answers:
        return
    names = [name for name in dict.fromkeys(name for each in answers.values() for name in each) if name != "ci"]
    width = max(16, *(len(method) + 2 for method in answers))
    say("answers by".ljust(width) + "".join(name.rjust(22) for name in names))
    for method, measured in answers.items():
        cells = (f"{measured[name]:.3f}" if name in measured else "-" for name in names)
        say(method.ljust(width) + "".join(cell.rjust(22) for cell in cells))
