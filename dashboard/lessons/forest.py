"""Lesson 5, what a forest adds: a root with two branches, which a subsequence can leave only once."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.figures import by_draw, pictures
from dashboard.lessons.lesson import (
    CHAIN,
    FOREST,
    ONE,
    SEVERAL,
    Lesson,
    Question,
    Screen,
    Seen,
    Trial,
    Tried,
    bold,
    of_draws,
)

SET, C = "plane-tree", 100.0
ROOT, BRANCHES = "root", ("left 1", "right 1")
STARTS = ("From the root", "From a task of the other branch", "From nothing")


def second(sources: Mapping[str, str | None]) -> str:
    """The first task of the branch that is begun later."""
    return [name for name in sources if name in BRANCHES][-1]


def start_of_second(sources: Mapping[str, str | None]) -> int:
    """Where the branch that is begun later starts, as a place in `STARTS`."""
    source = sources[second(sources)]
    return 0 if source == ROOT else 2 if source is None else 1


def _second_branch(seen: Seen, found: Tried, _: Tried) -> Screen:
    several, draws = found.first(SEVERAL), found.learned[SEVERAL]
    once = sum(list(one.sources.values()).count(ROOT) <= 1 for one in draws)
    anew = sum(start_of_second(one.sources) == 2 for one in draws)
    later = second(several.sources)
    source = several.sources[later]
    start = "from nothing" if source is None else f"from {bold(source)}"
    return Screen(
        "A root with two branches",
        "Seven tasks: a **root** with a wide gap, and two branches in which the line turns to the left or to the "
        "right, step by step. MultiSeqMT of lesson 4 may continue the **end** of an open subsequence or begin anew. "
        "Once a branch has continued the root, the root is no longer an end.",
        lambda: pictures.panels(found.task_set, "lesson-panels", "The seven tasks, one panel each", seen.dark),
        Question(
            f"On this draw MultiSeqMT begins the branch of “{later}” second. Where does “{later}” start?",
            STARTS,
            start_of_second(several.sources),
            f"{bold(later)} starts {start} on this draw. At most one task continues the root {of_draws(once)}, so the "
            f"second branch has to come the long way round or start from nothing, as it does {of_draws(anew)}.",
        ),
        reveal=lambda: pictures.lanes(found.task_set, several, "lesson-lanes", seen.dark),
    )


def _saves(seen: Seen, found: Tried, _: Tried) -> Screen:
    from_root = sum(all(one.sources[name] == ROOT for name in BRANCHES) for one in found.learned[FOREST])
    criteria, errors = found.criteria(), found.errors()
    lower = criteria.lower(FOREST, SEVERAL)
    return Screen(
        "Every solved task stays a start",
        "Let a task start from **any** task that is already learned. Then sources form a forest, and the learner is "
        f"called {bold('TreeMT')}. Compare the two by the **criteria** of the steps they chose, on average: the "
        "part of the guarantee that what was learned decides. (The rest is a price for having had a choice, and it "
        "differs between the two.)",
        lambda: pictures.lanes(found.task_set, found.first(FOREST), "lesson-tree", seen.dark),
        Question(
            "Whose chosen steps cost less on average?",
            ("MultiSeqMT's", "TreeMT's", "It changes from draw to draw"),
            1 if lower >= 19 else 0 if lower <= 1 else 2,
            f"TreeMT's cost less {of_draws(lower)}: {criteria.means[FOREST]:.2f} against "
            f"{criteria.means[SEVERAL]:.2f} on average. Both branches begin at the root "
            f"{of_draws(from_root)}. The test errors are alike, {errors.means[FOREST]:.1f}\u00a0% and "
            f"{errors.means[SEVERAL]:.1f}\u00a0%, as these tasks are easy: what falls is the guarantee.",
        ),
        reveal=lambda: by_draw.picture(criteria, "lesson-criteria", "Mean criteria over draws", seen.dark),
    )


def _opposite(seen: Seen, found: Tried, turning: Tried) -> Screen:
    same = turning.same_sources(FOREST, ONE)
    return Screen(
        "What would have to be true for the opposite?",
        "A forest helps because two tasks want the same start. Take the turning line of lesson 1 instead: five tasks "
        "in a row, each a neighbour of the next.",
        lambda: pictures.panels(turning.task_set, "lesson-panels", "The turning line", seen.dark),
        Question(
            "What does TreeMT make of the turning line?",
            ("A tree with branches", "The same chain as one sequence", "Five starts from nothing"),
            1 if same >= 15 else 0,
            f"The same chain as SeqMT {of_draws(same)}. Its bound is then a little higher, as it had more to choose "
            "from.",
        ),
        reveal=lambda: pictures.lanes(turning.task_set, turning.first(FOREST), "lesson-chain", seen.dark),
        then="**A forest adds something** if several tasks have the same best start; **it adds nothing** if the "
        "tasks stand in a row, or have nothing to do with each other.",
    )


LESSON = Lesson(
    "What a forest adds",
    "A root and two branches. Where should the second branch begin?",
    (
        Trial(SET, C, {SEVERAL: "multiseqmt", FOREST: "treemt"}, share=50),
        Trial(CHAIN, C, {ONE: "seqmt", FOREST: "treemt"}, share=50),
    ),
    (_second_branch, _saves, _opposite),
    "subsequences",
    C,
    "treemt",
)
