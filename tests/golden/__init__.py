"""What is printed, said and computed, kept as text beside this file: a test fails where a character differs.

`GOLDEN=write pytest …` writes the files anew; their diff then shows what a reader will see changed.
"""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
LONGEST = 24
"""Numbers of an array that are written out; of longer ones the count, some of them, and two sums."""
WIDTH = 150
"""Characters of a line."""


def same(name: str, said: object) -> None:
    """Hold it against the file of that name."""
    path, text = HERE / f"{name}.txt", shown(said).rstrip() + "\n"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    differing = difflib.unified_diff(kept.splitlines(), text.splitlines(), "kept", "now", lineterm="", n=0)
    assert text == kept, "\n".join(differing)


def shown(said: object) -> str:
    """Text as it is; of anything else one line per value, where a mapping or list that fits on a line is one value."""
    return said if isinstance(said, str) else "\n".join(lines("", said))


def lines(path: str, value: Any) -> list[str]:
    """`path = value` for every value in it; numbers to four digits, which last bits do not touch."""
    whole = f"{path} = {word(value)}"
    if isinstance(value, Mapping) and (not path or len(whole) > WIDTH):
        inner = [(f"{path}.{key}" if path else str(key), part) for key, part in value.items()]
        return [line for key, part in inner for line in lines(key, part)]
    if isinstance(value, (list, tuple)) and len(whole) > WIDTH and not all(plain(one) for one in value):
        return [line for k, one in enumerate(value) for line in lines(f"{path}[{k}]", one)]
    return [whole]


def plain(value: Any) -> bool:
    """Whether it is neither a list nor a mapping."""
    return value is None or isinstance(value, (str, bool, int, float, np.generic))


def word(value: Any) -> str:
    """One value, a list or a mapping on one line."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {word(one)}" for key, one in value.items()).join("{}")
    if isinstance(value, (list, tuple)):
        return listed(value)
    if isinstance(value, float):
        return "0" if abs(value) < 1e-9 else f"{value:.4g}"
    return repr(value)


def listed(values: Any) -> str:
    """A list on one line."""
    numbers = [one for one in values if isinstance(one, (int, float)) and not isinstance(one, bool)]
    if len(values) <= LONGEST or len(numbers) < len(values):
        return "[" + ", ".join(map(word, values)) + "]"
    told = [one for one in numbers if math.isfinite(one)]
    places = sum((k + 1) * one for k, one in enumerate(told)) / len(told)
    begins = ", ".join(map(word, values[:6]))
    return f"{len(values)} numbers [{begins}, …], mean {word(sum(told) / len(told))}, by place {word(places)}"


def json_on_fewer_lines(text: str) -> str:
    """The same text with every list and object of JSON that fits on one line on one line."""
    fitting = re.compile(r"[\[{]\n\s+[^\[\]{}\n]*(?:(?:\n[^\[\]{}\n]*)|(?:[\[{][^\[\]{}\n]*[\]}]))*\n\s*[\]}]")

    def joined(found: re.Match[str]) -> str:
        whole = re.sub(r"\s*\n\s*", " ", found[0])
        return whole if len(whole) <= WIDTH else found[0]

    for _ in range(6):
        text = fitting.sub(joined, text)
    return text
