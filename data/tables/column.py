"""One column of a table: what its cells are, found out once and kept."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.task_set import FloatArray
from data.task_names import written

Kind = Literal["number", "category", "text", "date", "empty", "other"]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

MOST_VALUES = 1000
"""Distinct values up to which a column can name classes or tasks."""
MISSING_WORDS = frozenset((
    "", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "missing", "-", "?", ".", "inf", "-inf", "#null!", "#div/0!",
))  # fmt: skip
"""What stands in an empty cell, in any case of letters."""
_DATE = re.compile(
    r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([T ]+\d{1,2}:\d{2}(:\d{2})?.*)?\s*"
)
GROUPED_COMMA = re.compile(r"[-+]?\d{1,3}(\.\d{3})+,\d+")
GROUPED_POINT = re.compile(r"[-+]?\d{1,3}(,\d{3})+\.\d+")
GROUPED_WHOLE = re.compile(r"[-+]?\d{1,3}(\.\d{3})+")
"""Numbers whose thousands are parted: 1.002,50 and 1,002.50, where the last mark stands before decimals, and 1.002."""
_SAMPLE = 2000

MOST_WORDS = 12
"""Different words up to which a column becomes features unasked."""
MOST_WORDS_KEPT = 200
_ID = re.compile(r"(?i:(^|[\W_])(id|ids|uuid|guid|nr|no|index|idx|key|row|rownames)$)|[a-z]I[dD]$")


@dataclass(frozen=True, eq=False)
class Column:
    """A named column: `numbers` where it holds numbers (NaN: missing), else `codes` into `texts` (-1: missing).

    Of a column that was read as text, `cells` are the distinct cells as they are written, in order of appearance, and
    `cell_of` gives the place of every row's cell among them (-1: missing).
    """

    name: str
    kind: Kind
    rows: int
    numbers: FloatArray | None = None
    codes: IntArray | None = None
    texts: tuple[str, ...] = ()
    note: str = ""
    cells: tuple[str, ...] = ()
    cell_of: IntArray | None = None

    @cached_property
    def missing(self) -> BoolArray:
        """Where the cell is empty."""
        if self.numbers is not None:
            return np.isnan(self.numbers)
        if self.codes is not None:
            return self.codes < 0
        return np.ones(self.rows, dtype=bool)

    @cached_property
    def n_missing(self) -> int:
        """How many cells are empty."""
        return int(self.missing.sum())

    @cached_property
    def classes(self) -> tuple[IntArray, tuple[str, ...]] | None:
        """Every row's place among the distinct values (-1: missing) and those values, sorted; None if too many."""
        if self.numbers is not None:
            sample = self.numbers[:_SAMPLE]
            if len(np.unique(sample[~np.isnan(sample)])) > MOST_VALUES:
                return None
            codes, values = pd.factorize(self.numbers, sort=True, use_na_sentinel=True)
            if len(values) > MOST_VALUES:
                return None
            return codes.astype(np.int64), tuple(written(float(value)) for value in values)
        if self.codes is None or len(self.texts) > MOST_VALUES:
            return None
        return self.codes, self.texts

    @property
    def values(self) -> tuple[str, ...]:
        """The distinct values, sorted; none where there are too many to tell apart."""
        return self.classes[1] if self.classes is not None else ()

    @property
    def as_written(self) -> tuple[Sequence[str], IntArray] | None:
        """The distinct cells as text, and every row's place among them (-1: empty); None of dates and lists."""
        if self.cell_of is not None:
            return self.cells, self.cell_of
        if self.numbers is not None:
            codes, values = pd.factorize(self.numbers)
            return [written(float(value)) for value in values], codes.astype(np.int64)
        return None if self.codes is None or self.kind == "date" else (self.texts, self.codes)

    @cached_property
    def counts(self) -> IntArray:
        """How many rows have each of the distinct values."""
        if self.classes is None:
            return np.zeros(0, dtype=np.int64)
        codes, values = self.classes
        return np.bincount(codes[codes >= 0], minlength=len(values)).astype(np.int64)

    @cached_property
    def counts_rows(self) -> bool:
        """Whether it only numbers the rows: whole numbers one after the other, each once."""
        if self.numbers is None or self.rows < 3 or self.n_missing:
            return False
        with np.errstate(over="ignore"):
            steps = np.diff(self.numbers)
        return bool((steps == 1).all() or (steps == -1).all())

    @cached_property
    def whole(self) -> bool:
        """Whether it holds numbers, none with a fraction."""
        return self.numbers is not None and bool(np.all((np.floor(self.numbers) == self.numbers) | self.missing))

    @cached_property
    def distinct(self) -> bool:
        """Whether no two cells are equal."""
        if self.numbers is not None:
            return not self.n_missing and len(np.unique(self.numbers)) == self.rows
        return self.codes is not None and len(self.texts) == self.rows - self.n_missing

    @property
    def is_id(self) -> bool:
        """Whether it is called like an id and has another whole number in every row."""
        return _ID.search(self.name) is not None and self.distinct and self.whole

    @cached_property
    def doubt(self) -> tuple[str, bool]:
        """Why a column is no feature unasked, empty if it is one; and whether it could be one if asked for."""
        if self.kind == "empty":
            return self.note or "it is empty", False
        if self.kind in ("date", "other"):
            return "it holds dates" if self.kind == "date" else "its cells are no numbers or words", False
        if len(self.values) == 1:
            return "all its cells are the same", True
        if self.counts_rows:
            return "it only counts the rows", True
        if self.is_id:
            return "it looks like an id: every row has its own", True
        if (n := len(self.texts)) > MOST_WORDS:
            many = f"its {n:,} different words are more than {MOST_WORDS}"
            free = n > 0.5 * (self.rows - self.n_missing)
            return "nearly every row has its own text" if free else many, n <= MOST_WORDS_KEPT
        if self.n_missing > 0.5 * self.rows:
            return "more than half of its cells are empty", True
        return "", True


