"""Threads: what they share, who is heard, and that their number changes no bit."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from core import learn
from core.solver import threads
from core.solver.threads import one_blas_thread, spread
from tests.core import cases


@pytest.fixture(autouse=True)
def _three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(threads.VARIABLE, "3")


def test_results_come_in_the_order_of_the_items_from_several_threads() -> None:
    used = set()
    meet = threading.Barrier(3)

    def work(item: int) -> int:
        if item < 3:
            meet.wait(20)  # passes only where three work at once
        used.add(threading.current_thread())
        return item * item

    assert spread(work, range(40)) == [k * k for k in range(40)]
    assert len(used) == 3


def test_the_first_item_that_fails_is_told_and_nothing_more_is_begun() -> None:
    late, begun = threading.Event(), []

    def work(item: int) -> int:
        begun.append(item)
        if item == 1:
            late.wait(20)
            raise ValueError("one")
        if item == 2:
            late.set()
            raise ValueError("two")
        return item

    before = threading.active_count()
    with pytest.raises(ValueError, match="one"):
        spread(work, range(1000))
    assert len(begun) < 1000
    assert threading.active_count() == before


def test_an_interrupt_stands_above_an_error() -> None:
    late = threading.Event()

    def work(item: int) -> None:
        if item == 0:
            late.wait(20)
            raise ValueError("an error")
        late.set()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        spread(work, range(2))


class Library:
    """A BLAS that hears, as threadpoolctl's does, only the thread that spoke first, until it is cleared."""

    def __init__(self) -> None:
        self.num_threads = 8
        self.heard: threading.Thread | None = None

    def clear_controlling_thread(self, force: bool) -> None:
        self.heard = None

    def set_num_threads(self, number: int) -> None:
        self.heard = self.heard or threading.current_thread()
        if self.heard is threading.current_thread():
            self.num_threads = number


def test_blas_has_one_thread_as_long_as_anybody_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    monkeypatch.setattr(threads, "_libraries", lambda: [library])
    inside, leave, seen = threading.Event(), threading.Event(), []

    def other() -> None:
        with one_blas_thread():
            seen.append(library.num_threads)
            inside.set()
            leave.wait(20)

    thread = threading.Thread(target=other)
    with one_blas_thread(), one_blas_thread():
        thread.start()
        inside.wait(20)
    assert library.num_threads == 1, "the other thread still works"
    leave.set()
    thread.join()
    assert seen == [1]
    assert library.num_threads == 8


def test_the_number_of_threads_and_who_runs_it_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    task_set = cases.draw(3, n=6, m=60, d=900)
    found = []
    for number in ("1", "3"):
        monkeypatch.setenv(threads.VARIABLE, number)
        found.append(learn(task_set).weights)
    thread = threading.Thread(target=lambda: found.append(learn(task_set).weights))
    thread.start()
    thread.join()
    for other in found[1:]:
        assert all(np.array_equal(other[name], found[0][name]) for name in task_set.names)
