"""The paper's own data, from local copies: `awa:CLASS` (Animals with Attributes) and `attributes:FILE` (Shoes, PubFig).

Files are opened without trusting them, and only those of the documented names in one folder.
"""

from __future__ import annotations

import os
import re
import zipfile
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import CurriculabError
from core.task_set import FloatArray, TaskSet
from data.archives.npz import read_array
from data.files import Archive, own_folder
from data.limits import check_bytes, check_shape
from data.recipes.machine_levels import split_levels
from data.sources.pools import LEVELS, IntArray, Pools, task_from_pools
from data.sources.source import BuiltIn, Sizes
from data.task_names import clean_task_name, shown_file

ENVIRONMENT = "CURRICULAB_DATA"
Folder = str | os.PathLike[str] | None


def data_folder(folder: Folder = None) -> Path:
    """The folder of local copies: as given, else as `own_folder` says."""
    return Path(folder).expanduser() if folder else own_folder(ENVIRONMENT)


def _where(folder: Folder) -> str:
    """The folder for a sentence that says where to put something."""
    return f"{data_folder(folder)} (or set {ENVIRONMENT} to another folder)"


def _load_arrays(path: Path, wanted: tuple[str, ...]) -> list[npt.NDArray[Any]]:
    """The wanted arrays of a local NPZ, unpickled, within the limits for any file; X has a row for each image."""
    file = shown_file(path.name)
    try:
        check_bytes(file, path.stat().st_size)
        archive = Archive(path.read_bytes(), file)
    except OSError as error:
        raise CurriculabError(f"{file} cannot be opened; check its permissions") from error
    absent = [name for name in wanted if f"{name}.npy" not in archive.sizes]
    if absent:
        raise CurriculabError(f"{file} lacks the array {absent[0]!r}; it needs {', '.join(wanted)}")
    arrays = {name: read_array(archive, f"{name}.npy", f"{file}: array {name!r}", "biufU") for name in wanted}
    X = arrays["X"]
    if X.ndim != 2 or X.dtype.kind == "U":
        raise CurriculabError(f"{file}: array 'X' has shape {X.shape}; it needs a row of numbers for each image")
    check_shape(file, *X.shape)
    return [X.astype(np.float64), *(arrays[name] for name in wanted[1:])]


def _texts(array: npt.NDArray[Any]) -> tuple[str, ...]:
    return tuple(str(name) for name in np.atleast_1d(array).tolist())


# Animals with Attributes: the paper's first experiment

SURF_FOLDERS = ("Animals_with_Attributes/Features/surf-hist", "Features/surf-hist", "surf-hist")
DIFFICULTY_FILE = "difficulty.txt"
CLASSES = ("chimpanzee", "giant+panda", "leopard", "persian+cat", "hippopotamus", "raccoon", "rat", "seal")
NPZ_FILES = ("awa8_surf.npz", "awa.npz")
AWA_SIZES = Sizes(21, 77)
RAT_SIZES = Sizes(21, 35)
Animals = tuple[FloatArray, tuple[str, ...], IntArray]
"""Features, class and level (-1 where none is known) of every image."""


def awa_source(text: str, folder: Folder = None) -> BuiltIn:
    """The source of one of the paper's classes, however its two words are joined; unavailable, with what to put where,
    if there is no local copy.
    """
    name = re.sub("[ _-]", "+", text.strip().casefold())
    if name not in CLASSES:
        raise CurriculabError(f"awa has no class {text[:40]!r}; its classes are {', '.join(CLASSES)}")
    root = data_folder(folder)
    files = (root / name for name in NPZ_FILES if (root / name).is_file())
    place = next(files, None) or next((root / s for s in SURF_FOLDERS if (root / s / CLASSES[0]).is_dir()), None)
    machine_levels = place is not None and place.suffix == ".npz"
    missing = (
        f"there is no local copy of Animals with Attributes; put {NPZ_FILES[0]}, or the folder {SURF_FOLDERS[0]} "
        f"with {DIFFICULTY_FILE}, into {_where(folder)}"
    )
    return BuiltIn(
        name=f"awa:{name}",
        story=f"The paper's first experiment: {name.replace('+', ' ')} against seven other animals, "
        "at five levels of difficulty.",
        kind="local",
        licence="not redistributed; for research",
        origin="Animals with Attributes (Lampert et al. 2009), SURF histograms; your local copy",
        make=partial(_animal, animal=name, place=place or Path()),
        sizes=RAT_SIZES if name == "rat" else AWA_SIZES,
        tasks=len(LEVELS),
        note="The levels are those of your local file; a person's only if that file has a person's." * machine_levels,
        missing="" if place else missing,
        semantic_order="easiest to hardest",
    )


