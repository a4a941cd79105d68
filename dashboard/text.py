"""Text that comes from strangers, such as task names: shortened for the screen, and never read as markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from data.task_names import counted as counted

MOST = 24
"""Characters of a name that fit beside a chart; hovers and tables show the whole name."""
NO_BREAK = "\u00a0"
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def short(name: str, most: int = MOST) -> str:
    """The name on one line, cut in the middle if it is long: beginnings and ends tell names apart."""
    line = _INVISIBLE.sub(" ", name)
    if len(line) <= most:
        return line
    head = (most - 1) * 2 // 3
    return f"{line[:head].rstrip()}…{line[-(most - 1 - head) :].lstrip()}"


def shorts(names: Iterable[str], most: int = MOST) -> dict[str, str]:
    """Every name's short form; two names that would look the same get a number."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        label, count = short(name, most), 2
        while label in taken:
            label, count = f"{short(name, most - 3)} {count}", count + 1
        taken.add(label)
        found[name] = label
    return found


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent, as in '5.7 %', with a blank that does not break."""
    return f"{number(100.0 * share, digits)}{NO_BREAK}%"


def error_name(measure: str) -> str:
    """How the error of a measure is called."""
    return "balanced error" if measure == "balanced" else "test error"


def number(value: float, digits: int = 1, sign: bool = False) -> str:
    """A number with that many decimals and a real minus; with `sign`, '+' before what is above 0. No '−0.0'."""
    shown = f"{value:,.{digits}f}"
    if not shown.strip("-0.,"):
        return shown.lstrip("-")
    return shown.replace("-", "−") if value < 0 else f"{'+' * sign}{shown}"


def vacuous(bound: float) -> str:
    """What to say behind a bound from ½ on, which half of an expected error never exceeds; nothing behind others."""
    return " (above ½ it guarantees nothing)" if bound >= 0.5 else ""


def quoted(name: str) -> str:
    """The short name in quotation marks, for sentences."""
    return f"“{short(name)}”"


def listed_quoted(names: Sequence[str]) -> str:
    """'“a”, “b” and 3 more', for sentences; three are all named."""
    return _listed([quoted(name) for name in names], 3 if len(names) == 3 else 2)


def chart(name: str) -> str:
    """Text for Plotly labels and hovers, which read a little HTML, and `%{...}` as a place to fill."""
    return html.escape(_INVISIBLE.sub(" ", name), quote=False).replace("$", "&#36;").replace("{", "&#123;")


def md(name: str) -> str:
    """Text for Markdown: every punctuation mark escaped, and no `:shortcode:` that would become a picture."""
    escaped = _PUNCTUATION.sub(r"\\\1", _INVISIBLE.sub(" ", name))
    return re.sub(r"\\:(?=\w)", "\\:\u2060", escaped)


def source_words(source: str | None) -> str:
    """How a source is called on the screen."""
    return "no source" if source is None else source


def listed(names: Sequence[str], most: int = 4) -> str:
    """'a, b and 3 more', each shortened."""
    return _listed([short(name) for name in names], most)


def _listed(shown: list[str], most: int) -> str:
    parts = shown[:most] + ([f"{len(shown) - most} more"] if len(shown) > most else [])
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def setting(value: object) -> str:
    """A setting such as C: 'shared', or a number without needless zeros."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def in_words(seconds: float) -> str:
    """A rough duration: '8 s', '3 min', '2 h'."""
    if seconds < 60:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{round(seconds / 3600)} h"
