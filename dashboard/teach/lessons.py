"""Five short stories: what each asks, the numbers that answer it, computed when asked for, and where to look closer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.analysis.all_orders import every_order
from core.analysis.ranking import agreement, extremes, place_learned
from core.curriculum.bound import Bound
from core.curriculum.learn import Learned, Problem
from core.fitting.cross_validation import Progress
from dashboard.figures.orders import standing
from data.sets import catalogue


@dataclass(frozen=True, slots=True)
class Answer:
    """The numbers of a lesson as label and text, and the sentence that they allow."""

    numbers: tuple[tuple[str, str], ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A story, the page that shows it and the settings in its link, and how its numbers are found."""

    title: str
    story: str
    look: str
    page: str
    link: dict[str, str]
    answer: Callable[[Lesson, Progress], Answer]

    def problem(self) -> Problem:
        """The set of the link, as the page will load it."""
        return Problem(catalogue.load(self.link["set"]))


def answers(progress: Callable[[int], Progress], keep: Callable[[tuple[Answer, ...]], None]) -> tuple[Answer, ...]:
    """The answers of all lessons, one after the other; `progress(k)` reports on lesson k."""
    found: tuple[Answer, ...] = ()
    for k, lesson in enumerate(LESSONS):
        found = (*found, lesson.answer(lesson, progress(k)))
        keep(found)
    return found


def _order_matters(lesson: Lesson, progress: Progress) -> Answer:
    problem = lesson.problem()
    greedy = problem.learn("seqmt", progress=progress)
    orders = every_order(problem.task_set, C=_shared_C(greedy), seed=problem.seed)
    best, worst, mean = extremes(orders)
    ratio = _error(worst.test_error) / max(_error(best.test_error), 1e-9)
    return Answer(
        (
            ("Best order", _percent(best.test_error)),
            ("Mean over orders", _percent(mean.test_error)),
            ("Worst order", _percent(worst.test_error)),
            ("SeqMT", _percent(greedy.mean_test_error)),
        ),
        f"Over all {len(orders.orders)} orders of the same tasks, with the same data and the same C, the mean test "
        f"error goes from {_percent(best.test_error)} to {_percent(worst.test_error)}: the worst order makes "
        f"{ratio:.1f} times as many mistakes as the best.",
    )


def _two_terms(lesson: Lesson, progress: Progress) -> Answer:
    problem, C = lesson.problem(), float(lesson.link["C"])
    learned = {name: problem.learn(name.lower(), C, progress=progress) for name in ("Error", "Compl", "SeqMT")}
    bounds = {name: _bound(one) for name, one in learned.items()}
    sums = {name: bound.error + bound.complexity for name, bound in bounds.items()}
    lowest = min(sums, key=lambda name: (round(sums[name], 9), name != "SeqMT"))
    parts = {name: f"{sums[name]:.3f} ({bound.error:.3f} + {bound.complexity:.3f})" for name, bound in bounds.items()}
    steps = learned["SeqMT"].steps
    least = sum(step.chosen.error_term <= min(other.error_term for other in step.candidates) + 1e-9 for step in steps)
    sentence = (
        f"Mean criterion of the whole curriculum (error + complexity term): choosing by the error term alone "
        f"{parts['Error']}, by the complexity term alone {parts['Compl']}, by both {parts['SeqMT']}. SeqMT takes the "
        f"candidate with the least error term in {least} of {len(steps)} steps. "
    )
    if lowest == "SeqMT":
        sentence += "Here both together are at least as good as either."
    else:
        sentence += f"Here {lowest} happens to end lower: greedy choices are not always the best in the end."
    labels = {"Error": "By error alone", "Compl": "By complexity alone", "SeqMT": "By both (SeqMT)"}
    return Answer(tuple((labels[name], f"{value:.3f}") for name, value in sums.items()), sentence)


def _one_sequence(lesson: Lesson, progress: Progress) -> Answer:
    problem = lesson.problem()
    learned = {name: problem.learn(name.lower(), progress=progress) for name in ("IndSVM", "SeqMT", "MultiSeqMT")}
    errors = {name: _error(one.mean_test_error) for name, one in learned.items()}
    curriculum = learned["MultiSeqMT"].curriculum
    count = 0 if curriculum is None else len(curriculum.subsequences)
    hurts = errors["SeqMT"] > errors["IndSVM"]
    helps = errors["MultiSeqMT"] < errors["SeqMT"]
    return Answer(
        tuple((name, _percent(error)) for name, error in errors.items()),
        f"Forced into one sequence, the tasks get {_percent(errors['SeqMT'])} wrong: "
        + ("worse than learning each alone" if hurts else "no worse than learning each alone")
        + f" ({_percent(errors['IndSVM'])}). MultiSeqMT begins {count} subsequences and gets "
        + f"{_percent(errors['MultiSeqMT'])} wrong{', as it need not pass from one kind of task to another' * helps}.",
    )


