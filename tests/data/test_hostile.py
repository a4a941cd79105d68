"""Nothing that a stranger uploads does harm or ends in anything but one sentence."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
import zlib
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import CurriculabError
from data import limits
from data.archives.formats import KINDS, read
from data.sources.catalogue import template
from tests.data.badfiles import BAD, GOOD, X, Y, npy_header, npz, zipped


def refusal(contents, filename):
    with pytest.raises(CurriculabError) as caught:
        read(contents.encode() if isinstance(contents, str) else contents, filename)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert len(sentence) < 500
    return sentence


def outcome(contents, filename):
    """What is assumed of a file that can be read, or the sentence that refuses it; any other error fails the test."""
    try:
        return " ".join(read(contents, filename).assumptions)
    except CurriculabError as error:
        return str(error)


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_in_one_sentence(case):
    filename, contents, says = BAD[case]
    sentence = refusal(contents, filename)
    assert says in sentence
    assert filename in sentence


@pytest.mark.parametrize("case", ["three labels", "pickled features", "half a ZIP", "half a Parquet file"])
def test_a_wrong_ending_changes_nothing(case):
    _, contents, says = BAD[case]
    for filename in (
        "d.csv",
        "d.npz",
        "d.zip",
        "d.parquet",
        "d",
        "d.exe",
        "n" * 5000 + ".csv",
        "../../d.csv",
        "<b>.csv",
    ):
        assert says in refusal(contents, filename)


def peak_memory(action):
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@cache
def packed_zeros(size):
    """So many zeros deflated, and their checksum; seconds of work for hundreds of megabytes."""
    block, packer = bytes(2**20), zlib.compressobj(9, zlib.DEFLATED, -15)
    packed, crc = b"", 0
    for _ in range(size // len(block)):
        packed += packer.compress(block)
        crc = zlib.crc32(block, crc)
    return packed + packer.flush(), crc


def deflated_zeros(name, size):
    """A ZIP whose one member unpacks to `size` zeros, made without unpacking it here."""
    packed, crc = packed_zeros(size)
    encoded = name.encode()
    local = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 20, 0, 8, 0, 0, crc, len(packed), size, len(encoded), 0)
    entry = struct.pack(
        "<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, crc, len(packed), size, len(encoded), 0, 0, 0, 0, 0, 0
    )
    start = len(local) + len(encoded) + len(packed)
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, len(entry) + len(encoded), start, 0)
    return local + encoded + packed + entry + encoded + end


@pytest.mark.parametrize("name", ["a/X.npy", "a_train.txt"])
def test_a_zip_bomb_is_refused_before_it_is_unpacked(name):
    bomb = deflated_zeros(name, 600 * 2**20)
    assert len(bomb) < 2**20
    used = peak_memory(lambda: refusal(bomb, "bomb.zip"))
    assert "unpacks to 600 MB; the most that is unpacked is 512 MB" in refusal(bomb, "bomb.zip")
    assert used < 4 * 2**20


def test_a_member_that_lies_about_its_size_is_never_unpacked_further():
    bomb = bytearray(deflated_zeros("a/X.npy", 64 * 2**20))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = bomb.find(signature) + offset
        bomb[place : place + 4] = struct.pack("<I", 1000)
    assert peak_memory(lambda: refusal(bytes(bomb), "bomb.npz")) < 4 * 2**20


def test_a_table_of_contents_that_fills_memory_is_refused():
    entry = struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    directory = entry * 200_000
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 65535, 65535, len(directory), 4, 0)
    data = b"PK\x03\x04" + directory + end
    used = peak_memory(lambda: refusal(data, "d.zip"))
    assert "too large a table of contents" in refusal(data, "d.zip")
    assert used < 4 * 2**20


def test_too_many_members_are_refused(monkeypatch):
    monkeypatch.setattr("data.files.MAX_MEMBERS", 3)
    data = zipped({f"{k}_train.txt": "1\n2\n" for k in range(4)})
    assert "holds 4 files; the most that is read is 3" in refusal(data, "d.zip")


@pytest.mark.parametrize(
    ("limit", "value", "says"),
    [
        ("MAX_FILE_BYTES", 20, "the most that is read is 0 MB"),
        ("MAX_ROWS", 3, "holds 4 rows; the most that is read is 3"),
        ("MAX_FEATURES", 1, "holds 2 features; the most that is read is 1"),
        ("MAX_CELLS", 7, "holds 8 numbers (rows times features); the most that is read is 7"),
        ("MAX_TASKS", 1, "holds 2 tasks; the most that is read is 1"),
        ("MAX_LINE_BYTES", 5, "the first line has 16 characters"),
    ],
)
def test_every_limit_holds_for_csv(monkeypatch, limit, value, says):
    monkeypatch.setattr(limits, limit, value)
    assert says in refusal(GOOD, "d.csv")


@pytest.mark.parametrize("limit", ["MAX_FILE_BYTES", "MAX_ROWS", "MAX_FEATURES", "MAX_CELLS", "MAX_TASKS"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_limit_holds_for_every_format(monkeypatch, limit, kind):
    data = template(kind)
    monkeypatch.setattr(limits, limit, 1)
    assert "the most that is read is" in refusal(data, f"d.{kind}")


def test_a_csv_is_measured_before_it_is_parsed():
    wide = b"task,label," + b",".join(b"x" for _ in range(1000)) + b"\n" + b"\n" * 60_000
    used = peak_memory(lambda: refusal(wide, "wide.csv"))
    assert "60,0" in refusal(wide, "wide.csv")
    assert used < 20 * 2**20


def test_few_bytes_of_parquet_cannot_become_many_rows_or_long_texts():
    rows = 2_000_000
    table = pa.table({"task": ["a"] * rows, "label": np.arange(rows) % 2, "x": np.zeros(rows)})
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    assert len(sink.getvalue()) < 2**20
    assert "holds 2,000,000 rows" in refusal(sink.getvalue(), "d.parquet")
    rows = 100_000  # one megabyte of text, said a hundred thousand times
    names = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), pa.array(["n" * 2**20]))
    table = pa.table({"task": names, "label": np.arange(rows) % 2, "x": np.zeros(rows)})
    sink = io.BytesIO()
    pq.write_table(table, sink)
    assert "has 1,048,576 characters; use at most 200" in refusal(sink.getvalue(), "d.parquet")


def test_markup_and_formulas_in_names_are_only_text():
    names = ("<script>alert(1)</script>", "=HYPERLINK('x')", "**bold** [a](javascript:b)", "{{7*7}}", "$x$")
    text = "task,label,x\n" + "".join(f'"{name}",{label},1\n' for name in names for label in (0, 1))
    assert read(text.encode(), "d.csv").task_set.names == names


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=300), filename=st.text(max_size=20))
def test_any_bytes_end_in_a_set_or_a_sentence(data, filename):
    assert "\n" not in outcome(data, filename)


@settings(max_examples=150, deadline=None)
@given(
    lines=st.lists(st.text("abt,;|\t\"'1.-eE x\r\u00e9=", max_size=30), max_size=8), separator=st.sampled_from(",;\t| ")
)
def test_any_text_below_a_header_ends_in_a_set_or_a_sentence(lines, separator):
    text = "\n".join([separator.join(("task", "label", "x1", "x2")), *lines])
    assert "\n" not in outcome(text.encode(), "d.csv")


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=150, deadline=None)
@given(
    changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=6),
    cut=st.integers(0, 40),
)
def test_any_damage_to_a_good_file_ends_in_a_set_or_a_sentence(kind, changes, cut):
    data = bytearray(template(kind))
    for place, value in changes:
        data[place % len(data)] = value
    assert "\n" not in outcome(bytes(data[: len(data) - cut]), f"d.{kind}")


def test_a_folder_is_read_like_a_zip(tmp_path):
    (tmp_path / "a_train.txt").write_text("1 2\n3 4\n")
    (tmp_path / "notes.md").write_text("hello")
    (tmp_path / "inner").mkdir()
    reading = read(tmp_path)
    assert reading.task_set.names == ("a",)
    assert "Left out 'notes.md', which belongs to no task." in reading.assumptions


def test_places_that_are_no_file_are_told(tmp_path):
    with pytest.raises(CurriculabError, match="there is no file or folder"):
        read(tmp_path / "missing.csv")
    for path in ("a\0b.csv", "n" * 5000 + ".csv", ""):
        with pytest.raises(CurriculabError):
            read(path)


def test_overlong_promises_are_refused_before_any_array_is_made():
    header = npy_header((999_999, 50_000))
    data = zipped({"a/X.npy": header, "a/y.npy": npy_header((999_999,))})
    used = peak_memory(lambda: refusal(data, "d.npz"))
    assert "numbers (rows times features)" in refusal(data, "d.npz")
    assert used < 2**20


def test_a_zip_that_holds_both_kinds_is_read_as_arrays():
    buffer = io.BytesIO(npz(a__X=X, a__y=Y))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("readme.txt", "hello")
    reading = read(buffer.getvalue(), "d.npz")
    assert "Left out 'readme.txt', which belongs to no task." in reading.assumptions
