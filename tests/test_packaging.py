"""A wheel holds everything that the checkout has, and what is installed works beside folders of the same names."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from dashboard.components import code_box
from data.archives import formats
from tests.dashboard.screens import drawn, open_page

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow
PACKAGES = ("core", "data", "dashboard")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, so that nothing is left in the checkout itself."""
    copy = tmp_path_factory.mktemp("checkout")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(copy: Path) -> Path:
    """Built offline by the pinned setuptools."""
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


@pytest.fixture
def installed(copy: Path, tmp_path: Path) -> Path:
    """The Python of a new environment into which the copy is installed by the Makefile's words, as `make run` does.

    What else it needs are links to this environment's packages: all but Curriculab.
    """
    lines = re.findall(r"^\t@\$\(PIP\) (.+--editable .+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(lines) == 2  # for `make run` and for `make test`
    assert lines[0] == lines[1]
    venv.create(tmp_path / "env", symlinks=True)
    python = tmp_path / "env" / "bin" / "python"
    here = Path(sysconfig.get_path("purelib"))
    there = next((tmp_path / "env" / "lib").glob("python*")) / "site-packages"
    for path in here.iterdir():
        if not re.match(r"(__editable__|curriculab)|.*\.pth$", path.name):
            (there / path.name).symlink_to(path)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, *shlex.split(lines[0])], cwd=copy, check=True, capture_output=True)
    return python


def test_the_code_boxs_python_runs_beside_folders_called_as_the_packages_are(installed: Path, tmp_path: Path) -> None:
    task_set = drawn(3)
    now = open_page(task_set=task_set, C="1").session_state["_current"]
    folder = tmp_path / "work"
    for package in PACKAGES:
        (folder / package).mkdir(parents=True)
    formats.write(task_set, folder / "mine.csv")
    (folder / "script.py").write_text(code_box.python(now, "seqmt", 1.0))
    for way in (["script.py"], ["-c", (folder / "script.py").read_text()]):
        run = subprocess.run(
            [str(installed), *way], cwd=folder, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        assert "task 1" in run.stdout
