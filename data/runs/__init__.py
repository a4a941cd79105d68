"""Stored experiments: the store, the process that computes a run, its exports and bundles.

Doors: `store.Store`, `computing.find_or_begin` and `compute_run`, `draws.sampler_of`, `export`, `bundle`.
"""
