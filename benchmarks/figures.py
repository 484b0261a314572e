"""Figures of the benchmarks as SVG files, drawn without a display; the same numbers give the same file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#666666", "#9a7d0a", "#7b4fa3", "#8b4513")
OURS = "#000000"
Series = dict[str, list[tuple[float, float]]]


def race(content: dict, path: Path) -> None:
    """Draw seconds against λ, a panel per data set and target, a line per solver."""
    rows = content["rows"]
    data = list(dict.fromkeys(row["data"] for row in rows))
    targets = sorted({row["target"] for row in rows}, reverse=True)
    names = list(dict.fromkeys(name for row in rows for name, entry in row["solvers"].items() if "seconds" in entry))
    figure, axes = _panels(len(targets), len(data))
    for i, target in enumerate(targets):
        for j, name in enumerate(data):
            series = {
                solver: [
                    (row["divisor"], row["solvers"][solver]["seconds"])
                    for row in rows
                    if row["data"] == name and row["target"] == target and "seconds" in row["solvers"].get(solver, {})
                ]
                for solver in names
            }
            _lines(axes[i][j], series, names)
            axes[i][j].set(title=f"{name}, suboptimality {target:g}", xlabel="λ_max / λ", ylabel="seconds of a fit")
    _finish(figure, axes, content["title"], path)


def curves(title: str, panels: dict[str, Series], labels: tuple[str, str], path: Path) -> None:
    """Draw one panel per entry of ``panels``, each a dict of lines, on log axes; ``labels`` name the axes."""
    names = list(dict.fromkeys(name for series in panels.values() for name in series))
    columns = min(3, len(panels))
    figure, axes = _panels(-(-len(panels) // columns), columns)
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    for axis, (name, series) in zip(axes.flat, panels.items(), strict=False):
        _lines(axis, series, names)
        axis.set(title=name, xlabel=labels[0], ylabel=labels[1])
    _finish(figure, axes, title, path)


def _panels(n_rows: int, n_columns: int) -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("Agg")
    # Names of parts would otherwise be random: the same numbers would give another file.
    matplotlib.rcParams.update({"svg.hashsalt": "laconic", "svg.fonttype": "none", "font.size": 9})
    import matplotlib.pyplot as plt

    return plt.subplots(n_rows, n_columns, figsize=(4.2 * n_columns + 1.6, 3.4 * n_rows), squeeze=False)


def _lines(axis: Any, series: Series, names: Sequence[str]) -> None:
    from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter

    peers = [name for name in names if not name.startswith("laconic")]
    for name, points in series.items():
        if not points:
            continue
        ours = name.startswith("laconic")
        colour = OURS if ours else COLOURS[peers.index(name) % len(COLOURS)]
        x, y = zip(*sorted(points), strict=True)
        style = {"linewidth": 2.2, "zorder": 3} if ours else {"linewidth": 1.2, "zorder": 2}
        axis.plot(x, y, "o-", color=colour, label=name, markersize=4, **style)
    axis.set(xscale="log", yscale="log")
    # Without it the labels of minor ticks overlap where an axis spans little more than a decade.
    axis.xaxis.set(minor_formatter=NullFormatter())
    axis.xaxis.set(major_locator=LogLocator(subs=(1.0, 3.0)), major_formatter=EngFormatter(sep=""))
    axis.grid(True, which="major", color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def _finish(figure: Any, axes: Any, title: str, path: Path) -> None:
    import matplotlib.pyplot as plt

    handles = {label: h for axis in axes.flat for h, label in zip(*axis.get_legend_handles_labels(), strict=True)}
    figure.suptitle(title)
    figure.tight_layout(rect=(0.0, 0.0, 1.0 - 1.5 / figure.get_figwidth(), 1.0))
    figure.legend(handles.values(), handles.keys(), loc="center right", frameon=False)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
