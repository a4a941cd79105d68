"""A run as files: rows for a table, JSON for a script, and a bundle that another store can import."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

from core.analysis.patterns import patterns
from core.errors import CurriculabError
from core.experiments.experiment import NAMES, Settings
from core.experiments.outcome import OrdersOutcome, Outcome
from core.experiments.statistics import Average, Paired, Results
from data.files.limits import check_bytes
from data.files.task_names import shown_file
from data.runs.outcomes import outcome_from, outcome_text
from data.runs.store import Run, Store

COLUMNS = ("repeat", "method", "task", "position", "source", "C", "error", "seconds")
FORMAT = "curriculab run 1"
MOST_BYTES = 1_000_000_000


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
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(run_rows(results))
    return text.getvalue()


def run_json(run: Run, results: Results) -> str:
    """The run, its summary and every outcome."""
    whole = run.as_dict() | {"summary": summary_dict(results), "outcomes": [_readable(o) for o in results.outcomes]}
    if results.walks:
        first = results.walks[0]
        whole["orders"] = {
            "complete": first.complete,
            "orders": [[first.names[k] for k in order] for order in first.orders],
            "mean_test_error": [float(mean) for mean in results.order_means],
        }
    return json.dumps(whole, indent=2, allow_nan=False) + "\n"


def summary_dict(results: Results) -> dict[str, Any]:
    """Means over repeats, a task's too, and all paired differences."""
    return {
        "methods": {
            NAMES[method]: {
                "mean_test_error": _average(results.average(method)),
                "tasks": {task: _average(average) for task, average in results.per_task(method).items()},
                "seconds": _average(results.seconds(method)),
            }
            for method in results.methods
        },
        "paired": [
            _paired(results.paired(method, baseline))
            for k, baseline in enumerate(results.methods)
            for method in results.methods[k + 1 :]
            if {o.repeat for o in results.of(method)} & {o.repeat for o in results.of(baseline)}
        ],
        "subsequences": {NAMES[m]: _subsequences(results, m) for m in ("multiseqmt", "treemt") if m in results.methods},
    }


def _subsequences(results: Results, method: str) -> dict[str, Any]:
    """Shares of the repeats in which each transfer, start, end and pairing occurred; what never did is left out."""
    forests = [{task: one.sources[task] for task in one.order} for one in results.of(method)]
    found = patterns(forests, results.tasks)
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
        "low": paired.low,
        "high": paired.high,
        "wilcoxon_p": paired.p_value,
        "repeats": paired.count,
    }


def _readable(outcome: Any) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(outcome_text(outcome))
    return values | {"method": NAMES[outcome.method]}


def write_bundle(run: Run, results: Results, path: Path) -> None:
    """A ZIP of `run.json` and `outcomes.jsonl`, from which `import_bundle` makes the same run again."""
    head = {
        "format": FORMAT,
        "uid": run.uid,
        "begun": run.begun,
        "finished": run.finished,
        "settings": run.settings.as_dict(),
        "split": run.split,
        "versions": dict(run.versions),
        "digest": run.digest,
    }
    pieces: list[Outcome | OrdersOutcome] = [*results.outcomes, *results.walks]
    lines = [outcome_text(piece) for piece in pieces]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json", json.dumps(head, indent=2))
        archive.writestr("outcomes.jsonl", "".join(f"{line}\n" for line in lines))


def import_bundle(store: Store, path: Path) -> Run:
    """The run of a bundle as a new run of this store; a run that is there already is refused."""
    file = shown_file(path.name)
    head, lines = _opened(path, file)
    try:
        settings = Settings.from_dict(head["settings"])
        uid, digest, split = (str(head[name])[:2000] for name in ("uid", "digest", "split"))
        versions = {str(name): str(value) for name, value in head["versions"].items()}
        begun, finished = str(head["begun"])[:40], None if head["finished"] is None else str(head["finished"])[:40]
    except (KeyError, TypeError, AttributeError):
        raise CurriculabError(f"{file} is no bundle of a run: its settings are not complete") from None
    outcomes = [outcome_from(line) for line in lines]
    wanted = set(settings.pieces)
    found = [(outcome.repeat, outcome.method) for outcome in outcomes]
    if not set(found) <= wanted or len(set(found)) < len(found) or (finished and set(found) != wanted):
        raise CurriculabError(
            f"{file} is damaged: its {len(found)} outcomes are not those of its settings; export anew"
        )
    if (there := store.with_uid(uid)) is not None:
        raise CurriculabError(f"{file} holds a run that is here already as run {there.id}; delete that one first")
    with store.together():
        run = store.begin(settings, split, digest, uid, versions=versions, begun=begun, finished=finished)
        for outcome in outcomes:
            store.add(run.id, outcome)
    return store.run(run.id)


def _opened(path: Path, file: str) -> tuple[dict[str, Any], list[str]]:
    try:
        check_bytes(file, path.stat().st_size)
        with zipfile.ZipFile(path) as archive:
            parts = [archive.getinfo(name) for name in ("run.json", "outcomes.jsonl")]
            if sum(part.file_size for part in parts) > MOST_BYTES:
                raise CurriculabError(f"{file} unpacks to more than a gigabyte; it is no bundle of a run")
            head, outcomes = (archive.read(part).decode("utf-8") for part in parts)
        known = json.loads(head)
    except OSError as error:
        raise CurriculabError(f"{file} cannot be opened: {error.strerror or error}; check the path") from None
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, NotImplementedError, RuntimeError):
        raise CurriculabError(
            f"{file} is no bundle of a run; make one with 'curriculab runs export ID --bundle FILE'"
        ) from None
    except (json.JSONDecodeError, RecursionError):
        raise CurriculabError(f"{file} is damaged: run.json is no JSON; export the run again") from None
    if not isinstance(known, dict) or known.get("format") != FORMAT:
        raise CurriculabError(f"{file} is of another format than {FORMAT!r}; export it with this version of Curriculab")
    return known, outcomes.splitlines()
