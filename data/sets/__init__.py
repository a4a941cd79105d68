"""Where task sets come from: built-in sources, local copies of the paper's data, and the paper's published figures.

Doors: `catalogue.load`, `find` and `sources`; `published` for the paper's numbers.
"""
