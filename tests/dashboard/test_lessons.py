"""The lessons' numbers are the core's, their sentences follow from them, and their links open what they say."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core import learn
from core.analysis.all_orders import every_order
from core.analysis.ranking import agreement
from dashboard.teach import lessons
from dashboard.teach.lessons import LESSONS, Answer
from data.sets import catalogue


@pytest.fixture(scope="module")
def answers() -> tuple[Answer, ...]:
    kept: list[int] = []
    found = lessons.answers(lambda k: lambda done, total: None, lambda partial: kept.append(len(partial)))
    assert kept == [1, 2, 3, 4, 5]
    return found


def test_the_first_lessons_numbers_are_those_of_all_orders(answers: tuple[Answer, ...]) -> None:
    task_set = catalogue.load("digits-levels:8")
    greedy = learn(task_set, "seqmt")
    orders = every_order(task_set, C=next(iter(greedy.chosen_C.values())))
    assert orders.test_errors is not None
    assert dict(answers[0].numbers) == {
        "Best order": f"{orders.test_errors.min():.1%}",
        "Mean over orders": f"{orders.test_errors.mean():.1%}",
        "Worst order": f"{orders.test_errors.max():.1%}",
        "SeqMT": f"{greedy.mean_test_error:.1%}",
    }


def test_the_other_lessons_show_what_the_methods_learned(answers: tuple[Answer, ...]) -> None:
    terms = learn(catalogue.load("plane-rotation"), "seqmt", C=100.0).bound
    assert terms is not None
    assert ("By both (SeqMT)", f"{terms.error + terms.complexity:.3f}") in answers[1].numbers
    alone = learn(catalogue.load("digits-levels"), "indsvm").mean_test_error
    assert ("IndSVM", f"{alone:.1%}") in answers[2].numbers
    tree = learn(catalogue.load("plane-tree"), "treemt").bound
    assert tree is not None
    assert ("TreeMT, bound", f"{tree.value:.3f}") in answers[3].numbers
    misled = catalogue.load("plane-misleading")
    rho = agreement(every_order(misled, C=1000.0))
    assert ("Rank correlation", f"{rho:.2f}".replace("-", "−")) in answers[4].numbers


def test_the_built_in_sets_still_tell_the_stories(answers: tuple[Answer, ...]) -> None:
    one, forest, misled = (answer.sentence for answer in answers[2:])
    assert "worse than learning each alone" in one
    assert "MultiSeqMT begins 3 subsequences" in one
    assert "falls by" in forest
    assert "low bounds go with high errors" in misled
    assert "learns the teacher at step 4 of 5" in misled


def test_every_lesson_opens_an_existing_set_on_an_existing_page() -> None:
    for lesson in LESSONS:
        assert catalogue.find(lesson.link["set"]).available
        assert lesson.page in ("orders", "step", "subsequences")


def test_the_page_tells_all_five_with_numbers(answers: tuple[Answer, ...]) -> None:
    from dashboard.session import current

    app = AppTest.from_file("../../dashboard/app.py", default_timeout=60).run()
    current._results.put((current.built_in(catalogue.DEFAULT, 0)[1], current.Settings(), "lessons"), answers)
    app.switch_page("views/lessons.py").run()
    assert not app.exception
    assert [heading.value for heading in app.subheader] == [
        f"{k}. {lesson.title}" for k, lesson in enumerate(LESSONS, start=1)
    ]
    assert [metric.value for metric in app.metric] == [value for answer in answers for _, value in answer.numbers]
