"""Where classes are unequal: pages, commands and runs tell balanced errors, and what beats the larger class."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest

from core import SettingsError, TaskSet
from dashboard.cli import main
from data.archives import formats
from data.runs import run as fields
from data.runs.bundle import import_bundle, write_bundle
from data.runs.export import run_csv
from data.runs.outcomes import outcome_from, outcome_text
from data.runs.schema import FILE
from data.runs.store import Store
from tests.core import cases
from tests.dashboard.screens import drawn, link, open_page, texts, with_code

VERDICT = "is no better than always answering the larger class (6.0 % error either way; balanced error 50.0 %)."
ANSWERS = "0 of 850 test points are predicted positive."
QUICK = ("--methods", "IndSVM,SeqMT,Best", "--repeats", "3", "--jobs", "1")


def plain(text: str) -> str:
    """Markdown as it is read."""
    return text.replace("\\", "").replace("\u00a0", " ")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def mined(tmp_path: Path, home: Path) -> Path:
    """The fields with something to find in them, as a file."""
    path = tmp_path / "landmine.npz"
    path.write_bytes(formats.dump(cases.landmine(1, signal=1.5, n=3), "npz"))
    return path


def said(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Standard output of a command that succeeds."""
    assert main([str(word) for word in words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("page", "method"), [("tasks", "IndSVM"), ("step", "SeqMT"), ("subsequences", "MultiSeqMT"), ("orders", "SeqMT")]
)
def test_a_page_says_that_a_learner_answers_the_larger_class_alone(page: str, method: str, home: Path) -> None:
    app = open_page(page, cases.landmine(n=5))
    assert not app.exception
    assert f"{method} {VERDICT} {ANSWERS}" in plain(texts(app))
    assert "in one sequence" not in texts(app)  # it is no curriculum
    if page == "subsequences":
        assert {metric.label: metric.value for metric in app.metric}["Balanced error"] == "50.0\u00a0%"


@pytest.mark.parametrize("page", ["tasks", "step", "subsequences", "orders"])
def test_nothing_is_said_where_classes_are_equal(page: str, home: Path) -> None:
    app = open_page(page, drawn(3), C="1")
    assert not app.exception
    assert "larger class" not in texts(app)
    assert "alanced" not in texts(app)


def test_orders_over_draws_say_so_too(home: Path) -> None:
    shown = plain(texts(open_page("orders", cases.landmine(n=3), draws="5")))
    assert "SeqMT is no better than always answering the larger class" in shown
    assert "predicted positive" not in shown  # that is of one draw


def test_orders_and_the_code_go_by_the_measure_of_the_sidebar(home: Path) -> None:
    task_set = cases.landmine(1, signal=1.5, n=3)
    app = open_page("orders", task_set)
    assert "mean balanced error" not in plain(texts(app))
    app.sidebar.segmented_control(key="w-measure").set_value("balanced").run()
    assert link(app, "measure") == "balanced"
    app = open_page("orders", task_set, measure="balanced")
    shown = plain(texts(app))
    assert "mean balanced error" in shown
    assert "SeqMT has a mean test error of" in shown
    app = with_code(app)
    code = [element.value for element in app.sidebar.code]
    assert any("measure='balanced'" in one and "learned.mean_error" in one for one in code)
    assert any("--measure balanced" in one for one in code)
    [reset] = [button for button in app.sidebar.button if button.label == "Reset settings"]
    reset.click().run()
    assert link(app, "measure") == ""
    [control] = [one for one in app.sidebar.segmented_control if one.label == "Measure"]
    control.set_value("balanced").run()
    assert not app.exception
    assert link(app, "measure") == "balanced"


def test_learn_and_orders_go_by_the_measure(mined: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = said(capsys, "learn", mined)
    assert "balanced error" in printed
    assert "SeqMT is no better than always answering the larger class" in printed
    assert "0 of 480 test points are predicted positive." in printed
    written = said(capsys, "learn", mined, "--json", "-")
    assert "balanced" not in written
    by = said(capsys, "learn", mined, "--measure", "balanced")
    assert ", by balanced error" in by.splitlines()[0]
    assert "SeqMT has a mean test error of" in by
    values = json.loads(said(capsys, "learn", mined, "--measure", "balanced", "--json", "-"))
    assert values["measure"] == "balanced"
    assert values["mean_balanced_error"] < 0.4
    assert values["chosen_C"] != json.loads(written)["chosen_C"]
    walked = said(capsys, "orders", mined, "--measure", "balanced")
    assert "lowest balanced error" in walked
    assert (
        said(capsys, "orders", mined, "--measure", "balanced", "--csv", "-").splitlines()[0].endswith("balanced_error")
    )
    assert said(capsys, "orders", mined, "--csv", "-").splitlines()[0].endswith("test_error")


def test_a_run_goes_by_its_measure_and_tells_both(mined: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = said(capsys, "compare", mined, *QUICK)
    assert "No method is clearly better than always answering the larger class" in printed
    assert "balanced %" in printed
    by = said(capsys, "compare", mined, *QUICK, "--measure", "balanced")
    assert "by balanced error" in by
    assert "by mean balanced error over 3 repeats" in by
    with Store() as store:
        first, second = (store.results(store.run(k)) for k in (1, 2))
        assert second.settings.measure == "balanced"
        assert second.average("seqmt").mean < 0.45 < first.average("seqmt", "balanced").mean
        assert second.average("seqmt", "error").mean > first.average("seqmt").mean
        walked = second.walks[0].test_errors
        best = [outcome.mean_error("balanced") for outcome in second.of("best")]
        row = second.walks[0].orders.index(tuple(second.tasks.index(t) for t in second.picked_order("best")))
        assert best[0] == pytest.approx(walked[row])
        assert sum(best) / 3 == pytest.approx(min(second.order_means))
        found = second.against_majority("seqmt")
        assert found is not None
        assert found.errors["balanced"] < 0.45 < found.majority["balanced"] == 0.5
        assert not found.better["error"]
        assert run_csv(second).splitlines()[0] == "repeat,method,task,position,source,C,error,seconds"
    whole = json.loads(said(capsys, "runs", "export", 2, "--json", "-"))
    means = whole["summary"]["methods"]["SeqMT"]
    assert means["mean_balanced_error"]["mean"] < 0.45
    assert means["mean_test_error"]["mean"] == pytest.approx(second.average("seqmt", "error").mean)
    assert "mean_balanced_error" in whole["orders"]
    plainly = json.loads(said(capsys, "runs", "export", 1, "--json", "-"))
    assert "mean_balanced_error" not in plainly["summary"]["methods"]["SeqMT"]


def test_compare_shows_either_error_of_a_run(mined: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "compare", mined, *QUICK)
    app = open_page("compare", set="plane-unrelated", run="1")
    assert not app.exception
    assert "No method is clearly better than always answering the larger class" in plain(texts(app))
    assert "mean test error: 6" in plain(texts(app))
    app.segmented_control(key="w-by").set_value("balanced").run()
    assert link(app, "by") == "balanced"
    assert re.search(r"mean balanced error: (4[5-9]|5\d)\.", plain(texts(app)))
    said(capsys, "report", 1, "-o", mined.with_suffix(".html"))
    assert "always answering the larger class" in mined.with_suffix(".html").read_text()


def test_runs_of_equal_classes_offer_no_measure(home: Path) -> None:
    app = open_page("compare")
    assert not [one for one in app.segmented_control if one.key == "w-by"]
    assert "larger class" not in texts(app)


def test_runs_that_did_not_record_balanced_errors_still_open_and_say_so(
    mined: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "compare", mined, *QUICK)
    with sqlite3.connect(home / FILE) as connection:
        for run, repeat, method, text in connection.execute(
            "SELECT run, repeat, method, outcome FROM pieces"
        ).fetchall():
            values = {k: v for k, v in json.loads(text).items() if k not in ("balanced_error", "majority_error")}
            connection.execute(
                "UPDATE pieces SET outcome = ? WHERE run = ? AND repeat = ? AND method = ?",
                (json.dumps(values), run, repeat, method),
            )
        [(settings,)] = connection.execute("SELECT settings FROM runs").fetchall()
        old = {name: value for name, value in json.loads(settings).items() if name != "measure"}
        connection.execute("UPDATE runs SET settings = ?", (json.dumps(old),))
    with Store() as store:
        run = store.run(1)
        results = store.results(run)
        assert run.settings.measure == "error"
        assert results.measures == ("error",)
        assert results.against_majority("seqmt") is None
        write_bundle(run, results, tmp_path / "old.zip")
    with Store(tmp_path / "other") as other:
        assert other.results(import_bundle(other, tmp_path / "old.zip")).measures == ("error",)
    assert "balanced" not in said(capsys, "runs", "show", 1)
    app = open_page("compare", set="plane-unrelated", run="1", by="balanced")
    assert not app.exception
    assert any("Balanced errors were not recorded" in caption.value for caption in app.caption)
    assert "mean test error: 6" in plain(texts(app))


def test_outcomes_come_back_with_both_errors_and_refuse_nonsense(
    mined: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, "compare", mined, "--methods", "IndSVM", "--repeats", "1", "--jobs", "1")
    with Store() as store:
        [outcome] = store.results(store.run(1)).outcomes
    text = outcome_text(outcome)
    assert outcome_from(text) == outcome
    for name, wrong in (
        ("balanced_error", {"field 1": 0.1}),
        ("majority_error", {"field 1": 2.0}),
        ("balanced_error", 3),
    ):
        with pytest.raises(Exception, match="an outcome cannot be read"):
            outcome_from(json.dumps(json.loads(text) | {name: wrong}))
    for measure in ("both", 3, None):
        with pytest.raises((SettingsError, ValueError)):
            fields.settings({"source": "s", "methods": ["seqmt"], "measure": measure})


def test_an_unequal_set_without_tests_says_nothing_of_errors(home: Path) -> None:
    task_set = TaskSet("untested", cases.landmine(test=False, n=3).tasks)
    for page in ("tasks", "step", "subsequences", "orders"):
        app = open_page(page, task_set, C="1")
        assert not app.exception
        assert "always answering the larger class (" not in texts(app)
