"""Page 3: the learned forest, and what repeats have in common."""

import streamlit as st

from core.analysis.patterns import patterns, stability
from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from dashboard import text as words
from dashboard.figures import forest, lanes
from dashboard.figures import patterns as drawn
from dashboard.figures.forest import Lanes
from dashboard.parts import framing, repeated
from dashboard.parts.repeated import Repeated
from dashboard.session import current as cached
from dashboard.session import job_panel, links
from dashboard.session.current import Current

CHOICES = ("seqmt", "multiseqmt", "treemt")


def main() -> None:
    """The method, its lanes, a task's details, the repeats."""
    now = cached.current()
    st.title("Subsequences")
    st.session_state["w-method"] = links.choice("method", CHOICES, "multiseqmt")
    with st.container(horizontal=True, gap="large"):
        st.segmented_control(
            "Method", CHOICES, key="w-method", required=True, format_func=METHODS.__getitem__,
            help="**SeqMT**: one sequence. **MultiSeqMT**: extend any open subsequence or start one. **TreeMT**: every "
            "solved task stays a possible source, so subsequences can branch.",
            on_change=lambda: links.put(method=st.session_state["w-method"]),
        )  # fmt: skip
        flow = st.empty()
    method = str(st.session_state["w-method"])
    learned = cached.learned(now, method)
    if learned is not None:
        found = forest.info(learned)
        st.session_state["w-flow"] = links.choice("flow", ("right", "down"), lanes.default_direction(found, now.labels))
        flow.segmented_control(
            "Time runs", ("right", "down"), key="w-flow", required=True,
            format_func={"right": "to the right", "down": "downwards"}.__getitem__,
            on_change=lambda: links.put(flow=st.session_state["w-flow"]),
        )  # fmt: skip
        show_lanes(now, learned, found)
    if len(now.task_set) > 1:
        show_repeats(now, method)


def finding(now: Current, learned: Learned, found: Lanes) -> str:
    """The figure's title."""
    n, parts = len(found.nodes), found.n_subsequences
    name = METHODS[learned.method]
    if n == 1:
        return "One task needs no curriculum"
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
    at = framing.clicked("lanes")
    if at is not None:
        links.put(task=int(at[0] if isinstance(at, list) else at) + 1)


def show_lanes(now: Current, learned: Learned, found: Lanes) -> None:
    """The forest and one task of it."""
    mean = "" if learned.mean_test_error is None else f"mean test error **{learned.mean_test_error:.1%}**, "
    bound = "" if learned.bound is None else f"bound {learned.bound.value:.3f}"
    unit = "test error in percent" if found.has_test else "no test data, so no test error"
    st.markdown(f"{METHODS[learned.method]}: {mean}{bound}.")
    title = finding(now, learned, found)
    framing.figure(
        lanes.figure(found, now.labels, now.colours, now.dark, st.session_state["w-flow"]),
        key="lanes",
        title=title,
        read=f"A circle is a task, at the step at which it was learned. The number in it is its {unit}; darker (in the "
        "dark theme: lighter) is worse. Its rim has the task's colour. A line leads from the source to the task; the "
        "wider, the further the weights moved. A diamond is a start without a source. A lane is a subsequence; where "
        "several tasks learn from one, the others branch off into lanes of their own. **Click a task** for details.",
        alt=f"{title}. " + "; ".join(
            f"step {node.step}: {words.short(node.task)} from {words.short(words.source_words(node.source))}"
            for node in found.nodes[:60]
        ),
        table=forest.table(found),
        on_select=clicked_task,
    )  # fmt: skip
    names = [node.task for node in found.nodes]
    step = links.whole("task", 1, 1, len(names))
    st.session_state["w-task"] = step - 1
    st.selectbox(
        "Details of a task (or click one above)", range(len(names)), key="w-task",
        format_func=lambda k: f"{k + 1}. {now.labels[names[k]]}",
        on_change=lambda: links.put(task=st.session_state["w-task"] + 1),
    )  # fmt: skip
    show_task(learned, found, step - 1)


