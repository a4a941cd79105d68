"""A run that a stranger made up, with other tasks than its source has: it can be looked at, and harms no page."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.runs.bundle import import_bundle
from data.runs.store import Store
from tests.fuzz.files import bundle

APP = str(Path(__file__).resolve().parents[2] / "dashboard" / "app.py")


@pytest.mark.parametrize("page", ["runs", "compare", "subsequences", "orders"])
def test_pages_bear_an_imported_run_and_offer_nothing_but_to_look(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    made = tmp_path / "made.zip"
    made.write_bytes(bundle())
    with Store() as store:
        run = import_bundle(store, made)
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["set"] = "plane-tree"
    app.query_params["C"] = "1"
    app.query_params["run"] = str(run.id)
    app.run()
    app.switch_page(f"pages/{page}/page.py").run()
    assert not app.exception
    assert not any("nobody foresaw" in error.value for error in app.error)
    assert "Resume" not in [button.label for button in app.button]
    if page == "runs":
        assert any("imported, to be looked at" in part.value for part in app.markdown)


def test_compare_opens_no_imported_run_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    made = tmp_path / "made.zip"
    made.write_bytes(bundle())
    with Store() as store:
        run = import_bundle(store, made)
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["set"] = "plane-tree"
    app.query_params["C"] = "1"
    app.run()
    app.switch_page("pages/compare/page.py").run()
    assert app.selectbox(key="w-run").value == 0  # the example that is shipped
    assert str(run.id) in [option.partition(":")[0] for option in app.selectbox(key="w-run").options]
