"""Stored experiments: the store, the process that computes a run, its exports and bundles.

Doors: `store.Store`, `computation.find_or_begin` and `computation.compute_run`, `export`, `bundle`.
"""
