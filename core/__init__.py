"""The mathematics of curriculum learning of multiple tasks: no files, no drawing.

Names are loaded when first used, so that importing a task does not load the solvers.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.curriculum.bound import Bound as Bound
    from core.curriculum.learn import Problem as Problem
    from core.curriculum.learn import learn as learn
    from core.curriculum.methods import METHODS as METHODS
    from core.curriculum.result import Learned as Learned
    from core.curriculum.steps import Candidate as Candidate
    from core.curriculum.steps import Curriculum as Curriculum
    from core.curriculum.steps import Step as Step
    from core.errors import Cancelled as Cancelled
    from core.errors import CurriculabError as CurriculabError
    from core.errors import SettingsError as SettingsError
    from core.errors import SolverError as SolverError
    from core.errors import TaskError as TaskError
    from core.fitting.adaptive_svm import AdaptiveSVC as AdaptiveSVC
    from core.orders.all_orders import Orders as Orders
    from core.orders.all_orders import every_order as every_order
    from core.orders.best_order import BestOrder as BestOrder
    from core.orders.best_order import best_order as best_order
    from core.task_set import Task as Task
    from core.task_set import TaskSet as TaskSet

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

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    return getattr(importlib.import_module(f"core.{_HOME[name]}"), name)
