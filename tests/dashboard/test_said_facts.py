"""Sentences and numbers of single components, with values put in by hand: which is which, and who is better."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dashboard.components import step_text


@pytest.mark.parametrize(
    ("base", "other", "said"),
    [
        ((0.41, 0.12), (0.45, 0.08), "0.450 instead of 0.410, mean test error 8.0 % instead of 12.0 %."),
        ((0.41, 0.12), (0.39, 0.1205), "0.390 instead of 0.410, mean test error 12.05 % instead of 12.00 %."),
        ((0.41, None), (0.62, None), "0.620 instead of 0.410 (above ½ it guarantees nothing)."),
    ],
)
def test_what_a_what_if_changes_is_told_with_the_new_number_first(
    base: tuple[float, float], other: tuple[float, float], said: str
) -> None:
    first, second = (
        SimpleNamespace(bound=SimpleNamespace(value=bound), mean_test_error=error) for bound, error in (base, other)
    )
    assert step_text.difference(first, second) == f"Bound {said}".replace(" %", "\u00a0%")  # type: ignore[arg-type]
