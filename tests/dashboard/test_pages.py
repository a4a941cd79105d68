"""Tasks and Step through run with every kind of task set, and what they say is what the core computed."""

import json
import shlex

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

from core import learn
from core.curriculum.learn import Problem
from dashboard.cli import main
from dashboard.components import code_box
from dashboard.pages.step import cards
from data.sources import catalogue
from tests.dashboard.screens import charts, drawn, link, open_page, settled, texts, with_code

LONG = "a name with " + "very " * 37 + "many letters"
MARKUP = ["<b>bold</b><script>alert(1)</script>", "**stars** :red[x] $y$ %{x} | `code`", LONG, LONG + " too"]
SETS = {
    "one task": lambda: drawn(1),
    "two tasks in the plane": lambda: drawn(2, features=2),
    "one feature": lambda: drawn(3, features=1),
    "no test data": lambda: drawn(4, test=False),
    "markup and long names": lambda: drawn(4, names=MARKUP),
    "many features": lambda: drawn(3, features=5000),
}


def fine(app: AppTest) -> None:
    assert not app.exception, [element.value for element in app.exception]
    assert not app.error, [element.value for element in app.error]


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("page", ["tasks", "step"])
def test_every_kind_of_set_is_shown(page: str, kind: str) -> None:
    app = open_page(page, SETS[kind](), C="10")
    fine(app)
    assert charts(app) >= 3
    assert "<script>" not in texts(app)


def test_sixty_tasks_are_shown_and_stepped_through() -> None:
    task_set = drawn(60)
    fine(open_page("tasks", task_set, C="10"))
    app = open_page("step", task_set, C="10", method="treemt", step="40")
    fine(app)
    assert "Step 40 of 60" in texts(app)


@pytest.mark.parametrize("name", [s.name for s in catalogue.sources() if s.available and s.kind != "optional"])
def test_every_built_in_set_opens_on_both_pages(name: str) -> None:
    fine(open_page("tasks", set=name, C="100"))
    app = open_page("step", set=name, C="100", step="2", method="multiseqmt")
    fine(app)
    assert "Step 2 of" in texts(app)


def test_a_what_if_that_is_the_methods_own_choice_is_shown_as_such() -> None:
    task_set = drawn(4)
    own = learn(task_set, "seqmt", C=10.0).order[0]
    app = open_page("step", task_set, C="10", whatif=f"{task_set.index(own) + 1}.0")
    fine(app)
    assert "all choices are the method's own again." in texts(app)
    assert "Side by side" not in texts(app)


