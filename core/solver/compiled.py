"""How the numerical kernels are compiled: to machine code, cached on disk, without the interpreter lock.

Numba takes longer to import than a small search takes to run, so it is loaded when the first kernel is called.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

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
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": {"reassoc", "contract", "nsz"},  # sums may be reordered for speed; NaN and infinity keep their meaning
    "error_model": "numpy",
    "no_cfunc_wrapper": True,  # nothing in C calls them, and it would be compiled with every kernel
}
_UNUSED = ("cffi", "coverage", "scipy.linalg.cython_blas", "yaml")
"""What numba imports where it is installed, for a tenth of a second, and none of our kernels needs."""
_own_process = False
_loading = threading.RLock()
_waiting: list[_Kernel] = []


def on_disk() -> bool:
    """Whether an earlier process has left kernels of these sources; if not, the first use compiles them."""
    return _FOLDER is not None and next(_FOLDER.rglob("*.nbi"), None) is not None


def have_own_process() -> None:
    """Say that nobody else compiles kernels in this process: numba need not look for what only theirs could use."""
    global _own_process
    _own_process = True


def compiled(function: Kernel) -> Kernel:
    """Compile at the first call for each set of argument types; the signature stays as it is written."""
    return cast(Kernel, _Kernel(function, cache=_FOLDER is not None))


def part(function: Kernel) -> Kernel:
    """A few lines of the kernels that call them: written into each, not compiled by themselves."""
    return cast(Kernel, _Kernel(function, inline="always"))


class _Kernel:
    """A kernel until it is first called; then numba's own takes its place in every module of ours."""

    def __init__(self, function: Callable[..., object], **options: Any) -> None:
        self.function, self.options = function, options
        self.kernel: Any = None
        _waiting.append(self)

    def __call__(self, *arguments: Any) -> Any:
        """What numba's kernel answers."""
        if self.kernel is None:
            _load()
        return self.kernel(*arguments)


def _load() -> None:
    """Give all kernels to numba, and their names in all modules of ours to what it makes of them.

    Kernels call each other by these names, also those of a module that is only now being imported. Until all names are
    given, other threads wait: a kernel that was compiled meanwhile would call what numba cannot.
    """
    with _loading:
        numba = _numba()
        made: dict[_Kernel, Any] = {}
        while _waiting:
            kernel = _waiting.pop()
            made[kernel] = numba.njit(kernel.function, **kernel.options, **_OPTIONS)
        ours = __name__.partition(".")[0]
        changes: list[tuple[dict[str, Any], dict[str, Any]]] = []
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] == ours:
                names = vars(module)
                found = {key: value for key, value in list(names.items()) if isinstance(value, _Kernel)}
                changes.append((names, {key: made.get(value, value.kernel) or value for key, value in found.items()}))
        for names, given in changes:
            names.update(given)
        for kernel, dispatcher in made.items():
            kernel.kernel = dispatcher


def _numba() -> Any:
    absent = [name for name in _UNUSED if _own_process and name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent, cast(Any, None)))  # so that they are not found
    try:
        import numba
        import numba.core.typing.cffi_utils
        import numba.np.arraymath
    finally:
        for name in absent:
            del sys.modules[name]
    if _FOLDER is not None:
        cast(Any, numba.config).CACHE_DIR = str(_FOLDER)
    return numba
