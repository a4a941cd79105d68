"""Plain tables for a terminal."""

from __future__ import annotations

from collections.abc import Container, Sequence


def printable(text: str, longest: int = 40) -> str:
    """`text` without control characters, which a stranger's file may hold, and no longer than `longest`."""
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return safe if len(safe) <= longest else f"{safe[: longest - 1]}…"


def plain(sentence: str) -> str:
    """A sentence of the screen without its blanks that do not break."""
    return sentence.replace("\u00a0", " ")


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Container[int]) -> str:
    """Aligned columns; those in `right`, the numbers, to the right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (headings, *rows)
    )
    return "\n".join(lines)
