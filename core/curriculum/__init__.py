"""The paper's algorithms: which task comes next, from which source, under which bound.

Doors: `learn.learn` and `learn.Problem`, `result.Learned`, `steps` (candidate, step, curriculum), `methods`, `bound`.
"""
