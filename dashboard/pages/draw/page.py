"""Page 8: draw tasks in the plane and see at once which would be learned when, and from what."""

from functools import partial
from typing import Any

import streamlit as st

from core.curriculum.learn import Learned, learn
from core.curriculum.methods import METHODS
from core.errors import CurriculabError
from dashboard import text, theme
from dashboard.components import curricula, figure_card, step_text, theme_watch
from dashboard.figures import candidates, forest, scatter
from dashboard.pages.draw import canvas
from dashboard.session import links, widgets
from data.archives import formats
from data.sources import sketch
from data.sources.plane import PLANE
from data.sources.sketch import Drawing

START = "plane-tree"
C = 100.0
_HELD = "_drawing"


def main() -> None:
    """The way to begin, then all that follows the drawing."""
    st.title("Draw")
    st.markdown(
        "Draw the points of a few tasks, and see at every stroke which task would be learned next, in which order, and "
        "from what. A task needs points of both classes."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        begin()
        method = curricula.choose_method("treemt", explained=False)
    st.fragment(board)(method)


def begin() -> None:
    """Start from any set in the plane, or from nothing."""
    sources = {source.name: source for source in PLANE}

    def start(name: str | None) -> None:
        if name is not None:
            empty = Drawing((sketch.DrawnTask("task 1"),))
            hold(sketch.from_source(sources[name]) if name in sources else empty, 0)

    names = ["an empty sheet", *sources]
    st.selectbox("Start from", names, placeholder="a set", width=240, **widgets.synced("w-start", None, start))


def hold(drawing: Drawing, selected: int) -> None:
    """Keep a drawing: in the session, and in the link while it is small."""
    st.session_state[_HELD] = drawing
    small = drawing.n_points <= sketch.MOST_IN_LINK
    links.put(drawing=sketch.encode(drawing) if small else None, at=selected + 1 if selected else None)


def held() -> Drawing:
    """The drawing of the link, or of the session, or one to begin with."""
    code = links.text("drawing")
    kept: Drawing | None = st.session_state.get(_HELD)
    if code and (kept is None or code != sketch.encode(kept)):
        found = sketch.decode(code)
        if found is None:
            st.warning("The drawing of this link cannot be read; here is another to begin with.")
        else:
            st.session_state[_HELD] = kept = found
    if kept is None:
        kept = sketch.from_source(next(source for source in PLANE if source.name == START))
        st.session_state[_HELD] = kept
    return kept


def changed() -> None:
    """Take what the browser sent, if it is a drawing."""
    wish = canvas.wish()
    try:
        drawing = sketch.checked(wish.get("tasks"))
    except CurriculabError as error:
        st.session_state["_drawing_refused"] = str(error)
        return
    selected = wish.get("at")
    hold(drawing, selected if isinstance(selected, int) and 0 <= selected < len(drawing.tasks) else 0)


def board(method: str) -> None:
    """The canvas and what follows from it; alone it runs outside of the page's own guard."""
    with figure_card.guarded():
        show(held(), method)


def show(drawing: Drawing, method: str) -> None:
    """Canvas, candidates, order and forest."""
    refused = st.session_state.pop("_drawing_refused", None)
    if refused:
        st.warning(text.md(f"That was not taken over: {refused}."))
    selected = links.whole("at", 1, 1, len(drawing.tasks)) - 1
    learned = None
    if drawing.ready:
        fixed = links.fixed_C() or C
        learned = learn(drawing.sample(), method, C=fixed)
    left, right = st.columns(2, gap="medium")
    with left:
        canvas.show(drawing, selected, {} if learned is None else lines(learned), changed)
    with right:
        waiting = [task.name for task in drawing.tasks if not task.ready]
        if waiting:
            st.info(text.md(f"Not yet learned, as points of one class are missing: {text.listed(waiting)}."))
        if learned is not None:
            show_learned(learned)
    keep(drawing)


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


def show_learned(learned: Learned) -> None:
    """The candidates of a step, the order, and the forest."""
    labels = text.shorts(learned.order)
    dark = theme_watch.dark()
    number = links.whole("step", 1, 1, len(learned.steps))
    if len(learned.steps) > 1:
        steps = range(1, len(learned.steps) + 1)
        st.select_slider(
            "Candidates of step", steps, **widgets.synced("w-draw-step", number, lambda step: links.put(step=step))
        )
    step = learned.steps[number - 1]
    figure_card.figure(
        candidates.figure(candidates.info(step, 8), labels, dark),
        key="draw-bars",
        title=f"Step {number}: {labels[step.chosen.task]} is next",
        read="One bar per candidate, best on top. Hatched orange: the error term. Blue: the complexity term. ★ is the "
        "shortest.",
        alt=f"Stacked bars of {len(step.candidates)} candidates. {step_text.margin(step)}",
        table=candidates.table(step),
    )
    found = forest.info(learned)
    colours = theme.task_colours(sorted(learned.order))
    figure_card.figure(
        forest.figure(found, labels, colours, dark),
        key="draw-forest",
        title=f"{METHODS[learned.method]}: {' → '.join(labels[name] for name in learned.order)}",
        read="Time runs along the steps. A line joins a task to the one it started from, wider where the weights moved "
        "further; a diamond is a start from nothing.",
        alt="; ".join(f"{task} from {text.source_words(source)}" for task, source in learned.sources.items()),
        table=forest.table(found),
    )


def keep(drawing: Drawing) -> None:
    """How much of it the link holds, and the drawing as a task set."""
    small = drawing.n_points <= sketch.MOST_IN_LINK
    where = "The address of this page holds it all." if small else "That is too much for the address: download it."
    fixed = f"C is {links.fixed_C() or C:g}; another can be fixed under *Learner*."
    points, tasks = text.counted(drawing.n_points, "point"), text.counted(len(drawing.tasks), "task")
    st.caption(f"{points} in {tasks}. {where} {fixed}")
    if not drawing.ready:
        return
    task_set = drawing.sample()
    mime: dict[formats.Kind, str] = {"csv": "text/csv", "npz": "application/octet-stream"}
    with st.container(horizontal=True):
        for kind in mime:
            st.download_button(
                f"This drawing as a task set ({kind.upper()})",
                data=partial(formats.dump, task_set, kind),
                file_name=f"drawing.{kind}",
                mime=mime[kind],
                key=f"drawing-{kind}",
                on_click="ignore",
                icon=":material/download:",
            )


main()
