"""A run as one file that another store can import: a ZIP of its settings and outcomes; and the one that is shipped.

An imported run is what a stranger says: it can be looked at and deleted, but nothing is ever computed from it, and its
source is a name on the screen, not a place from which anything is read.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import IO

from core.errors import CurriculabError
from core.experiments.experiment import OrdersOutcome, Outcome
from core.experiments.summary import Results, results_of
from data.limits import check_bytes
from data.runs.export import shown
from data.runs.outcomes import outcome_from, outcome_text
from data.runs.run import MOST_SOURCE, Run, known_fields, line, plain_source
from data.runs.store import Store, piece_row
from data.task_names import shown_file

FORMAT = "curriculab run 1"
MOST_BYTES = 200 * 2**20
MOST_HEAD_BYTES = 2**16
MOST_LINE_BYTES = 4 * 2**20  # 50,000 orders of eight tasks
EXAMPLE = 0
"""The id of the run that is shipped; ids of a store begin at 1."""
EXAMPLE_FILE = Path(__file__).with_name("example.zip")
EXAMPLE_COMMAND = "curriculab compare mnist-levels:2 --C 1000 --repeats 20"
"""Computes it again."""
RECORDED = ("begun", "finished", "settings", "split", "overlap", "versions", "digest")
MOST_TIMES = 50
"""How much larger than the file the contents may be: texts of numbers pack to a tenth, not to a thousandth."""


def write_bundle(run: Run, results: Results, path: Path) -> None:
    """A ZIP of `run.json` and `outcomes.jsonl`, from which `import_bundle` makes the same run again."""
    recorded = {name: value for name, value in run.as_dict().items() if name in RECORDED}
    settings = run.settings.as_dict() | {"source": plain_source(run.settings.source)}
    head = {"format": FORMAT, "uid": run.uid} | recorded | {"settings": settings}
    lines = [*map(outcome_text, results.outcomes), *map(outcome_text, results.walks)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json", json.dumps(head, indent=2))
        archive.writestr("outcomes.jsonl", "".join(f"{one}\n" for one in lines))


def import_bundle(
    store: Store,
    path: Path,
    owner: str = "",
    most_bytes: int = MOST_BYTES,
    show: Callable[[Run, Results], object] = shown,
) -> Run:
    """The run of a bundle as a new run of this store, to be looked at only; one that is there already is refused.

    All of it is read and checked first, and `show` makes of it what others will look at: what fails is refused. The
    store is held for as long as ready rows take to be written.
    """
    run, results = _read(path, most_bytes)
    run = replace(run, owner=owner)
    try:
        show(run, results)
    except (CurriculabError, ArithmeticError, LookupError, TypeError, ValueError):
        raise CurriculabError(
            f"{shown_file(path.name)} is damaged: its outcomes contradict each other, so they cannot be shown; "
            "export anew"
        ) from None
    rows = [*map(piece_row, results.outcomes), *map(piece_row, results.walks)]
    with store.transaction():
        if (there := store.with_uid(run.uid)) is not None:
            raise CurriculabError(
                f"{shown_file(path.name)} holds a run that is here already as run {there.id}; delete that one first"
            )
        kept = store.insert(run)
        store.add_all(kept.id, rows)
    return store.run(kept.id)


@cache
def example() -> tuple[Run, Results]:
    """The run that is shipped, and its outcomes: the set of the first lesson, with all orders, to be looked at before
    one has computed any. It is in no store, so it cannot be changed or deleted.
    """
    return _read(EXAMPLE_FILE)


def _read(path: Path, most_bytes: int = MOST_BYTES) -> tuple[Run, Results]:
    """The run of a bundle and its outcomes, checked; whatever is wrong with the file is one sentence."""
    file = shown_file(path.name)
    try:
        size = path.stat().st_size
        check_bytes(file, size)
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(archive.getinfo(name).file_size for name in ("run.json", "outcomes.jsonl"))
            if unpacked > MOST_BYTES or unpacked > MOST_TIMES * size + 2**20:
                raise CurriculabError(f"{file} unpacks to {unpacked / 2**20:,.0f} MB; it is no bundle of a run")
            if unpacked > most_bytes:
                raise CurriculabError(
                    f"{file} unpacks to {unpacked / 2**20:,.0f} MB; the most that is imported here is "
                    f"{most_bytes // 2**20} MB, so import it on your own machine"
                )
            with archive.open("run.json") as text:
                run = _run(text.read(MOST_HEAD_BYTES + 1), file)
            with archive.open("outcomes.jsonl") as lines:
                outcomes = _outcomes(lines, file, run)
    except OSError as error:
        raise CurriculabError(f"{file} cannot be opened: {error.strerror or 'it is damaged'}; check it") from None
    except (zipfile.BadZipFile, zlib.error, KeyError, UnicodeDecodeError, NotImplementedError, RuntimeError, EOFError):
        raise CurriculabError(
            f"{file} is no bundle of a run; make one with 'curriculab runs export ID --bundle FILE'"
        ) from None
    done = Counter(outcome.method for outcome in outcomes)
    return replace(run, done=done), results_of(run.settings, outcomes, run.overlap)


def _run(text: bytes, file: str) -> Run:
    """The run of `run.json`; its source is a name, without any folder."""
    if len(text) > MOST_HEAD_BYTES:
        raise CurriculabError(f"{file} has settings that are too long; it is no bundle of a run")
    try:
        head = json.loads(text.decode("utf-8"))
    except (json.JSONDecodeError, RecursionError):
        raise CurriculabError(f"{file} is damaged: run.json is no JSON; export the run again") from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise CurriculabError(f"{file} is of another format than {FORMAT!r}; export it with this version of Curriculab")
    try:
        source = plain_source(line(head["settings"]["source"], MOST_SOURCE))
        known = known_fields(head | {"settings": head["settings"] | {"source": source}})
        return Run(id=EXAMPLE, **known, stopped="", imported=True)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise CurriculabError(
            f"{file} is no bundle of a run: its settings are incomplete or not of their kind; export the run again"
        ) from None


def _outcomes(lines: IO[bytes], file: str, run: Run) -> list[Outcome | OrdersOutcome]:
    """Each piece of the run's settings once, all of the same tasks and orders; of a finished run all of them."""
    found: list[Outcome | OrdersOutcome] = []
    wanted = set(run.settings.pieces)
    tasks: set[frozenset[str]] = set()
    walks: set[tuple[object, ...]] = set()
    while text := lines.readline(MOST_LINE_BYTES + 1):  # one after the other: the text as a whole may be large
        if len(text) > MOST_LINE_BYTES:
            raise CurriculabError(f"{file} has an outcome that is too long; it is no bundle of a run")
        outcome = outcome_from(text.decode("utf-8"))
        piece = (outcome.repeat, outcome.method)
        tasks.add(frozenset(outcome.names if isinstance(outcome, OrdersOutcome) else outcome.test_error))
        if isinstance(outcome, OrdersOutcome):
            walks.add((outcome.names, outcome.orders, outcome.complete))
        if piece not in wanted or len(tasks) > 1 or len(walks) > 1:
            break
        wanted.remove(piece)
        found.append(outcome)
    if text or (run.finished and wanted):
        raise CurriculabError(f"{file} is damaged: its outcomes are not those of its settings; export anew")
    return found
