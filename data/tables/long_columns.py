"""The columns of a long-form table: which is the task, the label, the split, and which are features."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from data.limits import FormatError, check_shape
from data.task_names import escape_formula, listed, unescape_formula

MEANINGS = {
    "task": ("task", "tasks", "task_name", "task name"),
    "label": ("label", "labels", "y", "target", "class"),
    "split": ("split", "part", "subset"),
}
_INDEX_NAMES = ("unnamed: 0", "__index_level_0__", "")
_ABOUT = re.compile(r"\[([^\]]*)\]\s*$")


@dataclass(frozen=True, slots=True)
class Columns:
    """Positions of the columns in a table, the features' names, and the line on the set that the header carries."""

    task: int
    label: int
    split: int | None
    features: tuple[int, ...]
    feature_names: tuple[str, ...]
    about: str
    assumptions: tuple[str, ...]


def has_header(names: Sequence[str]) -> bool:
    """Whether the names include a task and a label column, under any accepted name."""
    folded = {name.strip().casefold() for name in names}
    return all(folded & set(MEANINGS[meaning]) for meaning in ("task", "label"))


def headings(feature_names: Sequence[str] | None, count: int, for_spreadsheets: bool) -> list[str]:
    """A heading for every feature that reads back as its name: no formula, no word with a meaning, none twice."""
    if feature_names is None:
        return [f"x{k + 1}" for k in range(count)]
    taken = {word for accepted in MEANINGS.values() for word in accepted} | set(_INDEX_NAMES)
    found = []
    for name in feature_names:
        heading, number = name, 2
        while heading.strip().casefold() in taken:
            heading, number = f"{name} ({number})", number + 1
        taken.add(heading.strip().casefold())
        found.append(escape_formula(heading) if for_spreadsheets else heading)
    return found


def find_columns(names: Sequence[str], not_numbers: frozenset[int], file: str) -> Columns:
    """What each column is, by its name; columns in `not_numbers` and index columns are left out, and said so."""
    folded = [name.strip().casefold() for name in names]
    found: dict[str, int] = {}
    assumptions = []
    for meaning, accepted in MEANINGS.items():
        # the exact word wins over the words that usually mean it
        for word in accepted:
            places = [k for k, name in enumerate(folded) if name == word]
            if len(places) > 1:
                raise FormatError(f"{file}: {len(places)} columns are named {word!r}; keep one")
            if places and not (meaning == "split" and word != "split" and places[0] not in not_numbers):
                found[meaning] = places[0]
                if word != meaning:
                    assumptions.append(f"Column {names[places[0]].strip()!r} is taken as the {meaning}.")
                break
    for meaning in ("task", "label"):
        if meaning not in found:
            raise FormatError(
                f"{file} has no column {meaning!r} (found {listed([name.strip() for name in names])}); "
                "the first line must name the columns task, label and the features"
            )
    rest = [k for k in range(len(names)) if k not in found.values()]
    is_left_out = [k in not_numbers or folded[k] in _INDEX_NAMES for k in range(len(names))]
    left_out = [k for k in rest if is_left_out[k]]
    features = [k for k in rest if not is_left_out[k]]
    if left_out:
        shown = listed([names[k].strip() or f"column {k + 1}" for k in left_out])
        assumptions.append(f"Left out {shown}: no features, as they hold no numbers or only count the rows.")
    if not features:
        raise FormatError(f"{file} has no feature column; add at least one column of numbers after the label")
    check_shape(file, 0, len(features))
    titles = Counter(names[k].strip() for k in features)
    twice = [title for title, count in titles.items() if count > 1 and title]
    if twice:
        assumptions.append(f"Several columns are named {listed(twice)}; each is a feature of its own.")
    # what a file carries of the set has an equals sign; "height [cm]" is a name
    about = _ABOUT.search(names[features[0]])
    about = about if about and ("=" in about[1]) else None
    titled = [names[k].strip() for k in features]
    if about:
        titled[0] = names[features[0]][: about.start()].strip()
    return Columns(
        found["task"],
        found["label"],
        found.get("split"),
        tuple(features),
        tuple(unescape_formula(title) for title in titled),
        about[1] if about else "",
        tuple(assumptions),
    )
