"""Which run is on screen, and which stand beside it: those of the store, and the example that is shipped."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import streamlit as st

from core.errors import CurriculabError
from core.experiments.summary import Results
from dashboard import text
from dashboard.components import local_data, run_launcher
from dashboard.session import links, widgets
from dashboard.session.current import Current
from data.runs import bundle
from data.runs.run import path_and_recipe
from data.runs.schema import home
from data.runs.store import Run, Store, is_upload
from data.sources import catalogue
from data.sources.source import Source

MOST_BESIDE = 11


def is_of_set(run: Run, now: Current) -> bool:
    """Whether a run is one of the set on screen; an imported run never is, as its file may claim anything.

    An upload is known by its digest, or by the folder in which the store keeps its file for the run.
    """
    source = run.settings.source
    if run.imported and run.id != bundle.EXAMPLE:
        return False
    if now.upload is not None:
        path = Path(path_and_recipe(source)[0])
        kept = {path.parent.name, path.stem} if is_upload(home(), source) else set()  # once the file had that name
        digests = (now.task_set.digest, now.upload.source.digest)
        same = run.overlap is not None and run.digest in digests  # fresh draws are those of a built-in set
        return same or run_launcher.upload_key(now)[:20] in kept
    return source == now.name


def listed(store: Store, now: Current) -> dict[int, Run]:
    """The runs that have results, those of the set on screen that are under way, and the one that the link names; the
    newest first, the example last.
    """
    wanted = _wanted()
    runs = [
        run
        for run in store.runs()
        if run.done_in_all > run.done.get("orders", 0)
        or run.id == wanted
        or (is_of_set(run, now) and run_launcher.is_running(store, run))
    ]
    return {run.id: run for run in (*runs, bundle.example()[0])}


def repeated(now: Current, *pieces: str) -> tuple[Run, ...]:
    """The runs of the set on screen that finished at least two repeats of these pieces, the example last."""
    runs = [bundle.example()[0]]
    with suppress(CurriculabError), Store() as store:  # pages have more to show than stored runs
        runs = [*store.runs(), *runs]
    return tuple(run for run in runs if min(run.done.get(piece, 0) for piece in pieces) > 1 and is_of_set(run, now))


def source_of(now: Current) -> Source:
    """Where samples of the set on screen come from."""
    if now.upload is None:
        return catalogue.find(now.name, local_data.folder())
    return now.upload.source.with_test().learnable(now.settings.C)


def results_of(store: Store, run: Run) -> Results:
    """The outcomes of a run so far."""
    return bundle.example()[1] if run.id == bundle.EXAMPLE else store.results(run)


def choose(runs: dict[int, Run], now: Current) -> Run:
    """The run of the link, else the newest of the set on screen, else the example: never unasked one of another set."""
    wanted = _wanted()
    usual = next((run for run in runs.values() if is_of_set(run, now)), bundle.example()[0])
    shown = wanted if wanted in runs else usual.id
    put = widgets.synced("w-run", shown, lambda run: links.put(run=run, beside=None))
    return runs[st.selectbox("Run", list(runs), format_func=lambda run: label(runs[run]), **put)]


def _wanted() -> int:
    return links.whole("run", -1, -1, 2**31)


def heading(run: Run, now: Current) -> str:
    """Which run of which set is shown, and where that is not the set on screen, that it is not."""
    which = "Example" if run.id == bundle.EXAMPLE else f"Run {run.id}"
    selected = text.short(now.name, 60)
    if is_of_set(run, now):
        return f"{which}: {selected}"
    other = f"not your set {selected}" if now.uploaded else f"not the selected set {selected}"
    return f"{which}: {text.short(run.title, 60)}, {other}"


def beside(runs: dict[int, Run], chosen: Run) -> list[Run]:
    """Other runs to compare it with, as the link has them."""
    others = [run for run in runs if run != chosen.id]
    if not others:
        return []
    held = [int(part) for part in links.text("beside").split(".") if part.isdecimal() and len(part) < 10]
    shown = [run for run in held if run in others][:MOST_BESIDE]
    picked = st.multiselect(
        "Side by side with",
        others,
        max_selections=MOST_BESIDE,
        placeholder="other runs",
        format_func=lambda run: label(runs[run]),
        **widgets.synced("w-beside", shown, lambda picked: links.put(beside=".".join(map(str, picked)))),
    )
    return [runs[run] for run in picked]


def name(run: Run) -> str:
    """A run in two or three words."""
    source = text.short(run.title, 24)
    return f"the example ({source})" if run.id == bundle.EXAMPLE else f"run {run.id} ({source})"


def label(run: Run) -> str:
    """A run in a line."""
    state = "" if run.finished else f", {run.done_in_all} of {run.total} pieces"
    state += ", imported" if run.imported and run.id != bundle.EXAMPLE else ""
    source = text.short(run.title, 40)
    head = "Example" if run.id == bundle.EXAMPLE else str(run.id)
    return f"{head}: {source}, {text.counted(run.settings.repeats, 'repeat')}, C {text.setting(run.settings.C)}{state}"
