"""A run as one file that another store can import: a ZIP of its settings and outcomes.

An imported run is what a stranger says: it can be looked at and deleted, but nothing is ever computed from it, and its
source is a name on the screen, not a place from which anything is read.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from core.errors import CurriculabError
from core.experiments.experiment import OrdersOutcome, Outcome, Settings
from core.experiments.summary import Results, results_of
from data.limits import check_bytes
from data.runs import fields
from data.runs.export import shown
from data.runs.outcomes import outcome_from, outcome_text
from data.runs.store import Run, Store, piece_row
from data.task_names import shown_file

FORMAT = "curriculab run 1"
MOST_BYTES = 200 * 2**20
MOST_HEAD_BYTES = 2**16
MOST_LINE_BYTES = 4 * 2**20  # 50,000 orders of eight tasks
MOST_TIMES = 50
"""How much larger than the file the contents may be: texts of numbers pack to a tenth, not to a thousandth."""


def write_bundle(run: Run, results: Results, path: Path) -> None:
    """A ZIP of `run.json` and `outcomes.jsonl`, from which `import_bundle` makes the same run again."""
    head = {
        "format": FORMAT,
        "uid": run.uid,
        "begun": run.begun,
        "finished": run.finished,
        "settings": run.settings.as_dict() | {"source": fields.plain_source(run.settings.source)},
        "split": run.split,
        "overlap": run.overlap,
        "versions": dict(run.versions),
        "digest": run.digest,
    }
    pieces: list[Outcome | OrdersOutcome] = [*results.outcomes, *results.walks]
    lines = [outcome_text(piece) for piece in pieces]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json", json.dumps(head, indent=2))
        archive.writestr("outcomes.jsonl", "".join(f"{line}\n" for line in lines))


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
    file = shown_file(path.name)
    with _opened(path, file, most_bytes) as (head, lines):
        settings, known = _checked(head, file)
        _check_new(store, known["uid"], file)
        outcomes = list(_outcomes(lines, file, settings, bool(known["finished"])))
    _check_shown(_run(0, settings, known, outcomes), results_of(settings, outcomes, known["overlap"]), show, file)
    rows = [piece_row(outcome) for outcome in outcomes]
    with store.together():
        _check_new(store, known["uid"], file)
        run = store.begin(settings, **known, imported=True, owner=owner)
        store.add_all(run.id, rows)
    return store.run(run.id)


def _check_new(store: Store, uid: str, file: str) -> None:
    if (there := store.with_uid(uid)) is not None:
        raise CurriculabError(f"{file} holds a run that is here already as run {there.id}; delete that one first")


def _check_shown(run: Run, results: Results, show: Callable[[Run, Results], object], file: str) -> None:
    try:
        show(run, results)
    except (CurriculabError, ArithmeticError, LookupError, TypeError, ValueError):
        raise CurriculabError(
            f"{file} is damaged: its outcomes contradict each other, so they cannot be shown; export anew"
        ) from None


def _outcomes(lines: IO[bytes], file: str, settings: Settings, finished: bool) -> Iterator[Outcome | OrdersOutcome]:
    """Each piece of the settings once, all of the same tasks and orders; of a finished run all of them."""
    wanted = set(settings.pieces)
    tasks: set[frozenset[str]] = set()
    walks: set[tuple[object, ...]] = set()
    damaged = CurriculabError(f"{file} is damaged: its outcomes are not those of its settings; export anew")
    for line in _lines(lines, file, len(wanted)):
        outcome = outcome_from(line)
        piece = (outcome.repeat, outcome.method)
        tasks.add(frozenset(outcome.names if isinstance(outcome, OrdersOutcome) else outcome.test_error))
        if isinstance(outcome, OrdersOutcome):
            walks.add((outcome.names, outcome.orders, outcome.complete))
        if piece not in wanted or len(tasks) > 1 or len(walks) > 1:
            raise damaged
        wanted.remove(piece)
        yield outcome
    if finished and wanted:
        raise damaged


def read_bundle(path: Path, identity: int) -> tuple[Run, Results]:
    """The run of a bundle of our own, and its outcomes; no store is touched."""
    file = shown_file(path.name)
    with _opened(path, file) as (head, lines):
        settings, known = _checked(head, file)
        outcomes = [outcome_from(line) for line in _lines(lines, file, len(settings.pieces))]
    return _run(identity, settings, known, outcomes), results_of(settings, outcomes, known["overlap"])


def _run(identity: int, settings: Settings, known: dict[str, Any], outcomes: Sequence[Outcome | OrdersOutcome]) -> Run:
    done = Counter(outcome.method for outcome in outcomes)
    return Run(id=identity, settings=settings, stopped="", done=dict(done), imported=True, **known)


def _checked(head: dict[str, Any], file: str) -> tuple[Settings, dict[str, Any]]:
    """The settings, and all else that `Store.begin` takes."""
    try:
        given = head["settings"] | {
            "source": fields.plain_source(fields.line(head["settings"]["source"], fields.MOST_SOURCE))
        }
        known = {
            "split": fields.line(head["split"], fields.MOST_SENTENCE),
            "overlap": fields.overlap(head),
            "digest": fields.digest(head["digest"]),
            "uid": fields.uid(head["uid"]),
            "versions": fields.versions(head["versions"]),
            "begun": fields.moment(head["begun"]),
            "finished": None if head["finished"] is None else fields.moment(head["finished"]),
        }
        return fields.settings(given), known
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise CurriculabError(
            f"{file} is no bundle of a run: its settings are incomplete or not of their kind; export the run again"
        ) from None


@contextmanager
def _opened(path: Path, file: str, most_bytes: int = MOST_BYTES) -> Iterator[tuple[dict[str, Any], IO[bytes]]]:
    try:
        size = path.stat().st_size
        check_bytes(file, size)
        with zipfile.ZipFile(path) as archive:
            parts = [archive.getinfo(name) for name in ("run.json", "outcomes.jsonl")]
            unpacked = sum(part.file_size for part in parts)
            if unpacked > MOST_BYTES or unpacked > MOST_TIMES * size + 2**20:
                raise CurriculabError(f"{file} unpacks to {unpacked / 2**20:,.0f} MB; it is no bundle of a run")
            if unpacked > most_bytes:
                raise CurriculabError(
                    f"{file} unpacks to {unpacked / 2**20:,.0f} MB; the most that is imported here is "
                    f"{most_bytes // 2**20} MB, so import it on your own machine"
                )
            with archive.open(parts[0]) as text:
                head = text.read(MOST_HEAD_BYTES + 1)
            if len(head) > MOST_HEAD_BYTES:
                raise CurriculabError(f"{file} has settings that are too long; it is no bundle of a run")
            known = json.loads(head.decode("utf-8"))
            if not isinstance(known, dict) or known.get("format") != FORMAT:
                raise CurriculabError(
                    f"{file} is of another format than {FORMAT!r}; export it with this version of Curriculab"
                )
            with archive.open(parts[1]) as lines:
                yield known, lines
    except OSError as error:
        raise CurriculabError(f"{file} cannot be opened: {error.strerror or 'it is damaged'}; check it") from None
    except (zipfile.BadZipFile, zlib.error, KeyError, UnicodeDecodeError, NotImplementedError, RuntimeError, EOFError):
        raise CurriculabError(
            f"{file} is no bundle of a run; make one with 'curriculab runs export ID --bundle FILE'"
        ) from None
    except (json.JSONDecodeError, RecursionError):
        raise CurriculabError(f"{file} is damaged: run.json is no JSON; export the run again") from None


def _lines(stream: IO[bytes], file: str, most: int) -> Iterator[str]:
    """One after the other, so that memory holds one; no more than a run of these settings has."""
    for _ in range(most + 1):
        line = stream.readline(MOST_LINE_BYTES + 1)
        if not line:
            return
        if len(line) > MOST_LINE_BYTES:
            break
        yield line.decode("utf-8")
    raise CurriculabError(f"{file} has too many or too long outcomes for its settings; it is no bundle of a run")
