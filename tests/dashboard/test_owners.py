"""Whose a run is: where strangers come, nobody stops, resumes or deletes another's; and how many are on their way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import SettingsError
from dashboard.components import run_controls, run_launcher
from dashboard.session.current import Current, Settings
from dashboard.session.uploads import Upload
from data.runs.computation import find_or_begin
from data.runs.lock import computing
from data.runs.store import Run, Store
from data.sources import catalogue
from data.sources.catalogue import open_source
from data.sources.file import FileSource
from tests.dashboard.screens import drawn, open_page
from tests.data.runhelp import settings_for, write_tasks

ACTS: dict[str, Callable[[Store, Run], object]] = {
    "stop": lambda store, run: run_launcher.cancel(store, run.id),
    "resume": run_launcher.resume,
    "delete": lambda store, run: run_launcher.delete(store, run.id),
}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Run]:
    """An unfinished run of each of two visitors, of which `ann` is asking; no process is started."""
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(run_launcher, "visitor", lambda: "ann")
    monkeypatch.setattr(run_launcher, "_launch", lambda store, run: None)
    tasks = write_tasks(tmp_path / "three.csv")
    source = open_source(str(tasks))
    with Store() as store:
        return {
            owner: find_or_begin(store, settings_for(tasks, 1, ("indsvm",)), source, resume=False, owner=owner)
            for owner in ("ann", "bob")
        }


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    ("set_", "mine", "theirs"),
    [((), True, True), (("PUBLIC", "ALLOW_RUNS"), True, False), (("PUBLIC",), False, False)],
)
def test_where_strangers_come_only_one_s_own_run_is_changed_and_only_if_runs_are_allowed(
    act: str, set_: tuple[str, ...], mine: bool, theirs: bool, runs: dict[str, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in set_:
        monkeypatch.setenv(f"CURRICULAB_{name}", "1")
    with Store() as store:
        for owner, may in (("bob", theirs), ("ann", mine)):
            assert run_launcher.may_change(runs[owner]) is may
            if may:
                ACTS[act](store, runs[owner])
            else:
                with pytest.raises(SettingsError, match=f"run {runs[owner].id} is not yours"):
                    ACTS[act](store, runs[owner])
        left = [one.owner for one in store.runs()]
        assert left == [owner for owner, may in (("bob", theirs), ("ann", mine)) if not (may and act == "delete")]


def test_the_page_offers_what_may_be_done(runs: dict[str, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    def offered() -> list[str]:
        app = open_page("runs", set="plane-equal", C="1")
        assert not app.exception
        return sorted(str(one.key) for one in app.button if str(one.key).startswith(("resume-", "delete-")))

    ann, bob = (runs[owner].id for owner in ("ann", "bob"))
    assert offered() == sorted(f"{what}-{one}" for what in ("resume", "delete") for one in (ann, bob))
    monkeypatch.setenv("CURRICULAB_PUBLIC", "1")
    assert offered() == []
    monkeypatch.setenv("CURRICULAB_ALLOW_RUNS", "1")
    assert offered() == [f"delete-{ann}", f"resume-{ann}"]


def test_of_two_runs_that_may_be_on_their_way_a_third_is_refused_until_one_has_ended(
    runs: dict[str, Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_launcher, "MOST_ON_THEIR_WAY", 2)
    third = settings_for(write_tasks(tmp_path / "four.csv", tasks=4), 1, ("indsvm",))
    with Store() as store:
        with computing(store.folder, runs["ann"].id), computing(store.folder, runs["bob"].id):
            for act in (lambda: run_launcher.start(store, third), lambda: run_launcher.start(store, third)):
                with pytest.raises(SettingsError, match="2 runs are on their way already"):
                    act()
            assert len(store.runs()) == 2
        with computing(store.folder, runs["ann"].id):
            assert run_launcher.start(store, third).id == 3


def test_a_run_is_begun_with_every_setting_of_the_sidebar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []

    def start(store: Store, settings: Any) -> Run:
        begun.append(settings)
        raise SettingsError("seen")

    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    monkeypatch.setattr(run_controls.run_launcher, "start", start)
    shown = {"C": "7", "normalize": "none", "bias": "0", "delta": "0.2", "seed": "3", "measure": "balanced"}
    app = open_page("compare", set="plane-equal", **shown)
    app.multiselect(key="w-run-methods").set_value(["mt", "seqmt"])
    app.number_input(key="w-run-repeats").set_value(4)
    next(button for button in app.button if button.label == "Start").click().run()
    wanted = Settings(7.0, "none", False, seed=3, delta=0.2, measure="balanced")
    [settings] = begun
    assert {name: getattr(settings, name) for name in wanted.learner()} == wanted.learner()
    assert (settings.source, settings.methods, settings.repeats) == ("plane-equal", ("mt", "seqmt"), 4)
    assert "seen" in app.error[0].value


def test_orders_over_splits_of_the_same_rows_count_in_how_far_they_overlap() -> None:
    from dashboard.pages.orders import study

    class Listener:
        def __init__(self) -> None:
            self.kept: list[study.Study] = []

        def __call__(self, done: float, total: float) -> None: ...

        def note(self, words: str) -> None: ...

        def keep(self, partial: study.Study) -> None:
            self.kept.append(partial)

    task_set = drawn(3, points=14)
    upload = Upload(Path("mine.csv"), task_set, FileSource.of(task_set), ())
    built_in = catalogue.load("plane-equal?train=6&test=6")
    for shown, file, overlap in ((task_set, upload, 1.0), (built_in, None, None)):
        now = Current(shown, Settings(10.0), False, upload=file)
        report: Any = Listener()
        found = study.on_draws(now, 4, 10, False, report)
        for one in (found, *report.kept[1:]):
            assert one.over is not None
            assert one.noise is not None
            assert (one.over.overlap, one.noise.overlap) == (overlap, overlap)
        place, errors = found.greedy, found.over.methods["SeqMT"][0]  # type: ignore[union-attr]
        assert place.whisker is not None
        half = np.std(errors, ddof=1) * np.sqrt(1 / 4 + (overlap or 0.0))
        assert place.whisker.high - place.whisker.low == pytest.approx(2 * half)
