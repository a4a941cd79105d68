"""Page 8: draw tasks in the plane and see at once which would be learned when, and from what."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from core.curriculum.learn import Learned, learn
from core.curriculum.methods import METHODS
from core.errors import CurriculabError
from core.task_set import TaskSet
from dashboard import text
from dashboard.components import curricula, figure_card, step_text, theme_watch
from dashboard.figures import pictures, scatter
from dashboard.pages.draw import canvas
from dashboard.session import links, widgets
from data.archives import formats
from data.sources import sketch
from data.sources.plane import PLANE
from data.sources.sketch import Drawing

START = "plane-tree"
C = 100.0
_DRAWING = "_drawing"


def main() -> None:
    """The way to begin, then all that follows the drawing."""
    st.title("Draw")
    st.markdown(
        "Draw the points of a few tasks, and see at every stroke which task would be learned next, in which order, and "
        "from what. A task needs points of both classes."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choose_start()
        method = curricula.choose_method("treemt", explained=False)
    st.fragment(show)(method)


def choose_start() -> None:
    """Start from any set in the plane, or from nothing."""
    sources = {source.name: source for source in PLANE}

    def start(name: str | None) -> None:
        if name is not None:
            empty = Drawing((sketch.DrawnTask("task 1"),))
            put_drawing(sketch.from_source(sources[name]) if name in sources else empty, 0)

    names = ["an empty sheet", *sources]
    st.selectbox("Start from", names, placeholder="a set", width=240, **widgets.synced("w-start", None, start))


def put_drawing(drawing: Drawing, selected: int) -> None:
    """Keep a drawing: in the session, and in the link while it is small."""
    st.session_state[_DRAWING] = drawing
    small = drawing.n_points <= sketch.MOST_IN_LINK
    links.put(drawing=sketch.encode(drawing) if small else None, at=selected + 1 if selected else None)


def current_drawing() -> Drawing:
    """The drawing of the link, or of the session, or one to begin with."""
    code = links.text("drawing")
    kept: Drawing | None = st.session_state.get(_DRAWING)
    if code and (kept is None or code != sketch.encode(kept)):
        found = sketch.decode(code)
        if found is None:
            st.warning("The drawing of this link cannot be read; here is another to begin with.")
        else:
            st.session_state[_DRAWING] = kept = found
    if kept is None:
        kept = sketch.from_source(next(source for source in PLANE if source.name == START))
        st.session_state[_DRAWING] = kept
    return kept


def take_drawing() -> None:
    """Take what the browser sent, if it is a drawing."""
    sent = canvas.sent()
    try:
        drawing = sketch.checked(sent.get("tasks"))
    except CurriculabError as error:
        st.session_state["_drawing_refused"] = str(error)
        return
    selected = sent.get("at")
    put_drawing(drawing, selected if isinstance(selected, int) and 0 <= selected < len(drawing.tasks) else 0)


@figure_card.guarded()  # as a fragment it runs outside of the page's own guard
def show(method: str) -> None:
    """The canvas with its drawing, and what follows from it: candidates, order and forest."""
    drawing = current_drawing()
    refused = st.session_state.pop("_drawing_refused", None)
    if refused:
        st.warning(text.md(f"That was not taken over: {refused}."))
    selected = links.whole("at", 1, 1, len(drawing.tasks)) - 1
    fixed, task_set = links.fixed_C() or C, drawing.sample() if drawing.ready else None
    learned = None if task_set is None else learn(task_set, method, C=fixed)
    left, right = st.columns(2, gap="medium")
    with left:
        canvas.show(drawing, selected, {} if learned is None else lines(learned), take_drawing)
    with right:
        waiting = [task.name for task in drawing.tasks if not task.ready]
        if waiting:
            st.info(text.md(f"Not yet learned, as points of one class are missing: {text.listed(waiting)}."))
        if task_set is not None and learned is not None:
            show_learned(task_set, learned)
    downloads(drawing, task_set, fixed)


def lines(learned: Learned) -> dict[str, Any]:
    """Each task's own line and that of its source, in the canvas's units."""

    def seen(weights: Any) -> list[float] | None:
        found = scatter.in_square(weights, sketch.REACH)
        return None if found is None else [round(sketch.SIDE * (part / sketch.REACH + 1.0) / 2.0, 2) for part in found]

    return {
        step.chosen.task: {
            "own": seen(step.chosen.weights),
            "source": None if step.chosen.source is None else seen(step.chosen.source_weights),
        }
        for step in learned.steps
    }


def show_learned(task_set: TaskSet, learned: Learned) -> None:
    """The candidates of a step, the order, and the forest."""
    labels, dark = text.shorts(task_set.names), theme_watch.dark()
    number = links.whole("step", 1, 1, len(learned.steps))
    if len(learned.steps) > 1:
        steps = range(1, len(learned.steps) + 1)
        st.select_slider(
            "Candidates of step", steps, **widgets.synced("w-draw-step", number, lambda step: links.put(step=step))
        )
    step = learned.steps[number - 1]
    title = f"Step {number}: {labels[step.chosen.task]} is next"
    bars = pictures.bars(step, labels, "draw-bars", title, dark, most=8)
    figure_card.show(replace(bars, alt=f"Stacked bars of {len(step.candidates)} candidates. {step_text.margin(step)}"))
    title = f"{METHODS[learned.method]}: {' → '.join(labels[name] for name in learned.order)}"
    figure_card.show(pictures.lanes(task_set, learned, "draw-forest", dark, title))


def downloads(drawing: Drawing, task_set: TaskSet | None, fixed: float) -> None:
    """How much of it the link holds, and the drawing as a task set."""
    small = drawing.n_points <= sketch.MOST_IN_LINK
    where = "The address of this page holds it all." if small else "That is too much for the address: download it."
    points, tasks = text.counted(drawing.n_points, "point"), text.counted(len(drawing.tasks), "task")
    st.caption(f"{points} in {tasks}. {where} C is {fixed:g}; another can be fixed under *Learner*.")
    if task_set is None:
        return
    kinds: tuple[formats.Kind, ...] = ("csv", "npz")
    with st.container(horizontal=True):
        for kind in kinds:
            label = f"This drawing as a task set ({kind.upper()})"
            figure_card.download(label, partial(formats.dump, task_set, kind), f"drawing.{kind}", f"drawing-{kind}")


main()
