"""NPZ task sets: arrays `<task>/X`, `<task>/y`, optional `<task>/X_test`, `<task>/y_test`. Never pickled.

What is known of a set travels in the optional arrays `<task>/rank` (1 is easiest), `<task>/group`,
`<task>/image_shape`, `<task>/normalize` and `<task>/bias`, that of its features in
`feature_names`, and how it was made of a table in `recipe`.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from core.task_set import FloatArray, TaskSet
from data.assembly import Known, Points, Reading, dense, fitting, reading_of
from data.files import Archive, leads_out
from data.limits import FormatError, check_shape, check_tasks, max_cells
from data.task_names import clean_task_name, listed, shown_file


def read_array(archive: Archive, member: str, where: str, kinds: str, is_features: bool = False) -> npt.NDArray[Any]:
    """A member as an array of one of the dtype `kinds`, bytes as text; never unpickled, never larger than its file."""
    data = archive.read(member)
    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = header(stream)
    except (ValueError, EOFError):
        raise FormatError(f"{where} is no NumPy array; save it with numpy.savez") from None
    if dtype.hasobject:
        raise FormatError(f"{where} holds Python objects, which are never opened; save plain numbers")
    if dtype.kind not in kinds:  # which leaves out records
        raise FormatError(f"{where} has type {str(dtype)[:30]}; save plain numbers")
    if is_features:
        check_shape(where, shape[0] if shape else 0, math.prod(shape[1:]))
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
        raise FormatError(f"{where} is damaged: its length does not match its shape; save it again")
    stream.seek(0)
    array = np.asarray(np.lib.format.read_array(stream, allow_pickle=False))
    return np.char.decode(array, "latin-1") if dtype.kind == "S" else array


_POINTS = ("X", "y", "X_test", "y_test")
_FEATURES = "feature_names.npy"
_RECIPE = "recipe.npy"
_KNOWN = ("rank", "group", "image_shape", "normalize", "bias")
AnyArray = npt.NDArray[Any]


def read_npz(archive: Archive, file: str, filename: str) -> Reading:
    """Every array's header is checked for type and size before its values are read."""
    tasks: dict[str, dict[str, str]] = {}
    ignored = []
    for member in archive.sizes:
        if member in (_FEATURES, _RECIPE):
            continue
        task, _, part = member.removesuffix(".npy").rpartition("/")
        if member.endswith(".npy") and task and part in _POINTS + _KNOWN:
            tasks.setdefault(task, {})[part] = member
        else:
            ignored.append(member.removesuffix(".npy"))
    if not tasks:
        raise FormatError(f"{file}: {_hint(ignored)}")
    check_tasks(file, len(tasks))
    assumptions = [f"Left out {listed(ignored)}, which belongs to no task."] if ignored else []
    cells = 0
    arrays: dict[str, dict[str, AnyArray]] = {}
    for task, parts in tasks.items():
        clean_task_name(task, file)
        for part in ("X", "y"):
            if part not in parts:
                raise FormatError(f"{file}: task {task!r} has no array {part!r}; save it as '{task}/{part}'")
        arrays[task] = {part: _array(archive, member, file, task, part) for part, member in parts.items()}
        cells += sum(arrays[task][part].size for part in ("X", "X_test") if part in parts)
        if cells > max_cells():
            raise FormatError(f"{file} holds more than {max_cells():,} numbers; take fewer rows or features")
    shapes = {parts["X"].shape[1:] for parts in arrays.values()}
    image = shapes.pop() if len(shapes) == 1 and all(parts["X"].ndim == 3 for parts in arrays.values()) else None
    if image is not None:
        assumptions.append(f"Every row of X is an image of {image[0]} x {image[1]}, laid out row by row.")
    points, said = _points(file, arrays)
    stated = _stated(arrays, image)
    if _FEATURES in archive.sizes:
        given = read_array(archive, _FEATURES, f"{file}: array 'feature_names'", "US")
        stated["feature_names"] = [str(name) for name in given.ravel()]
    if _RECIPE in archive.sizes:
        line = read_array(archive, _RECIPE, f"{file}: array 'recipe'", "U")
        stated["recipe"] = str(line) if line.size == 1 else ""
    names = tuple(name.strip() for name in arrays)
    known, misfits = fitting(stated, names, next(iter(points.values()))[0].X.shape[1])
    return reading_of(filename, points, known, [said, *assumptions, *misfits])


