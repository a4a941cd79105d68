"""`awa:CLASS`: the paper's first experiment, from a local copy of Animals with Attributes."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from core.errors import CurriculabError
from core.tasks import FloatArray, TaskSet
from data.sets.awafolder import DIFFICULTY_FILE, SURF_FOLDERS, read_awa_folder
from data.sets.drawing import Pools, task_from_pools
from data.sets.levels import LEVELS, IntArray
from data.sets.local import data_folder, load_arrays, texts, where
from data.sets.source import Sizes, Source

CLASSES = ("chimpanzee", "giant+panda", "leopard", "persian+cat", "hippopotamus", "raccoon", "rat", "seal")
NPZ_FILES = ("awa8_surf.npz", "awa.npz")
SIZES = Sizes(21, 77)
RAT_SIZES = Sizes(21, 35)


def awa_source(name: str, folder: str | os.PathLike[str] | None = None) -> Source:
    """The source of one class; unavailable, with what to put where, if there is no local copy."""
    place = _place(folder)
    machine_levels = place is not None and place.suffix == ".npz"
    return Source(
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


def missing_source(folder: str | os.PathLike[str] | None = None) -> Source:
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
