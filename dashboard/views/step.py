"""Page 2: every choice of a method, step by step."""

import json

import streamlit as st

from core.curriculum import Candidate, Step
from core.learning import Learned
from core.methods import METHODS
from dashboard import cached, links, player, show, story, whatif, words
from dashboard.cached import Current
from dashboard.figures import bounds, candidates, scatter, versus, weights

SHOWN = ("seqmt", "multiseqmt", "treemt")
RULES = {
    "seqmt": "One sequence: each task starts from the one before.",
    "multiseqmt": "Subsequences: a task continues one of the open subsequences or starts a new one.",
    "treemt": "A forest: a task may start from any task that is already learned, or from none.",
}


def main() -> None:
    """Method, player, candidates, formula, weights, bound, what-if."""
    now = cached.current()
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    left.title("Step through")
    with right:
        method = choose_method()
    base = cached.learned(now, method)
    if base is None:
        return
    choices = whatif.decode(links.text("whatif"), now.task_set.names)
    shown = base
    if choices:
        other = cached.learned(now, method, choices, C=whatif.fixed_C(links.text("ifC")))
        if other is None:
            st.button("Back to the method's own choices", on_click=reset)
            return
        shown = other
    number = player.show([step.chosen for step in shown.steps], now.labels)
    step = shown.steps[number - 1]
    show_words(now, shown, step, number, choices)
    picked = picked_candidate(now, step)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        show_bars(now, step, number)
    with right:
        picked = show_formula(now, shown, step, picked, number)
        show_so_far(now, shown, number)
    if candidates.several_sources(step):
        show_grid(now, step, picked)
    show_weights(now, shown, picked, number)
    show_bound(now, shown, number)
    if choices:
        show_versus(now, base, shown, len(choices))
    downloads(now, shown)


def choose_method() -> str:
    """The three methods that choose by eq. (4)."""
    method = links.choice("method", SHOWN, "seqmt")
    st.session_state["w-method"] = method

    def changed() -> None:
        chosen = st.session_state["w-method"]
        links.put(method=None if chosen == "seqmt" else chosen)
        reset()

    st.segmented_control(
        "Method",
        SHOWN,
        key="w-method",
        required=True,
        format_func=lambda key: METHODS[key],
        on_change=changed,
        help=" ".join(f"**{METHODS[key]}**: {RULES[key]}" for key in SHOWN),
    )
    return method


def reset() -> None:
    """Forget the what-if."""
    links.put(whatif=None, ifC=None, pick=None)


def show_words(now: Current, shown: Learned, step: Step, number: int, choices: tuple[cached.Pair, ...]) -> None:
    """The step in words."""
    forced = 0 < len(choices) == number
    sentence = story.margin(step, forced)
    reason = "" if forced else story.why(step)
    C = f" C = {step.chosen.C:g}."
    st.markdown(f"**Step {number} of {len(shown.steps)}.** {words.md(sentence)} {words.md(reason + C)}")
    if choices:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f":material/alt_route: **What if:** step {len(choices)} is your choice; the rest follows from it."
            )
            st.button("Reset", key="reset", icon=":material/undo:", on_click=reset)


def picked_candidate(now: Current, step: Step) -> Candidate:
    """The candidate in the link, or the chosen one."""
    pair = whatif.decode(links.text("pick"), now.task_set.names)
    found = [c for c in step.candidates if pair and (c.task, c.source) == pair[0]]
    return found[0] if found else step.chosen


def pick(now: Current, step: Step, pair: cached.Pair) -> None:
    """Put a candidate in the link; the chosen one is what is shown anyway."""
    same = pair == (step.chosen.task, step.chosen.source)
    links.put(pick=None if same else whatif.encode([pair], now.task_set.names))


def show_bars(now: Current, step: Step, number: int) -> None:
    """The stacked bars; a click picks a candidate."""
    found = candidates.info(step)
    several = candidates.several_sources(step)
    key = f"candidates-{number}"

    def clicked() -> None:
        ids = show.clicked(key)
        if ids:
            pick(now, step, (ids[0], ids[1] or None))

    rest = "" if found.total == len(found.shown) else f" (the best {len(found.shown)} of {found.total})"
    show.figure(
        candidates.figure(found, now.labels, several, now.dark),
        key=key,
        title=f"Which task should come next? The shortest bar{rest}",
        read="A bar a candidate, best on top: its **error term** (how badly the new weights fit the task, hatched) "
        "plus its **complexity term** (how far they had to move from the source). The method takes the shortest (★). "
        "Click a bar to see that candidate's numbers.",
        alt=f"Stacked bars of error and complexity term of {found.total} candidates. {story.margin(step)}",
        table=candidates.table(step),
        on_select=clicked,
    )


def show_formula(now: Current, shown: Learned, step: Step, picked: Candidate, number: int) -> Candidate:
    """Eq. (4) with the numbers of a candidate that is picked here or by a click, and the what-if button."""
    best = candidates.ranked(step)
    several = candidates.several_sources(step)
    with st.container(key="figure-formula"):
        show.heading("The criterion, eq. (4), with its numbers")
        ids = [(c.task, c.source) for c in best]
        st.session_state["w-pick"] = ids.index((picked.task, picked.source))
        st.selectbox(
            "Candidate",
            range(len(best)),
            key="w-pick",
            format_func=lambda k: (
                f"{'★ ' if best[k] is step.chosen else ''}{candidates.label(best[k], now.labels, several)}"
            ),
            on_change=lambda: pick(now, step, ids[st.session_state["w-pick"]]),
        )
        st.latex(story.formula(picked, now.prepared))
        last = number == len(shown.steps) and len(step.candidates) == 1
        if picked is step.chosen:
            st.caption(
                "The only candidate." if last else "This one was chosen. Pick another to ask what if it were next."
            )
        else:
            st.button(
                "What if this one came next?",
                key="force",
                type="primary",
                icon=":material/alt_route:",
                on_click=force,
                args=(now, shown, number, (picked.task, picked.source)),
            )
    return picked


