"""A ZIP of pictures: folders named after classes or tasks, or a table of labels by file name; grey and scaled down."""

from __future__ import annotations

import io
import warnings
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from core.task_set import FloatArray
from data.files import Archive
from data.limits import FormatError, check_shape
from data.tables.column import Column
from data.tables.table import SPLIT_WORDS, Table, table_of
from data.tables.text_table import read_text_table
from data.task_names import counted, listed, shown_file

MAX_PIXELS = 25_000_000
"""Of one picture, checked on its header before anything is decoded."""
MAX_ALL_PIXELS = 2_000_000_000
LEAST_SIDE, USUAL_SIDE, MOST_SIDE = 8, 28, 64
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP")
_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp")
_TABLES = (".csv", ".tsv", ".txt")
_SPLITS = SPLIT_WORDS | {"val": True, "valid": True}


def is_picture(name: str) -> bool:
    """Whether a member of a ZIP is called like a picture."""
    path = PurePosixPath(name)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return path.suffix.lower() in _ENDINGS and not hidden


def read_pictures(archive: Archive, file: str, filename: str, side: int = USUAL_SIDE) -> Table:
    """A row for each picture: its name, what its folders or the table of labels say, and grey values from 0 to 1."""
    if not LEAST_SIDE <= side <= MOST_SIDE:
        raise FormatError(f"{file}: pictures of {side} pixels were asked for; use {LEAST_SIDE} to {MOST_SIDE}")
    names = sorted(name for name in archive.sizes if is_picture(name))
    check_shape(file, len(names), side * side)
    kept, rows, pixels = [], [], 0
    out: dict[str, list[str]] = {}
    for name in names:
        grey, size = _grey(archive.read(name), side)
        pixels += size
        if isinstance(grey, str):
            out.setdefault(grey, []).append(PurePosixPath(name).name)
        else:
            kept.append(name)
            rows.append(grey)
        if pixels > MAX_ALL_PIXELS:
            raise FormatError(f"{file}: the pictures have more than {MAX_ALL_PIXELS:,} pixels in all; scale them down")
    if not kept:
        raise FormatError(
            f"{file}: none of its {counted(len(names), 'picture')} can be read ({'; '.join(out)}); "
            "save them as PNG or JPEG"
        )
    said = [
        f"{counted(len(kept), 'picture')}, made grey and scaled to {side} × {side} pixels; each pixel is a feature.",
        *(f"Left out {listed(some, 3)}: {why}." for why, some in out.items()),
    ]
    frame, words = _labels(archive, file, kept)
    table = table_of(frame, filename, (*said, *words))
    return replace(table, pixels=np.array(rows), image_shape=(side, side))


def _grey(contents: bytes, side: int) -> tuple[FloatArray | str, int]:
    """The picture in grey, or why it cannot be read, and how many pixels were decoded.

    Its size is judged on its header, before anything is decoded.
    """
    from PIL import Image

    too_large, size = f"more than {MAX_PIXELS:,} pixels, the most that is read", 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Image.open(io.BytesIO(contents), formats=FORMATS)
            if picture.width * picture.height > MAX_PIXELS:
                return too_large, 0
            size = picture.width * picture.height
            picture.draft("L", (side, side))
            if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
                picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture.convert("RGBA"))  # type: ignore[assignment]
            small = picture.convert("L").resize(
                (side, side), Image.Resampling.BOX if side < picture.width else Image.Resampling.BILINEAR
            )
    except Image.DecompressionBombError:
        return too_large, 0
    except Exception:  # whatever a damaged picture makes of its decoder, it is left out and said
        return "no picture that can be read", size
    return np.asarray(small, dtype=np.float64).ravel() / 255.0, size


def _labels(archive: Archive, file: str, names: list[str]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """What is known of the pictures, from a table in the ZIP or else from their folders."""
    for member in archive.sizes:
        if PurePosixPath(member).suffix.lower() in _TABLES and not member.startswith("__MACOSX"):
            found = _by_table(archive.read(member), f"{file}: {shown_file(member)!r}", member, names)
            if found is not None:
                return found
    paths = [PurePosixPath(name).parts for name in names]
    while len({parts[0] for parts in paths}) == 1 and all(len(parts) > 2 for parts in paths):
        paths = [parts[1:] for parts in paths]  # folders that hold everything say nothing
    columns: dict[str, list[str]] = {"picture": [parts[-1] for parts in paths]}
    folders = [parts[:-1] for parts in paths]
    said: list[str] = []
    for place in (0, -1):
        if all(folder and folder[place].casefold() in _SPLITS for folder in folders):
            columns["split"] = ["test" if _SPLITS[folder[place].casefold()] else "train" for folder in folders]
            folders = [folder[1:] if place == 0 else folder[:-1] for folder in folders]
            said.append("Folders named train and test say which pictures are test data.")
            break
    depths = {len(folder) for folder in folders}
    if depths == {2}:
        columns["task"] = [folder[0] for folder in folders]
        columns["label"] = [folder[1] for folder in folders]
        said.append("Folders name the task and, inside, the label.")
    elif 0 not in depths:
        columns["class"] = ["/".join(folder) for folder in folders]
        said.append("Folders name the class.")
    else:
        loose = sum(not folder for folder in folders)
        raise FormatError(
            f"{file}: {loose:,} of {len(names):,} pictures lie in no folder; put them into folders named after their "
            "classes, or add a table (CSV) with the file names and labels"
        )
    return pd.DataFrame(columns), tuple(said)


def _by_table(
    contents: bytes, where: str, member: str, names: list[str]
) -> tuple[pd.DataFrame, tuple[str, ...]] | None:
    """The rows of a table of labels in the order of the pictures; None if no column of it names them."""
    try:
        table = read_text_table(contents, where, member)
    except FormatError:
        return None
    ends = {
        name: k for k, full in enumerate(names) for name in (full, PurePosixPath(full).name, PurePosixPath(full).stem)
    }
    for column in table.columns:
        cells = _cells(column)
        places = [ends.get(cell.lstrip("./"), -1) for cell in cells]
        if sum(place >= 0 for place in places) < max(1, len(names) // 2):
            continue
        row_of = {place: row for row, place in enumerate(places) if place >= 0}
        said = [f"Labels come from {shown_file(member)!r}, by its column {column.name[:40]!r}."]
        if without := len(names) - len(row_of):
            said.append(f"The table says nothing of {without:,} of the pictures; their labels count as missing.")
        others = {other.name: [*_cells(other), None] for other in table.columns if other is not column}
        rows = [row_of.get(k, -1) for k in range(len(names))]
        frame = pd.DataFrame(
            {"picture": [PurePosixPath(name).name for name in names]}
            | {name: [cells[row] for row in rows] for name, cells in others.items()}
        )
        return frame, tuple(said)
    return None


def _cells(column: Column) -> list[str]:
    """A column's cells as text; dates and lists count as empty."""
    texts, codes = column.as_written or ((), np.full(column.rows, -1))
    stripped = [*(text.strip() for text in texts), ""]
    return [stripped[code] for code in codes]
