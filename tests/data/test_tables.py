"""Files with tables and pictures: headers and separators are found, and hostile files end in one sentence."""

from __future__ import annotations

import datetime
import io
import struct
import time
import zipfile
import zlib
from dataclasses import replace

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from core.errors import CurriculabError
from data.recipes.builder import make
from data.recipes.inference import guess
from data.recipes.plan import plan
from data.recipes.recipe import Recipe
from data.tables.pictures import MAX_PIXELS
from data.tables.reading import read_table
from tests.data.badfiles import zipped


def workbook(*rows, sheets=()):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for title, cells in sheets:
        sheet = book.create_sheet(title)
        for row in cells:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def png(grey, size=(20, 30), mode="L"):
    buffer = io.BytesIO()
    Image.new(mode, size, grey).save(buffer, "PNG")
    return buffer.getvalue()


def repacked(data, **members):
    """The same ZIP with members replaced or added."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return zipped(files | members)


def refusal(data, filename, **options):
    with pytest.raises(CurriculabError) as caught:
        read_table(data, filename, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


SHEET = workbook(["Results of the year"], [], ["name", "x", "when", "class"], *(
    [f"n{k}", k * 1.5, datetime.date(2024, 1, k + 1), "uv"[k % 2]] for k in range(12)
))  # fmt: skip


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        ("a,b,class\n1,2,u\n3,4,v\n", ("a", "b", "class"), ""),
        ("a;b;class\n1,5;2;u\n3,25;4;v\n", ("a", "b", "class"), "decimal comma"),
        ("a\tb\tclass\n1\t2\tu\n3\t4\tv\n", ("a", "b", "class"), "separated by tabs"),
        ("Our results\n\na,b,class\n1,2,u\n3,4,v\n", ("a", "b", "class"), "names are in row 3; the 2 rows above"),
        ("sep=;\na;b;class\n1;2;u\n3;4;v\n", ("a", "b", "class"), "semicolons"),
        ("1.5,2,u\n3,4,v\n", ("column 1", "column 2", "column 3"), "No row names the columns"),
        ("a,a,\n1,2,u\n3,4,v\n", ("a", "a (2)", "column 3"), "same name"),
        ("0,1,2,3,class\n.5,2,3,4,u\n3,4,3,1,v\n", ("0", "1", "2", "3", "class"), ""),
        ("a,b,class\n1,2,u\n9\n3,4,v\n", ("a", "b", "class"), "1 row has more or fewer cells"),
        ('a,b,class\n1,2,"u, or so"\n3,4,v\n', ("a", "b", "class"), ""),
    ],
)
def test_text_is_read_as_people_write_it(text, names, said):
    table = read_table(text.encode(), "t.csv")
    assert table.names == names
    assert table.rows == 2
    assert said in " ".join(table.said)
    assert len(table.columns[-1].values) == 2


def test_decimal_commas_are_numbers():
    table = read_table(b"a;class\n1,5;u\n3,25;v\n", "t.csv")
    assert table["a"].numbers.tolist() == [1.5, 3.25]


def test_blanks_and_words_for_nothing_are_missing_and_stray_words_are_told():
    cells = [str(k) for k in range(30)]
    cells[4], cells[9], cells[20] = "", "n/a", "unknown"
    table = read_table(("a,c\n" + "".join(f"{cell},{'uv'[k % 2]}\n" for k, cell in enumerate(cells))).encode(), "t.csv")
    assert table["a"].kind == "number"
    assert np.flatnonzero(table["a"].missing).tolist() == [4, 9, 20]
    assert any("1 cell holds no number ('unknown')" in said for said in table.said)


def test_a_workbook_with_a_title_is_the_same_table_as_its_csv():
    table = read_table(SHEET, "t.xlsx")
    assert table.names == ("name", "x", "when", "class")
    assert table["x"].numbers.tolist() == [k * 1.5 for k in range(12)]
    assert table["when"].kind == "date"
    assert table["class"].values == ("u", "v")
    assert "The column names are in row 3; the 2 rows above it are left out." in table.said


def test_a_sheet_can_be_named_and_else_the_fullest_is_read():
    data = workbook(["notes"], sheets=[("figures", [["x", "y"], [1, 0], [2, 1], [3, 0]])])
    assert read_table(data, "t.xlsx").names == ("x", "y")
    assert "'figures' is read" in " ".join(read_table(data, "t.xlsx").said)
    assert "has a header but no rows" in refusal(data, "t.xlsx", sheet="Sheet")
    assert "no sheet 'other'" in refusal(data, "t.xlsx", sheet="other")


def test_formulas_are_their_stored_values():
    sheet = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    sheet += (
        b'<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c><c r="B1" t="inlineStr"><is><t>y</t></is></c></row>'
    )
    for k in (2, 3, 4):
        sheet += f'<row r="{k}"><c r="A{k}"><f>B{k}*2</f><v>{k * 10}</v></c><c r="B{k}"><v>{k}</v></c></row>'.encode()
    data = repacked(SHEET, **{"xl/worksheets/sheet1.xml": sheet + b"</sheetData></worksheet>"})
    assert read_table(data, "t.xlsx")["x"].numbers.tolist() == [20, 30, 40]


def test_hostile_workbooks_are_refused_before_they_are_opened():
    macros = repacked(SHEET, **{"xl/vbaProject.bin": b"evil"})
    assert "macros" in refusal(macros, "t.xlsx")
    assert "macros" in refusal(SHEET, "t.xlsm")
    far = (
        b'<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c>'
    )
    assert "spans 17,179,869,184 cells" in refusal(repacked(SHEET, **{"xl/worksheets/sheet1.xml": far}), "t.xlsx")
    bomb = repacked(SHEET, **{"xl/sharedStrings.xml": b" " * 40_000_000})
    assert "times its size" in refusal(bomb, "t.xlsx")
    assert "no workbook" in refusal(zipped({"[Content_Types].xml": "x"}), "t.docx")
    assert "no workbook that can be read" in refusal(repacked(SHEET, **{"xl/workbook.xml": b"<junk"}), "t.xlsx")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=6))
def test_any_damage_to_a_workbook_ends_in_a_table_or_a_sentence(changes):
    data = bytearray(SHEET)
    for place, value in changes:
        data[place % len(data)] = value
    try:
        table = read_table(bytes(data), "t.xlsx")
    except CurriculabError as error:
        assert "\n" not in str(error)  # noqa: PT017 - the table may be read, too
    else:
        plan(table, guess(table))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("ab,;\t\"'1.-eE x\r\u00e9=", max_size=20), max_size=8))
def test_any_text_ends_in_a_plan_or_a_sentence(lines):
    try:
        table = read_table("\n".join(["x,y,class", *lines]).encode(), "t.csv")
    except CurriculabError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        plan(table, guess(table))


def test_parquet_and_csv_give_the_same_table():
    frame = pd.DataFrame({"x": [1.5, None, 3.0], "c": ["u", "v", None], "when": pd.to_datetime(["2020-01-01"] * 3)})
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    parquet = read_table(buffer.getvalue(), "t.parquet")
    text = read_table(frame.to_csv(index=False).encode(), "t.csv")
    for name in ("x", "c", "when"):
        assert parquet[name].kind == text[name].kind
        assert parquet[name].missing.tolist() == text[name].missing.tolist()
        assert parquet[name].values == text[name].values


def test_a_hundred_thousand_rows_are_read_guessed_and_planned():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(1000, 48)).round(4), columns=[f"f{k}" for k in range(48)])
    frame["site"], frame["outcome"] = (
        rng.choice([f"site {k}" for k in range(12)], 1000),
        rng.choice(["yes", "no"], 1000),
    )
    header, _, body = frame.to_csv(index=False).partition("\n")
    data = (header + "\n" + body * 100).encode()
    table = read_table(data, "big.csv")
    recipe = guess(table)
    assert len(plan(table, recipe).tasks) == 12
    changed = plan(table, replace(recipe, missing="mean", standardize=True, test=0.5, drop=("f3",), most=0))
    assert (table.rows, recipe.kind) == (100_000, "groups")
    assert len(changed.tasks) == 12


# Pictures


def test_folders_of_pictures_are_classes_and_the_tasks_are_images():
    files = {f"all/{name}/{k}.png": png(60 * c + k) for c, name in enumerate("abc") for k in range(8)}
    table = read_table(zipped(files | {"__MACOSX/x.png": b"junk", "all/readme.txt": "hello"}), "p.zip")
    assert table.rows == 24
    assert table.pixels.shape == (24, 784)
    assert table.pixels[8, 0] == pytest.approx(60 / 255)
    made = make(table, guess(table)).task_set
    assert made.names == ("a", "b", "c")
    assert made.image_shape == (28, 28)
    assert read_table(zipped(files), "p.zip", side=64).image_shape == (64, 64)


def test_folders_of_tasks_hold_folders_of_labels():
    files = {
        f"{task}/{side}/{k}.jpg": png(9 * k) for task in "xy" for side in ("positive", "negative") for k in range(4)
    }
    table = read_table(zipped(files), "p.zip")
    recipe = guess(table)
    assert (recipe.kind, recipe.task, recipe.label) == ("ready", "task", "label")
    task_set = make(table, recipe).task_set
    assert task_set.names == ("x", "y")
    negatives = {f"{k}.jpg": 9 * k / 255 for k in range(4)}
    assert set(task_set["x"].X[task_set["x"].y < 0][:, 0].round(4)) <= {round(v, 4) for v in negatives.values()}
    assert any("Positive is 'positive'" in said for said in plan(table, recipe).said)


def test_a_table_of_labels_names_the_pictures():
    files = {f"{k}.png": png(5 * k) for k in range(20)}
    labels = "file,kind\n" + "".join(f"{k}.png,{'cat' if k % 2 else 'dog'}\n" for k in range(20))
    table = read_table(zipped(files | {"labels.csv": labels}), "p.zip")
    assert table["kind"].values == ("cat", "dog")
    first = table.names.index("picture"), table.names.index("kind")
    assert all((row[first[1]] == "cat") == (int(row[first[0]].split(".")[0]) % 2 == 1) for row in table.head)


def test_hostile_pictures_are_left_out_before_they_are_decoded(monkeypatch):
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    huge = b"\x89PNG\r\n\x1a\n" + chunk + png(0)[33:]
    wide = png(0, (5001, MAX_PIXELS // 5000))
    files = {"a/1.png": huge, "a/2.png": wide}
    decoded = []
    monkeypatch.setattr(Image.Image, "convert", lambda picture, mode: decoded.append(picture.size))
    assert "(more than 25,000,000 pixels, the most that is read)" in refusal(zipped(files), "p.zip")
    assert not decoded
    monkeypatch.undo()
    table = read_table(zipped(files | {"a/3.png": png(0), "b/4.png": png(1)}), "p.zip")
    assert table.rows == 2
    assert "Left out '1.png', '2.png': more than 25,000,000 pixels, the most that is read." in table.said
    broken = zipped({"a/1.png": b"\x89PNG\r\n\x1a\n junk", "a/2.png": png(1), "b/3.png": png(2)})
    table = read_table(broken, "p.zip")
    assert table.rows == 2
    assert "Left out '1.png': no picture that can be read." in table.said
    assert "lie in no folder" in refusal(zipped({"1.png": png(1), "2.png": png(2)}), "p.zip")
    assert "neither pictures nor a workbook" in refusal(zipped({"a.bin": b"x"}), "p.zip")


def test_transparent_pixels_are_white():
    clear = io.BytesIO()
    Image.new("RGBA", (9, 9), (0, 0, 0, 0)).save(clear, "PNG")
    table = read_table(zipped({"a/1.png": clear.getvalue(), "b/2.png": png(0)}), "p.zip")
    assert table.pixels[:, 0].tolist() == [1.0, 0.0]


def merged_sites():
    book = openpyxl.Workbook()
    book.active.append(["Spring study"])
    book.active.merge_cells("A1:C1")
    book.active.append(["site", "x", "y"])
    for k in range(12):
        book.active.append([["north", "south"][k // 6] if k % 6 == 0 else None, k * k % 7, "no" if k % 2 else "yes"])
    book.active.merge_cells("A3:A8")
    book.active.merge_cells("A9:A16")  # two rows further than the table goes
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_merged_cells_give_every_row_their_value_and_that_is_said():
    table = read_table(merged_sites(), "merged.xlsx")
    assert table.rows == 12
    assert table["site"].counts.tolist() == [6, 6]
    assert "Merged cells are filled down: 10 cells of 'site'." in table.said
    assert table.names == ("site", "x", "y")
    assert guess(table).task == "site"


def test_rows_without_a_task_are_counted_where_no_task_is_left():
    rows = [["north", 1, "yes"], [None, 2, "no"], [None, 3, "yes"], ["south", 5, "no"]]
    table = read_table(workbook(["site", "x", "y"], *rows), "t.xlsx")
    with pytest.raises(CurriculabError, match=r"no task is left .* \(2 rows without a task\); choose another"):
        make(table, Recipe("groups", "site", "y"))


def test_formulas_that_were_never_calculated_are_said_to_be_why_a_column_is_empty():
    rows = [[k, f"=A{k + 2}*2", None, "ab"[k % 2]] for k in range(8)]
    table = read_table(workbook(["x", "twice", "blank", "class"], *rows), "t.xlsx")
    why = {choice.name: choice.why for choice in plan(table, guess(table)).choices}
    assert why["twice"].startswith("its formulas were never calculated")
    assert why["blank"] == "it is empty"
    with pytest.raises(CurriculabError, match="is no label: its formulas were never calculated"):
        make(table, Recipe("levels", label="twice"))


def test_a_sheet_of_half_open_tags_is_judged_quickly():
    started = time.perf_counter()
    data = repacked(workbook(["x", "y"], [1, 2]), **{"xl/worksheets/sheet9.xml": b"<c " * 100_000 + b"<c r=" * 50_000})
    read_table(data, "t.xlsx")
    assert time.perf_counter() - started < 5.0


@pytest.mark.parametrize(
    ("cells", "separator", "numbers"),
    [
        (["1.002,50", "1001,10", "-12,5", "1.234.567,25"], ";", [1002.5, 1001.1, -12.5, 1234567.25]),
        (["1.002,50", "1.003", "7,5"], ";", [1002.5, 1003.0, 7.5]),
        (["1,002.50", "1001.10", "7.5"], ";", [1002.5, 1001.1, 7.5]),
        (['"1,002.50"', "1001.10", "7.5"], ",", [1002.5, 1001.1, 7.5]),
        (["1.002", "1.5", "2.25"], ";", [1.002, 1.5, 2.25]),
    ],
)
def test_thousands_are_read_where_the_marks_leave_no_doubt(cells, separator, numbers):
    text = f"price{separator}kind\n" + "".join(f"{cell}{separator}{'ab'[k % 2]}\n" for k, cell in enumerate(cells))
    table = read_table(text.encode(), "t.csv")
    assert table["price"].numbers.tolist() == numbers


def test_marks_that_contradict_each_other_are_no_numbers():
    table = read_table(b"price;kind\n1.002,50;a\n1,002.50;b\n1.5;a\n", "t.csv")
    assert table["price"].kind == "category"


@pytest.mark.parametrize("name", ["id", "patient_id", "patientId", "runID", "Row", "Key"])
def test_a_column_of_different_whole_numbers_called_like_an_id_is_no_feature(name):
    column = read_table(f"{name},x\n7,1.5\n3,2.5\n9,0.5\n".encode(), "t.csv").columns[0]
    assert "id" in column.doubt[0]


@pytest.mark.parametrize("name", ["grid", "valid", "kid", "liquid", "Rapid", "ID of nothing else"])
def test_a_word_that_only_ends_in_the_same_letters_is_a_feature(name):
    column = read_table(f"{name},x\n7,1.5\n3,2.5\n9,0.5\n".encode(), "t.csv").columns[0]
    assert not column.doubt[0]
