"""Page 3: the learned forest, and what repeats have in common."""

from collections.abc import Sequence

import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from core.statistics.data_checks import unequal
from core.statistics.majority import against_majority
from core.statistics.patterns import patterns, stability
from dashboard import text
from dashboard.components import curricula, data_warnings, figure_card, repeated_curricula, run_choice, step_text
from dashboard.components.repeated_curricula import Repeated
from dashboard.figures import forest, plot
from dashboard.figures import patterns as drawn
from dashboard.figures.forest import Lanes
from dashboard.session import current, job_panel, link_codes, links, widgets
from dashboard.session.current import Current

CHOICES = ("seqmt", "multiseqmt", "treemt")
RULES = curricula.RULES
BALANCED = (
    "The mean of the errors on the task's positive and on its negative test points; one answer for all gives 50\u00a0%."
)


def main() -> None:
    """The method, its lanes, a task's details, the repeats."""
    now = current.current()
    st.title("Subsequences")
    method_key = widgets.synced_key("w-method", links.choice("method", CHOICES, "multiseqmt"))
    with st.container(horizontal=True, gap="large"):
        st.segmented_control(
            "Method", CHOICES, key=method_key, required=True, format_func=METHODS.__getitem__,
            help=" ".join(f"**{METHODS[key]}**: {RULES[key]}" for key in CHOICES),
            on_change=lambda: method_changed(method_key),
        )  # fmt: skip
        flow = st.empty()
    method = str(st.session_state[method_key])
    st.caption(RULES[method])
    choices = link_codes.decode(links.text("whatif"), now.task_set.names) if links.text("method") == method else ()
    learned = current.learned(now, method, choices, C=link_codes.fixed_C(links.text("ifC")) if choices else None)
    if learned is not None:
        show_whatif(learned.forced_steps)
        found = forest.info(learned)
        usual = forest.default_direction(found, now.labels)
        direction: forest.Direction = "down" if links.choice("flow", ("right", "down"), usual) == "down" else "right"
        flow_key = widgets.synced_key("w-flow", direction)
        flow.segmented_control(
            "Time runs", ("right", "down"), key=flow_key, required=True,
            format_func={"right": "to the right", "down": "downwards"}.__getitem__,
            on_change=lambda: links.put(flow=st.session_state[flow_key]),
        )  # fmt: skip
        show_lanes(now, learned, found, direction)
    if len(now.task_set) > 1:
        show_repeats(now, method)


def method_changed(key: str) -> None:
    """A what-if belongs to its method."""
    links.put(method=st.session_state[key])
    links.drop_whatif()


def show_whatif(forced: Sequence[int]) -> None:
    """Which steps the reader chose on Step through."""
    if not forced:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="whatif"):
        st.markdown(f":material/alt_route: **What if:** with your {step_text.choices(forced)} (✎), from Step through.")
        st.button("Reset", key="reset", icon=":material/undo:", on_click=links.drop_whatif)


def finding(now: Current, learned: Learned, found: Lanes) -> str:
    """The figure's title."""
    n, parts = len(found.nodes), found.n_subsequences
    name = METHODS[learned.method]
    if n == 1:
        return "One task needs no curriculum"
    if unequal(now.task_set) and (beside := against_majority(learned)) is not None and beside.one_answer:
        return f"{name} gives all test points one answer: its order tells nothing about these tasks"
    if parts == 1:
        shape = f"one tree with {found.n_lanes} branches" if found.branching else "one sequence"
        text = f"{name} learns all {n} tasks in {shape}"
    else:
        text = f"{name} splits {n} tasks into {parts} {'trees' if found.branching else 'subsequences'}"
    groups = now.task_set.groups
    transfers = [node for node in found.nodes if node.source is not None]
    if groups and transfers:
        within = sum(groups[node.task] == groups[node.source or ""] for node in transfers)
        text += f"; {within} of {len(transfers)} transfers stay within a group"
    return text


def clicked_task() -> None:
    """Keep the click: the figure itself forgets it whenever it is drawn anew."""
    at = figure_card.clicked("lanes")
    if at is not None:
        links.put(task=int(at[0] if isinstance(at, list) else at) + 1)


def show_lanes(now: Current, learned: Learned, found: Lanes, direction: forest.Direction) -> None:
    """The forest and one task of it."""
    mean = "" if learned.mean_test_error is None else f"mean test error **{text.percent(learned.mean_test_error)}**, "
    bound = ""
    if learned.bound is not None:
        value = learned.bound.value
        bound = f"bound {value:.3f} on half the expected error{text.vacuous(value)}"
    unit = "test error in percent" if found.has_test else "no test data, so no test error"
    st.markdown(f"{METHODS[learned.method]}: {mean}{bound}.")
    data_warnings.show_majority(now, learned)
    title = finding(now, learned, found)
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
        on_select=clicked_task,
    )  # fmt: skip
    show_choice(now, names, step)
    show_task(now, learned, found, step - 1)


