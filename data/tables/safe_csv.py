"""CSV that spreadsheets open: no cell and no heading that came from strangers is run as a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from data.task_names import escape_formula


def guarded(cell: object) -> object:
    """A text with an apostrophe before what would make it a formula; numbers and all else as they are."""
    if not isinstance(cell, str):
        return cell
    return f"'{cell}" if cell[:1] in ("\t", "\r") else escape_formula(cell)


def csv_text(heading: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([guarded(cell) for cell in heading])
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return text.getvalue()
