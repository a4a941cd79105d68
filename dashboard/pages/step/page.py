"""Page 2: every choice of a method, step by step."""

import json
from zlib import crc32

import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from core.curriculum.steps import Candidate, Step
from dashboard import text
from dashboard.components import code_box, data_warnings, figure_card, player, step_text
from dashboard.figures import candidates
from dashboard.pages.step import best_curriculum, charts, quiz, solver_note
from dashboard.session import current, link_codes, links, widgets
from dashboard.session.current import Current
from data.archives.npz import arrays_file

SHOWN = ("seqmt", "multiseqmt", "treemt")
RULES = step_text.RULES


def main() -> None:
    """Method, player, candidates, formula, weights, bound, what-if."""
    now = current.current()
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.title("Step through", width="content")
        quiz.switch()
        best_curriculum.switch()
        method = choose_method()
    # A step draws only what is below; with the code box open it also has to follow, so the whole page is run.
    (walk if code_box.is_open() else st.fragment(walk))(now, method)


def walk(now: Current, method: str) -> None:
    """All that changes from step to step; by itself it runs outside of the page's own guard."""
    with figure_card.guarded():
        show_steps(now, method)


def show_steps(now: Current, method: str) -> None:
    """The step of the link with its figures, and the what-if."""
    base = current.learned(now, method)
    if base is None:
        return
    choices = link_codes.decode(links.text("whatif"), now.task_set.names)
    shown = base
    if choices:
        other = current.learned(now, method, choices, C=link_codes.fixed_C(links.text("ifC")))
        if other is None:
            st.button("Back to the method's own choices", on_click=reset)
            return
        shown = other
    number = player.show(step_names(now, shown))
    step = shown.steps[number - 1]
    if quiz.is_open(now, step, number):
        quiz.ask(now, step, number)
        charts.show_so_far(now, shown, number - 1)
        return
    if quiz.hiding():
        quiz.answer(now, step, number, shown.order)
    show_words(base, shown, number)
    data_warnings.show_majority(now, shown)
    best = best_curriculum.show_words(now, base) if best_curriculum.wanted() and not quiz.hiding() else None
    picked = picked_candidate(now, step)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        charts.show_bars(now, shown, number, picked, lambda pair: pick(now, step, pair))
    with right:
        show_formula(now, shown, step, picked, number)
        charts.show_so_far(now, shown, number)
        solver_note.show(shown, picked)
    if candidates.several_sources(step):
        charts.show_grid(now, shown, picked, number)
    charts.show_weights(now, shown, picked, number)
    charts.show_bound(now, shown, number)
    if shown.forced_steps:
        heading = f"What if: your {step_text.choices(shown.forced_steps)} against the method's own"
        charts.show_versus(now, base, shown, heading, shown.forced_steps)
    elif best is not None:
        best_curriculum.show(now, base, best)
    downloads(shown)


def step_names(now: Current, shown: Learned) -> list[str]:
    """What the list of steps says; nothing of those that are still to be guessed."""
    guessed = quiz.made(now.task_set.names)
    return [
        "?" if quiz.hiding() and k not in guessed else f"{'✎ ' if k in shown.forced_steps else ''}{now.labels[task]}"
        for k, task in enumerate(shown.order, start=1)
    ]


def choose_method() -> str:
    """The three methods that choose by eq. (4)."""
    method = links.choice("method", SHOWN, "seqmt")
    method_key = widgets.synced_key("w-method", method)

    def changed() -> None:
        chosen = st.session_state[method_key]
        links.put(method=None if chosen == "seqmt" else chosen)
        reset()

    st.segmented_control(
        "Method",
        SHOWN,
        key=method_key,
        required=True,
        format_func=lambda key: METHODS[key],
        on_change=changed,
        help=" ".join(f"**{METHODS[key]}**: {RULES[key]}" for key in SHOWN),
    )
    st.caption(RULES[method])
    return method


def reset() -> None:
    """Forget the what-if."""
    links.drop_whatif()