def show_choice(now: Current, names: Sequence[str], step: int) -> None:
    """The task whose details are shown, chosen by name: its step changes with the method."""
    task_key = widgets.synced_key("w-task", names[step - 1])

    def chosen() -> None:
        if st.session_state[task_key] in names:
            links.put(task=names.index(st.session_state[task_key]) + 1)

    st.selectbox(
        "Details of a task (or click one above)", names, key=task_key,
        format_func=lambda name: f"{names.index(name) + 1}. {now.labels[name]}", on_change=chosen,
    )  # fmt: skip


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
    start = "started without a source" if node.source is None else f"was learned from {text.quoted(node.source)}"
    onward = f"From it came {text.listed(pupils)}." if pupils else "Nothing was learned from it."
    runner, margin = step.runner_up, step.margin
    why = "You chose it." if node.forced else "It was the only choice left."
    if runner is not None and margin is not None:
        source = "without a source" if runner.source is None else f"from {text.quoted(runner.source)}"
        gap = f"{abs(margin):.3f} {'higher' if margin >= 0 else 'lower'}"
        why = f"{'You chose it. ' if node.forced else ''}Next best was {text.quoted(runner.task)} {source}, "
        why += f"its criterion {gap}."
    st.markdown(text.md(f"{text.quoted(node.task)} {start} at step {node.step}. {why} {onward}"))


def show_repeats(now: Current, method: str) -> None:
    """Patterns over repeats, of a stored run or computed here on demand."""
    st.divider()
    figure_card.heading("The same over repeats" if now.uploaded else "Is that chance? The same over repeats", 3)
    runs = repeated_curricula.stored(now, method)
    options = ("off", *map(str, repeated_curricula.COUNTS), *runs)
    repeats_key = widgets.synced_key("w-repeats", links.choice("repeats", options, "off"))
    st.segmented_control(
        f"Repeats: {'the rows split anew' if now.uploaded else 'fresh draws of the set'}, or those of a stored run",
        options, key=repeats_key, required=True,
        on_change=lambda: links.put(
            repeats=None if st.session_state[repeats_key] == "off" else st.session_state[repeats_key]),
    )  # fmt: skip
    chosen = str(st.session_state[repeats_key])
    if chosen == "off":
        drawn_how = "splits of the rows" if now.uploaded else "fresh draws"
        st.caption(f"Choose a number: the method then learns on so many {drawn_how}, and you see what they share.")
        return
    found = runs[chosen] if chosen in runs else compute(now, method, int(chosen))
    if found is not None and found.forests:
        show_patterns(now, method, found)


def compute(now: Current, method: str, count: int) -> Repeated | None:
    """So many repeats, as a job that can be cancelled; what is finished is shown."""

    def work(report: job_panel.Report[Repeated]) -> Repeated:
        return repeated_curricula.repeat(run_choice.source_of(now), method, now.settings, count, report)

    return current.result(now, f"repeats {method} {count}", f"Repeating {METHODS[method]}", work)


def show_patterns(now: Current, method: str, repeats: Repeated) -> None:
    """Transfers, starts and ends, companions or positions, stability."""
    found = patterns(repeats.forests, repeats.names)
    stable = stability(repeats.forests, repeats.names)
    said = (
        drawn.stable_words(stable, found.repeats, not now.uploaded)
        if stable
        else "One repeat cannot tell how stable this is."
    )
    st.markdown(text.md(said))
    left, right = st.columns(2, gap="medium")
    with left:
        title = drawn.transfers_title(found)
        figure_card.figure(
            plot.matrix(drawn.transfers(found), now.dark), key="transfers", title=title, alt=title,
            table=drawn.transfers_table(found),
            read="The task of the column was learned from the source of the row in that share of the repeats. Columns "
            "add up to 100\u00a0%: the last row counts the repeats in which the task had no source.",
        )  # fmt: skip
    with right:
        if method == "seqmt":
            title = drawn.positions_title(found)
            figure_card.figure(
                drawn.positions(found, now.labels, now.colours, now.dark), key="positions", title=title, alt=title,
                read="A dot a repeat, at the step at which it learned the task; the bar is the mean. One sequence "
                "keeps all tasks together, so there are no companions to show.",
                table=drawn.ends_table(found),
            )  # fmt: skip
        else:
            title = drawn.companions_title(found)
            figure_card.figure(
                plot.matrix(drawn.companions(found), now.dark), key="companions", title=title, alt=title,
                read="The share of repeats in which two tasks were in the same subsequence. Tasks are sorted so that "
                "companions stand beside each other: blocks are tasks that belong together.",
                table=drawn.companions_table(found),
            )  # fmt: skip
    title = drawn.ends_title(found)
    figure_card.figure(
        drawn.ends(found, now.labels, now.dark), key="ends", title=title, alt=title, table=drawn.ends_table(found),
        read="How often the task had no source (starts, plain bars), and how often nothing was learned from it (ends, "
        "striped bars). A task that is alone does both.",
    )  # fmt: skip


main()
