"""The figures of Step through: each takes what is on screen and shows one chart with its words."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.steps import Candidate
from dashboard import text
from dashboard.figures import bounds, candidates, scatter, versus, weights
from dashboard.parts import framing, step_text
from dashboard.session import current
from dashboard.session.current import Current, Pair


def place(shown: Learned, number: int) -> Hashable:
    """A name for a step: all its numbers follow from the method and the choices, on one set with one setting."""
    return shown.method, tuple((step.chosen.task, step.chosen.source, step.chosen.C) for step in shown.steps), number


def show_bars(now: Current, shown: Learned, number: int, pick: Callable[[Pair], None]) -> None:
    """The stacked bars; a click picks a candidate."""
    step = shown.steps[number - 1]
    found = candidates.info(step)
    several = candidates.several_sources(step)
    key = f"candidates-{number}"

    def clicked() -> None:
        ids = framing.clicked(key)
        if ids:
            pick((ids[0], ids[1] or None))

    rest = "" if found.total == len(found.shown) else f" (the best {len(found.shown)} of {found.total})"
    yours = step.margin is not None and step.margin < 0
    answer = "Your choice is not the shortest bar" if yours else "The shortest bar"
    framing.figure(
        current.drawn(
            now, ("bars", place(shown, number)), lambda: candidates.figure(found, now.labels, several, now.dark)
        ),
        key=key,
        title=f"Which task should come next? {answer}{rest}",
        read="A bar a candidate, best on top: its **error term** (how badly the new weights fit the task, hatched) "
        "plus its **complexity term** (how far they had to move from the source). The method takes the shortest (★). "
        "Click a bar to see that candidate's numbers.",
        alt=f"Stacked bars of error and complexity term of {found.total} candidates. {step_text.margin(step)}",
        table=candidates.table(step),
        on_select=clicked,
    )


def show_so_far(now: Current, shown: Learned, number: int) -> None:
    """What has been learned."""
    assert shown.curriculum is not None
    with st.container(key="figure-so-far"):
        framing.heading(f"Learned after {number} of {len(shown.steps)} steps")
        st.html(step_text.chips(shown.curriculum, number, now.colours, now.labels))


def show_grid(now: Current, shown: Learned, picked: Candidate, number: int) -> None:
    """Source × task, where there are several sources."""
    step = shown.steps[number - 1]
    framing.figure(
        current.drawn(
            now,
            ("grid", place(shown, number), picked.task, picked.source),
            lambda: candidates.grid_figure(step, now.labels, picked, now.dark),
        ),
        key="grid",
        title="Which source suits which task?",
        read="The criterion of every candidate of this step: the source in the row, the task in the column. Lower is "
        "better (★ and framed: chosen; dotted: the one you picked).",
        alt=f"Matrix of the criterion of {len(step.candidates)} candidates by source and task. "
        f"{step_text.margin(step)}",
        table=candidates.grid_table(step),
    )


def show_weights(now: Current, shown: Learned, picked: Candidate, number: int) -> None:
    """The plane with its lines, weights as images, or the features that moved most."""
    task_set = now.task_set
    start = "nothing" if picked.source is None else text.quoted(picked.source)
    title = f"From {start} to {text.quoted(picked.task)}: what had to change?"
    table = weights.table(picked, now.has_bias)
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
        draw = partial(weights.images, picked, now.has_bias, task_set.image_shape, now.dark)
        read = (
            "Weights as images, all on one scale: blue pixels speak for the positive class, orange ones against it. "
            "The complexity term is the squared length of the change, over 2√m̄."
        )
    else:
        draw = partial(weights.features, picked, now.has_bias, now.dark)
        read = "The features whose weight moved most from the source (ring) to the candidate (dot)."
    chart = current.drawn(now, ("weights", place(shown, number), picked.task, picked.source), draw)
    framing.figure(chart, key="weights", title=title, read=read, alt=f"{title} {step_text.named(picked)}.", table=table)


def show_bound(now: Current, shown: Learned, number: int) -> None:
    """The running bound, with every part of Theorem 1."""
    curriculum = shown.curriculum
    assert curriculum is not None
    bound = curriculum.bound_of(curriculum.chosen[:number])
    left, right = st.columns([3, 2], gap="medium")
    with left:
        meaning = "says something" if curriculum.bound.says_something else "is above ½ and says nothing"
        framing.figure(
            current.drawn(
                now, ("bound", place(shown, number)), lambda: bounds.figure(curriculum, number, now.labels, now.dark)
            ),
            key="bound",
            title=f"The bound grows to {curriculum.bound.value:.2f} and so {meaning}",
            read="Theorem 1 bounds *half* the expected error over all tasks. Its constant parts stand from the start; "
            "each step adds its error and complexity term, over n. Pale bars are steps to come. Above ½ a bound says "
            "nothing about the error, yet its terms still rank the candidates.",
            alt=f"Stacked bars of the parts of the bound after each step; {bound.value:.3f} after step {number}.",
            table=bounds.table(curriculum),
        )
    with right, st.container(key="figure-theorem"):
        framing.heading(f"Theorem 1 after step {number}")
        st.markdown(step_text.theorem(bound))


def show_versus(now: Current, base: Learned, other: Learned, forced: int) -> None:
    """The method's own curriculum and the what-if."""
    assert base.bound is not None
    assert other.bound is not None
    framing.heading(f"What if: your choice at step {forced} against the method's own", 3)
    columns = st.columns(4)
    change = other.bound.value - base.bound.value
    columns[0].metric("Bound, own", f"{base.bound.value:.3f}")
    columns[1].metric("Bound, what if", f"{other.bound.value:.3f}", f"{change:+.3f}", delta_color="inverse")
    if base.mean_test_error is not None and other.mean_test_error is not None:
        points = 100 * (other.mean_test_error - base.mean_test_error)
        columns[2].metric("Mean test error, own", f"{base.mean_test_error:.1%}")
        columns[3].metric(
            "Mean test error, what if", f"{other.mean_test_error:.1%}", f"{points:+.1f} points", delta_color="inverse"
        )
    same = sum(first == second for first, second in zip(base.order, other.order, strict=True))
    framing.figure(
        versus.figure(base, other, now.colours, now.labels, now.dark),
        key="versus",
        title=f"{same} of {len(base.order)} tasks keep their step",
        read="Each line is a task: its step in the method's own curriculum on the left, in the what-if on the right. "
        "Thick lines change their step, dashed ones their source. With C *shared*, the what-if keeps the C of the "
        "method's own curriculum, so that only the choice differs.",
        alt=f"Two curricula side by side; {same} of {len(base.order)} tasks keep their step.",
        table=versus.table(base, other),
    )
