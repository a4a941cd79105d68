"""The catalogue: every built-in source by name, and `load` for a name or a file."""

from __future__ import annotations

import difflib
from pathlib import Path

from core.errors import CurriculabError
from core.tasks import TaskSet
from data import digits
from data.source import Source

DEFAULT = "digits-levels"


def sources() -> tuple[Source, ...]:
    """Every source worth listing, the default first; some may be unavailable and say what is missing."""
    return (
        digits.levels_source(),
        digits.levels_source(8),
        digits.attributes_source(),
        digits.rotated_source(),
    )


def find(name: str) -> Source:
    """The source of that name, with its parameters (`digits-levels:8`) and knobs (`?noise=0.2`)."""
    base, _, query = name.partition("?")
    source = _parametrised(base) or next((source for source in sources() if source.name == base), None)
    if source is None:
        raise CurriculabError(f"no task set is called {name[:60]!r}; {_suggestion(base)}")
    return source.tuned_by(query) if query else source


def load(name_or_path: str, seed: int = 0) -> TaskSet:
    """A task set from a built-in name, or else from a file or folder."""
    try:
        return find(name_or_path).sample(seed)
    except CurriculabError:
        if not Path(name_or_path).exists():
            raise
    from data import formats

    return formats.read(Path(name_or_path)).task_set


def _parametrised(base: str) -> Source | None:
    family, _, parameter = base.partition(":")
    if family == "digits-levels" and len(parameter) == 1 and parameter.isdecimal():
        return digits.levels_source(int(parameter))
    if family == "digits-rotated" and len(parameter) == 3 and parameter[1] == "-":
        first, second = parameter[0], parameter[2]
        if first.isdecimal() and second.isdecimal():
            return digits.rotated_source((int(first), int(second)))
    return None


def _suggestion(base: str) -> str:
    names = [source.name for source in sources()]
    near = difflib.get_close_matches(base[:60], names, n=3, cutoff=0.4)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
