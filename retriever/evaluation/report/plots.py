"""Plots of a report as PNG: recall over k, by question type, feature importances; through the extra `[plots]`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
"""Okabe and Ito's, which colour-blind readers can tell apart."""

STYLES = ("-", "--", ":", "-.")
MOST_BARS = 20
"""So many features, and so many of the most frequent types, are drawn."""

NOT_PLAIN = re.compile(r"[^A-Za-z0-9_.=-]+")


def can_plot() -> bool:
    """Tell whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


class _Plot(NamedTuple):
    """A plot's file name, its size in inches, and what draws it."""

    name: str
    size: tuple[float, float]
    draw: Callable[[Any], None]


def write_plots(report: dict[str, Any], folder: Path, tell: Callable[[str], object]) -> list[str]:
    """Write the plots that a report has figures for and return their names; equal figures give equal bytes.

    `tell` is called with the name of each plot as it begins.
    """
    if not report["methods"]:
        return []
    folder.mkdir()
    plots = list(_plots(report))
    for plot in plots:
        tell(plot.name)
        _save(folder, plot)
    return [plot.name for plot in plots]


def _plots(report: dict[str, Any]) -> Iterator[_Plot]:
    yield _Plot("recall_over_k.png", (8, 5), lambda axes: _recall(axes, report))
    if report["types"]:
        n_bars = min(len(report["types"]), MOST_BARS) * (1 + len(report["methods"]))
        size = (8, 1.5 + 0.25 * n_bars)
        yield _Plot("by_type.png", size, lambda axes: _types(axes, report))
    for number, (method, entry) in enumerate(report.get("importances", {}).items(), 1):
        name = f"importances_{number}_{NOT_PLAIN.sub('_', method)}.png"
        shown = dict(list(entry.items())[:MOST_BARS])
        yield _Plot(name, (8, 1.5 + 0.4 * len(shown)), _bars_of(method, shown))


def _save(folder: Path, plot: _Plot) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=plot.size, layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    plot.draw(axes)
    # Without its name the library puts no version into the file.
    figure.savefig(folder / plot.name, dpi=120, metadata={"Software": None})


def _recall(axes: Any, report: dict[str, Any]) -> None:
    for index, (method, recall) in enumerate(report["recall_over_k"].items()):
        ks = [int(k) for k in recall]
        axes.plot(ks, list(recall.values()), label=method, color=COLOURS[index % len(COLOURS)],
                  linestyle=STYLES[index // len(COLOURS) % len(STYLES)], marker="o", markersize=3)  # fmt: skip
    axes.set_xscale("log")
    ticks = [1, 2, 5, 10, 20, 50, 100, 200, 400]
    axes.set_xticks(ticks, [str(k) for k in ticks])
    axes.minorticks_off()
    axes.set_ylim(0, 1.02)
    axes.set(xlabel="k", ylabel="mean share of the gold items found", title="Recall over k, to the whole pool")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, loc="lower right")


def _types(axes: Any, report: dict[str, Any]) -> None:
    methods = list(report["methods"])
    by_count = sorted(report["types"].items(), key=lambda each: (-each[1]["questions"], each[0]))
    types = dict(by_count[:MOST_BARS])
    name = max((each for each in report["methods"][methods[0]] if each.startswith("recall@")),
               key=lambda each: int(each.removeprefix("recall@")))  # fmt: skip
    height = 0.8 / len(methods)
    for index, method in enumerate(methods):
        values = [entry["methods"][method][name] for entry in types.values()]
        heights = [row + height * (index - (len(methods) - 1) / 2) for row in range(len(types))]
        bars = axes.barh(heights, values, height * 0.9, label=method, color=COLOURS[index % len(COLOURS)])
        axes.bar_label(bars, fmt="%.2f", padding=3, fontsize=8)
    axes.set_yticks(range(len(types)), [f"{kind} ({entry['questions']})" for kind, entry in types.items()])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.05)
    axes.set(xlabel=name, title="By question type (number of questions)")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))


def _bars_of(method: str, entry: dict[str, dict[str, float]]) -> Callable[[Any], None]:
    def draw(axes: Any) -> None:
        kinds = (("forest", "random forest: share of impurity"), ("permutation", "permutation: ROC area lost"))
        for index, (kind, label) in enumerate(kinds):
            heights = [row + 0.4 * (index - 0.5) for row in range(len(entry))]
            axes.barh(heights, [each[kind] for each in entry.values()], 0.36, label=label, color=COLOURS[index])
        axes.set_yticks(range(len(entry)), list(entry))
        axes.invert_yaxis()
        axes.set(xlabel="importance", title=f"Features of {method}")
        axes.legend(frameon=False, loc="lower right")

    return draw
