"""Reports: self-contained, escaped, and with the figures of the run."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import plotly.graph_objects as go
import pytest

from core.experiments.experiment import Outcome, Settings, compute
from core.experiments.summary import results_of
from core.statistics.noise import Interval
from dashboard.cli import main
from dashboard.commands.runs import differences
from dashboard.figures import compare
from dashboard.figures.compare import baseline_figure, baseline_table, baseline_title
from dashboard.figures.plot import Picture
from dashboard.reports.page import page
from dashboard.reports.report import run_report
from data.published import Published
from data.runs.export import run_csv, run_json
from data.runs.store import Store
from data.sources.catalogue import open_source
from tests.data.runhelp import finished_run, write_tasks

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a finished run of tasks, one of which has a hostile name."""
    folder = tmp_path_factory.mktemp("report")
    tasks = write_tasks(folder / "three.csv")
    tasks.write_text(tasks.read_text().replace("t1,", f"{EVIL},"))
    with Store(folder) as store:
        finished_run(store, tasks, 3)
    return folder


def test_a_run_report_is_self_contained_and_escaped(folder: Path) -> None:
    with Store(folder) as store:
        run = store.run(1)
        text = run_report(run, store.results(run))
    assert "<script src" not in text
    assert not re.search(r"<link[^>]+href", text)
    assert EVIL not in text
    assert "<img src=x" not in text
    assert text.count('class="plotly-graph-div"') == 7
    assert run.digest in text
    for word in ("SeqMT", "MultiSeqMT", "Best", "Holm", "Nadeau and Bengio", "numpy", "split anew"):
        assert word in text


def test_a_run_that_leaves_the_machine_does_not_say_where_its_file_lay(folder: Path) -> None:
    with Store(folder) as store:
        run = replace(store.run(1), stopped=f"the store {store.path} is in use")
        results = store.results(run)
    assert str(folder) in run.settings.source
    for text in (run_report(run, results), run_json(run, results), run_csv(results)):
        assert str(folder) not in text
    assert json.loads(run_json(run, results))["settings"]["source"] == "three.csv"
    assert json.loads(run_json(run, results))["stopped"] == "the store runs.sqlite is in use"


def test_the_command_writes_reports_of_runs_and_of_sets(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURRICULAB_HOME", str(folder))
    assert main(["report", "1", "-o", str(tmp_path / "run.html")]) == 0
    assert "Curriculab run 1" in (tmp_path / "run.html").read_text(encoding="utf-8")
    assert main(["report", str(folder / "three.csv"), "--C", "10", "-o", str(tmp_path / "set.html")]) == 0
    text = (tmp_path / "set.html").read_text(encoding="utf-8")
    assert text.count('class="plotly-graph-div"') == 3 + 3 + 1 + 1  # lanes, steps, bound, all orders
    assert "SeqMT, step 3 of 3: “" in text
    assert "one of all 6 orders" in text
    assert "TreeMT: bound" in text
    assert EVIL not in text


def test_the_bars_are_the_averages_and_the_diamonds_the_published(folder: Path) -> None:
    with Store(folder) as store:
        results = store.results(store.run(1))
    bars = compare.info(results, {"SeqMT": Published(20.0, 0.5)})
    assert [bar.method for bar in bars] == ["IndSVM", "SeqMT", "MultiSeqMT", "MT", "Random", "Best", "Worst"]
    chart = compare.figure(bars, dark=True)
    assert list(chart.data[0].x) == [100 * results.average(method).mean for method in results.methods]
    assert list(chart.data[0].error_x.array) == [
        100 * (results.average(method).standard_error or 0) for method in results.methods
    ]
    assert (list(chart.data[1].x), list(chart.data[1].y)) == ([20.0], ["SeqMT"])
    assert compare.table(bars)["published %"].notna().sum() == 1
    assert "Best" not in compare.title(bars)


def test_paired_dots_are_the_differences(folder: Path) -> None:
    with Store(folder) as store:
        results = store.results(store.run(1))
    found = results.against("seqmt")
    assert [pair.method for pair in found] == ["indsvm", "multiseqmt", "mt", "random", "best", "worst"]
    chart = baseline_figure(found, dark=False)
    assert list(chart.data[0].x) == [100 * results.paired(pair.method, "seqmt").difference for pair in found]
    worse = replace(found[0], differences=(0.02, 0.01), interval=Interval(0.01, 0.02), learned=True)
    better = replace(found[1], differences=(-0.02, -0.01), interval=Interval(-0.02, -0.01), learned=True)
    assert baseline_title((worse, better)) == "Clearly worse than SeqMT: IndSVM; better: MultiSeqMT"
    assert baseline_title((better,)) == "Clearly better than SeqMT: MultiSeqMT"


def test_methods_that_never_differ_are_called_identical() -> None:
    """The same errors summed in another order: differences of 1e-17, of which 'Clearly better' was said once."""
    errors = {"seqmt": (0.1, 0.2, 0.3), "indsvm": (0.3, 0.2, 0.1), "mt": (0.3, 0.4, 0.2)}
    outcomes = [
        Outcome(k, method, 0.1, (), {}, {}, dict(zip("abc", values, strict=True)), None)
        for method, values in errors.items()
        for k in range(5)
    ]
    results = results_of(Settings("s", tuple(errors), 5), outcomes)
    found = results.against("seqmt")
    assert baseline_title(found) == "Clearly worse than SeqMT: MT; identical: IndSVM"
    assert baseline_title(found[:1]) == "IndSVM is identical with SeqMT on every repeat"
    assert baseline_figure(found, dark=False).data[0].marker.symbol == ("square-open", "circle")
    assert baseline_table(found)["verdict"].tolist() == ["identical", "clearly worse"]
    [printed] = [line for line in "\n".join(differences(results)).splitlines() if line.startswith("IndSVM")]
    assert printed.split() == ["IndSVM", "+0.00", "+0.00", "to", "+0.00", "1", "identical"]
    assert compare.title(compare.info(results, {})) == (
        "SeqMT and IndSVM share the lowest mean test error: 20.0\u00a0% over 5 repeats"
    )


def test_figures_draw_a_single_unfinished_repeat(tmp_path: Path) -> None:
    sampler = open_source(str(write_tasks(tmp_path / "three.csv")))
    source = sampler.full_name
    settings = Settings(source, ("seqmt", "indsvm"), 5, C=1.0)
    results = results_of(settings, [compute(settings, sampler, 0, "seqmt")])
    bars = compare.info(results, {})
    assert bars[0].standard_error is None
    assert list(compare.figure(bars, dark=False).data[0].error_x.array) == [0.0]
    assert results.against("seqmt") == ()
    assert len(compare.tasks(results).frame("method")) == 1


def test_cells_and_facts_are_escaped() -> None:
    text = page(EVIL, {EVIL: EVIL}, [Picture(go.Figure(), EVIL, EVIL, EVIL, EVIL, pd.DataFrame({EVIL: [EVIL]}))])
    assert EVIL not in text
    assert "&lt;/script&gt;" in text
