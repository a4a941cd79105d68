"""A wheel holds everything that the checkout has: modules, pages, theme and data files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow
PACKAGES = ("core", "data", "dashboard")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built offline by the pinned setuptools, from a copy, so that nothing is left in the checkout."""
    copy = tmp_path_factory.mktemp("checkout")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    output = copy / "dist"
    subprocess.run([sys.executable, "-c", build, str(output)], cwd=copy, check=True, capture_output=True)
    return next(output.glob("curriculab-*.whl"))


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(wheel: Path) -> None:
    expected = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert {"dashboard/app.py", "dashboard/streamlit.toml", "dashboard/py.typed"} <= expected
    assert packed == expected


def test_the_packed_command_works_in_another_folder(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    (tmp_path / "elsewhere").mkdir()
    # The environment's own curriculab is hidden: PYTHONPATH comes first.
    run = subprocess.run(
        [sys.executable, "-c", "from dashboard import cli; print(cli.__file__); cli.main(['sets', '--json'])"],
        cwd=tmp_path / "elsewhere",
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout.startswith(str(tmp_path / "site"))
    assert '"digits-levels"' in run.stdout
    assert run.stderr == ""
