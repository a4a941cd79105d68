"""Page 6: start, watch, cancel, resume, open, export and delete runs."""

import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from core.errors import CurriculabError, SettingsError
from core.experiments.experiment import MOST_REPEATS, NAMES, Settings, usual_methods
from core.experiments.statistics import Results
from dashboard import text
from dashboard.parts import launching
from dashboard.reports import report
from dashboard.session import current, links
from dashboard.session.current import Current
from dashboard.session.serving import serving, told
from data.runs import example
from data.runs.bundle import import_bundle, write_bundle
from data.runs.computing import duration
from data.runs.export import run_csv, run_json
from data.runs.lock import computed_by, is_waiting
from data.runs.store import Run, Store

MOST_SHOWN = 30
STOPPED = "it was stopped"
"""Why a run stopped that someone stopped: the state says it."""


def main() -> None:
    """A form to begin a run, the runs there are, and a way to bring one in."""
    st.title("Runs")
    st.markdown(
        "A run compares methods over repeats. It is stored piece by piece, goes on when you leave this page, and can "
        "be stopped and resumed at any time."
    )
    now = st.session_state.get("_current")
    if not launching.may_begin():
        st.info("On this server runs are looked at; start your own on your own machine.", icon=":material/visibility:")
    elif now is not None:
        begin(current.current())
    listing()
    show_example()
    if not launching.may_begin():
        return
    with st.expander("Import a run", icon=":material/upload:"):
        bring()


def begin(now: Current) -> None:
    """The form; the learner's settings are those of the sidebar."""
    usual = usual_methods(now.task_set) if now.task_set.has_test or now.uploaded else ()
    with st.form("begin-run", border=True):
        st.markdown(f"**New run of {text.md(text.short(now.task_set.name, 60))}** with the sidebar's settings")
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
            if now.uploaded and serving().public:
                raise SettingsError("an upload stays in your window here, so no run can be made of it; choose another")
            source = launching.keep_upload(store.folder, now.task_set, now.digest) if now.uploaded else now.origin
            settings = Settings(
                source, methods, repeats, chosen.C, chosen.normalize, chosen.bias, chosen.seed, chosen.delta
            )
            run = launching.start(store, settings)
        st.toast(f"Run {run.id} is on its way", icon=":material/play_arrow:")
    except CurriculabError as error:
        st.error(text.md(told(error)), icon=":material/error:")


@st.fragment(run_every=2.0)
def listing() -> None:
    """All runs, the newest first; looked at again every other second."""
    try:
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
    except CurriculabError as error:
        st.error(text.md(told(error)), icon=":material/error:")


def show_damaged(store: Store, run: int) -> None:
    """A run that cannot be read hides no other; all that can be done with it is to delete it."""
    with st.container(border=True, key=f"run-{run}", horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Run {run}** is damaged and cannot be read.")
        if st.button("Delete for good", key=f"delete-{run}", icon=":material/delete:"):
            launching.delete(store, run)
            st.rerun(scope="fragment")


def show_run(store: Store, run: Run) -> None:
    """One run with what can be done with it."""
    running = not run.finished and (
        computed_by(store.folder, run.id) is not None or launching.on_its_way(store, run.id)
    )
    state = "finished" if run.finished else "running" if running else "stopped"
    if running and is_waiting(store.folder, run.id):
        state = "waiting for its turn"
    if run.imported:
        state = "imported, to be looked at"
    settings = run.settings
    with st.container(border=True, key=f"run-{run.id}"):
        st.markdown(
            f"**Run {run.id}** · {text.md(text.short(Path(settings.source).name, 50))} · "
            f"{len(settings.methods)} methods × {settings.repeats} repeats · C {text.setting(settings.C)} · "
            f"seed {settings.seed} · **{state}** · begun {run.begun[:16].replace('T', ' ')} UTC"
        )
        if not run.finished:
            left = store.seconds_left(run) if running else None
            estimate = f", about {duration(left)} left" if left and left >= 1 else ""
            st.progress(run.done_in_all / run.total, text=f"{run.done_in_all} of {run.total} pieces{estimate}")
            done = [f"{NAMES.get(method, 'all orders')} {count}" for method, count in run.done.items()]
            st.caption(f"Finished repeats: {', '.join(done) or 'none yet'}")
        if run.stopped and not running and run.stopped != STOPPED:
            st.caption(f"Stopped: {text.md(told(run.stopped))}.")
        buttons(store, run, running)


def show_example() -> None:
    """The run that is shipped: to be opened and exported, not changed."""
    run, _ = example.example()
    settings = run.settings
    with st.container(border=True, key="run-example"):
        st.markdown(
            f"**Example** · {text.md(settings.source)} · {len(settings.methods)} methods and all orders × "
            f"{settings.repeats} repeats · C {text.setting(settings.C)} · seed {settings.seed} · computed by version "
            f"{text.md(run.versions['curriculab'])} on {run.begun[:10]}; `{example.COMMAND}` repeats it"
        )
        with st.container(horizontal=True, gap="small"):
            if st.button("Open", key="open-example", icon=":material/leaderboard:"):
                links.put(run=run.id)
                st.switch_page("views/compare.py")
            with st.popover("Export", icon=":material/download:"):
                exports(run)


def buttons(store: Store, run: Run, running: bool) -> None:
    """Stop or resume, open, export, delete."""
    with st.container(horizontal=True, gap="small"):
        mine = launching.may_change(run)
        if running and mine:
            if st.button("Stop", key=f"cancel-{run.id}", icon=":material/stop:"):
                launching.cancel(store, run.id)
        elif (
            mine
            and not (running or run.finished or run.imported)
            and st.button("Resume", key=f"resume-{run.id}", icon=":material/play_arrow:")
        ):
            launching.resume(store, run)
            st.rerun(scope="fragment")
        if run.done_in_all and st.button("Open", key=f"open-{run.id}", icon=":material/leaderboard:"):
            links.put(run=run.id)
            st.switch_page("views/compare.py")
        if run.done_in_all:
            with st.popover("Export", icon=":material/download:"):
                exports(run)
        if mine and not running:
            with st.popover("Delete", icon=":material/delete:"):
                st.markdown(f"Delete run {run.id} with its {run.done_in_all} finished pieces for good?")
                if st.button("Delete for good", key=f"delete-{run.id}", type="primary"):
                    launching.delete(store, run.id)
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


def _found(run: int) -> tuple[Run, Results]:
    if run == example.ID:
        return example.example()
    with Store() as store:
        found = store.run(run)
        return found, store.results(found)


def _csv(run: int) -> bytes:
    return run_csv(_found(run)[1]).encode()


def _json(run: int) -> bytes:
    return run_json(*_found(run)).encode()


def _report(run: int) -> bytes:
    return report.run_report(*_found(run)).encode()


def _bundle(run: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.zip"
        write_bundle(*_found(run), path)
        return path.read_bytes()


def bring() -> None:
    """A bundle that another Curriculab exported."""
    given = st.file_uploader(
        "A bundle (ZIP) that was exported from a run", type=["zip"], key="w-bundle", on_change=links.keep
    )
    if given is not None and st.button("Import", icon=":material/upload:"):
        try:
            with Store() as store, tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / Path(given.name).name
                path.write_bytes(given.getvalue())
                most = serving().bundle_megabytes * 2**20
                run = import_bundle(store, path, launching.owner(), most, report.run_shown)
                st.success(f"Imported as run {run.id}.")
        except CurriculabError as error:
            st.error(text.md(told(error)), icon=":material/error:")


main()
