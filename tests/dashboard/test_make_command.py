"""`curriculab make`, and tables in place of sets: the same tasks as in Python, all said, mistakes in one line."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from dashboard.cli import main
from data import make_tasks
from data.archives.formats import read
from tests.data.badfiles import zipped


@pytest.fixture
def patients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """A table as a hospital has it, as Excel sheet and CSV in the working folder."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "id": np.arange(90) * 3 + 11,
            "hospital": [f"H{k % 3}" for k in range(90)],
            "age": rng.normal(60, 9, 90).round(1),
            "dose": rng.normal(2, 0.5, 90).round(2),
            "outcome": rng.choice(["died", "lived"], 90),
        }
    )
    frame.loc[4, "dose"] = np.nan
    frame.to_excel("patients.xlsx", index=False)
    frame.to_csv("patients.csv", index=False)
    return frame


OPTIONS = "--recipe groups --task hospital --label outcome=died --drop id"


def test_make_writes_what_make_tasks_makes_and_says_what_it_did(
    patients: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["make", "patients.xlsx", *OPTIONS.split(), "-o", "patients.npz"]) == 0
    printed = capsys.readouterr().out
    assert "3 tasks, 2 features, written to patients.npz" in printed
    assert "Positive is 'died' in 'outcome', negative is 'lived'." in printed
    assert "1 of 90 rows, which have an empty cell" in printed
    expected = make_tasks(patients, recipe="groups", task="hospital", label="outcome=died", drop=["id"])
    written = read("patients.npz").task_set
    assert written.digest == expected.digest
    assert written.feature_names == ("age", "dose")


def test_learn_takes_the_table_with_the_same_options(
    patients: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["make", "patients.csv", *OPTIONS.split(), "--test", "0.2", "-o", "patients.npz"])
    results = []
    for source in (["patients.npz"], ["patients.csv", *OPTIONS.split(), "--test", "0.2"]):
        capsys.readouterr()
        assert main(["learn", *source, "--C", "1", "--json", "-"]) == 0
        results.append(json.loads(capsys.readouterr().out))
    assert results[0]["order"] == results[1]["order"]
    assert results[0]["test_error"] == results[1]["test_error"]
    assert results[0]["steps"] == results[1]["steps"]


def test_check_prints_the_guess_and_a_command_that_works(
    patients: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "patients.xlsx"]) == 0
    printed = capsys.readouterr().out
    assert "a table of 90 rows and 5 columns, no task set yet" in printed
    [line] = [line.strip() for line in printed.splitlines() if line.strip().startswith("curriculab make")]
    assert line == (
        "curriculab make patients.xlsx --recipe groups --task hospital --label outcome --test 0.3 -o patients-tasks.npz"
    )
    assert main(shlex.split(line)[1:]) == 0
    assert read("patients-tasks.npz").task_set.names == ("H0", "H1", "H2")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["make", "patients.csv", "--recipe", "groups", "--label", "nope", "-o", "x.npz"], "has no column 'nope'"),
        (["make", "patients.csv", "--label", "outcome=alive", "--task", "hospital", "-o", "x.npz"], "'died', 'lived'"),
        (["make", "patients.csv", "--drop", "nope", "-o", "x.npz"], "no column 'nope'"),
        (["make", "patients.csv", "--test", "nope", "-o", "x.npz"], "neither a share"),
        (["make", "patients.csv", "--test", "5", "-o", "x.npz"], "from 0 to 0.9"),
        (["make", "patients.csv", "--recipe", "groups", "-o", "x.pdf"], "no format has the ending"),
        (["make", "none.csv", "-o", "x.npz"], "there is no file"),
        (["learn", "patients.csv"], "'curriculab check patients.csv' says how"),
    ],
)
def test_a_mistake_is_one_line(
    patients: pd.DataFrame, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert said in printed.err


def picture(grey: int, size: tuple[int, int] = (8, 8)) -> bytes:
    buffer = io.BytesIO()
    Image.new("L", size, grey).save(buffer, "PNG")
    return buffer.getvalue()


MEASURED = "age,sex,bmi,progression\n" + "".join(
    f"{50 + k},{1 + k % 2},{20.5 + k % 7},{k * 37 % 101}\n" for k in range(40)
)


@pytest.mark.parametrize(
    ("name", "contents", "said"),
    [
        ("header.csv", b"a,b,class\n", "header.csv has a header but no rows"),
        ("flat.zip", zipped({"1.png": picture(1), "2.png": picture(2)}), "2 of 2 pictures lie in no folder"),
        ("book.xlsx", None, "book.xlsx has no sheet with cells in it"),
        ("measured.csv", MEASURED.encode(), "choose one of 'sex', 'bmi', 'progression', as in: curriculab make"),
        ("broken.npz", zipped({"a/X.npy": b"no array"}), "task 'a' has no array 'y'"),
    ],
)
def test_check_gives_the_reason_of_the_reader_that_understood_most(
    tmp_path: Path, name: str, contents: bytes | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    if contents is None:
        pd.DataFrame().to_excel(path)
    else:
        path.write_bytes(contents)
    assert main(["check", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.err.count("\n") == 1
    assert said in printed.err


def test_a_sheet_can_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ill = ["yes", "yes", "no", "no", "no", "no", "yes", "yes"]
    with pd.ExcelWriter("two.xlsx") as book:
        for sheet, places in (("first", "abab"), ("second", "cdcd")):
            rows = {"place": list(places) * 2, "x": np.sqrt(np.arange(8)).round(2), "ill": ill}
            pd.DataFrame(rows).to_excel(book, sheet_name=sheet, index=False)
    options = "--recipe groups --task place --label ill -o t.npz"
    for sheet, names in (("first", ["a", "b"]), ("second", ["c", "d"])):
        assert main(shlex.split(f"make two.xlsx --sheet {sheet} {options}")) == 0
        assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[-2:]] == names
