"""`attributes:FILE`: classes ranked by attributes (Shoes, PubFig), the paper's second experiment on local data."""

from __future__ import annotations

import os
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from core.errors import CurriculabError
from core.task_set import FloatArray, TaskSet
from data.sources.levels import IntArray
from data.sources.local import data_folder, load_arrays, npz_names, texts, where
from data.sources.sampling import Pools, task_from_pools
from data.sources.source import BuiltIn, Sizes
from data.task_names import clean_task_name

ARRAYS = ("X", "label", "names", "relative_ordering")
PAPER_SIZES = Sizes(50, 300)


def files(folder: str | os.PathLike[str] | None = None) -> tuple[Path, ...]:
    """The NPZ files of attribute-ranked classes in the data folder."""
    root = data_folder(folder)
    try:
        found = sorted(root.glob("*.npz")) if root.is_dir() else []
    except OSError:
        return ()
    return tuple(path for path in found if set(ARRAYS) <= set(npz_names(path)))


def file_named(name: str, folder: str | os.PathLike[str] | None = None) -> Path:
    """The file of that plain name in the data folder; nothing outside of it is looked at."""
    if not name or len(name.encode(errors="replace")) > 200 or Path(name).name != name or set(name) & {"\\", "\0"}:
        raise CurriculabError(f"attributes:{name[:40]}: give the plain name of a file in {where(folder)}")
    for candidate in (name, f"{name}.npz"):
        path = data_folder(folder) / candidate
        if path.is_file():
            return path
    raise CurriculabError(
        f"there is no file {name[:40]!r} of attribute-ranked classes; put an NPZ with the arrays "
        f"{', '.join(ARRAYS)} into {where(folder)}"
    )


def ranked_source(path: Path, name: str | None = None) -> BuiltIn:
    """The source of one file: the paper's sizes if its images suffice, else the largest that fit."""
    _, label, attributes, ranks = _contents(path, path.stat().st_mtime)
    return BuiltIn(
        name=f"attributes:{name or path.name}",
        story=f"{len(attributes)} attributes of {ranks.shape[1]} classes: the two that have it most against the two "
        "that have it least, as in the paper's second experiment.",
        kind="local",
        licence="not redistributed; see its source",
        origin=f"your local file {path.name}",
        draw=partial(_draw, path=path),
        sizes=_fitting_sizes(label, ranks),
        tasks=len(attributes),
        note="Where ranks are tied, the class that comes first is taken.",
    )


def missing_source(folder: str | os.PathLike[str] | None = None) -> BuiltIn:
    """A listing's placeholder while there is no such file."""
    return BuiltIn(
        name="attributes:FILE",
        story="Attributes of ranked classes, such as Shoes or PubFig: the paper's second experiment.",
        kind="local",
        licence="not redistributed; see its source",
        origin="your local file",
        draw=_draw,
        sizes=PAPER_SIZES,
        missing=f"put an NPZ with the arrays {', '.join(ARRAYS)} into {where(folder)}",
    )


def extreme_classes(ranks: IntArray) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two classes of greatest rank and, of the others, the two of least; ties go to the first."""
    first, second, *rest = np.argsort(-ranks, kind="stable").tolist()
    low, lower = sorted(rest, key=lambda k: (int(ranks[k]), k))[:2]
    return (first, second), (low, lower)


@lru_cache(maxsize=2)
def _contents(path: Path, changed: float) -> tuple[FloatArray, IntArray, tuple[str, ...], IntArray]:
    """Features, class of every image, attribute names, and attribute x class ranks."""
    arrays = load_arrays(path, ARRAYS)
    X, label, ranks = arrays["X"], arrays["label"], arrays["relative_ordering"]
    names = tuple(clean_task_name(name, path.name) for name in texts(arrays["names"]))
    if label.shape != X.shape[:1] or label.dtype.kind not in "iu" or ranks.ndim != 2 or len(ranks) != len(names):
        raise CurriculabError(
            f"{path.name}: give a whole-number label for every image and a row of ranks for every name"
        )
    if ranks.shape[1] < 4 or not np.isin(label, range(ranks.shape[1])).all():
        raise CurriculabError(f"{path.name}: labels must count the columns of relative_ordering, at least four classes")
    return X.astype(np.float64), label.astype(np.int64), names, ranks.astype(np.int64)


def _fitting_sizes(label: IntArray, ranks: IntArray) -> Sizes:
    """Every task takes as many images of each of its four classes; a class in k tasks gives each a k-th."""
    uses = np.zeros(ranks.shape[1], dtype=np.int64)
    for row in ranks:
        positive, negative = extreme_classes(row)
        uses[[*positive, *negative]] += 1
    images = np.bincount(label, minlength=ranks.shape[1])
    share = int(min(images[used] // uses[used] for used in np.flatnonzero(uses)))
    if 2 * share >= sum(PAPER_SIZES):
        return PAPER_SIZES
    return Sizes(max(2 * (share // 2), 2), max(2 * (share - share // 2), 1))


def _draw(seed: int, sizes: Sizes, path: Path) -> TaskSet:
    """A task for each attribute; features as they come, with a bias; no image in two tasks."""
    X, label, names, ranks = _contents(path, path.stat().st_mtime)
    pools = Pools(np.random.default_rng(seed), label.tolist())
    tasks = tuple(
        task_from_pools(name, X, pools, *extreme_classes(row), sizes) for name, row in zip(names, ranks, strict=True)
    )
    return TaskSet("attributes", tasks, normalize="none")
