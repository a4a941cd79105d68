"""The one small family of exceptions; every message names the thing, what was found and what to do."""


class CurriculabError(ValueError):
    """Anything a person can put right: a front end shows its one sentence and no traceback."""


class TaskError(CurriculabError):
    """A task or task set that cannot be learned from."""


class SettingsError(CurriculabError):
    """A method, C, order, seed or other setting that makes no sense."""


class SolverError(CurriculabError):
    """A quadratic programme that could not be solved to the promised duality gap."""


class Cancelled(Exception):  # noqa: N818 - an event, not a mistake
    """Raised to stop a long computation: between two fits, by a progress callback, or while it waits for its turn."""
