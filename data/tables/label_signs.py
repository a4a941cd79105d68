"""From whatever two values a file uses as labels to -1 and +1."""

from __future__ import annotations

import math
from collections.abc import Sequence

from data.limits import FormatError

LabelValue = str | float | int | bool | None


def label_signs(values: Sequence[LabelValue], file: str, decimal_comma: bool = False) -> tuple[list[float], str]:
    """The sign of every distinct label value, and the assumption made; the greater of two values is positive.

    Values that all read as numbers are compared as numbers (so '1' and '1.0' are one value), others as text.
    """
    texts = ["" if value is None else str(value).strip() for value in values]
    if "" in texts:
        raise FormatError(f"{file}: a label is empty; fill in every label")
    numbers = [_number(text.replace(",", ".") if decimal_comma else text) for text in texts]
    as_numbers = [number for number in numbers if number is not None]
    if len(as_numbers) == len(texts):
        odd = next((text for key, text in zip(as_numbers, texts, strict=True) if not math.isfinite(key)), None)
        if odd is not None:
            raise FormatError(f"{file}: a label is {odd!r}; fill in every label")
        ranks = {key: rank for rank, key in enumerate(sorted(set(as_numbers)))}
        keys = [ranks[key] for key in as_numbers]
    else:
        text_ranks = {key: rank for rank, key in enumerate(sorted(set(texts)))}
        keys = [text_ranks[text] for text in texts]
    distinct = sorted(set(keys))
    written = [_shown(texts[keys.index(key)]) for key in distinct[:4]]
    if len(distinct) > 2:
        more = ", ..." if len(distinct) > 4 else ""
        raise FormatError(
            f"{file}: there are {len(distinct):,} different labels ({', '.join(written)}{more}); "
            "keep two, or make a task of each label against the rest"
        )
    if len(distinct) == 1:
        raise FormatError(f"{file}: every label is {written[0]}; a task needs both classes")
    if sorted(set(as_numbers)) == [-1.0, 1.0] and len(as_numbers) == len(texts):
        assumption = "Labels are -1 and +1, as they are."
    else:
        assumption = f"Label {written[1]} is the positive class (+1) and {written[0]} the negative class (-1)."
    return [1.0 if key == 1 else -1.0 for key in keys], assumption


def _number(text: str) -> float | None:
    lowered = text.lower()
    if lowered in ("true", "false"):
        return float(lowered == "true")
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def _shown(text: str) -> str:
    return repr(text if len(text) <= 20 else f"{text[:17]}...")