def _animal(rng: np.random.Generator, sizes: Sizes, animal: str, place: Path) -> TaskSet:
    """Each level of the animal against the seven other classes in equal parts; no image in two tasks."""
    X, names, levels = _animals(place, place.stat().st_mtime)
    if animal not in names or set(levels[np.array(names) == animal].tolist()) != set(range(len(LEVELS))):
        raise CurriculabError(f"{place.name} has no five levels 0 to 4 for {animal}; see the documentation of awa")
    others = [name for name in CLASSES if name != animal]
    pools = Pools(rng, [(name, int(k)) if name == animal else name for name, k in zip(names, levels, strict=True)])
    tasks = (task_from_pools(word, X, pools, [(animal, k)], others, sizes) for k, word in enumerate(LEVELS))
    return TaskSet("awa", tuple(tasks), LEVELS)


@lru_cache(maxsize=1)
def _animals(place: Path, changed: float) -> Animals:
    """All images of the local copy; `changed` drops old copies."""
    if place.suffix != ".npz":
        return _read_surf(place)
    X, label, class_names, level = _load_arrays(place, ("X", "label", "class_names", "level"))
    names = _texts(class_names)
    if label.shape != level.shape or label.shape != X.shape[:1] or not np.isin(label, range(len(names))).all():
        raise CurriculabError(f"{place.name}: label and level do not fit X; give one of each for every image")
    return X, tuple(names[int(k)] for k in label), level.astype(np.int64)


def _read_surf(folder: Path) -> Animals:
    """A file of numbers for each image, in a folder for each class; levels are fifths of a class by difficulty."""
    scores = _difficulty(folder)
    rows: list[FloatArray] = []
    paths: list[Path] = []
    for name in CLASSES:
        if not (folder / name).is_dir():
            raise CurriculabError(f"{folder} has no folder {name!r}; the eight classes of the paper are needed")
        paths += sorted((folder / name).glob("*.txt"))
    for path in paths:
        shown = f"{path.parent.name}/{path.name}"
        try:
            row = np.array(path.read_bytes().split(), dtype=np.float64)
        except (OSError, ValueError):
            raise CurriculabError(f"{shown} is no row of numbers; unpack the features again") from None
        if rows and len(row) != len(rows[0]):
            raise CurriculabError(f"{shown} has {len(row)} numbers but others {len(rows[0])}; unpack again")
        rows.append(row)
    if not rows:
        raise CurriculabError(f"{folder} holds no images; unpack the features again")
    names = tuple(path.parent.name for path in paths)
    difficulty = np.array([scores.get(path.stem, np.nan) for path in paths])
    scored = np.flatnonzero(np.isfinite(difficulty))
    levels = np.full(len(rows), -1, dtype=np.int64)
    levels[scored] = split_levels(difficulty[scored], np.array(names)[scored], len(LEVELS))
    return np.stack(rows), names, levels


def _difficulty(folder: Path) -> dict[str, float]:
    """Image to score, a greater one for a harder image: lines such as `rat_0007 3.5` of a file beside the class folders
    or in any folder above them.
    """
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


# Classes ranked by attributes: the paper's second experiment

ARRAYS = ("X", "label", "names", "relative_ordering")
RANKED_SIZES = Sizes(50, 300)
_ranked = partial(BuiltIn, kind="local", licence="not redistributed; see its source")


def ranked_source(path: Path, name: str | None = None) -> BuiltIn:
    """The source of one file: the paper's sizes if its images suffice, else the largest that fit."""
    _, label, attributes, ranks = _contents(path, path.stat().st_mtime)
    return _ranked(
        name=f"attributes:{name or path.name}",
        story=f"{len(attributes)} attributes of {ranks.shape[1]} classes: the two that have it most against the two "
        "that have it least, as in the paper's second experiment.",
        origin=f"your local file {path.name}",
        make=partial(_attributes, path=path),
        sizes=_fitting_sizes(label, ranks),
        tasks=len(attributes),
        note="Where ranks are tied, the class that comes first is taken.",
    )


