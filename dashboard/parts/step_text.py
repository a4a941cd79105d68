"""A step in words and in formulas: what was chosen, by how much, and from which numbers."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping

from core.curriculum.bound import Bound
from core.curriculum.learn import Learned
from core.curriculum.steps import Candidate, Curriculum, Step
from core.tasks import TaskSet
from dashboard import text as words
from dashboard import theme


def named(candidate: Candidate) -> str:
    """A candidate in a sentence."""
    start = "without a source" if candidate.source is None else f"started from {words.quoted(candidate.source)}"
    return f"{words.quoted(candidate.task)} {start}"


def margin(step: Step, forced: bool = False) -> str:
    """The choice and its margin over the runner-up, as a sentence of plain text."""
    chosen, other = step.chosen, step.runner_up
    if other is None or step.margin is None:
        return f"{named(chosen)}: the only candidate that is left, with criterion {chosen.criterion:.3f}."
    by = abs(step.margin)
    share = by / max(min(chosen.criterion, other.criterion), 1e-12)
    gap = f"{by:.3f} ({share:.0%})" if 0.005 <= share < 2 else f"{by:.3g}"
    if forced:
        better = "worse" if step.margin < 0 else "better"
        return f"You chose {named(chosen)}: its criterion {chosen.criterion:.3f} is {gap} {better} than {named(other)}."
    if step.margin < -1e-9:
        return f"{named(chosen)} has criterion {chosen.criterion:.3f}; {named(other)} would be {gap} better."
    if share < 1e-9:
        return f"{named(chosen)} ties with {named(other)} at {chosen.criterion:.3f}; the first in the set goes first."
    return (
        f"{named(chosen)} has the lowest criterion of {len(step.candidates)}, {chosen.criterion:.3f}; the runner-up, "
        f"{named(other)}, is {gap} worse."
    )


def why(step: Step) -> str:
    """Which of the two terms decided."""
    chosen, other = step.chosen, step.runner_up
    if other is None:
        return ""
    error, complexity = other.error_term - chosen.error_term, other.complexity_term - chosen.complexity_term
    if error > 0 and complexity > 0:
        return "It is better in both terms."
    if complexity > 0:
        return (
            f"Its complexity term is {complexity:.3f} lower, which outweighs an error term that is {-error:.3f} higher."
        )
    if error > 0:
        return (
            f"Its error term is {error:.3f} lower, which outweighs a complexity term that is {-complexity:.3f} higher."
        )
    return ""


def difference(base: Learned, other: Learned) -> str:
    """What a what-if changes in all."""
    assert base.bound is not None
    assert other.bound is not None
    text = f"Bound {other.bound.value:.3f} instead of {base.bound.value:.3f}"
    if base.mean_test_error is not None and other.mean_test_error is not None:
        text += f", mean test error {other.mean_test_error:.1%} instead of {base.mean_test_error:.1%}"
    return f"{text}."


def formula(candidate: Candidate, task_set: TaskSet) -> str:
    """Eq. (4) in TeX, with the candidate's numbers under its terms."""
    m, m_bar = task_set[candidate.task].n_points, task_set.m_bar
    squared = candidate.complexity_term * 2.0 * math.sqrt(m_bar)
    return (
        r"\begin{aligned}&"
        rf"\underbrace{{\frac{{1}}{{{m}}}\sum_{{j=1}}^{{{m}}}\bar\Phi\!\left(\frac{{y_j\langle w,x_j\rangle}}"
        rf"{{\lVert x_j\rVert}}\right)}}_{{\textstyle {candidate.error_term:.4f}}}"
        r"\\[4pt]&+\;\underbrace{\frac{\lVert w-w_{\mathrm{src}}\rVert^2}{2\sqrt{\bar m}}}_{\textstyle "
        rf"\frac{{{squared:.3f}}}{{2\sqrt{{{m_bar:.4g}}}}}\,=\,{candidate.complexity_term:.4f}}}"
        rf"\\[4pt]&=\;\mathbf{{{candidate.criterion:.4f}}}\end{{aligned}}"
    )


def theorem(bound: Bound) -> str:
    """Theorem 1 as a Markdown table: every part with its number."""
    structures = {"sequence": "n", "subsequences": "2n", "forest": "(n+1)"}
    n, m_bar = bound.n_tasks, bound.m_bar
    rows = (
        ("error", r"$\frac1n\sum_i \text{error}_i$", bound.error),
        ("complexity", r"$\frac1n\sum_i \text{complexity}_i$", bound.complexity),
        ("Hoeffding", rf"$\frac{{1}}{{8\sqrt{{{m_bar:.4g}}}}}$", bound.hoeffding),
        ("certainty", rf"$\frac{{-\log {bound.delta:g}}}{{{n}\sqrt{{{m_bar:.4g}}}}}$", bound.confidence),
        (
            "choice",
            rf"$\frac{{\log {structures[bound.structure]}}}{{\sqrt{{{m_bar:.4g}}}}}$",
            bound.union,
        ),
    )
    lines = [f"| {name} | {tex} | {value:.4f} |" for name, tex, value in rows]
    return "\n".join(
        [
            "| part | formula | value |",
            "|---|---|---:|",
            *lines,
            f"| **bound** | | **{bound.value:.4f}** |",
        ]
    )


def chips(curriculum: Curriculum, step: int, colours: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """What has been learned after `step` steps, as HTML: a line a subsequence, the newest task framed."""
    done = curriculum.order[:step]
    sources = curriculum.sources
    lines = []
    for tree in curriculum.subsequences:
        here = [task for task in tree if task in done]
        parts = []
        for k, task in enumerate(here):
            arrow = "" if k == 0 else "<i>→</i>"
            if k and sources[task] != here[k - 1]:  # a branch of a tree says where it starts
                arrow = f"<i>⤷ from {html.escape(labels[sources[task] or ''])}</i>"
            colour = colours[task]
            new = " class='new'" if task == done[-1] else ""
            parts.append(
                f"{arrow}<span{new} title='{html.escape(task, quote=True)}' "
                f"style='background:{colour};color:{theme.text_on(colour)}'>{html.escape(labels[task])}</span>"
            )
        if parts:
            lines.append(f"<div>{''.join(parts)}</div>")
    return f"<div class='chips'>{''.join(lines)}</div>"
