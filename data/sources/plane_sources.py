"""The sources in the plane: their stories, sizes and knobs."""

from __future__ import annotations

from data.sources import plane
from data.sources.source import BuiltIn, Draw, Knob, Sizes

_LICENCE = "MIT"
_ORIGIN = "drawn here from a seed"
_STRUCTURE = "It shows structure, not test error: almost no test point is wrong, whatever the order."


def _noise(default: float = 0.0) -> Knob:
    return Knob("noise", "noise", default, 0.0, 0.4, 0.01, "share of points with the wrong label")


def _drift(default: float) -> Knob:
    return Knob("drift", "drift", default, 0.0, 60.0, 5.0, "degrees that the boundary turns from task to task")


def _tasks(default: int, most: int, help_text: str = "how many tasks") -> Knob:
    return Knob("tasks", "tasks", default, 2, most, 1, help_text)


def plane_sources() -> tuple[BuiltIn, ...]:
    """All sources in the plane; their stories hold at the knobs' default values."""
    return (
        _source(
            "plane-rotation",
            "A boundary that turns while its gap narrows: SeqMT follows the chain from end to end.",
            plane.draw_rotation,
            Sizes(25, 50),
            (_noise(), _drift(20.0), _tasks(7, 12)),
            7,
            semantic_order="along the chain",
            note=_STRUCTURE,
        ),
        _source(
            "plane-groups",
            "Two unrelated groups: one sequence has to jump between them, MultiSeqMT keeps them apart.",
            plane.draw_groups,
            Sizes(20, 50),
            (_noise(), _drift(10.0), _tasks(4, 8, "how many tasks in each group")),
            8,
            groups="the two groups",
            note=_STRUCTURE,
        ),
        _source(
            "plane-outlier",
            "A chain and one task with its labels turned round: in MultiSeqMT the outlier stays alone.",
            plane.draw_outlier,
            Sizes(20, 50),
            (_noise(), _drift(10.0), _tasks(5, 10, "how many tasks in the chain")),
            6,
            groups="chain and outlier",
            note=_STRUCTURE,
        ),
        _source(
            "plane-unrelated",
            "Four tasks that have nothing in common: MultiSeqMT starts anew for each.",
            plane.draw_unrelated,
            Sizes(20, 50),
            (_noise(),),
            4,
            note=_STRUCTURE,
        ),
        _source(
            "plane-equal",
            "The same task five times over: throwing all points together beats learning each alone.",
            plane.draw_equal,
            Sizes(10, 100),
            (_noise(0.1), _tasks(5, 10)),
            5,
        ),
        _source(
            "plane-tree",
            "A root with two branches: only TreeMT can learn both from the root.",
            plane.draw_tree,
            Sizes(25, 50),
            (_noise(), _drift(25.0), Knob("depth", "depth", 3, 1, 5, 1, "tasks in each branch")),
            7,
            groups="root and branches",
            note=_STRUCTURE,
        ),
        _source(
            "plane-misleading",
            "A teacher that looks expensive: the bound makes SeqMT take pupils first, and it loses to teacher-first.",
            plane.draw_misleading,
            Sizes(5, 100),
            (
                _noise(),
                _tasks(4, 6, "how many pupils"),
                Knob("richness", "richness", 20, 1, 40, 1, "the teacher's points for each of a pupil's"),
            ),
            5,
            semantic_order="the teacher first",
        ),
    )


def _source(
    name: str,
    story: str,
    draw: Draw,
    sizes: Sizes,
    knobs: tuple[Knob, ...],
    tasks: int,
    semantic_order: str = "",
    groups: str = "",
    note: str = "",
) -> BuiltIn:
    return BuiltIn(
        name=name,
        story=story,
        kind="plane",
        licence=_LICENCE,
        origin=_ORIGIN,
        draw=draw,
        sizes=sizes,
        tasks=tasks,
        note=note,
        semantic_order=semantic_order,
        groups=groups,
        own_knobs=knobs,
    )
