"""Tables as strangers bring them, made of random numbers: each has what once led to a wrong statement or a stop."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd


def landmine(fields: int = 8, rows: int = 120, seed: int = 0) -> pd.DataFrame:
    """Mine fields with few mines: 6 % of the points are positive."""
    rng = np.random.default_rng(seed)
    n = fields * rows
    X = rng.normal(size=(n, 9)).round(4)
    mine = np.tile(np.arange(rows) < round(0.06 * rows), fields).astype(int)
    X[:, 0] += mine
    frame = pd.DataFrame(X, columns=[f"f{k + 1}" for k in range(9)])
    frame.insert(0, "field", np.repeat([f"F{k + 1:02d}" for k in range(fields)], rows))
    return frame.assign(mine=mine)


def school(schools: int = 20, pupils: int = 60, seed: int = 1) -> pd.DataFrame:
    """Pupils with a number each, few and coarse features, and the points of an exam: many pupils look alike."""
    rng = np.random.default_rng(seed)
    n = schools * pupils
    frame = pd.DataFrame(
        {
            "Nr": rng.permutation(n) + 10_000,
            "Schule": np.repeat(np.arange(1, schools + 1), pupils),
            "Jahr": rng.integers(1985, 1988, n),
            "Geschlecht": rng.choice(["m", "w"], n),
            "Band": rng.integers(1, 4, n),
            "Gruppe": rng.choice(["A", "B"], n),
        }
    )
    points = 20 + 4 * frame.Band + 6 * (frame.Gruppe == "A") + rng.normal(0, 9, n)
    return frame.assign(Punkte=points.clip(1, 70).round().astype(int))


def emotions(rows: int = 240, seed: int = 2) -> pd.DataFrame:
    """Pieces of music with several yes/no labels on the same rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 12)).round(4)
    frame = pd.DataFrame(X, columns=[f"rhythm{k + 1}" for k in range(12)])
    for k, name in enumerate(("amazed", "happy", "relaxing", "quiet", "sad", "angry")):
        frame[name] = (X[:, k] + rng.normal(size=rows) > 0.4).astype(int)
    return frame


def stations(count: int = 6, rows: int = 40, seed: int = 3) -> pd.DataFrame:
    """Stations that drift; the last has two alarms only, of which a test share of 30 % leaves one for training."""
    rng = np.random.default_rng(seed)
    parts = []
    for k in range(count):
        X = rng.normal(size=(rows, 4)).round(4)
        angle = np.pi * k / count / 2
        order = np.argsort(X[:, 0] * np.cos(angle) + X[:, 1] * np.sin(angle))
        alarm = np.full(rows, "no", dtype=object)
        alarm[order[-(2 if k == count - 1 else rows // 2) :]] = "yes"
        part = pd.DataFrame(X, columns=["wind", "rain", "heat", "dust"])
        part.insert(0, "station", f"S{k + 1}")
        parts.append(part.assign(alarm=alarm))
    return pd.concat(parts, ignore_index=True)


def workbook(seed: int = 4) -> bytes:
    """Two sheets: notes, and measurements below a title, with gaps and a word among numbers."""
    import openpyxl

    rng = np.random.default_rng(seed)
    book = openpyxl.Workbook()
    notes = book.active
    assert notes is not None
    notes.title = "Notes"
    notes.append(["measured in spring"])
    sheet = book.create_sheet("Data")
    sheet.append(["All measurements, as of May"])
    sheet.append([])
    sheet.append(["Sample", "Lab", "pH", "Iron", "Verdict"])
    for k in range(90):
        iron = None if k % 11 == 5 else "n.d." if k == 17 else round(float(rng.normal(3, 1)), 2)
        sheet.append(
            [f"P{k:03d}", f"Lab {k % 3 + 1}", round(float(rng.normal(7, 0.5)), 2), iron, ["bad", "good"][k // 3 % 2]]
        )
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def diabetes(rows: int = 240, seed: int = 5) -> pd.DataFrame:
    """Measurements of patients of four clinics, with a progression to be cut at its median."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 80, rows),
            "sex": rng.integers(1, 3, rows),
            "bmi": rng.normal(26, 4, rows).round(1),
            "bp": rng.normal(95, 13, rows).round(0),
            "s1": rng.normal(190, 30, rows).round(0),
            "clinic": rng.integers(1, 5, rows),
        }
    )
    return frame.assign(target=(3 * frame.bmi + rng.normal(75, 40, rows)).clip(25, 346).round())
