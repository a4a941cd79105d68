"""How the numerical kernels are compiled by numba: once for each machine and state of the sources, cached on disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def _cache_folder() -> Path | None:
    """A writable folder that belongs to the present sources of all of core; None if there is none.

    Numba alone looks at the file of the compiled function, not at those of the functions it calls nor of the constants
    it bakes in, and would go on using a kernel whose inner part has changed.
    """
    here = Path(__file__).resolve().parents[1]
    sources = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(here.rglob("*.py")))).hexdigest()[:16]
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


FOLDER = _cache_folder()
if FOLDER is not None:
    cast(Any, numba.config).CACHE_DIR = str(FOLDER)


def on_disk() -> bool:
    """Whether an earlier process has left kernels of these sources; if not, the first use compiles them."""
    return FOLDER is not None and any(path.is_file() for path in FOLDER.rglob("*"))


def kernel(function: Kernel) -> Kernel:
    """`numba.njit`, cached and without the interpreter lock; sums may be reordered, NaN and infinity stay exact."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}
    options |= {"cache": FOLDER is not None, "no_cfunc_wrapper": True}
    return cast(Kernel, numba.njit(function, **options))
