"""The questions that make a recipe, each with the guess as its answer; a problem stands where it can be solved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dashboard import text
from dashboard.components.own_data.state import TableImport, change, change_kind
from dashboard.session import widgets
from data.recipes.features import unlike_scales
from data.recipes.labels import is_measured, median, positive_place
from data.recipes.plan import Plan
from data.recipes.recipe import KINDS, MOST_LEVELS, Part, Recipe
from data.tables.column import Column
from data.tables.pictures import LEAST_SIDE, MOST_SIDE
from data.task_names import counted

RECIPES = {
    "groups": ("One task per group", "one column names the task (subject, site, product), another the label"),
    "one-vs-rest": ("One class against the rest", "a column with several classes gives one task per class"),
    "columns": ("Several label columns", "each 0/1 or yes/no column is a task; blank means unlabelled"),
    "levels": ("Levels of difficulty", "one label with two values, split from easy to hard"),
    "ready": ("Ready", "columns named task and label, as in a task-set file"),
}


def tasks(bringing: TableImport, planned: Plan) -> None:
    """What are the tasks?"""
    recipe, table = bringing.recipe, bringing.table
    st.radio(
        "What are the tasks?",
        KINDS,
        format_func=lambda kind: RECIPES[kind][0],
        captions=[RECIPES[kind][1] for kind in KINDS],
        **_answer("kind", recipe.kind, change_kind),
    )
    problem(planned, "recipe")
    if len(table.sheets) > 1:
        _pick("Sheet", "sheet", ["", *table.sheets], recipe.sheet, none="the fullest")
    if recipe.needs_task:
        _pick("Which column names the task?", "task", _named(table.columns), planned.recipe.task)
    if recipe.kind == "levels":
        numbers = [c.name for c in table.columns if c.numbers is not None and c.name != recipe.label]
        _pick("How hard is a row?", "score", ["", *numbers], recipe.score, none="let a machine judge")
        st.number_input("Levels", 2, MOST_LEVELS, **_answer("levels", recipe.levels))
    problem(planned, "task")
    if table.image_shape is not None:
        st.slider("Pixels per side", LEAST_SIDE, MOST_SIDE, **_answer("side", recipe.side))


def labels(bringing: TableImport, planned: Plan) -> None:
    """What is positive?"""
    recipe, table = bringing.recipe, bringing.table
    if recipe.kind == "columns":
        able = [c.name for c in table.columns if len(c.values) == 2 or c.name in recipe.labels]
        st.multiselect(
            "Which columns are labels?",
            able,
            format_func=text.short,
            **_answer("labels", list(recipe.labels), lambda names: change(labels=tuple(names))),
        )
    else:
        title = "Which column names the class?" if recipe.kind == "one-vs-rest" else "Which column is the label?"
        _pick(title, "label", _named(table.columns), planned.recipe.label, positive="", above=None)
        if recipe.kind == "one-vs-rest":
            st.toggle(
                "A point may be in several tasks",
                help="Off, as in the paper: half of a class is positive in its own task, the other half is there for "
                "the others' negatives, and no point is in two tasks.",
                **_answer("shared", recipe.shared),
            )
        elif planned.recipe.label in table:
            _positive(table[planned.recipe.label], planned.recipe)
    problem(planned, "label")


def _positive(column: Column, recipe: Recipe) -> None:
    """Either of two values, one of several, or a threshold."""
    if (is_measured(column) and not recipe.positive) or recipe.above is not None:
        st.number_input(
            "Positive is above (the median is offered)",
            format="%g",
            **_answer(
                "above",
                median(column) if recipe.above is None else recipe.above,
                lambda above: change(above=float(above), positive=""),
            ),
        )
    elif 2 <= len(column.values) <= 200:
        counts = dict(zip(column.values, column.counts.tolist(), strict=True))
        try:
            chosen = column.values[positive_place(column, recipe.positive)]
        except ValueError:
            chosen = column.values[-1]
        st.selectbox(
            "What is positive?",
            column.values,
            format_func=lambda value: f"{text.short(value)} ({counted(counts[value], 'row')})",
            **_answer("positive", chosen, lambda value: change(positive=value, above=None)),
        )


def features(bringing: TableImport, planned: Plan) -> None:
    """Which columns are features?"""
    recipe, table = bringing.recipe, bringing.table
    if table.image_shape is None:
        able = {choice.name: choice for choice in planned.choices if choice.possible}
        why = {name: choice.why for name, choice in able.items() if choice.why and choice.why != "dropped"}
        unasked = {name for name in able if not why.get(name)}

        def changed(out: list[str]) -> None:
            change(drop=tuple(n for n in able if n in out and n in unasked), keep=tuple(n for n in why if n not in out))

        st.multiselect(
            f"Columns that are no features (of {len(able)})",
            list(able),
            format_func=lambda name: f"{text.short(name)}: {why[name]}" if name in why else text.short(name),
            placeholder="none: all are features",
            help="Numbers are features; ids, constants, dates and free text are not unless you say so. A column of a "
            "few words becomes one feature per word.",
            **_answer("out", [name for name, choice in able.items() if not choice.on], changed),
        )
    problem(planned, "features")
    if any(choice.column.n_missing for choice in planned.on) or recipe.missing == "mean":
        st.segmented_control(
            "Empty cells",
            ["drop", "mean"],
            required=True,
            format_func={"drop": "Drop the row", "mean": "Fill in the training mean"}.__getitem__,
            **_answer("missing", recipe.missing),
        )
    problem(planned, "missing")
    if table.image_shape is None:
        unlike = unlike_scales(planned.on)
        st.toggle(
            "Standardise columns",
            help="To mean 0 and standard deviation 1, both of the training points.",
            **_answer("standardize", recipe.standardize),
        )
        if unlike is not None:
            large, small, ratio = unlike
            st.caption(
                f"Numbers in {text.md(text.quoted(large))} are {ratio:,.0f} times those in "
                f"{text.md(text.quoted(small))}: unstandardised, rows of length 1 would see little else."
            )


def test_data(bringing: TableImport, planned: Plan) -> None:
    """Test data: a column, a share, or none."""
    recipe, table = bringing.recipe, bringing.table
    columns = [c.name for c in table.columns if len(c.values) == 2 or c.name == recipe.split]
    chosen = f"column {planned.recipe.split}" if planned.recipe.split else "share" if recipe.test else "none"

    def changed(wanted: str) -> None:
        _, _, split = wanted.partition("column ")
        change(split=split, test=0.3 if wanted == "share" else 0.0)

    st.selectbox(
        "Test data",
        ["share", "none", *(f"column {name}" for name in columns)],
        format_func=lambda way: {"share": "a share of each class", "none": "none"}.get(way, text.short(way, 40)),
        **_answer("test", chosen, changed),
    )
    if recipe.test:
        share = _answer("share", round(100 * recipe.test), lambda percent: change(test=percent / 100))
        st.slider("Held out of each class, in %", 5, 90, step=5, **share)
    problem(planned, "test")


def sizes(bringing: TableImport, planned: Plan) -> None:
    """How many points tasks have, how their classes compare, and which tasks are left out."""
    recipe = bringing.recipe
    st.toggle(
        "Equal classes",
        help="Of the larger class of every task only as many points are used as the smaller has, drawn by lot; in the "
        "training data and in the test data.",
        **_answer("balance", recipe.balance),
    )
    st.number_input(
        "Points per task, at most (0: all)",
        min_value=0,
        step=50,
        help="Large tasks take long: the learner compares every point with every other.",
        **_answer("most", recipe.most, lambda most: change(most=max(4, most) if most else 0)),
    )
    st.number_input(
        "Training points of each class, at least",
        min_value=1,
        help="Tasks with fewer are left out. Cross-validation needs 2.",
        **_answer("least", recipe.least),
    )
    names = [task.name for task in planned.tasks] + [task.name for task, _ in planned.excluded]
    st.multiselect(
        "Tasks to leave out",
        dict.fromkeys((*names, *recipe.without)),
        format_func=text.short,
        placeholder="none",
        **_answer("without", list(recipe.without), lambda names: change(without=tuple(names))),
    )


def _answer(part: str, value: object, changed: Callable[[Any], None] | None = None) -> dict[str, Any]:
    """The `key` and `on_change` of the question about this part of the recipe, which `changed` sets to the answer."""
    return widgets.synced(f"bring-{part}", value, changed or (lambda answer: change(**{part: answer})))


def problem(planned: Plan, part: Part) -> None:
    """What is wrong with this part of the mapping."""
    for found in planned.problems:
        if found.part == part:
            st.error(text.md(f"{found.sentence[0].upper()}{found.sentence[1:]}."), icon=":material/error:")


def _named(columns: tuple[Column, ...]) -> list[str]:
    return [column.name for column in columns if column.kind not in ("empty", "other", "date")]


def _pick(title: str, part: str, options: list[str], chosen: str, none: str = "choose one", **also: object) -> None:
    """A select box for one column of the recipe."""
    if chosen not in options:
        options = [chosen, *options]
    st.selectbox(
        title,
        options,
        format_func=lambda name: text.short(name, 40) or none,
        **_answer(part, chosen, lambda name: change(**{part: name}, **also)),
    )
