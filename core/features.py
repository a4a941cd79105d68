"""Feature matrices, dense or CSR: what is done to them row by row."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import scipy.sparse as sp

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
Features: TypeAlias = "FloatArray | sp.csr_array"
Normalize = Literal["l2", "none"]


def is_sparse(X: object) -> TypeGuard[sp.csr_array]:
    """Whether X is sparse; SciPy, slow to load, is asked only where it is there already, since it made X."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(X))


def row_norms(X: Features) -> FloatArray:
    """Euclidean length of every row; scaled first, so that neither huge nor tiny rows overflow or vanish."""
    if is_sparse(X):
        import scipy.sparse as sp

        scale = np.asarray(abs(X).max(axis=1).todense()).ravel()
        safe = np.where(scale > 0, scale, 1.0)
        scaled = sp.csr_array(X.multiply(1.0 / safe[:, None]))
        return np.asarray(safe * np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel()))
    scale = np.abs(X).max(axis=1)
    safe = np.where(scale > 0, scale, 1.0)
    unit = X / safe[:, None]
    return np.asarray(safe * np.sqrt(np.einsum("ij,ij->i", unit, unit)))


def prepare(X: Features, normalize: Normalize, bias: bool) -> Features:
    """Rows divided by their length, where asked for, and then a column of ones."""
    if normalize == "l2":
        norms = row_norms(X)
        scale = 1.0 / np.where(norms > 0, norms, 1.0)  # a row of zeros stays a row of zeros
        X = X.multiply(scale[:, None]).tocsr() if is_sparse(X) else X * scale[:, None]
    if not bias:
        return X
    ones = np.ones((X.shape[0], 1))
    if not is_sparse(X):
        return np.hstack([X, ones])
    import scipy.sparse as sp

    return sp.csr_array(sp.hstack([X, ones]))


def first_not_finite(features: Features) -> tuple[int, int]:
    """Row and column, counted from 1, of the first NaN or infinity."""
    if is_sparse(features):
        coordinates = features.tocoo()
        k = int(np.flatnonzero(~np.isfinite(coordinates.data))[0])
        return int(coordinates.coords[0][k]) + 1, int(coordinates.coords[1][k]) + 1
    row, column = np.argwhere(~np.isfinite(features))[0]
    return int(row) + 1, int(column) + 1


def row_keys(X: Features) -> list[bytes]:
    """Every row as bytes: two rows are equal where these are."""
    if is_sparse(X):
        return [
            X.indices[a:b].tobytes() + X.data[a:b].tobytes() for a, b in zip(X.indptr[:-1], X.indptr[1:], strict=True)
        ]
    plain = np.ascontiguousarray(X + 0.0)  # minus zero is zero
    return [row.tobytes() for row in plain]


def array_bytes(array: Features | None) -> Iterator[bytes]:
    """Shape and numbers of an array, or its absence, piece by piece, as a digest takes them."""
    if array is None:
        yield b"none"
        return
    parts = (array.data, array.indices, array.indptr) if is_sparse(array) else (array,)
    yield repr(array.shape).encode()
    for part in parts:
        yield part.tobytes()