def file_named(name: str, folder: Folder = None) -> Path:
    """The file of that plain name in the data folder; nothing outside of it is looked at."""
    if not name or len(name.encode(errors="replace")) > 200 or Path(name).name != name or set(name) & {"\\", "\0"}:
        raise CurriculabError(f"attributes:{name[:40]}: give the plain name of a file in {_where(folder)}")
    for candidate in (name, f"{name}.npz"):
        path = data_folder(folder) / candidate
        if path.is_file():
            return path
    raise CurriculabError(
        f"there is no file {name[:40]!r} of attribute-ranked classes; put an NPZ with the arrays "
        f"{', '.join(ARRAYS)} into {_where(folder)}"
    )


def local_sources(folder: Folder = None) -> tuple[BuiltIn, ...]:
    """All classes and files that are there, or else an entry for each experiment that says what to put where."""
    animals = tuple(awa_source(name, folder) for name in CLASSES)
    if not animals[0].available:
        story = "The paper's first experiment: one animal against seven others, at five levels of difficulty."
        animals = (replace(animals[0], name="awa:CLASS", story=story),)
    found = []
    for path in sorted(data_folder(folder).glob("*.npz")):
        with suppress(CurriculabError):  # a file that only looks like one; naming it says what is wrong
            found += [ranked_source(path)] if _has_ranks(path) else []
    no_file = _ranked(
        name="attributes:FILE",
        story="Attributes of ranked classes, such as Shoes or PubFig: the paper's second experiment.",
        origin="your local file",
        make=_attributes,
        sizes=RANKED_SIZES,
        missing=f"put an NPZ with the arrays {', '.join(ARRAYS)} into {_where(folder)}",
    )
    return (*animals, *(found or [no_file]))


def _has_ranks(path: Path) -> bool:
    """Whether a file has the arrays of ranked classes, without reading them."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {f"{name}.npy" for name in ARRAYS} <= set(archive.namelist())
    except (OSError, zipfile.BadZipFile, ValueError):
        return False


@lru_cache(maxsize=2)
def _contents(path: Path, changed: float) -> tuple[FloatArray, IntArray, tuple[str, ...], IntArray]:
    """Features, class of every image, attribute names, and attribute x class ranks; `changed` drops old copies."""
    X, label, given, ranks = _load_arrays(path, ARRAYS)
    names = tuple(clean_task_name(name, path.name) for name in _texts(given))
    if label.shape != X.shape[:1] or label.dtype.kind not in "iu" or ranks.ndim != 2 or len(ranks) != len(names):
        raise CurriculabError(
            f"{path.name}: give a whole-number label for every image and a row of ranks for every name"
        )
    if ranks.shape[1] < 4 or not np.isin(label, range(ranks.shape[1])).all():
        raise CurriculabError(f"{path.name}: labels must count the columns of relative_ordering, at least four classes")
    return X, label.astype(np.int64), names, ranks.astype(np.int64)


def _extreme_classes(ranks: IntArray) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two classes of greatest rank and, of the others, the two of least; ties go to the first."""
    first, second, *rest = np.argsort(-ranks, kind="stable").tolist()
    low, lower = sorted(rest, key=lambda k: (int(ranks[k]), k))[:2]
    return (first, second), (low, lower)


def _fitting_sizes(label: IntArray, ranks: IntArray) -> Sizes:
    """Every task takes as many images of each of its four classes; a class in k tasks gives each a k-th."""
    used = np.array([[*positive, *negative] for positive, negative in map(_extreme_classes, ranks)])
    uses, images = (np.bincount(of.ravel(), minlength=ranks.shape[1]) for of in (used, label))
    share = int(np.min(images[uses > 0] // uses[uses > 0]))
    if 2 * share >= sum(RANKED_SIZES):
        return RANKED_SIZES
    return Sizes(max(2 * (share // 2), 2), max(2 * (share - share // 2), 1))


def _attributes(rng: np.random.Generator, sizes: Sizes, path: Path) -> TaskSet:
    """A task for each attribute; features as they come, with a bias; no image in two tasks."""
    X, label, names, ranks = _contents(path, path.stat().st_mtime)
    pools = Pools(rng, label.tolist())
    sides = map(_extreme_classes, ranks)
    tasks = (task_from_pools(name, X, pools, *both, sizes) for name, both in zip(names, sides, strict=True))
    return TaskSet("attributes", tuple(tasks), normalize="none")
