"""High-dimensional synthetic sets at the paper's sizes, for benchmarks and for people without the data."""

from __future__ import annotations

from functools import partial

import numpy as np

from core.task_set import FloatArray, TaskSet
from data.published import SHOES_CLASSES, SHOES_RANKS, shoes_with_ranks
from data.sources.pools import LEVELS, balanced_task
from data.sources.source import BuiltIn, Sizes

AWA_WORDS = 2000
AWA_OTHER_CLASSES = 7
AWA_WORDS_AN_IMAGE = 400
AWA_STRENGTHS = (0.40, 0.34, 0.28, 0.23, 0.18)  # of the class's own words, from easiest to hardest
AWA_CLUTTER = 0.9  # how much single images differ from each other
SHOES_GIST, SHOES_COLOUR = 960, 30
SHOES_ATTRIBUTE_SCALE = 0.0012
SHOES_CLASS_SCALE = 0.003
SHOES_NOISE = 0.1


def _histograms(rng: np.random.Generator, count: int, log_words: FloatArray) -> FloatArray:
    """Bag-of-words counts of images whose word frequencies vary around exp(log_words)."""
    logits = log_words + AWA_CLUTTER * rng.standard_normal((count, AWA_WORDS))
    words = np.exp(logits - logits.max(axis=1, keepdims=True))
    counts = rng.poisson(AWA_WORDS_AN_IMAGE * words / words.sum(axis=1, keepdims=True))
    return np.asarray(counts, dtype=np.float64)


def awa_like(rng: np.random.Generator, sizes: Sizes) -> TaskSet:
    """Five levels of one class against seven others: the class's own words are rarer in every harder level."""
    common = 0.7 * rng.standard_normal(AWA_WORDS)
    own = rng.standard_normal(AWA_WORDS)
    others = [common + 0.3 * rng.standard_normal(AWA_WORDS) for _ in range(AWA_OTHER_CLASSES)]

    def part(count: int, strength: float) -> FloatArray:
        shares = [len(share) for share in np.array_split(np.arange(count), len(others))]
        positive = _histograms(rng, count, common + strength * own)
        return np.vstack([positive, *(_histograms(rng, *one) for one in zip(shares, others, strict=True))])

    levels = zip(LEVELS, AWA_STRENGTHS, strict=True)
    tasks = tuple(balanced_task(word, *(part(count, strength) for count in sizes)) for word, strength in levels)
    return TaskSet("awa-like", tasks, LEVELS)


def _shoe_class_means(rng: np.random.Generator) -> dict[str, FloatArray]:
    """A mean for each class: every attribute has a direction, along which the classes lie by their rank."""
    dimensions = SHOES_GIST + SHOES_COLOUR
    ranks = np.array(list(SHOES_RANKS.values())) - 5.5
    directions = SHOES_ATTRIBUTE_SCALE * rng.standard_normal((len(SHOES_RANKS), dimensions))
    own = SHOES_CLASS_SCALE * rng.standard_normal((len(SHOES_CLASSES), dimensions))
    return dict(zip(SHOES_CLASSES, ranks.T @ directions + own, strict=True))


def _shoes(rng: np.random.Generator, count: int, mean: FloatArray) -> FloatArray:
    """GIST-like values, then a colour histogram that sums to 1."""
    X = mean + SHOES_NOISE * rng.standard_normal((count, SHOES_GIST + SHOES_COLOUR))
    colour = np.exp(4.0 * X[:, SHOES_GIST:])
    X[:, SHOES_GIST:] = colour / colour.sum(axis=1, keepdims=True)
    return X


def shoes_like(rng: np.random.Generator, sizes: Sizes) -> TaskSet:
    """Ten attributes of ten classes; the paper's table of ranks says which two are positive and which negative."""
    means = _shoe_class_means(rng)

    def part(count: int, attribute: str) -> FloatArray:
        halves = (count - count // 2, count // 2)
        sides = (shoes_with_ranks(attribute, 9, 10), shoes_with_ranks(attribute, 1, 2))
        return np.vstack([_shoes(rng, n, means[name]) for side in sides for name, n in zip(side, halves, strict=True)])

    tasks = (balanced_task(name, *(part(count, name) for count in sizes)) for name in SHOES_RANKS)
    return TaskSet("shoes-like", tuple(tasks), normalize="none")


_made_up = partial(BuiltIn, kind="synthetic", licence="MIT")
SYNTHETIC = (
    _made_up(
        name="awa-like",
        story="Made-up histograms at the paper's AwA sizes: one class at five levels of difficulty.",
        origin="drawn here from a seed",
        make=awa_like,
        sizes=Sizes(21, 77),
        tasks=len(LEVELS),
        note="No real images: only the sizes and the grading are the paper's.",
        semantic_order="easiest to hardest",
    ),
    _made_up(
        name="shoes-like",
        story="Made-up features at the paper's Shoes sizes: ten attributes, related as the paper's ranks say.",
        origin="drawn here from a seed; the ranks are the paper's",
        make=shoes_like,
        sizes=Sizes(50, 300),
        tasks=len(SHOES_RANKS),
        note="No real images: only the sizes and the ranks are the paper's.",
    ),
)