def test_a_step_costs_no_learning(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = Problem.learn

    def counted(self: Problem, *arguments: object, **settings: object) -> object:
        calls.append(arguments)
        return real(self, *arguments, **settings)

    monkeypatch.setattr(Problem, "learn", counted)
    app = open_page("step", drawn(5), C="6.5")  # which no other test learns with, so no cache knows it
    before = len(calls)
    assert before >= 1
    for step in (2, 3, 2, 5, 1):
        app.query_params["step"] = str(step)
        app.run()
        fine(app)
        assert f"Step {step} of 5" in texts(app)
    assert len(calls) == before


def candidate_box(app: AppTest) -> Selectbox:
    return next(box for box in app.selectbox if box.label == "Candidate")


def test_a_what_if_is_what_the_core_learns_with_that_choice_and_can_be_reset() -> None:
    task_set = drawn(5)
    app = open_page("step", task_set, C="7", step="2")
    own = learn(task_set, "seqmt", C=7.0)
    other = own.steps[1].runner_up
    box = candidate_box(app)
    box.select_index(next(k for k, text in enumerate(box.options) if other.task in text)).run()
    app.button(key="force").click().run()
    settled(app)
    fine(app)
    choices = [(own.order[0], None), (other.task, other.source)]
    expected = learn(task_set, "seqmt", C=7.0, choices=choices)
    values = [metric.value for metric in app.metric]
    assert values[:2] == [f"{own.bound.value:.3f}", f"{expected.bound.value:.3f}"]
    assert values[3] == f"{100 * expected.mean_test_error:.1f}\u00a0%"
    assert "You chose" in texts(app)
    app.button(key="reset").click().run()
    assert not app.metric
    assert "whatif" not in app.query_params


def test_with_a_shared_C_the_what_if_keeps_it() -> None:
    task_set = drawn(3, points=12)
    own = learn(task_set, "seqmt")
    app = open_page("step", task_set)
    candidate_box(app).select_index(1).run()
    app.button(key="force").click().run()
    settled(app)
    assert float(link(app, "ifC")) == own.steps[0].chosen.C


def test_the_code_box_says_what_is_on_screen() -> None:
    app = open_page("step", set="digits-levels:8", C="each", seed="3", normalize="none", bias="0", method="treemt")
    code = "\n".join(element.value for element in with_code(app).code)
    assert "catalogue.load('digits-levels:8', seed=3)" in code
    assert "learn(task_set, 'treemt', C='each', normalize='none', bias=False, seed=3, delta=0.05)" in code
    assert "curriculab learn digits-levels:8 --method treemt --C each --normalize none --no-bias --seed 3" in code


def test_nonsense_in_a_link_falls_back_and_an_unknown_set_is_told() -> None:
    app = open_page("step", C="nonsense", step="-5", method="magic", pick="x", whatif="9.9_x", delta="7", seed="abc")
    fine(app)
    assert "Step 1 of 15" in texts(app)
    app = open_page(set="no-such-set")
    assert not app.exception
    assert "no task set is called" in app.warning[0].value.replace("\\", "")


def test_a_link_to_an_upload_that_is_not_there_says_what_to_upload() -> None:
    app = open_page(set="upload:0123456789abcdef")
    assert not app.exception
    said = app.warning[0].value.replace("\\", "")
    assert "0123456789ab" in said
    assert "upload the same file" in said


def test_the_code_box_gives_the_same_result_when_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    app = open_page("step", set="plane-tree?train=10", seed="2", C="10", method="treemt", whatif="2.0_1.2")
    fine(app)
    code = [block.value for block in with_code(app).code]
    script = next(block for block in code if "from core import learn" in block)
    command = next(block for block in code if block.startswith("curriculab learn"))
    there: dict[str, object] = {}
    exec(script, there)
    pasted = there["learned"]
    assert [(step.chosen.task, step.chosen.source) for step in pasted.steps[:2]] == [
        (pasted.steps[0].chosen.task, None),
        (pasted.steps[1].chosen.task, pasted.steps[0].chosen.task),
    ]
    assert f"{pasted.bound.value:.3f}" in [metric.value for metric in app.metric]
    capsys.readouterr()
    assert main([*shlex.split(command)[1:], "--json", "-"]) in (0, None)
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(pasted.as_dict()))


def test_the_report_of_what_is_on_screen_is_one_page_with_its_plots() -> None:
    app = open_page("step", drawn(3), C="10")
    assert not [button for button in app.get("download_button") if button.proto.label == "Download the report"]
    settled(with_code(app).button(key="make-report").click().run())
    assert [button for button in app.get("download_button") if button.proto.label == "Download the report"]
    page = code_box.report(app.session_state["_current"]).decode()
    assert "Plotly.newPlot" in page
    assert "task 3" in page
    assert "<script src=" not in page


def test_a_report_is_refused_like_the_page_where_memory_would_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURRICULAB_MEMORY_GB", "0.000001")
    app = open_page("runs", drawn(3, points=9), C="10")
    assert not app.warning
    with_code(app).button(key="make-report").click().run()
    assert "learning from 27 training points" in app.warning[0].value
    assert not [button for button in app.get("download_button") if button.proto.label == "Download the report"]


def test_an_unforeseen_problem_is_a_sentence_and_the_rest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a <b>bad</b> day")

    monkeypatch.setattr("dashboard.components.player.show", broken)
    app = open_page("step", drawn(3), C="10")
    assert not app.exception
    assert "ZeroDivisionError" in app.error[0].value
    assert app.selectbox(key="w-set")


def test_what_the_solver_did_is_told_and_another_solver_changes_nothing() -> None:
    task_set = drawn(4)
    app = open_page("step", task_set, C="100", step="2", solver="kernel")
    fine(app)
    learned = learn(task_set, C=100.0)
    picked = learned.steps[1].chosen
    assert f"{cards.solver_words(picked.solved)} For the whole curriculum: 10 fits," in texts(app)
    assert f"after {picked.solved.iterations} iterations" in texts(app)
    assert next(c.value for c in app.caption if "Nothing changes" in c.value).startswith("Nothing changes")
    shown = app.dataframe[0].value
    assert list(shown.columns) == ["", "osqp", "kernel"]
    assert shown.loc[4].tolist() == ["error term", *[f"{picked.error_term:.8f}"] * 2]
    assert shown.loc[5].tolist() == ["complexity term", *[f"{picked.complexity_term:.8f}"] * 2]
    assert shown.loc[0].tolist() == ["answered by", "osqp", "kernel"]


def test_the_solver_is_silent_until_it_is_asked_for() -> None:
    app = open_page("step", drawn(4), C="100", solver="nonsense")
    fine(app)
    assert not [c for c in app.caption if "Nothing changes" in c.value]