def force(now: Current, shown: Learned, number: int, pair: cached.Pair) -> None:
    """Let the method go on from another choice: all steps before stay as they are on screen."""
    before = [(step.chosen.task, step.chosen.source) for step in shown.steps[: number - 1]]
    # The same C as on screen, or the two curricula would not be comparable.
    C = f"{shown.steps[0].chosen.C:g}" if now.settings.C == "shared" else None
    links.put(whatif=whatif.encode([*before, pair], now.task_set.names), ifC=C, pick=None)


def show_so_far(now: Current, shown: Learned, number: int) -> None:
    """What has been learned."""
    assert shown.curriculum is not None
    with st.container(key="figure-so-far"):
        show.heading(f"Learned after {number} of {len(shown.steps)} steps")
        st.html(story.chips(shown.curriculum, number, now.colours, now.labels))


def show_grid(now: Current, step: Step, picked: Candidate) -> None:
    """Source × task, where there are several sources."""
    show.figure(
        candidates.grid_figure(step, now.labels, picked, now.dark),
        key="grid",
        title="Which source suits which task?",
        read="The criterion of every candidate of this step: the source in the row, the task in the column. Lower is "
        "better (★ and framed: chosen; dotted: the one you picked).",
        alt=f"Matrix of the criterion of {len(step.candidates)} candidates by source and task. {story.margin(step)}",
        table=candidates.grid_table(step),
    )


def show_weights(now: Current, shown: Learned, picked: Candidate, number: int) -> None:
    """The plane with its lines, weights as images, or the features that moved most."""
    task_set = now.task_set
    start = "nothing" if picked.source is None else words.quoted(picked.source)
    title = f"From {start} to {words.quoted(picked.task)}: what had to change?"
    table = weights.table(picked, now.has_bias)
    if task_set.n_features == 2:
        assert shown.curriculum is not None
        before = {c.task: c.weights for c in shown.curriculum.chosen[: number - 1]}
        chart = scatter.step_plane(
            task_set, picked, before, scatter.Preparation(now.normalizes, now.has_bias), now.dark
        )
        read = (
            "The picked task's training points, the line of its source (dashed) and its own new line (solid); dotted "
            "are the lines of the tasks that were learned before."
        )
    elif task_set.image_shape is not None:
        chart = weights.images(picked, now.has_bias, task_set.image_shape, now.dark)
        read = (
            "Weights as images, all on one scale: blue pixels speak for the positive class, orange ones against it. "
            "The complexity term is the squared length of the change, over 2√m̄."
        )
    else:
        chart = weights.features(picked, now.has_bias, now.dark)
        read = "The features whose weight moved most from the source (ring) to the candidate (dot)."
    show.figure(chart, key="weights", title=title, read=read, alt=f"{title} {story.named(picked)}.", table=table)


def show_bound(now: Current, shown: Learned, number: int) -> None:
    """The running bound, with every part of Theorem 1."""
    curriculum = shown.curriculum
    assert curriculum is not None
    bound = curriculum.bound_of(curriculum.chosen[:number])
    left, right = st.columns([3, 2], gap="medium")
    with left:
        meaning = "says something" if curriculum.bound.says_something else "is above ½ and says nothing"
        show.figure(
            bounds.figure(curriculum, number, now.labels, now.dark),
            key="bound",
            title=f"The bound grows to {curriculum.bound.value:.2f} and so {meaning}",
            read="Theorem 1 bounds *half* the expected error over all tasks. Its constant parts stand from the start; "
            "each step adds its error and complexity term, over n. Pale bars are steps to come. Above ½ a bound says "
            "nothing about the error, yet its terms still rank the candidates.",
            alt=f"Stacked bars of the parts of the bound after each step; {bound.value:.3f} after step {number}.",
            table=bounds.table(curriculum),
        )
    with right, st.container(key="figure-theorem"):
        show.heading(f"Theorem 1 after step {number}")
        st.markdown(story.theorem(bound))


def show_versus(now: Current, base: Learned, other: Learned, forced: int) -> None:
    """The method's own curriculum and the what-if."""
    assert base.bound is not None
    assert other.bound is not None
    show.heading(f"What if: your choice at step {forced} against the method's own", 3)
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
    show.figure(
        versus.figure(base, other, now.colours, now.labels, now.dark),
        key="versus",
        title=f"{same} of {len(base.order)} tasks keep their step",
        read="Each line is a task: its step in the method's own curriculum on the left, in the what-if on the right. "
        "Thick lines change their step, dashed ones their source. With C *shared*, the what-if keeps the C of the "
        "method's own curriculum, so that only the choice differs.",
        alt=f"Two curricula side by side; {same} of {len(base.order)} tasks keep their step.",
        table=versus.table(base, other),
    )


def downloads(now: Current, shown: Learned) -> None:
    """The curriculum as JSON."""
    st.download_button(
        "This curriculum (JSON)",
        data=lambda: json.dumps(shown.as_dict(), indent=2, allow_nan=False) + "\n",
        file_name=f"curriculab-{shown.method}.json",
        mime="application/json",
        key="curriculum-json",
        on_click="ignore",
        icon=":material/download:",
    )


main()
