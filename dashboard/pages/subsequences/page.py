"""Page 3: the learned forest, and what repeats have in common."""

from collections.abc import Sequence

import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from core.statistics.data_checks import unequal
from core.statistics.majority import against_majority
from dashboard import text
from dashboard.components import curricula, data_warnings, figure_card, step_text
from dashboard.figures import forest
from dashboard.figures.forest import Direction, Lanes
from dashboard.pages.subsequences import repeats
from dashboard.session import current, links, widgets
from dashboard.session.current import Current

BALANCED = (
    "The mean of the errors on the task's positive and on its negative test points; one answer for all gives 50\u00a0%."
)


def main() -> None:
    """The method, its lanes, a task's details, the repeats."""
    now = current.current()
    st.title("Subsequences")
    with st.container(horizontal=True, gap="large"):
        method = curricula.choose_method("multiseqmt")
        flow = st.empty()
    st.caption(curricula.RULES[method])
    mine = links.text("method") == method  # a what-if of another method stays with that
    learned = curricula.of_link(now, method) if mine else current.learned(now, method)
    if learned is not None:
        if learned.forced_steps:
            curricula.show_whatif(f"with your {step_text.choices(learned.forced_steps)} (✎), from Step through.")
        found = forest.info(learned)
        with flow:
            direction = choose_direction(forest.default_direction(found, now.labels))
        show_lanes(now, learned, found, direction)
    if len(now.task_set) > 1:
        repeats.show(now, method)


def choose_direction(usual: Direction) -> Direction:
    """Which way time runs; what is usual depends on the forest, so the link always says what was chosen."""
    ways = {"right": "to the right", "down": "downwards"}
    chosen = widgets.choice("flow", "Time runs", ways, usual, lambda way: links.put(flow=way))
    return "down" if chosen == "down" else "right"


def forest_title(now: Current, learned: Learned, found: Lanes) -> str:
    """What the forest shows, as the figure's title."""
    n, parts = len(found.nodes), found.n_subsequences
    name = METHODS[learned.method]
    if n == 1:
        return "One task needs no curriculum"
    if unequal(now.task_set) and (beside := against_majority(learned)) is not None and beside.one_answer:
        return f"{name} gives all test points one answer: its order tells nothing about these tasks"
    if parts == 1:
        shape = f"one tree with {found.n_lanes} branches" if found.branching else "one sequence"
        said = f"{name} learns all {n} tasks in {shape}"
    else:
        said = f"{name} splits {n} tasks into {parts} {'trees' if found.branching else 'subsequences'}"
    groups = now.task_set.groups
    transfers = [node for node in found.nodes if node.source is not None]
    if groups and transfers:
        within = sum(groups[node.task] == groups[node.source or ""] for node in transfers)
        said += f"; {within} of {len(transfers)} transfers stay within a group"
    return said


def show_lanes(now: Current, learned: Learned, found: Lanes, direction: Direction) -> None:
    """The forest and one task of it."""
    assert learned.bound is not None  # every method of this page learns by steps
    value = learned.bound.value
    mean = "" if learned.mean_test_error is None else f"mean test error **{text.percent(learned.mean_test_error)}**, "
    unit = "test error in percent" if found.has_test else "no test data, so no test error"
    bound = f"bound {value:.3f} on half the expected error{text.vacuous(value)}"
    st.markdown(f"{METHODS[learned.method]}: {mean}{bound}.")
    data_warnings.show_majority(now, learned)
    title = forest_title(now, learned, found)
    names = [node.task for node in found.nodes]
    step = links.whole("task", 1, 1, len(names))
    figure_card.figure(
        forest.figure(found, now.labels, now.colours, now.dark, direction, step - 1),
        key="lanes",
        title=title,
        read=f"A circle is a task, at the step at which it was learned. The number in it is its {unit}; darker (in the "
        "dark theme: lighter) is worse. Its rim has the task's colour. A line leads from the source to the task; the "
        "wider, the further the weights moved. A diamond is a start without a source. A lane is a subsequence; where "
        "several tasks learn from one, the others branch off into lanes of their own. **Click a task** for details: it "
        "then has a ring around it and a bold name. ✎ marks steps that you chose.",
        alt=f"{title}. " + "; ".join(
            f"step {node.step}: {text.short(node.task)} from {text.short(text.source_words(node.source))}"
            for node in found.nodes[:60]
        ),
        table=forest.table(found),
        on_click=lambda k: links.put(task=int(k) + 1),
    )  # fmt: skip
    show_choice(now, names, step)
    show_task(now, learned, found, step - 1)


def show_choice(now: Current, names: Sequence[str], step: int) -> None:
    """The task whose details are shown, chosen by name: its step changes with the method."""

    def put(name: str) -> None:
        if name in names:
            links.put(task=names.index(name) + 1)

    st.selectbox(
        "Details of a task (or click one above)",
        names,
        format_func=lambda name: f"{names.index(name) + 1}. {now.labels[name]}",
        **widgets.synced("w-task", names[step - 1], put),
    )


def show_task(now: Current, learned: Learned, found: Lanes, k: int) -> None:
    """What one step did."""
    node, step = found.nodes[k], learned.steps[k]
    balanced = learned.balanced_error if unequal(now.task_set) else None
    numbers = {
        "Test error": (
            "–" if node.test_error is None else text.percent(node.test_error),
            "The share of the task's test points that its weights get wrong.",
        ),
        **({} if balanced is None else {"Balanced error": (text.percent(balanced[node.task]), BALANCED)}),
        "Distance moved": (
            f"{node.distance:.3f}",
            "‖w − w_src‖: how far the new weights w are from those of the source, w_src (zeros without a source).",
        ),
        "Error term": (f"{step.chosen.error_term:.3f}", "How badly the new weights fit the task's training points."),
        "Complexity term": (
            f"{step.chosen.complexity_term:.3f}",
            "The squared distance moved, over 2√m̄; m̄ is the harmonic mean of all tasks' sizes.",
        ),
        "C": (f"{node.chosen.C:g}", "How much a mistake costs in training."),
    }
    with st.container(horizontal=True, gap="large"):
        for label, (value, meaning) in numbers.items():
            st.metric(label, value, width="content", help=meaning)
    pupils = [other.task for other in found.nodes if other.source == node.task]
    onward = f"From it came {text.listed(pupils)}." if pupils else "Nothing was learned from it."
    st.markdown(text.md(f"Step {node.step}: {step_text.margin(step, node.forced)} {onward}"))


main()