def show_words(base: Learned, shown: Learned, number: int) -> None:
    """The step in words, and what the what-if changes in all."""
    step, forced = shown.steps[number - 1], shown.forced_steps
    sentence = step_text.margin(step, number in forced)
    reason = "" if number in forced else step_text.why(step)
    C = f" C = {step.chosen.C:g}."
    with st.container(key="slide-words"):
        st.markdown(f"**Step {number} of {len(shown.steps)}.** {text.md(sentence)} {text.md(reason + C)}")
    if shown is not base:
        yours, beside = "all choices are the method's own again.", ""
        if forced:
            yours = f"your {step_text.choices(forced)} (✎); the rest follows."
            beside = " Side by side at the end of this page."
        with st.container(horizontal=True, vertical_alignment="center", key="whatif"):
            st.markdown(f":material/alt_route: **What if:** {yours} {step_text.difference(base, shown)}{beside}")
            st.button("Reset", key="reset", icon=":material/undo:", on_click=reset)


def picked_candidate(now: Current, step: Step) -> Candidate:
    """The candidate in the link, or the chosen one."""
    pair = link_codes.decode(links.text("pick"), now.task_set.names)
    found = [c for c in step.candidates if pair and (c.task, c.source) == pair[0]]
    return found[0] if found else step.chosen


def pick(now: Current, step: Step, pair: current.Pair) -> None:
    """Put a candidate in the link; the chosen one is what is shown anyway."""
    same = pair == (step.chosen.task, step.chosen.source)
    links.put(pick=None if same else link_codes.encode([pair], now.task_set.names))


def show_formula(now: Current, shown: Learned, step: Step, picked: Candidate, number: int) -> None:
    """Eq. (4) with the numbers of a candidate that is picked here or by a click, and the what-if button."""
    best = candidates.ranked(step)
    several = candidates.several_sources(step)
    forced = number in shown.forced_steps
    mark = f"{candidates.YOURS if forced else candidates.CHOSEN} "
    with st.container(key="figure-formula"):
        figure_card.heading("The criterion, eq. (4), with its numbers")
        by_code = {link_codes.encode([(c.task, c.source)], now.task_set.names): c for c in best}
        # Options are pairs and the key is the step's own: a choice that comes when another step is shown is none.
        code = link_codes.encode([(picked.task, picked.source)], now.task_set.names)
        key = widgets.synced_key(f"pick-{crc32(' '.join(by_code).encode())}", code)

        def chosen() -> None:
            one = by_code.get(st.session_state[key])
            if one is not None:
                pick(now, step, (one.task, one.source))

        st.selectbox(
            "Candidate",
            list(by_code),
            key=key,
            format_func=lambda code: (
                f"{mark if by_code[code] is step.chosen else ''}{candidates.label(by_code[code], now.labels, several)}"
            ),
            on_change=chosen,
        )
        st.latex(step_text.formula(picked, now.prepared))
        st.caption(step_text.preparation(now.normalizes, now.has_bias))
        if not figure_card.large():
            with st.expander("What the symbols mean", icon=":material/help:"):
                st.markdown(step_text.SYMBOLS)
        if picked is step.chosen:
            who = "This is your choice." if forced else "This one was chosen."
            only = len(step.candidates) == 1
            st.caption("The only candidate." if only else f"{who} Pick another to ask what if it were next.")
        else:
            st.button(
                "What if this one came next?",
                key="force",
                type="primary",
                icon=":material/alt_route:",
                on_click=force,
                args=(now, shown, number, (picked.task, picked.source)),
            )


def force(now: Current, shown: Learned, number: int, pair: current.Pair) -> None:
    """Let the method go on from another choice: all steps before stay as they are on screen."""
    before = [(step.chosen.task, step.chosen.source) for step in shown.steps[: number - 1]]
    # The same C as on screen, or the two curricula would not be comparable.
    C = f"{shown.steps[0].chosen.C:g}" if now.settings.C == "shared" else None
    whatif = link_codes.encode([*before, pair], now.task_set.names)
    links.put(whatif=whatif, ifC=C, pick=None, method=shown.method)  # Subsequences opens with another method


def downloads(shown: Learned) -> None:
    """The curriculum as JSON, and its weights."""
    with st.container(horizontal=True):
        st.download_button(
            "This curriculum (JSON)",
            data=lambda: json.dumps(shown.as_dict(), indent=2, allow_nan=False) + "\n",
            file_name=f"curriculab-{shown.method}.json",
            mime="application/json",
            key="curriculum-json",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            "Its weights (NPZ)",
            data=lambda: arrays_file(shown.weights),
            file_name=f"curriculab-{shown.method}-weights.npz",
            mime="application/octet-stream",
            key="curriculum-weights",
            on_click="ignore",
            icon=":material/download:",
            help="An array a task, in the space after scaling and appending the bias, as `curriculab learn --weights`.",
        )


main()
