"""Page 2: every choice of a method, step by step."""

import json

import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from core.curriculum.steps import Candidate, Step
from dashboard import text as words
from dashboard.figures import candidates
from dashboard.parts import framing, link_codes, player, step_text, stepping
from dashboard.session import current as cached
from dashboard.session import links
from dashboard.session.current import Current
from dashboard.shell import codebox

SHOWN = ("seqmt", "multiseqmt", "treemt")
RULES = {
    "seqmt": "One sequence: each task starts from the one before.",
    "multiseqmt": "Subsequences: a task continues one of the open subsequences or starts a new one.",
    "treemt": "A forest: a task may start from any task that is already learned, or from none.",
}


def main() -> None:
    """Method, player, candidates, formula, weights, bound, what-if."""
    now = cached.current()
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.title("Step through", width="content")
        method = choose_method()
    # A step draws only what is below; with the code box open it also has to follow, so the whole page is run.
    (walk if codebox.is_open() else st.fragment(walk))(now, method)


def walk(now: Current, method: str) -> None:
    """All that changes from step to step; by itself it runs outside of the page's own guard."""
    with framing.guarded():
        show_steps(now, method)


def show_steps(now: Current, method: str) -> None:
    """The step of the link with its figures, and the what-if."""
    base = cached.learned(now, method)
    if base is None:
        return
    choices = link_codes.decode(links.text("whatif"), now.task_set.names)
    shown = base
    if choices:
        other = cached.learned(now, method, choices, C=link_codes.fixed_C(links.text("ifC")))
        if other is None:
            st.button("Back to the method's own choices", on_click=reset)
            return
        shown = other
    number = player.show([step.chosen for step in shown.steps], now.labels)
    step = shown.steps[number - 1]
    show_words(base, shown, number, choices)
    picked = picked_candidate(now, step)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        stepping.show_bars(now, shown, number, lambda pair: pick(now, step, pair))
    with right:
        picked = show_formula(now, shown, step, picked, number)
        stepping.show_so_far(now, shown, number)
    if candidates.several_sources(step):
        stepping.show_grid(now, shown, picked, number)
    stepping.show_weights(now, shown, picked, number)
    stepping.show_bound(now, shown, number)
    if choices:
        stepping.show_versus(now, base, shown, len(choices))
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


def show_words(base: Learned, shown: Learned, number: int, choices: tuple[cached.Pair, ...]) -> None:
    """The step in words, and what the what-if changes in all."""
    step = shown.steps[number - 1]
    forced = 0 < len(choices) == number
    sentence = step_text.margin(step, forced)
    reason = "" if forced else step_text.why(step)
    C = f" C = {step.chosen.C:g}."
    st.markdown(f"**Step {number} of {len(shown.steps)}.** {words.md(sentence)} {words.md(reason + C)}")
    if choices:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f":material/alt_route: **What if:** step {len(choices)} is your choice; the rest follows from it. "
                f"{step_text.difference(base, shown)} Side by side at the end of this page."
            )
            st.button("Reset", key="reset", icon=":material/undo:", on_click=reset)


def picked_candidate(now: Current, step: Step) -> Candidate:
    """The candidate in the link, or the chosen one."""
    pair = link_codes.decode(links.text("pick"), now.task_set.names)
    found = [c for c in step.candidates if pair and (c.task, c.source) == pair[0]]
    return found[0] if found else step.chosen


def pick(now: Current, step: Step, pair: cached.Pair) -> None:
    """Put a candidate in the link; the chosen one is what is shown anyway."""
    same = pair == (step.chosen.task, step.chosen.source)
    links.put(pick=None if same else link_codes.encode([pair], now.task_set.names))


def show_formula(now: Current, shown: Learned, step: Step, picked: Candidate, number: int) -> Candidate:
    """Eq. (4) with the numbers of a candidate that is picked here or by a click, and the what-if button."""
    best = candidates.ranked(step)
    several = candidates.several_sources(step)
    with st.container(key="figure-formula"):
        framing.heading("The criterion, eq. (4), with its numbers")
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
        st.latex(step_text.formula(picked, now.prepared))
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
    links.put(whatif=link_codes.encode([*before, pair], now.task_set.names), ifC=C, pick=None)


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
