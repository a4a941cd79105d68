"""The shape of the code: no private part of a library outside the one module, short parameter lists, short modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(path for room in ("core", "data", "dashboard") for path in (ROOT / room).rglob("*.py"))
INSIDE = ROOT / "dashboard" / "server" / "streamlit_internals.py"
PUBLIC = {"_exit", "_asdict", "_Hash"}
"""Documented in spite of their names (`os`, named tuples), and the type that typeshed gives a hash."""
INTERNAL = ("streamlit.runtime", "streamlit.web", "joblib.externals", "numba.core")
"""Packages that their libraries promise nothing of."""
KEYWORDS = {"learn", "every_order"}
"""Public functions whose settings are keywords."""


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PUBLIC


def reaches(tree: ast.AST) -> Iterator[str]:
    """Private attributes of others than self and the own class, by name or in a text, and imports of internals."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and private(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
                yield ast.unparse(node)
        elif isinstance(node, (ast.Call, ast.Subscript)):
            named = node.args[1:2] if isinstance(node, ast.Call) else [node.slice]
            what = ast.unparse(node.func if isinstance(node, ast.Call) else node.value)
            texts = [one.value for one in named if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if what in ("getattr", "setattr", "hasattr", "delattr") or what.startswith("vars("):
                yield from (f"{what} {text}" for text in texts if private(text))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names]
            source = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            inside = any(f"{name}.".startswith(f"{one}.") for name in (source, *names) for one in INTERNAL)
            if inside or any(private(part) for name in (source, *names) for part in name.split(".")):
                yield f"from {source}" if source else f"import {', '.join(names)}"


def test_nothing_private_of_a_library_is_used_outside_the_one_module() -> None:
    found = {path: set(reaches(ast.parse(path.read_text(encoding="utf-8")))) for path in MODULES}
    assert found.pop(INSIDE)  # the rule sees what it is about
    assert {path.relative_to(ROOT).as_posix(): those for path, those in found.items() if those} == {}


REACHES = (
    "a._b", "f()._b = 1", "getattr(a, '_b')", "vars(a)['_b'] = 1", "from a._b import c", "from a import _b",
    "import a._b", "import streamlit.runtime.state", "from streamlit.web import server",
)  # fmt: skip


@pytest.mark.parametrize("code", REACHES)
def test_a_reach_inside_is_seen_however_it_is_written(code: str) -> None:
    assert list(reaches(ast.parse(code)))
    assert not list(reaches(ast.parse("self._b; cls._b; a.b; a.__dict__; getattr(a, 'b'); _b = a[0]; from a import b")))


def test_no_function_has_more_than_eight_parameters() -> None:
    long = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                given = node.args
                names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
                names += [one.arg for one in (given.vararg, given.kwarg) if one is not None]
                if len(names) - (names[:1] in (["self"], ["cls"])) > 8 and node.name not in KEYWORDS:
                    long.append(f"{path.relative_to(ROOT)}: {node.name} has {len(names)} parameters")
    assert long == []


def test_no_module_is_longer_than_300_lines() -> None:
    lines = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n") for path in MODULES}
    assert {name: count for name, count in lines.items() if count > 300} == {}


def test_goldens_stay_short_enough_to_be_read() -> None:
    assert sum(path.read_text(encoding="utf-8").count("\n") for path in (ROOT / "tests/golden").glob("*.txt")) <= 5000
