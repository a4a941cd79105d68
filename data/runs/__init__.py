"""Stored experiments: the store, computing, locking, export and import."""
