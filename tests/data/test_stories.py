"""Every story that a set tells is true of the core, at several seeds."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_digits

from core import learn
from data.sets import digits
from data.sets.catalogue import find
from data.sets.levels import LEVELS

SEEDS = range(4)


@cache
def drawn(name, seed):
    return find(name).sample(seed)


@cache
def learned(name, method, seed, C="shared"):
    return learn(drawn(name, seed), method, C=C, seed=seed)


def mean_error(name, method, seeds):
    return float(np.mean([learned(name, method, seed).mean_test_error for seed in seeds]))


@pytest.mark.parametrize("seed", SEEDS)
def test_rotation_is_learned_as_a_chain(seed):
    assert learned("plane-rotation", "seqmt", seed).order == drawn("plane-rotation", seed).names


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_stay_apart_in_subsequences_but_not_in_one_sequence(seed):
    result = learned("plane-groups", "multiseqmt", seed)
    crossing = [task for task, source in result.sources.items() if source and source[0] != task[0]]
    assert crossing == []
    assert sum(source is None for source in result.sources.values()) == 2
    one = learned("plane-groups", "seqmt", seed)
    assert any(source and source[0] != task[0] for task, source in one.sources.items())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_outlier_stays_alone(seed):
    sources = learned("plane-outlier", "multiseqmt", seed).sources
    assert sources["outlier"] is None
    assert "outlier" not in sources.values()
    assert sum(source is None for source in sources.values()) == 2


@pytest.mark.parametrize("seed", SEEDS)
def test_unrelated_tasks_each_start_anew(seed):
    assert set(learned("plane-unrelated", "multiseqmt", seed).sources.values()) == {None}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tree_is_recovered_by_a_forest_of_sources(seed):
    sources = learned("plane-tree", "treemt", seed).sources
    assert sources == {
        "root": None,
        **{f"{side} 1": "root" for side in ("left", "right")},
        **{f"{side} {k}": f"{side} {k - 1}" for side in ("left", "right") for k in (2, 3)},
    }
    # a sequence can leave the root only once
    children = [task for task, source in learned("plane-tree", "multiseqmt", seed).sources.items() if source == "root"]
    assert len(children) <= 1


def test_equal_tasks_are_learned_best_together():
    seeds = range(6)
    merged = mean_error("plane-equal", "mergedsvm", seeds)
    alone = mean_error("plane-equal", "indsvm", seeds)
    assert merged < mean_error("plane-equal", "seqmt", seeds) < alone


def test_the_misleading_set_misleads():
    seeds = range(6)
    results = [learned("plane-misleading", "seqmt", seed) for seed in seeds]
    assert all(result.order[0] != "teacher" for result in results)
    seqmt = float(np.mean([result.mean_test_error for result in results]))
    assert seqmt > 1.3 * mean_error("plane-misleading", "random", seeds)
    assert seqmt > 3 * mean_error("plane-misleading", "semantic", seeds)
    deceived = 0
    for seed, result in zip(seeds, results, strict=True):
        task_set = drawn("plane-misleading", seed)
        C = next(iter(result.chosen_C.values()))
        teacher_first = learn(task_set, "order", C=C, order=task_set.names)
        greedy = learn(task_set, "order", C=C, order=result.order)
        deceived += (
            greedy.bound.value < teacher_first.bound.value and greedy.mean_test_error > teacher_first.mean_test_error
        )
    assert deceived >= len(results) / 2  # the lower bound belongs to the worse order


def test_levels_of_digits_form_a_chain_per_digit_and_subsequences_win():
    for seed in SEEDS:
        sources = learned("digits-levels", "multiseqmt", seed).sources
        crossing = [task for task, source in sources.items() if source and source[0] != task[0]]
        assert len(crossing) <= 1
    seeds = range(4)
    errors = {name: mean_error("digits-levels", name, seeds) for name in ("multiseqmt", "seqmt", "indsvm", "random")}
    assert errors["multiseqmt"] < min(errors["seqmt"], errors["indsvm"])
    assert errors["random"] > max(errors["seqmt"], errors["indsvm"])
    assert 0.05 < errors["indsvm"] < 0.11


def test_one_sequence_through_all_attributes_hurts_and_subsequences_do_not():
    seeds = range(4)
    errors = {name: mean_error("digits-attributes", name, seeds) for name in ("multiseqmt", "seqmt", "indsvm")}
    assert errors["multiseqmt"] < errors["indsvm"] + 0.01
    assert errors["seqmt"] > errors["indsvm"] + 0.01


def test_rotated_digits_are_mostly_learned_by_angle():
    neighbours = []
    for seed in range(6):
        result = learned("digits-rotated", "seqmt", seed)
        places = [drawn("digits-rotated", seed).names.index(name) for name in result.order]
        neighbours.append(np.mean(np.abs(np.diff(places)) == 1))
    assert np.mean(neighbours) >= 0.75
    assert np.sum(np.array(neighbours) == 1.0) >= 3  # the whole chain, from either end


def test_awa_like_levels_grow_harder_and_transfer_helps():
    seeds = range(2)
    alone = [learned("awa-like", "indsvm", seed) for seed in seeds]
    by_level = np.mean([[result.test_error[name] for name in LEVELS] for result in alone], axis=0)
    assert by_level[0] < by_level[2] < by_level[4]
    assert mean_error("awa-like", "seqmt", seeds) < float(np.mean([result.mean_test_error for result in alone]))


def test_shoes_like_attributes_are_related_as_the_ranks_say():
    result = learned("shoes-like", "multiseqmt", 0, C=100.0)
    family = {"Pointy at the front", "Feminine", "Formal", "High at the heel", "Shiny"}
    assert not any(task in family and source == "Sporty" for task, source in result.sources.items())
    assert sum(task in family and source in family for task, source in result.sources.items()) >= 3
    assert result.mean_test_error < learned("shoes-like", "seqmt", 0, C=100.0).mean_test_error


def test_the_levels_on_file_are_the_computed_ones():
    assert np.array_equal(digits.image_levels(), digits.computed_levels())


def test_the_images_are_those_of_scikit_learn():
    X, digit = load_digits(return_X_y=True)
    assert np.array_equal(digits.images()[0], X)
    assert np.array_equal(digits.images()[1], digit)
