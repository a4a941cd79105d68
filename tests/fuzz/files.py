"""Good files of every format, and what chance and malice make of them."""

from __future__ import annotations

import io
import json
import random
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from core.errors import CurriculabError
from data.archives import formats
from data.runs.bundle import import_bundle
from data.runs.store import Store
from data.sources.catalogue import template
from data.tables.reading import read_table

SPLICES = (
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"nan",
    b"inf",
    b"1e999",
    b"-",
    b"=cmd|'/c calc'!A1",
    b'"',
    b"'",
    b",",
    b"\n",
    b"\r",
    b"\t",
    b"PK\x03\x04",
    b"PAR1",
    b"PK\x05\x06",
    b"../../x",
    b"/etc/passwd",
    b"\\",
    b"[" * 60,
    b"{" * 60,
    b"9" * 400,
    "\u202eevil".encode(),
    b"null",
    b"true",
    b"<script>",
    b"task",
    b"label",
    b"split",
    b"\x80\x05cos\nsystem\n",
)
ARFF = b"""% small
@relation 'r'
@attribute 'a b' numeric
@attribute kind {x, 'y z'}
@data
1.5, 'y z'
?,x
2,x
"""
HEAD = {
    "format": "curriculab run 1",
    "uid": "a" * 32,
    "begun": "2026-01-01T00:00:00+00:00",
    "finished": None,
    "split": "s",
    "settings": {"source": "plane-tree", "methods": ["indsvm"], "repeats": 1},
    "versions": {"numpy": "2"},
    "digest": "0" * 64,
}
OUTCOME = {
    "repeat": 0,
    "method": "indsvm",
    "seconds": 0.1,
    "order": ["a"],
    "sources": {"a": None},
    "chosen_C": {"a": 1.0},
    "test_error": {"a": 0.5},
    "bound": {"value": 0.5},
}


def workbook() -> bytes:
    """A small sheet, by the test environment's writer."""
    from openpyxl import Workbook

    book = Workbook()
    for row in (("task", "label", "x"), ("a", 1, 0.5), ("a", 0, 0.1), ("b", 1, 0.2), ("b", 0, 0.9)):
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def arrays() -> bytes:
    """Features and labels of three classes, as scikit-learn's users save them."""
    buffer = io.BytesIO()
    np.savez(buffer, X=np.arange(24.0).reshape(12, 2) % 7, y=np.arange(12) % 3, target_names=np.array(["a", "b", "c"]))
    return buffer.getvalue()


def bundle() -> bytes:
    """A run of one outcome."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json", json.dumps(HEAD))
        archive.writestr("outcomes.jsonl", json.dumps(OUTCOME) + "\n")
    return buffer.getvalue()


@cache
def seeds() -> dict[str, bytes]:
    """A good file of each kind, by its ending."""
    tables = {"xlsx": workbook(), "arff": ARFF, "arrays.npz": arrays()}
    return {kind: template(kind) for kind in formats.KINDS} | tables | {"bundle": bundle()}


def spoiled(contents: bytes, chance: random.Random) -> bytes:
    """The file with some bytes changed, cut, doubled or replaced by what readers stumble over; inside a ZIP too."""
    if contents.startswith(b"PK") and chance.random() < 0.7:
        return _spoiled_member(contents, chance)
    data = bytearray(contents)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        length = chance.choice((1, 1, 2, 8, 64, 512))
        how = chance.randrange(5)
        if how == 0:
            data[at : at + length] = chance.randbytes(length)
        elif how == 1:
            del data[at : at + length]
        elif how == 2:
            data[at:at] = data[at : at + length] * chance.choice((1, 2, 50))
        elif how == 3:
            data[at:at] = chance.choice(SPLICES)
        else:
            data[at : at + length] = chance.choice(SPLICES)
    return bytes(data[: 2**21])


def _spoiled_member(contents: bytes, chance: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(contents)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(members))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for member, data in members.items():
            if member == name:
                if chance.random() < 0.2:
                    member = chance.choice(("../x", "/x", "a\\b", "x" * 300, "", "run.json")) + member[-4:]
                data = spoiled(data, chance) if not data.startswith(b"PK") else data[::-1]
            archive.writestr(member, data)
    return buffer.getvalue()


def read_all(contents: bytes, kind: str, folder: Path) -> None:
    """Everything that opens a stranger's file; each may refuse it in a sentence, and nothing else."""
    readers: list[Callable[[], object]] = [
        lambda: formats.read(contents, f"f.{kind}"),
        lambda: read_table(contents, f"f.{kind}"),
    ]
    if kind == "bundle":
        path = folder / "f.zip"
        path.write_bytes(contents)
        with Store(folder) as store:
            readers = [lambda: store.delete(import_bundle(store, path).id)]
            _try(readers)
            assert store.runs() == ()
            assert store.unreadable() == ()
        return
    _try(readers)


def _try(readers: list[Callable[[], object]]) -> None:
    for reader in readers:
        try:
            reader()
        except CurriculabError as error:
            sentence = str(error)
            assert "\n" not in sentence, sentence
            assert len(sentence) < 600, sentence
            sentence.encode()  # it can be shown


def once(seed: int, folder: Path | None = None) -> tuple[str, bytes]:
    """Try the file of a seed; returns it for whoever wants to keep it."""
    chance = random.Random(seed)
    kind = chance.choice(sorted(seeds()))
    contents = spoiled(seeds()[kind], chance)
    if folder is not None:
        read_all(contents, kind, folder)
    else:
        with tempfile.TemporaryDirectory() as own:
            read_all(contents, kind, Path(own))
    return kind, contents
