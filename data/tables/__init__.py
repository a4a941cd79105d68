"""Any table from a stranger, whatever its format: rows of named columns, and what was assumed while reading them.

Doors: `reading.read_table`, `table.Table`.
"""
