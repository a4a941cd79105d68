"""The claims: what docs/task-sets.md and the sets' own stories say, set by set, in the words of that page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from data.sources.catalogue import STORY_C, STORY_SET
from tests.claims.lesson_claims import LESSON_CLAIMS, bounds_tell, mean_order
from tests.claims.stories import Claim, Draw

DOCS = "task-sets.md"
MOSTLY = 0.75
"""The share of draws in which a story holds that is told with 'mostly'."""
RELATED = {"Pointy at the front", "Feminine", "Formal", "High at the heel", "Shiny"}
NEAR_ZERO = (
    "at the shared C IndSVM, SeqMT, MultiSeqMT and a random order have test errors below 2 %: "
    "this set shows structure, not test error"
)


def _crossing(draw: Draw, method: str) -> int:
    """How many tasks start from one of another group."""
    groups, sources = draw.task_set.groups, draw.learned(method).sources
    assert groups is not None
    return sum(source is not None and groups[source] != groups[task] for task, source in sources.items())


def _starts(draw: Draw) -> int:
    """How many tasks start from nothing in MultiSeqMT."""
    return list(draw.learned("multiseqmt").sources.values()).count(None)


def _less(first: str, second: str, by: float = 0.0) -> Callable[[Draw], bool]:
    """That one method has less test error than another, by so much at least."""
    return lambda draw: draw.error(first) < draw.error(second) - by


def _near_zero(draw: Draw) -> bool:
    return max(draw.error(method) for method in ("indsvm", "seqmt", "multiseqmt", "random")) < 0.02


def _levels(name: str) -> tuple[Claim, ...]:
    return (
        Claim(
            name,
            DOCS,
            "MultiSeqMT keeps the digits apart: at most one task starts from another digit's",
            lambda draw: _crossing(draw, "multiseqmt") <= 1,
        ),
        Claim(name, DOCS, "MultiSeqMT has less error than SeqMT", _less("multiseqmt", "seqmt")),
        Claim(name, DOCS, "MultiSeqMT has less error than each task alone", _less("multiseqmt", "indsvm")),
    )


def _attributes(name: str) -> tuple[Claim, ...]:
    return (
        Claim(name, DOCS, "one sequence hurts: SeqMT has more error than each task alone", _less("indsvm", "seqmt")),
        Claim(name, DOCS, "MultiSeqMT has less error than SeqMT", _less("multiseqmt", "seqmt")),
        Claim(
            name,
            DOCS,
            "MultiSeqMT is at most two points of error above each task alone",
            _less("multiseqmt", "indsvm", -0.02),
        ),
    )


def _hardly_matters(draw: Draw) -> bool:
    C = next(iter(draw.learned("seqmt").chosen_C.values()))
    return abs(draw.error("seqmt") - mean_order(draw, C)) < 0.03


def _neighbours(draw: Draw) -> float:
    places = [draw.task_set.names.index(name) for name in draw.learned("seqmt").order]
    return float(np.mean(np.abs(np.diff(places)) == 1))


def _outlier_alone(draw: Draw) -> bool:
    sources = draw.learned("multiseqmt").sources
    return sources["outlier"] is None and "outlier" not in sources.values() and _starts(draw) == 2


def _tree(draw: Draw) -> bool:
    return draw.learned("treemt").sources == {
        "root": None,
        **{f"{side} 1": "root" for side in ("left", "right")},
        **{f"{side} {k}": f"{side} {k - 1}" for side in ("left", "right") for k in (2, 3)},
    }


def _hardest_is_harder(draw: Draw) -> bool:
    errors = draw.learned("indsvm").test_error
    assert errors is not None
    return errors["easiest"] < errors["hardest"]


def _related_together(draw: Draw) -> bool:
    sources = draw.learned("multiseqmt").sources
    return sum(task in RELATED and source in RELATED for task, source in sources.items()) >= 3


CLAIMS: tuple[Claim, ...] = (
    *_levels("mnist-levels"),
    Claim("mnist-levels", DOCS, "SeqMT has less error than a random order", _less("seqmt", "random")),
    Claim(
        STORY_SET,
        DOCS,
        "at C = 1000 SeqMT has less error than the mean of all orders",
        lambda draw: draw.error("seqmt", STORY_C) < mean_order(draw, STORY_C),
    ),
    Claim(
        STORY_SET,
        DOCS,
        "at C = 1000 the mean of all orders has less error than each task alone",
        lambda draw: mean_order(draw, STORY_C) < draw.error("indsvm", STORY_C),
    ),
    Claim(
        STORY_SET,
        DOCS,
        "at C = 1000 orders with a lower bound have less error (rank correlation above 0)",
        lambda draw: bounds_tell(draw, STORY_C),
    ),
    *_attributes("mnist-attributes"),
    *_levels("digits-levels"),
    Claim("digits-levels:8", DOCS, "SeqMT is within 3 points of the mean of all orders", _hardly_matters),
    *_attributes("digits-attributes"),
    Claim(
        "digits-rotated",
        DOCS,
        "SeqMT mostly follows the angle from one end to the other",
        lambda draw: _neighbours(draw) == 1.0,
        MOSTLY,
    ),
    Claim(
        "plane-rotation",
        DOCS,
        "SeqMT follows the chain",
        lambda draw: draw.learned("seqmt").order == draw.task_set.names,
    ),
    Claim(
        "plane-groups",
        DOCS,
        "MultiSeqMT makes two subsequences and never crosses",
        lambda draw: _crossing(draw, "multiseqmt") == 0 and _starts(draw) == 2,
    ),
    Claim("plane-outlier", DOCS, "the outlier stays alone in MultiSeqMT", _outlier_alone),
    Claim("plane-unrelated", DOCS, "MultiSeqMT starts anew for each", lambda draw: _starts(draw) == len(draw.task_set)),
    Claim("plane-tree", DOCS, "TreeMT recovers the tree", _tree),
    *(
        Claim(f"plane-{name}", DOCS, NEAR_ZERO, _near_zero)
        for name in ("rotation", "groups", "outlier", "unrelated", "tree")
    ),
    Claim("plane-equal", DOCS, "MergedSVM has less error than IndSVM", _less("mergedsvm", "indsvm")),
    Claim("plane-equal", DOCS, "SeqMT mostly has less error than IndSVM", _less("seqmt", "indsvm"), MOSTLY),
    Claim(
        "plane-misleading",
        DOCS,
        "SeqMT begins with a pupil",
        lambda draw: draw.learned("seqmt").order[0] != "teacher",
    ),
    Claim("plane-misleading", DOCS, "SeqMT has more error than teacher-first", _less("semantic", "seqmt")),
    Claim(
        "plane-misleading",
        DOCS,
        "at C = 1000 SeqMT has more error than the mean of all orders",
        lambda draw: mean_order(draw, 1000.0) < draw.error("seqmt", 1000.0),
    ),
    Claim("awa-like", DOCS, "the hardest level has more error than the easiest", _hardest_is_harder),
    Claim("awa-like", DOCS, "SeqMT has less error than each task alone", _less("seqmt", "indsvm")),
    Claim("awa-like", DOCS, "SeqMT mostly has less error than a random order", _less("seqmt", "random"), MOSTLY),
    Claim(
        "shoes-like", DOCS, "one sequence hurts: SeqMT has more error than each task alone", _less("indsvm", "seqmt")
    ),
    Claim("shoes-like", DOCS, "MultiSeqMT has less error than SeqMT", _less("multiseqmt", "seqmt")),
    Claim("shoes-like", DOCS, "SeqMT has less error than a random order", _less("seqmt", "random")),
    Claim(
        "shoes-like",
        DOCS,
        "in MultiSeqMT at least three of the five attributes of elegance start from one another",
        _related_together,
    ),
    *LESSON_CLAIMS,
)
