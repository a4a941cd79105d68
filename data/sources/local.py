"""Where local copies of the paper's data lie, and opening them without trusting them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import CurriculabError
from data.archives.npz import read_array
from data.archives.zip_archive import Archive
from data.limits import check_bytes, check_shape
from data.task_names import shown_file

ENVIRONMENT = "CURRICULAB_DATA"
Arrays = dict[str, npt.NDArray[Any]]


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """The folder of local copies: as given, else `$CURRICULAB_DATA`, else `~/.local/share/curriculab`."""
    chosen = folder or os.environ.get(ENVIRONMENT)
    if chosen:
        return Path(chosen).expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "curriculab"


def where(folder: str | os.PathLike[str] | None = None) -> str:
    """The folder for a sentence that says where to put something."""
    return f"{data_folder(folder)} (or set {ENVIRONMENT} to another folder)"


def load_arrays(path: Path, wanted: tuple[str, ...]) -> Arrays:
    """The wanted arrays of a local NPZ, unpickled, within the limits for any file; all must be there."""
    file = shown_file(path.name)
    try:
        check_bytes(file, path.stat().st_size)
        archive = Archive(path.read_bytes(), file)
    except OSError as error:
        raise CurriculabError(f"{file} cannot be opened; check its permissions") from error
    absent = [name for name in wanted if f"{name}.npy" not in archive.sizes]
    if absent:
        raise CurriculabError(f"{file} lacks the array {absent[0]!r}; it needs {', '.join(wanted)}")
    arrays = {name: read_array(archive, f"{name}.npy", f"{file}: array {name!r}", "biufU") for name in wanted}
    if "X" in arrays:
        X = arrays["X"]
        if X.ndim != 2 or X.dtype.kind == "U":
            raise CurriculabError(f"{file}: array 'X' has shape {X.shape}; it needs a row of numbers for each image")
        check_shape(file, *X.shape)
    return arrays


def npz_names(path: Path) -> tuple[str, ...]:
    """The names of the arrays in a local NPZ; none if it is no such file."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return tuple(name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy"))
    except (OSError, zipfile.BadZipFile, ValueError):
        return ()


def texts(array: npt.NDArray[Any]) -> tuple[str, ...]:
    """An array of names as Python text."""
    return tuple(str(name) for name in np.atleast_1d(array).tolist())
