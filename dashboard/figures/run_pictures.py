"""The figures of methods over repeats, each with the words that belong to it: for the pages and for a report."""

from __future__ import annotations

from collections.abc import Mapping

from core.experiments.experiment import NAMES
from core.experiments.summary import Results
from core.measure import Measure
from core.statistics.patterns import Patterns
from dashboard import text
from dashboard.figures import compare, differences, patterns, plot
from dashboard.figures import orders as orders_figure
from dashboard.figures.pictures import Picture
from data.published import PAPER, published_for


def methods(results: Results, measure: Measure, dark: bool) -> Picture:
    """The paper's Figure 2."""
    bars = compare.info(results, published_for(results.settings.source), measure)
    title, error = compare.title(bars), text.error_name(measure)
    paper = f" Diamonds are the paper's own figures ({PAPER})." if any(bar.published for bar in bars) else ""
    return Picture(
        compare.figure(bars, dark),
        "methods",
        title,
        f"A bar is the mean over repeats of the mean {error} over tasks, the whisker one standard error of that mean"
        f"{compare.shared_rows(results)}. Best and Worst (grey) are picked among fixed orders by their test error, so "
        f"nobody could use them.{paper}",
        f"Bars of the mean {error} of {len(bars)} methods. {title}.",
        compare.table(bars),
    )


def paired(results: Results, base: str, measure: Measure, dark: bool) -> Picture | None:
    """Every method against a baseline; None while no other has a repeat in common with it."""
    found = results.against(base, measure)
    if not found:
        return None
    title = differences.baseline_title(found)
    return Picture(
        differences.baseline_figure(found, dark, measure),
        "paired",
        title,
        f"Each dot is a method's {text.error_name(measure)} minus the baseline's on the same draws; left of 0 is "
        f"better. {differences.reading(found)} Where methods do not differ, at most 5\u00a0% of runs call any of them "
        "clearly better or worse.",
        f"Differences of {len(found)} methods from {NAMES[found[0].baseline]}. {title}.",
        differences.baseline_table(found),
    )


def tasks(results: Results, measure: Measure, dark: bool) -> Picture:
    """Where the means come from."""
    found, error = compare.tasks(results, measure), text.error_name(measure)
    return Picture(
        plot.matrix(found, dark),
        "per-task",
        compare.tasks_title(results, measure),
        f"Mean {error} over the repeats, in per cent, of each task under each method.",
        f"Table of {error}s of {len(results.methods)} methods on {len(results.tasks)} tasks.",
        found.frame("method"),
    )


def orders(results: Results, dark: bool) -> Picture | None:
    """All fixed orders over the repeats, as the paper's Figure 3; None where they were not tried."""
    spread = compare.orders_info(results)
    if spread is None:
        return None
    which = "All" if spread.orders.complete else "A random sample of"
    noise = "" if spread.noise is None else f"\n\n{orders_figure.noise_details(spread.noise)}"
    return Picture(
        orders_figure.figure(spread, dark),
        "fixed-orders",
        spread.title,
        f"{which} {len(spread.values)} fixed orders, the same in each repeat: every dot is one, by its {spread.error} "
        "over the repeats. Rows above are the methods' means with one standard error; a method's order may differ from "
        f"repeat to repeat.{noise}",
        f"Violin of the {spread.error}s of {len(spread.values)} orders. {spread.title}.",
        compare.orders_table(results),
    )


def transfers(found: Patterns, dark: bool) -> Picture:
    """How often each task was learned from each other."""
    title = patterns.transfers_title(found)
    return Picture(
        plot.matrix(patterns.transfers(found), dark),
        "transfers",
        title,
        "The task of the column was learned from the source of the row in that share of the repeats. Columns add up to "
        "100\u00a0%: the last row counts the repeats in which the task had no source.",
        title,
        patterns.transfers_table(found),
    )


def companions(found: Patterns, dark: bool) -> Picture:
    """How often two tasks were in one subsequence."""
    matrix, title = patterns.companions(found), patterns.companions_title(found)
    return Picture(
        plot.matrix(matrix, dark),
        "companions",
        title,
        "The share of repeats in which two tasks were in the same subsequence. Tasks are sorted so that companions "
        "stand beside each other: blocks are tasks that belong together.",
        title,
        matrix.frame("task"),
    )


def positions(found: Patterns, labels: Mapping[str, str], colours: Mapping[str, str], dark: bool) -> Picture:
    """When one sequence learned each task."""
    title = patterns.positions_title(found)
    return Picture(
        patterns.positions(found, labels, colours, dark),
        "positions",
        title,
        "One dot per repeat, at the step at which it learned the task; the bar is the mean. One sequence keeps all "
        "tasks together, so there are no companions to show.",
        title,
        patterns.ends_table(found),
    )


def ends(found: Patterns, labels: Mapping[str, str], dark: bool) -> Picture:
    """How often each task started and ended a subsequence."""
    title = patterns.ends_title(found)
    return Picture(
        patterns.ends(found, labels, dark),
        "ends",
        title,
        "How often the task had no source (starts, plain bars), and how often nothing was learned from it (ends, "
        "striped bars). A task that is alone does both.",
        title,
        patterns.ends_table(found),
    )
