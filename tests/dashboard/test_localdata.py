"""The field for local copies of the paper's data."""

from pathlib import Path

import numpy as np

from tests.dashboard.screens import open_page


def test_a_folder_given_in_the_sidebar_brings_its_sets(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    label = np.repeat(np.arange(8), 60)
    np.savez(
        tmp_path / "faces.npz",
        X=rng.normal(size=(480, 6)) + label[:, None],
        label=label,
        names=np.array(["smiling", "young"]),
        relative_ordering=np.array([np.arange(1, 9), np.arange(8, 0, -1)]),
    )
    app = open_page("tasks", set="plane-equal", C="10")
    assert "attributes:faces.npz" not in app.selectbox(key="w-set").options
    app.text_input(key="w-data-folder").set_value(str(tmp_path)).run()
    assert not app.exception
    assert "attributes:faces.npz" in app.selectbox(key="w-set").options
