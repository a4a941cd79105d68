"""The figures of Step through: each takes what is on screen and shows one chart with its words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.curriculum.learn import Learned
from core.curriculum.steps import Candidate
from dashboard import text
from dashboard.components import figure_card, step_text
from dashboard.figures import candidates, curricula, images, plot, scatter
from dashboard.session import current, links, widgets
from dashboard.session.current import Current, Pair

Pick = Callable[[Pair], None]
SCALES = ("one", "own")


def place(shown: Learned, number: int) -> Hashable:
    """A name for a step: all its numbers follow from the method and the choices, on one set with one setting."""
    return shown.method, tuple((step.chosen.task, step.chosen.source, step.chosen.C) for step in shown.steps), number


def own_scales(room: candidates.Frame) -> bool:
    """Whether the two terms have a scale each: as the link says, by default where one of them would be a sliver."""
    return links.choice("scales", SCALES, "own" if room.unlike else "one") == "own"


def choose_scales(room: candidates.Frame) -> None:
    """One scale for the sum, or one for each term."""
    default = "own" if room.unlike else "one"
    scales_key = widgets.synced_key("w-scales", "own" if own_scales(room) else "one")

    def changed() -> None:
        chosen = st.session_state[scales_key]
        links.put(scales=None if chosen == default else chosen)

    st.segmented_control(
        "Bars on",
        SCALES,
        key=scales_key,
        required=True,
        label_visibility="collapsed",
        format_func={"one": "one scale", "own": "own scales"}.__getitem__,
        on_change=changed,
        help="**One scale**: the bar is the sum that the method compares. **Own scales**: the terms side by side, so "
        "that small ones can be compared, too; chosen by itself where one term is over ten times as large.",
    )


def show_bars(now: Current, shown: Learned, number: int, picked: Candidate, pick: Pick) -> None:
    """The bars; a click picks a candidate."""
    step, forced = shown.steps[number - 1], number in shown.forced_steps
    found = candidates.info(step, forced=forced)
    room = candidates.frame([candidates.info(one) for one in shown.steps], now.labels)
    own = own_scales(room)
    key = f"candidates-{number}"

    def clicked() -> None:
        ids = figure_card.clicked(key)
        if ids:
            pick((ids[0], ids[1] or None))

    rest = "" if found.total == len(found.shown) else f" (the best {len(found.shown)} of {found.total})"
    shortest = step.margin is None or step.margin >= 0
    answer = "The shortest bar" if shortest else "Your choice is not the shortest bar"
    if own:
        answer = "The lowest sum of both terms" if shortest else "Your choice has not the lowest sum"
    name = ("bars", place(shown, number), picked.task, picked.source, own, forced)
    figure_card.figure(
        current.drawn(
            now,
            name,
            lambda: candidates.figure(found, now.labels, now.dark, room=room, picked=picked, own_scales=own),
        ),
        key=key,
        title=f"Which task should come next? {answer}{rest}",
        read="A bar a candidate, best on top: its **error term** (how badly the new weights fit the task, hatched) "
        "plus its **complexity term** (how far they had to move from the source). The method takes the lowest sum (★; "
        "✎ where you chose). The axis is the same at all steps. Click a bar to see that candidate's numbers; it gets a "
        "dotted frame.",
        alt=f"Bars of error and complexity term of {found.total} candidates. {step_text.margin(step, forced)}",
        table=candidates.table(step),
        on_select=clicked,
        controls=lambda: choose_scales(room),
    )


def show_so_far(now: Current, shown: Learned, number: int) -> None:
    """What has been learned."""
    assert shown.curriculum is not None
    with st.container(key="figure-so-far"):
        figure_card.heading(f"Learned after {number} of {text.counted(len(shown.steps), 'step')}")
        if number:
            st.html(step_text.chips(shown.curriculum, number, now.colours, now.labels, shown.forced_steps))
        if any(step <= number for step in shown.forced_steps):
            st.caption(f"{candidates.YOURS} your choice")


def show_grid(now: Current, shown: Learned, picked: Candidate, number: int) -> None:
    """Source × task, where there are several sources."""
    step = shown.steps[number - 1]
    sign = candidates.YOURS if number in shown.forced_steps else candidates.CHOSEN
    figure_card.figure(
        current.drawn(
            now,
            ("grid", place(shown, number), picked.task, picked.source, sign),
            lambda: plot.matrix(candidates.source_matrix(step, now.labels, picked, sign), now.dark),
        ),
        key="grid",
        title="Which source suits which task?",
        read="The criterion of every candidate of this step: the source in the row, the task in the column. Lower is "
        "better (★ and framed: chosen, ✎ by you; dotted: the one you picked).",
        alt=f"Matrix of the criterion of {len(step.candidates)} candidates by source and task. "
        f"{step_text.margin(step)}",
        table=candidates.source_table(step),
    )


def show_weights(now: Current, shown: Learned, picked: Candidate, number: int) -> None:
    """The plane with its lines, weights as images, or the features that moved most."""
    task_set = now.task_set
    start = "nothing" if picked.source is None else text.quoted(picked.source)
    title = f"From {start} to {text.quoted(picked.task)}: what had to change?"
    table = images.weight_table(picked, now.has_bias, task_set.feature_names)
    if task_set.n_features == 2:
        assert shown.curriculum is not None
        before = {c.task: c.weights for c in shown.curriculum.chosen[: number - 1]}
        prepared = scatter.Preparation(now.normalizes, now.has_bias)
        draw = partial(scatter.step_plane, task_set, picked, before, prepared, now.dark)
        read = (
            "The picked task's training points, the line of its source (dashed) and its own new line (solid); dotted "
            f"are the lines of the tasks that were learned before.{scatter.bent(prepared)}"
        )
    elif task_set.image_shape is not None:
        draw = partial(images.weight_images, picked, now.has_bias, task_set.image_shape, now.dark)
        read = (
            "Weights as images, all on one scale: blue pixels speak for the positive class, orange ones against it. "
            "The complexity term is the squared length of the change, over 2√m̄."
        )
    else:
        draw = partial(images.weight_features, picked, now.has_bias, now.dark, task_set.feature_names)
        read = "The features whose weight moved most from the source (ring) to the candidate (dot)."
    chart = current.drawn(now, ("weights", place(shown, number), picked.task, picked.source), draw)
    figure_card.figure(
        chart, key="weights", title=title, read=read, alt=f"{title} {step_text.named(picked)}.", table=table
    )


def show_bound(now: Current, shown: Learned, number: int) -> None:
    """The running bound, with every part of Theorem 1."""
    curriculum = shown.curriculum
    assert curriculum is not None
    bound = curriculum.bound_of(curriculum.chosen[:number])
    left, right = st.columns([3, 2], gap="medium")
    with left:
        meaning = "says something" if curriculum.bound.says_something else "is above ½ and says nothing"
        figure_card.figure(
            current.drawn(
                now,
                ("bound", place(shown, number)),
                lambda: curricula.bound_figure(curriculum, number, now.labels, now.dark),
            ),
            key="bound",
            title=f"The bound grows to {curriculum.bound.value:.2f} and so {meaning}",
            read="Theorem 1 bounds *half* the expected error over all tasks. Its constant parts stand from the start; "
            "each step adds its error and complexity term, over n. Pale bars are steps to come. Above ½ a bound says "
            "nothing about the error, yet its terms still rank the candidates.",
            alt=f"Stacked bars of the parts of the bound after each step; {bound.value:.3f} after step {number}.",
            table=curricula.bound_table(curriculum),
        )
    with right, st.container(key="figure-theorem"):
        figure_card.heading(f"Theorem 1 after step {number}")
        st.markdown(step_text.theorem(bound))
        if not figure_card.large():
            with st.expander("What the parts mean", icon=":material/help:"):
                st.markdown(step_text.parts(bound))


def show_versus(
    now: Current, base: Learned, other: Learned, heading: str, forced: Sequence[int] = (), label: str = "what if"
) -> None:
    """The method's own curriculum and another, which the label names; `forced` are its steps that a person chose."""
    assert base.bound is not None
    assert other.bound is not None
    figure_card.heading(heading, 3)
    columns = st.columns(4)
    change = other.bound.value - base.bound.value
    columns[0].metric("Bound, own", f"{base.bound.value:.3f}")
    _changed(columns[1], f"Bound, {label}", f"{other.bound.value:.3f}", change, 3)
    if base.mean_test_error is not None and other.mean_test_error is not None:
        points = 100 * (other.mean_test_error - base.mean_test_error)
        columns[2].metric("Mean test error, own", text.percent(base.mean_test_error))
        _changed(columns[3], f"Mean test error, {label}", text.percent(other.mean_test_error), points, 1, " points")
    same = sum(first == second for first, second in zip(base.order, other.order, strict=True))
    figure_card.figure(
        curricula.diff_figure(base, other, now.colours, now.labels, now.dark, forced, label),
        key=f"versus-{label.replace(' ', '-')}",
        title=f"{same} of {text.counted(len(base.order), 'task')} keep their step",
        read="Each line is a task: its step in the method's own curriculum on the left, in the other on the right. "
        "Thick lines change their step, dashed ones their source; ✎ are your choices. With C *shared*, both have the C "
        "of the method's own curriculum, so that only choices differ.",
        alt=f"Two curricula side by side; {same} of {text.counted(len(base.order), 'task')} keep their step.",
        table=curricula.diff_table(base, other, forced),
    )


def _changed(column: DeltaGenerator, name: str, value: str, change: float, digits: int, unit: str = "") -> None:
    """A number with how much lower (good) or higher it is; no arrow where the change rounds to nothing."""
    if round(change, digits) == 0.0:
        column.metric(name, value, "the same", delta_color="off", delta_arrow="off")
        return
    lower = change < 0  # said twice, as Streamlit takes only a hyphen for a minus
    shown = f"{text.number(change, digits, sign=True)}{unit}"
    column.metric(name, value, shown, delta_color="green" if lower else "red", delta_arrow="down" if lower else "up")
