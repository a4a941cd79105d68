"""A step in words and in formulas: what was chosen, by how much, and from which numbers."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence

from core.curriculum.bound import Bound
from core.curriculum.learn import Learned
from core.curriculum.steps import Candidate, Curriculum, Step
from core.task_set import TaskSet
from dashboard import text, theme


def named(candidate: Candidate) -> str:
    """A candidate in a sentence."""
    start = "without a source" if candidate.source is None else f"started from {text.quoted(candidate.source)}"
    return f"{text.quoted(candidate.task)} {start}"


def margin(step: Step, forced: bool = False) -> str:
    """The choice and its margin over the runner-up, as a sentence of plain text."""
    chosen, other = step.chosen, step.runner_up
    if other is None or step.margin is None:
        return f"{named(chosen)}: the only candidate that is left, with criterion {chosen.criterion:.3f}."
    by = abs(step.margin)
    share = by / max(min(chosen.criterion, other.criterion), 1e-12)
    gap = f"{by:.3f} ({text.percent(share, 0)})" if 0.005 <= share < 2 else f"{by:.3g}"
    if forced:
        level = "level with" if share < 1e-9 else f"{gap} {'worse' if step.margin < 0 else 'better'} than"
        return f"You chose {named(chosen)}: its criterion {chosen.criterion:.3f} is {level} that of {named(other)}."
    if step.margin < -1e-9:
        return f"{named(chosen)} has criterion {chosen.criterion:.3f}; {named(other)} would be {gap} better."
    if share < 1e-9:
        return f"{named(chosen)} ties with {named(other)} at {chosen.criterion:.3f}; the first in the set goes first."
    return (
        f"{named(chosen)} has the lowest criterion of {len(step.candidates)}, {chosen.criterion:.3f}; the runner-up, "
        f"{named(other)}, is {gap} worse."
    )


def choices(steps: Sequence[int]) -> str:
    """'choice at step 3', 'choices at steps 3 and 4'."""
    if len(steps) == 1:
        return f"choice at step {steps[0]}"
    *most, last = map(str, steps)
    return f"choices at steps {', '.join(most)} and {last}"


def why(step: Step) -> str:
    """Which of the two terms decided; it names the chosen task, as the sentence before ends with another one."""
    chosen, other = step.chosen, step.runner_up
    if other is None:
        return ""
    name = text.quoted(chosen.task)
    gains = {
        "error": other.error_term - chosen.error_term,
        "complexity": other.complexity_term - chosen.complexity_term,
    }
    better, worse = sorted(gains, key=lambda term: -gains[term])
    if gains[better] <= 0:
        return ""
    if gains[worse] > 0:
        return f"{name} is better in both terms."
    if gains[worse] == 0:
        return f"{name} is better in the {better} term, and no worse in the other."
    return (
        f"The {better} term of {name} is {gains[better]:.3f} lower, which outweighs "
        f"{'an' if worse == 'error' else 'a'} {worse} term that is {-gains[worse]:.3f} higher."
    )


def difference(base: Learned, other: Learned) -> str:
    """What a what-if changes in all."""
    assert base.bound is not None
    assert other.bound is not None
    said = f"Bound {other.bound.value:.3f} instead of {base.bound.value:.3f}{text.vacuous(other.bound.value)}"
    if base.mean_test_error is not None and other.mean_test_error is not None:
        said += f", mean test error {instead(other.mean_test_error, base.mean_test_error)}"
    return f"{said}."


def instead(now: float, before: float) -> str:
    """'10.87 % instead of 10.93 %': as many decimals as tell them apart."""
    for digits in (1, 2):
        shown, other = text.percent(now, digits), text.percent(before, digits)
        if shown != other:
            return f"{shown} instead of {other}"
    return f"{text.percent(now)} in both"


def preparation(normalizes: bool, has_bias: bool) -> str:
    """What is done to every row x before learning."""
    length = "is divided by its length ‖x‖, so that all rows have length 1" if normalizes else "is taken as it is"
    bias = "then a coordinate 1 is appended for the bias" if has_bias else "no bias coordinate is appended"
    return f"Before learning, every row x {length}; {bias}."


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


SYMBOLS = r"""
- $w$, $w_\mathrm{src}$: the new weights, and those of the source the task starts from (zeros without a source).
- $x_j, y_j$: a training point and its label, −1 or +1; $y_j\langle w,x_j\rangle$ is above 0 where $w$ is right.
- $\bar\Phi$: the tail of the bell curve, from 1 (surely wrong) over ½ (on the line) to 0 (surely right). Its mean is
  the **error term**: how often weights near $w$ would be wrong.
