"""Everything that task sets are sampled from: built-in sources, tables with a recipe, files, drawings, local copies.

Doors: `catalogue.load`, `find` and `sources`.
"""