def in_order(text: str) -> tuple[list[tuple[int, float, str]], str]:
    """For sorting as people do: `site 2` before `site 10`."""
    parts = re.split(r"(\d{1,15})", text.casefold())
    return [(1, float(part), "") if part.isdecimal() else (0, 0.0, part) for part in parts], text


def column_of(name: str, cells: pd.Series[Any], decimal_comma: bool = False) -> Column:
    """What a column of cells of any type is."""
    rows = len(cells)
    kind = cells.dtype
    if isinstance(kind, np.dtype) and kind.kind in "iuf":
        return _number(name, cells.to_numpy(dtype=np.float64))
    if pd.api.types.is_datetime64_any_dtype(kind) or pd.api.types.is_timedelta64_dtype(kind):
        return Column(name, "date", rows, codes=pd.factorize(cells)[0].astype(np.int64))
    if pd.api.types.is_bool_dtype(kind):
        present = cells.notna().to_numpy()
        codes = np.where(present, cells.fillna(False).to_numpy(dtype=bool).astype(np.int64), -1)
        return _sorted(name, codes, ["false", "true"])
    if pd.api.types.is_complex_dtype(kind):
        return Column(name, "other", rows)
    if pd.api.types.is_numeric_dtype(kind):
        return _number(name, cells.to_numpy(dtype=np.float64, na_value=np.nan))
    return _from_texts(name, cells, rows, decimal_comma)


def _number(name: str, numbers: FloatArray) -> Column:
    finite = np.isfinite(numbers)
    if not finite.all():
        numbers = np.where(finite, numbers, np.nan)
    return Column(name, "number" if finite.any() else "empty", len(numbers), numbers=numbers)


def _from_texts(name: str, cells: pd.Series[Any], rows: int, decimal_comma: bool) -> Column:
    """Words, dates written out, numbers among words, or anything else that a cell can hold."""
    if cells.dtype == object and any(
        isinstance(cell, (list, dict, tuple, set, np.ndarray)) for cell in cells[:_SAMPLE]
    ):
        return Column(name, "other", rows)
    try:
        factorized, found = pd.factorize(cells, use_na_sentinel=True)
    except TypeError:
        return Column(name, "other", rows)
    codes = factorized.astype(np.int64)
    given = tuple(map(_text, found))
    column = _told_apart(name, codes, [text.strip() for text in given], decimal_comma)
    return replace(column, cells=given, cell_of=codes)


def _told_apart(name: str, codes: IntArray, texts: list[str], decimal_comma: bool) -> Column:
    """What a column of texts is, given its distinct texts and every row's place among them."""
    texts = ["" if text.casefold() in MISSING_WORDS else text for text in texts]
    filled = np.array([*map(bool, texts), False])
    if not filled.any():
        return Column(name, "empty", len(codes))
    if all(_DATE.fullmatch(text) for text in texts[:_SAMPLE] if text):
        return Column(name, "date", len(codes), codes=np.where(filled[codes], codes, -1))
    numbers = np.array([*(as_number(text, decimal_comma) for text in texts), np.nan])
    words = np.flatnonzero(filled & np.isnan(numbers))
    strays = int(np.isin(codes, words).sum())
    if strays and (strays > 0.1 * filled[codes].sum() or len(texts) - len(words) <= 10):
        return _sorted(name, codes, texts)
    column = _number(name, numbers[codes])
    if not strays:
        return column
    cell = "1 cell holds" if strays == 1 else f"{strays:,} cells hold"
    note = f"{cell} no number ({texts[words[0]][:20]!r}) and count{'s' * (strays == 1)} as missing"
    return replace(column, note=note)


def _sorted(name: str, codes: IntArray, values: Sequence[str]) -> Column:
    """A column of words: equal words are one value, values in alphabetical order, values that no row has left out."""
    texts = sorted({values[k] for k in np.flatnonzero(np.bincount(codes[codes >= 0])).tolist()} - {""}, key=in_order)
    place = {text: k for k, text in enumerate(texts)}
    moved = np.array([*(place.get(value, -1) for value in values), -1], dtype=np.int64)
    kind: Kind = "empty" if not texts else "category" if len(texts) <= MOST_VALUES else "text"
    return Column(name, kind, len(codes), codes=moved[codes], texts=tuple(texts))


def _text(value: object) -> str:
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return written(value) if isinstance(value, float) and np.isfinite(value) else str(value)


def as_number(text: str, decimal_comma: bool) -> float:
    """The number that a cell holds, NaN if it is none or not finite; thousands may be parted."""
    if decimal_comma and (GROUPED_COMMA.fullmatch(text) or GROUPED_WHOLE.fullmatch(text)):
        text = text.replace(".", "")
    elif not decimal_comma and GROUPED_POINT.fullmatch(text):
        text = text.replace(",", "")
    try:
        number = math.nan if "_" in text else float(text.replace(",", ".") if decimal_comma else text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan
