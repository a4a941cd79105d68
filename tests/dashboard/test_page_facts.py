"""What a reader sees on each page: its figures and controls, and sentences whose numbers are counted again here."""

from __future__ import annotations

import io
import json
import re
import shlex
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core import Learned, every_order, learn
from dashboard.cli import main
from dashboard.text import percent
from data.archives import formats
from data.runs.store import Store
from tests.dashboard.screens import PAGES, SET, drawn, link, open_page, texts, with_code
from tests.data.runhelp import finished_run, write_tasks

STEP = ["Slides", "Hide until I guess", "Compare with the lowest bound", "Method"]
SAVED = ["This curriculum (JSON)", "Its weights (NPZ)"]
MINE = ["Your order, first task on top", "To the start", "Earlier", "Later", "To the end", "Start from"]
RANK = "Its rank by test error, 1 is the lowest (or click a dot above)"
LANES = [
    "Slides", "Method", "Time runs", "figure lanes", "Details of a task (or click one above)",
    "Repeats: the rows split anew, or those of a stored run",
]  # fmt: skip
SHOWN = {
    "step": [
        *STEP, "Bars on", "figure candidates-2", "Candidate", "figure weights", "figure bound", *SAVED,
    ],
    "step-whatif": [
        *STEP, "Reset", "Bars on", "figure candidates-3", "Candidate", "figure grid", "figure weights", "figure bound",
        "figure versus-what-if", *SAVED,
    ],
    "step-best": [
        *STEP, "Bars on", "figure candidates-1", "Candidate", "Make this fit by", "figure weights", "figure bound",
        "figure versus-lowest-bound", "Step through the lowest bound", *SAVED,
    ],
    "step-hidden": [*STEP, "one", "<b>three</b>", "four"],
    "step-hidden-images": [*STEP, "task 1", "task 2", "task 3", "figure guess-pictures"],
    "step-guessed": [
        *STEP, "Guess again from the start", "Bars on", "figure candidates-4", "Candidate", "figure weights",
        "figure bound", *SAVED,
    ],
    "tasks": ["figure projection", "figure difficulty", "figure transfer", "figure similarity", "figure sizes"],
    "tasks-plane": ["figure plane", "figure difficulty", "figure transfer", "figure similarity", "figure sizes"],
    "orders": [
        "Slides", "Draws of the task set", "figure orders", "figure bound-against-error", *MINE, RANK, "Make it mine",
    ],
    "orders-shared": [
        "Slides", "Draws of the task set", "C of the orders", "figure orders", "figure bound-against-error", *MINE,
        RANK,
    ],
    "orders-untested": [
        "Slides", "Draws of the task set", "figure orders", *MINE, RANK.replace("test error", "bound"), "Make it mine",
    ],
    "orders-draws": [
        "Slides", "Draws of the task set", "figure orders", "figure draws", "figure bound-against-error", *MINE, RANK,
        "Make it mine",
    ],
    "orders-many": [
        "Slides", "Draws of the task set", "Random orders to try", "The example: all orders of mnist-levels:2",
        "figure orders", "figure bound-against-error", *MINE, RANK,
    ],
    "subsequences": LANES,
    "subsequences-repeats": [*LANES, "figure transfers", "figure companions", "figure ends"],
}  # fmt: skip
"""Controls, downloads and figures of each screen, from top to bottom."""
CONTROLS = (
    "button", "button_group", "segmented_control", "toggle", "checkbox", "radio", "selectbox", "multiselect",
    "number_input", "select_slider", "slider", "text_input", "download_button",
)  # fmt: skip


def seen(app: AppTest) -> Iterator[str]:
    """The labels of the controls of a page and the names of its figures, but for the download under each figure."""

    def below(block: Any) -> Iterator[str]:
        for child in block.children.values():
            if child.type in CONTROLS:
                label = getattr(child, "label", None) or child.proto.label
                yield from () if label == "HTML" else (plain(label),)
            if child.type == "plotly_chart":
                name = json.loads(child.proto.config)["toImageButtonOptions"]["filename"]
                yield f"figure {name.removeprefix('curriculab-')}"
            if hasattr(child, "children"):
                yield from below(child)

    yield from below(app._tree[0])


def plain(said: str) -> str:
    """Without what Markdown escapes."""
    return said.replace("\\", "")


