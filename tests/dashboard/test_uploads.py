"""What the server keeps for its visitors: bounded in number, bytes and time."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.errors import CurriculabError, SettingsError
from core.task_set import TaskSet
from dashboard.server import serving as limiting
from dashboard.server.serving import OWN_MACHINE
from dashboard.session import cache, uploads
from data import limits
from data.archives import formats
from data.limits import FormatError
from data.sources.file import FileSource
from tests.dashboard.screens import SECONDS, drawn, link, open_page, texts


def test_what_nobody_uses_is_forgotten_and_what_somebody_uses_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(cache.time, "monotonic", lambda: now)
    kept: cache.BoundedCache[str] = cache.BoundedCache(3, 10.0, 60.0)
    kept.put("a", "A", 4.0)
    kept.put("b", "B", 4.0)
    now = 50.0
    assert kept.get("a") == "A"
    now = 70.0
    assert kept.get("b") is None
    assert kept.get("a") == "A"
    kept.put("c", "C", 7.0)  # with it, 11 bytes: the one used longest ago goes
    assert kept.get("a") is None
    assert kept.get("c") == "C"


def test_a_key_opens_its_own_upload_and_no_other() -> None:
    task_set = drawn(2)
    name = f"upload:{task_set.digest[:16]}"
    first = open_page(task_set=task_set)
    key = link(first, "key")
    assert len(key) >= 20
    assert "2 binary tasks" in texts(open_page(set=name, key=key))
    for wrong in (key[:-1], "", "upload"):
        assert open_page(set=name, key=wrong).warning
    assert open_page(set="upload:0123456789abcdef", key=key).warning


def test_the_key_leaves_the_link_with_the_upload() -> None:
    app = open_page(task_set=drawn(2))
    app.selectbox(key="w-set").select("plane-equal").run()
    assert link(app, "set") == "plane-equal"
    assert link(app, "key") == ""


@pytest.fixture
def megabytes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server that holds at most two megabytes more than it does."""
    most = limiting.used() / 1e6 + 2.0
    monkeypatch.setattr(limiting, "serving", lambda: replace(OWN_MACHINE, public=True, held_megabytes=most))
    monkeypatch.setattr(limiting, "_caches", [])
    return iter(())


def of_a_megabyte() -> TaskSet:
    return drawn(2, features=1024, points=32)  # twice 64 points with their tests, 8 bytes each


def test_all_sets_together_take_no_more_than_the_server_may_hold(megabytes: None) -> None:
    first = limiting.hold_set(of_a_megabyte())
    assert limiting.points_bytes(first) == 2**20
    assert limiting.hold_set(first) is first  # counted once
    with pytest.raises(SettingsError, match="no room for another 1 MB; try again"):
        limiting.hold_set(of_a_megabyte())
    del first
    limiting.hold_set(of_a_megabyte())


def test_caches_are_cleared_before_a_visitor_is_refused(megabytes: None) -> None:
    shelf: cache.BoundedCache[TaskSet] = cache.BoundedCache(9)
    limiting.register_cache(shelf.drop)
    for key in range(5):
        shelf.put(key, limiting.hold_set(of_a_megabyte()))
    assert len(shelf) == 1


def test_strangers_upload_smaller_sets_and_are_told_before_they_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = formats.dump(drawn(2, features=40, points=8), "npz")
    with limits.at_most(1200), pytest.raises(FormatError, match="holds more than 1,200 numbers"):
        formats.read(data, "mine.npz")
    assert formats.read(data, "mine.npz").task_set.n_features == 40
    text = "task,label,x\n" + "a,1,2\na,0,1\n" * 50
    monkeypatch.setattr(limiting, "serving", lambda: replace(OWN_MACHINE, public=True, upload_cells=99))
    with limiting.reading_limits(), pytest.raises(FormatError, match="holds 100 numbers"):
        formats.read(text.encode(), "mine.csv")
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **{"a/X": np.zeros((2000, 500)), "a/y": np.arange(2000) % 2})
    assert len(buffer.getvalue()) < 20_000
    with limits.at_most(50_000), pytest.raises(CurriculabError, match="the most that is"):
        formats.read(buffer.getvalue(), "bomb.npz")


def test_a_link_alone_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURRICULAB_PUBLIC", "1")
    app = open_page("runs", set="shoes-like?train=500&test=2000", C="1")
    assert not app.exception
    assert "49,500,000 numbers" in open_page(set="shoes-like?train=500&test=2000", C="1").warning[0].value.replace(
        "\\", ""
    )
    assert not open_page("runs", set="plane-tree?train=500", C="1").exception


def test_an_upload_that_nobody_looks_at_is_forgotten_after_its_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(cache.time, "monotonic", lambda: now)
    held = uploads.Upload(Path("mine.csv"), drawn(2), FileSource.of(drawn(2)), ())
    uploads._shelf.put("a key", held)
    now = uploads.HOURS * 3600.0 - 1
    assert uploads._shelf.get("a key") is held  # looked at: its hours begin anew
    now *= 2
    assert uploads._shelf.get("a key") is held
    now += uploads.HOURS * 3600.0 + 1
    assert uploads._shelf.get("a key") is None


def hold_with_its_table() -> None:
    """An upload whose file is larger than the shelf, though its points are not."""
    from pathlib import Path

    import streamlit as st

    from dashboard.session import uploads
    from dashboard.session.cache import BoundedCache
    from data.sources.file import FileSource
    from tests.dashboard.screens import drawn

    uploads._shelf = BoundedCache(9, 10_000.0)
    for contents in (b"", bytes(20_000)):
        task_set = drawn(2 if contents else 3)
        source = FileSource.of(task_set)
        uploads.hold(uploads.Upload(Path("mine.csv"), task_set, source, (), contents=contents))
    st.code(f"{len(uploads.held())} {len(uploads._shelf)}")


def test_the_shelf_counts_the_file_of_an_upload_not_only_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "_shelf", uploads._shelf)  # brought back at the end
    app = AppTest.from_function(hold_with_its_table, default_timeout=SECONDS).run()
    assert not app.exception
    assert app.code[0].value == "2 1"
