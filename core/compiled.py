"""How the numerical kernels are compiled: to machine code, cached on disk, without the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., object])

# Sums may be reordered for speed; NaN and infinity keep their meaning.
_compile = njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")


def compiled(function: Kernel) -> Kernel:
    """Compile at the first call for each set of argument types; the signature stays as it is written."""
    return cast(Kernel, _compile(function))
