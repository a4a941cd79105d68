"""Everything with `sample(seed)`: built-in sets, tables with a recipe, task-set files, drawings, local copies.

Doors: `catalogue.load`, `catalogue.open_source`, `catalogue.find` and `catalogue.sources`.
"""