def words(app: AppTest) -> str:
    """All Markdown of a page, as it reads."""
    assert not app.exception
    return plain(texts(app))


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_has_its_figures_and_controls_and_every_figure_can_be_saved(name: str) -> None:
    page, task_set, query = PAGES[name]
    app = open_page(page, task_set, **query)
    assert not app.exception
    assert list(seen(app)) == SHOWN[name]
    saved = [one.proto.label for one in app.main.get("download_button")].count("HTML")
    assert saved == sum(one.startswith("figure ") for one in SHOWN[name])


def quoted(task: str, source: str | None) -> str:
    return f"“{task}” without a source" if source is None else f"“{task}” started from “{source}”"


def theorem(learned: Learned, step: int, delta: float) -> dict[str, float]:
    """Theorem 1 after some steps, part by part."""
    sizes, n = [task.n_points for task in SET.tasks], len(SET.tasks)
    root = np.sqrt(n / np.sum(1 / np.array(sizes)))
    chosen = [one.chosen for one in (learned.steps or ())[:step]]
    union = {"seqmt": n, "multiseqmt": 2 * n, "treemt": n + 1}[learned.method]
    found = {
        "error": sum(one.error_term for one in chosen) / n,
        "complexity": sum(one.complexity_term for one in chosen) / n,
        "Hoeffding": 1 / (8 * root),
        "certainty": -np.log(delta) / (n * root),
        "choice": np.log(union) / root,
    }
    return found | {"**bound** (above ½ it guarantees nothing)": sum(found.values())}


@pytest.mark.parametrize("method", ["seqmt", "multiseqmt", "treemt"])
def test_every_step_is_told_with_its_numbers(method: str) -> None:
    learned = learn(SET, method, C=10.0, delta=0.1)
    assert learned.steps is not None
    app = open_page("step", SET, C="10", method=method, delta="0.1")
    for number, step in enumerate(learned.steps, start=1):
        app.query_params["step"] = str(number)
        said = words(app.run())
        best = sorted(step.candidates, key=lambda one: one.error_term + one.complexity_term)
        chosen = best[0]
        assert f"**Step {number} of 4.** {quoted(chosen.task, chosen.source)}" in said
        assert f"#### Learned after {number} of 4 steps" in said
        if len(best) == 1:
            assert f"the only candidate that is left, with criterion {chosen.criterion:.3f}" in said
        else:
            gap = best[1].criterion - chosen.criterion
            share = f"{100 * gap / chosen.criterion:.0f}\u00a0%"
            assert (
                f"has the lowest criterion of {len(best)}, {chosen.criterion:.3f}; the runner-up, "
                f"{quoted(best[1].task, best[1].source)}, is {gap:.3f} ({share}) worse"
            ) in said
            errors, moves = (
                chosen.error_term - best[1].error_term,
                chosen.complexity_term - best[1].complexity_term,
            )
            if errors < 0 < moves:
                told = f"The error term of “{chosen.task}” is {-errors:.3f} lower, which outweighs a complexity term "
                assert f"{told}that is {moves:.3f} higher." in said
            elif moves < 0 < errors:
                told = f"The complexity term of “{chosen.task}” is {-moves:.3f} lower, which outweighs an error term "
                assert f"{told}that is {errors:.3f} higher." in said
            else:
                assert f"“{chosen.task}” is better in both terms." in said
        for part, value in theorem(learned, number, 0.1).items():
            row = next(line for line in said.splitlines() if line.startswith(f"| {part} |"))
            assert row.split("|")[-2].strip().strip("*") == f"{value:.4f}", part
        (formula,) = (one.value for one in app.latex)
        squared = np.sum((chosen.weights - (0 if chosen.source is None else learned.weights[chosen.source])) ** 2)
        m_bar = 4 / sum(1 / task.n_points for task in SET.tasks)
        numbers = [
            rf"\frac{{1}}{{{SET[chosen.task].n_points}}}",
            rf"\textstyle {chosen.error_term:.4f}",
            rf"\frac{{{squared:.3f}}}{{2\sqrt{{{m_bar:.4g}}}}}\,=\,{chosen.complexity_term:.4f}",
            rf"\mathbf{{{chosen.criterion:.4f}}}",
        ]
        assert [one for one in numbers if one not in formula] == []
    whole = theorem(learned, 4, 0.1)["**bound** (above ½ it guarantees nothing)"]
    assert f"#### The bound grows to {whole:.2f} and so is above ½ and says nothing" in said


