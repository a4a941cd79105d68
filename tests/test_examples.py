"""The scripts in `examples/` run as they stand, and say what they promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAYS = {
    "own_tasks.py": "bound on half the expected error:",
    "every_order.py": "120 orders",
    "with_scikit_learn.py": "from the first task:",
}


def test_every_example_is_tried() -> None:
    assert {path.name for path in (ROOT / "examples").glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "examples" / name],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert SAYS[name] in run.stdout
