"""Methods over repeats: what one repeat leaves behind, the statistics of many, and where they are computed.

Doors: `experiment.Settings` and `experiment.compute`, `summary.Results`, `difference`, `parallel`.
"""