def test_a_guess_is_right_where_the_method_goes_there_next() -> None:
    learned = learn(SET, "seqmt", C=10.0)
    assert learned.steps is not None
    places, criteria = (
        [SET.names.index(task) + 1 for task in learned.order],
        {one.task: one.criterion for one in learned.steps[0].candidates},
    )
    first, last = learned.order[0], learned.order[-1]
    lower = sum(one < criteria[last] for one in criteria.values())
    for wrong in (0, 1, 2):
        guesses = [places[-1] if step < wrong else task for step, task in enumerate(places)]
        made = "_".join(f"{step}.{task}" for step, task in enumerate(guesses, start=1))
        said = words(open_page("step", SET, C="10", hide="1", guesses=made, step="1"))
        if wrong:
            have = "1 of 4 candidates has" if lower == 1 else f"{lower} of 4 candidates have"
            told = f"You guessed “{last}”: its criterion is {criteria[last]:.3f}, and {have} a lower one. "
            assert f"{told}It is “{first}” without a source." in said
        else:
            assert f"You guessed “{first}”, and so it is." in said
        assert f"**Score: {4 - wrong} of 4.**" in said


def test_your_order_beats_or_loses_by_what_its_errors_differ() -> None:
    walked, greedy = every_order(SET, C=10.0, points=True), learn(SET, "seqmt", C=10.0)
    assert walked.test_errors is not None
    assert greedy.mean_test_error is not None
    assert greedy.bound is not None
    errors = walked.test_errors
    rows = [int(errors.argmax()), int(errors.argmin()), walked.row(greedy.order) or 0]
    assert errors[rows[0]] > greedy.mean_test_error > errors[rows[1]]
    lower = int(np.sum(walked.bounds < greedy.bound.value - 1e-9))
    rank = np.argsort(errors, kind="stable")
    for row in rows:
        order = ".".join(str(k + 1) for k in walked.orders[row])
        app = open_page("orders", SET, C="10", mine=order, picked=order)
        said = words(app)
        points = 100 * (errors[row] - greedy.mean_test_error)
        won = f"it **{'loses to' if points > 0 else 'beats'}** SeqMT by {abs(points):.1f} points"
        assert ("**as good as** SeqMT on this draw" if abs(points) < 1e-6 else won) in said
        assert f"Your order has a mean test error of **{percent(errors[row])}**" in said
        assert f"({percent(greedy.mean_test_error)}). Its bound is {walked.bounds[row]:.3f}, " in said
        assert f"SeqMT's {greedy.bound.value:.3f} (above ½" in said
        assert f"Mean test error **{percent(errors[row])}**" in said
        assert f"Bound **{walked.bounds[row]:.3f}** (above ½" in said
        assert " → ".join(SET.names[k] for k in walked.orders[row]) in said
        assert app.number_input(key="w-rank").value == int(np.flatnonzero(rank == row)[0]) + 1
        known = (
            "No order among all 24 orders has a lower bound" if not lower else f"number {lower + 1} by bound: {lower}"
        )
        assert known in said
        lowest = errors[walked.bounds.argmin()]
        assert f"The order of the lowest bound has a mean test error of {percent(lowest)}" in said
        whole = [f"{percent(errors.min())} to {percent(errors.max())}", "**All 24 orders** of 4 tasks, all with C = 10"]
        assert [one for one in whole if one not in said] == []


def test_without_test_data_bounds_are_compared() -> None:
    bare = drawn(3, test=False)
    walked, greedy = every_order(bare, C=10.0), learn(bare, "seqmt", C=10.0)
    assert greedy.bound is not None
    for row in (int(walked.bounds.argmax()), int(walked.bounds.argmin())):
        order = ".".join(str(k + 1) for k in walked.orders[row])
        said = words(open_page("orders", bare, C="10", mine=order))
        won = "lower than" if walked.bounds[row] < greedy.bound.value - 1e-9 else "not lower than"
        assert f"Your bound **{walked.bounds[row]:.3f}** is {won} SeqMT's {greedy.bound.value:.3f}" in said


