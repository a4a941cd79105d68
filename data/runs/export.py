"""A run as files: rows for a table, JSON for a script."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from core.experiments.difference import Average, Paired
from core.experiments.experiment import NAMES
from core.experiments.summary import Results
from core.measure import Measure
from core.orders.orders_by_draw import noise_over
from core.statistics.patterns import patterns, stability
from data.runs.run import plain_source
from data.runs.store import Run
from data.tables.writer import csv_text
from data.task_names import without_folders

SUBSEQUENCES = ("multiseqmt", "treemt")
COLUMNS = ("repeat", "method", "task", "position", "source", "C", "error", "seconds")


def run_rows(results: Results) -> list[tuple[object, ...]]:
    """A row per repeat, method and task, as `COLUMNS`; position counts from 1, and is empty for a joint method."""
    rows: list[tuple[object, ...]] = []
    for outcome in results.outcomes:
        place = {task: k for k, task in enumerate(outcome.order, start=1)}
        rows += [
            (
                outcome.repeat,
                NAMES[outcome.method],
                task,
                place.get(task, ""),
                outcome.sources[task] or "",
                outcome.chosen_C[task],
                outcome.test_error[task],
                outcome.seconds,
            )
            for task in results.tasks
        ]
    return rows


def run_csv(results: Results) -> str:
    """The rows as CSV with a heading."""
    return csv_text(COLUMNS, run_rows(results))


def run_json(run: Run, results: Results) -> str:
    """The run, its summary and every outcome; a file it was computed from is named without its folder."""
    source = plain_source(run.settings.source)
    whole = run.as_dict() | {
        "task_set": source,
        "settings": run.settings.as_dict() | {"source": source},
        "stopped": without_folders(run.stopped),
        "summary": summary_dict(results),
        "outcomes": [asdict(outcome) | {"method": NAMES[outcome.method]} for outcome in results.outcomes],
    }
    if results.walks:
        first = results.walks[0]
        whole["orders"] = {
            "complete": first.complete,
            "orders": [[first.names[k] for k in order] for order in first.orders],
            _mean_name(results.settings.measure): [float(mean) for mean in results.order_means],
        }
    return json.dumps(whole, indent=2, allow_nan=False) + "\n"


def shown(run: Run, results: Results) -> None:
    """Compute all that pages and files show of a run, so that it is known before others look at it."""
    run_csv(results)
    run_json(run, results)
    if (over := results.over_draws) is not None:
        _ = over.places, noise_over(over)
    for method in SUBSEQUENCES:
        if method in results.methods:
            stability([one.forest for one in results.of(method)], results.tasks)


def summary_dict(results: Results) -> dict[str, Any]:
    """Means over repeats, those of each task too, and every method against every other, as Compare shows them; balanced
    errors as well if the run went by them.
    """
    return {
        "methods": {NAMES[method]: _method(results, method) for method in results.methods},
        "paired": [_paired(pair) for baseline in results.methods for pair in results.against(baseline)],
        "subsequences": {NAMES[m]: _subsequences(results, m) for m in SUBSEQUENCES if m in results.methods},
    }


def _method(results: Results, method: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        _mean_name("error"): _average(results.average(method, "error")),
        "tasks": {task: _average(average) for task, average in results.per_task(method, "error").items()},
        "seconds": _average(results.seconds(method)),
    }
    if results.settings.measure == "balanced":
        found[_mean_name("balanced")] = _average(results.average(method))
        found["balanced_tasks"] = {task: _average(average) for task, average in results.per_task(method).items()}
    return found


def _mean_name(measure: Measure) -> str:
    return "mean_test_error" if measure == "error" else "mean_balanced_error"


def _subsequences(results: Results, method: str) -> dict[str, Any]:
    """Shares of the repeats in which each transfer, start, end and pairing occurred; what never did is left out."""
    found = patterns([one.forest for one in results.of(method)], results.tasks)
    places = [(i, j) for i in range(len(found.names)) for j in range(len(found.names))]
    return {
        "transfers": [
            {"source": found.names[i], "task": found.names[j], "share": float(found.transfers[i, j])}
            for i, j in places
            if found.transfers[i, j] > 0
        ],
        "starts": {task: float(share) for task, share in zip(found.names, found.starts, strict=True)},
        "ends": {task: float(share) for task, share in zip(found.names, found.ends, strict=True)},
        "together": [
            {"tasks": [found.names[i], found.names[j]], "share": float(found.together[i, j])}
            for i, j in places
            if i < j and found.together[i, j] > 0
        ],
    }


def _average(average: Average) -> dict[str, Any]:
    return {"mean": average.mean, "standard_error": average.standard_error, "repeats": average.count}


def _paired(paired: Paired) -> dict[str, Any]:
    return {
        "method": NAMES[paired.method],
        "baseline": NAMES[paired.baseline],
        "difference": paired.difference,
        "low": None if paired.interval is None else paired.interval.low,
        "high": None if paired.interval is None else paired.interval.high,
        "p_value": paired.p_value,
        "verdict": paired.verdict,
        "repeats": paired.count,
    }
