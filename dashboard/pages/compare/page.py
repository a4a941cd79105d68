"""Page 5: all methods over all repeats of a run, next to what the paper published."""

import html
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.experiments.experiment import NAMES, differing
from core.experiments.summary import Results, between
from core.measure import Measure
from core.statistics.data_checks import unequal
from dashboard import text
from dashboard.components import data_warnings, figure_card, run_choice, run_controls
from dashboard.figures import by_draw, class_balance, compare, pictures
from dashboard.session import current, links, widgets
from dashboard.session.current import Current
from data.published import published_for
from data.runs import bundle
from data.runs.run import source_title
from data.runs.store import Run, Store

TERMS = {"seqmt": "error + complexity (SeqMT)", "error": "error alone", "compl": "complexity alone"}
"""The methods of the paper's Table 1, by what chooses their next task."""
SETTINGS = {"source": "task set", "methods": "methods that it alone has", "limit": "most orders"}
"""The words for settings whose own name says too little."""


def main() -> None:
    """Choose a run; its means, differences, tasks and orders, and other runs beside it."""
    now = current.current()
    st.title("Compare")
    with Store() as store:
        runs = run_choice.listed(store, now)
        show_start(now, any(run_choice.is_of_set(run, now) for run in runs.values()))
        first, second, third = st.columns([3, 3, 2], gap="medium")
        with first:
            run = run_choice.choose(runs, now)
        with second:
            others = run_choice.beside(runs, run)
        results = run_choice.results_of(store, run)
        beside = [(other, run_choice.results_of(store, other)) for other in others]
        with third:
            base = baseline(results) if results.methods else ""
            measure = choose_measure(results)
    whose = run_choice.heading(run, now)
    current.set_run_title(f"{whose}, C {text.setting(run.settings.C)}, seed {run.settings.seed}")
    figure_card.heading(whose, 3)
    st.markdown(headline(run))
    if not run.finished and not run.imported and not figure_card.large():
        run_controls.watch(run)
    if not results.methods:
        st.info("Its first results appear here as soon as they are computed.")
        return
    if figure_card.large():
        named = f"{text.short(run.title, 40)}, C {text.setting(run.settings.C)}"
        st.html(f"<p class='slides-about'>{html.escape(named)}</p>")
    show_classes(now, run, results, measure)
    if beside:
        show_beside(now, [(run, results), *beside], measure)
    left, right = st.columns(2, gap="medium")
    with left:
        figure_card.show(pictures.methods(results, measure, now.dark))
    with right:
        paired = pictures.paired(results, base, measure, now.dark)
        if paired is None:
            st.info("No other method has a repeat in common with this one yet.")
        else:
            figure_card.show(paired)
    figure_card.show(pictures.tasks(results, measure, now.dark))
    if (orders := by_draw.run_orders(results, now.dark)) is not None:
        figure_card.show(orders)
    if all(method in results.methods for method in TERMS):
        show_terms(results, measure)


def choose_measure(results: Results) -> Measure:
    """By which error the figures go: the run's own measure, or the other one where classes are unequal."""
    own = results.settings.measure
    if "balanced" not in results.measures or not (results.unequal or own == "balanced"):
        return own
    chosen = widgets.choice(
        "by",
        "Measure",
        {"error": "error", "balanced": "balanced"},
        own,
        help="**error**: the share of wrong test points. **balanced**: the mean of the errors on positive and on "
        "negative test points.",
    )
    return "balanced" if chosen == "balanced" else "error"


def show_classes(now: Current, run: Run, results: Results, measure: Measure) -> None:
    """Which methods are no better than always answering the larger class, where that is worth saying."""
    data_warnings.show_against(class_balance.results_words(results, measure))
    asked = links.text("by") == "balanced" or (unequal(now.task_set) and run_choice.is_of_set(run, now))
    if asked and "balanced" not in results.measures:
        st.caption("Balanced errors were not recorded in this run: start it again on the page Runs to have them.")


def show_start(now: Current, has_run: bool) -> None:
    """The form for a new run of the set on screen: at once where it has none, else on demand."""
    if figure_card.large() or (has_run and run_controls.refusal(now)):
        return
    if has_run:
        with st.expander("Start a new run", icon=":material/play_arrow:"):
            run = run_controls.start(now)
    else:
        named = text.md(text.short(now.name, 60))
        st.markdown(f"There is no run of **{named}** yet.")
        run = run_controls.start(now)
    if run is not None:
        links.put(run=run.id, beside=None)
        links.rerun()


