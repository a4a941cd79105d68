"""The run that is shipped: complete, of the story's set, and told as it is."""

from __future__ import annotations

import shlex

import numpy as np
import pytest

from core.experiments.experiment import compute, usual_methods
from data.runs import bundle
from data.sources import catalogue
from data.sources.catalogue import find


def test_the_example_is_a_finished_run_of_the_story_with_all_methods_and_orders() -> None:
    run, results = bundle.example()
    assert run.id == bundle.EXAMPLE
    assert run.imported
    assert run.finished
    assert run.settings.source == catalogue.STORY_SET
    assert run.settings.C == catalogue.STORY_C
    assert run.settings.repeats == 20
    assert set(run.settings.methods) == set(usual_methods(catalogue.load(catalogue.STORY_SET)))
    assert run.done_in_all == run.total
    over = results.over_draws
    assert over is not None
    assert over.errors.shape == (20, 120)
    assert over.means.complete


def test_the_command_says_its_settings() -> None:
    run, _ = bundle.example()
    words = shlex.split(bundle.EXAMPLE_COMMAND)
    assert words[:3] == ["curriculab", "compare", run.settings.source]
    assert float(words[words.index("--C") + 1]) == run.settings.C
    assert int(words[words.index("--repeats") + 1]) == run.settings.repeats


@pytest.mark.parametrize("repeat", [0, 13])
def test_it_is_what_is_computed_today(repeat: int) -> None:
    run, results = bundle.example()
    sampler = find(run.settings.source)
    again = compute(run.settings, sampler, repeat, "seqmt")
    shipped = next(outcome for outcome in results.of("seqmt") if outcome.repeat == repeat)
    assert again.order == shipped.order  # type: ignore[union-attr]
    assert again.test_error == shipped.test_error  # type: ignore[union-attr]
    walk = compute(run.settings, sampler, repeat, "orders")
    np.testing.assert_allclose(walk.test_errors, results.walks[repeat].test_errors, atol=1e-12)  # type: ignore[union-attr]
    assert catalogue.load(run.settings.source).digest == run.digest