def write_npz(task_set: TaskSet) -> bytes:
    """The set as float64 arrays, exactly; sparse features become dense."""
    arrays: dict[str, AnyArray] = {}
    for task in task_set.tasks:
        name = task.name
        if leads_out(name):
            raise FormatError(f"task {name!r} would be a path that leads out of the archive; rename it")
        arrays[f"{name}/X"], arrays[f"{name}/y"] = dense(task.X), task.y
        if task.X_test is not None and task.y_test is not None:
            arrays[f"{name}/X_test"], arrays[f"{name}/y_test"] = dense(task.X_test), task.y_test
        if task_set.semantic_order is not None:
            arrays[f"{name}/rank"] = np.array(task_set.semantic_order.index(name) + 1)
        if task_set.groups is not None:
            arrays[f"{name}/group"] = np.array(task_set.groups[name])
        if task_set.image_shape is not None:
            arrays[f"{name}/image_shape"] = np.array(task_set.image_shape)
        if task_set.normalize != "l2":
            arrays[f"{name}/normalize"] = np.array(task_set.normalize)
        if not task_set.bias:
            arrays[f"{name}/bias"] = np.array(False)
    if task_set.feature_names is not None:
        arrays[_FEATURES.removesuffix(".npy")] = np.array(task_set.feature_names)
    if task_set.recipe:
        arrays[_RECIPE.removesuffix(".npy")] = np.array(task_set.recipe)
    return arrays_file(arrays)


def _array(archive: Archive, member: str, file: str, task: str, part: str) -> AnyArray:
    where = f"{file}: array {part!r} of task {shown_file(task)!r}"
    kinds = "biufUS" if part in ("y", "y_test", "group", "normalize") else "biuf"
    return read_array(archive, member, where, kinds, is_features=part in ("X", "X_test"))


def _points(
    file: str, arrays: Mapping[str, Mapping[str, AnyArray]]
) -> tuple[dict[str, tuple[Points, Points | None]], str]:
    """The training and test points of every task, and which label is positive: one rule for all labels of the file."""
    import pandas as pd

    from data.recipes.labels import file_signs
    from data.tables.column import column_of

    given: dict[tuple[str, int], tuple[FloatArray, AnyArray]] = {}
    for task, parts in arrays.items():
        for part, (X_part, y_part) in enumerate((("X", "y"), ("X_test", "y_test"))):
            if X_part not in parts and y_part not in parts:
                continue
            if X_part not in parts or y_part not in parts:
                there, absent = (X_part, y_part) if X_part in parts else (y_part, X_part)
                raise FormatError(f"{file}: task {task!r} has {there!r} but no {absent!r}; give both or neither")
            X, y = parts[X_part], parts[y_part]
            y = y.ravel() if y.ndim == 2 and 1 in y.shape else y
            X = X.reshape(len(X), -1) if X.ndim == 3 and len(X) else X
            if X.ndim != 2 or y.ndim != 1 or len(X) != len(y) or not X.size:
                raise FormatError(
                    f"{file}: task {task!r} has {X_part} of shape {X.shape} and {y_part} of shape {y.shape}; "
                    f"{X_part} needs points x features and {y_part} one label for each point"
                )
            with np.errstate(over="ignore"):  # a long double beyond float64 becomes inf and is refused by Task
                given[task, part] = np.ascontiguousarray(X, dtype=np.float64), y.astype(str)
    labels = pd.Series(np.concatenate([y for _, y in given.values()]))
    signs, said = file_signs(column_of("label", labels), file)
    ends = np.cumsum([len(y) for _, y in given.values()])[:-1]
    points = {key: Points(X, y) for (key, (X, _)), y in zip(given.items(), np.split(signs, ends), strict=True)}
    return {task: (points[task, 0], points.get((task, 1))) for task in arrays}, said


def _stated(arrays: Mapping[str, Mapping[str, AnyArray]], image: tuple[int, int] | None) -> Known:
    """What the optional arrays say of the set, as `fitting` takes it; lists are empty where arrays contradict it."""
    given = {part: [parts[part] for parts in arrays.values() if part in parts] for part in _KNOWN}
    stated: Known = {"bias": not any(value.size == 1 and not bool(value) for value in given["bias"])}
    if any(str(value) == "none" for value in given["normalize"]):
        stated["normalize"] = "none"
    if given["rank"]:
        ranks = [float(rank) for rank in given["rank"] if rank.size == 1]
        stated["semantic_order"] = np.argsort(ranks, kind="stable").tolist() if len(set(ranks)) == len(ranks) else []
    if given["group"]:
        stated["groups"] = [str(group)[:200] for group in given["group"] if group.size == 1 and str(group).strip()]
    shapes = {tuple(int(side) for side in shape.ravel()[:3]) for shape in given["image_shape"]}
    if image is not None or shapes:
        stated["image_shape"] = image or (shapes.pop() if len(shapes) == 1 else ())
    return stated


def _hint(names: list[str]) -> str:
    if {"X", "label", "level"} <= set(names):
        return "this is an Animals-with-Attributes copy, not a task set; use awa:CLASS instead"
    if {"X", "label", "relative_ordering"} <= set(names):
        return "this is a set of attribute-ranked classes, not a task set; use attributes:FILE instead"
    found = f"found {listed(names)}" if names else "found nothing"
    return f"no arrays named like 'TASK/X' and 'TASK/y' ({found}); see the NPZ template"


def arrays_file(arrays: Mapping[str, AnyArray]) -> bytes:
    """An NPZ with these names; `numpy.savez` would take a task called `file` for its own argument."""
    contents = io.BytesIO()
    with zipfile.ZipFile(contents, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    return contents.getvalue()
