"""What the documents and the sub-packages say of the code is there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
PACKAGES = sorted(path for room in ("core", "data", "dashboard") for path in (ROOT / room).rglob("__init__.py"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    named = re.findall(
        r"`((?:core|data|dashboard|tests|docs|examples)/[\w./-]*)`", document.read_text(encoding="utf-8")
    )
    assert [name for name in named if not ((ROOT / name).exists() or (ROOT / f"{name}.py").exists())] == []


def test_both_walks_pass_modules_that_are_there_and_the_first_at_most_twenty() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walks = [part.split("\n\n")[0] for part in text.split("**From ")[1:]]
    rooms = ("", "dashboard", "data")
    for walk, most in zip(walks, (20, 20), strict=True):
        named = re.findall(r"`([\w/]+)`", walk)
        gone = [name for name in named if not any((ROOT / room / f"{name}.py").exists() for room in rooms)]
        assert (gone, len(named) <= most) == ([], True)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.parent.relative_to(ROOT).as_posix())
def test_the_doors_that_a_package_names_open(package: Path) -> None:
    module = importlib.import_module(package.parent.relative_to(ROOT).as_posix().replace("/", "."))
    doors = re.search(r"^Doors?: (.*?)\n\n|^Doors?: (.*)", f"{module.__doc__}\n\n", re.DOTALL | re.MULTILINE)
    for name in re.findall(r"`(\w+(?:\.\w+)*)`", doors[0] if doors else ""):
        here, *inner = name.split(".")
        found = getattr(module, here, None) or importlib.import_module(f"{module.__name__}.{here}")
        for attribute in inner:
            found = getattr(found, attribute)
