"""Own data as a new user brings it: from a plain file to Subsequences, with no format read and no code written."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from sklearn import datasets

from tests.browser.conftest import settle
from tests.data import strangers

MOST_CLICKS = 6


def bundled(name: str) -> pd.DataFrame:
    """A data set of scikit-learn whose classes are words."""
    data = getattr(datasets, f"load_{name}")(as_frame=True)
    return data.frame.assign(target=[f"{data.target_names[k]!s} kind" for k in data.target])


def csv(name: str) -> Callable[[Path], Path]:
    """That table as CSV."""

    def write(folder: Path) -> Path:
        bundled(name).to_csv(folder / f"{name}.csv", index=False)
        return folder / f"{name}.csv"

    return write


def study(rows: int = 160) -> pd.DataFrame:
    """A subject column, missing values, an id, a date and two columns of text."""
    rng = np.random.default_rng(5)
    age, dose = rng.normal(50, 9, rows).round(1), rng.normal(3, 1, rows).round(2)
    frame = pd.DataFrame(
        {
            "record_id": np.arange(rows) + 500,
            "subject": [f"S{1 + k % 5}" for k in range(rows)],
            "visit": pd.date_range("2024-03-01", periods=rows).strftime("%Y-%m-%d"),
            "age": age,
            "dose": dose,
            "remark": [f"remark no. {k}" for k in range(rows)],
            "address": [f"{k} Long Road" for k in range(rows)],
            "outcome": np.where(dose + (age - 50) / 20 + rng.normal(0, 0.5, rows) > 3, "better", "worse"),
        }
    )
    frame.loc[rng.choice(rows, 12, replace=False), "age"] = np.nan
    return frame


def subjects(folder: Path) -> Path:
    study().to_csv(folder / "subjects.csv", index=False)
    return folder / "subjects.csv"


def titled(folder: Path) -> Path:
    """The same as an Excel sheet with a title above the header."""
    book = openpyxl.Workbook()
    book.active.append(["Results of the spring study"])
    book.active.append([])
    frame = study().astype(object).where(lambda f: f.notna(), None)
    for row in [list(frame.columns), *frame.to_numpy().tolist()]:
        book.active.append(row)
    book.save(folder / "titled.xlsx")
    return folder / "titled.xlsx"


def attributes(folder: Path) -> Path:
    """0/1 columns with blanks."""
    X, y = datasets.load_digits(return_X_y=True)
    frame = pd.DataFrame(
        X[:300, [18, 20, 21, 26, 28, 34, 36, 42, 43, 44]].astype(int), columns=[f"ink {k}" for k in range(10)]
    )
    blank = np.random.default_rng(3).random((300, 3)) < 0.2
    for k, (name, digits) in enumerate(
        {"even": (0, 2, 4, 6, 8), "loop": (0, 6, 8, 9), "large": (5, 6, 7, 8, 9)}.items()
    ):
        frame[name] = np.where(blank[:, k], "", np.isin(y[:300], digits).astype(int).astype(str))
    frame.to_csv(folder / "attributes.csv", index=False)
    return folder / "attributes.csv"


def pictures(folder: Path) -> Path:
    """PNGs in folders named after their classes."""
    X, y = datasets.load_digits(return_X_y=True)
    with zipfile.ZipFile(folder / "pictures.zip", "w") as archive:
        for k in np.flatnonzero(y < 3)[:60]:
            buffer = io.BytesIO()
            Image.fromarray((X[k].reshape(8, 8) * 15.9).astype("uint8")).resize((32, 32)).save(buffer, "PNG")
            archive.writestr(f"digit {y[k]}/{k}.png", buffer.getvalue())
    return folder / "pictures.zip"


def upload(page: Page, path: Path) -> None:
    """Open the box and choose the file: two clicks of a person."""
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()  # the page is there, as a person sees it
    settle(page)
    page.get_by_text("Your own tasks", exact=True).click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(path)
    expect(page.get_by_role("heading", name=f"Make tasks of {path.name}")).to_be_visible()
    settle(page)


@pytest.mark.parametrize(
    ("make", "headline"),
    [
        (csv("iris"), "3 tasks, 4 features"),
        (csv("breast_cancer"), "5 tasks, 30 features"),
        (titled, "5 tasks, 2 features"),
        (attributes, "3 tasks, 10 features"),
        (pictures, "3 tasks, 784 features"),
    ],
    ids=["iris", "breast cancer", "Excel", "attributes", "pictures"],
)
def test_from_a_plain_file_to_subsequences(
    page: Page, tmp_path: Path, make: Callable[[Path], Path], headline: str
) -> None:
    path = make(tmp_path)
    page.goto("/?set=plane-equal&C=10")
    settle(page)
    upload(page, path)
    clicks = 2
    expect(page.get_by_role("heading", name=headline)).to_be_visible()
    page.get_by_role("button", name="Use these tasks").click()
    expect(page.get_by_text(f"{path.stem}: {headline.split()[0]} binary tasks")).to_be_visible()
    page.get_by_role("link", name="Subsequences").click()
    clicks += 2
    expect(page.get_by_role("heading", name=re.compile("MultiSeqMT (splits|makes|keeps|joins|learns)"))).to_be_visible()
    expect(page.locator(".st-key-figure-lanes .js-plotly-plot, .js-plotly-plot").first).to_be_visible()
    assert clicks <= MOST_CLICKS


def test_what_is_left_out_is_said_and_every_answer_can_be_changed(page: Page, tmp_path: Path) -> None:
    page.goto("/?set=plane-equal&C=10")
    settle(page)
    upload(page, subjects(tmp_path))
    preview = page.locator(".st-key-bring-preview")
    for words in (
        "12 of 160 rows, which have an empty cell",
        "“record_id”: it only counts the rows",
        "“visit”: it holds dates",
    ):
        expect(preview).to_contain_text(words)
    page.get_by_role("button", name="Fill in the training mean").or_(
        page.get_by_role("radio", name="Fill in the training mean")
    ).first.click()
    expect(preview).not_to_contain_text("12 of 160 rows")
    expect(preview).to_contain_text("12 empty cells are filled with the column's mean over the training points")
    page.get_by_role("radio", name="Levels of difficulty").locator("xpath=ancestor::label").click()
    expect(
        page.get_by_role("heading", name="5 tasks, 7 features")
    ).to_be_visible()  # the subject is one now, in 5 parts
    expect(preview).to_contain_text("Levels are a machine's")
    settle(page)
    page.reload()  # in the middle of it: nothing is lost
    expect(page.get_by_role("heading", name="Make tasks of subjects.csv")).to_be_visible()
    expect(preview).to_contain_text("Levels are a machine's")
    page.get_by_role("link", name="Runs").click()  # and from another page the sidebar leads back
    expect(page.get_by_role("heading", name="Runs", exact=True)).to_be_visible()
    page.get_by_role("button", name="Change how its tasks are made").click()
    expect(preview).to_contain_text("Levels are a machine's")
    page.get_by_role("button", name="Use these tasks").click()
    expect(page).to_have_url(re.compile(r"recipe=recipe%3Dlevels"))
    page.get_by_role("link", name="Tasks", exact=True).click()
    expect(page.get_by_text("subjects: 5 binary tasks")).to_be_visible()
    expect(page.get_by_test_id("stSidebar").get_by_text("12 empty cells are filled")).to_be_visible()
    page.get_by_text("Link and code", exact=True).click()
    command = page.get_by_test_id("stCode").filter(has_text="curriculab learn")
    expect(command).to_contain_text("curriculab learn subjects.csv --recipe levels --label outcome")
    expect(command).to_contain_text("--missing mean")


def test_a_hopeless_table_ends_in_the_mapping_with_its_problem_marked(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "hopeless.csv"
    path.write_text("when,note\n2024-01-01,first\n2024-01-02,second\n2024-01-03,third\n")
    page.goto("/?set=plane-equal&C=10")
    settle(page)
    upload(page, path)
    expect(page.locator(".st-key-bring-questions").get_by_test_id("stAlert").first).to_be_visible()
    expect(page.get_by_role("button", name="Use these tasks")).to_be_disabled()
    page.get_by_role("button", name="Back without them").click()
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Change how its tasks are made")).to_be_visible()


def test_a_station_with_one_alarm_is_marked_left_out_and_stops_no_page(page: Page, tmp_path: Path) -> None:
    strangers.stations().to_csv(tmp_path / "stations.csv", index=False)
    page.goto("/?set=digits-levels:8")
    upload(page, tmp_path / "stations.csv")
    expect(page.get_by_role("heading", name="5 tasks, 4 features")).to_be_visible()
    expect(page.get_by_text("Task 'S6': fewer than 2 training points of a class")).to_be_visible()
    least = page.get_by_role("spinbutton", name="Training points of each class")
    least.fill("1")
    least.press("Enter")
    expect(page.get_by_text("“S6” (1 of 28): too few training points")).to_be_visible()
    page.get_by_role("button", name="Leave out 1 task").click()
    expect(page.get_by_role("heading", name="5 tasks, 4 features")).to_be_visible()
    page.get_by_role("button", name="Use these tasks").click()
    expect(page.get_by_text("5 binary tasks").first).to_be_visible()
    page.get_by_role("link", name="Subsequences").click()
    expect(page.get_by_text("mean test error").first).to_be_visible()  # at the shared C, by cross-validation
    expect(page.get_by_text("cross-validation needs 2 of each class")).to_have_count(0)
