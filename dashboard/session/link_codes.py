"""A what-if in the link: the forced (task, source) pairs as positions in the set, such as `4.0_7.4` (0: no source)."""

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