def _forest(lesson: Lesson, progress: Progress) -> Answer:
    problem = lesson.problem()
    learned = {name: problem.learn(name.lower(), progress=progress) for name in ("SeqMT", "MultiSeqMT", "TreeMT")}
    values = {name: _bound(one).value for name, one in learned.items()}
    saved = values["MultiSeqMT"] - values["TreeMT"]
    branching = len(learned["TreeMT"].sources) - len(set(learned["TreeMT"].sources.values()) - {None})
    return Answer(
        tuple((f"{name}, bound", f"{value:.3f}") for name, value in values.items()),
        f"A subsequence can go on only from its end, so a second branch has to start anew or come the long way round. "
        f"In TreeMT every solved task stays a source ({branching} tasks are ends of branches here), and the bound "
        + (f"falls by {saved:.3f} against MultiSeqMT." if saved > 0 else "is no lower than MultiSeqMT's here."),
    )


def _misleads(lesson: Lesson, progress: Progress) -> Answer:
    problem, C = lesson.problem(), float(lesson.link["C"])
    greedy, semantic = (problem.learn(method, C, progress=progress) for method in ("seqmt", "semantic"))
    orders = every_order(problem.task_set, C=C, seed=problem.seed)
    rho, place = agreement(orders), place_learned(orders, "SeqMT", greedy)
    best, _, _ = extremes(orders)
    teacher = semantic.order[0]
    told = "–" if rho is None else f"{rho:.2f}".replace("-", "−")
    verdict = "low bounds go with high errors" if rho is not None and rho < 0 else "the bound is no bad guide this time"
    return Answer(
        (
            ("Rank correlation", told),
            ("SeqMT", _percent(greedy.mean_test_error)),
            ("Teacher first", _percent(semantic.mean_test_error)),
            ("Best order", _percent(best.test_error)),
        ),
        f"Over {len(orders.orders)} orders the rank correlation of bound and test error is {told}: {verdict}. SeqMT is "
        f"{standing(place)}. It learns the {teacher} at step {greedy.order.index(teacher) + 1} of {len(greedy.order)}.",
    )


def _shared_C(learned: Learned) -> float:
    return learned.chosen_C[learned.order[0]]


def _bound(learned: Learned) -> Bound:
    assert learned.bound is not None  # the lessons use sequential methods only
    return learned.bound


def _error(error: float | None) -> float:
    return float("nan") if error is None else error


def _percent(error: float | None) -> str:
    return f"{_error(error):.1%}"


LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "Why order matters",
        "The same five tasks: the digit 8 against others, from easiest to hardest. A learner that starts each task "
        "from the one before learns them in some order. Does it matter which?",
        "Find the best and the worst order, then move tasks and try to beat SeqMT.",
        "orders",
        {"set": "digits-levels:8"},
        _order_matters,
    ),
    Lesson(
        "What the two terms trade off",
        "At every step the criterion adds two terms: how well the task's points are separated (error), and how far the "
        "weights had to move from the source (complexity). One could choose by either alone.",
        "Step through: in each bar, orange is the error term and blue the complexity term. Is the winner always the "
        "one with the least orange?",
        "step",
        {"set": "plane-rotation", "C": "100"},
        _two_terms,
    ),
    Lesson(
        "When one sequence hurts",
        "Fifteen tasks about three digits. In one sequence every task must start from the one before it, also where a "
        "1 follows an 8.",
        "Switch between SeqMT and MultiSeqMT, and see which lanes the digits take.",
        "subsequences",
        {"set": "digits-levels", "method": "multiseqmt"},
        _one_sequence,
    ),
    Lesson(
        "What a forest adds",
        "A root and two branches that turn away from it in opposite directions. Both branches could begin at the root, "
        "but a subsequence has only one end.",
        "Compare MultiSeqMT and TreeMT: where does the second branch begin?",
        "subsequences",
        {"set": "plane-tree", "method": "treemt"},
        _forest,
    ),
    Lesson(
        "When the bound misleads",
        "A teacher with many points, and pupils with few. Few points are separated by small weights, so pupils look "
        "cheap, and the teacher comes when nobody can learn from it any more.",
        "Look at the cloud on the right: does it rise? Then put the teacher first and see where your order lands.",
        "orders",
        {"set": "plane-misleading", "C": "1000"},
        _misleads,
    ),
)
