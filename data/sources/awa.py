"""`awa:CLASS`: the paper's first experiment, from a local copy of Animals with Attributes."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from core.errors import CurriculabError
from core.task_set import FloatArray, TaskSet
from data.sources.levels import LEVELS, IntArray, quintiles
from data.sources.local import data_folder, load_arrays, texts, where
from data.sources.sampling import Pools, task_from_pools
from data.sources.source import BuiltIn, Sizes

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


CLASSES = ("chimpanzee", "giant+panda", "leopard", "persian+cat", "hippopotamus", "raccoon", "rat", "seal")
NPZ_FILES = ("awa8_surf.npz", "awa.npz")
SIZES = Sizes(21, 77)
RAT_SIZES = Sizes(21, 35)


def awa_source(name: str, folder: str | os.PathLike[str] | None = None) -> BuiltIn:
    """The source of one class; unavailable, with what to put where, if there is no local copy."""
    place = _place(folder)
    machine_levels = place is not None and place.suffix == ".npz"
    return BuiltIn(
        name=f"awa:{name}",
        story=f"The paper's first experiment: {name.replace('+', ' ')} against seven other animals, "
        "at five levels of difficulty.",
        kind="local",
        licence="not redistributed; for research",
        origin="Animals with Attributes (Lampert et al. 2009), SURF histograms; your local copy",
        draw=partial(_draw, animal=name, place=place or Path()),
        sizes=RAT_SIZES if name == "rat" else SIZES,
        tasks=len(LEVELS),
        note="The levels are those of your local file; a person's only if that file has a person's." * machine_levels,
        missing="" if place else _missing(folder),
        semantic_order="easiest to hardest",
    )


def missing_source(folder: str | os.PathLike[str] | None = None) -> BuiltIn:
    """A listing's one entry for all classes while there is no local copy."""
    return replace(
        awa_source(CLASSES[0], folder),
        name="awa:CLASS",
        story="The paper's first experiment: one animal against seven others, at five levels of difficulty.",
    )


def class_named(text: str) -> str:
    """One of the paper's eight classes, however its two words are joined."""
    name = text.strip().casefold().replace(" ", "+").replace("-", "+").replace("_", "+")
    if name not in CLASSES:
        raise CurriculabError(f"awa has no class {text[:40]!r}; its classes are {', '.join(CLASSES)}")
    return name


def _place(folder: str | os.PathLike[str] | None) -> Path | None:
    """The local copy: an NPZ, or the folder with a folder for each class."""
    root = data_folder(folder)
    for name in NPZ_FILES:
        if (root / name).is_file():
            return root / name
    return next((root / name for name in SURF_FOLDERS if (root / name / CLASSES[0]).is_dir()), None)


def _missing(folder: str | os.PathLike[str] | None) -> str:
    return (
        f"there is no local copy of Animals with Attributes; put {NPZ_FILES[0]}, or the folder {SURF_FOLDERS[0]} "
        f"with {DIFFICULTY_FILE}, into {where(folder)}"
    )


@lru_cache(maxsize=1)
def _images(place: Path, changed: float) -> tuple[FloatArray, tuple[str, ...], IntArray]:
    """Features, class name and level (-1 where none is known) of every image; `changed` drops old copies."""
    if place.suffix != ".npz":
        return read_awa_folder(place, CLASSES)
    arrays = load_arrays(place, ("X", "label", "class_names", "level"))
    names = texts(arrays["class_names"])
    label, level = arrays["label"], arrays["level"]
    if (
        label.shape != level.shape
        or label.shape != arrays["X"].shape[:1]
        or not np.isin(label, range(len(names))).all()
    ):
        raise CurriculabError(f"{place.name}: label and level do not fit X; give one of each for every image")
    return arrays["X"].astype(np.float64), tuple(names[int(k)] for k in label), level.astype(np.int64)


def _draw(seed: int, sizes: Sizes, animal: str, place: Path) -> TaskSet:
    """Each level of the animal against the seven other classes in equal parts; no image in two tasks."""
    X, names, levels = _images(place, place.stat().st_mtime)
    if animal not in names or set(levels[np.array(names) == animal].tolist()) != set(range(len(LEVELS))):
        raise CurriculabError(f"{place.name} has no five levels 0 to 4 for {animal}; see the documentation of awa")
    others = [name for name in CLASSES if name != animal]
    keys = [(name, int(level)) if name == animal else name for name, level in zip(names, levels, strict=True)]
    pools = Pools(np.random.default_rng(seed), keys)
    tasks = tuple(
        task_from_pools(word, X, pools, [(animal, level)], others, sizes) for level, word in enumerate(LEVELS)
    )
    return TaskSet(f"awa:{animal}", tasks, LEVELS)
