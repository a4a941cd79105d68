"""Unequal classes in words: balanced error beside plain error, and whether a learner beats the larger class."""

from __future__ import annotations

from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from core.experiments.experiment import NAMES, PICKED
from core.experiments.summary import Results
from core.measure import Measure
from core.statistics.majority import AgainstMajority, against_majority
from dashboard import text

ALWAYS = "always answering the larger class"
TOLD = 5
_NAMES: dict[Measure, str] = {"error": "error", "balanced": "balanced error"}


def learned_words(learned: Learned) -> str:
    """Both errors of what was learned, and whether it is better than always answering the larger class."""
    found = against_majority(learned)
    return "" if found is None else words(METHODS[learned.method], found, learned.measure)


def words(name: str, found: AgainstMajority, by: Measure = "error") -> str:
    """Both errors beside those of the larger class, in a sentence or two, the measure `by` first."""
    own, theirs = ({one: text.percent(errors[one]) for one in _NAMES} for errors in (found.errors, found.majority))
    if found.better[by]:
        return (
            f"{name} has a mean test error of {own['error']} and a balanced error of {own['balanced']}; {ALWAYS} has "
            f"{theirs['error']} and {theirs['balanced']}."
        )
    other: Measure = "balanced" if by == "error" else "error"
    numbers, lower = f"{own[by]} {_NAMES[by]} either way", False
    if own[by] != theirs[by]:
        lower = found.errors[by] < found.majority[by]
        numbers = f"{own[by]} {_NAMES[by]} against {theirs[by]}{', which could be chance' if lower else ''}"
    verdict = f"{name} is {'not clearly' if lower else 'no'} better than {ALWAYS} ({numbers}"
    if found.better[other]:
        kind = "balanced" if other == "balanced" else "plain"
        verdict += f"), but clearly better by {kind} error ({own[other]} against {theirs[other]})."
    else:
        verdict += f"; {_NAMES[other]} {own[other]})."
    if found.one_answer:
        verdict += f" {found.answered_positive:,} of {found.points:,} test points are predicted positive."
    return verdict


def results_words(results: Results, measure: Measure) -> str:
    """Which methods, over all repeats, are not clearly better than always answering the larger class.

    Where classes are not unequal, only if that is so of all methods, and `TOLD` repeats or more would have shown one.
    """
    fair = [method for method in results.methods if method not in PICKED]
    found = {method: results.against_majority(method) for method in fair}
    known = {NAMES[method]: one for method, one in found.items() if one is not None}
    if not known:
        return ""
    first = next(iter(known.values()))
    level = f"{ALWAYS}, which has {text.percent(first.majority[measure])} {_NAMES[measure]}"
    weak = {name: one for name, one in known.items() if not one.better[measure]}
    repeats = min(len(results.of(method)) for method in found)
    if not results.unequal and (len(weak) < len(known) or repeats < TOLD):
        return ""
    if not weak:
        every = "every method is" if len(known) > 1 else f"{next(iter(known))} is"
        return f"Classes are unequal, and {every} clearly better than {level}."
    balanced = [one.errors["balanced"] for one in weak.values()]
    low, high = text.percent(min(balanced)), text.percent(max(balanced))
    span = low if low == high else f"{low} to {high}"
    if len(weak) == len(known) > 1:
        return f"No method is clearly better than {level}. Their balanced errors: {span}."
    who, are = text.listed(list(weak), len(NAMES)), "is" if len(weak) == 1 else "are"
    return f"{who} {are} not clearly better than {level}. Balanced error there: {span}."
