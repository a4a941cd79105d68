"""What is printed, said and computed, kept as text beside this file: a test fails where a character differs.

`GOLDEN=write pytest …` writes the files anew; their diff then shows what a reader will see changed.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
LONGEST = 24
"""Numbers of an array that are written out; of longer ones the count, some of them, and two sums."""


def same(name: str, said: object) -> None:
    """Hold it against the file of that name."""
    path, text = HERE / f"{name}.txt", shown(said).rstrip() + "\n"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def shown(said: object) -> str:
    """Text as it is; of anything else one line per value."""
    return said if isinstance(said, str) else "\n".join(lines("", said))


def lines(path: str, value: Any) -> list[str]:
    """`path = value` for every value in it; numbers to five digits, which last bits do not touch."""
    if isinstance(value, Mapping):
        inner = [(f"{path}.{key}" if path else str(key), part) for key, part in value.items()]
        return [line for key, part in inner for line in lines(key, part)]
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        if all(plain(one) for one in value):
            return [f"{path} = {listed(value)}"]
        return [line for k, one in enumerate(value) for line in lines(f"{path}[{k}]", one)]
    return [f"{path} = {word(value)}"]


def plain(value: Any) -> bool:
    """Whether it is written in one word."""
    return value is None or isinstance(value, (str, bool, int, float, np.generic))


def listed(values: Any) -> str:
    """A list on one line."""
    numbers = [one for one in values if isinstance(one, (int, float)) and not isinstance(one, bool)]
    if len(values) <= LONGEST or len(numbers) < len(values):
        return "[" + ", ".join(map(word, values)) + "]"
    told = [one for one in numbers if math.isfinite(one)]
    places = sum((k + 1) * one for k, one in enumerate(told)) / len(told)
    begins = ", ".join(map(word, values[:6]))
    return f"{len(values)} numbers [{begins}, …], mean {word(sum(told) / len(told))}, by place {word(places)}"


def word(value: Any) -> str:
    """One value."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return "0" if abs(value) < 1e-9 else f"{value:.5g}"
    return repr(value)
