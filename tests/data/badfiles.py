"""A corpus of files that a stranger might upload: each with a part of the sentence that must answer it."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile

import numpy as np
import pandas as pd

GOOD = "task,label,x1,x2\na,1,0.5,1\na,0,0.1,2\nb,1,0.3,3\nb,0,0.2,4\n"
X = np.arange(8.0).reshape(4, 2)
Y = np.array([1, 1, 0, 0])


class Harmful:
    """Unpickling this would end the interpreter."""

    def __reduce__(self):
        return (exit, (13,))


def npz(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=True, **{name.replace("__", "/"): array for name, array in arrays.items()})
    return buffer.getvalue()


def zipped(files, compression=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, contents in files.items():
            archive.writestr(name, contents)
    return buffer.getvalue()


def parquet(frame):
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


def npy_header(shape, dtype="<f8"):
    """A header that promises an array of any size, with nothing after it."""
    text = repr({"descr": dtype, "fortran_order": False, "shape": shape}).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def encrypted():
    data = bytearray(zipped({"a_train.txt": "1 2\n3 4\n"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(signature) + offset] |= 1
    return bytes(data)


FRAME = pd.read_csv(io.StringIO(GOOD))

# name -> (file name, contents, a part of the sentence)
BAD = {
    "nothing": ("d.csv", b"", "d.csv is empty"),
    "only line ends": ("d.csv", "\n\n\n", "holds no text"),
    "a header alone": ("d.csv", "task,label,x1\n", "has a header but no rows"),
    "no header": ("d.csv", "a,1,0.5\na,0,0.4\n", "names no columns 'task' and 'label' (found 'a', '1', '0.5')"),
    "no task column": ("d.csv", "label,x1\n1,2\n0,3\n", "names no columns 'task' and 'label'"),
    "no features": ("d.csv", "task,label\na,1\na,0\n", "has no feature column"),
    "two label columns": ("d.csv", "task,label,Label,x\na,1,1,2\n", "2 columns are named 'label'; keep one"),
    "three labels": ("d.csv", GOOD + "b,2,1,1\n", "3 different labels ('0', '1', '2')"),
    "ninety labels": (
        "d.csv",
        GOOD + "".join(f"b,{k},1,1\n" for k in range(90)),
        "90 different labels ('0', '1', '2',",
    ),
    "one label": ("d.csv", "task,label,x1\na,1,1\na,1,2\n", "every label is '1'; a task needs both classes"),
    "a task of one class": ("d.csv", GOOD + "c,1,1,1\nc,1,2,2\n", "task 'c': all 2 training labels are +1"),
    "a task of one point": ("d.csv", GOOD + "c,1,1,1\n", "task 'c': all 1 training labels are +1"),
    "an empty label": ("d.csv", GOOD + "a,,1,1\n", "row 5 has no label"),
    "a label that is no number": ("d.csv", GOOD + "a,nan,1,1\n", "row 5 has no label"),
    "a longer row": ("d.csv", GOOD + "c,1,1,1,5\n", "row 5 has 5 cells but the header names 4 columns"),
    "a shorter row": ("d.csv", GOOD + "c,1,1\n", "row 5 has 3 cells but the header names 4 columns"),
    "an empty cell": ("d.csv", GOOD + "c,1,,1\n", "row 5, column 'x1' is empty or not a finite number"),
    "NaN": ("d.csv", GOOD + "c,1,1,nan\n", "row 5, column 'x2' is empty or not a finite number"),
    "infinity": ("d.csv", GOOD + "c,1,-inf,1\n", "row 5, column 'x1' is empty or not a finite number"),
    "a number beyond all": ("d.csv", GOOD + "c,1,1e999,1\n", "row 5, column 'x1' is empty or not a finite number"),
    "a word for a number": ("d.csv", GOOD + "c,1,abc,1\n", "row 5, column 'x1' holds 'abc', which is no number"),
    "an empty name": ("d.csv", GOOD + ",1,1,1\n", "row 5 has no task"),
    "a blank name": ("d.csv", GOOD + "  ,1,1,1\n", "row 5 has no task"),
    "an endless name": ("d.csv", GOOD + "n" * 10_000 + ",1,1,1\n", "has 10,000 characters; use at most 200"),
    "a name of two lines": ("d.csv", GOOD + '"c\nd",1,1,1\n', "control characters"),
    "a name that turns text round": ("d.csv", GOOD + "a\u202eb,1,1,1\n", "control characters"),
    "an open quote": ("d.csv", GOOD + '"c,1,1,1\n', "row 5 has a quote that is not closed"),
    "another split": ("d.csv", "task,label,split,x\na,1,train,1\na,0,dev,2\n", "row 2 has 'dev' in column 'split'"),
    "test rows only": ("d.csv", "task,label,split,x\na,1,test,1\na,0,test,2\n", "task 'a' has only test rows"),
    "a null byte": ("d.csv", b"task,label,x1\na\0,1,2\na,0,3\n", "bytes that no text has"),
    "half of a UTF-16 character": ("d.csv", b"\xff\xfet", "neither UTF-8 nor UTF-16"),
    "all bytes": ("d.csv", bytes(range(256)) * 10, "bytes that no text has"),
    "a web page": ("d.csv", "<html><body>hi</body></html>", "is a web page; download the table itself"),
    "a pickle": ("d.npz", pickle.dumps(Harmful()), "is a Python pickle, which is never opened"),
    "a single array": ("d.npy", npy_header((3,)), "is a single NumPy array"),
    "gzip": ("d.csv.gz", b"\x1f\x8b\x08\x00", "is compressed with gzip"),
    "a workbook": ("d.xlsx", zipped({"[Content_Types].xml": "x"}), "is an office document"),
    "pickled features": ("d.npz", npz(a__X=np.array([[Harmful(), 1]] * 4, dtype=object), a__y=Y), "Python objects"),
    "pickled labels": ("d.npz", npz(a__X=X, a__y=np.array([Harmful()] * 4, dtype=object)), "Python objects"),
    "no labels": ("d.npz", npz(a__X=X), "task 'a' has no array 'y'; save it as 'a/y'"),
    "too few labels": ("d.npz", npz(a__X=X, a__y=Y[:3]), "X of shape (4, 2) and y of shape (3,)"),
    "no points": ("d.npz", npz(a__X=np.ones((0, 2)), a__y=np.ones(0)), "X of shape (0, 2)"),
    "a scalar": ("d.npz", npz(a__X=np.float64(1), a__y=np.float64(1)), "X of shape ()"),
    "complex numbers": ("d.npz", npz(a__X=X * 1j, a__y=Y), "has type complex128; save plain numbers"),
    "records": ("d.npz", npz(a__X=np.zeros(4, [("a", "f8")]), a__y=Y), "save plain numbers"),
    "text features": ("d.npz", npz(a__X=X.astype(str), a__y=Y), "save plain numbers"),
    "NaN in an array": ("d.npz", npz(a__X=X * np.nan, a__y=Y), "task 'a', training data: row 1, feature 1"),
    "labels without points": ("d.npz", npz(a__X=X, a__y=Y, a__y_test=Y), "has 'y_test' but no 'X_test'"),
    "unlike features": (
        "d.npz",
        npz(a__X=X, a__y=Y, b__X=np.ones((4, 3)), b__y=Y),
        "task 'b' has 3 features but task 'a'",
    ),
    "no task arrays": ("d.npz", npz(X=X, y=Y), "no arrays named like 'TASK/X' and 'TASK/y' (found 'X', 'y')"),
    "an AwA copy": ("d.npz", npz(X=X, label=Y, level=Y, class_names=Y), "use awa:CLASS instead"),
    "ranked classes": ("d.npz", npz(X=X, label=Y, relative_ordering=X), "use attributes:FILE instead"),
    "an endless task": ("d.npz", npz(**{"n" * 10_000 + "__X": X, "n" * 10_000 + "__y": Y}), "has 10,000 characters"),
    "a promise of terabytes": (
        "d.npz",
        zipped({"a/X.npy": npy_header((10**6, 10**6)), "a/y.npy": npy_header((10**6,))}),
        "holds 1,000,000 features; the most that is read is 50,000",
    ),
    "a broken promise": (
        "d.npz",
        zipped({"a/X.npy": npy_header((1000, 1000)), "a/y.npy": npy_header((1000,))}),
        "its length does not match its shape",
    ),
    "a negative shape": ("d.npz", zipped({"a/X.npy": npy_header((-4, -2)), "a/y.npy": npy_header((4,))}), "is damaged"),
    "no array inside": ("d.npz", zipped({"a/X.npy": b"junk", "a/y.npy": b"junk"}), "is no NumPy array"),
    "half a ZIP": ("d.npz", npz(a__X=X, a__y=Y)[:200], "its end is missing"),
    "a ZIP without its end": ("d.npz", npz(a__X=X, a__y=Y)[:-30], "its end is missing"),
    "a path that climbs": ("d.zip", zipped({"../../a_train.txt": "1\n2\n"}), "leads out of the archive"),
    "an absolute path": ("d.zip", zipped({"/etc/a_train.txt": "1\n2\n"}), "leads out of the archive"),
    "a Windows path": ("d.zip", zipped({"C:a_train.txt": "1\n2\n"}), "leads out of the archive"),
    "an array that climbs": ("d.npz", npz(**{"..__X": X, "..__y": Y}), "leads out of the archive"),
    "a password": ("d.zip", encrypted(), "'a_train.txt' is encrypted"),
    "unusual compression": ("d.zip", zipped({"a_train.txt": "1\n2\n"}, zipfile.ZIP_LZMA), "packed in an unusual way"),
    "an empty ZIP": ("d.zip", zipped({}), "holds no NAME_train.txt (it is empty)"),
    "a ZIP of other things": ("d.zip", zipped({"a.csv": GOOD}), "holds no NAME_train.txt (found 'a.csv')"),
    "an odd number of rows": ("d.zip", zipped({"a_train.txt": "1 2\n3 4\n5 6\n"}), "'a_train.txt' has 3 rows"),
    "ragged text": ("d.zip", zipped({"a_train.txt": "1 2\n3 4 5\n"}), "row 2 has 3 numbers but the first row 2"),
    "a word in text": ("d.zip", zipped({"a_train.txt": "1 2\n3 x\n"}), "row 2, number 2 is 'x'"),
    "NaN in text": ("d.zip", zipped({"a_train.txt": "1 2\n3 nan\n"}), "row 2, number 2 is not finite"),
    "empty text": ("d.zip", zipped({"a_train.txt": " \n"}), "'a_train.txt' is empty"),
    "text of a test alone": ("d.zip", zipped({"a_test.txt": "1\n2\n"}), "test rows only; add a_train.txt"),
    "text without a name": ("d.zip", zipped({"_train.txt": "1\n2\n"}), "a task has an empty name"),
    "the same task twice": ("d.zip", zipped({"x/a_train.txt": "1\n2\n", "y/a_train.txt": "1\n2\n"}), "is there twice"),
    "half a Parquet file": ("d.parquet", parquet(FRAME)[:200], "is damaged or no Parquet table"),
    "Parquet without its end": ("d.parquet", parquet(FRAME)[:-3], "is damaged or no Parquet table"),
    "lists as tasks": ("d.parquet", parquet(FRAME.assign(task=[["a"]] * 4)), "column 'task' holds dates or lists"),
    "dates as tasks": (
        "d.parquet",
        parquet(FRAME.assign(task=pd.Timestamp("2020"))),
        "column 'task' holds dates or lists",
    ),
    "a gap in Parquet": ("d.parquet", parquet(FRAME.assign(x1=[1, None, 2, 3])), "row 2, column 'x1' is empty"),
    "a task missing in Parquet": ("d.parquet", parquet(FRAME.assign(task=["a", None, "b", "b"])), "row 2 has no task"),
}