def test_the_forest_and_each_of_its_tasks_are_told_with_their_numbers() -> None:
    for method, name in (("multiseqmt", "MultiSeqMT"), ("treemt", "TreeMT")):
        learned = learn(SET, method, C=10.0)
        assert learned.steps is not None
        assert learned.bound is not None
        assert learned.test_error is not None
        assert learned.balanced_error is not None
        assert learned.mean_test_error is not None
        app = open_page("subsequences", SET, C="10", method=method)
        mean, bound = percent(learned.mean_test_error), learned.bound.value
        assert f"{name}: mean test error **{mean}**, bound {bound:.3f} on half the expected error (above" in words(app)
        for number, step in enumerate(learned.steps, start=1):
            app.query_params["task"] = str(number)
            said, chosen = words(app.run()), step.chosen
            before = 0 if chosen.source is None else learned.weights[chosen.source]
            shown = {one.label: one.value for one in app.metric}
            assert shown == {
                "Test error": percent(learned.test_error[chosen.task]),
                "Balanced error": percent(learned.balanced_error[chosen.task]),
                "Distance moved": f"{np.linalg.norm(chosen.weights - before):.3f}",
                "Error term": f"{chosen.error_term:.3f}",
                "Complexity term": f"{chosen.complexity_term:.3f}",
                "C": "10",
            }
            came = [one.chosen.task for one in learned.steps if one.chosen.source == chosen.task]
            assert f"Step {number}: {quoted(chosen.task, chosen.source)}" in said
            assert (f"From it came {' and '.join(came)}." if came else "Nothing was learned from it.") in said
            if len(step.candidates) > 1:
                other = sorted(step.candidates, key=lambda one: one.criterion)[1]
                gap = other.criterion - chosen.criterion
                beaten = f"the runner-up, {quoted(other.task, other.source)}, is {gap:.3f} ("
                assert f"lowest criterion of {len(step.candidates)}, {chosen.criterion:.3f}; {beaten}" in said


def test_a_what_if_is_told_with_both_bounds_and_errors() -> None:
    own = learn(SET, "seqmt", C=10.0)
    last = own.order[-1]
    other = learn(SET, "seqmt", C=10.0, choices=[(last, None)])
    assert own.bound is not None
    assert other.bound is not None
    app = open_page("step", SET, C="10", whatif=f"{SET.index(last) + 1}.0", step="1")
    step = other.steps[0] if other.steps else None
    assert step is not None
    best = min(step.candidates, key=lambda one: one.criterion)
    said = words(app)
    gap = step.chosen.criterion - best.criterion
    assert f"You chose “{last}” without a source: its criterion {step.chosen.criterion:.3f} is {gap:.3f} (" in said
    assert f"worse than that of “{best.task}” without a source" in said
    values = {one.label: (one.value, one.delta) for one in app.metric}
    more = other.bound.value - own.bound.value
    errors = 100 * (other.mean_test_error or 0.0), 100 * (own.mean_test_error or 0.0)
    assert values == {
        "Bound, own": (f"{own.bound.value:.3f}", ""),
        "Bound, what if": (f"{other.bound.value:.3f}", f"{more:+.3f}".replace("-", "−")),
        "Mean test error, own": (f"{errors[1]:.1f}\u00a0%", ""),
        "Mean test error, what if": (
            f"{errors[0]:.1f}\u00a0%",
            f"{errors[0] - errors[1]:+.1f} points".replace("-", "−"),
        ),
    }
    same = sum(a == b for a, b in zip(own.order, other.order, strict=True))
    assert f"#### {same} of 4 tasks keep their step" in said


def test_which_run_and_which_method_makes_fewer_mistakes_is_said_of_the_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run 2 learns from labels that are drawn at random."""
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    tasks = write_tasks(tmp_path / "three.csv")
    header, *rows = tasks.read_text().splitlines()
    drawn_anew = np.random.default_rng(3).permutation([line.split(",")[1] for line in rows])
    parts = [line.split(",") for line in rows]
    chance = tmp_path / "chance.csv"
    chance.write_text(
        "\n".join([header, *(",".join([p[0], y, *p[2:]]) for p, y in zip(parts, drawn_anew, strict=True))])
    )
    with Store() as store:
        runs = [finished_run(store, path, 6, ("indsvm", "seqmt", "mt")) for path in (tasks, chance)]
        results = [store.results(run) for run in runs]
    means = [{method: 100 * np.mean(list(one.means(method).values())) for method in one.methods} for one in results]
    names = {"indsvm": "IndSVM", "seqmt": "SeqMT", "mt": "MT"}
    for run in (1, 2):
        said = words(open_page("compare", set="plane-equal", C="10", run=str(run), base="seqmt"))
        best = min(means[run - 1], key=means[run - 1].__getitem__)
        assert f"#### {names[best]} has the lowest mean test error: {means[run - 1][best]:.1f}\u00a0% over 6" in said
    for run, beside, what in ((1, 2, "more mistakes"), (2, 1, "fewer mistakes")):
        gains = [means[beside - 1][method] - means[run - 1][method] for method in names]
        assert (np.abs(gains) > 15).all()
        assert (np.array(gains) > 0).all() == (what == "more mistakes")
        said = words(open_page("compare", set="plane-equal", C="10", run=str(run), beside=str(beside)))
        title = next(line for line in said.splitlines() if "clearly" in line and "instead of" in line)
        assert re.fullmatch(
            rf"#### In run {beside}.* instead of run {run}.*, clearly {what}: IndSVM, SeqMT, MT", title
        ), title


SETTINGS: dict[str, tuple[dict[str, str], str, str]] = {
    "C shared": ({"C": "shared"}, "C='shared'", ""),
    "C each": ({"C": "each"}, "C='each'", "--C each"),
    "C fixed": ({"C": "3"}, "C=3.0", "--C 3"),
    "method": ({"method": "treemt"}, "'treemt'", "--method treemt"),
    "normalize": ({"normalize": "none"}, "normalize='none'", "--normalize none"),
    "no bias": ({"bias": "0"}, "bias=False", "--no-bias"),
    "delta": ({"delta": "0.2"}, "delta=0.2", "--delta 0.2"),
    "seed": ({"seed": "4"}, "seed=4", "--seed 4"),
    "measure": ({"measure": "balanced"}, "measure='balanced'", "--measure balanced"),
    "what if": ({"whatif": "4.0_1.4"}, "choices=[('four', None), ('one', 'four')]", "--choices"),
}
"""A link, and what the Python and the command say then."""


@pytest.mark.parametrize("name", SETTINGS)
def test_the_code_says_each_setting_and_learns_what_is_on_screen(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changed, in_python, in_command = SETTINGS[name]
    query = {"C": "10", **changed}
    app = open_page("step", SET, step="4", **query)
    code = [one.value for one in with_code(app).sidebar.code]
    script = next(one for one in code if "from core import learn" in one)
    command = next(one for one in code if one.startswith("curriculab learn"))
    assert in_python in script
    assert in_command in command
    for other, (_, elsewhere, beside) in SETTINGS.items():
        if other != name and other not in ("C shared", "C each", "C fixed"):
            assert elsewhere not in script, other
            assert not beside or beside not in command, other
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_bytes(formats.dump(SET, "csv"))
    there: dict[str, Any] = {}
    exec(script, there)
    learned = there["learned"]
    assert f"**{learned.bound.value:.4f}**" in words(app)
    printed = capsys.readouterr().out
    assert f"{learned.bound.value}" in printed
    assert main([*shlex.split(command)[1:], "--json", "-"]) in (0, None)
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(learned.as_dict()))


def downloads(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[str, bytes]]:
    """By file name: the label and the content of every download, those of tables and of the sidebar as well."""
    found: dict[str, tuple[str, bytes]] = {}

    def download(label: str, data: Any, file_name: str, *_: Any, **__: Any) -> None:
        made = data() if callable(data) else data
        found[file_name] = (label, made if isinstance(made, bytes) else str(made).encode())

    for block in app.main.get("expander"):
        if "-show-table-" in getattr(block.proto, "id", ""):
            app.session_state[f"show-table-{block.proto.id.partition('-show-table-')[2]}"] = True
    app.session_state["code-box"] = True
    monkeypatch.setattr(st, "download_button", download)
    app.run()
    assert not app.exception
    return found


def test_what_is_downloaded_is_what_is_on_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    learned = learn(SET, "treemt", C=10.0, seed=3, delta=0.1)
    assert learned.steps is not None
    app = open_page("step", SET, C="10", method="treemt", seed="3", delta="0.1", step="2")
    found = downloads(app, monkeypatch)
    label, whole = found["curriculab-treemt.json"]
    assert label == "This curriculum (JSON)"
    assert json.loads(whole) == json.loads(json.dumps(learned.as_dict()))
    with np.load(io.BytesIO(found["curriculab-treemt-weights.npz"][1])) as arrays:
        assert set(arrays) == set(SET.names)
        for name in SET.names:
            np.testing.assert_allclose(arrays[name], learned.weights[name])
    again = formats.read(found["mine.npz"][1], "mine.npz").task_set
    assert again.digest == SET.digest
    with zipfile.ZipFile(io.BytesIO(found["drawn.curriculab"][1])) as bundle:
        state = json.loads(bundle.read("link.json"))
        assert formats.read(bundle.read("set.npz"), "set.npz").task_set.digest == SET.digest
    said = json.dumps(state)
    assert [
        one for one in ('"method": "treemt"', '"seed": "3"', '"delta": "0.1"', '"step": "2"') if one not in said
    ] == []
    table = pd.read_csv(io.BytesIO(found["curriculab-candidates-2.csv"][1]), keep_default_na=False)
    step = learned.steps[1]
    best = sorted(step.candidates, key=lambda one: one.criterion)
    assert table["task"].tolist() == [one.task for one in best]
    assert table["criterion"].tolist() == pytest.approx([one.criterion for one in best])
    page = found["curriculab-candidates-2.html"][1].decode()
    assert "mine.csv, C 10, seed 3" in page
    grid = pd.read_csv(io.BytesIO(found["curriculab-grid.csv"][1]))
    assert grid.shape == (2, 4)
    bound = pd.read_csv(io.BytesIO(found["curriculab-bound.csv"][1]))
    assert bound["bound"].iloc[-1] == pytest.approx(learned.bound.value if learned.bound else None)
    new, old = step.chosen.weights[:-1], step.chosen.source_weights[:-1]
    weights = pd.read_csv(io.BytesIO(found["curriculab-weights.csv"][1]))
    assert weights["new weight"].tolist() == pytest.approx(new.tolist())
    assert weights["source weight"].tolist() == pytest.approx(old.tolist())
    assert link(app, "step") == "2"


@pytest.mark.parametrize(
    ("page", "query", "tables"),
    [
        ("tasks", {}, {"projection": 42, "difficulty": 4, "transfer": 12, "similarity": 6, "sizes": 4}),
        ("orders", {}, {"orders": 7, "bound-against-error": 24}),
        ("orders", {"draws": "5"}, {"orders": 7, "draws": 5, "bound-against-error": 24}),
        ("subsequences", {"repeats": "5"}, {"lanes": 4, "transfers": None, "companions": 4, "ends": 4}),
    ],
)
def test_every_figure_has_its_own_table_and_page(
    page: str, query: dict[str, str], tables: dict[str, int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = downloads(open_page(page, SET, C="10", **query), monkeypatch)
    files = {f"curriculab-{name}.{kind}" for name in tables for kind in ("csv", "html")}
    assert {
        name for name in found if name.startswith("curriculab-") and "example" not in name and "template" not in name
    } == files
    for name, rows in tables.items():
        read = pd.read_csv(io.BytesIO(found[f"curriculab-{name}.csv"][1]))
        assert rows is None or len(read) == rows, name
        assert b"Plotly.newPlot" in found[f"curriculab-{name}.html"][1]


def test_a_set_that_differs_by_one_point_is_another_screen() -> None:
    """Caches are keyed by what they were computed from."""
    first = open_page("step", SET, C="10", step="4")
    task = SET.tasks[0]
    X = task.X.copy()
    X[0] += 0.5
    other = replace(SET, tasks=(replace(task, X=X), *SET.tasks[1:]))
    bounds = [learn(one, "seqmt", C=10.0).bound for one in (SET, other)]
    for app, bound in zip((first, open_page("step", other, C="10", step="4")), bounds, strict=True):
        assert bound is not None
        assert f"**{bound.value:.4f}**" in words(app)
    assert bounds[0] != bounds[1]


@pytest.mark.parametrize("screen", ["what-if", "lowest bound"])
def test_a_lower_bound_and_error_are_green_with_an_arrow_down_and_higher_ones_red_with_an_arrow_up(screen: str) -> None:
    last = learn(SET, "seqmt", C=10.0).order[-1]
    how = {"whatif": f"{SET.index(last) + 1}.0"} if screen == "what-if" else {"best": "1"}
    seen = set()
    for C in ("10", "1"):
        for one in open_page("step", SET, **how | {"C": C}).metric:
            look = (one.proto.MetricColor.Name(one.proto.color), one.proto.MetricDirection.Name(one.proto.direction))
            if not one.delta or one.delta == "the same":
                assert look[1] == "NONE"
            else:
                lower = one.delta.startswith("−")
                assert look == (("GREEN", "DOWN") if lower else ("RED", "UP"))
                seen.add(lower)
    assert (screen == "lowest bound") in seen
