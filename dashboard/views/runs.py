"""Page 6: start, watch, cancel, resume, open, export and delete runs."""

import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from core.errors import CurriculabError
from core.experiments.experiment import MOST_REPEATS, NAMES, Settings, usual_methods
from dashboard import text as words
from dashboard.parts import launching
from dashboard.reports import report
from dashboard.session import current as cached
from dashboard.session import links
from dashboard.session.current import Current
from data.runs.computing import duration
from data.runs.export import import_bundle, run_csv, run_json, write_bundle
from data.runs.lock import computed_by
from data.runs.store import Run, Store

MOST_SHOWN = 30


def main() -> None:
    """A form to begin a run, the runs there are, and a way to bring one in."""
    st.title("Runs")
    st.markdown(
        "A run compares methods over repeats. It is stored piece by piece, goes on when you leave this page, and can "
        "be stopped and resumed at any time."
    )
    now = st.session_state.get("_current")
    if now is not None:
        begin(cached.current())
    listing()
    with st.expander("Import a run", icon=":material/upload:"):
        bring()


def begin(now: Current) -> None:
    """The form; the learner's settings are those of the sidebar."""
    usual = usual_methods(now.task_set) if now.task_set.has_test or now.uploaded else ()
    with st.form("begin-run", border=True):
        st.markdown(f"**New run of {words.md(words.short(now.task_set.name, 60))}** with the sidebar's settings")
        methods = st.multiselect(
            "Methods",
            list(NAMES),
            default=list(usual),
            format_func=NAMES.__getitem__,
            key="w-run-methods",
            help="Best and Worst try all orders, which takes long for more than six tasks.",
        )
        repeats = st.number_input("Repeats", 1, MOST_REPEATS, 10, key="w-run-repeats", help="Each is a fresh draw.")
        if st.form_submit_button("Start", icon=":material/play_arrow:", type="primary"):
            start(now, tuple(methods), int(repeats))


def start(now: Current, methods: tuple[str, ...], repeats: int) -> None:
    """Begin it, or say what is wrong with it."""
    chosen = now.settings
    try:
        with Store() as store:
            source = launching.kept_upload(store, now.task_set, now.digest) if now.uploaded else now.origin
            settings = Settings(
                source, methods, repeats, chosen.C, chosen.normalize, chosen.bias, chosen.seed, chosen.delta
            )
            run = launching.start(store, settings)
        st.toast(f"Run {run.id} is on its way", icon=":material/play_arrow:")
    except CurriculabError as error:
        st.error(words.md(str(error)), icon=":material/error:")


@st.fragment(run_every=2.0)
def listing() -> None:
    """All runs, the newest first; looked at again every other second."""
    try:
        with Store() as store:
            runs = store.runs()
            if not runs:
                st.info("There are no runs yet. Choose methods above and press Start.")
            for run in runs[:MOST_SHOWN]:
                show_run(store, run)
            if len(runs) > MOST_SHOWN:
                st.caption(f"The newest {MOST_SHOWN} of {len(runs)} runs; `curriculab runs list` has them all.")
    except CurriculabError as error:
        st.error(words.md(str(error)), icon=":material/error:")


def show_run(store: Store, run: Run) -> None:
    """One run with what can be done with it."""
    running = computed_by(store.folder, run.id) is not None
    state = "finished" if run.finished else "running" if running else "stopped"
    settings = run.settings
    with st.container(border=True, key=f"run-{run.id}"):
        st.markdown(
            f"**Run {run.id}** · {words.md(words.short(Path(settings.source).name, 50))} · "
            f"{len(settings.methods)} methods × {settings.repeats} repeats · C {settings.C} · seed {settings.seed} · "
            f"**{state}** · begun {run.begun[:16].replace('T', ' ')} UTC"
        )
        if not run.finished:
            left = store.seconds_left(run) if running else None
            estimate = f", about {duration(left)} left" if left and left >= 1 else ""
            st.progress(run.done_in_all / run.total, text=f"{run.done_in_all} of {run.total} pieces{estimate}")
            done = [f"{NAMES.get(method, 'all orders')} {count}" for method, count in run.done.items()]
            st.caption(f"Finished repeats: {', '.join(done) or 'none yet'}")
        if run.stopped and not running:
            st.caption(f"Stopped: {words.md(run.stopped)}.")
        buttons(store, run, running)


def buttons(store: Store, run: Run, running: bool) -> None:
    """Cancel or resume, open, export, delete."""
    with st.container(horizontal=True, gap="small"):
        if running:
            if st.button("Cancel", key=f"cancel-{run.id}", icon=":material/stop:"):
                launching.cancel(store, run.id)
        elif not run.finished and st.button("Resume", key=f"resume-{run.id}", icon=":material/play_arrow:"):
            launching.start(store, run.settings)
            st.rerun(scope="fragment")
        if run.done_in_all and st.button("Open", key=f"open-{run.id}", icon=":material/leaderboard:"):
            links.put(run=run.id)
            st.switch_page("views/compare.py")
        if run.done_in_all:
            with st.popover("Export", icon=":material/download:"):
                exports(run)
        if not running:
            with st.popover("Delete", icon=":material/delete:"):
                st.markdown(f"Delete run {run.id} with its {run.done_in_all} finished pieces for good?")
                if st.button("Delete for good", key=f"delete-{run.id}", type="primary"):
                    store.delete(run.id)
                    st.rerun(scope="fragment")


def exports(run: Run) -> None:
    """Files that are made when asked for."""
    for label, ending, mime, make in (
        ("CSV", "csv", "text/csv", _csv),
        ("JSON", "json", "application/json", _json),
        ("Bundle", "zip", "application/zip", _bundle),
        ("Report", "html", "text/html", _report),
    ):
        st.download_button(
            label,
            data=partial(make, run.id),
            file_name=f"curriculab-run-{run.id}.{ending}",
            mime=mime,
            key=f"export-{ending}-{run.id}",
            on_click="ignore",
        )


def _csv(run: int) -> bytes:
    with Store() as store:
        return run_csv(store.results(store.run(run))).encode()


def _json(run: int) -> bytes:
    with Store() as store:
        found = store.run(run)
        return run_json(found, store.results(found)).encode()


def _report(run: int) -> bytes:
    with Store() as store:
        found = store.run(run)
        return report.run_report(found, store.results(found)).encode()


def _bundle(run: int) -> bytes:
    with Store() as store, tempfile.TemporaryDirectory() as folder:
        found = store.run(run)
        path = Path(folder) / "run.zip"
        write_bundle(found, store.results(found), path)
        return path.read_bytes()


def bring() -> None:
    """A bundle that another Curriculab exported."""
    given = st.file_uploader("A bundle (ZIP) that was exported from a run", type=["zip"], key="w-bundle")
    if given is not None and st.button("Import", icon=":material/upload:"):
        try:
            with Store() as store, tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / Path(given.name).name
                path.write_bytes(given.getvalue())
                st.success(f"Imported as run {import_bundle(store, path).id}.")
        except CurriculabError as error:
            st.error(words.md(str(error)), icon=":material/error:")


main()
