"""Sentences that leave the machine: where its files lie is nobody else's business."""

from __future__ import annotations

import re

_ROOT = r"(?:~|[A-Za-z]:\\|/)(?=[^\s])"
_QUOTED = re.compile(rf"(['\"]){_ROOT}(?:(?:(?!\1)[^\n])*[/\\])?")
# Without quotes nobody knows where a path ends: up to the last slash before the sentence goes on, blanks included.
_PLAIN = re.compile(rf"(?<![\w.'\"]){_ROOT}(?:(?:(?!; )[^\n])*[/\\])?")


def without_folders(sentence: str) -> str:
    """The sentence with the last part alone of every path that is not relative."""
    return _PLAIN.sub("", _QUOTED.sub(r"\1", sentence))