def headline(run: Run) -> str:
    """What was compared, and whether it is complete."""
    settings = run.settings
    shipped = (
        f" **An example that comes with Curriculab** (computed by version {text.md(run.versions['curriculab'])}); "
        f"`{bundle.EXAMPLE_COMMAND}` repeats it."
        if run.id == bundle.EXAMPLE
        else ""
    )
    by = ", by balanced error" if settings.measure == "balanced" else ""
    so_far = "" if run.finished else f" **Not finished: {run.done_in_all} of {run.total} pieces are shown.**"
    return (
        f"{text.counted(settings.repeats, 'repeat')} from seed {settings.seed}, C {text.setting(settings.C)}{by}; "
        f"{text.md(run.split)}.{so_far}{shipped}"
    )


def baseline(results: Results) -> str:
    """The method that the others are measured against."""
    chosen = links.choice("base", results.methods, results.baseline)
    put = widgets.synced("w-base", chosen, lambda base: links.put(base=base))
    return str(st.selectbox("Baseline", results.methods, format_func=NAMES.__getitem__, **put))


def show_beside(now: Current, runs: Sequence[tuple[Run, Results]], measure: Measure) -> None:
    """The orders of all runs that walked them; with two runs, what differs between them."""
    if len(runs) == 2:
        show_two(now, runs[0], runs[1], measure)
    if len({results.settings.measure for _, results in runs}) > 1:
        st.caption("Their orders were measured by unlike errors, so that they are not drawn side by side.")
        return
    walked = {run_choice.name(run): over for run, results in runs if (over := results.over_draws) is not None}
    if len(walked) < 2:
        if len(runs) > 2:
            st.info("Runs with Best or Worst try all orders; those appear here as violins side by side.")
        return
    figure_card.show(by_draw.figure3(walked, now.dark))


def show_two(now: Current, one: tuple[Run, Results], other: tuple[Run, Results], measure: Measure) -> None:
    """What differs in their settings, and by how much each method differs."""
    (first, ours), (second, theirs) = one, other
    names = run_choice.name(first), run_choice.name(second)
    same_draws = first.drew_as(second)
    settings = differing(first.settings, second.settings)
    figure_card.heading("What differs between the two")
    if settings:
        rows = [
            {"setting": SETTINGS.get(name, name)}
            # A file by its name: where it lies is nobody else's business.
            | {
                run: text.short(source_title(value), 60) if name == "source" else value
                for run, value in zip(names, values, strict=True)
            }
            for name, values in settings.items()
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt="The settings that differ")
    else:
        st.markdown("Their settings are the same.")
    by: Measure = measure if measure in theirs.measures else "error"
    found = between(ours, theirs, same_draws, by)
    if not found:
        st.info("They have no method in common.")
        return
    title = compare.runs_title(found, *names, by)
    how = (
        "Both drew the same task sets, so that repeat by repeat is compared."
        if same_draws
        else "They drew different task sets, so that means are compared (Welch's test), which tells less."
    )
    figure_card.figure(
        compare.runs_figure(found, names[1], now.dark, by),
        key="between",
        title=title,
        read=f"Each dot is a method's mean {text.error_name(by)} in {text.md(names[1])} minus that in "
        f"{text.md(names[0])}. Left of 0 the second run {by_draw.fewer(by)}. {how} {compare.MARKS} "
        f"{compare.correction(len(found), ours.overlap, theirs.overlap)}",
        alt=title,
        table=compare.runs_table(found),
    )


def show_terms(results: Results, measure: Measure) -> None:
    """The paper's Table 1: SeqMT by both terms, and by one alone."""
    bars = {bar.method: bar for bar in compare.info(results, published_for(results.settings.source), measure)}
    shown = compare.table(tuple(bars[NAMES[method]] for method in TERMS)).drop(columns=["method", "repeats"])
    shown = shown.map(lambda value: "–" if pd.isna(value) else f"{value:.1f}")
    shown.insert(0, "next task by", list(TERMS.values()))
    figure_card.heading("Which of the two terms chooses well?")
    st.dataframe(shown, hide_index=True, alt="The paper's Table 1")


main()
