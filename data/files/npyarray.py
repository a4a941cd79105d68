"""One array of an NPZ from a stranger: its header is judged before its values are read."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from data.files.archive import Archive
from data.files.limits import FormatError, check_shape


def read_array(archive: Archive, member: str, where: str, kinds: str, is_features: bool = False) -> npt.NDArray[Any]:
    """A member as a plain array of one of the dtype `kinds`; never unpickled, never larger than its file."""
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
    if dtype.names is not None or dtype.subdtype is not None or dtype.kind not in kinds:
        raise FormatError(f"{where} has type {str(dtype)[:30]}; save plain numbers")
    if is_features:
        check_shape(where, shape[0] if shape else 0, math.prod(shape[1:]))
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
        raise FormatError(f"{where} is damaged: its length does not match its shape; save it again")
    stream.seek(0)
    return np.asarray(np.lib.format.read_array(stream, allow_pickle=False))
