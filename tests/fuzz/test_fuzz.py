"""A short run of the fuzzer; `make fuzz` tries 10,000 files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.files import once, read_all, seeds


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_whatever_a_stranger_uploads_is_read_or_refused_in_a_sentence(seed: int, tmp_path: Path) -> None:
    once(seed, tmp_path)


@pytest.mark.parametrize("kind", sorted(seeds()))
def test_what_the_fuzzer_begins_with_can_be_read(kind: str, tmp_path: Path) -> None:
    read_all(seeds()[kind], kind, tmp_path)
