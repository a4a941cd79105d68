"""The cards of Step through: each shows one thing of the step on screen, with its words."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.steps import Candidate, Curriculum, Pair, Step
from core.solver.backends import installed_solvers
from core.solver.box_qp import NO_SOLVE, SolveRecord
from dashboard import text
from dashboard.components import figure_card, step_text
from dashboard.figures import candidates, curricula, images, plot, scatter
from dashboard.session import current, links, widgets
from dashboard.session.current import Current

SOLVERS = {"osqp": "OSQP", "kernel": "our compiled kernel", "piqp": "PIQP", "daqp": "DAQP", "clarabel": "Clarabel"}


@dataclass(frozen=True, eq=False)
class View:
    """What is on screen: a step of a curriculum, counted from 1."""

    now: Current
    shown: Learned
    number: int

    @property
    def step(self) -> Step:
        """The step with all its candidates."""
        return self.shown.steps[self.number - 1]

    @property
    def curriculum(self) -> Curriculum:
        """All steps; every method of this page learns by steps."""
        assert self.shown.curriculum is not None
        return self.shown.curriculum

    @property
    def forced(self) -> bool:
        """Whether the reader chose at this step."""
        return self.number in self.shown.forced_steps

    @property
    def sign(self) -> str:
        """The mark of the chosen candidate."""
        return candidates.YOURS if self.forced else candidates.CHOSEN

    @property
    def picked(self) -> Candidate:
        """The candidate in the link, or the chosen one."""
        pair = links.decode_choices(links.text("pick"), self.now.task_set.names)
        found = [one for one in self.step.candidates if pair and (one.task, one.source) == pair[0]]
        return found[0] if found else self.step.chosen

    def pick(self, pair: Pair) -> None:
        """Put a candidate in the link; the chosen one is what is shown anyway."""
        same = pair == (self.step.chosen.task, self.step.chosen.source)
        links.put(pick=None if same else links.encode_choices([pair], self.now.task_set.names))

    def plotted(self, name: Hashable, make: Callable[[], go.Figure]) -> go.Figure:
        """The kept figure of that name: all its numbers follow from the method, the choices, the step and the pick."""
        chosen = tuple((step.chosen.task, step.chosen.source, step.chosen.C) for step in self.shown.steps)
        picked = self.picked.task, self.picked.source
        return current.drawn(self.now, (name, self.shown.method, chosen, self.number, self.forced, picked), make)


def show_bars(view: View) -> None:
    """The bars; a click picks a candidate."""
    now, step, picked = view.now, view.step, view.picked
    found = candidates.info(step, forced=view.forced)
    frame = candidates.frame([candidates.info(one) for one in view.shown.steps], now.labels)
    # Each term has a scale of its own as the link says, by default where one of them would be a sliver.
    default = "own" if frame.unlike else "one"
    own = links.choice("scales", ("one", "own"), default) == "own"
    rest = "" if found.total == len(found.shown) else f" (the best {len(found.shown)} of {found.total})"
    lowest = step.margin is None or step.margin >= 0
    said = "The lowest sum of both terms" if lowest else "Your choice does not have the lowest sum"
    figure_card.figure(
        view.plotted(
            ("bars", own),
            lambda: candidates.figure(found, now.labels, now.dark, room=frame, picked=picked, own_scales=own),
        ),
        key=f"candidates-{view.number}",
        title=f"Which task should come next? {said}{rest}",
        read="One bar per candidate, best on top: its **error term** (how badly the new weights fit the task, hatched) "
        "plus its **complexity term** (how far they had to move from the source). The method takes the lowest sum (★; "
        "✎ where you chose). The axis is the same at all steps. Click a bar to see that candidate's numbers; it gets a "
        "dotted frame.",
        alt=f"Bars of error and complexity term of {found.total} candidates. {step_text.margin(step, view.forced)}",
        table=candidates.table(step),
        on_click=lambda pair: view.pick((pair[0], pair[1] or None)),
        controls=lambda: choose_scales(default),
    )


def choose_scales(default: str) -> None:
    """One scale for the sum, or one for each term."""
    widgets.choice(
        "scales",
        "Bars on",
        {"one": "one scale", "own": "own scales"},
        default,
        label_visibility="collapsed",
        help="**One scale**: the bar is the sum that the method compares. **Own scales**: the terms side by side, so "
        "that small ones can be compared, too; chosen by itself where one term is over ten times as large.",
    )


def show_so_far(view: View, done: int) -> None:
    """What has been learned after so many steps."""
    forced, now = view.shown.forced_steps, view.now
    with st.container(key="figure-so-far"):
        figure_card.heading(f"Learned after {done} of {text.counted(len(view.shown.steps), 'step')}")
        if done:
            st.html(step_text.chips(view.curriculum, done, now.colours, now.labels, forced))
        if any(step <= done for step in forced):
            st.caption(f"{candidates.YOURS} your choice")


def show_grid(view: View) -> None:
    """Source × task, where there are several sources."""
    step = view.step
    found = candidates.source_matrix(step, view.picked, view.sign)
    figure_card.figure(
        view.plotted("grid", lambda: plot.matrix(found, view.now.dark)),
        key="grid",
        title="Which source suits which task?",
        read="The criterion of every candidate of this step: the source in the row, the task in the column. Lower is "
        "better (★ and framed: chosen, ✎ by you; dotted: the one you picked).",
        alt=f"Matrix of the criterion of {len(step.candidates)} candidates by source and task. "
        f"{step_text.margin(step)}",
        table=found.frame("source \\ task"),
    )


def show_weights(view: View) -> None:
    """The plane with its lines, weights as images, or the features that moved most."""
    now, picked, task_set = view.now, view.picked, view.now.task_set
    start = "nothing" if picked.source is None else text.quoted(picked.source)
    title = f"From {start} to {text.quoted(picked.task)}: what had to change?"
    if task_set.n_features == 2:
        before = {one.task: one.weights for one in view.curriculum.chosen[: view.number - 1]}
        prepared = scatter.Preparation(now.normalizes, now.has_bias)
        plotted = partial(scatter.step_plane, task_set, picked, before, prepared, now.dark)
        read = (
            "The picked task's training points, the line of its source (dashed) and its own new line (solid); dotted "
            f"are the lines of the tasks that were learned before.{scatter.bent(prepared)}"
        )
    elif task_set.image_shape is not None:
        plotted = partial(images.weight_images, picked, now.has_bias, task_set.image_shape, now.dark)
        read = (
            "Weights as images, all on one scale: blue pixels speak for the positive class, orange ones against it. "
            "The complexity term is the squared length of the change, over 2√m̄."
        )
    else:
        plotted = partial(images.weight_features, picked, now.has_bias, now.dark, task_set.feature_names)
        read = "The features whose weight moved most from the source (ring) to the candidate (dot)."
    figure_card.figure(
        view.plotted("weights", plotted),
        key="weights",
        title=title,
        read=read,
        alt=f"{title} {step_text.named(picked)}.",
        table=images.weight_table(picked, now.has_bias, task_set.feature_names),
    )


def show_bound(view: View) -> None:
    """The running bound, with every part of Theorem 1."""
    curriculum, number, now = view.curriculum, view.number, view.now
    bound = curriculum.bound_of(curriculum.chosen[:number])
    left, right = st.columns([3, 2], gap="medium")
    with left:
        meaning = "says something" if curriculum.bound.says_something else "is above ½ and says nothing"
        figure_card.figure(
            view.plotted("bound", lambda: curricula.bound_figure(curriculum, number, now.labels, now.dark)),
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


def solver_words(solved: SolveRecord) -> str:
    """One fit in words."""
    name = SOLVERS.get(solved.by, solved.by)
    if solved.by == NO_SOLVE:
        return "No solve was needed: every α stands at its limit C/m, and that is optimal."
    if solved.gap_before is None:
        return f"{name[0].upper()}{name[1:]} found the answer, with a relative duality gap of {solved.gap:.0e}."
    iterations = f" after {solved.iterations} iterations" if solved.iterations else ""
    return (
        f"{name} found which α stand at a limit{iterations}, with a relative duality gap of {solved.gap_before:.0e}; "
        f"an exact solve on that active set brought it to {solved.gap:.0e}."
    )


def solver_table(fits: dict[str, Candidate]) -> pd.DataFrame:
    """The same fit by several solvers, one column for each."""
    return pd.DataFrame(
        {"": ["answered by", "iterations", "gap before", "gap after", "error term", "complexity term"]}
        | {
            name: [
                fit.solved.by,
                str(fit.solved.iterations or "-"),
                "-" if fit.solved.gap_before is None else f"{fit.solved.gap_before:.1e}",
                f"{fit.solved.gap:.1e}",
                f"{fit.error_term:.8f}",
                f"{fit.complexity_term:.8f}",
            ]
            for name, fit in fits.items()
        }
    )


def show_solver(view: View) -> None:
    """A fold-out with what the solver did for the picked candidate; another one makes the fit only while it is open."""
    picked, solver = view.picked, view.shown.solver
    with st.expander(
        "What the solver did",
        icon=":material/calculate:",
        key="solver-note",
        expanded=bool(links.text("solver")),
        on_change=links.ignore_stale_address,
    ) as note:
        if not note.open:
            return
        st.markdown(f"{solver_words(picked.solved)} For the whole curriculum: {solver}.")
        names = {name: name for name in installed_solvers()}
        other = widgets.choice("solver", "Make this fit by", names, solver.name)
        fits, said = {solver.name: picked}, "Choose another solver: it makes the same fit anew, from nothing."
        if other != solver.name:
            fits[other] = picked.again(other)
            apart = abs(fits[other].criterion - picked.criterion)
            said = f"Nothing changes: the criteria differ by {apart:.0e}. The problem has one solution."
        st.dataframe(
            solver_table(fits), hide_index=True, key="table-solver", alt="The fit by each solver that was asked"
        )
        st.caption(said)
