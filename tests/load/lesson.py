"""One visitor of a class: what a student does in a lesson, by Streamlit's own protocol."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from dataclasses import dataclass, field

from tests.benchmarks.screen import Session

STEPS = 10
SETS = ("mnist-levels", "digits-levels", "plane-tree", "plane-rotation", "digits-attributes")


@dataclass
class Diary:
    """Seconds that each kind of action took, and what went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)


def attend(address: str, number: int, pause: float, diary: Diary) -> None:
    """Open, choose a set, ten steps, a what-if, the orders; a pause between any two."""
    chance = random.Random(number)

    def think() -> None:
        time.sleep(chance.uniform(0.5, 1.5) * pause)

    time.sleep(chance.uniform(0, pause))
    try:
        visitor = timed(diary, "open", lambda: Session(address, "step"))
        think()
        visitor.query = f"set={SETS[number % len(SETS)]}&C=10&seed={number % 3}"
        visitor.player = None
        diary.seconds["choose"].append(visitor._run(page_script_hash=visitor.page_hash))
        visitor.wait_for_player()
        for step in range(2, 2 + STEPS):
            think()
            diary.seconds["step"].append(visitor.step(min(step, 5)))
        think()
        visitor.query += "&whatif=2.0"
        diary.seconds["what if"].append(visitor._run(page_script_hash=visitor.page_hash))
        think()
        diary.seconds["orders"].append(visitor._run(page_name="orders"))
        think()
        visitor.socket.close()
    except Exception as error:  # whatever it is, it is what a visitor would have seen
        diary.errors.append(f"visitor {number}: {type(error).__name__}: {error}"[:200])


def timed(diary: Diary, action: str, act):  # type: ignore[no-untyped-def]
    """The result of an action, its seconds noted."""
    started = time.perf_counter()
    result = act()
    diary.seconds[action].append(time.perf_counter() - started)
    return result
