"""The catalogue: every built-in source by name, and `load` for a name or a file."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.errors import CurriculabError
from core.task_set import Task, TaskSet
from data.recipes.recipe import split_name
from data.sources import local
from data.sources.digits import DIGITS, MNIST, rotated_source
from data.sources.local import Folder
from data.sources.plane import PLANE
from data.sources.sensors import watch_source
from data.sources.source import BuiltIn, Source
from data.sources.synthetic import SYNTHETIC

if TYPE_CHECKING:
    from data.archives.formats import Kind as FileKind

DEFAULT = "mnist-levels"
STORY_SET, STORY_C = "mnist-levels:2", 1000.0
"""Where all 120 orders are tried. On seeds 100 to 199, which did not choose it, SeqMT has less error than the mean
order in 96 draws, lower bounds go with lower errors in 96, and the mean order beats learning alone in 100."""


def sources(folder: Folder = None) -> tuple[BuiltIn, ...]:
    """Every source worth listing, the default first; some may be unavailable and say what is missing.

    `folder` is where local copies lie; without it, see `data.sources.local.data_folder`.
    """
    return (
        MNIST.levels_source(),
        MNIST.levels_source(2),
        MNIST.attributes_source(),
        DIGITS.levels_source(),
        DIGITS.levels_source(8),
        DIGITS.attributes_source(),
        rotated_source(),
        *PLANE,
        *SYNTHETIC,
        watch_source(),
        *local.local_sources(folder),
    )


def find(name: str, folder: Folder = None) -> BuiltIn:
    """The source of that name, with its parameters (`digits-levels:8`) and knobs (`?noise=0.2`).

    Looks at no file outside the folder of local copies, so it may be given names from anywhere, such as links.
    """
    base, _, query = name.partition("?")
    source = _parametrised(base, folder) or next((s for s in sources(folder) if s.name == base), None)
    if source is None:
        raise CurriculabError(f"no task set is called {name[:60]!r}; {_suggestion(base, folder)}")
    return source.tuned_by(query) if query else source


def load(name: str, seed: int = 0) -> TaskSet:
    """A task set from a built-in name, or else from a file, a folder or a table with its recipe (`FILE?recipe=…`); for
    people on their own machine."""
    return _opened(name).as_given(seed)


def open_source(name: str) -> Source:
    """The source of the same names, for repeats: where there is no test data, a share of the points is held out."""
    family, _, file = name.partition(":")
    if family == "attributes" and Path(file).is_file():
        name = f"attributes:{Path(file).resolve()}"
    return _opened(name).with_test()


def _opened(name: str) -> Source:
    path, recipe = split_name(name)
    if recipe is not None:
        from data.sources.table import open_table

        return open_table(path, recipe)
    family, _, parameter = name.partition(":")
    if family == "attributes" and Path(parameter).is_file():
        return local.ranked_source(Path(parameter), parameter)
    if _is_path(name):
        from data.archives import formats
        from data.sources.file import FileSource

        return FileSource.of(formats.read(Path(name)).task_set, str(Path(name).resolve()))
    return find(name)


def _is_path(text: str) -> bool:
    """Whether a file is meant: it is there, or it is spelled as no built-in name is."""
    try:
        there = bool(text) and Path(text).exists()
    except (OSError, ValueError):
        return False
    spelled = re.search(r"\.(npz|csv|tsv|txt|parquet|pq|zip|xlsx|arff)$", text, re.IGNORECASE) or text.startswith(
        ("/", "./", "../")
    )
    local_copy = text.partition(":")[0] in ("attributes", "awa")
    listed = {source.name for source in sources()} if there else ()
    return not local_copy and (bool(spelled) or (there and text.partition("?")[0] not in listed))


def _parametrised(base: str, folder: Folder) -> BuiltIn | None:
    family, _, parameter = base.partition(":")
    collection = {"digits-levels": DIGITS, "mnist-levels": MNIST}.get(family)
    if collection is not None and re.fullmatch(r"[0-9]", parameter):
        return collection.levels_source(int(parameter))
    if family == "digits-rotated" and re.fullmatch(r"[0-9]-[0-9]", parameter):
        return rotated_source((int(parameter[0]), int(parameter[2])))
    if family == "awa" and parameter and parameter != "CLASS":
        return local.awa_source(parameter, folder)
    if family == "attributes" and parameter and parameter != "FILE":
        return local.ranked_source(local.file_named(parameter, folder))
    return None


def _suggestion(base: str, folder: Folder) -> str:
    names = [source.name for source in sources(folder)]
    near = difflib.get_close_matches(base[:60], names, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"


def template(kind: FileKind) -> bytes:
    """A smallest file of that kind, to be overwritten with one's own: two tasks of three features."""
    from data.archives.formats import dump

    rows = np.array([[0.9, 0.1, 0.5], [0.8, 0.3, 0.4], [0.1, 0.9, 0.6], [0.2, 0.7, 0.5]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    tasks = tuple(
        Task(name, rows + shift, y, rows[[1, 2]] + shift + 0.05, y[[1, 2]])
        for name, shift in (("first task", 0.0), ("second task", 0.25))
    )
    return dump(TaskSet("template", tasks), kind)


def example(kind: FileKind) -> bytes:
    """A small real set in that format: one digit's levels of difficulty, as 8 x 8 images."""
    from data.archives.formats import dump

    return dump(find("digits-levels:8").sample(0, (10, 5)), kind)
