"""What stays in memory: results that all sessions share, bounded in number, in bytes and in time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class BoundedCache(Generic[Value]):
    """A dictionary with bounds; the least recently used go first, and those that nobody used for `most_seconds`.

    Keys name everything that a value depends on, data by its SHA-256 digest.
    """

    def __init__(self, most: int, most_bytes: float = float("inf"), most_seconds: float = float("inf")) -> None:
        self.most, self.most_bytes, self.most_seconds = most, most_bytes, most_seconds
        self._values: OrderedDict[Hashable, tuple[Value, float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Value | None:
        """The value, which is now the most recently used."""
        with self._lock:
            self._forget()
            if key not in self._values:
                return None
            value, size, _ = self._values.pop(key)
            self._values[key] = (value, size, time.monotonic())
            return value

    def put(self, key: Hashable, value: Value, size: float = 0.0) -> Value:
        """Keep a value of that many bytes; one larger than all room is not kept."""
        with self._lock:
            self._values.pop(key, None)
            if size <= self.most_bytes:
                self._values[key] = (value, size, time.monotonic())
            self._forget()
        return value

    def drop(self) -> bool:
        """Let go of the least recently used; whether there was one."""
        with self._lock:
            return bool(self._values) and self._values.popitem(last=False) is not None

    def _forget(self) -> None:
        """Drop what is too much or too old; the oldest come first."""
        before = time.monotonic() - self.most_seconds
        while self._values and (
            len(self._values) > self.most
            or sum(size for _, size, _ in self._values.values()) > self.most_bytes
            or next(iter(self._values.values()))[2] < before
        ):
            self._values.popitem(last=False)

    def __len__(self) -> int:
        return len(self._values)
