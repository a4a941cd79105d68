"""The mapping step: first rows, questions on the left, the tasks that result on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
import streamlit as st

from core.errors import CurriculabError
from dashboard import text
from dashboard.components import figure_card
from dashboard.components.own_data import questions, state
from dashboard.components.own_data.state import TableImport
from dashboard.server.serving import error_for_visitor, hold_bytes, hold_set
from dashboard.session import links, uploads
from dashboard.session.uploads import Upload
from data.assembly import LEAST
from data.recipes.builder import make
from data.recipes.plan import Plan
from data.sources.table import TableSource

MOST_SHOWN = 100
MOST_COLUMNS = 20
MOST_PICTURES = 16
MOST_SMALL = 5


def show() -> None:
    """The whole step, in place of a page."""
    bringing = state.now()
    if bringing is None:
        return
    st.title(text.md(f"Make tasks of {text.short(bringing.filename, 60)}"))
    try:
        table, planned = bringing.table, bringing.plan
    except CurriculabError as error:
        st.error(text.md(error_for_visitor(error)), icon=":material/error:")
        st.button("Back", key="bring-back", on_click=state.forget)
        return
    st.markdown(
        f"{table.size[0].upper()}{table.size[1:]}"
        ", no task set yet. This is what it most likely means; change what is wrong."
    )
    if planned.recipe.kind == "ready":
        st.warning(text.md(f"As a task-set file it cannot be read: {bringing.why}"), icon=":material/info:")
    _first_rows(bringing)
    left, right = st.columns([5, 6], gap="large")
    with left, st.container(key="bring-questions"):
        questions.tasks(bringing, planned)
        questions.labels(bringing, planned)
        questions.features(bringing, planned)
        questions.test_data(bringing, planned)
        questions.sizes(bringing, planned)
    with right, st.container(key="bring-preview"):
        _preview(bringing, planned)


def _first_rows(bringing: TableImport) -> None:
    table = bringing.table
    frame = pd.DataFrame(table.head, columns=pd.Index(table.names))
    st.dataframe(frame, hide_index=True, height=35 * min(len(frame) + 1, 6) + 3, key="bring-rows", alt="The first rows")
    if table.pixels is not None and table.image_shape is not None:
        some = table.pixels[:: max(1, table.rows // MOST_PICTURES)][:MOST_PICTURES]
        st.image([picture.reshape(table.image_shape) for picture in some], width=56)
    for sentence in table.said:
        st.caption(text.md(sentence))


def _preview(bringing: TableImport, planned: Plan) -> None:
    """What results, what is left out and why, and the button."""
    tasks = planned.tasks
    n, d = len(tasks), len(planned.feature_names)
    if planned.problems:
        st.markdown("#### No tasks yet")
        st.markdown("Solve what is marked on the left, or choose another answer to *What are the tasks?*")
    else:
        st.markdown(f"#### {text.counted(n, 'task')}, {text.counted(d, 'feature')}")
        marked = [*((task, "") for task in tasks), *planned.excluded][:MOST_SHOWN]
        rows = [(t.name, len(t.train.y), t.train.positive, len(t.test.y) if t.test else 0) for t, _ in marked]
        frame = pd.DataFrame(rows, columns=pd.Index(["task", "training", "positive", "test"]))
        frame.insert(3, "positive %", (100 * frame.positive / frame.training).fillna(0.0).round())
        if planned.excluded:
            frame["left out"] = ["yes" if why else "" for _, why in marked]
        st.dataframe(
            frame,
            hide_index=True,
            key="bring-tasks",
            alt="The tasks that result, with their sizes",
            column_config={"positive %": st.column_config.ProgressColumn(format="%d%%", min_value=0, max_value=100)},
        )
        if n + len(planned.excluded) > MOST_SHOWN:
            st.caption(f"The first {MOST_SHOWN} of {n + len(planned.excluded):,} tasks.")
        _small(planned)
    with st.container(horizontal=True):
        if st.button("Use these tasks", type="primary", key="bring-use", disabled=bool(planned.problems)):
            _use(bringing)
        if st.button("Back without them", key="bring-back"):
            bringing.is_open = False
            links.rerun()
    st.caption(_bullets(planned.said))
    off = [choice for choice in planned.choices if not choice.on and bringing.table.image_shape is None]
    columns = [f"Column {text.quoted(choice.name)}: {choice.why}." for choice in off[:MOST_COLUMNS]]
    if len(off) > MOST_COLUMNS:
        columns.append(f"And {len(off) - MOST_COLUMNS} more columns.")
    if planned.left_out or columns:
        st.markdown("**Left out**")
        st.caption(_bullets((*planned.left_out, *columns)))


def _small(planned: Plan) -> None:
    """The tasks that cross-validation refuses and the reader keeps so far, with a button that leaves them out."""
    small = [task for task in planned.tasks if task.train.smaller < LEAST]
    if not small:
        return
    few = [f"{text.quoted(task.name)} ({task.train.smaller} of {len(task.train.y):,})" for task in small[:MOST_SMALL]]
    st.warning(
        f"{text.md(', '.join(few))}{' and more' * (len(small) > MOST_SMALL)}: too few training points of a class. "
        f"Cross-validation needs {LEAST}; with such a task most pages work at a fixed C only.",
        icon=":material/warning:",
    )
    st.button(
        f"Leave out {text.counted(len(small), 'task')}",
        key="bring-leave-out",
        on_click=lambda: state.change(least=LEAST),
    )


def _bullets(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {text.md(sentence)}" for sentence in sentences)


def _use(bringing: TableImport) -> None:
    with figure_card.guarded():
        with st.spinner("Making the tasks …"):
            held = _held(bringing)
        links.choose_set(uploads.hold(held), held.recipe)
        bringing.is_open = False
        links.rerun()


def arrived(bringing: TableImport) -> bool:
    """Whether this is the table that the link waits for; then its tasks are held, as the link's recipe makes them."""
    if not uploads.wanted() or uploads.wanted() in uploads.held() or not links.text("recipe"):
        return False
    given = bringing.recipe
    for bringing.recipe in (given, replace(given, least=1)):  # in older links no small task is left out
        try:
            held = _held(bringing)
        except CurriculabError:
            continue
        if held.name == uploads.wanted():
            uploads.hold(held)
            bringing.is_open = False
            return True
    bringing.recipe = given
    return False


def _held(bringing: TableImport) -> Upload:
    """The tasks with the table that they are made of, if the server has room for both."""
    made = make(bringing.table, bringing.recipe)
    source = TableSource.of(bringing.table, bringing.recipe, made.task_set)
    held = Upload(Path(bringing.filename), made.task_set, source, made.assumptions, contents=bringing.contents)
    hold_set(made.task_set)
    return hold_bytes(held, held.nbytes)