def show_task(learned: Learned, found: Lanes, k: int) -> None:
    """What one step did."""
    node, step = found.nodes[k], learned.steps[k]
    numbers = {
        "Test error": "–" if node.test_error is None else f"{node.test_error:.1%}",
        "Distance moved ‖w − w_src‖": f"{node.distance:.3f}",
        "Error term": f"{step.chosen.error_term:.3f}",
        "Complexity term": f"{step.chosen.complexity_term:.3f}",
        "C": f"{node.C:g}",
    }
    with st.container(horizontal=True, gap="large"):
        for label, value in numbers.items():
            st.metric(label, value, width="content")
    pupils = [other.task for other in found.nodes if other.source == node.task]
    start = "started without a source" if node.source is None else f"was learned from {words.quoted(node.source)}"
    onward = f"From it came {words.listed(pupils)}." if pupils else "Nothing was learned from it."
    runner, margin = step.runner_up, step.margin
    why = "It was the only choice left."
    if runner is not None and margin is not None:
        source = "without a source" if runner.source is None else f"from {words.quoted(runner.source)}"
        why = f"Next best was {words.quoted(runner.task)} {source}, its criterion {margin:.3f} higher."
    st.markdown(words.md(f"{words.quoted(node.task)} {start} at step {node.step}. {why} {onward}"))


def show_repeats(now: Current, method: str) -> None:
    """Patterns over repeats, of a stored run or computed here on demand."""
    st.divider()
    framing.heading("Is that chance? The same over repeats", 3)
    runs = repeated.stored(now, method)
    options = ("off", *map(str, repeated.COUNTS), *runs)
    st.session_state["w-repeats"] = links.choice("repeats", options, "off")
    st.segmented_control(
        "Repeats: fresh draws of the set, or those of a stored run", options, key="w-repeats", required=True,
        on_change=lambda: links.put(
            repeats=None if st.session_state["w-repeats"] == "off" else st.session_state["w-repeats"]),
    )  # fmt: skip
    chosen = str(st.session_state["w-repeats"])
    if chosen == "off":
        st.caption("Choose a number: the method then learns so many fresh draws, and you see what they share.")
        return
    found = runs[chosen] if chosen in runs else compute(now, method, int(chosen))
    if found is not None and found.forests:
        show_patterns(now, method, found)


def compute(now: Current, method: str, count: int) -> Repeated | None:
    """So many repeats, as a job that can be cancelled; what is finished is shown."""
    draws, settings = repeated.sampler(now), now.settings

    def work(report: job_panel.Report[Repeated]) -> Repeated:
        return repeated.repeat(draws, method, settings, count, report)

    return cached.result(now, f"repeats {method} {count}", f"Repeating {METHODS[method]}", work)


def show_patterns(now: Current, method: str, repeats: Repeated) -> None:
    """Transfers, starts and ends, companions or positions, stability."""
    found = patterns(repeats.forests, repeats.names)
    stable = stability(repeats.forests, repeats.names)
    st.markdown(
        words.md(drawn.stable_words(stable, found.repeats)) if stable else "One repeat cannot tell how stable this is."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        title = drawn.transfers_title(found)
        framing.figure(
            drawn.transfers(found, now.dark), key="transfers", title=title, alt=title,
            table=drawn.transfers_table(found),
            read="The task of the column was learned from the source of the row in that share of the repeats. Columns "
            "add up to 100 %: the last row counts the repeats in which the task had no source.",
        )  # fmt: skip
    with right:
        if method == "seqmt":
            title = drawn.positions_title(found)
            framing.figure(
                drawn.positions(found, now.labels, now.colours, now.dark), key="positions", title=title, alt=title,
                read="A dot a repeat, at the step at which it learned the task; the bar is the mean. One sequence "
                "keeps all tasks together, so there are no companions to show.",
                table=drawn.ends_table(found),
            )  # fmt: skip
        else:
            title = drawn.companions_title(found)
            framing.figure(
                drawn.companions(found, now.dark), key="companions", title=title, alt=title,
                read="The share of repeats in which two tasks were in the same subsequence. Tasks are sorted so that "
                "companions stand beside each other: blocks are tasks that belong together.",
                table=drawn.companions_table(found),
            )  # fmt: skip
    title = drawn.ends_title(found)
    framing.figure(
        drawn.ends(found, now.labels, now.dark), key="ends", title=title, alt=title, table=drawn.ends_table(found),
        read="How often the task had no source (starts, plain bars), and how often nothing was learned from it (ends, "
        "striped bars). A task that is alone does both.",
    )  # fmt: skip


main()
