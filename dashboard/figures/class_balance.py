"""Unequal classes in words: balanced error beside plain error, and whether a learner beats the larger class."""

from __future__ import annotations

from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from core.experiments.experiment import NAMES
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
    errors, majority = found.errors, found.majority
    if found.better[by]:
        return (
            f"{name} has a mean test error of {text.percent(errors['error'])} and a balanced error of "
            f"{text.percent(errors['balanced'])}; {ALWAYS} has {text.percent(majority['error'])} and "
            f"{text.percent(majority['balanced'])}."
        )
    other: Measure = "balanced" if by == "error" else "error"
    numbers, lower = _against(found, by)
    verdict = f"{name} is {'not clearly' if lower else 'no'} better than {ALWAYS} ({numbers}"
    if found.better[other]:
        own, theirs = text.percent(errors[other]), text.percent(majority[other])
        verdict += (
            f"), but clearly better by {'balanced' if other == 'balanced' else 'plain'} error ({own} against {theirs})."
        )
    else:
        verdict += f"; {_NAMES[other]} {text.percent(errors[other])})."
    if found.one_answer:
        verdict += f" {found.answered_positive:,} of {found.points:,} test points are predicted positive."
    return verdict


def _against(found: AgainstMajority, by: Measure) -> tuple[str, bool]:
    """The two errors by a measure, and whether the learner's looks lower than it surely is."""
    own, theirs = text.percent(found.errors[by]), text.percent(found.majority[by])
    if own == theirs:
        return f"{own} {_NAMES[by]} either way", False
    lower = not found.better[by] and found.errors[by] < found.majority[by]
    return f"{own} {_NAMES[by]} against {theirs}{', which could be chance' if lower else ''}", lower


def results_words(results: Results, measure: Measure) -> str:
    """Of all methods over repeats: which are not clearly better than always answering the larger class.

    Where classes are not unequal, only if that is so of all methods, and `TOLD` repeats or more would have shown one.
    """
    fair = [method for method in results.methods if method not in ("best", "worst")]
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
