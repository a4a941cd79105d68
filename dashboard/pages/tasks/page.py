"""Page 1: what is being learned."""

import streamlit as st

from core.curriculum.learn import Learned
from core.orders.transfer import pairwise
from core.statistics.projection import cosines, projection
from dashboard import text
from dashboard.components import data_warnings, figure_card, welcome
from dashboard.figures import pictures, relations, scatter, tasks
from dashboard.session import current
from dashboard.session.current import Current

MOST_ROWS = 15
MOST_PANELS = 12
MOST_MATRIX = 80


def main() -> None:
    """Headline, data and difficulty, relations, sizes."""
    now = current.current()
    welcome.show()
    st.title("Tasks")
    st.markdown(headline(now))
    data_warnings.show(now)
    left, right = st.columns(2, gap="medium")
    plane = now.task_set.n_features == 2 and now.task_set.image_shape is None
    if not plane:  # all other pictures show only the data: they need not wait for what is learned from it
        with left:
            show_data(now)
    with right:
        alone = current.learned(now, "indsvm")
        if alone is not None:
            show_difficulty(now, alone)
            data_warnings.show_balanced(now, alone)
    if plane:
        with left:
            show_plane(now, alone)
    if len(now.task_set) < 2:
        st.info("Transfer and similarity compare tasks: choose or upload a set of at least two.")
    elif len(now.task_set) > MOST_MATRIX:
        st.info(f"Matrices of tasks are drawn for up to {MOST_MATRIX} tasks; this set has {len(now.task_set)}.")
    else:
        narrow = len(now.task_set) <= 10
        left, right = st.columns(2, gap="medium") if narrow else (st.container(), st.container())
        with left:
            show_transfer(now)
        with right:
            if alone is not None:
                show_similarity(now, alone)
    frame = tasks.sizes(now.task_set)
    figure_card.figure(
        tasks.sizes_figure(frame, now.dark),
        key="sizes",
        title=tasks.sizes_title(frame),
        read="One bar per task: strong colours for training points, pale ones for test points; blue is the "
        "positive class, orange the negative one.",
        alt=f"Stacked bars of the number of points of {text.counted(len(frame), 'task')}.",
        table=frame,
    )


def headline(now: Current) -> str:
    """What the set is, in a line."""
    task_set = now.task_set
    points = sum(task.n_points for task in task_set.tasks)
    tests = sum(task.n_test for task in task_set.tasks)
    n = len(task_set)
    untested = [task.name for task in task_set.tasks if not task.n_test]
    who = "No task has" if len(untested) == n else f"{text.md(text.listed_quoted(untested))} have no"
    names = task_set.feature_names
    named = "" if names is None else f" ({text.md(text.listed(names, 6))})"
    known = [
        *(["a known order"] if task_set.semantic_order else []),
        *([text.counted(len(set(task_set.groups.values())), "group")] if task_set.groups else []),
        *([f"images of {task_set.image_shape[0]} × {task_set.image_shape[1]} pixels"] if task_set.image_shape else []),
    ]
    return (
        f"**{text.md(text.short(task_set.name, 60))}**: {text.counted(n, 'binary task')}, {points:,} training and "
        f"{text.counted(tests, 'test point')}, {text.counted(task_set.n_features, 'feature')}{named}"
        + (f"; {', '.join(known)}." if known else ".")
        + ("" if task_set.has_test else f" **{who} test data, so there are no test errors.**")
    )


def some(now: Current, most: int, key: str) -> list[str]:
    """The tasks that a picture shows: all, or a choice where they are too many."""
    names = list(now.task_set.names)
    if len(names) <= most:
        return names
    pages = [names[k : k + most] for k in range(0, len(names), most)]
    labels = [f"{k * most + 1} to {k * most + len(page)}" for k, page in enumerate(pages)]
    chosen = st.selectbox(f"Which of the {text.counted(len(names), 'task')} to show", labels, key=key)
    return pages[labels.index(chosen)]


def data_height(now: Current) -> int:
    """Of the picture of the data and of the one beside it."""
    shown = len(now.task_set)
    if now.task_set.image_shape is not None:
        return 90 + 32 * min(max(shown, 8), MOST_ROWS)
    return 520 if now.task_set.n_features != 2 else scatter.planes_height(min(shown, MOST_PANELS))


def show_plane(now: Current, alone: Learned | None) -> None:
    """The points in the plane, with the lines of the tasks where they are learned."""
    names = some(now, MOST_PANELS, "w-panels")
    prepared = scatter.Preparation(now.normalizes, now.has_bias)
    figure_card.figure(
        scatter.planes(now.task_set, names, alone.weights if alone else {}, prepared, now.dark),
        key="plane",
        title="Which line separates each task?",
        read="One panel per task, all with the same axes. Dots are positive, crosses negative training points; the "
        f"line is where the task's own SVM (IndSVM) changes its mind.{scatter.bent(prepared)}",
        alt=f"Scatter plots of the points of {text.counted(len(names), 'task')} in the plane.",
        table=scatter.points_table(now.task_set),
    )


def show_data(now: Current) -> None:
    """Image tiles or a projection."""
    task_set = now.task_set
    if task_set.image_shape is not None:
        names = some(now, MOST_ROWS, "w-tiles")
        title = "What has to be told apart in each task?"
        figure_card.show(pictures.tiles(task_set, names, "images", title, now.dark, data_height(now)))
        return
    as_learned = now.prepared
    flat = current.result(now, "projection", "Projecting the points", lambda report: projection(as_learned), light=True)
    if flat is not None:
        rest = "" if flat.complete else " Only a sample of the points is shown, equally many of each task."
        figure_card.figure(
            scatter.projected(flat, task_set.names, now.colours, now.dark, data_height(now)),
            key="projection",
            title=f"All tasks in two dimensions, which hold {text.percent(sum(flat.explained), 0)} of the variance",
            read="Each training point by its two principal components over all tasks. Colour is the task, dots are "
            f"positive, crosses negative.{rest}",
            alt=f"Scatter of the points of {text.counted(len(task_set), 'task')} in their two principal components.",
            table=scatter.projection_table(flat, task_set.names),
        )


def show_difficulty(now: Current, alone: Learned) -> None:
    """How hard each task is alone."""
    found = tasks.difficulty(now.task_set, alone)
    figure_card.figure(
        tasks.difficulty_figure(found, now.colours, now.dark, data_height(now)),
        key="difficulty",
        title=found.title,
        read="How often a task's own SVM (IndSVM, no source) is wrong on its test points"
        + ("; whiskers are 95\u00a0% intervals (Wilson's). " if found.quantity == "test error"
           else "; where that is unknown or all the same, its criterion (4). ")
        + ("Tasks stand in their semantic order, the one that is known beforehand; a line joins a group."
           if found.ranks else "The hardest task is on top."),
        alt=f"{found.title}. Test error or criterion of each of {text.counted(len(found.names), 'task')} alone.",
        table=tasks.difficulty_table(found),
    )  # fmt: skip


def show_transfer(now: Current) -> None:
    """The pairwise transfer matrix."""
    problem, C = now.problem, now.settings.C
    found = current.result(
        now, "transfer", "Trying every task from every other", lambda report: pairwise(problem, C, report)
    )
    if found is not None:
        figure_card.show(relations.transfer(found, now.dark))


def show_similarity(now: Current, alone: Learned) -> None:
    """Angles between what the tasks learn alone."""
    values = cosines(alone.weights, now.has_bias)
    figure_card.show(relations.similarity(values, now.task_set.names, now.dark))


main()
