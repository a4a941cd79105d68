"""Page 6: start, watch, cancel, resume, open, export and delete runs."""

import re
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from core.experiments.summary import Results
from dashboard import text
from dashboard.components import figure_card, run_choice, run_controls, run_launcher
from dashboard.reports import report
from dashboard.server.serving import serving
from dashboard.session import links
from data.runs import bundle
from data.runs.export import run_csv, run_json
from data.runs.run import path_and_recipe
from data.runs.store import Run, Store

MOST_SHOWN = 30


def main() -> None:
    """A form to begin a run, the runs there are, and a way to bring one in."""
    st.title("Runs")
    st.markdown(
        "A run compares methods over repeats. It is stored piece by piece, goes on when you leave this page, and can "
        "be stopped and resumed at any time."
    )
    run_controls.start(st.session_state.get("_current"))
    listing()
    show_example()
    if not serving().runs:
        return
    with st.expander("Import a run", icon=":material/upload:"):
        import_form()


@st.fragment(run_every=run_controls.POLL_SECONDS)
@figure_card.guarded("The list of runs")
def listing() -> None:
    """All runs, the newest first; looked at again every other second."""
    with Store() as store:
        runs = store.runs()
        for damaged in () if serving().public else store.unreadable():
            show_damaged(store, damaged)
        if not runs:
            st.info("You have no runs yet. Choose methods above and press Start; below is an example.")
        for run in runs[:MOST_SHOWN]:
            show_run(store, run)
        if len(runs) > MOST_SHOWN:
            st.caption(f"The newest {MOST_SHOWN} of {len(runs)} runs; `curriculab runs list` has them all.")


def show_damaged(store: Store, run: int) -> None:
    """A run that cannot be read hides no other; all that can be done with it is to delete it."""
    with st.container(border=True, key=f"run-{run}", horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Run {run}** is damaged and cannot be read.")
        delete_button(store, run)


def show_run(store: Store, listed: Run) -> None:
    """One run with what can be done with it."""
    run, running = run_controls.look(store, listed)
    settings, state = run.settings, run_controls.state(store, run, running)
    by = " · by balanced error" if settings.measure == "balanced" else ""
    with st.container(border=True, key=f"run-{run.id}"):
        st.markdown(
            f"**Run {run.id}** · {text.md(text.short(run.title, 120))} · "
            f"{text.counted(len(settings.methods), 'method')} × {text.counted(settings.repeats, 'repeat')} · "
            f"C {text.setting(settings.C)} · seed {settings.seed}{by} · **{state}** · "
            f"begun {run.begun[:16].replace('T', ' ')} UTC"
        )
        run_controls.progress(store, run, running)
        with st.container(horizontal=True, gap="small"):
            run_controls.stop_or_resume(store, run, running)
            if run.done_in_all:
                open_and_export(run, str(run.id))
            if run_launcher.may_change(run) and not running:
                with st.popover("Delete", icon=":material/delete:"):
                    pieces = text.counted(run.done_in_all, "finished piece")
                    st.markdown(f"Delete run {run.id} with its {pieces} for good?")
                    delete_button(store, run.id)


def delete_button(store: Store, run: int) -> None:
    """Deletes the run."""
    if st.button("Delete for good", key=f"delete-{run}", type="primary"):
        run_launcher.delete(store, run)
        st.rerun(scope="fragment")


def show_example() -> None:
    """The run that is shipped: to be opened and exported, not changed."""
    run, _ = bundle.example()
    settings = run.settings
    with st.container(border=True, key="run-example"):
        st.markdown(
            f"**Example** · {text.md(settings.source)} · {len(settings.methods)} methods and all orders × "
            f"{settings.repeats} repeats · C {text.setting(settings.C)} · seed {settings.seed} · computed by version "
            f"{text.md(run.versions['curriculab'])} on {run.begun[:10]}; `{bundle.EXAMPLE_COMMAND}` repeats it"
        )
        with st.container(horizontal=True, gap="small"):
            open_and_export(run, "example")


def open_and_export(run: Run, key: str) -> None:
    """The way to its results, and files that are made when asked for, named after the run and its set."""
    if st.button("Open", key=f"open-{key}", icon=":material/leaderboard:"):
        links.put(run=run.id)
        st.switch_page("pages/compare/page.py")
    named = re.sub(r"\W+", "-", Path(path_and_recipe(run.settings.source)[0]).stem)[:40]
    with st.popover("Export", icon=":material/download:"):
        for label, (ending, make) in EXPORTS.items():
            name, key = f"curriculab-run-{run.id}-{named}.{ending}", f"export-{ending}-{run.id}"
            figure_card.download(label, partial(exported, run.id, make), name, key, icon=None)


def exported(run: int, make: Callable[[Run, Results], str | bytes]) -> bytes:
    """The file that is made of a run as it is now."""
    with Store() as store:
        there = bundle.example()[0] if run == bundle.EXAMPLE else store.run(run)
        made = make(there, run_choice.results_of(store, there))
    return made.encode() if isinstance(made, str) else made


def as_bundle(run: Run, results: Results) -> bytes:
    """The contents of a bundle's file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.zip"
        bundle.write_bundle(run, results, path)
        return path.read_bytes()


EXPORTS: dict[str, tuple[str, Callable[[Run, Results], str | bytes]]] = {
    "CSV": ("csv", lambda run, results: run_csv(results)),
    "JSON": ("json", run_json),
    "Bundle": ("zip", as_bundle),
    "Report": ("html", report.run_report),
}


def import_form() -> None:
    """A way to bring in a bundle that another Curriculab exported."""
    given = st.file_uploader(
        "A bundle (ZIP) that was exported from a run",
        type=["zip"],
        key="w-bundle",
        on_change=links.ignore_stale_address,
    )
    if given is not None and st.button("Import", icon=":material/upload:"):
        with figure_card.guarded("The import"), Store() as store, tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / Path(given.name).name
            path.write_bytes(given.getvalue())
            most = serving().bundle_megabytes * 2**20
            run = bundle.import_bundle(store, path, run_launcher.owner(), most, report.run_shown)
            st.success(f"Imported as run {run.id}.")


main()
