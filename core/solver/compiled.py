"""How the numerical kernels are compiled: to machine code, cached on disk, without the interpreter lock."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np

Kernel = TypeVar("Kernel", bound=Callable[..., object])

ZERO = cast(int, np.int64(0))
"""For counters in kernels: a plain 0 is a type of its own, and what takes it is compiled for that once more."""


def _cache_folder() -> Path | None:
    """A writable folder that belongs to the present sources of all of core; None if there is none.

    Numba alone looks at the file of the compiled function, not at those of the functions it calls nor of the constants
    it bakes in, and would go on using a kernel whose inner part has changed.
    """
    here = Path(__file__).resolve().parents[1]
    modules = [path.read_bytes() for path in sorted(here.rglob("*.py"))]
    sources = hashlib.sha256(b"".join(modules)).hexdigest()[:16]
    personal = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "curriculab"
    for base in (here / "__pycache__", personal):
        folder = base / f"kernels-{sources}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


_FOLDER = _cache_folder()
if _FOLDER is not None:
    cast(Any, numba.config).CACHE_DIR = str(_FOLDER)

_njit = cast(Any, numba).njit  # whose types do not know all of these
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": {"reassoc", "contract", "nsz"},  # sums may be reordered for speed; NaN and infinity keep their meaning
    "error_model": "numpy",
    "no_cfunc_wrapper": True,  # nothing in C calls them, and it would be compiled with every kernel
}


def on_disk() -> bool:
    """Whether an earlier process has left kernels of these sources; if not, the first use compiles them."""
    return _FOLDER is not None and next(_FOLDER.rglob("*.nbi"), None) is not None


def compiled(function: Kernel) -> Kernel:
    """Compile at the first call for each set of argument types; the signature stays as it is written."""
    return cast(Kernel, _njit(function, cache=_FOLDER is not None, **_OPTIONS))


def part(function: Kernel) -> Kernel:
    """A few lines of the kernels that call them: written into each, not compiled by themselves."""
    return cast(Kernel, _njit(function, inline="always", **_OPTIONS))
