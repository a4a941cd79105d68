"""The mathematics of curriculum learning of multiple tasks: no files, no drawing.

Names are loaded when first used, so that importing a task does not load the solvers.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.curriculum.bound import Bound
    from core.curriculum.learn import Problem, learn
    from core.curriculum.methods import METHODS
    from core.curriculum.result import Learned
    from core.curriculum.steps import Candidate, Curriculum, Step
    from core.errors import Cancelled, CurriculabError, SettingsError, SolverError, TaskError
    from core.fitting.adaptive_svm import AdaptiveSVC
    from core.orders.all_orders import Orders, every_order
    from core.orders.best_order import BestOrder, best_order
    from core.task_set import Task, TaskSet

_HOMES = {
    "orders.all_orders": ["Orders", "every_order"],
    "orders.best_order": ["BestOrder", "best_order"],
    "curriculum.bound": ["Bound"],
    "curriculum.learn": ["Problem", "learn"],
    "curriculum.methods": ["METHODS"],
    "curriculum.result": ["Learned"],
    "curriculum.steps": ["Candidate", "Curriculum", "Step"],
    "errors": ["Cancelled", "CurriculabError", "SettingsError", "SolverError", "TaskError"],
    "fitting.adaptive_svm": ["AdaptiveSVC"],
    "task_set": ["Task", "TaskSet"],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "METHODS",
    "AdaptiveSVC",
    "BestOrder",
    "Bound",
    "Cancelled",
    "Candidate",
    "CurriculabError",
    "Curriculum",
    "Learned",
    "Orders",
    "Problem",
    "SettingsError",
    "SolverError",
    "Step",
    "Task",
    "TaskError",
    "TaskSet",
    "best_order",
    "every_order",
    "learn",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    return getattr(importlib.import_module(f"core.{_HOME[name]}"), name)