- $\bar m$: the harmonic mean of all tasks' sizes. The second fraction is the **complexity term**: how far the weights
  had to move from the source, dear where there are few points.
"""
"""What stands in eq. (4), for someone who has not read the paper."""


def theorem(bound: Bound) -> str:
    """Theorem 1 as a Markdown table: every part with its number."""
    structures = {"sequence": "n", "subsequences": "2n", "forest": "(n+1)"}
    n, m_bar = bound.n_tasks, bound.m_bar
    rows = (
        ("error", r"$\frac1n\sum \text{err.}_i$", bound.error),
        ("complexity", r"$\frac1n\sum \text{compl.}_i$", bound.complexity),
        ("Hoeffding", rf"$\frac{{1}}{{8\sqrt{{{m_bar:.4g}}}}}$", bound.hoeffding),
        ("certainty", rf"$\frac{{-\log {bound.delta:g}}}{{{n}\sqrt{{{m_bar:.4g}}}}}$", bound.confidence),
        (
            "choice",
            rf"$\frac{{\log {structures[bound.structure]}}}{{\sqrt{{{m_bar:.4g}}}}}$",
            bound.union,
        ),
        *(
            [("choice of C", rf"$\frac{{\log {bound.C_choices}}}{{{n}\sqrt{{{m_bar:.4g}}}}}$", bound.selection)]
            if bound.selection
            else []
        ),
    )
    lines = [f"| {name} | {tex} | {value:.4f} |" for name, tex, value in rows]
    return "\n".join(
        [
            "| part | formula | value |",
            "|---|---|---:|",
            *lines,
            f"| **bound**{text.vacuous(bound.value)} | | **{bound.value:.4f}** |",
        ]
    )


def parts(bound: Bound) -> str:
    """What the parts of Theorem 1 stand for, as Markdown."""
    among = {
        "sequence": "any order of the n tasks",
        "subsequences": "any order, and at each task whether to go on or to start anew",
        "forest": "any source for each task",
    }[bound.structure]
    return (
        "The theorem bounds **half the error**: half the share of fresh points, over all tasks, on which the learner "
        "is wrong; ½ and more says nothing.\n"
        "- **error** and **complexity**: the terms of the chosen candidates so far, over n.\n"
        "- **Hoeffding**: the price of judging by a sample; less with more points per task.\n"
        f"- **certainty**: the bound may fail with probability δ = {bound.delta:g}; a smaller δ costs more.\n"
        f"- **choice**: the price of having looked at the data to choose ({among})."
    )


def chips(
    curriculum: Curriculum,
    step: int,
    colours: Mapping[str, str],
    labels: Mapping[str, str],
    forced: Sequence[int] = (),
) -> str:
    """What has been learned after so many steps, as HTML: one line per subsequence, the newest task framed."""
    yours = {curriculum.order[number - 1] for number in forced}
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
                f"style='background:{colour};color:{theme.text_on(colour)}'>"
                f"{'✎ ' if task in yours else ''}{html.escape(labels[task])}</span>"
            )
        if parts:
            lines.append(f"<div>{''.join(parts)}</div>")
    return f"<div class='chips'>{''.join(lines)}</div>"
