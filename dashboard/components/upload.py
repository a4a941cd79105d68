"""Uploading: a file is read, what it holds is said, and a button brings it to the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st

from core.errors import CurriculabError
from core.task_set import TaskSet
from dashboard import text
from dashboard.components import figure_card
from dashboard.components.own_data import mapping
from dashboard.components.own_data import state as bring
from dashboard.components.own_data.state import TableImport
from dashboard.server.serving import hold_set, reading_limits
from dashboard.server.streamlit_internals import UploadedFile
from dashboard.session import links, uploads, widgets
from dashboard.session.current import Current, Settings
from dashboard.session.uploads import Upload
from data.archives import formats, screen_file
from data.assembly import LEAST, with_least
from data.sources import catalogue
from data.sources.file import FileSource, with_test_split
from data.sources.offered import Offered
from data.sources.source import Source
from data.task_names import shown_file

_READ = "_upload_read"
_SCREENS = "_upload_screens"  # bundles, with page, settings and what-if, by the digest of their set
MOST_SAID = 30
MOST_MARKED = 5


def drawn(read: Offered, share: int, settings: Settings, dark: bool) -> Current:
    """The set on screen: of a table the sample of the seed, with that percentage of each class held out where it has no
    test data."""
    share = 0 if read.task_set.has_test else share
    seed = settings.seed if share or read.table is not None else 0
    task_set, source = _sampled(read.digest, share, seed, read) if share or seed else (read.task_set, read.source)
    return Current(task_set, settings, dark, share, replace(read, source=source))


@st.cache_resource(max_entries=1, show_spinner=False, scope="session")
def _sampled(digest: str, share: int, seed: int, _read: Offered) -> tuple[TaskSet, Source]:
    if _read.table is None:
        task_set = hold_set(with_test_split(_read.task_set, share / 100, seed).with_least(LEAST))
        return task_set, FileSource.of(task_set, _read.filename)
    source = _read.table.with_test(share / 100) if share else _read.table
    return hold_set(source.sample(seed)), source


def show(now: Current | None) -> None:
    """The uploader, the button that uses what was read, and what that is."""
    file = st.file_uploader(
        "A table, pictures or a task set: CSV, Excel, ARFF, Parquet, NPZ or ZIP",
        key="w-upload",
        on_change=links.ignore_stale_address,
        help="Any table, or a ZIP of pictures in folders named after their classes: the next step asks what the tasks "
        "are. A task set has columns `task`, `label`, perhaps `split` (train or test), then numeric features. "
        f"It stays in this server's memory for {uploads.HOURS} hours after you last looked at it; only the address of "
        "your window opens it.",
    )
    if file is not None:
        read = _read(file)
        if isinstance(read, str):
            st.error(text.md(read), icon=":material/error:")
        elif isinstance(read, TableImport):
            _mapped(read)
        else:
            _confirm(read, now)
    elif (table := bring.now()) is not None:  # a reload has emptied the uploader, but the table is still at hand
        st.caption(f"{text.md(text.short(table.filename, 40))} is still at hand.")
        _mapped(table)
    here = uploads.held().get(uploads.wanted())
    if here is not None:
        show_said(here.assumptions)
        if not here.task_set.has_test:
            _test_share(here, now)
    _patterns()


def show_said(sentences: Sequence[str]) -> None:
    """What was left out, filled and assumed on the way to the tasks on screen."""
    for sentence in sentences[:MOST_SAID]:
        st.caption(f"• {text.md(sentence)}")
    if len(sentences) > MOST_SAID:
        st.caption(f"• And {len(sentences) - MOST_SAID:,} more: `curriculab make` prints them all.")


def _read(file: UploadedFile) -> Upload | TableImport | str:
    """The task set or the table that the file holds, or the sentence on what is wrong; read once per file."""
    if st.session_state.get(_READ, (None, None))[0] != file.file_id:
        bring.forget()
        found = _opened(file.getvalue(), file.name)
        arrived = isinstance(found, TableImport) and mapping.arrived(found)
        st.session_state[_READ] = (file.file_id, found)
        if arrived:
            links.rerun()
    answer: Upload | TableImport | str = st.session_state[_READ][1]
    return answer


def _opened(contents: bytes, filename: str) -> Upload | TableImport | str:
    """The task set or the table in a file, or the sentence on what is wrong."""
    try:
        with st.spinner("Reading the file …"), reading_limits():
            if screen_file.is_bundle(contents):
                screen = screen_file.read_bundle(contents, shown_file(filename))
                reading = screen.reading
                st.session_state.setdefault(_SCREENS, {})[reading.task_set.digest] = screen
            else:
                reading = formats.read(contents, filename)
    except CurriculabError as error:
        return bring.begin(contents, filename, error)
    try:
        task_set = hold_set(reading.task_set)
        return Upload(Path(filename), task_set, FileSource.of(task_set, filename), reading.assumptions)
    except CurriculabError as error:
        return str(error)


def _mapped(table: TableImport) -> None:
    """A table: the main area asks what its tasks are, or shows them."""
    if table.is_open:
        st.caption(":material/arrow_forward: This is a table: the main area asks what its tasks are.")
    else:
        st.button("Change how its tasks are made", key="bring-again", on_click=bring.reopen, args=(table,))


def _confirm(read: Upload, now: Current | None) -> None:
    """The button that uses what was read, or that it is on screen already; then what it holds."""
    read = _large_enough(read)
    wanted = uploads.wanted() == read.name
    if wanted and read.name not in uploads.held():  # the link waits for it: its settings and steps come back, too
        uploads.hold(read)
        links.rerun()
    if wanted:
        st.success("This is the task set on screen.", icon=":material/check:")
    else:
        st.button("Use this task set", type="primary", key="use-upload", on_click=widgets.safe(lambda: use(read)))
    task_set = now.task_set if wanted and now is not None else read.task_set  # with what is held out of it
    points = sum(task.n_points for task in task_set.tasks)
    tests = sum(task.n_test for task in task_set.tasks)
    st.markdown(
        f"**Read:** {text.counted(len(task_set), 'task')} ({text.md(text.listed(task_set.names))}), "
        f"{points:,} training and {text.counted(tests, 'test point')}, {text.counted(task_set.n_features, 'feature')}. "
        f"Digest {read.digest[:12]}."
    )
    if not wanted:
        show_said(read.assumptions)


def _large_enough(read: Upload) -> Upload:
    """The upload without tasks that cross-validation refuses, unless the reader, or the link, wants them."""
    kept, said = with_least(read.task_set, LEAST)
    if kept is read.task_set or read.digest in st.session_state.get(_SCREENS, {}):
        return replace(read, assumptions=(*read.assumptions, *said))
    few = [task for task in read.task_set.tasks if task.smaller_class < LEAST]
    out = st.toggle(
        f"Leave out {text.counted(len(few), 'task')} with fewer than {LEAST} training points of a class",
        value=uploads.wanted() != read.name,
        key=f"upload-least-{read.name}",
        on_change=links.ignore_stale_address,
        help="Cross-validation needs two of each class. With such a task, most pages work at a fixed C only.",
    )
    marked = [f"{text.quoted(task.name)} ({task.smaller_class} of {task.n_points:,})" for task in few[:MOST_MARKED]]
    st.caption(text.md(f"Too small: {', '.join(marked)}{' and more' * (len(few) > MOST_MARKED)}."))
    if not out:
        return read
    source = FileSource.of(kept, read.filename)
    return replace(read, task_set=kept, source=source, assumptions=(*read.assumptions, *said), least=LEAST)


def use(read: Upload) -> None:
    """Bring a task set to the screen, and drop from the link what belongs to another."""
    links.choose_set(uploads.hold(read))
    screen: screen_file.Screen | None = st.session_state.get(_SCREENS, {}).get(read.digest)
    if screen is not None:
        links.put(**screen.link)
        links.open_page(screen.page)


def _test_share(here: Upload, now: Current | None) -> None:
    """How much to hold out of the upload on screen, which has no test data."""
    st.number_input(
        f"Test data to hold out of {text.md(text.quoted(here.filename))}, in % of each class",
        min_value=0,
        max_value=90,
        step=10,
        help="This set has no test data. Without it there is no test error; the criterion and the bound need none.",
        **widgets.synced("w-holdout", links.whole("holdout", 0, 0, 90), lambda share: links.put(holdout=share or None)),
    )
    if now is not None and now.holdout and len(now.task_set) < len(here.task_set):
        out = [name for name in here.task_set.names if name not in now.task_set.names]
        st.caption(text.md(f"Left out, as fewer than {LEAST} training points of a class are left: {text.listed(out)}."))


def _patterns() -> None:
    with st.popover("Templates and examples", type="tertiary", icon=":material/download:"):
        st.caption("A template to fill in, and a small real set, in each format.")
        for kind in formats.KINDS:
            with st.container(horizontal=True):
                for what, make in (("template", catalogue.template), ("example", catalogue.example)):
                    name, label = f"curriculab-{what}.{kind}", f"{kind.upper()} {what}"
                    figure_card.download(label, partial(make, kind), name, f"{what}-{kind}", icon=None)
