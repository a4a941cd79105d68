"""What a table most likely means: the recipe that is preselected, every part of it changeable."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from core.task_set import FloatArray
from data.recipes.features import choices, complete, unlike_scales
from data.recipes.labels import MANY, is_measured, signs
from data.recipes.plan import plan
from data.recipes.ready import named
from data.recipes.recipe import Recipe, RecipeError
from data.tables.column import Column
from data.tables.table import SPLIT_WORDS, Table

LABEL_WORDS = frozenset((
    "label", "labels", "y", "target", "class", "classes", "species", "outcome", "diagnosis", "category", "result",
    "response", "status", "churn", "survived", "died", "digit", "variety", "cultivar", "quality", "type", "kind",
    "answer", "event", "default", "success", "score", "grade", "points",
    "klasse", "art", "ergebnis", "diagnose", "befund", "ziel", "zielwert", "punkte", "punktzahl", "note", "kategorie",
    "classe", "espèce", "résultat", "resultat", "diagnostic", "cible", "étiquette",
    "clase", "especie", "resultado", "diagnóstico", "diagnostico", "objetivo", "etiqueta", "puntos", "nota",
))  # fmt: skip
DOUBTFUL = frozenset((
    "y", "type", "kind", "category", "status", "response", "event", "default", "score", "grade", "points",
    "klasse", "art", "note", "kategorie", "nota",
))  # fmt: skip
"""Of these, names that features have, too: others go first."""
GROUP_WORDS = frozenset((
    "task", "subject", "patient", "site", "hospital", "product", "user", "person", "participant", "school",
    "store", "shop", "region", "country", "station", "device", "sensor", "customer", "client", "group", "batch",
    "cohort", "center", "centre", "clinic", "ward", "city", "state", "animal", "plant", "machine", "speaker", "field",
    "lab", "laboratory",
    "schule", "klinik", "krankenhaus", "patientin", "proband", "probandin", "kunde", "kundin", "standort", "filiale",
    "laden", "land", "gerät", "maschine", "gruppe", "stadt", "abteilung", "feld", "labor", "praxis",
    "école", "ecole", "hôpital", "hopital", "clinique", "patiente", "sujet", "magasin", "pays", "région", "ville",
    "groupe", "capteur", "client", "escuela", "clínica", "clinica", "paciente", "sujeto", "tienda", "país", "pais",
    "región", "ciudad", "grupo", "estación", "estacion",
))  # fmt: skip
PAIRS = ({"0", "1"}, {"-1", "1"}, {"no", "yes"}, {"n", "y"}, {"false", "true"}, {"f", "t"}, {"absent", "present"})
MOST_CLASSES = 100
TEST_SHARE = 0.3
COMFORTABLE = 2000
"""Training points in all up to which every page answers quickly; beyond, fewer points per task are offered."""
LOST = 0.2


def guess(table: Table, wanted: Recipe | None = None, any_kind: bool = True) -> Recipe:
    """The likeliest recipe; with `wanted`, only what that leaves open: columns and, if `any_kind`, the kind."""
    if wanted is None:
        recipe = _kind(table, Recipe())
        return adapted(table, recipe if recipe.split else replace(recipe, test=TEST_SHARE))
    if any_kind:
        found = _kind(table, wanted)
        return replace(wanted, kind=found.kind, task=wanted.task or found.task, label=wanted.label or found.label,
                       labels=wanted.labels or found.labels)  # fmt: skip
    if wanted.kind == "columns" and not wanted.labels:
        return replace(wanted, labels=flags(table))
    if wanted.kind in ("groups", "levels", "one-vs-rest") and not wanted.label:
        wanted = replace(wanted, label=likely_label(table, wanted))
    if wanted.kind == "groups" and not wanted.task and wanted.label in table:
        wanted = replace(wanted, task=likely_group(table, wanted, any_name=True))
    return wanted


def adapted(table: Table, recipe: Recipe) -> Recipe:
    """The recipe with what suits this table: means for many gaps, scales for unlike columns, fewer points of many."""
    try:
        on = tuple(choice for choice in choices(table, recipe) if choice.on)
    except RecipeError:
        return recipe
    if (~complete(table, on)).sum() > LOST * table.rows:
        recipe = replace(recipe, missing="mean")
    if unlike_scales(on) is not None:
        recipe = replace(recipe, standardize=True)
    tasks = plan(table, recipe).tasks
    if not tasks and (small := plan(table, replace(recipe, least=1)).tasks):  # better than none: a fixed C learns them
        recipe, tasks = replace(recipe, least=1), small
    points = sum(len(task.train.rows) for task in tasks)
    if points > 2 * COMFORTABLE:
        recipe = replace(recipe, most=max(20, round(COMFORTABLE / (1 - recipe.test) / len(tasks) / 10) * 10))
    return recipe


def _kind(table: Table, wanted: Recipe) -> Recipe:
    split = wanted.split or test_column(table)
    task, label = wanted.task or named(table, "task"), wanted.label or named(table, "label")
    if task and label and not wanted.labels:
        return Recipe("ready" if not (wanted.task or wanted.label) else "groups", task, label, split=split)
    base = replace(wanted, split=split)
    found = flags(table)
    label = wanted.label or likely_label(table, base)
    hinted = bool(wanted.label) or _hinted(label, LABEL_WORDS)
    group = likely_group(table, replace(base, label=label)) if label in table else ""
    several = 2 if any(table[name].n_missing for name in found) else 3
    if wanted.labels or (not hinted and not group and len(found) >= several):
        return replace(base, kind="columns", labels=wanted.labels or found, label="")
    if label not in table:
        task = wanted.task or likely_task(table)
        return replace(base, kind="groups" if task else "levels", task=task)
    if wanted.task or group:
        return replace(base, kind="groups", label=label, task=wanted.task or group)
    column = table[label]
    classes = 3 <= len(column.values) <= MOST_CLASSES and (column.numbers is None or column.whole)
    return replace(base, kind="one-vs-rest" if classes and not wanted.score else "levels", label=label)


def flags(table: Table) -> tuple[str, ...]:
    """The columns of 0 and 1, yes and no and the like; where several have blanks, only these."""
    found = [c for c in table.columns if len(c.values) == 2 and {v.casefold() for v in c.values} in PAIRS]
    gaps = [c for c in found if c.n_missing]
    return tuple(c.name for c in (gaps if len(gaps) > 1 else found))


def test_column(table: Table) -> str:
    """A column that says train and test."""
    both = (c.name for c in table.columns if {SPLIT_WORDS.get(v.casefold()) for v in c.values} == {False, True})
    return next(both, "")


def likely_label(table: Table, recipe: Recipe) -> str:
    """The column that is called like a label, or else the last or first one that has classes; none: nothing.

    Words go before numbers. A column of many numbers, or of numbers with fractions, that is called like a label is one,
    to be split at its median; a `y` of such numbers may be a coordinate, and yields to any column of classes.
    """
    taken = {recipe.task, recipe.split, recipe.score}
    able = [c for c in table.columns if c.name not in taken and _could_be_label(c)]
    measured = [c for c in table.columns if c.numbers is not None and c.name not in taken and not c.doubt[0]]
    hinted = [c for c in dict.fromkeys((*able, *measured)) if _hinted(c.name, LABEL_WORDS)]
    sure = {c.name for c in hinted if _hinted(c.name, LABEL_WORDS - DOUBTFUL)}
    hinted.sort(key=lambda c: (c.name not in sure, c.kind == "number", is_measured(c)))
    if hinted and (hinted[0].name in sure or not is_measured(hinted[0])):
        return hinted[0].name
    if grouped := _last_of_groups(table, recipe):
        return grouped
    words = [c for c in able if c.kind == "category" and not _hinted(c.name, GROUP_WORDS)]
    few = [c for c in words if len(c.values) <= 20 and len(c.values) * 2 < c.rows]
    ends = (table.columns[-1], table.columns[0])
    numbers = [c for c in able if c.numbers is not None and len(c.values) <= MANY and not _hinted(c.name, GROUP_WORDS)]
    found = [*(end for end in ends if end in words), *few, *hinted, *(end for end in ends if end in numbers)]
    # one that lies among features is a label only if it says yes and no: a sex of 1 and 2 is a feature, too
    found += numbers if len(numbers) == 1 and numbers[0].name in flags(table) else []
    # a `state` may be a country's or an alarm's
    pairs = [c for c in able if c.kind == "category" and len(c.values) == 2]
    found += pairs if len(pairs) == 1 else []
    return found[0].name if found else ""


def likely_group(table: Table, recipe: Recipe, any_name: bool = False) -> str:
    """A column whose values each have points of both classes: called like a group, of words, or in blocks of rows."""
    label = table[recipe.label]
    if not any_name and len(label.values) not in (0, 2) and not recipe.positive and not is_measured(label):
        return ""
    try:
        labels = signs(label, recipe)[0]
    except RecipeError:
        return ""
    able = [
        c for c in table.columns
        if c.name not in (recipe.label, recipe.split, *flags(table)) and (c.kind == "category" or c.whole)
        and 2 <= len(c.values) <= 200 and _mixed(c, labels)
    ]  # fmt: skip
    hinted = [c for c in able if _hinted(c.name, GROUP_WORDS)]
    grouping = [c for c in able if _is_grouping(c)]
    grouping.sort(key=lambda c: c.kind != "category")
    found = [*sorted(hinted, key=lambda c: len(c.values) == 2), *grouping]
    if any_name:
        found += [c for c in able if not _hinted(c.name, LABEL_WORDS)]
    return found[0].name if found else ""


def _last_of_groups(table: Table, recipe: Recipe) -> str:
    """The last column, if it says yes and no or is a score of whole numbers, and some column is a group by it.

    Whole scores alone: the last measurement of a table that begins with a class has fractions. Several columns of yes
    and no are labels of their own.
    """
    last = table.columns[-1]
    score = last.whole and len(last.values) > MANY and not last.doubt[0] and not _is_grouping(last)
    if last.name in (recipe.task, recipe.split, recipe.score) or not (score or last.name in flags(table)):
        return ""
    if len(flags(table)) > 2 or _hinted(last.name, GROUP_WORDS):
        return ""
    labels = signs(last, Recipe())[0]
    return last.name if any(c is not last and _is_grouping(c) and _mixed(c, labels) for c in table.columns) else ""


def _is_grouping(column: Column) -> bool:
    """Whether its values look like names of groups: more than two words, or whole numbers in blocks of rows."""
    if not 2 < len(column.values) <= 200 or len(column.values) * 4 > column.rows or column.classes is None:
        return False
    blocks = 1 + int(np.sum(np.diff(column.classes[0]) != 0))
    return column.kind == "category" or (column.whole and blocks == len(column.values))


def likely_task(table: Table) -> str:
    """A column that is called like a group."""
    return next((c.name for c in table.columns if _hinted(c.name, GROUP_WORDS) and 2 <= len(c.values) <= 200), "")


def _could_be_label(column: Column) -> bool:
    return (
        (column.kind == "category" or column.whole)
        and 2 <= len(column.values) <= MOST_CLASSES
        and len(column.values) < column.rows
    )


def _hinted(name: str, words: frozenset[str]) -> bool:
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    return bool(words & set(re.split(r"[\W_]+", spaced.casefold())))


def _mixed(column: Column, labels: FloatArray) -> bool:
    """Whether at least half of the values have two points of either class."""
    assert column.classes is not None
    codes, values = column.classes
    counts = [np.bincount(codes[(codes >= 0) & (labels == sign)], minlength=len(values)) for sign in (1.0, -1.0)]
    return bool(np.mean(np.minimum(*counts) >= 2) >= 0.5)
