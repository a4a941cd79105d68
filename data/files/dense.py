"""Features as dense rows, for formats that know no other."""

from __future__ import annotations

import scipy.sparse as sp

from core.tasks import Features, FloatArray
from data.files.limits import MAX_CELLS, FormatError


def dense(X: Features) -> FloatArray:
    """`X` as a dense array, unless that would be larger than any file we read."""
    if not isinstance(X, sp.csr_array):
        return X
    if X.shape[0] * X.shape[1] > MAX_CELLS:
        raise FormatError(
            f"{X.shape[0]:,} x {X.shape[1]:,} sparse features become too many when dense; "
            f"the most that is written is {MAX_CELLS:,} numbers"
        )
    values: FloatArray = X.toarray()
    return values
