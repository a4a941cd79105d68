"""Page 2: every choice of a method, step by step."""

import json
from zlib import crc32

import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.steps import Pair
from dashboard import text
from dashboard.components import code_box, curricula, data_warnings, figure_card, player, step_text
from dashboard.figures import candidates
from dashboard.pages.step import cards, comparison, quiz
from dashboard.pages.step.cards import View
from dashboard.session import current, links, widgets
from dashboard.session.current import Current
from data.archives.npz import arrays_file


def main() -> None:
    """Method, player, candidates, formula, weights, bound, what-if."""
    now = current.current()
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.title("Step through", width="content")
        quiz.switch()
        comparison.switch()
        method = curricula.choose_method("seqmt")
        st.caption(curricula.RULES[method])
    # A step draws only what is below; with the code box open it also has to follow, so the whole page is run.
    (show_steps if code_box.is_open() else st.fragment(show_steps))(now, method)


@figure_card.guarded()  # as a fragment it runs outside of the page's own guard
def show_steps(now: Current, method: str) -> None:
    """All that changes from step to step: the step of the link with its figures, and the what-if."""
    base = current.learned(now, method)
    if base is None:
        return
    shown = curricula.of_link(now, method)
    if shown is None:
        st.button("Back to the method's own choices", on_click=links.drop_whatif)
        return
    view = View(now, shown, player.show(step_names(now, shown)))
    if quiz.is_open(view):
        quiz.ask(view)
        cards.show_so_far(view, view.number - 1)
        return
    if quiz.hiding():
        quiz.answer(view)
    show_words(view, base)
    data_warnings.show_majority(now, shown)
    best = None
    if comparison.best_wanted() and not quiz.hiding():
        best = curricula.lowest_bound(now, method)
        if best is not None:
            comparison.show_words(base, best)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        cards.show_bars(view)
    with right:
        show_formula(view)
        cards.show_so_far(view, view.number)
        cards.show_solver(view)
    if candidates.several_sources(view.step):
        cards.show_grid(view)
    cards.show_weights(view)
    cards.show_bound(view)
    if shown.forced_steps:
        heading = f"What if: your {step_text.choices(shown.forced_steps)} against the method's own"
        comparison.show(now, base, shown, heading, shown.forced_steps)
    elif best is not None:
        comparison.show_best(now, base, best)
    downloads(shown)


def step_names(now: Current, shown: Learned) -> list[str]:
    """What the list of steps says; nothing of those that are still to be guessed."""
    guessed = quiz.guesses_of_link(now.task_set.names)
    return [
        "?" if quiz.hiding() and k not in guessed else f"{'✎ ' if k in shown.forced_steps else ''}{now.labels[task]}"
        for k, task in enumerate(shown.order, start=1)
    ]


def show_words(view: View, base: Learned) -> None:
    """The step in words, and what the what-if changes in all."""
    step, shown = view.step, view.shown
    sentence = step_text.margin(step, view.forced)
    reason = "" if view.forced else step_text.why(step)
    with st.container(key="slide-words"):
        st.markdown(
            f"**Step {view.number} of {len(shown.steps)}.** {text.md(sentence)} "
            f"{text.md(f'{reason} C = {step.chosen.C:g}.')}"
        )
    if shown is not base:
        forced = shown.forced_steps
        yours = f"your {step_text.choices(forced)} (✎); the rest follows." if forced else (
            "all choices are the method's own again."
        )  # fmt: skip
        beside = " Side by side at the end of this page." if forced else ""
        curricula.show_whatif(f"{yours} {step_text.difference(base, shown)}{beside}")


def show_formula(view: View) -> None:
    """Eq. (4) with the numbers of a candidate that is picked here or by a click, and the what-if button."""
    now, step, picked = view.now, view.step, view.picked
    several = candidates.several_sources(step)
    by_pair = {(one.task, one.source): one for one in candidates.ranked(step)}
    shown = picked.task, picked.source

    def label(pair: Pair) -> str:
        mark = f"{view.sign} " if by_pair[pair] is step.chosen else ""
        return f"{mark}{candidates.label(by_pair[pair], now.labels, several)}"

    def chosen(pair: Pair) -> None:
        if pair in by_pair:
            view.pick(pair)

    def force() -> None:
        """Let the method go on from the picked one: all steps before stay as they are on screen."""
        before = list(view.shown.sources.items())[: view.number - 1]
        # The method is named, as Subsequences opens with another one.
        curricula.put_whatif(now, [*before, shown], view.shown.steps[0].chosen.C, method=view.shown.method)

    with st.container(key="figure-formula"):
        figure_card.heading("The criterion, eq. (4), with its numbers")
        # Options are pairs and the key is the step's own: a choice that comes when another step is shown is none.
        st.selectbox(
            "Candidate",
            list(by_pair),
            format_func=label,
            **widgets.synced(f"pick-{crc32(repr(list(by_pair)).encode())}", shown, chosen),
        )
        st.latex(step_text.formula(picked, now.prepared))
        st.caption(step_text.preparation(now.normalizes, now.has_bias))
        if not figure_card.large():
            with st.expander("What the symbols mean", icon=":material/help:"):
                st.markdown(step_text.SYMBOLS)
        if picked is step.chosen:
            who = "This is your choice." if view.forced else "This one was chosen."
            only = len(step.candidates) == 1
            st.caption("The only candidate." if only else f"{who} Pick another to ask what if it were next.")
        else:
            st.button(
                "What if this one came next?", key="force", type="primary", icon=":material/alt_route:", on_click=force
            )


def downloads(shown: Learned) -> None:
    """The curriculum as JSON, and its weights."""
    with st.container(horizontal=True):
        figure_card.download(
            "This curriculum (JSON)",
            lambda: (json.dumps(shown.as_dict(), indent=2, allow_nan=False) + "\n").encode(),
            f"curriculab-{shown.method}.json",
            "curriculum-json",
        )
        figure_card.download(
            "Its weights (NPZ)",
            lambda: arrays_file(shown.weights),
            f"curriculab-{shown.method}-weights.npz",
            "curriculum-weights",
            help="One array per task, in the space after scaling and appending the bias, as "
            "`curriculab learn --weights`.",
        )


main()
