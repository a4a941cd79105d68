"""The lessons' claims: each at the set and the C of its lesson."""

from __future__ import annotations

from core.orders.ranking import agreement
from data.sources.catalogue import STORY_C, STORY_SET
from tests.claims.stories import Claim, Draw

SLIDER = (0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0)
CHAIN = "plane-rotation?tasks=5"


def mean_order(draw: Draw, C: float) -> float:
    """Mean test error over all orders."""
    errors = draw.orders(C).test_errors
    assert errors is not None
    return float(errors.mean())


def bounds_tell(draw: Draw, C: float) -> bool:
    """Whether orders with a lower bound have less test error, by rank correlation."""
    found = agreement(draw.orders(C))
    assert found is not None
    return found > 0


def _in_order(draw: Draw) -> bool:
    return draw.learned("seqmt", 100.0).order == draw.task_set.names


def _easiest_beats_hardest(draw: Draw) -> bool:
    orders, semantic = draw.orders(STORY_C), draw.task_set.semantic_order
    assert orders.test_errors is not None
    assert semantic is not None
    forth, back = orders.row(semantic), orders.row(semantic[::-1])
    return bool(orders.test_errors[forth] < orders.test_errors[back])


def _order_matters(draw: Draw) -> bool:
    errors = draw.orders(STORY_C).test_errors
    assert errors is not None
    return bool(errors.max() > 1.2 * errors.min())


def _first_choice_flips(draw: Draw) -> bool:
    return len({draw.learned("seqmt", C).order[0] for C in SLIDER}) > 1


def _both_from_the_root(draw: Draw) -> bool:
    sources = draw.learned("treemt", 100.0).sources
    return sources["left 1"] == sources["right 1"] == "root"


def _outlier_last_or_first(draw: Draw) -> bool:
    found = draw.best(10.0)
    return found.greedy.order[-1] == "outlier" == found.order[0]


def _lowest_bound_learns_better(draw: Draw) -> bool:
    found = draw.best(10.0)
    assert found.test_error is not None
    return found.test_error < draw.error("seqmt", 10.0)


LESSON_CLAIMS: tuple[Claim, ...] = (
    Claim(CHAIN, "lesson 1", "SeqMT takes the tasks as the line turns (C = 100)", _in_order),
    Claim(
        STORY_SET,
        "lesson 2",
        "the worst order makes at least a fifth more mistakes than the best (C = 1000)",
        _order_matters,
    ),
    Claim(
        STORY_SET,
        "lesson 2",
        "easiest first makes fewer mistakes than hardest first (C = 1000)",
        _easiest_beats_hardest,
    ),
    Claim(STORY_SET, "lesson 3", "the first choice flips somewhere on the slider of C", _first_choice_flips),
    Claim(
        "shoes-like?test=60",
        "lesson 4",
        "one sequence makes more mistakes than each task alone (C = 100)",
        lambda draw: draw.error("indsvm", 100.0) < draw.error("seqmt", 100.0),
    ),
    Claim(
        "shoes-like?test=60",
        "lesson 4",
        "MultiSeqMT makes fewer mistakes than one sequence (C = 100)",
        lambda draw: draw.error("multiseqmt", 100.0) < draw.error("seqmt", 100.0),
    ),
    Claim(
        CHAIN,
        "lesson 4",
        "where tasks form a chain, MultiSeqMT makes the same sequence as SeqMT (C = 100)",
        lambda draw: draw.learned("multiseqmt", 100.0).sources == draw.learned("seqmt", 100.0).sources,
    ),
    Claim("plane-tree", "lesson 5", "both branches begin at the root in TreeMT (C = 100)", _both_from_the_root),
    Claim(
        "plane-tree",
        "lesson 5",
        "TreeMT's chosen criteria are below MultiSeqMT's on average (C = 100)",
        lambda draw: draw.criterion("treemt", 100.0) < draw.criterion("multiseqmt", 100.0),
    ),
    Claim(
        "plane-misleading",
        "lesson 6",
        "SeqMT makes more mistakes than the teacher first (C = 1000)",
        lambda draw: draw.error("semantic", 1000.0) < draw.error("seqmt", 1000.0),
    ),
    Claim(
        "plane-misleading",
        "lesson 6",
        "SeqMT makes more mistakes than the mean of all orders (C = 1000)",
        lambda draw: mean_order(draw, 1000.0) < draw.error("seqmt", 1000.0),
    ),
    Claim(
        "plane-misleading",
        "lesson 6",
        "SeqMT's bound is below that of the teacher first (C = 1000)",
        lambda draw: draw.bound("seqmt", 1000.0) < draw.bound("semantic", 1000.0),
    ),
    Claim(
        "plane-outlier",
        "lesson 7",
        "greedy puts the outlier last, the lowest bound puts it first (C = 10)",
        _outlier_last_or_first,
    ),
    Claim(
        CHAIN,
        "lesson 7",
        "on the turning line greedy finds the lowest bound of all orders (C = 1000)",
        lambda draw: draw.best(1000.0).greedy_is_best,
    ),
    Claim("plane-outlier", "lesson 7", "the lowest bound makes fewer mistakes (C = 10)", _lowest_bound_learns_better),
)
