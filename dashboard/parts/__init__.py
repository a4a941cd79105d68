"""Pieces of pages, each a thing one sees or does."""
