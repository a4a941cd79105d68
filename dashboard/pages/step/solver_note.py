"""What the solver did for one candidate, and the same fit by another: nothing changes."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.steps import Candidate
from core.solver.backends import installed_solvers
from core.solver.solve_record import NO_SOLVE, SolveRecord
from dashboard.session import links, widgets

NAMES = {"osqp": "OSQP", "kernel": "our compiled kernel", "piqp": "PIQP", "daqp": "DAQP", "clarabel": "Clarabel"}
LINK = "solver"


def sentence(solved: SolveRecord) -> str:
    """One fit in words."""
    name = NAMES.get(solved.by, solved.by)
    if solved.by == NO_SOLVE:
        return "No solve was needed: every α stands at its limit C/m, and that is optimal."
    if solved.gap_before is None:
        return f"{name[0].upper()}{name[1:]} found the answer, with a relative duality gap of {solved.gap:.0e}."
    iterations = f" after {solved.iterations} iterations" if solved.iterations else ""
    return (
        f"{name} found which α stand at a limit{iterations}, with a relative duality gap of {solved.gap_before:.0e}; "
        f"an exact solve on that active set brought it to {solved.gap:.0e}."
    )


def table(fits: dict[str, Candidate]) -> pd.DataFrame:
    """The same fit by several solvers, a column each."""
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


def show(shown: Learned, picked: Candidate) -> None:
    """A fold-out; another solver makes the fit only while it is open."""
    chosen = links.text(LINK)
    with st.expander(
        "What the solver did",
        icon=":material/calculate:",
        key="solver-note",
        expanded=bool(chosen),
        on_change=links.ignore_stale_address,
    ) as note:
        if not note.open:
            return
        st.markdown(f"{sentence(picked.solved)} For the whole curriculum: {shown.solver}.")
        offered = installed_solvers()
        other = links.choice(LINK, offered, shown.solver.name)
        solver_key = widgets.synced_key("w-solver", other)

        def changed() -> None:
            wanted = st.session_state[solver_key]
            links.put(**{LINK: None if wanted == shown.solver.name else wanted})

        st.segmented_control("Make this fit by", offered, key=solver_key, required=True, on_change=changed)
        fits = {shown.solver.name: picked}
        if other != shown.solver.name:
            fits[other] = picked.again(other)
        st.dataframe(table(fits), hide_index=True, key="table-solver", alt="The fit by each solver that was asked")
        if other == shown.solver.name:
            st.caption("Choose another solver: it makes the same fit anew, from nothing.")
        else:
            apart = abs(fits[other].criterion - picked.criterion)
            st.caption(f"Nothing changes: the criteria differ by {apart:.0e}. The problem has one solution.")
