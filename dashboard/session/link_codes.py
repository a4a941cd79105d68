"""Tasks in the link, by their positions in the set.

A what-if is its forced (task, source) pairs, such as `4.0_7.4` (0: no source); an order is `3.1.2`.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.curriculum.steps import Pair


def fixed_C(text: str) -> float | None:
    """The C that a what-if keeps; None if it has none."""
    try:
        C = float(text)
    except ValueError:
        return None
    return C if 0.0 < C < float("inf") else None


def encode(choices: Sequence[Pair], names: Sequence[str]) -> str:
    """The pairs for the link; positions count from 1, since names may be long."""
    place = {name: k for k, name in enumerate(names, start=1)}
    return "_".join(f"{place[task]}.{0 if source is None else place[source]}" for task, source in choices)


def decode(text: str, names: Sequence[str]) -> tuple[Pair, ...]:
    """The pairs of a link; empty if they do not fit the tasks."""
    pairs: list[Pair] = []
    for part in text.split("_") if text else []:
        task, _, source = part.partition(".")
        if not (task.isdecimal() and source.isdecimal()) or len(part) > 20:  # Python reads no endless numbers
            return ()
        if not (1 <= int(task) <= len(names) and 0 <= int(source) <= len(names)):
            return ()
        pairs.append((names[int(task) - 1], names[int(source) - 1] if int(source) else None))
    return tuple(pairs)


def encode_order(order: Sequence[str], names: Sequence[str]) -> str:
    """An order of all tasks for the link."""
    return ".".join(str(names.index(name) + 1) for name in order)


def decode_order(text: str, names: Sequence[str]) -> tuple[str, ...] | None:
    """The order of a link; None if it does not name every task once."""
    parts = text.split(".")
    if sorted(parts) != sorted(str(k + 1) for k in range(len(names))):
        return None
    return tuple(names[int(part) - 1] for part in parts)
