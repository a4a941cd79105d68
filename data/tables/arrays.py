"""NPZ files of one data set as scikit-learn's users save them: `X, y`, `data, target`, or these with train and test."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.archives.npz import read_array
from data.archives.zip_archive import Archive
from data.limits import FormatError
from data.tables.table import Table, table_of

AnyArray = npt.NDArray[Any]
_PAIRS = (("X", "y"), ("data", "target"), ("x", "y"))


def array_names(members: Container[str]) -> tuple[tuple[str, str, str], ...]:
    """The names of features and labels that are there, with the part of the data; empty where this is no data set."""
    for X, y in _PAIRS:
        for parts in (((X, y, ""),), ((f"{X}_train", f"{y}_train", "train"), (f"{X}_test", f"{y}_test", "test"))):
            if all(f"{name}.npy" in members for names in parts for name in names[:2]):
                return parts
    return ()


def read_arrays(archive: Archive, file: str, filename: str, digest: str) -> Table:
    """A table of the features, the column `label` (or y1, y2, ...), and `split` if there are two parts."""
    frames = []
    for X_name, y_name, part in array_names(archive.sizes):
        X = read_array(archive, f"{X_name}.npy", f"{file}: array {X_name!r}", "biuf", is_features=True)
        y = read_array(archive, f"{y_name}.npy", f"{file}: array {y_name!r}", "biufUS")
        X = X.reshape(len(X), -1) if X.ndim > 2 and len(X) else X
        y = y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y
        if X.ndim != 2 or y.ndim not in (1, 2) or len(X) != len(y) or not X.size:
            raise FormatError(
                f"{file}: {X_name!r} has the shape {X.shape} and {y_name!r} {y.shape}; "
                f"{X_name!r} needs points x features and {y_name!r} a label for each point"
            )
        frame = pd.DataFrame(X, columns=pd.Index(_names(archive, file, "feature_names", X.shape[1], "x")))
        y = _texts(y)
        if y.ndim == 1:
            frame["label"] = _words(archive, file, y)
        else:
            for k, name in enumerate(_names(archive, file, "target_names", y.shape[1], "y")):
                frame[name] = y[:, k]
        frames.append(frame.assign(split=part) if part else frame)
    if len({frame.shape[1] for frame in frames}) > 1:
        raise FormatError(f"{file}: training and test data have different numbers of columns; use one feature space")
    return table_of(pd.concat(frames, ignore_index=True), filename, (), digest)


def _names(archive: Archive, file: str, member: str, count: int, word: str) -> list[str]:
    """The names that the file has for so many columns, or counted ones."""
    if f"{member}.npy" in archive.sizes:
        given = _texts(read_array(archive, f"{member}.npy", f"{file}: array {member!r}", "US")).ravel()
        if len(given) == count:
            return [str(name) for name in given]
    return [f"{word}{k + 1}" for k in range(count)]


def _words(archive: Archive, file: str, y: AnyArray) -> AnyArray:
    """Labels that count the classes as the names that the file has for these."""
    if y.dtype.kind not in "iu" or "target_names.npy" not in archive.sizes:
        return y
    names = _texts(read_array(archive, "target_names.npy", f"{file}: array 'target_names'", "US")).ravel()
    return names[y] if len(y) and y.min() >= 0 and y.max() < len(names) else y


def _texts(array: AnyArray) -> AnyArray:
    return np.char.decode(array, "latin-1") if array.dtype.kind == "S" else array
