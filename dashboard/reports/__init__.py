"""Self-contained HTML reports of a run or of a curriculum.

Doors: `report.run_report` and `report.set_report`.
"""
