"""What stays in memory: results that all sessions share, bounded in number and in bytes; and imported modules."""

from __future__ import annotations

import gc
import sys
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """A dictionary with bounds; the least recently used go first.

    Keys name everything that a value depends on, data by its SHA-256 digest.
    """

    def __init__(self, most: int, most_bytes: float = float("inf")) -> None:
        self.most, self.most_bytes = most, most_bytes
        self._values: OrderedDict[Hashable, tuple[Value, float]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Value | None:
        """The value, which is now the most recently used."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: Value, size: float = 0.0) -> Value:
        """Keep a value of that many bytes; one larger than all room is not kept."""
        with self._lock:
            self._values.pop(key, None)
            if size <= self.most_bytes:
                self._values[key] = (value, size)
            while len(self._values) > self.most or sum(kept for _, kept in self._values.values()) > self.most_bytes:
                self._values.popitem(last=False)
        return value

    def __len__(self) -> int:
        return len(self._values)


_settled_modules = 0


def settle() -> None:
    """Spare the objects of imported modules from the search for garbage, which Streamlit makes after every run.

    They stay for good, and are some hundred thousand: looking at each took most of the time of a step forward.
    """
    global _settled_modules
    if len(sys.modules) != _settled_modules:
        _settled_modules = len(sys.modules)
        gc.collect()
        gc.freeze()
