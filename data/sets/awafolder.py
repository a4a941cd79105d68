"""Animals with Attributes as it is shipped: a folder for each class, a text file of SURF counts for each image."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.errors import CurriculabError
from core.tasks import FloatArray
from data.sets.levels import IntArray, quintiles

SURF_FOLDERS = ("Animals_with_Attributes/Features/surf-hist", "Features/surf-hist", "surf-hist")
DIFFICULTY_FILE = "difficulty.txt"


def read_awa_folder(folder: Path, classes: tuple[str, ...]) -> tuple[FloatArray, tuple[str, ...], IntArray]:
    """Histograms, class and level of every image; levels are fifths of each class by the difficulty file.

    That file has a line `IMAGE SCORE` for each image, such as `rat_0007 3.5`; a greater score is harder. Images
    without a score have level -1.
    """
    scores = _difficulty(folder)
    rows: list[FloatArray] = []
    names: list[str] = []
    difficulty: list[float] = []
    for name in classes:
        if not (folder / name).is_dir():
            raise CurriculabError(f"{folder} has no folder {name!r}; the eight classes of the paper are needed")
        for path in sorted((folder / name).glob("*.txt")):
            try:
                row = np.array(path.read_bytes().split(), dtype=np.float64)
            except (OSError, ValueError):
                raise CurriculabError(f"{name}/{path.name} is no row of numbers; unpack the features again") from None
            if rows and len(row) != len(rows[0]):
                raise CurriculabError(
                    f"{name}/{path.name} has {len(row)} numbers but others {len(rows[0])}; unpack again"
                )
            rows.append(row)
            names.append(name)
            difficulty.append(scores.get(path.stem, np.nan))
    if not rows:
        raise CurriculabError(f"{folder} holds no images; unpack the features again")
    scored = np.flatnonzero(np.isfinite(difficulty))
    levels = np.full(len(rows), -1, dtype=np.int64)
    codes = np.array([classes.index(name) for name in names], dtype=np.int64)
    levels[scored] = quintiles(np.array(difficulty)[scored], codes[scored])
    return np.stack(rows), tuple(names), levels


def _difficulty(folder: Path) -> dict[str, float]:
    """Image to score; the file lies beside the class folders or in any folder above them."""
    places = [parent / DIFFICULTY_FILE for parent in (folder, *list(folder.parents)[:3])]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise CurriculabError(
            f"there is no {DIFFICULTY_FILE} beside {folder.name}; write a line 'IMAGE SCORE' for each image, "
            "a greater score for a harder one"
        )
    scores = {}
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1):
        cells = line.replace(",", " ").replace(";", " ").split()
        if not cells or line.lstrip().startswith("#"):
            continue
        try:
            scores[Path(cells[0]).stem] = float(cells[1])
        except (IndexError, ValueError):
            if number > 1:  # the first line may be a header
                raise CurriculabError(f"{path.name}: line {number} is not 'IMAGE SCORE'; correct it") from None
    return scores
