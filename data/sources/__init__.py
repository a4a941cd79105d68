"""Everything with `sample(seed)`: built-in sets, tables with a recipe, task-set files, drawings, local copies.

Doors: `catalogue.load`, `open_source`, `find` and `sources`.
"""
