"""The paper's published figures, as data.

*Curriculum Learning of Multiple Tasks* (Pentina, Sharmanska, Lampert; CVPR 2015). Errors are per cent, each a mean
and a standard error of the mean over 20 repeats; methods have this project's names. Table 1 is three rows of `AWA`.
"""

from __future__ import annotations

from typing import NamedTuple

PAPER = "Pentina, Sharmanska, Lampert: Curriculum Learning of Multiple Tasks, CVPR 2015"


class Published(NamedTuple):
    """A published mean and its standard error, in per cent."""

    mean: float
    standard_error: float


def _table(text: str) -> dict[str, tuple[Published, ...]]:
    """Lines of `method: mean error, mean error, ...`."""
    rows = (line.strip().partition(": ") for line in text.strip().splitlines())
    return {
        name: tuple(Published(*map(float, figure.split())) for figure in figures.split(","))
        for name, _, figures in rows
    }


AWA_CLASSES = ("Chimpanzee", "Giant panda", "Leopard", "Persian cat", "Hippopotamus", "Raccoon", "Rat", "Seal")
# Appendix: sequential learning of tasks from easiest to hardest; a figure for each class
AWA = _table(
    """
    IndSVM: 26.34 0.31, 24.12 0.58, 20.60 0.27, 25.90 0.45, 29.60 0.49, 31.07 0.36, 39.66 0.66, 28.98 0.30
    MergedSVM: 22.81 0.31, 19.08 0.47, 20.65 0.35, 24.02 0.44, 28.31 0.48, 29.40 0.57, 36.66 0.62, 27.60 0.33
    MT: 24.16 0.35, 20.12 0.45, 19.71 0.33, 23.99 0.40, 27.94 0.52, 29.25 0.43, 37.41 0.60, 27.65 0.29
    SeqMT: 23.86 0.33, 19.33 0.52, 19.36 0.29, 23.81 0.40, 27.83 0.46, 29.04 0.37, 36.34 0.57, 27.04 0.22
    Diversity: 24.56 0.37, 20.66 0.49, 20.63 0.32, 25.28 0.34, 29.59 0.49, 30.38 0.51, 38.03 0.58, 28.27 0.37
    Error: 24.47 0.42, 20.02 0.58, 19.97 0.27, 24.84 0.46, 29.07 0.55, 29.75 0.31, 38.00 0.54, 28.27 0.38
    Compl: 23.94 0.32, 19.44 0.50, 19.36 0.29, 23.81 0.40, 27.83 0.46, 29.04 0.37, 36.34 0.57, 27.04 0.22
    Random: 24.18 0.37, 20.44 0.46, 20.06 0.33, 24.41 0.37, 28.66 0.55, 29.95 0.48, 37.40 0.66, 27.84 0.27
    Semantic: 23.62 0.32, 19.07 0.51, 19.67 0.30, 24.03 0.37, 28.67 0.47, 29.00 0.43, 37.23 0.54, 28.09 0.36
    Best: 23.35 0.38, 19.07 0.51, 19.22 0.30, 23.69 0.46, 27.79 0.33, 28.82 0.46, 36.57 0.63, 27.46 0.37
    Worst: 24.89 0.40, 21.18 0.48, 20.58 0.32, 25.20 0.39, 29.19 0.47, 30.32 0.51, 38.74 0.65, 28.16 0.28
    """
)
# Table 2: learning subsequences of related attributes
SHOES = _table(
    """
    IndSVM: 10.34 0.13
    MergedSVM: 29.67 0.10
    MT: 10.37 0.13
    SeqMT: 10.96 0.12
    MultiSeqMT: 9.95 0.12
    Diversity: 12.66 0.17
    Random: 12.14 0.20
    RandomMultiSeq: 10.89 0.14
    """
)

# Appendix: ordering of classes with respect to attributes; rank 10 has it most, 1 least
SHOES_CLASSES = (
    "Athletic",
    "Boots",
    "Clogs",
    "Flats",
    "Heels",
    "Pumps",
    "Rain Boots",
    "Sneakers",
    "Stiletto",
    "Wedding",
)
SHOES_RANKS = {
    "Pointy at the front": (2, 6, 3, 5, 10, 9, 4, 1, 8, 7),
    "Open": (3, 2, 8, 5, 7, 6, 1, 4, 9, 10),
    "Bright in color": (6, 1, 2, 8, 4, 3, 10, 7, 9, 5),
    "Covered with ornaments": (4, 9, 6, 5, 8, 7, 1, 3, 10, 2),
    "Shiny": (2, 9, 4, 3, 6, 5, 8, 1, 10, 7),
    "High at the heel": (4, 6, 5, 1, 9, 8, 3, 2, 10, 7),
    "Long on the leg": (7, 9, 2, 3, 6, 5, 10, 8, 4, 1),
    "Formal": (3, 6, 4, 7, 9, 8, 1, 2, 5, 10),
    "Sporty": (10, 5, 6, 7, 4, 3, 8, 9, 1, 2),
    "Feminine": (1, 6, 4, 5, 10, 9, 3, 2, 8, 7),
}


def shoes_with_ranks(attribute: str, first: int, second: int) -> tuple[str, str]:
    """The two classes with these ranks by an attribute, in the classes' own order."""
    one, other = (
        name for name, rank in zip(SHOES_CLASSES, SHOES_RANKS[attribute], strict=True) if rank in (first, second)
    )
    return one, other


def published_for(source: str) -> dict[str, Published]:
    """The paper's figures for the experiment that a source repeats, by method; empty where there are none."""
    family, _, parameter = source.partition("?")[0].partition(":")
    name = parameter.replace("+", " ").replace("-", " ").replace("_", " ").capitalize()
    if family == "awa" and name in AWA_CLASSES:
        return {method: row[AWA_CLASSES.index(name)] for method, row in AWA.items()}
    if family == "attributes" and "shoes" in parameter.lower():
        return {method: row[0] for method, row in SHOES.items()}
    return {}
